"""Registries that a manifest of OpenTelemetry's depends on: read from folders of the project."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.discover import registry_folder
from telewright_codegen.load.otel_groups import groups
from telewright_codegen.load.parse import parse
from telewright_codegen.load.validate import validate
from telewright_codegen.spec.otel import OtelFile, OtelManifest, OtelSchemaUrl
from telewright_codegen.spec.otel2 import Otel2File

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
        if where in above or len(above) > _DEEPEST:
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
        files = registry_folder(where, self.root, self.report)
        documents = [made for file in files if (made := parse(file, self.report)) is not None]
        items = validate(documents, self.report)
        self.read(items, above)
        self.groups += groups(items)

    def _is_known(self, dependency: OtelDependency, at: At) -> bool:
        """Whether this was read before; two versions of one registry are reported."""
        said = dependency.schema_url
        url = said.url if isinstance(said, OtelSchemaUrl) else said
        base, _, version = (url or dependency.name or "").rpartition("/")
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


def check_imports(
    items: Sequence[Loaded], groups_of_others: Sequence[Group], report: Report
) -> None:
    """Report imports that match no signal of a dependency."""
    for item in items:
        if not isinstance(item.spec, OtelFile | Otel2File) or item.spec.imports is None:
            continue
        for field_name, kind in _KINDS.items():
            patterns = cast("list[str]", getattr(item.spec.imports, field_name) or [])
            for index, pattern in enumerate(patterns):
                if not any(_matches(group, kind, pattern) for group in groups_of_others):
                    report.error(
                        "TW801",
                        f"no {kind.replace('_', ' ')} is called like `{pattern}`",
                        (item.at / "imports" / field_name / index).value(),
                        "in no registry that this one depends on",
                    )


_KINDS: Final = {
    "metrics": "metric",
    "events": "event",
    "entities": "entity",
    "spans": "span",
    "attribute_groups": "attribute_group",
}


def _matches(group: Group, kind: str, pattern: str) -> bool:
    if group.kind != kind:
        return False
    names = (group.id, group.id.removeprefix(f"{kind}."), group.signal)
    return any(name is not None and fnmatchcase(name, pattern) for name in names)
