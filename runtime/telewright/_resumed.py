"""What a carried function returned to be run in steps: each runs where the function did."""

from __future__ import annotations

from types import AsyncGeneratorType, CoroutineType, GeneratorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from contextvars import Context
    from typing import Any


def resumed(context: Context, returned: Any) -> Any:  # noqa: ANN401 - whatever it is
    """Return *returned* so that a coroutine or a generator goes on in *context*."""
    kind = type(returned)  # pyright: ignore[reportUnknownVariableType] - whatever it is
    if kind is CoroutineType:
        return _awaited(context, returned)
    if kind is GeneratorType:
        return _driven(context, returned)
    if kind is AsyncGeneratorType:
        return _streamed(context, returned)
    return returned


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
            except GeneratorExit:
                context.run(body.close)
                raise
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.throw, thrown
    except StopIteration as end:
        return end.value


async def _streamed(context: Context, body: AsyncGenerator[Any, Any]) -> AsyncGenerator[Any, Any]:
    step: Any = body.asend
    value: Any = None
    try:
        while True:
            item = await _Steps(context, step(value))
            try:
                step, value = body.asend, (yield item)
            except GeneratorExit:
                await _Steps(context, body.aclose())
                raise
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.athrow, thrown
    except StopAsyncIteration:
        return
