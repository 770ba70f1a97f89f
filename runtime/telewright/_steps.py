"""Spans around what runs in steps: current while the body runs, never while its consumer does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Generator
    from typing import Any, TypeVar

    from telewright._span import Span

    R = TypeVar("R")


async def run_coroutine(span: Span, awaitable: Awaitable[R]) -> R:
    """Await inside *span*."""
    with span:
        return await awaitable


def run(span: Span, body: Generator[Any, Any, R]) -> Generator[Any, Any, R]:
    """Drive a generator inside *span*."""
    span.open()
    error: BaseException | None = None
    step: Any = body.send
    value: Any = None
    try:
        while True:
            with span.current():
                item = step(value)
            try:
                step, value = body.send, (yield item)
            except GeneratorExit:
                with span.current():
                    body.close()
                raise
            except BaseException as thrown:  # it belongs to the body, whatever it is
                step, value = body.throw, thrown
    except StopIteration as end:
        result: R = end.value
        return result
    except BaseException as problem:
        error = problem
        raise
    finally:
        span.close(error)


async def run_async(span: Span, body: AsyncGenerator[Any, Any]) -> AsyncGenerator[Any, Any]:
    """Drive an asynchronous generator inside *span*."""
    span.open()
    error: BaseException | None = None
    step: Any = body.asend
    value: Any = None
    try:
        while True:
            with span.current():
                item = await step(value)
            try:
                step, value = body.asend, (yield item)
            except GeneratorExit:
                with span.current():
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
