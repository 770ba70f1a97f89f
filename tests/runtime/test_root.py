"""Who owns a trace, and spans that begin a new one linked to it (behaviours B001 to B017)."""

from __future__ import annotations

import asyncio
import threading

import pytest
from opentelemetry import context, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

import telewright
from telewright.base import LinkedRoot, Owner
from tests.runtime.sample import kiln
from tests.runtime.sample.groups import SHIFT
from tests.runtime.sample.kiln import PotOutcome

REMOTE = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}


def pot(key="1-0"):
    """Open a span that may begin a linked trace."""
    return kiln.pot(potter="ann", pot_id=key)


def pots(probe):
    """Return those that have ended."""
    return [span for span in probe.spans if span.name == "kiln.pot"]


@pytest.mark.behaviour("B001", "B002", "B003")
def test_alone_each_pot_is_a_root_linked_to_the_shift(probe):
    """No parent, one link; as many traces as pots, and one of the shift alone."""
    probe.start()
    with kiln.shift():
        for key in ("1-0", "1-1"):
            with pot(key) as span:
                span.set(outcome=PotOutcome.SOLD)
    shift = probe.span("kiln.shift")
    assert shift.parent_id is None
    for span in pots(probe):
        assert (span.parent_id, span.kind) == (None, "client")
        (link,) = span.links
        assert (link.trace_id, link.span_id) == (shift.trace_id, shift.span_id)
        assert span.attributes["kiln.pot.outcome"] == "sold"
    assert len({span.trace_id for span in probe.spans}) == 3


@pytest.mark.behaviour("B001")
@pytest.mark.parametrize(("name", "linked"), [("kiln.shift.day", True), ("kiln.shift", False)])
def test_an_owner_may_have_one_of_many_names(probe, name, linked):
    """Where its name is a pattern, a span begins a trace under each that it can have."""

    class Shard(LinkedRoot):
        linked_to = ("kiln.shift.day", "kiln.shift.night")

    probe.start()
    with Owner(SHIFT, name, {}), Shard(SHIFT, "kiln.shard", {}):
        pass
    assert len(probe.span("kiln.shard").links) == linked
    assert (probe.span("kiln.shard").parent_id is None) is linked


@pytest.mark.behaviour("B005", "B006", "B012")
@pytest.mark.parametrize("groups", ["default", "kiln.pot"])
def test_under_an_embedder_it_nests(probe, groups):
    """Somebody else's span above, a root or not, is the parent."""
    probe.start(groups)
    with probe.tracer("embedder").start_as_current_span("theirs") as theirs, kiln.shift():
        parent = trace.get_current_span().get_span_context().span_id
        with pot():
            pass
    (span,) = pots(probe)
    assert not span.links
    assert span.trace_id == trace.format_trace_id(theirs.get_span_context().trace_id)
    assert span.parent_id == trace.format_span_id(parent)


@pytest.mark.behaviour("B007")
def test_under_a_remote_parent_it_nests(probe):
    """A span of another process that is current is no owner."""
    probe.start("kiln.pot")
    with telewright.within(REMOTE), pot():
        pass
    (span,) = pots(probe)
    assert not span.links
    assert (span.trace_id, span.parent_id) == tuple(REMOTE["traceparent"].split("-")[1:3])


@pytest.mark.behaviour("B007")
def test_a_shift_under_a_remote_parent_owns_nothing(probe):
    """An owner with a valid span above, however far away, does not own its trace."""
    probe.start()
    with telewright.within(REMOTE), kiln.shift(), pot():
        pass
    (span,) = pots(probe)
    assert not span.links
    assert span.parent == "kiln.shift"


@pytest.mark.behaviour("B008")
def test_under_a_child_of_the_shift_it_nests(probe):
    """Only while the owner itself is current does a pot begin a trace."""
    probe.start()
    with kiln.shift(), probe.tracer("x").start_as_current_span("child"), pot():
        pass
    (span,) = pots(probe)
    assert not span.links
    assert span.parent == "child"


@pytest.mark.behaviour("B009", "B017")
def test_with_nothing_current_it_is_a_root_without_a_link(probe):
    """Without the shift's span there is nothing to link to, and nothing fails."""
    probe.start("kiln.pot")
    with kiln.shift(), pot():
        pass
    (span,) = pots(probe)
    assert span.parent_id is None
    assert not span.links


@pytest.mark.behaviour("B008")
def test_a_pot_inside_a_pot_nests(probe):
    """A linked root is no owner."""
    probe.start()
    with kiln.shift(), pot("a"), pot("b"):
        pass
    inner, outer = pots(probe)
    assert inner.parent_id == outer.span_id
    assert not inner.links


@pytest.mark.behaviour("B011")
@pytest.mark.parametrize(
    "error", [None, ValueError(), asyncio.CancelledError(), KeyboardInterrupt()]
)
def test_ownership_ends_with_the_block(probe, error):
    """Returned, raised or cancelled, the shift owns nothing afterwards."""
    probe.start()
    before = context.get_current()
    try:
        with kiln.shift():
            if error:
                raise error
    except BaseException as caught:
        assert caught is error
    assert context.get_current() is before
    with pot():
        pass
    (span,) = pots(probe)
    assert span.parent_id is None
    assert not span.links


@pytest.mark.behaviour("B013")
def test_a_pot_that_raises_restores_the_shift(probe):
    """The span ends, the context is as before, and the error goes on."""
    probe.start()
    with kiln.shift():
        current = trace.get_current_span()
        with pytest.raises(ValueError, match="boom"), pot():
            raise ValueError("boom")
        assert trace.get_current_span() is current
    (span,) = pots(probe)
    assert span.description == "ValueError"


@pytest.mark.behaviour("B014")
def test_concurrent_pots_never_see_each_other(probe):
    """No span under one pot carries another's id, and a cancelled one ends too."""
    probe.start()

    async def one(key):
        with pot(key):
            await asyncio.sleep(0.001 * (hash(key) % 3))
            with probe.tracer("x").start_as_current_span("below", attributes={"key": key}):
                await asyncio.sleep(0)

    async def cancelled():
        with pot("cancelled"):
            await asyncio.sleep(10)

    async def main():
        with kiln.shift():
            await asyncio.gather(*(one(f"{number}-0") for number in range(50)))
            task = asyncio.create_task(cancelled())
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    keys = {span.trace_id: span.attributes["kiln.pot.id"] for span in pots(probe)}
    assert len(keys) == 51
    assert all(len(span.links) == 1 for span in pots(probe))
    below = [span for span in probe.spans if span.name == "below"]
    assert len(below) == 50
    assert all(keys[span.trace_id] == span.attributes["key"] for span in below)


@pytest.mark.behaviour("B010", "B014")
def test_two_shifts_at_once_each_own_their_own(probe):
    """The owner is compared, not merely present."""
    probe.start()
    barrier = threading.Barrier(2)

    def run(key):
        def inside():
            with pot(key):
                pass

        with kiln.shift():
            barrier.wait()
            telewright.carry(inside)()
            barrier.wait()

    threads = [threading.Thread(target=run, args=(key,)) for key in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({span.links[0].span_id for span in pots(probe)}) == 2


@pytest.mark.behaviour("B015")
def test_the_link_is_there_when_the_shift_is_not_sampled(sdk_probe):
    """Sampling is decided for each root; a pot that is kept says where it belongs."""
    sdk_probe.start()
    SHIFT.tracer = TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False).get_tracer("x")
    with kiln.shift() as shift, pot():
        assert not shift.on
    (span,) = pots(sdk_probe)
    assert len(span.links) == 1
    assert span.parent_id is None


@pytest.mark.behaviour("B004")
def test_the_carrier_of_a_pot_names_its_own_trace(probe):
    """What is sent names the pot's trace, so that the receiver joins it."""
    probe.start()
    with kiln.shift(), pot():
        carrier = telewright.carrier()
    (span,) = pots(probe)
    assert carrier["traceparent"].split("-")[1:3] == [span.trace_id, span.span_id]


@pytest.mark.behaviour("B016")
def test_a_span_may_always_be_a_root(probe):
    """`root: always` begins a trace whatever is current, without a link."""
    probe.start()
    with kiln.shift(), kiln.inspection():
        pass
    span = probe.span("kiln.inspection")
    assert span.parent_id is None
    assert not span.links
    assert span.trace_id != probe.span("kiln.shift").trace_id


def test_a_linked_root_may_have_an_outcome_and_a_duration(probe):
    """Kinds of spans are mixed without conflict: a linked root with an outcome and a duration."""
    probe.start()
    with kiln.shift(), kiln.sale():
        pass
    span = probe.span("kiln.sale")
    assert len(span.links) == 1
    assert span.attributes == {"kiln.pot.outcome": "sold"}
    assert probe.counts("kiln.firing_ms") == {("cool", "sold"): 1}
