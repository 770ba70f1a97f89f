"""What `telewright.ray` makes of callables and calls; it needs no Ray, and says so."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from opentelemetry.trace import get_current_span

import telewright
import telewright.ray
from telewright import _guard
from telewright.ray import _calls, _running, _workers
from tests.runtime.sample import kiln

ROOT = Path(__file__).resolve().parents[2]


def here():
    """Say what is current: the scope of a span that starts now, and the trace."""
    with kiln.heat() as span:
        trace = get_current_span().get_span_context().trace_id if span.live else None
        return trace, _running.running()


def plain(a, /, b=2, *rest, c=3, **more):
    """Have a parameter of every kind."""
    return a, b, rest, c, more, here()


async def coroutine(a, *, b=2):
    """Do it after a while."""
    await asyncio.sleep(0)
    return a, b, here()


def generator(count):
    """Yield, take what is sent and thrown, and return."""
    got = None
    for number in range(count):
        try:
            got = yield number, got, here()
        except KeyError:
            got = "thrown"
    return "result"


async def stream(count):
    """Do as `generator`, asynchronously."""
    got = None
    for number in range(count):
        await asyncio.sleep(0)
        try:
            got = yield number, got, here()
        except KeyError:
            got = "thrown"


@pytest.fixture
def brought(probe):
    """Return the keyword that a call from inside a span has, and the trace that it is in."""
    probe.start("all")
    with kiln.round_(412), kiln.shift():
        trace = get_current_span().get_span_context().trace_id
        return telewright.ray.keywords(), trace


@pytest.mark.behaviour("B107")
@pytest.mark.parametrize("function", [plain, coroutine, generator, stream])
def test_the_keyword_is_on_the_signature_that_ray_unwraps(function):
    """It comes last, by name only, and before ``**more``; whatever Ray looks at is the wrapper."""
    made = telewright.ray.carried(function)
    assert inspect.unwrap(made) is made
    parameters = inspect.signature(made).parameters
    assert parameters["_telewright"].kind is inspect.Parameter.KEYWORD_ONLY
    own = {name: one for name, one in parameters.items() if name != "_telewright"}
    assert own == dict(inspect.signature(function).parameters)
    assert made.__name__ == function.__name__


@pytest.mark.behaviour("B107")
def test_to_declare_it_twice_changes_nothing():
    """The second decorator returns what the first one made; a class keeps its methods."""
    made = telewright.ray.carried(plain)
    assert telewright.ray.carried(made) is made

    @telewright.ray.carried
    class Worker:
        @telewright.ray.carried
        def run(self):
            return 1

    run = Worker.run
    telewright.ray.carried(Worker)
    assert Worker.run is run
    assert str(inspect.signature(run)).count("_telewright") == 1
    assert not _guard.FAILURES


@pytest.mark.behaviour("B108")
def test_callables_stay_of_their_kind():
    """Ray sees by the code what is a coroutine, and what streams."""
    kinds = (
        inspect.iscoroutinefunction,
        inspect.isgeneratorfunction,
        inspect.isasyncgenfunction,
    )
    for function in (plain, coroutine, generator, stream):
        made = telewright.ray.carried(function)
        assert [kind(made) for kind in kinds] == [kind(function) for kind in kinds]


@pytest.mark.behaviour("B108")
def test_what_another_decorator_hides_keeps_its_kind_too():
    """A traced generator is a plain function that returns one; for Ray it is a generator."""
    made = telewright.ray.carried(telewright.traced(kiln.heat)(generator))
    assert inspect.isgeneratorfunction(made)
    assert list(inspect.signature(made).parameters) == ["count", "_telewright"]
    assert [one[0] for one in made(2)] == [0, 1]


def test_a_call_with_a_carrier_runs_where_its_caller_is(brought):
    """All four kinds do as they would, in the caller's trace; and are counted while they run."""
    keywords, trace = brought
    inside = (trace, 1)
    assert telewright.ray.carried(plain)(1, 2, 3, d=4, **keywords) == (
        *(1, 2, (3,), 3, {"d": 4}),
        inside,
    )
    assert asyncio.run(telewright.ray.carried(coroutine)(1, **keywords)) == (1, 2, inside)
    body = telewright.ray.carried(generator)(3, **keywords)
    assert next(body) == (0, None, inside)
    assert not get_current_span().get_span_context().is_valid
    assert body.send("s") == (1, "s", inside)
    assert body.throw(KeyError()) == (2, "thrown", inside)
    with pytest.raises(StopIteration) as end:
        next(body)
    assert end.value.value == "result"

    async def consume():
        body = telewright.ray.carried(stream)(3, **keywords)
        assert await anext(body) == (0, None, inside)
        assert not get_current_span().get_span_context().is_valid
        assert await body.asend("s") == (1, "s", inside)
        assert await body.athrow(KeyError()) == (2, "thrown", inside)
        with pytest.raises(StopAsyncIteration):
            await anext(body)

    asyncio.run(consume())
    assert _running.running() == 0


@pytest.mark.behaviour("B105", "B111")
@pytest.mark.parametrize("keywords", [{}, {"_telewright": None}, {"_telewright": {}}])
def test_a_call_without_one_is_the_functions_own(probe, keywords):
    """Nothing of ours is current then, and nothing is counted; an empty carrier is as none."""
    probe.start("all")
    trace, running = telewright.ray.carried(plain)(1, **keywords)[-1]
    assert trace == int(probe.span("kiln.heat").trace_id, 16)
    assert probe.span("kiln.heat").parent_id is None
    assert running == 0


@pytest.mark.behaviour("B109")
def test_a_stream_that_is_dropped_closes_what_it_streams(brought):
    """However it ends, the inner generator is closed inside its context, and nothing leaks."""
    keywords, trace = brought
    ends = []

    @telewright.ray.carried
    async def body():
        try:
            while True:
                await asyncio.sleep(0)
                yield 1
        finally:
            ends.append(here())

    for end in (closed, cancelled, collected):
        asyncio.run(end(body(**keywords)))
    assert ends == [(trace, 1)] * 3
    assert _running.running() == 0


async def closed(streaming):
    """End a stream by closing it."""
    await anext(streaming)
    await streaming.aclose()


async def cancelled(streaming):
    """End a stream by cancelling who waits for it."""

    async def consume():
        async for _ in streaming:
            pass

    task = asyncio.create_task(consume())
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def collected(streaming):
    """End a stream by dropping it."""
    async for _ in streaming:
        break
    del streaming
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.behaviour("B105")
def test_a_call_gets_the_keyword_only_where_something_is_current(probe):
    """Inside a span or a scope there is one keyword more; else the call is as it was made."""

    def invoke(args, kwargs):
        return args, kwargs

    call = telewright.ray.carried(plain).__ray_invocation_decorator__(invoke)
    mine = {"c": 1}
    assert call([1], mine) == ([1], {"c": 1})
    probe.start("all")
    assert call([1], mine) == ([1], {"c": 1})
    assert call([1], None) == ([1], {})
    with kiln.shift():
        args, kwargs = call([1], mine)
    assert (args, sorted(kwargs)) == ([1], ["_telewright", "c"])
    assert list(kwargs["_telewright"]) == ["traceparent"]
    assert mine == {"c": 1}
    with kiln.round_(3):
        assert call([], {})[1] == {"_telewright": {"baggage": "kiln.round=3"}}


@pytest.mark.behaviour("B112")
def test_every_method_of_a_class_is_wired_on_both_sides():
    """Inherited and special ones too; what a class itself overrides is not, and plumbing is not."""

    class Base:
        def inherited(self):
            return 1

        @staticmethod
        def static():
            return 2

    @telewright.ray.carried
    class Worker(Base):
        def __init__(self):
            self.made = True

        def __repr__(self):
            return "worker"

        def __call__(self):
            return 3

        async def own(self):
            return 4

        @property
        def size(self):
            return 5

    wired = {
        name
        for name in dir(Worker)
        if _calls.accepts(inspect.getattr_static(Worker, name))
        and hasattr(getattr(Worker, name), "__ray_invocation_decorator__")
    }
    assert wired == {"__init__", "__call__", "inherited", "own"}
    assert not _calls.accepts(Base.inherited)
    worker = Worker()
    assert (worker.made, worker.inherited(), worker.static(), worker(), worker.size) == (
        *(True, 1, 2, 3),
        5,
    )


@pytest.mark.behaviour("B106")
def test_what_takes_no_carrier_is_called_without_one_and_named_once(probe, caplog, monkeypatch):
    """`call` dispatches to whatever it is given; the warning comes once for each method."""
    monkeypatch.setattr(_calls, "_WARNED", set())
    probe.start("all")
    calls = []
    method = SimpleNamespace(
        remote=lambda *args, **kwargs: calls.append((args, kwargs)),
        _method_name="train",
        _decorator=None,
    )
    with kiln.shift():
        telewright.ray.call(method, 1, lr=2)
        telewright.ray.call(method, 2)
    assert calls == [((1,), {"lr": 2}), ((2,), {})]
    assert [one.getMessage() for one in caplog.records if "train" in one.getMessage()] == [
        "train takes no carrier: what it does joins no trace. Decorate it with carried"
    ]


def test_what_is_no_callable_of_ones_own_stays_as_it_is(caplog):
    """Above ``@ray.remote`` the decorator is at the wrong place, and says where it belongs."""
    odd = SimpleNamespace(remote=print)
    assert telewright.ray.carried(odd) is odd
    assert "put it below @ray.remote" in caplog.text


def test_what_is_carried_can_be_pickled():
    """By its name, as any function of a module."""
    assert pickle.loads(pickle.dumps(_module_level)) is _module_level  # noqa: S301 - made here
    assert _module_level(1) == 1


@telewright.ray.carried
def _module_level(value):
    return value


def test_neither_ray_nor_opentelemetry_is_imported():
    """A module with actors in it costs a process without telemetry nothing of theirs."""
    code = (
        "import sys, telewright.ray\n"
        "@telewright.ray.carried\n"
        "def f(): return 1\n"
        "assert f() == 1 and telewright.ray.keywords() == {}\n"
        "assert telewright.ray.runtime_env({'pip': []}) == {'pip': []}\n"
        "print(sorted({n.partition('.')[0] for n in sys.modules} & {'ray', 'opentelemetry'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def conclude(timeout, *, ending=False):
    """Do in this process what a driver asks a worker for; return the answer."""
    _workers._begin(None, "ticket", timeout, ending)
    for _ in range(1000):
        answer = _workers._answer(None, "ticket")
        if answer is not None:
            return answer
        threading.Event().wait(0.01)
    return None


@pytest.mark.behaviour("B081")
def test_a_worker_that_is_asked_to_waits_for_what_is_in_flight(receiver):
    """An open span has half of the time to end; the answer is whether all of it arrived."""
    telewright.start("all", metrics=False)
    assert conclude(5)
    span = kiln.heat().open()
    assert not conclude(0.2)
    threading.Timer(0.1, span.close).start()
    assert conclude(5)
    assert [one.name for one in receiver.spans] == ["kiln.heat"]
    left = kiln.write().open()
    assert conclude(0.2, ending=True) is False
    left.close()
    assert telewright.stats().exported == 2
    assert [one.name for one in receiver.spans] == ["kiln.heat", "kiln.write"]
    assert conclude(1)


def test_flushing_without_ray_says_what_to_install():
    """The extra is named."""
    code = (
        "import sys; sys.modules['ray'] = None\n"
        "import telewright.ray\n"
        "telewright.ray.flush([object()])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ImportError: Ray is not installed: pip install 'telewright[ray]'" in done.stderr
