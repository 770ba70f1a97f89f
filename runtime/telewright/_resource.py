"""A set of resource attributes, as generated constructors make it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from opentelemetry.util.types import AttributeValue


class Resource:
    """What is true of a whole process; `telewright.start` takes it."""

    __slots__ = ("attributes", "name")

    def __init__(self, name: str, attributes: Mapping[str, AttributeValue | None]) -> None:
        self.name: Final = name
        self.attributes: Final[dict[str, AttributeValue]] = {
            key: value for key, value in attributes.items() if value is not None
        }

    def __repr__(self) -> str:
        return f"<Resource {self.name} {self.attributes}>"
