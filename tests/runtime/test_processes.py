"""Work in other processes goes on where it was sent from: multiprocessing, executors, Popen."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from opentelemetry.trace import get_current_span

import telewright
from telewright import _start, _taken
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.test_fork import in_child

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

METHODS = ["fork", "spawn", "forkserver"]


@pytest.fixture(autouse=True)
def settings(monkeypatch, receiver):
    """Export to the receiver, and nothing but spans; forget what earlier tests were handed."""
    monkeypatch.setattr(_taken, "TRIED", [])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "runtime")]))
    return receiver


def start(**more):
    """Start the telemetry of the parent."""
    telewright.start("all", service="pottery", metrics=False, **more)


def work(name):
    """Open a span in whatever process this is."""
    with kiln.pot(potter=name):
        return os.getpid()


def resources(receiver, name):
    """Return the resources of the processes that exported a span called *name*."""
    return [
        values(one.resource.attributes)
        for request in receiver.traces
        for one in request.resource_spans
        if any(span.name == name for scope in one.scope_spans for span in scope.spans)
    ]


def check(receiver, potters):
    """Hold what came from children against where they were started from."""
    heat = receiver.span("kiln.heat")
    pots = [span for span in receiver.spans if span.name == "kiln.pot"]
    assert sorted(values(pot.attributes)["kiln.potter"] for pot in pots) == sorted(potters)
    for pot in pots:
        assert (pot.trace_id, pot.parent_span_id) == (heat.trace_id, heat.span_id)
        assert values(pot.attributes)["kiln.round"] == 412
    runs = {one["nemo.run.id"] for one in resources(receiver, "kiln.pot")}
    assert runs == {one["nemo.run.id"] for one in resources(receiver, "kiln.heat")}
    assert {one["service.name"] for one in resources(receiver, "kiln.pot")} == {"pottery"}
    assert os.getpid() not in {one["process.pid"] for one in resources(receiver, "kiln.pot")}


@pytest.mark.behaviour("B027", "B204", "B198")
@pytest.mark.parametrize("method", METHODS)
def test_a_process_goes_on_where_it_was_started(receiver, method):
    """Parent, scopes, settings and run arrive, and what it recorded arrives though it just ends."""
    start()
    context = multiprocessing.get_context(method)
    with kiln.round_(412), kiln.heat():
        child = context.Process(target=telewright.carry(work), args=["ann"])
        child.start()
    child.join(30)
    assert child.exitcode == 0
    assert telewright.stop()
    check(receiver, ["ann"])


def on_a_thread(name):
    """Do the work on a thread of this process."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(telewright.carry(work), name).result()


@pytest.mark.behaviour("B082")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("do", [work, on_a_thread])
def test_workers_of_a_pool_export_though_the_pool_kills_them(receiver, method, do):
    """A pool ends its workers by a signal as soon as its block is left."""
    start()
    context = multiprocessing.get_context(method)
    with kiln.round_(412), kiln.heat(), context.Pool(2) as pool:
        pool.map(telewright.carry(do), ["ann", "bob", "cid", "dee"])
    assert telewright.stop()
    check(receiver, ["ann", "bob", "cid", "dee"])


def test_workers_of_an_executor_export_when_it_is_shut_down(receiver):
    """Functions that were carried are pickled on another thread, and know all the same."""
    start()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        with kiln.round_(412), kiln.heat():
            futures = [pool.submit(telewright.carry(work), name) for name in ("ann", "bob")]
        assert all(future.result(30) != os.getpid() for future in futures)
    assert telewright.stop()
    check(receiver, ["ann", "bob"])


def keep(_number, _frame):
    """Handle a signal as an application does."""


@pytest.mark.parametrize(
    ("daemon", "before"),
    [(False, signal.SIG_DFL), (True, keep)],
    ids=["nobody ends it by a signal", "it has a handler"],
)
def test_a_child_has_the_signal_as_it_was(daemon, before):
    """Only a worker that a signal ends at once, as pools do, ends its telemetry first."""
    start()

    def look():
        signal.signal(signal.SIGTERM, before)
        work("ann")
        assert telewright.stats().made == 1
        os._exit(0 if signal.getsignal(signal.SIGTERM) is before else 1)

    child = multiprocessing.get_context("fork").Process(target=look, daemon=daemon)
    child.start()
    child.join(30)
    assert telewright.stop()
    assert child.exitcode == 0


UNGUARDED = """
    import multiprocessing, sys, telewright
    from tests.runtime.sample import kiln
    telewright.start("all", metrics=False)
    def work():
        with kiln.pot(potter="ann"):
            pass
    if __name__ == "__main__":
        multiprocessing.set_start_method(sys.argv[1])
        child = multiprocessing.Process(target=work)
        child.start()
        child.join()
        sys.exit(child.exitcode)
"""


@pytest.mark.behaviour("B082")
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_child_that_starts_as_its_main_module_is_imported_exports_too(receiver, tmp_path, method):
    """It has not begun its work then, and ends without ``atexit``."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(UNGUARDED))
    subprocess.run([sys.executable, program, method], cwd=ROOT, check=True, timeout=60)
    assert [span.name for span in receiver.spans] == ["kiln.pot"]


def test_with_telemetry_off_a_carried_function_is_itself():
    """Nothing is wrapped, so nothing is pickled that was not before."""
    assert telewright.carry(work) is work


def test_a_carried_function_may_be_sent_on(receiver):
    """What a process was sent it can send to another, with what came along."""
    start()
    with kiln.round_(412), kiln.heat():
        sent = pickle.dumps(telewright.carry(work))
    arrived = pickle.loads(sent)  # noqa: S301 - made here
    again = pickle.loads(pickle.dumps(arrived))  # noqa: S301 - made here
    assert again("ann") == os.getpid()
    telewright.stop()
    pot = receiver.span("kiln.pot")
    assert pot.parent_span_id == receiver.span("kiln.heat").span_id
    assert values(pot.attributes)["kiln.round"] == 412


def test_what_arrives_starts_telemetry_once_and_only_where_it_may(receiver, monkeypatch):
    """Who has stopped it is left alone; where it is switched off, not even a variable is set."""
    start(run_id="r1")
    with kiln.heat():
        sent = pickle.dumps(telewright.carry(work))
    telewright.stop()
    before = dict(os.environ)
    try:
        monkeypatch.setenv("TELEWRIGHT_OFF", "1")
        arrived = pickle.loads(sent)  # noqa: S301 - made here
        assert arrived("ann") == os.getpid()
        assert dict(os.environ) == {**before, "TELEWRIGHT_OFF": "1"}
        monkeypatch.delenv("TELEWRIGHT_OFF")
        _taken.TRIED.clear()
        for name in ("bob", "cid"):
            arrived(name)
            telewright.stop()
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
    pots = [span for span in receiver.spans if span.name == "kiln.pot"]
    assert [values(pot.attributes)["kiln.potter"] for pot in pots] == ["bob"]


def test_what_a_process_is_told_wins_over_what_it_is_sent(receiver, monkeypatch):
    """A call that Ray brings to a process with variables of its own leaves these as they are."""
    import telewright.ray

    start(run_id="r1")
    with kiln.heat():
        keywords = telewright.ray.keywords()
    telewright.stop()
    before = dict(os.environ)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "oven")
    try:
        assert telewright.ray.carried(work)("ann", **keywords) == os.getpid()
        assert os.environ["OTEL_SERVICE_NAME"] == "oven"
        telewright.stop()
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]  # for good, as `monkeypatch` would not
    (resource,) = resources(receiver, "kiln.pot")
    assert (resource["service.name"], resource["nemo.run.id"]) == ("oven", "r1")


def test_a_forked_child_touches_no_span_of_its_parent():
    """Inside a carried function the parent's span is known by its context alone."""
    start()

    def look():
        span = get_current_span()
        os._exit(0 if span.get_span_context().is_valid and not span.is_recording() else 1)

    with kiln.heat():
        carried = telewright.carry(look)
        child = multiprocessing.get_context("fork").Process(target=carried)
        child.start()
        child.join(30)
    assert telewright.stop()
    assert child.exitcode == 0


CHILD = """
    import os, sys, telewright
    from tests.runtime.sample import kiln
    with telewright.start(service="child"), telewright.within(os.environ):
        with kiln.pot(potter=sys.argv[1]):
            pass
    assert not telewright.stats().dropped
"""


def run(environment):
    """Run the child with an environment."""
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CHILD), "ann"],
        cwd=ROOT,
        env=environment,
        check=True,
        timeout=60,
    )


@pytest.mark.behaviour("B114", "B204")
def test_a_spawned_process_learns_its_parent_from_the_environment(receiver):
    """`environment` has the settings, the run, the span and the scopes; the child has its name."""
    start(run_id="r1")
    with kiln.round_(412), kiln.heat():
        run(telewright.environment())
    telewright.stop()
    pot, heat = receiver.span("kiln.pot"), receiver.span("kiln.heat")
    assert (pot.trace_id, pot.parent_span_id) == (heat.trace_id, heat.span_id)
    assert values(pot.attributes)["kiln.round"] == 412
    (resource,) = resources(receiver, "kiln.pot")
    assert (resource["service.name"], resource["nemo.run.id"]) == ("child", "r1")


@pytest.mark.behaviour("B114", "B124")
@pytest.mark.parametrize(
    "garbage",
    [
        {},
        {"TRACEPARENT": "not a traceparent", "BAGGAGE": "kiln.round=oops"},
        {
            "TRACEPARENT": "00-" + "0" * 32 + "-" + "0" * 16 + "-01",
            "TRACESTATE": "=",
            "BAGGAGE": "=",
        },
        {"TRACEPARENT": "", "BAGGAGE": "kiln.round=" + "9" * 9000},
    ],
)
def test_without_a_parent_or_with_garbage_it_works(receiver, garbage):
    """Its span is a root, without an attribute that nobody said, and nothing is raised."""
    run({**os.environ, "TELEWRIGHT_METRICS": "0", "TELEWRIGHT_GROUPS": "all", **garbage})
    pot = receiver.span("kiln.pot")
    assert not pot.parent_span_id
    assert set(values(pot.attributes)) == {"kiln.potter"}


def test_an_environment_is_made_of_what_is_current_and_not_of_what_was_inherited(monkeypatch):
    """A stale parent goes, also a part of one; off, the environment is a copy as it is."""
    monkeypatch.setenv("BAGGAGE", "kiln.round=1")
    assert telewright.environment() == dict(os.environ)
    assert telewright.environment({"A": "b"}) == {"A": "b"}
    start(run_id="r1")
    with kiln.heat():
        made = telewright.environment({"baggage": "x", "TELEWRIGHT_GROUPS": "job", "A": "b"})
    assert {"TRACEPARENT", "A", "OTEL_EXPORTER_OTLP_ENDPOINT"} <= set(made)
    assert not {"BAGGAGE", "baggage"} & set(made)
    assert (made["TELEWRIGHT_GROUPS"], made["TELEWRIGHT_RUN_ID"]) == ("job", "r1")
    assert telewright.environment()["BAGGAGE"] == "kiln.round=1"
    assert telewright.stop()


@pytest.mark.parametrize("base", [False, True])
def test_an_environment_says_what_runs_and_not_what_was_said_first(base, monkeypatch):
    """A run id beats the one inherited, and groups may have been selected since."""
    with monkeypatch.context() as patch:
        patch.setenv("TELEWRIGHT_RUN_ID", "outer")
        patch.setenv("TELEWRIGHT_GROUPS", "kiln.pot")
        start(run_id="inner")
        telewright.select("kiln.firing")
        made = telewright.environment({**os.environ, "A": "b"} if base else None)
        assert (made["TELEWRIGHT_RUN_ID"], made["TELEWRIGHT_GROUPS"]) == ("inner", "kiln.firing")
        assert os.environ["TELEWRIGHT_RUN_ID"] == "inner"  # which any child inherits
        assert telewright.stop()
        assert os.environ["TELEWRIGHT_RUN_ID"] == "outer"


@pytest.mark.parametrize("joined", [False, True])
def test_a_forked_child_hands_over_what_its_parent_was_started_with(joined, monkeypatch):
    """Though it has not recorded anything; nothing where the parent had only joined."""
    start(run_id="r1")
    variables = telewright.environment({})
    assert variables["TELEWRIGHT_GROUPS"] == "all"
    if joined:
        monkeypatch.setattr("telewright._relay.foreign_tracer_provider", object)

    def look():
        assert telewright.environment({}) == ({} if joined else variables)

    in_child(look)
    telewright.stop()


def test_settings_of_somebody_elses_telemetry_do_not_cross(monkeypatch):
    """Whoever set it up here does so in other processes as well; what is current crosses."""
    start()
    monkeypatch.setattr(_start.STATE.pipeline, "adopted", True)
    with kiln.heat():
        assert set(telewright.environment({})) == {"TRACEPARENT"}
    monkeypatch.undo()
    telewright.stop()


def test_secrets_go_to_processes_of_ones_own_and_not_through_ray(monkeypatch):
    """Headers of exporters and the key of hashes stay out of what a cluster shows."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=s3cret")
    start(hash_key="s3cret")
    import telewright.ray

    assert str(telewright.environment({})).count("s3cret") == 2
    assert "s3cret" not in str(telewright.ray.runtime_env())
    with kiln.heat():
        assert "s3cret" not in str(telewright.ray.keywords())
    telewright.stop()
