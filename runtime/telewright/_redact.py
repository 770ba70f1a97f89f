"""`telewright.testing.redact`: what would be exported of one value.

>>> redact("attribute", "url.full", "https://bot:hunter2@example.com/x")
'https://[redacted:userinfo]@example.com/x'
>>> redact("attribute", "made.up", 1, declared=False)
DROPPED
"""

from __future__ import annotations

from typing import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_OWN: Final = frozenset({"attribute", "event", "metric_attr", "link"})
"""Where only declared keys may leave; elsewhere whatever comes is scanned."""

_PLAIN: Final = (str, bool, int, float, bytes, bytearray, list, tuple, dict, type(None))


class Dropped:
    """The type of `DROPPED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DROPPED"

    def __bool__(self) -> bool:
        return False


DROPPED: Final = Dropped()
"""What `redact` returns for a value of which nothing is exported."""


def redact(
    where: str,
    key: str | None,
    value: object,
    *,
    declared: bool = True,
    profile: str = "default",
) -> object:
    """Return what would be exported of *value*, or `DROPPED`.

    Args:
        where: The surface: `attribute`, `event`, `link`, `metric_attr`, `resource`, `url`, `log`,
            `exception`, `status`, `span_name`, `baggage` or `message`.
        key: The name it stands under; of an exception its type; None where there is none.
        value: Anything.
        declared: Whether the specs declare *key*, as text that may leave once it is scanned.
            Numbers and booleans that they declare are never altered.
        profile: `default`, `strict` or `off`, as `<PREFIX>_REDACTION` has it.
    """
    if profile == "off":
        return value
    if not declared and where in _OWN:
        return DROPPED
    if not isinstance(value, _PLAIN):
        return DROPPED
    if declared and isinstance(value, (int, float)):
        return value
    try:
        from telewright._scan import scan

        return scan(where, key, cast("object", value), profile=profile)
    except Exception:  # what cannot be scanned does not leave
        return DROPPED
