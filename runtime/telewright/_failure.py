"""Writing on a span what its block failed with."""

from __future__ import annotations

from telewright import _late as late
from telewright._guard import describe, failed
from telewright._scanning import EXCEPTION_TEXT
from telewright._values import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opentelemetry.trace import Span


def note(span: Span, error: BaseException) -> None:
    """Set the status of *span* to what *error* says, and add it as an event."""
    wanted = EXCEPTION_TEXT[0]
    said = clean_text(describe(error)) if wanted else type(error).__name__
    span.set_status(late.Status(late.StatusCode.ERROR, said))
    if span.is_recording():
        span.add_event("exception", {**described(error, said), "exception.escaped": "False"})


def described(error: BaseException, said: str) -> dict[str, str]:
    """Return the attributes that say what *error* is; its text only if that may leave."""
    attributes = {"exception.type": _name(type(error))}
    if EXCEPTION_TEXT[0]:
        attributes["exception.message"] = said.partition(": ")[2]
        attributes["exception.stacktrace"] = _stack(error)
    return attributes


def _name(kind: type[BaseException]) -> str:
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _stack(error: BaseException) -> str:
    try:
        from traceback import format_exception

        return clean_text("".join(format_exception(error)))
    except Exception:  # formatting runs the application's code
        failed("format an exception")
        return ""
