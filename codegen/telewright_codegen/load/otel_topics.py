"""OpenTelemetry's dialect → topics and registries, so that all later stages are the same.

Each namespace becomes a topic. Paths in it lead to where its parts were written, in whatever file.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.otel_attributes import attribute
from telewright_codegen.load.otel_checks import check_group
from telewright_codegen.load.otel_conventions import Origin
from telewright_codegen.load.otel_dependencies import Dependencies, schema_url
from telewright_codegen.load.otel_groups import groups
from telewright_codegen.load.otel_imports import imported
from telewright_codegen.load.otel_metrics import metric
from telewright_codegen.load.otel_places import Moved
from telewright_codegen.load.otel_resolve import Resolver
from telewright_codegen.source import At
from telewright_codegen.spec.otel import OtelFile, OtelManifest
from telewright_codegen.spec.otel2 import Otel2File
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.otel_groups import Entry, Group
    from telewright_codegen.spec.attribute import AttributeSpec
    from telewright_codegen.spec.metric import MetricSpec

_NOT_A_WORD: Final = re.compile(r"[^a-z0-9_]+")

S = TypeVar("S")


def translated(
    loaded: Sequence[Loaded], report: Report, *, root: Path, name: str | None = None
) -> list[Loaded]:
    """Return *loaded* with each registry in OpenTelemetry's dialect put into ours.

    Args:
        loaded: What was read.
        report: Where findings go.
        root: The folder of the project.
        name: What whoever uses the registry calls it; its own name, where left out.
    """
    ours: list[Loaded] = []
    foreign: dict[str, list[Loaded]] = defaultdict(list)
    for item in loaded:
        if isinstance(item.spec, OtelFile | Otel2File | OtelManifest):
            foreign[item.folder].append(item)
        else:
            ours.append(item)
    has_registry = {item.folder for item in ours if isinstance(item.spec, RegistrySpec)}
    for folder, items in foreign.items():
        found, spaces, origin, below = _topics(items, root, report)
        if folder not in has_registry:
            described = _described(items, spaces, name)
            ours.append(described._replace(conventions=origin, below=below))
        ours += found
    return ours


def _topics(
    items: Sequence[Loaded], root: Path, report: Report
) -> tuple[list[Loaded], _Spaces, Origin, frozenset[str]]:
    found = list(groups(items))
    owned = not items[0].foreign
    for group in found:
        check_group(group, report, owned=owned)
    others = Dependencies(root, report)
    others.read(items)
    resolver = Resolver(report, is_whole=others.is_whole)
    resolver.declare(found)
    resolver.depend(others.groups)
    taken = imported(items, resolver, others.groups, report)
    for group in found:
        resolver.attributes(group)
    spaces = _Spaces(items[0], owned=owned)
    for group in found:
        spaces.add(group, resolver)
    borrowed = resolver.borrowed((*found, *taken)) if others.groups else {}
    for entry in borrowed.values():
        spaces.borrow(entry)
    origin = Origin(resolver, (*found, *taken), borrowed)
    return spaces.topics(), spaces, origin, frozenset(others.folders)


@dataclass(frozen=True, slots=True)
class _Made(Generic[S]):
    """Something in our language, and where it was said in the other."""

    spec: S
    at: At
    group: Group | None
    """The group that declares it; None if that is in another registry."""


class _Spaces:
    """Namespaces, and what is declared in each."""

    def __init__(self, top: Loaded, *, owned: bool) -> None:
        self._top = top
        self._owned = owned
        self._attributes: dict[str, list[_Made[AttributeSpec]]] = defaultdict(list)
        self._metrics: dict[str, list[_Made[MetricSpec]]] = defaultdict(list)
        self.names: dict[str, None] = {}

    def add(self, group: Group, resolver: Resolver) -> None:
        """Take in what *group* declares."""
        for entry in group.entries:
            key = entry.declares
            if key is None or resolver.declared.get(key) is not entry:
                continue
            made = attribute(entry, owned=self._owned)
            if made is not None:
                self._attributes[self._space(key)].append(_Made(made, entry.at, group))
        if self._owned and group.kind == "metric":
            measured = metric(group, resolver.attributes(group), resolver.annotations(group))
            if measured is not None:
                name: str = getattr(measured, measured.instruments[0])
                self._metrics[self._space(name)].append(_Made(measured, group.at, group))

    def borrow(self, entry: Entry) -> None:
        """Take in what a registry that this one depends on declares, and this one refers to."""
        made = attribute(entry, owned=False)
        if made is not None:
            self._attributes[made.id.partition(".")[0]].append(_Made(made, entry.at, None))

    def _space(self, name: str) -> str:
        first, dot, _ = name.partition(".")
        if dot:
            self.names.setdefault(first)
        return first

    def topics(self) -> list[Loaded]:
        """Return a topic for each namespace."""
        return [self._topic(space) for space in dict.fromkeys([*self._attributes, *self._metrics])]

    def _topic(self, space: str) -> Loaded:
        attributes, metrics = _apart(self._attributes[space]), self._metrics[space]
        if not self._owned:
            attributes = _told_apart(attributes)
        of_groups = [*(one.group for one in attributes), *(one.group for one in metrics)]
        homes = {group.id: group for group in of_groups if group is not None}
        first = next(iter(homes.values()), self._top)
        places = Moved(first.at)
        for index, one in enumerate(attributes):
            places.put(("attributes", index), one.at)
            if one.spec.members:
                members = one.at / "type" / "members"
                for step, name in enumerate(one.spec.members):
                    places.put(("attributes", index, "members", name), members / step)
        for index, measured in enumerate(metrics):
            places.put(("metrics", index), measured.at)
        brief = getattr(first.spec, "brief", None) if len(homes) == 1 else None
        spec = TopicSpec.model_construct(
            topic=_word(space),
            brief=brief or f"Names under `{space}`.",
            attributes=[one.spec for one in attributes],
            metrics=[one.spec for one in metrics],
            # Said, so that pydantic need not find out how each default is made, topic by topic.
            enums=[],
            spans=[],
            events=[],
            scopes=[],
            resources=[],
            settings=[],
            instrumentations=[],
            allow={},
        )
        return Loaded(spec, At(places, ()), first.file, given=True)


def _apart(attributes: list[_Made[AttributeSpec]]) -> list[_Made[AttributeSpec]]:
    """Leave out what is deprecated where something current has the same constant."""
    current = {_shape(one.spec) for one in attributes if one.spec.deprecated is None}
    if len(current) == len(attributes):
        return attributes
    return [
        one for one in attributes if one.spec.deprecated is None or _shape(one.spec) not in current
    ]


def _told_apart(attributes: list[_Made[AttributeSpec]]) -> list[_Made[AttributeSpec]]:
    """Number what has the constant of an earlier one; whoever only reads it cannot rename it."""
    seen: Counter[str] = Counter()
    found: list[_Made[AttributeSpec]] = []
    for one in attributes:
        shape = _shape(one.spec)
        seen[shape] += one.spec.constant is None
        number = seen[shape]
        if number > 1 and one.spec.constant is None:
            enum = None if one.spec.enum is None else f"{one.spec.enum}{number}"
            named = {"constant": f"{shape.upper()}_{number}", "enum": enum}
            one = replace(one, spec=one.spec.model_copy(update=named))  # noqa: PLW2901  the same one
        found.append(one)
    return found


def _shape(spec: AttributeSpec) -> str:
    return _NOT_A_WORD.sub("_", spec.id.lower())


def _described(items: Sequence[Loaded], spaces: _Spaces, called: str | None) -> Loaded:
    """Return the registry file that the manifest amounts to, or that is made up without one."""
    manifest = next((item for item in items if isinstance(item.spec, OtelManifest)), None)
    item = manifest or items[0]
    said = manifest.spec if manifest is not None else None
    url = schema_url(said) if isinstance(said, OtelManifest) else None
    version = (url or "").rpartition("/")[2]
    name = called or _name(item, said if isinstance(said, OtelManifest) else None, url, spaces)
    spec = RegistrySpec.model_construct(
        registry=name,
        version=version if version[:1].isdigit() else "0",
        brief=getattr(said, "description", None) or f"Names of `{name}`.",
        namespaces=list(spaces.names),
        schema_url=url,
    )
    return Loaded(spec, item.at, item.file, given=True)


def _name(item: Loaded, manifest: OtelManifest | None, url: str | None, spaces: _Spaces) -> str:
    if manifest is None:
        return next(map(_word, spaces.names), _word(PurePosixPath(item.file.name).stem))
    if manifest.name:
        return _word(manifest.name)
    if url and "opentelemetry.io/" in url:
        return "otel"
    return _word(PurePosixPath(item.folder).name)


def _word(text: str) -> str:
    word = _NOT_A_WORD.sub("_", text.lower()).strip("_")[:64]
    return word if word[:1].isalpha() else f"r{word}"
