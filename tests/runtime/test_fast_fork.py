"""The fast tier in forked children: nothing of the parent's, and ids of their own."""

from __future__ import annotations

import os

import pytest
from opentelemetry import trace

import telewright
from telewright._fast_span import FastSpan
from telewright._fast_tracer import FastTracer
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import FaultCode, Stage
from tests.runtime.test_fork import in_child

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def test_children_draw_ids_of_their_own(receiver):
    """Six children that are forked with ids drawn in advance make sixty spans with sixty ids."""
    with telewright.start("all", fast=True):
        with kiln.heat():
            pass

        def work():
            for _ in range(10):
                with kiln.write():
                    assert type(trace.get_current_span()) is FastSpan
            assert isinstance(groups.FIRING.tracer, FastTracer)
            assert telewright.stop()

        for _ in range(6):
            in_child(work)
    spans = [span for span in receiver.spans if span.name == "kiln.write"]
    assert len({span.span_id for span in spans}) == len({span.trace_id for span in spans}) == 60


def test_a_span_that_is_open_at_the_fork_is_the_parent_s(receiver):
    """The child's spans are below it, and what the child writes on it goes nowhere."""
    with telewright.start("all", fast=True):
        with kiln.fire(Stage.COOL, batch="b", kind="k") as span:
            above = trace.get_current_span()

            def work():
                span.set(shelves=99)
                above.end()
                with kiln.heat():
                    pass
                assert telewright.stop()
                assert telewright.stats().made == 1

            in_child(work)
        assert telewright.flush()
        assert telewright.stats().made == 1
    fire, heat = receiver.span("kiln.fire.cool"), receiver.span("kiln.heat")
    assert heat.parent_span_id == fire.span_id
    assert "kiln.shelves" not in values(fire.attributes)


def test_what_is_bound_begins_at_zero_in_a_child(receiver):
    """No cell is inherited: the child exports what it counted, and the parent what it did."""
    timeouts = kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT})
    with telewright.start("all", fast=True):
        timeouts.add(5)

        def work():
            timeouts.add(1)
            kiln.faults.add(1, code=FaultCode.TIMEOUT)
            assert telewright.stop()

        in_child(work)
        timeouts.add(2)
    counted = [
        point.as_int
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == "kiln.faults_total"
        for point in metric.sum.data_points
    ]
    assert sorted(counted) == [2, 7]


def test_a_child_that_is_off_stays_off():
    """Without telemetry there is nothing to wake up."""
    timeouts = kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT})
    timeouts.add()
    child = os.fork()
    if not child:
        timeouts.add()
        os._exit(telewright.stats().points.made)
    assert os.waitpid(child, 0)[1] == 0
