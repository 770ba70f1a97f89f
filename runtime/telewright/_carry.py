"""Taking the current span and the open scopes to a thread, or in a carrier to another process."""

from __future__ import annotations

from contextvars import copy_context

from telewright import _late as late
from telewright._group import TRACES
from telewright._guard import failed, lost
from telewright._nesting import here
from telewright._span import KEY, Block, attributes_of, off
from telewright._values import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Final, ParamSpec, Self, TypeAlias, TypeVar

    from opentelemetry.context import Context
    from opentelemetry.util.types import AttributeValue

    P = ParamSpec("P")
    R = TypeVar("R")
    Headers: TypeAlias = Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]]
    """What HTTP libraries call headers: a mapping, or pairs as ASGI has them."""

_LONGEST: Final = 256
"""Characters of one carried value; what is longer stays here."""

_LONGEST_HEADER: Final = 8192
"""Bytes of one header that are sent and read: as many as the W3C has everybody pass on.

See https://www.w3.org/TR/baggage/#limits; OpenTelemetry reads nothing of a header that is longer.
"""

NAMES: Final = frozenset({"traceparent", "tracestate", "baggage"})
"""The headers that carry context, as the W3C has them."""


def carry(function: Callable[P, R]) -> Callable[P, R]:
    """Bind *function* to the context of now, for a thread, an executor, or another process.

    What it returns to be run in steps, a coroutine or a generator, runs in that context too. Where
    it is pickled on its way to a process, that starts its telemetry with the settings of this one.
    With telemetry off this is *function* itself.
    """
    if not TRACES.on:
        return function
    from telewright._handover import carried

    bound: Any = carried(function, copy_context())
    return bound  # type: ignore[no-any-return]  # calls *function*, as it is called


def carrier() -> dict[str, str]:
    """Return headers that continue the current span and scopes elsewhere; empty if none is open."""
    return _headers(baggage=True) if TRACES.on else {}


def inject(headers: Mapping[str, str] | None = None, url: str | None = None) -> dict[str, str]:
    """Return a copy of *headers* with what continues the current span in the process called.

    Args:
        headers: The caller's; they stay as they are. What they have of an earlier call is replaced,
            and baggage that is not ours goes along. Where that and ours are more than a receiver
            reads, members of the caller's that have no room are left out and counted: any may be,
            as the W3C has it, and a header that is too long would cost all of them and ours.
        url: Where the request goes. Scopes go to hosts of one's own alone; None is one.
    """
    filled: dict[str, str] = {}
    try:
        filled.update({} if headers is None else headers)
    except Exception:  # what is no mapping is the caller's, and stays there
        failed("read headers")
    if TRACES.on:
        trusted = True
        try:
            from telewright._destinations import trusted as is_trusted

            trusted = url is None or is_trusted(url)
        except Exception:
            failed("judge a destination")
            trusted = False
        try:
            _replace(filled, _headers(baggage=trusted), trusted=trusted)
        except Exception:
            failed("inject into headers")
    return filled


def _replace(headers: dict[str, str], ours: dict[str, str], *, trusted: bool) -> None:
    """Put *ours* into *headers*, and take out what was there in their place, or may not go on."""
    from telewright._registries import carried

    known, theirs = carried(), list[str]()
    for name in [one for one in headers if _text(one).lower() in NAMES]:
        if _text(name).lower() != "baggage":
            if "traceparent" in ours:
                del headers[name]
            continue
        members = _text(headers[name]).split(",")
        kept = [one for one in members if one.partition("=")[0].strip() not in known]
        if "baggage" in ours or (not trusted and len(kept) < len(members)):
            del headers[name]
            theirs += kept
    if theirs and "baggage" in ours:  # ours first, for who reads so many members and no more
        ours["baggage"] = ",".join([ours["baggage"], *_fitting(theirs, ours["baggage"])])
    elif theirs:
        ours["baggage"] = ",".join(theirs)
    headers.update(ours)


def _fitting(members: list[str], beside: str) -> Iterator[str]:
    """Yield those of *members* that have room in one header, with commas, *beside* what is said."""
    room = _LONGEST_HEADER - len(beside)
    for member in members:
        length = len(member.encode(errors="replace")) + 1
        if length > room:
            lost("too_long_to_carry")
        else:
            room -= length
            yield member


def _headers(*, baggage: bool) -> dict[str, str]:
    headers: dict[str, str] = {}
    try:
        context = here()
        late.TRACE_CONTEXT.inject(headers, context)
        scope = attributes_of(context) if baggage else None
        if scope:
            from urllib.parse import quote_plus

            from telewright._registries import carried
            from telewright._scanning import scan_value

            known, declared, length = carried(), late.clear_baggage(context), 0
            for key, value in scope.items():
                if key not in known:
                    continue
                carried_value = scan_value(key, value, "baggage")
                if carried_value is None:
                    continue
                text = clean_text(_written(carried_value))
                member = len(quote_plus(key)) + len(quote_plus(text)) + 2
                if len(text) > _LONGEST or length + member > _LONGEST_HEADER:
                    lost("too_long_to_carry")
                else:
                    length += member
                    declared = late.set_baggage(key, text, declared)
            late.BAGGAGE.inject(headers, declared)
    except Exception:
        failed("fill a carrier")
    return headers


def _written(value: AttributeValue) -> str:
    """Return *value* as text; a list as JSON."""
    if isinstance(value, (list, tuple)):
        import json

        return json.dumps(value, ensure_ascii=False)
    return str(value)


class Within(Block):
    """The context that a carrier brought, current inside the block."""

    __slots__ = ("_carrier",)

    def __init__(self, headers: Headers) -> None:
        self._carrier = headers
        self._entered = {}
        self.live = True

    def __enter__(self) -> Self:
        try:
            self._enter(late.Context(continued(self._carrier)))
        except Exception:
            failed("read a carrier")
        return self


def continued(carried: Headers) -> Context:
    """Return the context of now with the parent and the scopes that *carried* brought."""
    headers = _read(carried)
    context = late.TRACE_CONTEXT.extract(headers, here())
    received = _received(headers)
    if received:
        context = late.set_value(KEY, {**(attributes_of(context) or {}), **received}, context)
    return context


def _read(headers: Headers) -> dict[str, str]:
    """Return the headers that concern us, by lower-case name; repeated ones as far as one goes."""
    pairs = getattr(headers, "items", None)
    found: dict[str, str] = {}
    entries: Any = headers if pairs is None else pairs()
    for name, value in entries:
        key, text = _text(name).lower(), _text(value)
        if key in found and key != "traceparent":
            text = f"{found[key]},{text}"
        if key in NAMES and len(text) <= _LONGEST_HEADER:
            found[key] = text
    return found


def _text(value: object) -> str:
    """Return a header's name or value; what is no text is none of ours."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return str.__str__(value) if isinstance(value, str) else ""


def _received(headers: Mapping[str, str]) -> dict[str, AttributeValue]:
    """Return the declared attributes among the baggage; what strangers wrote is dropped."""
    values: dict[str, AttributeValue] = {}
    if "baggage" not in headers:
        return values
    from urllib.parse import unquote_plus

    from telewright._registries import carried

    known = carried()
    for member in headers["baggage"].split(","):  # OpenTelemetry logs what it cannot read
        name, equals, rest = member.partition("=")
        key, text = name.strip(), unquote_plus(rest.partition(";")[0]).strip()
        if not equals or key not in known:
            continue
        if len(text) > _LONGEST:
            lost("too_long_to_carry")
            continue
        try:
            values[key] = known[key](text)
        except Exception:  # what a stranger wrote costs the attribute
            failed("read a carried attribute")
    return values


_WITHIN_OFF: Final = off(Within)


def within(headers: Headers | None) -> Within:
    """Continue, inside the block, what *headers* came from; an empty carrier changes nothing."""
    if TRACES.on and headers is not None:
        return Within(headers)
    return _WITHIN_OFF


extract = within
"""Continue, inside the block, what the headers of a request came from."""
