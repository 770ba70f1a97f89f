"""Spans around what runs in steps: current while the body runs, never while its consumer does."""

from __future__ import annotations

from telewright import _late as late
from telewright._resumed import first
from telewright._span import HELD, Block, off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Generator
    from contextvars import Token
    from types import TracebackType
    from typing import Any, Final, Self, TypeVar

    from opentelemetry.context import Context

    from telewright._span import Span

    E = TypeVar("E", bound=BaseException)
    R = TypeVar("R")


class Around(Block):
    """A context around each step of one body: its consumer never sees it.

    What the body has open when it yields is current again when it goes on.
    """

    __slots__ = ("_thrown", "_token")

    def __init__(self, context: Context) -> None:
        self._context = late.Context(context)
        self._token: Token[Context] | None = None
        self._thrown: BaseException | None = None
        self.live = True

    def __enter__(self) -> Self:
        self._token = late.attach(self._context)
        setattr(self._context, HELD, True)
        return self

    def throws(self, error: E) -> E:
        """Return what the next step throws into the body."""
        if self.live:
            self._thrown = error
        return error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        token, self._token = self._token, None
        thrown, self._thrown = self._thrown, None
        if token is None:
            return
        setattr(self._context, HELD, False)
        inside = late.get_current()
        try:
            if inside is self._context or kind is not GeneratorExit or error is thrown:
                token.var.reset(token)  # else finalized elsewhere
        except ValueError:  # a step that began in another context
            if inside is self._context:
                before = token.old_value
                token.var.set(late.Context() if before is token.MISSING else before)
        self._context = inside

    @classmethod
    def each_step(cls, block: Block) -> Around:
        """Return what is entered for each step of a body that runs inside *block*."""
        return cls(block._context) if block.live else NOWHERE


NOWHERE: Final = off(Around)
"""What changes nothing about a step."""


async def run_coroutine(span: Span, awaitable: Awaitable[R]) -> R:
    """Await inside *span*."""
    with span:
        return await awaitable


def run(span: Span, body: Generator[Any, Any, R]) -> Generator[Any, Any, R]:
    """Drive a generator inside *span*."""
    inside = Around.each_step(span.open().current())
    error: BaseException | None = None
    step: Any = body.send
    value: Any = None
    try:
        while True:
            with inside:
                item = step(value)
            try:
                step, value = body.send, (yield item)
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.throw, inside.throws(thrown)
    except StopIteration as end:
        result: R = end.value
        return result
    except BaseException as problem:
        error = problem
        raise
    finally:
        span.close(error)
        error = value = None  # their tracebacks hold this frame


async def run_async(span: Span, body: AsyncGenerator[Any, Any]) -> AsyncGenerator[Any, Any]:
    """Drive an asynchronous generator inside *span*."""
    inside = Around.each_step(span.open().current())
    error: BaseException | None = None
    step: Any = first(body)
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
    except BaseException as problem:
        error = problem
        raise
    finally:
        span.close(error)
        error = step = None  # as above
