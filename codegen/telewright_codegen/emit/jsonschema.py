"""A JSON Schema of spec files, from the models that read them: completion and hovers in editors."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from pydantic.json_schema import models_json_schema

from telewright_codegen.emit import language
from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.spec.attribute import AttributeSpec
from telewright_codegen.spec.common import ItemSpec, RequirementSpec, Spec
from telewright_codegen.spec.metric import KINDS, MetricSpec
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model

FILE_NAME: Final = "spec.schema.json"
DIALECT: Final = "http://json-schema.org/draft-07/schema#"
"""The one that every editor knows whole."""

Node = dict[str, Any]
"""A piece of a schema."""

_LEVELS: Final = {
    "required": "It must be given: a parameter without a default.",
    "recommended": "It should be given: a parameter that may be left out.",
    "opt_in": "It is given only where somebody asked for it.",
    "at_end": "Recommended, and known only at the end: a parameter of `set()`.",
    "detected": "In resources: found by a detector.",
}
_REQUIREMENT: Final[Node] = {
    "description": "How much an attribute is needed.",
    "anyOf": [
        *({"const": level, "description": text} for level, text in _LEVELS.items()),
        {"$ref": "#/$defs/RequirementSpec"},
        {"type": "string", "pattern": r"\s", "description": "When it is required."},
    ],
}


class JsonSchemaEmitter:
    """Writes one file, whatever the registries are: it is about the language."""

    name: ClassVar[str] = "jsonschema"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:  # noqa: ARG002  the protocol
        """Yield the schema."""
        text = json.dumps(schema(), indent=2, ensure_ascii=False)
        yield Artifact(PurePosixPath(FILE_NAME), text + "\n")


def schema() -> Node:
    """Return the JSON Schema of a spec file: of a registry where it says so, else of a topic."""
    _, whole = models_json_schema(
        [(RegistrySpec, "validation"), (TopicSpec, "validation")], by_alias=True
    )
    definitions: Node = whole["$defs"]
    models = {model.__name__: model for model in _models()}
    for name, definition in definitions.items():
        if name in models:
            _describe(definition, models[name])
    _constrain(definitions)
    definitions["Requirement"] = _REQUIREMENT
    return {
        "$schema": DIALECT,
        "title": "Telewright spec",
        "description": "A registry file (`registry.yaml`) or a topic file.",
        "type": "object",
        "properties": {
            "registry": {"description": "The name of a registry: this is its file."},
            "topic": {"description": "The name of a topic: this is its file."},
        },
        "if": {"required": ["registry"]},
        "then": {"$ref": "#/$defs/RegistrySpec"},
        "else": {"$ref": "#/$defs/TopicSpec"},
        "$defs": dict(sorted(definitions.items())),
    }


def _models() -> Iterator[type[Spec]]:
    for _, models in language.SECTIONS:
        yield from models


def _describe(definition: Node, model: type[Spec]) -> None:
    """Put docstrings of fields where editors look for them."""
    definition["title"] = "an item" if model is ItemSpec else model.label
    nullable = model is RequirementSpec  # `{required, at: end}` has a field without a value
    meanings = language.documented(model)
    for name, field in model.model_fields.items():
        shown = _tidy(definition["properties"][field.alias or name], nullable=nullable)
        if shown.get("default", "") is None:
            del shown["default"]
        if "$ref" in shown:  # draft 07 ignores what stands beside a reference
            shown["allOf"] = [{"$ref": shown.pop("$ref")}]
        definition["properties"][field.alias or name] = {"description": meanings[name], **shown}


def _tidy(node: Node, *, nullable: bool = False) -> Node:
    """Return *node* without titles that repeat names, and without nulls: leave the field out."""
    alternatives: list[Node] = node.get("anyOf", [])
    if {"$ref": "#/$defs/RequirementSpec"} in alternatives:
        return {"$ref": "#/$defs/Requirement"}
    tidy = {key: _inside(value) for key, value in node.items() if key != "title"}
    if "patternProperties" in tidy:
        tidy["additionalProperties"] = False
    if {"type": "null"} in alternatives and not nullable:
        del tidy["anyOf"]
        rest = [_tidy(one) for one in alternatives if one != {"type": "null"}]
        return {**tidy, **(rest[0] if len(rest) == 1 else {"anyOf": rest})}
    return tidy


def _inside(value: object) -> object:
    if isinstance(value, dict):
        return _tidy(cast("Node", value))
    if isinstance(value, list):
        return [_inside(one) for one in cast("list[object]", value)]
    return value


def _constrain(definitions: Node) -> None:
    """Add which fields exclude others: the models leave that to later stages."""
    definitions[MetricSpec.__name__]["oneOf"] = [{"required": [kind]} for kind in KINDS]
    definitions[AttributeSpec.__name__]["oneOf"] = [
        {"required": ["type"]},
        {"required": ["enum"]},
    ]
    definitions[RequirementSpec.__name__]["oneOf"] = [
        {"required": [level]} for level in ("required", "recommended", "opt_in")
    ]
