"""Blocks that end while another is current, or in another context than they began in.

One around a ``yield`` does: its generator ends whenever its consumer wants, inside blocks of the
consumer's, or where an event loop or the collector finalizes it. Its context then stays current
where it began, or becomes so again when the blocks above it end. So it is marked as over, and
whoever looks at the current context next goes on below it.
"""

from __future__ import annotations

from contextvars import ContextVar

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextvars import Token
    from typing import Any, Final

    from opentelemetry.context import Context

OVER: Final[list[bool]] = []
"""Filled when the first block ends so; until then nobody need look."""

_OVER: Final = "telewright_over"
"""The mark on a context whose block is over: a token of where it began, and what is below."""

_HELD: Final = "telewright_held"
"""Whether a block that is no span, and so cannot be asked, holds a context."""

_HOME: Final[ContextVar[None]] = ContextVar("telewright-home")
"""Set to have tokens: one can be reset where it was made and nowhere else, copies included."""


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
        home = _HOME.set(None)
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
        setattr(context, _OVER, (_HOME.set(None), below))
        late.attach(below)
        context = below
    return context
