"""Long runs: done in parts, heard of while they last, and ended by name when they hang."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import soak
from tests.soak import Hung, LongRun, part

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def heard():
    """Make a long run that speaks at once, and return what it said."""
    reading, writing = os.pipe()
    made = LongRun("digging", writing, every=0)

    def said():
        os.set_blocking(reading, False)
        with contextlib.suppress(BlockingIOError):
            return os.read(reading, 65_536).decode()
        return ""

    yield made, said
    made.close()
    os.close(reading)
    os.close(writing)


@pytest.fixture
def run(heard):
    """Make a long run."""
    return heard[0]


@settings(deadline=None)
@given(st.integers(0, 3_000), st.integers(1, 40), st.data())
def test_parts_are_the_whole_once(count, parts, data):
    """Whatever the number of parts, one at a time or the rest at once: each number comes once."""
    cut = data.draw(st.integers(1, parts))
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for number in range(1, cut + 1):
            patch.setenv("SOAK_PART", f"{number}/{parts}")
            found += part(count)
        if cut < parts:
            patch.setenv("SOAK_PART", f"{cut + 1}-{parts}/{parts}")
            found += part(count)
        patch.delenv("SOAK_PART")
        assert found == list(part(count)) == list(range(count))


@pytest.mark.parametrize("asked", ["", "1", "0/3", "4/3", "3-2/3", "1/0", "a/b"])
def test_a_part_that_does_not_exist_is_an_error(asked, monkeypatch):
    """A run of nothing would look like one that found nothing."""
    monkeypatch.setenv("SOAK_PART", asked)
    with pytest.raises(ValueError, match="SOAK_PART="):
        part(100)


def test_a_run_says_how_far_it_is(heard, monkeypatch):
    """Each line has its name, and how many of how many are done."""
    run, said = heard
    monkeypatch.setenv("SOAK_PART", "2/2")
    numbers = [list(one) for one in run.slices(9, size=2, patience=60)]
    assert numbers == [[4, 5], [6, 7], [8]]
    lines = said().splitlines()
    assert [line.rpartition(",")[0] for line in lines] == [
        "digging: 2 of 5",
        "digging: 4 of 5",
        "digging: 5 of 5",
    ]


def test_a_run_that_is_short_says_nothing(capfd, request):
    """What runs with every change adds no line to what pytest shows."""
    assert sum(len(one) for one in soak.begin(request).slices(9, size=2, patience=60)) == 9
    assert capfd.readouterr() == ("", "")


def test_the_seed_is_said_and_can_be_given(heard, monkeypatch):
    """What was found with other numbers can be found again."""
    run, said = heard
    monkeypatch.delenv("SOAK_SEED", raising=False)
    first = run.seed()
    assert f"SOAK_SEED={first} " in said()
    monkeypatch.setenv("SOAK_SEED", str(first))
    assert run.seed() == first


def test_the_same_seed_gives_the_same_examples(run, monkeypatch):
    """And as many as were asked for; a part of whole slices has those of the whole."""
    monkeypatch.setenv("SOAK_SEED", "7")

    def examples(asked):
        seen = []
        monkeypatch.setenv("SOAK_PART", asked)
        run.examples(seen.append, st.integers(), count=300, size=100, patience=60)
        return seen

    whole = examples("1/1")
    assert len(whole) == 300
    assert examples("1/3") + examples("2-3/3") == whole


def test_a_property_that_is_false_fails_by_name(run):
    """The positive control: the example is in what pytest shows."""

    def small(number):
        assert number < 1_000

    with pytest.raises(AssertionError) as caught:
        run.examples(small, st.integers(), count=3_000, patience=60)
    assert "case=(1000,)" in "".join(caught.value.__notes__)


def forever():
    """Go on, whatever ordinary exceptions there are."""
    while True:
        with contextlib.suppress(Exception):
            while True:
                pass


def test_a_step_that_hangs_is_named(run):
    """The run ends with what it was at, and code under test cannot swallow that."""

    def dig():
        run.at("number 6", 60)
        run.at(lambda: "number 7", 0.05)
        forever()

    with pytest.raises(Hung, match=r"digging: number 7: not over after 0.05 s"):
        dig()


def test_a_slice_that_hangs_is_named(run):
    """What is not told more precisely is named by its numbers."""

    def dig():
        for _ in run.slices(9, size=2, patience=0.05):
            forever()

    with pytest.raises(Hung, match=r"digging: numbers 0 to 1: not over after 0.05 s"):
        dig()


def test_a_step_of_a_slice_that_hangs_is_named(run):
    """What is told more precisely has as long as its slice."""

    def dig():
        for _ in run.slices(9, size=2, patience=0.1):
            run.at("number 0")  # which has as long as its slice
            forever()

    with pytest.raises(Hung, match=r"digging: number 0: not over after 0.1 s"):
        dig()


def python(code):
    """Run *code* in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_hang_whose_exception_is_lost_is_named_again():
    """An exception that is raised in a finaliser goes nowhere; the next one does not."""
    done = python("""
        from tests import soak
        soak.AGAIN = 0.5
        class Finalised:
            def __del__(self):
                run.at("number 7", 0.05)
                while True:
                    pass
        def lose():
            Finalised()
            while True:
                pass
        run = soak.LongRun("digging", 2)
        try:
            lose()
        finally:
            run.close()
    """)
    assert done.returncode == 1
    assert "Exception ignored in" in done.stderr
    assert done.stderr.strip().endswith("Hung: digging: number 7: not over after 0.05 s")


HANGS = """
import signal
import pytest
from tests import soak

class Slow:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call):
        while call.when == "call" and signal.getitimer(signal.ITIMER_REAL) != (0, 0):
            pass
        return (yield)

def test_that_hangs(request):
    request.config.pluginmanager.register(Slow())
    soak.AGAIN = 0.05
    run = soak.begin(request)
    run.say("begun", always=True)
    run.at("number 7", 0.05)
    while True:
        pass

def test_after_it():
    pass
"""


def test_a_test_that_hangs_fails_and_the_next_one_runs(tmp_path):
    """Pytest is not interrupted while it tells of the failure, however long that takes."""
    (tmp_path / "test_hangs.py").write_text(HANGS)
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", tmp_path]
    for plugin in ("hypothesispytest", "xdist", "anyio"):  # which take long to load
        command += ["-p", f"no:{plugin}"]
    done = subprocess.run(
        [*command, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr.startswith("test_that_hangs: begun, 0 s\n")
    assert "Hung: test_that_hangs: number 7: not over after 0.05 s" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


def test_nothing_is_late_once_a_run_is_over(run):
    """No alarm is left for what comes after."""
    for _ in run.slices(4, size=2, patience=60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_no_exception_reaches_ends_the_process_and_is_shown():
    """A hang in C ends the process, with a traceback of it on standard error."""
    done = python("""
        import signal, threading
        from tests import soak
        soak.GRACE = 0.1
        def stuck_in_c():
            threading.Event().wait()
        run = soak.LongRun("digging", 2)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        run.at("number 7", 0.1)
        stuck_in_c()
    """)
    assert done.returncode == 1
    assert "stuck_in_c" in done.stderr


def ended(process):
    """Wait until nothing runs under this number any more."""
    command = ["ps", "-o", "stat=", "-p", str(process)]
    while subprocess.run(command, capture_output=True, check=False).stdout.strip(b"Z\n "):
        pass
    return True


def shell(code):
    """Return the command that runs *code* in a shell."""
    return ["/bin/sh", "-c", code]


def test_a_process_is_followed_to_its_end(heard):
    """What it prints is returned, what it says is passed on, and its code is its code."""
    run, said = heard
    done = run.follow(shell("echo out; echo half way >&2; exit 3"), patience=60)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "half way\n")
    assert "digging: half way, " in said()


def test_a_process_that_falls_silent_is_ended_and_says_what_it_was_at(run):
    """It is asked before it is killed, and its children end with it."""
    code = """
        trap 'echo at breakfast >&2; exit' ABRT
        sleep 1000 & echo $! >&2
        while :; do sleep 0.05; done
    """
    with pytest.raises(Hung, match="nothing for 2 s") as caught:
        run.follow(shell(code), patience=2)
    assert "at breakfast" in str(caught.value)
    child = int(str(caught.value).partition("was at:\n")[2].split()[0])
    assert ended(child)


def test_a_process_that_ignores_being_asked_is_killed(run, monkeypatch):
    """Even then the run ends."""
    monkeypatch.setattr(soak, "AGAIN", 0.2)
    with pytest.raises(Hung, match="sleep"):
        run.follow(shell("trap '' ABRT; echo up >&2; sleep 1000; sleep 1000"), patience=1)
