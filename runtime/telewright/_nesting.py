"""Blocks that end while another is current, or in another context than they began in.

One around a ``yield`` does: its generator ends whenever its consumer wants, inside blocks of the
consumer's, or where an event loop or the collector finalizes it. Its context then stays current
where it began, or becomes so again when the blocks above it end, and in tasks that are created
meanwhile. So it is marked as over, and whoever of us looks at the current context next goes on
below it. Others see no marks: to them it shows the span that is open below it.
"""

from __future__ import annotations

from contextvars import ContextVar

from telewright import _late as late
from telewright._span import HELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextvars import Token
    from typing import Any, Final
    from weakref import WeakValueDictionary

    from opentelemetry.context import Context

OVER: Final[list[bool]] = []
"""Filled when the first block ends so; until then nobody need look."""

_OVER: Final = "telewright_over"
"""The mark on a context whose block is over: a token of where it began, and what is below."""

_ABOVE: Final = "telewright_above"
"""Those of the contexts that are over which show the span of this one."""

_HOME: Final[ContextVar[None]] = ContextVar("telewright-home")
"""Set to have tokens: one can be reset where it was made and nowhere else, copies included."""


def is_below(own: Context, current: Context) -> bool:
    """Say whether *current* is that of a block which began after that of *own*, and is open.

    It is not where somebody attached it and forgot to detach.
    """
    if getattr(current, HELD, False):
        return True
    try:
        span = late.get_current_span(current)
        said = span.get_span_context()
        if not said.is_valid or said == late.get_current_span(own).get_span_context():
            return False
        return span.is_recording() or (type(span) is late.NonRecordingSpan and not said.is_remote)
    except Exception:  # it may be anybody's
        late.failed("look at a span")
        return False


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
        home = _HOME.set(None)
    setattr(context, _OVER, (home, below))
    OVER[:] = [True]
    _show_below(context)


def _show_below(context: Context) -> None:
    """Have *context*, and what showed its span, show the span that is open below it.

    They are changed, as contexts else never are: wherever they are current they are one object, and
    a variable of another task or thread cannot be set from here. Where none was to be current, none
    is.
    """
    from weakref import WeakValueDictionary  # a process in which nothing records loads none

    above: WeakValueDictionary[int, Context] | None = vars(context).get(_ABOVE)
    showing = (
        [] if above is None else [one for ref in above.valuerefs() if (one := ref()) is not None]
    )
    if late.get_current_span(context).get_span_context().is_valid:
        showing.append(context)
    for one in showing:
        below = None
        while below is not (found := _open_below(one)):  # until none has ended in the meantime
            below = found
            if isinstance(below, late.Context):  # pyright: ignore[reportUnnecessaryIsInstance] - anything may be attached
                vars(below).setdefault(_ABOVE, WeakValueDictionary())[id(one)] = one
            span = below.get(late.SPAN_KEY, late.INVALID_SPAN)
            super(late.Context, one).__setitem__(late.SPAN_KEY, span)


def _open_below(context: Context) -> Context:
    while (over := getattr(context, _OVER, None)) is not None:
        _, context = over
    return context


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
        setattr(context, _OVER, (_HOME.set(None), below))
        late.attach(below)
        context = below
    return context
