"""Scopes: attributes that every span started inside a block carries, whoever starts it."""

from __future__ import annotations

from telewright import _otel as otel
from telewright._block import Block, here, off
from telewright._guard import failed
from telewright._values import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, Self

    from opentelemetry.context import Context
    from opentelemetry.util.types import AttributeValue

KEY: Final = "telewright-scope"
"""Where a context holds what its scopes say."""

PROPAGATED: Final[dict[str, Callable[[str], AttributeValue]]] = {}
"""Keys that carriers take to other processes, each with what turns its text into a value again."""


def propagated(key: str, read: Callable[[str], AttributeValue]) -> None:
    """Declare that carriers take *key* along."""
    PROPAGATED[key] = read


def attributes_of(context: Context) -> Mapping[str, AttributeValue] | None:
    """Return what the scopes open in *context* say, the innermost winning key by key."""
    # Only this package writes KEY, and nothing but a dict of attributes.
    return context.get(KEY)  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


class Scope(Block):
    """Attributes for every span started inside the block."""

    __slots__ = ("_attributes",)

    def __init__(self, attributes: Mapping[str, AttributeValue]) -> None:
        self._attributes = attributes
        self._token = None
        self.live = True

    def __enter__(self) -> Self:
        try:
            context = here()
            merged = {**(attributes_of(context) or {}), **clean(self._attributes)}
            self._context = otel.set_value(KEY, merged, context)
            super().__enter__()
        except Exception:
            failed("enter a scope")
        return self


SCOPE_OFF: Final = off(Scope)
"""What a scope is while traces are off."""
