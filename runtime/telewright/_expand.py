"""Attributes of a family of keys, and marks on what should no longer be used."""

from __future__ import annotations

from telewright._guard import failed, lost
from telewright._values import clean_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opentelemetry.util.types import AttributeValue
    from typing_extensions import deprecated
else:

    def deprecated(text):  # noqa: ANN001, ANN202 - the other branch has the types
        """Mark a function as one that should no longer be used, as PEP 702 has it."""

        def mark(function):  # noqa: ANN001, ANN202 - as above
            function.__deprecated__ = text
            return function

        return mark


__all__ = ["deprecated", "drop", "expand"]


def drop(value: object) -> AttributeValue | None:
    """Return None, whatever *value* is: the specs say that it may not go."""
    if value is not None:
        lost("drop")
    return None


def expand(
    template: str,
    values: Mapping[str, object] | None,
    rule: Callable[[object], AttributeValue | None] = clean_value,
) -> dict[str, AttributeValue]:
    """Return the attributes of a family of keys.

    Args:
        template: What every key begins with.
        values: From the rest of a key to its value.
        rule: What makes a value fit to go; None where it may not.
    """
    made: dict[str, AttributeValue] = {}
    try:
        for rest, value in () if values is None else values.items():
            good = None if value is None else rule(value)
            if good is not None:
                made[f"{template}.{str.__str__(rest)}"] = good
    except Exception:  # any mapping may come
        failed("read the values of a family of keys")
    return made
