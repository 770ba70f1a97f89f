"""Traces, scopes and carriers: behaviours that no test of one module shows."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

import telewright
import telewright.ray
from telewright import _gates
from telewright.gym import rollout, startup
from telewright.gym.startup import StartupStage
from tests.behaviours.processes import run
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.sample.groups import POT, SHIFT

REMOTE = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}


@pytest.mark.behaviour("B010")
def test_an_owner_that_is_no_span_never_splits(probe):
    """Without traces the owner has no valid context: what is inside is no root of anybody's."""
    probe.start(traces=False)
    shift = kiln.shift()
    with shift:
        probe.start("kiln.pot")
        with kiln.pot(potter="ann"):
            pass
    (pot,) = probe.spans
    assert (pot.parent_id, pot.links) == (None, ())


@pytest.mark.behaviour("B016")
def test_starting_up_is_a_trace_beside_the_jobs(receiver):
    """Even inside the job, the stages of starting up are another trace, of the same run."""
    with (
        telewright.start("gym.default", run_id="r-1", metrics=False, strict=True),
        rollout.job() as job,
        startup.supervisor(),
        startup.stage(StartupStage.LOAD_CONFIG),
    ):
        assert job.on
    begun, stage = receiver.span("gym.startup"), receiver.span("gym.startup.load_config")
    ran = receiver.span("gym.job")
    assert begun.parent_span_id == b""
    assert begun.trace_id == stage.trace_id != ran.trace_id
    assert stage.parent_span_id == begun.span_id
    for request in receiver.traces:
        for resource in request.resource_spans:
            assert values(resource.resource.attributes)["nemo.run.id"] == "r-1"


@pytest.mark.behaviour("B062")
def test_roots_are_right_without_the_sdk():
    """OpenTelemetry's API alone gives each pot its trace, its link, and also its attributes."""
    code = """
        from telewright.testing import captured
        from tests.runtime.sample import kiln
        with captured("all") as found:
            with kiln.shift(), kiln.pot(potter="ann", pot_id="1"), kiln.heat():
                pass
        pot, shift, heat = (found.span(f"kiln.{name}") for name in ("pot", "shift", "heat"))
        (link,) = pot.links
        print(pot.parent_id, link.span_id == shift.span_id, pot.trace_id != shift.trace_id)
        print(heat.parent_id == pot.span_id, pot.attributes["kiln.pot.id"])
    """
    found = run(code, blocked=["opentelemetry.sdk", "opentelemetry.exporter"])
    assert found == ["None True True", "True 1"]


@pytest.mark.behaviour("B096")
def test_a_single_trace_id_leaves_the_link():
    """Where every root gets one id, splitting shows in nothing but the link and the parent."""

    class Single(RandomIdGenerator):
        def generate_trace_id(self):
            return 7

    exporter = InMemorySpanExporter()
    provider = TracerProvider(id_generator=Single(), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    _gates.Source("default", None, lambda _r: provider.get_tracer("x"), None).open()
    assert SHIFT.on
    assert POT.on
    with kiln.shift(), kiln.pot(potter="ann"):
        pass
    pot, shift = exporter.get_finished_spans()
    assert pot.context.trace_id == shift.context.trace_id == 7
    assert pot.parent is None
    assert [link.context.span_id for link in pot.links] == [shift.context.span_id]


@pytest.mark.behaviour("B118")
def test_what_counts_is_what_is_open_when_the_block_begins(probe):
    """A helper that is called before its scope, and entered inside it, carries the scope."""
    key = ContextVar("key", default="none")
    probe.start("all")

    @telewright.traced(kiln.heat)
    def serve():
        return key.get()

    span = kiln.write()
    with kiln.round_(3):
        token = key.set("r-1")
        assert serve() == "r-1"
        with span:
            pass
        key.reset(token)
    assert {one.name: one.attributes for one in probe.spans} == {
        "kiln.heat": {"kiln.round": 3},
        "kiln.write": {"kiln.round": 3},
    }


@pytest.mark.behaviour("B034")
def test_a_scope_around_a_request_holds_for_its_retries_and_no_longer(probe):
    """Each attempt says the same, and the request after it says nothing of it."""
    probe.start("all")

    async def attempts():
        sent = []
        with kiln.round_(5), kiln.heat():
            for _ in range(3):
                sent.append(telewright.inject({}, "http://localhost/run"))
                await asyncio.sleep(0)
        return [*sent, telewright.inject({}, "http://localhost/next")]

    *retries, after = asyncio.run(attempts())
    assert [headers["baggage"] for headers in retries] == ["kiln.round=5"] * 3
    assert len({headers["traceparent"] for headers in retries}) == 1
    assert after == {}


@pytest.mark.behaviour("B115")
def test_a_constructor_that_is_brought_nothing_opens_roots(receiver):
    """It joins the others by the run alone, until it is handed where its caller is."""

    @telewright.ray.carried
    class Potter:
        def __init__(self, name):
            with kiln.pot(potter=name):
                pass

    with telewright.start("all", run_id="r-2", metrics=False, strict=True):
        Potter("ann")
        with kiln.heat():
            keywords = telewright.ray.keywords()
        Potter("bob", **keywords)
    parents = [span.parent_span_id for span in receiver.spans if span.name == "kiln.pot"]
    assert parents == [b"", receiver.span("kiln.heat").span_id]
    assert receiver.resource["nemo.run.id"] == "r-2"
