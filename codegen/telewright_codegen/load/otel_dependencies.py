"""Registries that a manifest of OpenTelemetry's depends on: read from folders of the project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.discover import name_of, registry_folder
from telewright_codegen.load.otel_groups import groups
from telewright_codegen.load.parse import parse
from telewright_codegen.load.validate import validate
from telewright_codegen.spec.otel import OtelManifest, OtelSchemaUrl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.load.otel_groups import Group
    from telewright_codegen.source import At
    from telewright_codegen.spec.otel import OtelDependency

_DEEPEST: Final = 10
"""So many registries may depend on each other in a row."""


def schema_url(manifest: OtelManifest) -> str | None:
    """Return the URL that names a registry and its version."""
    said = _written(manifest.schema_url)
    if said is None and manifest.schema_base_url and manifest.semconv_version:
        return f"{manifest.schema_base_url.rstrip('/')}/{manifest.semconv_version}"
    return said


def _written(said: OtelSchemaUrl | str | None) -> str | None:
    return said.url if isinstance(said, OtelSchemaUrl) else said


@dataclass(slots=True)
class Dependencies:
    """What a registry may refer to besides its own groups."""

    root: Path
    """The folder of the project; nothing outside of it is read."""
    report: Report
    groups: list[Group] = field(default_factory=list["Group"])
    is_whole: bool = True
    """Whether all of them were found."""
    _seen: dict[str, tuple[str, At]] = field(default_factory=dict[str, "tuple[str, At]"])
    folders: set[str] = field(default_factory=set[str])
    """Those that were read, as headers call them."""

    def read(self, items: Sequence[Loaded], above: tuple[Path, ...] = ()) -> None:
        """Read what the manifest among *items* depends on, and what that depends on."""
        for item in items:
            if isinstance(item.spec, OtelManifest):
                folder = item.file.path.parent.resolve()
                for index, dependency in enumerate(item.spec.dependencies):
                    at = item.at / "dependencies" / index
                    self._one(dependency, at, folder, (*above, folder))

    def _one(
        self, dependency: OtelDependency, at: At, folder: Path, above: tuple[Path, ...]
    ) -> None:
        if self._is_known(dependency, at):
            return
        where = self._folder(dependency, at, folder)
        if where is None:
            self.is_whole = False
            return
        if where in above or len(above) >= _DEEPEST:
            self.report.error(
                "TW802",
                "manifests depend on each other"
                if where in above
                else f"more than {_DEEPEST} registries depend on each other in a row",
                at.value("registry_path"),
                "comes back to where it began" if where in above else "too deep",
                help="move what they share to a registry below them",
            )
            return
        name = name_of(where, self.root.resolve())
        if name in self.folders:
            return
        self.folders.add(name)
        files = registry_folder(where, self.root, self.report)
        documents = [made for file in files if (made := parse(file, self.report)) is not None]
        items = validate(documents, self.report, as_written=True)
        self._check_version(dependency, at, items)
        self.read(items, above)
        self.groups += groups(items)

    def _is_known(self, dependency: OtelDependency, at: At) -> bool:
        """Whether this was read before; two versions of one registry are reported."""
        base, _, version = (_written(dependency.schema_url) or "").rpartition("/")
        if not base:
            return False
        former, where = self._seen.setdefault(base, (version, at))
        if former != version:
            self.report.error(
                "TW810",
                f"two versions of `{base}`, {former} and {version}",
                at.value(),
                f"wants {version}",
                secondary=(Label(where.value(), f"wants {former}"),),
                help="depend on one version throughout",
            )
        return where is not at

    def _check_version(self, dependency: OtelDependency, at: At, items: Sequence[Loaded]) -> None:
        """Report a folder that holds something else than the manifest wants."""
        wanted = _written(dependency.schema_url)
        for item in items:
            found = schema_url(item.spec) if isinstance(item.spec, OtelManifest) else None
            if wanted is not None and found is not None and found.rstrip("/") != wanted.rstrip("/"):
                self.report.error(
                    "TW810",
                    f"`{dependency.registry_path}` is `{found}`, not `{wanted}`",
                    at.value("schema_url"),
                    "wants this one",
                    secondary=(Label(item.at.value("schema_url"), "and finds this one"),),
                    help="change the one that is wrong",
                )

    def _folder(self, dependency: OtelDependency, at: At, folder: Path) -> Path | None:
        path = dependency.registry_path
        where = None if path is None or "://" in path else (folder / path).resolve()
        inside = where is not None and where.is_relative_to(self.root.resolve())
        if where is None or not inside or not where.is_dir():
            self.report.warning(
                "TW809",
                "a dependency that is not here",
                at.value("registry_path") if path is not None else at.value(),
                "names of it cannot be checked",
                help="copy it into the project and say where: `registry_path: ../otel`",
            )
            return None
        return where
