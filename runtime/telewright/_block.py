"""Blocks: what spans and scopes share, scopes themselves, and the object that stands for none.

A scope has attributes that every span started inside its block carries, whoever starts it.

A block can end while another is current, or in another context than it began in. One around a
``yield`` does: its generator ends whenever its consumer wants, inside blocks of the consumer's, or
where an event loop or the collector finalizes it. Its context then stays current where it began, or
becomes so again when the blocks above it end. So it is marked as over, and whoever looks at the
current context next goes on below it.
"""

from __future__ import annotations

from _weakref import ref  # `weakref` is this, and more to load

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextvars import Token
    from types import TracebackType
    from typing import Any, Final, Self, TypeVar

    from opentelemetry.context import Context
    from opentelemetry.util.types import AttributeValue

    B = TypeVar("B", bound="Block")


KEY: Final = "telewright-scope"
"""Where a context holds what its scopes say."""

PROPAGATED: Final[dict[str, Callable[[str], AttributeValue]]] = {}
"""Keys that carriers take to other processes, each with what turns its text into a value again."""


def propagated(key: str, read: Callable[[str], AttributeValue]) -> None:
    """Declare that carriers take *key* along."""
    PROPAGATED[key] = read


def attributes_of(context: Context) -> Mapping[str, AttributeValue] | None:
    """Return what the scopes open in *context* say, the innermost winning key by key."""
    # Only this package writes KEY, and nothing but a dict of attributes.
    return context.get(KEY)  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


OVER: Final[list[bool]] = []
"""Filled when the first block ends so; until then nobody need look."""

_OVER: Final = "telewright_over"
"""The mark on a context whose block is over: a token of where it began, and what is below."""

_HELD: Final = "telewright_held"
"""Whether a block that is no span, and so cannot be asked, holds a context."""


def hold(context: Context, *, held: bool) -> None:
    """Note whether a block that is no span is open with *context*."""
    setattr(context, _HELD, held)


def is_below(own: Context, current: Context) -> bool:
    """Say whether *current* is that of a block which began after that of *own*, and is open.

    It is not where somebody attached it and forgot to detach.
    """
    if getattr(current, _HELD, False):
        return True
    span = late.get_current_span(current)
    said = span.get_span_context()
    if not said.is_valid or said == late.get_current_span(own).get_span_context():
        return False
    return span.is_recording() or (type(span) is late.NonRecordingSpan and not said.is_remote)


def end(context: Context, token: Token[Context]) -> None:
    """Mark *context*, which *token* was got for, as that of a block that is over."""
    variable = token.var
    now = variable.get()
    try:
        variable.reset(token)
    except ValueError:  # it is not here that it began
        home: Token[Any] = token
        before = token.old_value
        below = late.Context() if before is token.MISSING else before
    else:
        below = here()
        variable.set(now)
        home = late.HOME.set(None)
    setattr(context, _OVER, (home, below))
    OVER[:] = [True]


def here() -> Context:
    """Return the context of now, below whatever is over."""
    context = late.get_current()
    while OVER:
        over = getattr(context, _OVER, None)
        if over is None:
            break
        home, below = over
        try:
            home.var.reset(home)
        except (ValueError, RuntimeError):  # a copy: what goes on in it began inside
            break
        setattr(context, _OVER, (late.HOME.set(None), below))
        late.attach(below)
        context = below
    return context


class Block:
    """Makes a context current on entry, and the one before it on exit."""

    __slots__ = ("__weakref__", "_context", "_token", "live")

    _context: Context
    _token: Token[Context] | None
    live: bool
    """False on the objects that `off` makes, and on no other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._token = None
        self.live = True

    def __enter__(self) -> Self:
        self._token = late.attach(self._context)
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
        own, current = self._context, late.get_current()
        if current is not own and (kind is GeneratorExit or is_below(own, current)):
            end(own, token)  # what is current is for another block to leave
            return
        try:
            token.var.reset(token)
        except ValueError:  # a generator, which goes on in a context that it was not opened in
            if current is own:
                before = token.old_value
                token.var.set(late.Context() if before is token.MISSING else before)
            end(own, token)
        if OVER:
            here()


def _entered(block: B) -> B:
    """Enter a block that is none, as `contextlib.ExitStack` does."""
    return block


def _left(block: object, kind: object, error: object, traceback: object, /) -> None:
    """Leave a block that is none, as `contextlib.ExitStack` does."""


class _Off(type):
    """The type of the classes that `off` makes.

    `contextlib.ExitStack` takes both methods from the class, which answers for itself here, and
    passes the block to each. ``with`` looks in the class and asks nobody.
    """

    __enter__ = property(lambda _: _entered)
    __exit__ = property(lambda _: _left)


def _over(kind: object, error: object, traceback: object, /) -> None:
    """Leave a block that is none, as ``with`` does."""


def off(kind: type[B]) -> B:
    """Make the one object that a shut gate yields for every *kind*: same type, keeps nothing.

    ``with`` looks ``__enter__`` and ``__exit__`` up on the type and calls them. Here neither is
    bound to the object, so nothing is allocated. ``with`` calls the first from C, where a C
    callable is cheapest: a weak reference, which returns what it is to. It calls the second as any
    code calls a function, and that is cheapest for a function of Python that takes exactly what it
    is given.
    """
    nothing = kind.__new__(kind)
    for switch in ("live", "on"):
        if hasattr(kind, switch):
            setattr(nothing, switch, False)
    members = {"__slots__": (), "__enter__": ref(nothing), "__exit__": staticmethod(_over)}
    nothing.__class__ = _Off(f"{kind.__name__}Off", (kind,), members)  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue] - a subclass of B
    return nothing


class Scope(Block):
    """Attributes for every span started inside the block."""

    __slots__ = ("_attributes",)

    def __init__(self, attributes: Mapping[str, AttributeValue]) -> None:
        self._attributes = attributes
        self._token = None
        self.live = True

    def __enter__(self) -> Self:
        try:
            context = here()
            merged = {**(attributes_of(context) or {}), **late.clean(self._attributes)}
            self._context = late.set_value(KEY, merged, context)
            super().__enter__()
        except Exception:
            late.failed("enter a scope")
        return self


SCOPE_OFF: Final = off(Scope)
"""What a scope is while traces are off."""

NOTHING: Final[Block] = SCOPE_OFF
"""A block that changes nothing."""
