"""What spans and scopes share: a context inside a block, and the object that stands for none."""

from __future__ import annotations

from contextvars import ContextVar

from telewright import _otel as otel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextvars import Token
    from types import TracebackType
    from typing import Final, Self, TypeVar

    from opentelemetry.context import Context

    B = TypeVar("B", bound="Block")


class Block:
    """Makes a context current on entry, and the one before it on exit."""

    __slots__ = ("_context", "_token", "live")

    _context: Context
    _token: Token[Context] | None
    live: bool
    """False on the objects that `off` makes, and on no other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._token = None
        self.live = True

    def __enter__(self) -> Self:
        self._token = otel.attach(self._context)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        if self._token is not None:
            self._leave(self._token, kind)

    def _leave(self, token: Token[Context], kind: type[BaseException] | None) -> None:
        self._token = None
        if kind is GeneratorExit and otel.get_current() is not self._context:
            return  # a dropped generator, finalized wherever the collector ran: not our context
        try:
            token.var.reset(token)
        except ValueError:  # a generator, which goes on in a context that it was not opened in
            if otel.get_current() is self._context:
                before = token.old_value
                token.var.set(otel.Context() if before is token.MISSING else before)


def off(kind: type[B]) -> B:
    """Make the one object that a shut gate yields for every *kind*: same type, keeps nothing.

    ``with`` looks ``__enter__`` and ``__exit__`` up on the type and calls them. Here both are C
    callables that are no descriptors: nothing is bound, no frame is entered. ``ContextVar.get`` of
    a variable that nobody sets returns its default, or its argument when `contextlib.ExitStack`
    passes one; ``type.__prepare__`` takes any arguments and returns a new, false, dictionary.
    """
    shut = type(f"{kind.__name__}Off", (kind,), {"__slots__": ()})
    nothing: B = object.__new__(shut)  # pyright: ignore[reportAssignmentType] - a subclass of B
    for switch in ("live", "on"):
        if hasattr(shut, switch):
            setattr(nothing, switch, False)
    type.__setattr__(shut, "__enter__", ContextVar("telewright-off", default=nothing).get)
    type.__setattr__(shut, "__exit__", type.__prepare__)
    return nothing


NOTHING: Final = off(Block)
"""A block that changes nothing."""
