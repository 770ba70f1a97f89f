"""The whole suite with telemetry switched off: `SUITE_OFF=TELEWRIGHT_OFF pytest tests/runtime`.

The variable that is named is set for every test. Tests of what telemetry does then see nothing, and
fail where they look; that is what they are for, and they are counted as such. What may not happen
is that anything fails inside the runtime, or that anything is left of telemetry after a test: a
thread, a span in the books, a provider, a request, a file, a variable.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

import pytest

VARIABLE = os.environ.get("SUITE_OFF")
"""What switches telemetry off in this run; None in an ordinary one."""

ELSEWHERE = {
    "test_hostile.py": "its processes are switched off, and on, by themselves",
    "test_early_exits.py": "it records without starting",
    "test_scrape.py": "it waits until a page is read",
    "test_scrape_pages.py": "it waits until a page is read",
    "test_export_threads.py": "it makes the threads of a pipeline by hand",
    "test_ended_threads.py": "it makes the threads of a pipeline by hand",
    "test_fast_spans.py": "it makes the threads of a pipeline by hand",
    "test_log_records_and_points_are_judged_in_pieces": "it judges by hand what was measured",
    "test_a_job_that_is_killed_has_been_seen": "it waits for what never arrives",
    "test_a_forked_child_ends_by_it_too": "it waits for what never arrives",
    "test_a_kill_costs_what_the_schedule_had_not_sent": "it waits for what never arrives",
}
"""Files and tests that have nothing to do in such a run, and why."""

RUNTIME = str(Path(__file__).resolve().parents[2] / "runtime" / "telewright")
REASON = "sees nothing: telemetry is off"
_FRAME = re.compile(r'^ +File "([^"]+)", line \d+', re.MULTILINE)


def is_ours(error):
    """Say whether *error* was raised in the runtime, or in that of a process it tells of."""
    frames = traceback.extract_tb(error.__traceback__)
    files = [frame.filename for frame in frames]
    said = getattr(error, "stderr", None) or b""
    text = said if isinstance(said, str) else said.decode("utf-8", "replace")
    files += _FRAME.findall(text)[-1:]
    return bool(files) and files[-1].startswith(RUNTIME)


PATIENCE = 6.0
"""Seconds after which a test waits for what never comes, and has seen nothing."""


_WORK = 0.2
"""Seconds of processor time within that: who takes as much does not wait, on a busy machine."""

_ROUNDS = 5


class WaitedError(BaseException):
    """A test waited for what never came; no program on the way takes it for an error of its own."""


@contextmanager
def hurried():
    """End the block if it waits for what never comes; while it works, it may, a few times over."""
    worked = [time.process_time()]

    def hurry(_number, _frame):
        worked.append(time.process_time())
        if worked[-1] - worked[-2] < _WORK or len(worked) > _ROUNDS:
            raise WaitedError
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    before = signal.signal(signal.SIGALRM, hurry)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def leave_out(items):
    """Skip what has nothing to do where telemetry is off."""
    for item in items:
        for name in (item.path.name, getattr(item, "originalname", None)):
            if name in ELSEWHERE:
                item.add_marker(pytest.mark.skip(reason=ELSEWHERE[name]))


def of_ours(requests):
    """Return the requests that hold a span or a point of ours, and not only of another library."""
    return [request for request in requests if b"telewright." in request.SerializeToString()]


def judge(report, call):
    """Count a failure of a test that sees nothing as expected; return whether it was one."""
    if call.excinfo is None or report.outcome != "failed" or report.when == "teardown":
        return False
    error = call.excinfo.value
    if not isinstance(error, WaitedError) and is_ours(error):
        return False
    report.outcome = "skipped"
    report.wasxfail = REASON
    return True


def remains():
    """Return what is left of telemetry in this process, in words."""
    import telewright
    from telewright import _start

    stats = telewright.stats()
    books = (stats, stats.points, stats.logs)
    found: list[str] = []
    for thread in threading.enumerate():
        if thread.name.startswith("telewright-"):
            thread.join(PATIENCE)  # what a test made by hand may be about to end
            found += [f"a thread: {thread.name}"] if thread.is_alive() else []
    if _start.STATE.pipeline is not None:
        found.append("a pipeline")
    if any(book.made for book in books):
        found.append(f"books: {books}")
    if os.environ.get("TELEWRIGHT_RUN_ID"):
        found.append("a run id in the environment")
    return found
