"""The JSON Schema of what `telewright show --json` prints."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar, Final

from telewright_codegen.describe.describe import FORMAT, LISTS
from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.emit.language import documented
from telewright_codegen.spec.attribute import AttributeSpec, EnumFields
from telewright_codegen.spec.metric import KINDS, MetricSpec
from telewright_codegen.spec.registry import GroupSpec, PresetSpec, RegistrySpec
from telewright_codegen.spec.span import EventSpec, ScopeSpec, SpanSpec
from telewright_codegen.spec.topic import (
    InstrumentationSpec,
    ResourceSpec,
    SettingSpec,
    TopicSpec,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model
    from telewright_codegen.spec.common import Spec

Node = dict[str, Any]

_MODELS: Final[dict[str, type[Spec]]] = {
    "registry": RegistrySpec,
    "topic": TopicSpec,
    "attribute": AttributeSpec,
    "enum": EnumFields,
    "group": GroupSpec,
    "preset": PresetSpec,
    "span": SpanSpec,
    "metric": MetricSpec,
    "event": EventSpec,
    "scope": ScopeSpec,
    "resource": ResourceSpec,
    "setting": SettingSpec,
    "instrumentation": InstrumentationSpec,
}
_TEXT: Final[Node] = {"type": "string"}
_TEXTS: Final[Node] = {"type": "array", "items": _TEXT}
_PLACE: Final[Node] = {
    "type": "string",
    "pattern": r"^.+:\d+:\d+$",
    "description": "Where it is declared: `file:line:column`.",
}
_USES: Final[Node] = {"type": "array", "items": {"$ref": "#/$defs/use"}}
_MEMBERS: Final[Node] = {"type": "array", "items": {"$ref": "#/$defs/member"}}


def _said(kind: Node, description: str) -> Node:
    return {**kind, "description": description}


_ATTRIBUTES: Final = _said(_USES, "The attributes that it has, each with how much it is needed.")
_GROUP: Final = _said(_TEXT, "The id of the group: `gym.checkpoint`.")
_RESOLVED: Final[dict[str, dict[str, Node]]] = {
    "registry": {
        "uses": _said(_TEXTS, "The names of the registries that it uses."),
        "folder": _said(_TEXT, "Where its specs are."),
        "owned": _said({"type": "boolean"}, "Whether it is checked and generated here."),
    },
    "topic": {"group": _GROUP},
    "attribute": {
        "type": _said(_TEXT, "Its type; that of an enumeration is `string`."),
        "members": _said(_MEMBERS, "The members of its enumeration, wherever that is declared."),
        "sensitivity": _said(_TEXT, "What its values may reveal."),
        "redact": _said({"type": ["string", "integer", "object"]}, "What happens to its values."),
    },
    "enum": {"members": _said(_MEMBERS, "Its values.")},
    "group": {
        "id": _said(_TEXT, "Its name outside its registry: `gym.checkpoint`."),
        "presets": _said(_TEXTS, "The presets of its registry that switch it on."),
        "spans": _said(_TEXTS, "The spans of its registry that it switches."),
    },
    "preset": {
        "id": _said(_TEXT, "Its name outside its registry: `gym.default`."),
        "groups": _said(_TEXTS, "The ids of its groups."),
        "spans": _said(_TEXTS, "The spans of its registry that it switches on."),
    },
    "span": {
        "group": _GROUP,
        "attributes": _ATTRIBUTES,
        "names": _said(_TEXTS, "Every name that a pattern can have."),
        "other": _said(_TEXT, "The name under which any other value is opened."),
        "parameter": _said(_TEXT, "The parameter that a pattern's value is given by."),
        "processes": _said(_TEXTS, "The roles that emit it."),
        "parents": _said(
            _TEXTS, "The names of the spans that it is a child of, those of a pattern one by one."
        ),
        "presets": _said(_TEXTS, "The presets of its registry that switch it on."),
        "outcome_members": _said(
            {
                "type": "object",
                "properties": {"ok": _TEXT, "error": _TEXT, "cancelled": _TEXT},
                "required": ["ok", "error", "cancelled"],
                "additionalProperties": False,
            },
            "What its outcome is when a block ends so.",
        ),
    },
    "metric": {
        "kind": _said({"enum": list(KINDS)}, "The instrument."),
        "value": _said({"enum": ["int", "double"]}, "Whether its values are whole numbers."),
        "boundaries": _said(
            {"type": "array", "items": {"type": "number"}}, "Where the buckets end."
        ),
        "attributes": _ATTRIBUTES,
        "once_per": _said(
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"member": {"type": ["string", "null"]}, "attributes": _TEXTS},
                    "required": ["member", "attributes"],
                    "additionalProperties": False,
                },
            },
            "What an event is counted once for; of all members, where none is named.",
        ),
        "prometheus": _said(_TEXT, "Its name in Prometheus; of a histogram, without `_bucket`."),
    },
    "event": {"attributes": _ATTRIBUTES},
    "scope": {"group": _GROUP, "attributes": _ATTRIBUTES},
    "resource": {
        "attributes": _ATTRIBUTES,
        "processes": _said(_TEXTS, "The roles that have it."),
    },
    "setting": {"env": _said(_TEXTS, "The environment variables, the one that wins first.")},
    "instrumentation": {"group": _GROUP, "attributes": _ATTRIBUTES},
}
_NOT_SHOWN: Final[dict[str, set[str]]] = {
    "topic": {"attributes", "enums", "spans", "metrics", "events", "scopes", "resources"}
    | {"settings", "instrumentations"},
    "registry": {"groups", "presets"},
    "metric": set(KINDS),
}
_NAMED_BY: Final = {"registry": "registry", "topic": "topic", "attribute": "id"}
"""The field that is an item's name, where it is not called so."""


class ShowSchemaEmitter:
    """Writes the schema as a file, whatever the registries are: it is about the object."""

    name: ClassVar[str] = "show-schema"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:  # noqa: ARG002  the protocol
        """Yield the file."""
        text = json.dumps(schema(), indent=2, ensure_ascii=False)
        yield Artifact(PurePosixPath("show.schema.json"), text + "\n")


def schema() -> Node:
    """Return the schema: of the whole object, and of each kind of item."""
    lists = {
        name: {"type": "array", "items": {"$ref": f"#/$defs/{kind}"}}
        for kind, name in LISTS.items()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Generated by telewright from the models of the spec language. Do not edit.",
        "title": "telewright show --json",
        "description": "Every registry, resolved.",
        "type": "object",
        "properties": {"format": {"const": FORMAT}, **lists},
        "required": ["format", *lists.keys()],
        "additionalProperties": False,
        "$defs": {**_PARTS, **{kind: _item(kind) for kind in LISTS}},
    }


def _item(kind: str) -> Node:
    if kind == "signal":
        return _SIGNAL
    model = _MODELS[kind]
    hidden = {*_NOT_SHOWN.get(kind, set()), _NAMED_BY.get(kind, "name"), "package"}
    given: Node = {
        field.alias or name: {"description": documented(model)[name]}
        for name, field in model.model_fields.items()
        if name not in hidden
    }
    return {
        "type": "object",
        "properties": {
            "registry": _said(_TEXT, "The registry that declares it."),
            "name": _said(_TEXT, "What it is called."),
            "topic": _said(_TEXT, "The topic that declares it."),
            **given,
            **_RESOLVED[kind],
            "python": {"$ref": "#/$defs/python"},
            "constant": _said(_TEXT, "The Python constant that holds its key, or is the group."),
            "place": _PLACE,
        },
        "required": ["registry", "name", "place"],
        "additionalProperties": False,
    }


_SIGNAL: Final[Node] = {
    "description": "A group of a registry in OpenTelemetry's dialect, resolved.",
    "type": "object",
    "properties": {
        "registry": _said(_TEXT, "The registry that has it: declared, or imported."),
        "name": _said(_TEXT, "The id of the group."),
        "signal": _said(
            {"enum": ["attribute_group", "span", "metric", "event", "entity"]}, "What it describes."
        ),
        "called": _said(_TEXT, "The name of the metric, the event or the entity."),
        "brief": _TEXT,
        "note": _TEXT,
        "stability": _TEXT,
        "deprecated": {"type": "object"},
        "refines": _said(_TEXT, "The group of the signal that this is one use of."),
        "instrument": _TEXT,
        "unit": _TEXT,
        "span_kind": _TEXT,
        "entities": _said(_TEXTS, "The entities that it is about."),
        "attributes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": _TEXT, "requirement": _TEXT, "condition": _TEXT},
                "required": ["name", "requirement"],
                "additionalProperties": False,
            },
        },
        "place": _PLACE,
    },
    "required": ["registry", "name", "signal", "place"],
    "additionalProperties": False,
}
_PARTS: Final[Node] = {
    "python": {
        "description": "What it is in Python: a module, and a name in it.",
        "type": "object",
        "properties": {"module": _TEXT, "name": _TEXT},
        "required": ["module"],
        "additionalProperties": False,
    },
    "member": {
        "description": "A value of an enumeration.",
        "type": "object",
        "properties": {
            "name": _said(_TEXT, "As it is written in the spec."),
            "value": _said({"type": ["string", "integer"]}, "As it is exported."),
            "constant": _said(_TEXT, "As it is named in Python."),
            "brief": _TEXT,
            "note": _TEXT,
            "deprecated": {"type": "object"},
            "place": _PLACE,
        },
        "required": ["name", "value", "constant", "brief", "place"],
        "additionalProperties": False,
    },
    "use": {
        "description": "An attribute as one item uses it.",
        "type": "object",
        "properties": {
            "name": _said(_TEXT, "Its key."),
            "registry": _said(_TEXT, "The registry that declares it."),
            "requirement": {"enum": ["required", "recommended", "opt_in", "detected"]},
            "at": _said({"enum": ["start", "end"]}, "When its value is known."),
            "parameter": _said(_TEXT, "The parameter of the helper."),
            "condition": _said(_TEXT, "When it is needed."),
            "place": _PLACE,
        },
        "required": ["name", "registry", "requirement", "at", "parameter", "place"],
        "additionalProperties": False,
    },
}
