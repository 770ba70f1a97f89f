"""The scan of values for what nobody declared to be in them, as exports and carriers use it.

What cannot be scanned does not leave. The rules are loaded when the first text comes, so a process
without telemetry never pays for them.
"""

from __future__ import annotations

from functools import lru_cache

from telewright._guard import failed, lost
from telewright._sensitive import MASK, POLICY
from telewright._values import Hashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.util.types import AttributeValue

PROFILE: Final[list[str]] = ["default"]
"""The profile of this process."""

EXCEPTION_TEXT: Final[list[bool]] = [False]
"""Whether messages and stacks of exceptions may leave, scanned; their types always do."""

LEFT_OUT: Final = "[redacted:failed]"
"""What stands for a text that could not be scanned."""

_SHORT: Final = 256


def scan_value(key: str, value: AttributeValue, where: str = "attribute") -> AttributeValue | None:
    """Return *value*, found under *key*, as it may leave."""
    if isinstance(value, (bool, float, Hashed)) or value is MASK or PROFILE[0] == "off":
        return value
    try:
        if type(value) is str and len(value) <= _SHORT:
            result: object = _short(where, key, value, PROFILE[0], POLICY.content is True)
        else:
            from telewright._scan import scan

            result = scan(where, key, value, profile=PROFILE[0], content=POLICY.content is True)
    except Exception:
        if where == "message":  # our own line; saying that it failed would need another scan
            lost("failed")
        else:
            failed("scan a value")
        return None
    if result is not value and result != value:
        lost("redacted")
    return result  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - of the same kind


def scan_text(text: str, where: str = "message") -> str:
    """Return a text that is no attribute's as it may leave."""
    result = scan_value("", text, where)
    return result if isinstance(result, str) else LEFT_OUT


@lru_cache(maxsize=8192)
def _short(where: str, key: str, value: str, profile: str, content: bool) -> object:  # noqa: FBT001 - a key of the cache
    from telewright._scan import scan

    return scan(where, key, value, profile=profile, content=content)
