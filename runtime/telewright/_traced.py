"""The decorator form of a span: the signature stays, and a shut gate costs one read and a call."""

from __future__ import annotations

import sys
from types import FunctionType

from telewright._group import GATES
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TypeVar

    from telewright._group import Group
    from telewright._span import Span

    F = TypeVar("F", bound=Callable[..., object])

_GENERATOR: Final = 0x20  # inspect.CO_GENERATOR, and the next two, without importing it
_COROUTINE: Final = 0x80
_ASYNC_GENERATOR: Final = 0x200


def traced(span: Callable[[], Span], /) -> Callable[[F], F]:
    """Run the decorated function inside the span that *span* opens.

    For spans without required attributes, on functions, coroutine functions, generators and
    asynchronous generators; anything else is left as it is. A generator's span is current only
    while its body runs. Where the span needs the call's arguments, write a ``with`` block: they
    are type-checked there.
    """

    def decorate(function: F) -> F:
        wrapped: Any = _dispatch(function, span)
        return wrapped  # type: ignore[no-any-return]  # the same signature, as `_exact` makes it

    return decorate


def _dispatch(function: Any, span: Callable[[], Span]) -> Any:  # noqa: ANN401 - anything may be decorated
    """Return *function* inside *span*, or as it is where that cannot be."""
    try:
        if isinstance(function, (classmethod, staticmethod)):
            return type(function)(_dispatch(function.__func__, span))  # pyright: ignore[reportArgumentType, reportUnknownVariableType, reportUnknownArgumentType, reportUnknownMemberType] - a method's function may be anything
        gate = GATES.get(span)
        if gate is not None and isinstance(function, FunctionType):
            return _wrap(function, span, gate)
        say(f"cannot trace a {type(function).__name__}: only functions, with a span that `opens`")
    except Exception:
        failed("wrap a function")
    return function  # pyright: ignore[reportUnknownVariableType] - it is what it was


def _wrap(function: FunctionType, span: Callable[[], Span], gate: Group) -> FunctionType:
    from telewright import _exact, _steps  # decorators only: most processes that import us use none

    names: dict[str, object] = {"_tw_gate": gate, "_tw_span": span}
    flags = function.__code__.co_flags
    runner: object = None
    if flags & _GENERATOR:
        runner = _steps.run
    elif flags & _ASYNC_GENERATOR:
        runner = _steps.run_async
    elif flags & _COROUTINE and sys.version_info >= (3, 12):
        runner = _steps.run_coroutine  # from a plain function: no second coroutine while off
    if runner is None:
        prefix, wait = ("async ", "await ") if flags & _COROUTINE else ("", "")
        inside = f"with _tw_span():\n            return {wait}{{call}}\n    return {wait}{{call}}"
    else:
        names["_tw_run"] = runner
        prefix, inside = "", "return _tw_run(_tw_span(), {call})\n    return {call}"
    made = _exact.wrap(function, f"{prefix}\n    if _tw_gate.timed:\n        {inside}\n", names)
    if flags & _COROUTINE and sys.version_info >= (3, 12):
        import inspect

        made = inspect.markcoroutinefunction(made)
    return made
