"""Spans that are linked to others by whoever opens them."""

from __future__ import annotations

import contextvars

import pytest

import telewright
from telewright import _guard
from tests.golden.everything.expected import order
from tests.golden.everything.expected.order import Step
from tests.runtime.sample import kiln


def glance(links):
    """Open a span whose spec has `links`, and close it."""
    with order.glance(Step.PICK, links=links):
        pass


def links(probe):
    """Return the ids that it is linked to."""
    (span,) = [span for span in probe.spans if span.name.startswith("shop.order.")]
    return [(link.trace_id, link.span_id) for link in span.links]


def test_a_worker_is_linked_to_what_asked_for_its_work(probe):
    """A span that is open, one that has ended, somebody else's, and a carrier: in this order."""
    probe.start("all")
    with kiln.heat() as ended:
        pass
    theirs = probe.tracer("theirs").start_span("theirs")
    with kiln.write() as open_, telewright.detached():
        carrier = {"Traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
        glance([open_, ended, theirs, carrier, open_, {}])
    theirs.end()
    found = [
        (probe.span(name).trace_id, probe.span(name).span_id)
        for name in ("kiln.write", "kiln.heat", "theirs")
    ]
    remote = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
    assert links(probe) == [*found, remote]


def test_one_may_be_given_by_itself(probe):
    """A span, or the carrier of what is current; without any there is no link."""
    probe.start("all")
    with kiln.write():
        glance(telewright.carrier())
    assert links(probe) == [(probe.span("kiln.write").trace_id, probe.span("kiln.write").span_id)]


@pytest.mark.parametrize("nothing", [None, [], {}, [None]])
def test_nothing_is_no_link(nothing, probe):
    """Nothing given, an empty carrier: no link, and nothing is lost."""
    probe.start("all")
    glance(nothing)
    assert not links(probe)
    assert not _guard.VALUES


def test_a_span_that_is_off_is_no_link(probe):
    """What keeps nothing is linked to by nobody."""
    probe.start("shop")
    probe.start("shop.packing")
    with kiln.write() as off:
        glance([off, kiln.write()])
    assert not links(probe)


@pytest.mark.parametrize("bad", [1, "00-0af7", object(), {1: 2}])
def test_what_is_no_span_costs_the_link(bad, probe):
    """One bad item costs one item, and is counted."""
    probe.start("all")
    with kiln.heat() as span:
        glance([bad, span])
    assert len(links(probe)) == 1
    assert _guard.VALUES["no_link"] == 1


def test_a_span_that_never_began_costs_the_link(probe):
    """A span that was made and not opened has nothing to be linked to."""
    probe.start("all")
    glance([kiln.heat()])
    assert not links(probe)
    assert _guard.VALUES["no_link"] == 1


def test_links_are_exported(receiver):
    """Whoever receives the span sees them, on a trace of its own."""
    telewright.start("all", metrics=False)
    with kiln.write(), telewright.detached():
        glance(None)
    with kiln.heat() as asked:
        glance(asked)
    telewright.stop()
    first, second = [span for span in receiver.spans if span.name == "shop.order.pick"]
    assert not first.links
    assert first.parent_span_id == b""
    (link,) = second.links
    assert link.span_id == receiver.span("kiln.heat").span_id


def test_a_span_that_ended_elsewhere_is_linked_to_all_the_same(probe):
    """It is itself for whoever has it, whatever is current where its block was."""
    probe.start("all")
    held = []

    def body():
        with kiln.heat() as span:
            held.append(span)
            yield

    with kiln.write():
        one = body()
        next(one)
        contextvars.Context().run(one.close)
    glance(held)
    assert links(probe) == [(probe.span("kiln.heat").trace_id, probe.span("kiln.heat").span_id)]
