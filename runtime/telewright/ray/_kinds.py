"""Callables that run others in what their carrier brings, each of the kind of what it wraps.

Ray treats functions, coroutine functions, generators and asynchronous generators differently, and
looks at the code to tell them apart.
"""

from __future__ import annotations

import inspect

from telewright._resumed import first
from telewright.ray._running import Running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
    from typing import Any, TypeAlias

    Handed: TypeAlias = Mapping[str, str] | None
    Anything: TypeAlias = Any
    """What somebody else's function takes and returns."""


def like(
    function: Callable[..., Anything], called: Callable[..., Anything]
) -> Callable[..., Anything]:
    """Return what is of the kind of *function*, and runs *called* in what its keyword brings.

    None as the keyword ``_telewright`` changes nothing. A decorator may hide what kind of function
    it wraps; Ray looks behind it, and so does this.
    """
    bare = inspect.unwrap(function)
    if inspect.isasyncgenfunction(bare):
        return _stream(called)
    if inspect.isgeneratorfunction(bare):
        return _generate(called)
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(bare):
        return _await(called)
    return _call(called)


def _call(function: Callable[..., Anything]) -> Callable[..., Anything]:
    def call(*args: Anything, _telewright: Handed = None, **kwargs: Anything) -> Anything:
        with Running(_telewright) as running, running.here():
            return function(*args, **kwargs)

    return call


def _await(
    function: Callable[..., Coroutine[Anything, Anything, Anything]],
) -> Callable[..., Coroutine[Anything, Anything, Anything]]:
    async def run(*args: Anything, _telewright: Handed = None, **kwargs: Anything) -> Anything:
        with Running(_telewright) as running, running.here():
            return await function(*args, **kwargs)

    return run


def _generate(
    function: Callable[..., Generator[Anything, Anything, Anything]],
) -> Callable[..., Generator[Anything, Anything, Anything]]:
    def generate(
        *args: Anything, _telewright: Handed = None, **kwargs: Anything
    ) -> Generator[Anything, Anything, Anything]:
        with Running(_telewright) as running:
            inside, body = running.steps(), function(*args, **kwargs)
            step: Anything = body.send
            value: Anything = None
            try:
                while True:
                    with inside:
                        item = step(value)
                    try:
                        step, value = body.send, (yield item)
                    except BaseException as thrown:  # it belongs to the body, whatever it is
                        step, value = body.throw, inside.throws(thrown)
            except StopIteration as end:
                return end.value
            finally:
                value = None  # its traceback holds this frame

    return generate


def _stream(
    function: Callable[..., AsyncGenerator[Anything, Anything]],
) -> Callable[..., AsyncGenerator[Anything, Anything]]:
    async def stream(
        *args: Anything, _telewright: Handed = None, **kwargs: Anything
    ) -> AsyncGenerator[Anything, Anything]:
        with Running(_telewright) as running:
            inside, body = running.steps(), function(*args, **kwargs)
            step: Anything = first(body)
            try:
                while True:
                    with inside:
                        item = await step
                    try:
                        step = body.asend((yield item))
                    except BaseException as thrown:  # it belongs to the body, whatever it is
                        step = body.athrow(inside.throws(thrown))
            except StopAsyncIteration:
                return
            finally:
                step = None  # as above

    return stream
