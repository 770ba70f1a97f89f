"""Facts against specs: every difference, each with a name of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.specs.facts import bucket_of, groups_of, keys_of, members_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.model.signals import Attribute, Metric, Span
    from tests.specs.declared import Declared
    from tests.specs.facts import Entry, Facts

_NUMBERS: Final = {"int": "int", "double": "double", "boolean": "boolean"}


def differences(facts: Facts, declared: Declared) -> set[str]:
    """Return what the facts say and the specs do not, or say otherwise."""
    return {
        *_groups(facts, declared),
        *_presets(facts, declared),
        *_spans(facts, declared),
        *_attributes(facts, declared),
        *_resources(facts, declared),
        *_metrics(facts, declared),
        *_scopes(facts, declared),
        *_categories(facts, declared),
        *_settings(facts, declared),
    }


def _groups(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.groups():
        group = declared.groups.get(name)
        if group is None:
            yield f"group {name}: not declared"
            continue
        registry = name.split(".")[0]
        for preset in entry["presets"]:
            members = declared.presets.get(f"{registry}.{preset}")
            if preset != "all" and (members is None or group not in members.groups):
                yield f"group {name}: not in preset {preset}"
        if (entry.get("rl_class") == "umbrella") != group.spec.umbrella:
            yield f"group {name}: umbrella"
        if entry.get("rl_bucket") != (group.bucket and group.bucket.value):
            yield f"group {name}: bucket"


def _presets(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.presets():
        preset = declared.presets.get(name)
        if preset is None:
            yield f"preset {name}: not declared"
        elif {one.name for one in preset.groups} != set(entry["members"]):
            yield f"preset {name}: members"


def _spans(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.spans():
        span = declared.spans.get(name)
        if span is not None:
            yield from (f"span {name}: {aspect}" for aspect in _span(name, span, entry, declared))
        elif name not in declared.patterns:
            yield f"span {name}: not declared"


def _span(name: str, span: Span, entry: Entry, declared: Declared) -> Iterator[str]:
    groups = groups_of(entry)
    if span.group.name not in groups:
        yield "group"
    if span.spec.kind.value.upper() != entry["kind"]:
        yield "kind"
    said = keys_of(entry, name)
    carried = declared.carried(span)
    for key in sorted(said - carried):
        yield f"lacks {key}"
    for key in sorted({use.attribute.key for use in span.attributes} - said):
        yield f"adds {key}"
    if bucket_of(entry) != span.bucket and len(groups) == 1:
        yield "bucket"
    if "renamed_from" in entry and not _has_old_name(entry["renamed_from"], span, declared):
        yield f"renamed from {entry['renamed_from']}"


def _has_old_name(old: str, span: Span, declared: Declared) -> bool:
    """Return whether a deprecated span with the old name points at this one."""
    last = old.rsplit(".", maxsplit=1)[-1]
    for other in declared.spans.values():
        deprecation = other.spec.deprecated
        if deprecation and deprecation.renamed_to == span.name and other.name.endswith(f".{last}"):
            return True
    return False


def _attributes(facts: Facts, declared: Declared) -> Iterator[str]:
    for key, entry in facts.attributes():
        attribute = declared.attributes.get(key)
        if attribute is None:
            yield f"attribute {key}: not declared"
            continue
        yield from (f"attribute {key}: {aspect}" for aspect in _attribute(attribute, entry))
        old = declared.attributes.get(entry.get("renamed_from", key))
        if "renamed_from" in entry and not (
            old and old.spec.deprecated and old.spec.deprecated.renamed_to == key
        ):
            yield f"attribute {key}: renamed from {entry['renamed_from']}"


def _attribute(attribute: Attribute, entry: Entry) -> Iterator[str]:
    kind = entry["type"]
    expected = _NUMBERS.get(kind, "string")
    if "placeholder" not in kind and attribute.type != expected:
        yield f"type {kind}"
    enum = attribute.enum
    if kind in {"enum", "open_enum"} and enum is None:
        yield f"type {kind}"
    if enum is not None and (known := members_of(entry)):
        stars = {one for one in known if one.endswith("*")}
        values = {one.text for one in enum.members if one != enum.overflow or one.text in known}
        rest = {one for one in values if not any(one.startswith(star[:-1]) for star in stars)}
        if rest != known - stars:
            yield "members"
        open_ = kind == "open_enum" or any(str(one).startswith("(") for one in entry["enum"])
        if enum.open != open_:
            yield "open"
    elif enum is not None and kind == "enum" and not enum.open:
        yield "open"
    if entry["status"] == "legacy" and attribute.spec.deprecated is None:
        yield "deprecated"
    levels = {one.removesuffix("_event") for one in entry["on"]}
    if attribute.spec.level and not levels <= set(attribute.spec.level):
        yield "level"


def _resources(facts: Facts, declared: Declared) -> Iterator[str]:
    for key, kind in facts.resources():
        attribute = declared.attributes.get(key)
        if attribute is None:
            yield f"resource {key}: not declared"
        elif kind and attribute.type != kind:
            yield f"resource {key}: type {kind}"
        elif attribute.spec.deprecated is None and key not in declared.resources:
            yield f"resource {key}: in no resource"


def _metrics(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.metrics():
        metric = declared.metrics.get(name)
        if metric is not None:
            yield from (f"metric {name}: {aspect}" for aspect in _metric(metric, entry))
        elif name not in declared.instrumented:
            yield f"metric {name}: not declared"
        if "renamed_from" in entry:
            old = declared.metrics.get(entry["renamed_from"].split(" ")[0])
            if not (old and old.spec.deprecated and old.spec.deprecated.renamed_to == name):
                yield f"metric {name}: renamed from {entry['renamed_from']}"


def _metric(metric: Metric, entry: Entry) -> Iterator[str]:
    if metric.kind not in entry["instrument"].rstrip("?").split("/"):
        yield f"instrument {entry['instrument']}"
    if metric.unit != str(entry["unit"]).rstrip("?"):
        yield f"unit {entry['unit']}"
    if (metric.boundaries or ()) != tuple(entry.get("buckets", ())):
        yield "boundaries"
    if {use.attribute.key for use in metric.attributes} != keys_of(entry):
        yield "attributes"
    if (entry["status"] == "legacy") != (metric.spec.deprecated is not None):
        yield "deprecated"


def _scopes(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.scopes():
        keys = declared.scopes.get(name)
        if keys is None:
            yield f"scope {name}: not declared"
        elif not all(key in entry["effect"] for key in keys):
            yield f"scope {name}: attributes"


def _categories(facts: Facts, declared: Declared) -> Iterator[str]:
    for name, entry in facts.categories():
        for key in ("category", "measurement", "window"):
            enum = declared.attributes[f"rl.efficiency.{key}"].enum
            value = name if key == "category" else entry[key]
            if enum is None or value not in {member.value for member in enum.members}:
                yield f"category {name}: {key}"
        title, _, remark = (entry["span"] or "").partition(" ")
        if not title:
            continue
        span = declared.spans.get(title)
        if span is None or span.bucket != (None if remark else entry["bucket"]):
            yield f"category {name}: span"
    for prefix in facts.series():
        yield f"series {prefix}: not declared"


def _settings(facts: Facts, declared: Declared) -> Iterator[str]:
    by_variable = {name: one for one in declared.settings for name in one.env}
    for name, removed in facts.variables():
        if name not in by_variable:
            yield f"variable {name}: not declared"
        elif removed and by_variable[name].spec.deprecated is None:
            yield f"variable {name}: deprecated"
    by_field = {
        f"{one.home.registry}.{one.spec.config}": one
        for one in declared.settings
        if one.spec.config
    }
    for name, default in facts.fields():
        path = name.replace("gym.submit.", "gym.") if name.startswith("gym.submit.") else name
        setting = by_field.get(path)
        if setting is None:
            yield f"field {name}: not declared"
        elif setting.spec.default != default:
            yield f"field {name}: default {default}"
