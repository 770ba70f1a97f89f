"""Calls through a real Ray go on where their callers are, and what workers recorded arrives."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from demo.otlp import read
from tests.runtime.sample import kiln

import telewright
import telewright.ray

ray = pytest.importorskip("ray")

from tests.system import ray_workers as workers  # noqa: E402 - it needs Ray

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Start Ray, then actors, then telemetry, to files of each process; stop it all."""
    folder = tmp_path_factory.mktemp("exported")
    os.environ.pop("TELEWRIGHT_RUN_ID", None)
    ray.init(
        address="local",
        num_cpus=4,
        include_dashboard=False,
        object_store_memory=80_000_000,
        configure_logging=False,
        log_to_driver=False,
    )
    cluster = Cluster(folder)
    ray.get([cluster.potter.method.remote(), cluster.kiln.method.remote()])
    telewright.start(
        "all",
        service="pottery",
        run_id="r1",
        exporter="file",
        path=folder / "{pid}.jsonl",
        hash_key="k",
        metrics=False,
    )
    yield cluster
    telewright.stop()
    logs = cluster.logs()
    ray.shutdown()
    assert "a stranger was called" in logs  # or they are not the logs of our workers
    assert "Failed to detach context" not in logs
    assert "telewright" not in logs


class Cluster:
    """The actors that all tests share, and what was exported."""

    def __init__(self, folder):
        self.folder = folder
        self.potter = workers.Potter.options(num_cpus=0.1, name="potter").remote()
        self.kiln = workers.Kiln.options(num_cpus=0.1).remote()

    def spans(self, round_):
        """Return the spans of a round by name, when everybody has exported."""
        assert telewright.flush()
        assert telewright.ray.flush([self.potter, self.kiln], timeout=20)
        return self.exported(round_)

    def exported(self, round_):
        """Return the spans of a round by name, as they lie in the files."""
        found = {}
        for span in read(self.folder).spans:
            if span.attributes.get("kiln.round") == round_:
                found.setdefault(span.name, []).append(span)
        return found

    def logs(self):
        """Return what all workers wrote."""
        folder = ray._private.worker._global_node.get_logs_dir_path()
        return "".join(path.read_text("utf-8", "replace") for path in Path(folder).glob("worker-*"))


def streamed(references):
    """Return what a generator yielded."""
    return [ray.get(one) for one in references]


CALLS = {
    "task": lambda _: ray.get(workers.task.remote(1)),
    "task with options": lambda _: ray.get(workers.task.options(name="x").remote(1)),
    "stream of a task": lambda _: streamed(workers.batches.remote(1))[0],
    "method": lambda it: ray.get(it.potter.method.remote(1)),
    "method with options": lambda it: ray.get(it.potter.method.options(name="x").remote(1)),
    "stream of a method": lambda it: streamed(it.potter.batches.remote(1))[0],
    "method with two results": lambda it: ray.get(list(it.potter.pair.remote()))[::-1],
    "coroutine": lambda it: ray.get(it.kiln.method.remote(1)),
    "stream of a coroutine": lambda it: streamed(it.kiln.stream.remote(1))[0],
}


@pytest.mark.behaviour("B108", "B109", "B112", "B204")
@pytest.mark.parametrize("kind", CALLS)
def test_a_call_goes_on_where_its_caller_is(cluster, kind):
    """Whatever is called, it returns what it would, and its spans are below the caller's."""
    number = 100 + list(CALLS).index(kind)
    with kiln.round_(number), kiln.shift():
        result, running = CALLS[kind](cluster)
    assert result in {0, 1, 2}
    assert running == 1
    deadline = time.monotonic() + 20  # a task exports as soon as it has ended
    while "kiln.heat" not in (found := cluster.spans(number)) and time.monotonic() < deadline:
        time.sleep(0.1)
    (shift,), (heat,) = found["kiln.shift"], found["kiln.heat"]
    between = found.get("kiln.write")
    assert heat.parent == (between[0].id if between else shift.id)
    assert heat.trace == shift.trace
    assert heat.process == "pottery"


@pytest.mark.behaviour("B105")
@pytest.mark.parametrize("kind", CALLS)
def test_a_call_from_nowhere_is_made_as_it_is(cluster, kind):
    """Without a span or a scope there is no carrier, and the result is the same."""
    _, running = CALLS[kind](cluster)
    assert running == 0


def test_a_handle_that_was_found_elsewhere_carries_too(cluster):
    """An actor's name is enough: a task finds it, and its calls go on below the task's span."""
    with kiln.round_(31), kiln.shift():
        assert ray.get(workers.through.remote("potter")) == (7, 1)
    deadline = time.monotonic() + 20
    while "kiln.write" not in (found := cluster.spans(31)) and time.monotonic() < deadline:
        time.sleep(0.1)
    (shift,), (write,), (heat,) = (
        found[name] for name in ("kiln.shift", "kiln.write", "kiln.heat")
    )
    assert (write.parent, heat.parent) == (shift.id, write.id)


@pytest.mark.behaviour("B106")
def test_a_method_that_takes_no_carrier_is_called_without(cluster, caplog):
    """`call` works with it as with any other, and names it once."""
    stranger = workers.Stranger.options(num_cpus=0.1).remote()
    with kiln.round_(32), kiln.shift():
        for number in range(2):
            answer = telewright.ray.call(stranger.method, number)
            assert ray.get(answer) == (number, 0)
        assert ray.get(telewright.ray.call(cluster.potter.method, 3)) == (3, 1)
    assert caplog.text.count("takes no carrier") == 1
    assert caplog.text.count("method takes no carrier") == 1
    ray.kill(stranger)


@pytest.mark.behaviour("B115")
def test_a_constructor_is_carried_to_by_hand(cluster):
    """`call` of a class, or `keywords`, has it run where its caller is; else it opens roots."""
    with kiln.round_(33), kiln.shift():
        actor = telewright.ray.call(workers.Potter, number=5)
        other = workers.Potter.remote(**telewright.ray.keywords())
        ray.get([actor.__ray_ready__.remote(), other.__ray_ready__.remote()])
    assert telewright.ray.stop([actor, other], timeout=20)
    found = cluster.spans(33)
    (shift,) = found["kiln.shift"]
    assert [span.parent for span in found["kiln.write"]] == [shift.id] * 2
    ray.kill(actor)
    ray.kill(other)


@pytest.mark.behaviour("B026", "B110")
def test_threads_of_a_worker_go_where_they_are_told(cluster):
    """One that lives longer goes where each job came from, a carried one where it began."""
    before = len(cluster.spans(None).get("kiln.heat", ()))
    jobs = []
    for number in (40, 41):
        with kiln.round_(number), kiln.write():
            jobs.append(telewright.carrier())
    with kiln.round_(42), kiln.shift():
        assert ray.get(cluster.potter.threads.remote(jobs))
    for number in (40, 41):
        found = cluster.spans(number)
        assert found["kiln.heat"][0].parent == found["kiln.write"][0].id
    found = cluster.exported(42)
    assert [span.parent for span in found["kiln.heat"]] == [found["kiln.shift"][0].id]
    (bare,) = cluster.exported(None)["kiln.heat"][before:]
    assert bare.parent == ""


@pytest.mark.behaviour("B115", "B204")
def test_workers_of_a_runtime_environment_start_whoever_calls_them(cluster):
    """What a constructor opens is a root then, joined by the run; the environment has no secret."""
    before = len(cluster.spans(None).get("kiln.write", ()))
    environment = telewright.ray.runtime_env({"env_vars": {"MINE": "1"}})
    assert environment["env_vars"]["MINE"] == "1"
    assert not [name for name in environment["env_vars"] if name.endswith(("KEY", "HEADERS"))]
    actor = workers.Potter.options(runtime_env=environment, num_cpus=0.1).remote()
    books = ray.get(actor.books.remote())
    assert books.made == 1
    assert telewright.ray.stop([actor], timeout=20)
    ray.kill(actor)
    (root,) = cluster.exported(None)["kiln.write"][before:]
    assert root.parent == ""


def test_a_worker_may_be_told_to_stay_off(cluster):
    """Its own environment wins: calls work, nothing is recorded, nothing is complained about."""
    environment = {"env_vars": {"TELEWRIGHT_OFF": "1"}}
    actor = workers.Potter.options(runtime_env=environment, num_cpus=0.1).remote()
    with kiln.round_(34), kiln.shift():
        assert ray.get(actor.method.remote(1)) == (1, 1)
    assert ray.get(actor.books.remote()).made == 0
    assert telewright.ray.flush([actor])
    assert list(cluster.spans(34)) == ["kiln.shift"]
    ray.kill(actor)


@pytest.mark.behaviour("B109")
def test_a_stream_that_is_cancelled_closes_what_it_streams(cluster):
    """Its span ends, and no detach error is logged, which the fixture looks for at the end."""
    _, before = ray.get(cluster.kiln.count.remote())
    with kiln.round_(35), kiln.shift():
        references = cluster.kiln.stream.remote(10_000)
        assert ray.get(next(references))[0] == 0
        ray.cancel(references)
    deadline = time.monotonic() + 20
    while ray.get(cluster.kiln.count.remote())[1] == before and time.monotonic() < deadline:
        time.sleep(0.05)
    found = cluster.spans(35)
    (write,) = found["kiln.write"]
    assert write.parent == found["kiln.shift"][0].id
    assert {span.parent for span in found["kiln.heat"]} == {write.id}


@pytest.mark.behaviour("B081")
def test_nothing_is_missing_of_a_worker_that_was_flushed_and_killed(cluster):
    """Its producer is stopped, what is in flight has time to end, and all of it arrives."""
    actor = workers.Kiln.options(num_cpus=0.1).remote()
    with kiln.round_(36), kiln.shift():
        ray.get(actor.produce.remote(37))
        slow = actor.slow.remote(1.0)
        time.sleep(0.3)
        assert telewright.ray.flush([actor], timeout=20, first="halt")
        ray.get(slow)
        made, _ = ray.get(actor.count.remote())
    ray.kill(actor)
    pots = cluster.exported(37)["kiln.pot"]
    assert made > 10
    assert sorted(int(span.attributes["kiln.potter"]) for span in pots) == list(range(made))
    assert "kiln.write" in cluster.exported(36)


@pytest.mark.behaviour("B081", "B077")
def test_the_truth_is_told_of_what_did_not_end_in_time(cluster):
    """What is still open is not waited for beyond the deadline; stopped, it is marked."""
    actor, dead = (workers.Kiln.options(num_cpus=0.1).remote() for _ in range(2))
    with kiln.round_(38), kiln.shift():
        endless = actor.slow.remote(600)
        ray.get(actor.method.remote())
    began = time.monotonic()
    assert not telewright.ray.flush([actor], timeout=1.0)
    assert not telewright.ray.stop([actor], timeout=2.0)
    assert time.monotonic() - began < 20
    marked = [
        span
        for span in cluster.exported(38)["kiln.write"]
        if span.attributes.get("nemo.span.truncated")
    ]
    assert len(marked) == 1
    ray.kill(dead)
    assert not telewright.ray.flush([dead, cluster.potter], timeout=2.0)
    del endless
    ray.kill(actor)
