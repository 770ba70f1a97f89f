"""The decorator: functions, coroutines, generators; and blocks that hold a yield."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import inspect
import pickle

import pytest
from opentelemetry import context
from opentelemetry.trace import get_current_span

import telewright
from telewright import _guard
from tests.runtime.sample import kiln


def here():
    """Say whether a span that records is current."""
    return get_current_span().is_recording()


@telewright.traced(kiln.heat)
def plain(a, *, b=2):
    """Return what was given, and whether a span is current."""
    return a, b, here()


@telewright.traced(kiln.heat)
async def coroutine(a, *, b=2):
    """Do as `plain`, after a while."""
    await asyncio.sleep(0)
    return a, b, here()


@telewright.traced(kiln.heat)
def generator(count):
    """Yield, take what is sent and thrown, and return."""
    got = yield here()
    for number in range(count):
        try:
            got = yield number, got, here()
        except KeyError:
            got = "thrown"
    return "result"


@telewright.traced(kiln.heat)
async def stream(count):
    """Yield now and then."""
    for number in range(count):
        await asyncio.sleep(0)
        yield number, here()


@telewright.traced(kiln.heat)
def every(a, /, b=[1], *rest, c, d=2, **more):  # noqa: B006 - the default must be the same object
    """Have a parameter of every kind."""
    return a, b, rest, c, d, more


@pytest.mark.behaviour("B046", "B108")
@pytest.mark.parametrize("on", [False, True])
def test_all_four_kinds(probe, on):
    """Each kind stays what it is, on and off, and returns what it would."""
    probe.start("kiln.firing" if on else "default")
    assert plain(1) == (1, 2, on)
    assert inspect.iscoroutinefunction(coroutine)
    assert asyncio.run(coroutine(1)) == (1, 2, on)
    body = generator(2)
    assert next(body) is on
    assert not here()
    assert body.send("s") == (0, "s", on)
    assert body.throw(KeyError()) == (1, "thrown", on)
    with pytest.raises(StopIteration) as end:
        next(body)
    assert end.value.value == "result"

    async def consume():
        assert [item async for item in stream(2)] == [(0, on), (1, on)]
        assert not here()
        dropped = stream(5)
        await anext(dropped)
        await dropped.aclose()

    asyncio.run(consume())
    assert len(probe.spans) == (5 if on else 0)


@pytest.mark.behaviour("B063")
def test_signatures_and_pickles_do_not_change():
    """The wrapper has the function's own parameters, defaults and name."""
    assert str(inspect.signature(every)) == "(a, /, b=[1], *rest, c, d=2, **more)"
    assert pickle.loads(pickle.dumps(every)) is every  # noqa: S301 - made here
    assert every(1, c=3) == (1, [1], (), 3, 2, {})


def test_a_wrong_call_complains_in_the_functions_own_name():
    """A call that does not fit is the same TypeError as without the decorator."""
    with pytest.raises(TypeError, match=r"plain\(\) (got|missing)"):
        plain()


def test_methods_of_all_kinds(probe):
    """Static and class methods are decorated on either side of their own decorator."""

    class Oven:
        @staticmethod
        @telewright.traced(kiln.heat)
        def inner():
            return here()

        @telewright.traced(kiln.heat)
        @staticmethod
        def outer():
            return here()

        @telewright.traced(kiln.heat)
        @classmethod
        def of(cls):
            return cls is Oven and here()

        @telewright.traced(kiln.heat)
        def own(self):
            return here()

    probe.start("kiln.firing")
    assert Oven.inner()
    assert Oven.outer()
    assert Oven.of()
    assert Oven().own()


def test_what_cannot_be_traced_stays_as_it_is(probe):
    """A decorator that cannot help does no harm: the object is the same."""
    probe.start("kiln.firing")
    partial = functools.partial(plain, 1)
    for odd in (partial, len, 3, type("Callable", (), {"__call__": lambda _self: 1})()):
        assert telewright.traced(kiln.heat)(odd) is odd
    assert telewright.traced(kiln.pot)(plain) is plain


@pytest.mark.behaviour("B130")
def test_errors_of_a_generator_are_recorded(probe):
    """An exception that leaves a generator's body makes its span an error."""

    @telewright.traced(kiln.heat)
    def failing():
        yield 1
        raise ValueError("late")

    probe.start("kiln.firing")
    with pytest.raises(ValueError, match="late"):
        list(failing())
    assert probe.span("kiln.heat").status == "error"


@pytest.mark.behaviour("B109")
def test_a_block_around_a_yield_that_is_finalized_elsewhere_leaves_the_context_alone(probe):
    """A dropped generator takes no span away where it dies, and leaves none where it began."""
    probe.start("kiln.firing")

    def leaky():
        with kiln.heat():
            yield 1

    def advanced():
        body = leaky()
        next(body)
        return body

    body = contextvars.copy_context().run(advanced)
    before = context.get_current()
    body.close()
    assert context.get_current() is before
    gone = advanced()
    with kiln.write():
        inner = context.get_current()
        del gone
        gc.collect()
        assert context.get_current() is inner
    assert context.get_current() == before
    assert len(probe.spans) == 3


@pytest.mark.behaviour("B116")
def test_a_span_opened_by_hand_is_not_current(probe):
    """What outlives a block never has work nest under it by accident, and ends once."""
    probe.start("kiln.firing")
    span = kiln.heat().open()
    assert span.on
    assert not here()
    with span.current():
        assert here()
        with kiln.write():
            pass
    assert not here()
    assert len(probe.spans) == 1
    span.close(ValueError("x"))
    span.close()
    heat = probe.span("kiln.heat")
    assert probe.span("kiln.write").parent_id == heat.span_id
    assert heat.description == "ValueError"


@pytest.mark.behaviour("B126", "B136")
def test_a_measured_span_opened_by_hand_is_timed(probe):
    """Open and close measure as a block does, spans or not."""
    for groups in ("kiln.firing", "default"):
        probe.start(groups)
        kiln.fire(kiln.Stage.COOL, batch="b", kind="k").open().close(ValueError("x"))
    assert [span.name for span in probe.spans] == ["kiln.fire.cool"]
    assert ("cool", "error") in probe.counts("kiln.firing_ms")


def test_a_block_closed_in_another_context_still_ends_its_span(probe):
    """A generator begun in one context and ended in another costs nothing and leaks nothing."""
    probe.start("kiln.firing")

    def across():
        with kiln.heat():
            yield

    body = across()
    contextvars.copy_context().run(next, body)
    before = context.get_current()
    assert next(body, "done") == "done"
    assert context.get_current() is before
    assert len(probe.spans) == 1
    assert not _guard.FAILURES


@pytest.mark.behaviour("B116")
@pytest.mark.parametrize(
    "kind", [kiln.heat, lambda: kiln.fire(kiln.Stage.COOL, batch="b", kind="k")]
)
def test_what_is_open_is_opened_no_second_time(probe, kind):
    """Opened twice, entered when it is open, or entered inside itself: one span, and no leak."""
    probe.start("kiln.firing")
    before = context.get_current()
    opened = kind().open()
    with opened.current():
        first = get_current_span()
    with opened.open().current():
        assert get_current_span() is first
    opened.close()
    with kind().open() as span:
        assert get_current_span().get_span_context().is_valid
        with span:
            assert span.on
        assert not span.on
    assert context.get_current() is before
    with span, kiln.write():  # once more: a new one
        pass
    assert [one.name for one in probe.spans].count("kiln.write") == 1
    assert len(probe.spans) == 4
    assert context.get_current() is before


@pytest.mark.behaviour("B125")
@pytest.mark.parametrize("groups", ["kiln.firing", "default"])
def test_what_has_ended_is_recorded_once_however_often_it_is_closed(probe, groups):
    """Opened by hand or a block, with a span or timed alone: the second end says nothing."""
    probe.start(groups)
    opened = kiln.fire(kiln.Stage.COOL, batch="b", kind="k").open()
    with kiln.fire(kiln.Stage.GLAZE, batch="b", kind="k") as block:
        pass
    for _ in range(2):
        opened.close(ValueError("x"))
        block.close()
    kiln.fire(kiln.Stage.BISQUE, batch="b", kind="k").close()
    assert probe.counts("kiln.firing_ms") == {("cool", "error"): 1, ("glaze", "ok"): 1}
    assert len(probe.spans) == (2 if groups == "kiln.firing" else 0)
    assert not _guard.FAILURES
