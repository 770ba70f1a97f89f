"""What becomes of a sensitive value before telemetry sees it.

Generated helpers call these where the specs declare an attribute to be sensitive; each returns
None for a value that may not go, and helpers leave that out.
"""

from __future__ import annotations

from telewright._guard import lost
from telewright._values import Hashed, clean_text, clean_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

MASK: Final = "[masked]"
"""What stands for a masked value."""

_HASH_LENGTH: Final = 16


class Policy:
    """What `start` was told about sensitive values."""

    __slots__ = ("content", "hash_key")

    def __init__(self) -> None:
        self.content = False
        self.hash_key: bytes | None = None


POLICY: Final = Policy()
"""The policy of this process: nothing goes unless `start` says so."""


def personal(value: object) -> AttributeValue | None:
    """Return a keyed hash of *value*, the same in every process with that key; without, None."""
    if value is None or isinstance(value, Hashed):
        return value
    key = POLICY.hash_key
    if key is None:
        lost("personal")
        return None
    fit = clean_value(value)
    if fit is None:
        return None
    lost("hashed")
    if isinstance(fit, (str, bool, int, float)):
        return _digest(key, fit)
    return [item if isinstance(item, Hashed) else _digest(key, item) for item in fit]


def content(value: object) -> AttributeValue | None:
    """Return *value* if content may go, else None."""
    if value is None:
        return None
    if POLICY.content is not True:
        lost("content")
        return None
    return clean_value(value)


def mask(value: object) -> str | None:
    """Return what says that there was a value."""
    if value is None or value is MASK:
        return MASK if value is MASK else None
    lost("masked")
    return MASK


def truncate(value: object, length: int) -> AttributeValue | None:
    """Return *value* with every text in it cut to *length* characters."""
    fit = clean_value(value)
    if isinstance(fit, str):
        return _cut(fit, length)
    if fit is None or isinstance(fit, (bool, int, float)):
        return fit
    texts: Any = [_cut(item, length) if isinstance(item, str) else item for item in fit]
    return texts  # type: ignore[no-any-return]  # a list of one kind, as `clean_value` made it


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    lost("truncated")
    return text[:length]


def _digest(key: bytes, value: object) -> Hashed:
    from hmac import digest  # loads OpenSSL, which a process without a key never needs

    text = str.__str__(value) if isinstance(value, str) else repr(value)
    return Hashed(digest(key, clean_text(text).encode(), "sha256").hex()[:_HASH_LENGTH])
