"""What loading ends with: one valid spec, and where it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from telewright_codegen.otel.conventions import Conventions
    from telewright_codegen.source import At, SourceFile
    from telewright_codegen.spec.otel import OtelFile, OtelManifest
    from telewright_codegen.spec.otel2 import Otel2File
    from telewright_codegen.spec.registry import RegistrySpec
    from telewright_codegen.spec.topic import TopicSpec

    OtelSpec = OtelFile | Otel2File | OtelManifest


class Loaded(NamedTuple):
    """One file that says something valid; parts of it that do not are left out."""

    spec: RegistrySpec | TopicSpec | OtelSpec
    """OpenTelemetry's own dialect becomes topics and registries before loading ends."""
    at: At
    file: SourceFile
    conventions: Callable[[], Conventions] | None = None
    """Of a registry in OpenTelemetry's dialect: all of it, when somebody asks."""
    below: frozenset[str] = frozenset()
    """Of such a registry: the folders of those that it depends on."""
    given: bool = False
    """Whether its name is a namespace of that dialect, which nobody chose for a module."""

    @property
    def folder(self) -> str:
        """The folder of its registry, as headers call it."""
        return self.file.folder

    @property
    def foreign(self) -> bool:
        """Whether it is only read here, and checked where it comes from."""
        return self.file.foreign
