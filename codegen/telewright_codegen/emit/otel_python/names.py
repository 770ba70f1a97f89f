"""What OpenTelemetry's Python package calls things, and what it leaves out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from telewright_codegen.model.registry import Registry
    from telewright_codegen.otel.conventions import Retirement

OTHER_LANGUAGES: Final = frozenset(
    {
        "android",
        "aspnetcore",
        "dotnet",
        "go",
        "ios",
        "jvm",
        "kestrel",
        "nodejs",
        "signalr",
        "v8js",
        "veightjs",
    }
)
"""Namespaces of runtimes that no Python program is in: OpenTelemetry publishes none for Python.

Nothing in its registry tells them from others; this is the list of its own build.
"""
_CLASS_NAMES: Final = {"cpython.gc.generation": "CPythonGCGenerationValues"}
"""Names that OpenTelemetry's own build gives by hand."""
_OPENTELEMETRY: Final = "https://opentelemetry.io/"
_ALONE: Final = "other"
"""The namespace of names without one."""

_SEPARATORS: Final = re.compile(r"[^A-Za-z0-9]+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Named(Protocol):
    """Something with a name, which may be deprecated."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def deprecated(self) -> Retirement | None:
        """Why it should no longer be used."""
        ...


N = TypeVar("N", bound=Named)


def namespace(name: str) -> str:
    """Return the module that *name* belongs to: its first part."""
    first, dot, _ = name.partition(".")
    return _SEPARATORS.sub("_", first).lower() if dot else _ALONE


def is_left_out(registry: Registry, name: str) -> bool:
    """Return whether a namespace of OpenTelemetry's own registry is not for Python."""
    url = registry.spec.schema_url or ""
    return url.startswith(_OPENTELEMETRY) and name.partition(".")[0] in OTHER_LANGUAGES


def constant(name: str) -> str:
    """Return the constant of *name*: ``HTTP_ROUTE``."""
    made = _SEPARATORS.sub("_", _HUMP.sub("_", name)).strip("_").upper()
    return made if made[:1].isalpha() else f"_{made}"


def enum_class(key: str) -> str:
    """Return the class of a key's values: ``HttpRequestMethodValues``."""
    words = "".join(word[:1].upper() + word[1:] for word in _SEPARATORS.split(key))
    return _CLASS_NAMES.get(key) or f"{words if words[:1].isalpha() else f'_{words}'}Values"


def factory(metric: str) -> str:
    """Return the function that makes an instrument: ``create_http_client_request_duration``."""
    return f"create_{_SEPARATORS.sub('_', metric)}"


def distinct(items: Iterable[N], called: Callable[[N], str]) -> list[N]:
    """Return *items* by name, of those with one Python name the one that is current."""
    found: dict[str, N] = {}
    for item in sorted(items, key=lambda one: (one.deprecated is not None, one.name)):
        found.setdefault(called(item), item)
    return sorted(found.values(), key=lambda one: one.name)
