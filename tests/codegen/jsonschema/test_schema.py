"""The JSON Schema of the spec language, and its reference page."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator
from tests.shared import shared

from telewright_codegen.emit import language
from telewright_codegen.emit.jsonschema import schema
from telewright_codegen.emit.reference import page
from telewright_codegen.spec import attribute, common, metric, registry, span, topic

SPECS = Path(__file__).resolve().parents[3] / "specs"
MODULES = (attribute, common, metric, registry, span, topic)
MODELS = [
    value
    for module in MODULES
    for value in vars(module).values()
    if inspect.isclass(value)
    and issubclass(value, common.Spec)
    and value.__module__ == module.__name__
]
TOPIC = {"topic": "rollout", "brief": "Rollouts."}


@pytest.fixture(scope="module")
def validator():
    """Return what an editor checks with."""
    return Draft7Validator(schema())


def test_schema_is_a_schema():
    """The schema is valid under the dialect that it names."""
    Draft7Validator.check_schema(schema())


@pytest.mark.parametrize("file", sorted(SPECS.rglob("*.yaml")), ids=lambda file: file.stem)
def test_own_specs_fit(validator, file):
    """An editor underlines nothing in the specs of this repository."""
    errors = [
        f"{error.json_path}: {error.message}"
        for error in validator.iter_errors(yaml.safe_load(file.read_text(encoding="utf-8")))
    ]
    assert errors == []


def test_examples_of_the_design_fit(validator):
    """Specs written for the prototype of the language fit the schema."""
    for file in sorted(shared("prototype", "target", "specs").rglob("*.yaml")):
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert [error.message for error in validator.iter_errors(document)] == []


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"topic": "rollout"}, "'brief' is a required property"),
        ({**TOPIC, "atributes": []}, "'atributes' was unexpected"),
        ({**TOPIC, "spans": [{"name": "a.b", "brief": "B.", "kind": "clinet"}]}, "'clinet'"),
        ({**TOPIC, "metrics": [{"unit": "s", "brief": "B."}]}, "is not valid under any"),
        (
            {**TOPIC, "metrics": [{"gauge": "a.b", "counter": "a.c", "unit": "s", "brief": "B."}]},
            "is valid under each of",
        ),
        ({**TOPIC, "attributes": [{"id": "a.b", "brief": "B."}]}, "is not valid under any"),
        (
            {**TOPIC, "spans": [{"name": "a", "brief": "B.", "attributes": {"a.b": "sometime"}}]},
            "'sometime' is not valid",
        ),
        ({"registry": "gym", "version": "0.1.0", "brief": "B.", "topics": []}, "'topics'"),
        (
            {"registry": "gym", "version": "1", "brief": "B.", "groups": {"Job": {"brief": "B."}}},
            "'Job'",
        ),
    ],
)
def test_mistakes_do_not_fit(validator, wrong, what):
    """An editor underlines unknown fields, words that are none, and instruments without a kind."""
    messages = [
        inner.message
        for error in validator.iter_errors(wrong)
        for inner in (error, *(error.context or ()))
    ]
    assert any(what in message for message in messages), messages


@pytest.mark.parametrize(
    "level",
    ["required", "at_end", "when the model has a name", {"required": None, "at": "end"}],
)
def test_requirements_have_four_forms(validator, level):
    """A level, a sentence and a mapping are all offered and accepted."""
    item = {"name": "a", "brief": "B.", "attributes": {"a.b": level}}
    assert validator.is_valid({**TOPIC, "spans": [item]})


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_says_what_it_means(model):
    """Each field of each model has a docstring of one sentence, which editors and docs show."""
    meanings = language.documented(model)
    assert set(model.model_fields) <= set(meanings)
    assert all(meaning.endswith(".") for meaning in meanings.values()), meanings


def test_every_property_has_a_hover():
    """Every property of every definition carries its field's docstring."""
    bare = [
        f"{name}.{field}"
        for name, definition in schema()["$defs"].items()
        for field, shown in definition.get("properties", {}).items()
        if not shown.get("description")
    ]
    assert bare == []


def test_reference_has_every_model():
    """Every kind of node has a section; the base that two kinds share is in both instead."""
    shown = {model for _, models in language.SECTIONS for model in models}
    assert {*MODELS} - shown == {common.Spec, attribute.EnumFields}


def test_reference_links_lead_somewhere():
    """Each link of the reference page goes to a heading of it."""
    text = page()
    headings = {
        language.anchor(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")
    }
    links = {part.split(")")[0] for part in text.split("](#")[1:]}
    assert links
    assert links <= headings


def test_reference_names_every_field():
    """A field of a model is a row of the page, called as an author writes it."""
    text = page()
    for model in MODELS:
        for name, field in model.model_fields.items():
            assert f"| `{field.alias or name}` |" in text


def test_schema_does_not_depend_on_the_run():
    """Two schemas are the same bytes."""
    assert json.dumps(schema()) == json.dumps(schema())
