"""Everything that OpenTelemetry's dialect says is in the model, for emitters of its layouts."""

from __future__ import annotations

from tests.codegen.otel.test_reading import SECOND, acme, model

REFERS = """
    groups:
      - id: common
        brief: Common.
        attributes:
          - ref: acme.size
            requirement_level: {conditionally_required: if known}
            annotations: {one: {a: 1, b: 2}}
      - id: metric.acme.load
        type: metric
        metric_name: acme.load
        instrument: updowncounter
        unit: "{thing}"
        brief: The load.
        extends: common
        entity_associations: [acme.site]
        attributes:
          - {ref: acme.size, brief: How large now., note: "", annotations: {one: {b: 3}, two: 4}}
          - {ref: acme.code, requirement_level: opt_in, sampling_relevant: true}
      - id: entity.acme.site
        type: entity
        name: acme.site
        brief: A site.
        attributes: [{ref: acme.kind, role: identifying}]
"""


def conventions(folder, **others):
    """Return all that a registry says."""
    made, report = model(folder, acme(**{"acme/refers.yaml": REFERS, **others}))
    assert [str(one) for one in report] == []
    return made.registry("acme").conventions()


def test_numbers_keep_their_members(tmp_path):
    """An enumeration of numbers has its members and their values."""
    keys = {one.name: one for one in conventions(tmp_path).keys}
    code = keys["acme.code"]
    assert (code.type, [(one.id, one.value) for one in code.values]) == (
        "int",
        [("good", 0), ("bad", 1)],
    )
    assert keys["acme.thing"].type == "any"
    assert not keys["acme.ol_d"].is_in_code
    assert keys["acme.older"].deprecated.note == "Replaced by `acme.kind`."


def test_signals_of_a_foreign_registry(tmp_path):
    """Metrics, entities and spans of a registry that is only used are there, fields overridden."""
    found = {one.id: one for one in conventions(tmp_path, **{"acme/second.yaml": SECOND}).signals}
    load = found["metric.acme.load"]
    assert (load.name, load.instrument, load.unit, load.entities) == (
        "acme.load",
        "updowncounter",
        "{thing}",
        ("acme.site",),
    )
    size, code = load.keys
    assert (size.brief, size.need, size.condition) == (
        "How large now.",
        "conditionally_required",
        "if known",
    )
    assert size.annotations == {"one": {"a": 1, "b": 3}, "two": 4}
    assert (code.need, code.is_early) == ("opt_in", True)
    assert [one.role for one in found["entity.acme.site"].keys] == ["identifying"]
    refined = found["metric.acme.duration.hard"]
    assert (refined.name, refined.unit) == ("acme.duration", "s")
    assert [one.name for one in refined.keys] == ["acme.kind", "acme.rank", "acme.size"]
    assert found["span.acme.run"].span_kind == "client"


def test_truth_values_and_choices_of_entities(tmp_path):
    """Members may be true and false; an association may be one of several entities."""
    text = """
    groups:
      - id: registry.odd
        brief: Odd.
        attributes:
          - id: acme.odd
            type: {members: [{id: "yes", value: true}, {id: "no", value: false}]}
            brief: Odd.
      - id: metric.acme.odd
        type: metric
        metric_name: acme.odd
        instrument: gauge
        unit: "1"
        brief: Odd.
        entity_associations: [acme.a, {one_of: [acme.b, {all_of: [acme.c, acme.a]}]}]
    """
    made, report = model(tmp_path, acme(**{"acme/odd.yaml": text}))
    assert [str(one) for one in report] == []
    registry = made.registry("acme")
    (odd,) = [one for one in registry.conventions().keys if one.name == "acme.odd"]
    assert (odd.type, [one.value for one in odd.values]) == ("boolean", [True, False])
    (found,) = [one for one in registry.topic("acme").attributes if one.key == "acme.odd"]
    assert (found.type, found.enum) == ("boolean", None)
    (metric,) = [one for one in registry.conventions().signals if one.kind == "metric"]
    assert metric.entities == ("acme.a", "acme.b", "acme.c")


def test_what_our_language_does_not_allow(tmp_path):
    """A value without a character and a name that is very long are read as they are."""
    text = f"""
    groups:
      - id: odd
        brief: Odd.
        attributes:
          - id: acme.odd
            type: {{members: [{{id: none, value: ""}}, {{id: some, value: x}}]}}
            brief: Odd.
            deprecated: {{reason: renamed, renamed_to: acme.{"x" * 230}}}
    """
    made, _ = model(tmp_path, acme(**{"acme/odd.yaml": text}))
    (odd,) = [one for one in made.registry("acme").conventions().keys if one.name == "acme.odd"]
    assert [one.value for one in odd.values] == ["", "x"]
    assert len(odd.deprecated.renamed_to) == 235
