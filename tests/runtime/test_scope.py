"""Scopes: attributes on every span inside, and how they get to tasks, threads and processes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from opentelemetry import baggage, context

import telewright
from telewright import _guard
from telewright.base import Span
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import Stage

ROOT = Path(__file__).resolve().parents[2]


def rounds(probe):
    """Return the scope of each span by name."""
    return {span.name: span.attributes.get("kiln.round") for span in probe.spans}


def fire(stage):
    """Open a span of which there are several names."""
    return kiln.fire(stage, batch="b", kind="k")


@pytest.mark.behaviour("B020", "B021")
def test_every_span_inside_carries_it(probe):
    """With nothing changed where the spans are opened."""
    probe.start("all")
    with kiln.round_(412) as scope, fire(Stage.GLAZE), kiln.heat():
        assert scope.live
    assert rounds(probe) == {"kiln.heat": 412, "kiln.fire.glaze": 412}


@pytest.mark.behaviour("B022", "B028")
def test_inner_scopes_win_and_leaving_restores(probe):
    """Key by key, a zero as well, and on the way of an exception too."""
    probe.start("all")
    before = context.get_current()
    with kiln.round_(7), kiln.site("south"):
        with pytest.raises(ValueError, match="x"), kiln.round_(0):
            with kiln.write():
                pass
            raise ValueError("x")
        with kiln.heat():
            pass
    assert context.get_current() is before
    assert rounds(probe) == {"kiln.write": 0, "kiln.heat": 7}
    assert probe.span("kiln.write").attributes["kiln.site"] == "south"


@pytest.mark.behaviour("B023")
def test_what_a_span_says_itself_wins(probe):
    """At the start, and when set later."""
    probe.start("all")
    with kiln.round_(5):
        with Span(groups.FIRING, "own", {"kiln.round": 0}):
            pass
        with kiln.write() as span:
            span._set("kiln.round", 1)
    assert rounds(probe) == {"own": 0, "kiln.write": 1}


@pytest.mark.behaviour("B024")
def test_it_changes_nothing_that_exists(probe):
    """No span is made, none that is open is changed, and no metric has it."""
    probe.start("all")
    with kiln.heat(), kiln.round_(3):
        kiln.faults.add(code="timeout")
    assert rounds(probe) == {"kiln.heat": None}
    assert list(probe.points("kiln.faults_total")) == [("timeout",)]


@pytest.mark.behaviour("B025", "B026")
def test_it_follows_tasks_and_carried_threads_but_not_bare_ones(probe):
    """Asyncio copies the context, `carry` does, and a thread of one's own does not."""
    probe.start("all")

    def work(stage):
        with fire(stage):
            pass

    async def main():
        await asyncio.gather(asyncio.sleep(0), asyncio.to_thread(work, Stage.GLAZE))

    with kiln.round_(5):
        asyncio.run(main())
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(telewright.carry(work), [Stage.COOL] * 20))
        thread = threading.Thread(target=work, args=(Stage.BISQUE,))
        thread.start()
        thread.join()
    assert rounds(probe) == {"kiln.fire.glaze": 5, "kiln.fire.cool": 5, "kiln.fire.bisque": None}


def test_a_carried_function_may_run_on_several_threads_at_once(probe):
    """Each run gets a copy of the context, so that none has to wait for another."""
    probe.start("all")
    barrier = threading.Barrier(3)

    def work(stage):
        barrier.wait(5)
        with fire(stage):
            barrier.wait(5)

    with kiln.round_(6), ThreadPoolExecutor(3) as pool:
        list(pool.map(telewright.carry(work), list(Stage)))
    assert set(rounds(probe).values()) == {6}
    assert len(probe.spans) == 3


@pytest.mark.behaviour("B029", "B110")
def test_a_thread_that_finishes_later_carries_the_round_that_began(probe):
    """The carrier decides, not the round that the loop has moved on to."""
    probe.start("all")
    release = threading.Event()

    def finish(carrier):
        release.wait()
        with telewright.within(carrier), kiln.write():
            pass

    with kiln.round_(12), kiln.heat():
        thread = threading.Thread(target=finish, args=(telewright.carrier(),))
        thread.start()
    with kiln.round_(13):
        release.set()
        thread.join()
    span = probe.span("kiln.write")
    assert span.attributes == {"kiln.round": 12}
    assert span.parent_id == probe.span("kiln.heat").span_id


@pytest.mark.behaviour("B020")
def test_a_linked_root_keeps_the_scope(probe):
    """A trace of its own is still inside the block."""
    probe.start("all")
    with kiln.round_(2), kiln.shift(), kiln.pot(potter="ann"):
        pass
    assert rounds(probe) == {"kiln.pot": 2, "kiln.shift": 2}


@pytest.mark.behaviour("B020")
def test_spans_of_others_carry_it_too(sdk_probe):
    """Every span started through the provider, also one with an explicit context."""
    sdk_probe.start("all")
    other = sdk_probe.tracer("other")
    with kiln.round_(9):
        detached = context.get_current()
        with other.start_as_current_span("theirs"):
            other.start_span("own", attributes={"kiln.round": 1}).end()
    other.start_span("explicit", context=detached).end()
    assert rounds(sdk_probe) == {"theirs": 9, "own": 1, "explicit": 9}


@pytest.mark.behaviour("B132")
def test_a_bad_value_costs_its_attribute(probe):
    """The scope is there, without it."""
    probe.start("all")
    with kiln.site("south", note=object()), kiln.heat():
        pass
    assert probe.span("kiln.heat").attributes == {"kiln.site": "south"}


@pytest.mark.behaviour("B027", "B102")
def test_carriers_take_declared_keys_and_spare_the_caller(probe):
    """Of the baggage only what the specs carry leaves; the rest of a scope stays."""
    probe.start("all")
    token = context.attach(baggage.set_baggage("secret", "s"))
    with kiln.round_(3), kiln.site("south"):
        carrier = telewright.carrier()
    context.detach(token)
    assert carrier == {"baggage": "kiln.round=3"}


@pytest.mark.behaviour("B132")
@pytest.mark.parametrize(
    "text", ["kiln.round=oops", "kiln.round=1_0", f"kiln.round={2**70}", "kiln.round=" + "1" * 300]
)
def test_what_strangers_write_costs_the_attribute(probe, text):
    """Length and type are checked on arrival; baggage nobody declares is dropped."""
    probe.start("all")
    with telewright.within({"baggage": f"{text},other=1,kiln.site=x"}), kiln.heat():
        pass
    assert probe.span("kiln.heat").attributes == {}


@pytest.mark.behaviour("B111")
def test_an_empty_carrier_changes_nothing(probe):
    """It is what `carrier` returns when there is nothing to continue."""
    probe.start("all")
    assert telewright.carrier() == {}
    with kiln.round_(1), kiln.heat():
        before = context.get_current()
        with telewright.within({}), kiln.write():
            pass
        with telewright.within(None):
            assert context.get_current() is before
    assert rounds(probe) == {"kiln.write": 1, "kiln.heat": 1}
    assert probe.span("kiln.write").parent == "kiln.heat"
    assert not _guard.FAILURES


@pytest.mark.behaviour("B113")
@pytest.mark.parametrize(
    "headers",
    [
        {"Traceparent": "00-{0}-{1}-01", "BAGGAGE": "kiln.round=4"},
        [(b"traceparent", b"00-{0}-{1}-01"), (b"baggage", b"a=b"), (b"baggage", b"kiln.round=4")],
    ],
)
def test_headers_of_every_shape_are_understood(probe, headers):
    """Any spelling, bytes and pairs as ASGI has them; repeated baggage is one."""
    ids = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    if isinstance(headers, dict):
        headers = {key: value.format(*ids) for key, value in headers.items()}
    else:
        headers = [(key, value.decode().format(*ids).encode()) for key, value in headers]
    probe.start("all")
    with telewright.extract(headers), kiln.heat():
        pass
    span = probe.span("kiln.heat")
    assert (span.trace_id, span.parent_id) == ids
    assert span.attributes == {"kiln.round": 4}


@pytest.mark.behaviour("B132")
@pytest.mark.parametrize("headers", [3, [1], {"traceparent": object()}, {"baggage": 3}, "text"])
def test_no_carrier_is_too_odd(probe, headers):
    """Whatever arrives, the block runs."""
    probe.start("all")
    with telewright.within(headers), kiln.heat():
        pass
    assert probe.span("kiln.heat").parent_id is None


@pytest.mark.behaviour("B102")
def test_headers_of_the_caller_are_copied(probe):
    """`inject` returns new headers, and leaves those it was given."""
    probe.start("all")
    mine = {"accept": "text"}
    with kiln.round_(4), kiln.heat():
        sent = telewright.inject(mine)
    assert mine == {"accept": "text"}
    assert sorted(sent) == ["accept", "baggage", "traceparent"]
    assert telewright.inject(None) == {}


@pytest.mark.parametrize(
    ("url", "goes"),
    [
        ("http://localhost:8000/run", True),
        ("http://10.1.2.3/run", True),
        ("http://agent-7:8000/run", True),
        ("http://api.svc.cluster.local/run", True),
        ("https://api.example.com/run", False),
        ("https://8.8.8.8/run", False),
        ("nonsense", False),
        ("http://134744072/run", False),
        ("http://0x08080808/run", False),
        ("http://8.8/run", False),
        ("http://2130706433/run", False),
        ("http://agent-7./run", True),
        ("http://api.example.com./run", False),
        ("http://api.example.com\\@agent-7/run", False),
    ],
)
def test_scopes_go_to_hosts_of_ones_own_alone(probe, url, goes):
    """Another's host learns the trace, and neither baggage nor scope."""
    probe.start("all")
    with kiln.round_(4), kiln.heat():
        sent = telewright.inject({}, url)
    assert ("baggage" in sent) is goes
    assert "traceparent" in sent


@pytest.mark.behaviour("B027")
def test_it_reaches_a_process_that_imports_other_registries(probe):
    """A receiver knows every registry's carried keys without importing it."""
    probe.start("all")
    code = """
        import sys, json
        from tests.runtime.sample import depot
        import tests.runtime.sample
        from telewright.testing import captured
        import telewright
        with captured() as got, telewright.within(json.loads(sys.argv[1])), depot.store():
            pass
        span = got.span("depot.store")
        assert "tests.runtime.sample.kiln" not in sys.modules
        print(span.attributes["kiln.round"], span.trace_id)
    """
    with kiln.round_(412), kiln.heat():
        carrier = telewright.carrier()
    import json

    run = [sys.executable, "-c", textwrap.dedent(code), json.dumps(carrier)]
    said = subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert said == ["412", probe.span("kiln.heat").trace_id]
    assert not _guard.FAILURES
