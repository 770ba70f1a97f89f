"""What spans and scopes share: a context inside a block, and the object that stands for none."""

from __future__ import annotations

from contextvars import ContextVar

from telewright import _otel as otel
from telewright._order import OVER, end, here, hold, is_below

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
        hold(self._context, held=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        if self._token is not None:
            hold(self._context, held=False)
            self._leave(self._token, kind)

    def _leave(self, token: Token[Context], kind: type[BaseException] | None) -> None:
        self._token = None
        own, current = self._context, otel.get_current()
        if current is not own and (kind is GeneratorExit or is_below(own, current)):
            end(own, token)  # what is current is for another block to leave
            return
        try:
            token.var.reset(token)
        except ValueError:  # a generator, which goes on in a context that it was not opened in
            if current is own:
                before = token.old_value
                token.var.set(otel.Context() if before is token.MISSING else before)
            end(own, token)
        if OVER:
            here()


def _left(block: object, kind: object, error: object, traceback: object, /) -> None:
    """Leave a block that is none, as `contextlib.ExitStack` does."""


class _Off(type):
    """The type of the classes that `off` makes.

    `contextlib.ExitStack` takes ``__exit__`` from the class, which answers for itself here, and
    passes the block as well. ``with`` looks in the class and asks nobody.
    """

    __exit__ = property(lambda _: _left)


def _over(kind: object, error: object, traceback: object, /) -> None:
    """Leave a block that is none, as ``with`` does."""


def off(kind: type[B]) -> B:
    """Make the one object that a shut gate yields for every *kind*: same type, keeps nothing.

    ``with`` looks ``__enter__`` and ``__exit__`` up on the type and calls them. Here neither is
    bound to the object, so nothing is allocated. ``with`` calls the first from C, where a C
    callable is cheapest: ``ContextVar.get`` of a variable that nobody sets returns its default,
    or its argument when `contextlib.ExitStack` passes one. It calls the second as any code calls a
    function, and that is cheapest for a function of Python that takes exactly what it is given.
    """
    members = {"__slots__": (), "__exit__": staticmethod(_over)}
    shut = _Off(f"{kind.__name__}Off", (kind,), members)
    nothing: B = kind.__new__(shut)  # type: ignore[arg-type]  # pyright: ignore[reportAssignmentType] - a subclass of B
    for switch in ("live", "on"):
        if hasattr(shut, switch):
            setattr(nothing, switch, False)
    type.__setattr__(shut, "__enter__", ContextVar("telewright-off", default=nothing).get)
    return nothing


NOTHING: Final = off(Block)
"""A block that changes nothing."""
