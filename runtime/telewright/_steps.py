"""Spans around what runs in steps: current while the body runs, never while its consumer does."""

from __future__ import annotations

from telewright import _late as late
from telewright._nesting import hold
from telewright._span import NOTHING, Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Generator
    from types import TracebackType
    from typing import Any, TypeVar

    from telewright._span import Span

    R = TypeVar("R")


class Around(Block):
    """A context around each step of one body: its consumer never sees it.

    What the body has open when it yields is current again when it goes on.
    """

    __slots__ = ()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        token, self._token = self._token, None
        if token is None:
            return
        hold(self._context, held=False)
        inside = late.get_current()
        try:
            if inside is self._context or kind is not GeneratorExit:  # else finalized elsewhere
                token.var.reset(token)
        except ValueError:  # a step that began in another context
            if inside is self._context:
                before = token.old_value
                token.var.set(late.Context() if before is token.MISSING else before)
        self._context = inside

    @classmethod
    def each_step(cls, block: Block) -> Block:
        """Return what is entered for each step of a body that runs inside *block*."""
        return cls(block._context) if block.live else NOTHING


async def run_coroutine(span: Span, awaitable: Awaitable[R]) -> R:
    """Await inside *span*."""
    with span:
        return await awaitable


def drive(inside: Block, body: Generator[Any, Any, R]) -> Generator[Any, Any, R]:
    """Run a generator, each step of it inside *inside*."""
    step: Any = body.send
    value: Any = None
    try:
        while True:
            with inside:
                item = step(value)
            try:
                step, value = body.send, (yield item)
            except GeneratorExit:
                with inside:
                    body.close()
                raise
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.throw, thrown
    except StopIteration as end:
        result: R = end.value
        return result


def run(span: Span, body: Generator[Any, Any, R]) -> Generator[Any, Any, R]:
    """Drive a generator inside *span*."""
    error: BaseException | None = None
    try:
        return (yield from drive(Around.each_step(span.open().current()), body))
    except BaseException as problem:
        error = problem
        raise
    finally:
        span.close(error)


async def run_async(span: Span, body: AsyncGenerator[Any, Any]) -> AsyncGenerator[Any, Any]:
    """Drive an asynchronous generator inside *span*."""
    inside = Around.each_step(span.open().current())
    error: BaseException | None = None
    step: Any = body.asend
    value: Any = None
    try:
        while True:
            with inside:
                item = await step(value)
            try:
                step, value = body.asend, (yield item)
            except GeneratorExit:
                with inside:
                    await body.aclose()
                raise
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.athrow, thrown
    except StopAsyncIteration:
        return
    except BaseException as problem:
        error = problem
        raise
    finally:
        span.close(error)
