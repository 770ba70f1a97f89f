"""What a span of our own is made of, and what is said of who writes on one that has ended."""

from __future__ import annotations

from traceback import format_exception

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.trace import Link, SpanContext

from telewright._guard import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.sdk.trace import SpanLimits  # noqa: TID251 - types only
    from opentelemetry.util.types import AnyValue, Attributes

_TOLD: Final[list[bool]] = []


def described_exception(exception: BaseException, *, escaped: bool) -> dict[str, AnyValue]:
    """Return what the SDK says of an exception."""
    kind = type(exception)
    known = kind.__module__ and kind.__module__ != "builtins"
    return {
        "exception.type": f"{kind.__module__}.{kind.__qualname__}" if known else kind.__qualname__,
        "exception.message": str(exception),
        "exception.stacktrace": "".join(format_exception(exception)),
        "exception.escaped": str(escaped),
    }


def bounded_link(context: SpanContext, attributes: Attributes, limits: SpanLimits) -> Link | None:
    """Return a link with as many attributes as it may have; None if it leads nowhere."""
    if not isinstance(context, SpanContext):  # pyright: ignore[reportUnnecessaryIsInstance] - any caller
        return None
    if not (context.is_valid or attributes or context.trace_state):
        return None
    bounded = BoundedAttributes(
        limits.max_link_attributes, attributes, max_value_len=limits.max_attribute_length
    )
    return Link(context, bounded)


def too_late(what: str) -> None:
    """Tell, once in full, that somebody wrote on a span that had ended."""
    first = not _TOLD
    _TOLD.append(True) if first else None
    say(f"it is too late to {what} a span that has ended; nothing was changed", first=first)
