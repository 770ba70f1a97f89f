"""OpenTelemetry's dialect → topics and registries, so that all later stages are the same.

Each namespace becomes a topic. Paths in it lead to where its parts were written, in whatever file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.otel_attributes import attribute
from telewright_codegen.load.otel_checks import check_group
from telewright_codegen.load.otel_conventions import Origin
from telewright_codegen.load.otel_dependencies import Dependencies, check_imports
from telewright_codegen.load.otel_groups import groups
from telewright_codegen.load.otel_metrics import metric
from telewright_codegen.load.otel_places import Moved
from telewright_codegen.load.otel_resolve import Resolver
from telewright_codegen.source import At
from telewright_codegen.spec.otel import OtelFile, OtelManifest, OtelSchemaUrl
from telewright_codegen.spec.otel2 import Otel2File
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.otel_groups import Group
    from telewright_codegen.spec.attribute import AttributeSpec
    from telewright_codegen.spec.metric import MetricSpec

_NOT_A_WORD: Final = re.compile(r"[^a-z0-9_]+")


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
        found, spaces, origin = _topics(items, root, report)
        if folder not in has_registry:
            described = _described(items, spaces, name)
            ours.append(replace(described, conventions=origin))
        ours += found
    return ours


def _topics(
    items: Sequence[Loaded], root: Path, report: Report
) -> tuple[list[Loaded], _Spaces, Origin]:
    found = list(groups(items))
    owned = not items[0].foreign
    for group in found:
        check_group(group, report, owned=owned)
    others = Dependencies(root, report)
    others.read(items)
    resolver = Resolver(report, is_whole=others.is_whole)
    resolver.declare(found)
    resolver.depend(others.groups)
    if others.is_whole:
        check_imports(items, others.groups, report)
    for group in found:
        resolver.attributes(group)
    spaces = _Spaces(owned=owned)
    for group in found:
        spaces.add(group, resolver)
    return spaces.topics(), spaces, Origin(resolver, tuple(found))


class _Spaces:
    """Namespaces, and what is declared in each."""

    def __init__(self, *, owned: bool) -> None:
        self._owned = owned
        self._attributes: dict[str, list[tuple[AttributeSpec, At, Group]]] = defaultdict(list)
        self._metrics: dict[str, list[tuple[MetricSpec, At, Group]]] = defaultdict(list)
        self.names: dict[str, None] = {}

    def add(self, group: Group, resolver: Resolver) -> None:
        """Take in what *group* declares."""
        for entry in group.entries:
            key = entry.declares
            if key is None or resolver.declared.get(key) is not entry:
                continue
            made = attribute(entry, owned=self._owned)
            if made is not None:
                self._attributes[self._space(key)].append((made, entry.at, group))
        if self._owned and group.kind == "metric":
            measured = metric(group, resolver.attributes(group))
            if measured is not None:
                name: str = getattr(measured, measured.instruments[0])
                self._metrics[self._space(name)].append((measured, group.at, group))

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
        first = (attributes or metrics)[0]
        places = Moved(first[2].at)
        for index, (made, at, _) in enumerate(attributes):
            places.put(("attributes", index), at)
            if made.members:
                members = at / "type" / "members"
                for step, name in enumerate(made.members):
                    places.put(("attributes", index, "members", name), members / step)
        for index, (_, at, _) in enumerate(metrics):
            places.put(("metrics", index), at)
        brief = f"Names under `{space}`."
        single = {group.id for _, _, group in (*attributes, *metrics)}
        if len(single) == 1:
            brief = getattr(first[2].spec, "brief", None) or brief
        spec = TopicSpec.model_construct(
            topic=_word(space),
            brief=brief,
            attributes=[made for made, _, _ in attributes],
            metrics=[made for made, _, _ in metrics],
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
        return Loaded(spec, At(places, ()), first[2].file)


def _apart(
    attributes: list[tuple[AttributeSpec, At, Group]],
) -> list[tuple[AttributeSpec, At, Group]]:
    """Leave out what is deprecated where something current has the same constant."""
    current = {
        _NOT_A_WORD.sub("_", made.id.lower())
        for made, _, _ in attributes
        if made.deprecated is None
    }
    return [
        (made, at, group)
        for made, at, group in attributes
        if made.deprecated is None or _NOT_A_WORD.sub("_", made.id.lower()) not in current
    ]


def _described(items: Sequence[Loaded], spaces: _Spaces, called: str | None) -> Loaded:
    """Return the registry file that the manifest amounts to, or that is made up without one."""
    manifest = next((item for item in items if isinstance(item.spec, OtelManifest)), None)
    item = manifest or items[0]
    said = manifest.spec if manifest is not None else None
    url = _url(said) if isinstance(said, OtelManifest) else None
    version = (url or "").rpartition("/")[2]
    name = called or _name(item, said if isinstance(said, OtelManifest) else None, url, spaces)
    spec = RegistrySpec.model_construct(
        registry=name,
        version=version if version[:1].isdigit() else "0",
        brief=getattr(said, "description", None) or f"Names of `{name}`.",
        namespaces=list(spaces.names),
        schema_url=url,
    )
    return Loaded(spec, item.at, item.file)


def _url(manifest: OtelManifest) -> str | None:
    said = manifest.schema_url
    if isinstance(said, OtelSchemaUrl):
        return said.url
    if said is None and manifest.schema_base_url and manifest.semconv_version:
        return f"{manifest.schema_base_url.rstrip('/')}/{manifest.semconv_version}"
    return said


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
