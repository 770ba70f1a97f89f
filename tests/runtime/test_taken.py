"""Workers that outlive a run: what they record belongs to the run that they work for."""

from __future__ import annotations

import multiprocessing
import os
import pickle

import pytest

import telewright
import telewright.ray
from telewright import _taken
from tests.runtime.sample import kiln
from tests.runtime.test_processes import METHODS, resources, settings, start, work

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

__all__ = ["settings"]


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Leave no variable of a run behind."""
    monkeypatch.setattr(_taken, "_SET", {})
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]


def sent(run, how, **more):
    """Return work that is sent from a run of its own, and how it is done."""
    start(run_id=run, **more)
    with kiln.heat():
        if how == "ray":
            keywords = telewright.ray.keywords()
            done = lambda name: telewright.ray.carried(work)(name, **keywords)  # noqa: E731 - kept
        else:
            done = pickle.loads(pickle.dumps(telewright.carry(work)))  # noqa: S301 - made here
    telewright.stop()
    return done


@pytest.mark.parametrize("how", ["ray", "carried"])
def test_a_worker_goes_over_to_the_run_that_it_works_for(how, receiver, caplog):
    """Once, with the settings of that run alone; what it recorded before is the earlier run's."""
    first, second = sent("r1", how, content=True), sent("r2", how)
    for number, do in enumerate((first, first, second, second, first)):
        do(f"p{number}")
        assert os.environ["TELEWRIGHT_CONTENT"] == ("true" if number < 2 else "")
    assert telewright.stop()
    runs = [one["nemo.run.id"] for one in resources(receiver, "kiln.pot")]
    assert set(runs) == {"r1", "r2"}
    assert telewright.stats().made == 3
    assert caplog.text.count("run r1 is over here") == 1


def test_a_worker_that_started_by_itself_stays_as_it_is(receiver):
    """Its own program said what it is part of."""
    do = sent("r2", "carried")
    start(run_id="own")
    do("ann")
    assert telewright.stop()
    assert [one["nemo.run.id"] for one in resources(receiver, "kiln.pot")] == ["own"]


def test_a_run_is_what_a_call_says_and_not_what_a_cluster_was_started_in(receiver, monkeypatch):
    """Workers of Ray have the environment of who started it, which knew of an earlier run."""
    do = sent("r2", "ray")
    monkeypatch.setenv("TELEWRIGHT_RUN_ID", "r1")
    do("ann")
    assert telewright.stop()
    assert [one["nemo.run.id"] for one in resources(receiver, "kiln.pot")] == ["r2"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("begun", ["before", "within"])
def test_a_pool_serves_one_run_after_the_other(method, begun, receiver):
    """Whether it was there before the first or is that one's own: each span has its own run."""
    context = multiprocessing.get_context(method)
    if begun == "within":
        start(run_id="r1")
    with context.Pool(1) as pool:
        for run in ("r1", "r2"):
            start(run_id=run)
            with kiln.heat():
                pool.apply(telewright.carry(work), [run])
            assert telewright.stop()
    found = {
        span.attributes[0].value.string_value: resource["nemo.run.id"]
        for request in receiver.traces
        for one in request.resource_spans
        for resource in [{pair.key: pair.value.string_value for pair in one.resource.attributes}]
        for scope in one.scope_spans
        for span in scope.spans
        if span.name == "kiln.pot"
    }
    assert found == {"r1": "r1", "r2": "r2"}
