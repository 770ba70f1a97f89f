"""Making values fit for export: whatever is given, a plain value leaves, or none.

Exact types that need nothing done pass in one look each. Anything else is taken apart without
running the application's code: no ``__str__``, ``__hash__``, ``__eq__`` or ``__iter__`` of a
foreign class is called, and what has no plain form is left out and counted.
"""

from __future__ import annotations

from enum import Enum
from sys import modules

from telewright._guard import lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

LONGEST: Final = 65_536
"""Characters of one text that are kept; OpenTelemetry's own limits may keep fewer."""

MOST: Final = 1_024
"""Elements of one list that are kept."""

_LONGEST_ID: Final = 64
"""Characters of a text that is remembered as it is, so that it can be told from others."""

_LEAST_INT: Final = -(2**63)
_GREATEST_INT: Final = 2**63 - 1


class Hashed(str):
    """A text that stands for a personal value; the type tells whoever comes next."""

    __slots__ = ()


_MEMBERS: Final[set[type]] = {Hashed}
"""Kinds of text that are fit as they are: that one, and the enumerations of the specs."""

LABELS: Final[set[type]] = {str, bool, Hashed}
"""What attributes of metrics are of, as a rule: those, and exact texts and truth values."""

HARMLESS: Final[set[type]] = {str, bool, int, float, Hashed}
"""Those, and exact numbers: what attributes of spans are of.

Spans' values are looked at again when they are exported: what a number or a text of an exact type
is wrong with, it is wrong with later.
"""


def clean(attributes: Mapping[str, Any]) -> Mapping[str, AttributeValue]:
    """Return *attributes* themselves if every value is fit, else a copy of those that can be.

    Halves of surrogate pairs, which would spoil a batch, are looked for when a batch is exported.
    """
    for value in attributes.values():
        kind = type(value)  # pyright: ignore[reportUnknownVariableType] - anything may come
        if kind is str:
            if len(value) <= LONGEST:
                continue
        elif kind is int:
            if _LEAST_INT <= value <= _GREATEST_INT:
                continue
        elif kind is bool or kind in _MEMBERS or (kind is float and value - value == 0.0):
            continue
        break
    else:
        return attributes
    fit: dict[str, AttributeValue] = {}
    for key, value in attributes.items():
        good = clean_value(value)
        if good is not None:
            fit[key] = good
    return fit


def clean_value(value: Any) -> AttributeValue | None:  # noqa: ANN401 - anything may come
    """Return *value* in a plain form, or None where it has none."""
    try:
        good = _scalar(value)
        if good is not None:
            return good
        if isinstance(value, list):
            return _elements(list.__iter__(value))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - anything may be in it
        if isinstance(value, tuple):
            return _elements(tuple.__iter__(value))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - anything may be in it
        if type(value).__module__ == "numpy" and value.ndim == 1:
            return _elements(value[: MOST + 1].tolist())
        lost("none" if value is None else "unfit_type")
    except Unfit as unfit:
        lost(unfit.reason)
    except Exception:  # a class that lies about itself
        lost("hostile")
    return None


def exact(value: AttributeValue) -> AttributeValue:
    """Return *value*, which is clean, without members of enumerations: as the texts they are."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType] - of scalars
        return [str.__str__(item) if isinstance(item, str) else item for item in items]
    return value


class Unfit(Exception):  # noqa: N818 - a verdict about a value, not an error
    """A value has no form that could be exported."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: Final = reason


def clean_text(text: str) -> str:
    """Return *text* short enough, and without halves of surrogate pairs."""
    if len(text) > LONGEST:
        lost("truncated")
        text = text[:LONGEST]
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            lost("surrogate")
            text = text.encode("utf-8", "replace").decode()
    return text


def number(value: Any) -> float:  # noqa: ANN401 - anything may come
    """Return *value* as an exact, finite number that fits 64 bits; no truth value is one.

    Raises:
        Unfit: If it is none.
    """
    if isinstance(value, bool):
        raise Unfit("not_a_number")
    good = _scalar(value)
    if type(good) is int or type(good) is float:
        return good
    raise Unfit("not_a_number")


def identity(part: object) -> str | bytes:
    """Return what tells an id or a label from others: its exact text, or the digest of a long one.

    Raises:
        Unfit: If it has no text.
    """
    if type(part) is str:
        text = part
    else:
        try:
            text = _text_for(part)
        except Unfit:
            raise
        except Exception:  # a class that lies about itself
            raise Unfit("no_id") from None
    return text if len(text) <= _LONGEST_ID else _digest(text)


def _text_for(part: Any) -> str:  # noqa: ANN401 - anything may come
    """Return the text of what `clean` makes a value of, and of a UUID, which it makes none of."""
    if isinstance(part, str):
        return str.__str__(part)
    if isinstance(part, bytes):
        return _text_of_bytes(part)
    if isinstance(part, (list, tuple)):
        kind: Any = list if isinstance(part, list) else tuple
        return repr([identity(item) for item in kind.__iter__(part)])
    uuid = modules.get("uuid")
    if uuid is not None and type(part) is uuid.UUID and type(part.int) is int:
        return str(part)
    if type(part).__module__ == "numpy" and part.ndim == 1:
        return _text_for(part.tolist())
    good = _scalar(part)
    if good is None:
        raise Unfit("no_id")
    return str.__str__(good) if isinstance(good, str) else repr(good)


def _text_of_bytes(part: bytes) -> str:
    try:
        return bytes.decode(part)
    except UnicodeDecodeError:  # as of a digest
        return f"0x{bytes.hex(part)}"


def _digest(text: str) -> bytes:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _scalar(value: Any) -> str | bool | int | float | None:  # noqa: ANN401, C901, PLR0911 - one exit a kind
    """Return a scalar in its exact type, or None for what is no scalar."""
    if isinstance(value, str):
        kind = type(value)
        if kind is Hashed:
            return value
        if isinstance(value, Enum) and len(_MEMBERS) < MOST:
            text = value._value_
            if type(text) is str and clean_text(text) is text:
                _MEMBERS.add(kind)
                LABELS.add(kind)
                HARMLESS.add(kind)
                return value
        return clean_text(str.__str__(value))
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        whole = int.__int__(value)
        if _LEAST_INT <= whole <= _GREATEST_INT:
            return whole
        raise Unfit("out_of_range")
    if isinstance(value, float):
        real = float.__float__(value)
        if real - real == 0.0:
            return real
        raise Unfit("not_finite")
    if isinstance(value, bytes):
        return _text_of(value)
    if isinstance(value, Enum):
        return _scalar(value._value_)
    if type(value).__module__ == "numpy" and value.ndim == 0:
        plain = value.item()
        return None if type(plain).__module__ == "numpy" else _scalar(plain)
    return None


def _text_of(value: bytes) -> str:
    try:
        return clean_text(bytes.decode(value[: LONGEST * 4]))
    except UnicodeDecodeError:
        raise Unfit("not_text") from None


def _elements(values: Any) -> AttributeValue:  # noqa: ANN401 - a sequence of anything
    """Keep the elements that are of the kind of the first fit one; whole numbers join fractions."""
    kept: list[Any] = []
    kind: type | None = None
    for place, value in enumerate(values):
        if place == MOST:
            lost("truncated")
            break
        try:
            good = _scalar(value)
        except Unfit as unfit:
            lost(unfit.reason)
            continue
        if good is None:
            lost("none" if value is None else "unfit_type")
            continue
        its = str if isinstance(good, str) else type(good)
        if kind is None:
            kind = its
        elif kind is not its:
            if {kind, its} != {int, float}:
                lost("mixed_list")
                continue
            kind = float
        kept.append(good)
    if kind is float:
        return [float(item) for item in kept]
    return kept
