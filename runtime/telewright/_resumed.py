"""What a carried function returned to be run in steps: each runs where the function did."""

from __future__ import annotations

import sys
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import cast

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
    from contextvars import Context
    from typing import Any, Final


def is_of_kind(function: object, kind: str) -> bool:
    """Say whether *function*, or what it calls, is of a *kind* that `inspect` knows."""
    try:
        import inspect

        bare = inspect.unwrap(cast("Callable[..., object]", function))
        ask: Callable[[object], bool] = getattr(inspect, kind)
        return ask(function) or ask(bare) or ask(type(bare).__call__)
    except Exception:  # an object that lies about itself
        failed("find out what a function is")
        return False


def resumed(function: object, returned: Any, context: Context) -> Any:  # noqa: ANN401 - whatever it is
    """Return what *function* *returned*; if it runs in steps, so that these are in *context*.

    A generator that a function was given and gives back is not that function's, and stays the same.
    """
    found = _KINDS.get(type(returned))  # pyright: ignore[reportUnknownArgumentType] - as above
    if found is None:
        return returned
    kind, resume = found
    return resume(context, returned) if is_of_kind(function, kind) else returned


def first(body: AsyncGenerator[Any, Any]) -> Awaitable[Any]:
    """Return the first step of *body*, which no event loop gets to know: its driver closes it.

    A loop that ends closes all that it knows at once, and a body closes once.
    """
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, _left_to_its_driver)
    try:
        return body.asend(None)
    finally:
        sys.set_asyncgen_hooks(*hooks)


def _left_to_its_driver(body: object, /) -> None:
    """Do nothing about *body*, which is collected with what drives it."""


class _Steps:
    """Something awaited, step by step in a context."""

    __slots__ = ("_body", "_context")

    def __init__(self, context: Context, body: Any) -> None:  # noqa: ANN401 - of any kind
        self._context = context
        self._body = body

    def __await__(self) -> Generator[Any, Any, Any]:
        return _driven(self._context, self._body)


async def _awaited(context: Context, body: Any) -> Any:  # noqa: ANN401 - of any kind
    return await _Steps(context, body)


def _driven(context: Context, body: Any) -> Generator[Any, Any, Any]:  # noqa: ANN401 - see above
    step: Any = body.send
    value: Any = None
    try:
        while True:
            item = context.run(step, value)
            try:
                step, value = body.send, (yield item)
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.throw, thrown
    except StopIteration as end:
        return end.value
    finally:
        body = step = value = None  # an exception's traceback, which is in one, holds this frame


async def _streamed(context: Context, body: AsyncGenerator[Any, Any]) -> AsyncGenerator[Any, Any]:
    step: Any = first(body)
    try:
        while True:
            item = await _Steps(context, step)
            try:
                step = body.asend((yield item))
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step = body.athrow(thrown)
    except StopAsyncIteration:
        return
    finally:
        step = None  # as above


_KINDS: Final[dict[type, tuple[str, Callable[[Context, Any], Any]]]] = {
    CoroutineType: ("iscoroutinefunction", _awaited),
    GeneratorType: ("isgeneratorfunction", _driven),
    AsyncGeneratorType: ("isasyncgenfunction", _streamed),
}
"""By what was returned: what a function is that made it, and what runs its steps in a context."""
