"""The blocks that generated modules open: spans, scopes, and the objects that stand for none.

A scope has attributes that every span started inside its block carries, whoever starts it.
"""

from __future__ import annotations

from types import MethodType

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from contextvars import Token
    from types import TracebackType
    from typing import ClassVar, Final, Self, TypeVar

    from opentelemetry.context import Context
    from opentelemetry.trace import Link
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.util.types import AttributeValue

    from telewright._group import Group
    from telewright._linked import Links

    B = TypeVar("B", bound="Block")


KEY: Final = "telewright-scope"
"""Where a context holds what its scopes say."""

HELD: Final = "telewright_held"
"""Whether a block that is no span, and so cannot be asked, holds a context: an attribute of it."""

PROPAGATED: Final[dict[str, Callable[[str], AttributeValue]]] = {}
"""Keys that carriers take to other processes, each with what turns its text into a value again."""


def propagated(key: str, read: Callable[[str], AttributeValue]) -> None:
    """Declare that carriers take *key* along."""
    PROPAGATED[key] = read


def attributes_of(context: Context) -> Mapping[str, AttributeValue] | None:
    """Return what the scopes open in *context* say, the innermost winning key by key."""
    # Only this package writes KEY, and nothing but a dict of attributes.
    return context.get(KEY)  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - only we set it


class Block:
    """Makes a context current on entry, and the one before it on exit.

    It may be entered again while it is: by what it calls, or by other tasks and threads.
    """

    __slots__ = ("_context", "_entered", "live")

    _context: Context
    _entered: dict[int, tuple[Context, Token[Context]]]
    """By identity what was made current, each time another context, and has not been left."""
    live: bool
    """False on the objects that `off` makes, and on no other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._entered = {}
        self.live = True

    def __enter__(self) -> Self:
        self._enter(late.Context(self._context))
        return self

    def _enter(self, context: Context) -> None:
        self._entered[id(context)] = context, late.attach(context)
        setattr(context, HELD, True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        entered = self._entered
        if entered:
            here = id(late.get_current())
            own, token = entered.pop(here) if here in entered else self._last_of_here()
            setattr(own, HELD, False)
            self._leave(own, token, kind)

    def _last_of_here(self) -> tuple[Context, Token[Context]]:
        """Return what this task or thread entered last, which another block is above of."""
        current = late.get_current()
        for key, (own, token) in reversed(list(self._entered.items())):
            try:
                token.var.reset(token)
            except ValueError:  # it is another's
                continue
            del self._entered[key]
            return own, token.var.set(current)
        return self._entered.popitem()[1]

    def _leave(self, own: Context, token: Token[Context], kind: type[BaseException] | None) -> None:
        current = late.get_current()
        if current is not own and (kind is GeneratorExit or late.is_below(own, current)):
            self._end(own, token)  # what is current is for another block to leave
            return
        try:
            token.var.reset(token)
        except ValueError:  # a generator, which goes on in a context that it was not opened in
            if current is own:
                before = token.old_value
                token.var.set(late.Context() if before is token.MISSING else before)
            self._end(own, token)
        if late.OVER:
            late.here()

    def _end(self, own: Context, token: Token[Context]) -> None:
        try:
            late.end(own, token)
        except Exception:
            late.failed("leave a block")


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
    callable is cheapest: ``dict.get``, bound to the key of the one thing that is held. What
    `contextlib.ExitStack` passes besides, it would return if nothing were. It calls the second as
    any code calls a function, and that is cheapest for a function of Python that takes exactly
    what it is given.
    """
    held: dict[str, B] = {}
    enter = MethodType(held.get, "")
    members = {"__slots__": (), "__enter__": enter, "__exit__": staticmethod(_over)}
    shut = _Off(f"{kind.__name__}Off", (kind,), members)
    nothing: B = kind.__new__(shut)  # type: ignore[arg-type]  # pyright: ignore[reportAssignmentType] - a subclass of B
    for switch in ("live", "on"):
        if hasattr(shut, switch):
            setattr(nothing, switch, False)
    held[""] = nothing
    return nothing


class Scope(Block):
    """Attributes for every span started inside the block."""

    __slots__ = ("_attributes",)

    def __init__(self, attributes: Mapping[str, AttributeValue]) -> None:
        self._attributes = attributes
        self._entered = {}
        self.live = True

    def __enter__(self) -> Self:
        try:
            context = late.here()
            merged = {**(attributes_of(context) or {}), **late.clean(self._attributes)}
            self._enter(late.set_value(KEY, merged, context))
        except Exception:
            late.failed("enter a scope")
        return self


SCOPE_OFF: Final = off(Scope)
"""What a scope is while traces are off."""

NOTHING: Final[Block] = SCOPE_OFF
"""A block that changes nothing."""


class Home:
    """Telemetry from one start to the next, in one process."""

    __slots__ = ("process",)

    def __init__(self, process: object) -> None:
        self.process: Final = process


PROCESS: Final[list[Home]] = [Home(object())]
"""Where what begins now is at home. A forked child puts another here, with another `process`;
`stop` one with the same: what goes on after it is no more this telemetry's, but this process's."""


class Span(Block):
    """One operation, open for as long as its ``with`` block runs."""

    __slots__ = ("_attributes", "_gate", "_home", "_links", "_name", "_otel", "_token", "on")

    _links: Links
    """What it is linked to; only in a span that says so."""
    _token: Token[Context] | None

    kind: ClassVar[str] = "internal"
    announce: ClassVar[bool] = False

    def __init__(self, gate: Group, name: str, attributes: Mapping[str, AttributeValue]) -> None:
        self._gate = gate
        self._name = name
        self._attributes = attributes
        self._otel: OtelSpan | None = None
        self._token = None
        self.live = True
        self.on: bool = False
        """Whether anything set on this span is kept. Test it before costly work."""

    def __enter__(self) -> Self:
        try:
            if self._otel is None:  # else it is open, and ends with the first block that is left
                self._start(late.here() if late.OVER else late.get_current())
            if self._token is None:
                self._token = late.attach(self._context)
        except Exception:
            late.failed("open a span")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        try:
            token = self._token
            if token is not None:
                self._token = None
                self._leave(self._context, token, kind)
            span, self._otel, self.on = self._otel, None, False
            if span is not None and self._home is PROCESS[0]:
                try:
                    # What was cancelled or interrupted has not failed.
                    if error is not None and isinstance(error, Exception):
                        from telewright._failure import note

                        note(span, error)
                finally:
                    span.end()
        except Exception:
            late.failed("close a span")

    def open(self) -> Self:
        """Start the span without making it current, for work that outlives a block.

        It must be closed, by `close`.
        """
        if self.live and self._otel is None:
            try:
                self._start(late.here())
            except Exception:
                late.failed("open a span")
        return self

    def close(self, error: BaseException | None = None) -> None:
        """End what `open` started; *error* is what the work failed with."""
        if self.live:
            self.__exit__(None if error is None else type(error), error, None)

    def current(self) -> Block:
        """Make an opened span current inside a block that neither starts nor ends it."""
        if not self.live or self._otel is None:
            return NOTHING
        return Block(self._context)

    def _end(self, own: Context, token: Token[Context]) -> None:
        self._context = late.Context(own)  # *own* shows another span from now on
        super()._end(own, token)

    def between(self, start: float, end: float) -> AbstractContextManager[Self, None]:
        """Return a block for what is over already: its span lasted from *start* to *end*.

        Both in seconds since the epoch, as `time.time` has them. A span that would end before it
        starts gets no duration, and attributes ``inverted.*`` that say so.
        """
        if not self.live:
            return self  # type: ignore[return-value]  # what `off` makes yields itself
        from telewright._past import Dated

        return Dated(self, start, end)  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - a block that yields this very span

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        attributes = self._attributes
        for value in attributes.values():
            if type(value) not in late.HARMLESS:
                attributes = late.clean(attributes)
                break
        if KEY in context:
            attributes = {**(attributes_of(context) or {}), **attributes}
        self._home = PROCESS[0]
        self._otel = span = self._gate.tracer.start_span(
            self._name, context, late.KINDS[self.kind], attributes, links
        )
        self._context = late.Context({**context, late.SPAN_KEY: span})
        self.on = type(span) is not late.NonRecordingSpan

    def _set(self, key: str, value: object) -> None:
        if self.on and self._otel is not None and value is not None and self._home is PROCESS[0]:
            try:
                good = late.clean_value(value)
                if good is not None:
                    self._otel.set_attribute(key, good)
            except Exception:
                late.failed("set an attribute")

    def _event(self, name: str, attributes: Mapping[str, AttributeValue]) -> None:
        if self.on and self._otel is not None and self._home is PROCESS[0]:
            try:
                self._otel.add_event(name, late.clean(attributes))
            except Exception:
                late.failed("add an event")


OFF: Final = off(Span)
"""What a shut gate yields where the span has nothing to set."""


def given(attributes: dict[str, AttributeValue | None]) -> dict[str, AttributeValue]:
    """Leave out what was not given."""
    for value in attributes.values():
        if value is None:
            return {key: value for key, value in attributes.items() if value is not None}
    return attributes  # pyright: ignore[reportReturnType] - see above


def pick(names: Mapping[str, str], member: object) -> str:
    """Return the name that a pattern has for *member*; what is none gets the name of the rest."""
    try:
        return names.get(member) or names["_OTHER"]  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType] - of any type
    except Exception:  # not even hashable
        return names["_OTHER"]
