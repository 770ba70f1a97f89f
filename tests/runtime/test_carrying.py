"""Limits of what goes to other processes and of what is taken from them."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from opentelemetry import context

import telewright
from telewright import _guard
from telewright._span import PROPAGATED, Scope
from tests.runtime.sample import kiln


@pytest.fixture
def note(monkeypatch, probe):
    """Have one more key carried, a text, and record spans."""
    monkeypatch.setitem(PROPAGATED, "kiln.note", str)
    probe.start("all")
    return probe


@pytest.mark.usefixtures("note")
@pytest.mark.parametrize(("length", "goes"), [(256, True), (257, False)])
def test_a_text_has_a_length_up_to_which_it_is_sent(length, goes):
    """What is longer stays here, and is counted; the rest of the scope goes along."""
    with Scope({"kiln.note": "x" * length, "kiln.round": 3}):
        sent = telewright.carrier()["baggage"]
    assert ("kiln.note=" + "x" * length in sent) is goes
    assert "kiln.round=3" in sent
    assert _guard.VALUES.get("too_long_to_carry", 0) == (0 if goes else 1)


@pytest.mark.parametrize(("length", "taken"), [(256, True), (257, False)])
def test_a_text_has_a_length_up_to_which_it_is_taken(note, length, taken):
    """What strangers write beyond it is dropped and counted."""
    baggage = f"kiln.note={'y' * length},kiln.round=3"
    with telewright.within({"baggage": baggage}), kiln.heat():
        pass
    found = note.span("kiln.heat").attributes
    assert found.get("kiln.note") == ("y" * length if taken else None)
    assert found["kiln.round"] == 3
    assert _guard.VALUES.get("too_long_to_carry", 0) == (0 if taken else 1)


@pytest.mark.parametrize(("length", "read"), [(8192, True), (8193, False)])
def test_a_header_has_a_length_up_to_which_it_is_read(note, length, read):
    """A whole header that is longer than the W3C has it says nothing."""
    said = "kiln.round=4,other="
    header = said + "z" * (length - len(said))
    with telewright.within({"baggage": header}), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == ({"kiln.round": 4} if read else {})
    assert not _guard.FAILURES


@pytest.mark.usefixtures("note")
def test_nothing_is_carried_where_nothing_is_open():
    """No header is there to say that nothing is."""
    assert telewright.carrier() == {}
    with Scope({"kiln.site": "south"}):
        assert telewright.carrier() == {}
    assert not _guard.FAILURES


def test_a_scope_that_arrives_joins_what_is_open(note):
    """Keys that the sender did not have stay; those that it has are the sender's."""
    arriving = {"baggage": "kiln.round=9"}
    with Scope({"kiln.site": "south", "kiln.round": 1}), telewright.within(arriving), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == {"kiln.site": "south", "kiln.round": 9}


def test_what_nobody_declares_is_passed_over_in_silence(note):
    """Baggage of others is theirs: it is not taken, not counted, and no failure."""
    with telewright.within({"baggage": "kiln.round=4,other=1,broken"}), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == {"kiln.round": 4}
    assert not _guard.FAILURES
    assert not _guard.VALUES


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("kiln.round=5;ttl=1;other", 5),
        (" kiln.round = 5 ;ttl=1 , other=2", 5),
        ("kiln.round=%35", 5),
        (",,kiln.round=5,", 5),
        ("kiln.round", None),
        ("kiln.round=", None),
        ("kiln.round=\uff15", None),
        ("kiln.round=5=6", None),
    ],
)
def test_baggage_is_read_as_the_w3c_has_it(note, caplog, header, taken):
    """Properties are passed over; what is not well-formed costs itself, and no line of others'."""
    with telewright.within({"baggage": header}), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes.get("kiln.round") == taken
    assert not [one for one in caplog.records if one.name.startswith("opentelemetry")]


@pytest.mark.behaviour("B132")
@pytest.mark.usefixtures("note")
def test_a_text_that_has_no_encoding_costs_its_character():
    """Half of a surrogate pair keeps nothing else from going along."""
    with Scope({"kiln.note": "a\ud800b", "kiln.round": 3}):
        assert telewright.carrier() == {"baggage": "kiln.note=a%3Fb,kiln.round=3"}
    assert not _guard.FAILURES


@pytest.mark.behaviour("B132")
def test_what_a_receiver_would_not_read_is_left_out(note, monkeypatch, caplog):
    """One header holds what it may; what does not fit is counted, and the rest arrives."""
    many = {f"kiln.note{number}": "\U0001f525" * 256 for number in range(4)}
    for key in many:
        monkeypatch.setitem(PROPAGATED, key, str)
    with Scope({**many, "kiln.round": 3}):
        sent = telewright.carrier()
    assert len(sent["baggage"]) <= 8192
    assert _guard.VALUES["too_long_to_carry"] == 2
    with telewright.within(sent), kiln.heat():
        pass
    assert sent["baggage"].count("kiln.note") == 2
    assert note.span("kiln.heat").attributes["kiln.round"] == 3
    assert "exceeded" not in caplog.text


@pytest.mark.behaviour("B102")
def test_headers_of_an_earlier_call_are_replaced(probe):
    """However they are spelled; what of the baggage is not ours stays, wherever it goes."""
    probe.start("all")
    first = {"Traceparent": "old", "TraceState": "a=b", "Baggage": "user=ann,kiln.round=1"}
    with kiln.round_(5), kiln.heat():
        sent = telewright.inject(first, "http://agent/")
        again = telewright.inject(sent, "https://elsewhere.example.com/")
        theirs = telewright.inject({"Baggage": "user=ann"}, "https://elsewhere.example.com/")
    assert sorted(sent) == ["baggage", "traceparent"]
    assert sent["baggage"] == "kiln.round=5,user=ann"
    assert again == {"traceparent": sent["traceparent"], "baggage": "user=ann"}
    assert theirs == {"traceparent": sent["traceparent"], "Baggage": "user=ann"}
    assert telewright.inject(first, "http://agent/") == first  # nothing is open: it is handed on
    elsewhere = telewright.inject(first, "https://elsewhere.example.com/")
    assert elsewhere == {"Traceparent": "old", "TraceState": "a=b", "baggage": "user=ann"}
    assert first["Traceparent"] == "old"


@pytest.mark.behaviour("B102")
@pytest.mark.parametrize(("over", "goes"), [(0, True), (1, False)])
def test_the_callers_baggage_and_ours_are_no_more_than_is_read(probe, over, goes):
    """Ours comes first, whatever the caller has; a member that has no room costs itself."""
    probe.start("all")
    rest = ["user=ann", "name=\xe9va", "kiln.round=5"]
    large = "large=".ljust(8192 + over - len(",".join(rest).encode()) - 1, "x")
    with kiln.round_(5):
        sent = telewright.inject({"baggage": ",".join([*rest[:2], large, "x" * 9_000])})
    assert sent["baggage"].split(",") == [rest[2], *rest[:2], *([large] if goes else [])]
    assert _guard.VALUES.get("too_long_to_carry", 0) == (1 if goes else 2)
    with telewright.within([("baggage", sent["baggage"].encode())]), kiln.heat():
        pass
    assert probe.span("kiln.heat").attributes["kiln.round"] == 5


def test_what_only_the_caller_sends_has_any_length(probe):
    """Where nothing of ours goes along, a header is not shortened."""
    probe.start("all")
    theirs = {"baggage": "kiln.round=1," + "x=" * 8192}
    assert telewright.inject(theirs) == theirs
    with kiln.round_(5):
        sent = telewright.inject(theirs, "https://elsewhere.example.com/")
    assert sent == {"baggage": "x=" * 8192}


def test_repeated_headers_are_read_as_far_as_one_would_be(probe):
    """However many there are and however long, they are one list of that length."""
    probe.start("all")
    many = [("baggage", f"other{number}=" + "x" * 8000) for number in range(2_000)]
    for headers in ([("baggage", "kiln.round=4"), *many], [many[0], ("baggage", "kiln.round=4")]):
        with telewright.within(headers), kiln.heat():
            pass
    with telewright.within([*many[:1], ("baggage", "x" * 190 + ",kiln.round=4")]), kiln.write():
        pass
    heats = [span for span in probe.spans if span.name == "kiln.heat"]
    assert [span.attributes for span in heats] == [{"kiln.round": 4}] * 2
    assert probe.span("kiln.write").attributes == {}


def test_a_list_in_several_headers_is_one(probe):
    """As HTTP has it: baggage and trace state are joined, a parent is one."""
    probe.start("all")
    parent = f"00-{'1' * 32}-{'2' * 16}-01"
    headers = [("traceparent", parent), ("tracestate", "a=1"), ("tracestate", "b=2")]
    with telewright.within(headers):
        assert telewright.carrier() == {"traceparent": parent, "tracestate": "a=1,b=2"}


async def wait(seen):
    """Open a span, wait, and open another."""
    with kiln.heat():
        await asyncio.sleep(0)
    with kiln.write():
        seen.append(1)
    return "waited"


def step(seen):
    """Open a span at each step, and one around all."""
    with kiln.heat():
        got = yield 1
    try:
        yield got
    except KeyError:
        with kiln.write():
            seen.append(1)
    return "stepped"


async def stream(seen):
    """Do so, and wait."""
    with kiln.heat():
        await asyncio.sleep(0)
        yield 1
    with kiln.write():
        seen.append(1)


async def use_wait(function, seen):
    """Await it in a task."""
    assert await asyncio.create_task(function(seen)) == "waited"


async def use_step(function, seen):
    """Send, throw, and have what it returns."""
    body = function(seen)
    assert (next(body), body.send("got")) == (1, "got")
    with pytest.raises(StopIteration, match="stepped"):
        body.throw(KeyError())


async def use_stream(function, seen):
    """Iterate."""
    assert [item async for item in function(seen)] == [1]


@pytest.mark.behaviour("B025", "B108")
@pytest.mark.parametrize(
    ("function", "use"), [(wait, use_wait), (step, use_step), (stream, use_stream)]
)
def test_what_runs_in_steps_is_carried_too(probe, function, use):
    """A coroutine or a generator runs where it was carried from, and its consumer where it is."""
    probe.start("all")
    seen = []
    with kiln.shift(), kiln.round_(7):
        carried = telewright.carry(function)

    async def main():
        with kiln.letter(address="elsewhere"):
            before = context.get_current()
            await use(carried, seen)
            assert context.get_current() is before

    asyncio.run(main())
    assert seen == [1]
    for name in ("kiln.heat", "kiln.write"):
        span = probe.span(name)
        assert (span.parent, span.attributes["kiln.round"]) == ("kiln.shift", 7)


@pytest.mark.behaviour("B109")
@pytest.mark.parametrize("function", [step, stream])
def test_what_is_carried_and_dropped_is_closed_where_it_ran(probe, function):
    """Its spans end, and nobody's context is touched."""
    probe.start("all")
    with kiln.shift():
        carried = telewright.carry(function)

    async def main():
        body = carried([])
        await anext(body) if function is stream else next(body)
        before = context.get_current()
        await body.aclose() if function is stream else body.close()
        assert context.get_current() is before

    asyncio.run(main())
    assert probe.span("kiln.heat").parent == "kiln.shift"


@pytest.mark.behaviour("B108")
def test_a_carried_coroutine_function_is_one(probe):
    """Whoever asks how to call it is told, and a pool that cannot wait returns the coroutine."""
    probe.start("all")
    carried = telewright.carry(wait)
    assert inspect.iscoroutinefunction(type(carried).__call__)
    if sys.version_info >= (3, 12):
        assert inspect.iscoroutinefunction(carried)
        assert asyncio.iscoroutinefunction(carried)
    with kiln.shift(), ThreadPoolExecutor(1) as pool:
        future = telewright.carrying(pool).submit(wait, [])
    assert asyncio.run(future.result()) == "waited"
    assert probe.span("kiln.heat").parent == "kiln.shift"
    arrived = pickle.loads(pickle.dumps(carried))  # noqa: S301 - made here
    assert asyncio.run(arrived([])) == "waited"


def test_several_threads_run_one_carried_function_at_a_time(probe):
    """Each in a copy of the context that it was carried from."""
    probe.start("all")
    together = threading.Barrier(2)

    def work(number):
        together.wait(30)
        with kiln.heat():
            return number

    with kiln.shift():
        carried = telewright.carry(work)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(carried, range(2))) == [0, 1]
    assert [span.parent for span in probe.spans if span.name == "kiln.heat"] == ["kiln.shift"] * 2


def test_a_carried_function_is_called_what_it_was(probe):
    """Its name, its signature and what else it has are there for whoever asks."""
    probe.start("all")

    def work(first, *, second=2):
        return first + second

    work.retries = 3
    carried = telewright.carry(work)
    assert (carried.__name__, carried.__qualname__, carried.retries) == (
        "work",
        work.__qualname__,
        3,
    )
    assert inspect.signature(carried) == inspect.signature(work)
    assert "(work)" in threading.Thread(target=carried).name
    assert not hasattr(carried, "nothing")
    assert carried(1) == 3


def test_a_background_task_of_starlette_is_awaited(probe):
    """Starlette calls what is no coroutine function on a thread, where nothing awaits."""
    starlette = pytest.importorskip("starlette.background")
    probe.start("all")
    seen = []
    with kiln.shift():
        task = starlette.BackgroundTask(telewright.carry(wait), seen)
    asyncio.run(task())
    assert seen == [1]
