"""What is inherited, included and said by a group itself: which of them counts, field by field."""

from __future__ import annotations

import pytest
from tests.codegen.otel.test_reading import MANIFEST, model

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report

DECLARED = """
    groups:
      - id: registry.acme
        brief: Attributes.
        attributes:
          - id: acme.size
            type: int
            brief: Declared.
            note: Declared.
            examples: [1]
            stability: stable
            annotations: {deep: {a: 1, b: {c: 1}}, list: [1], declared: true}
          - {id: acme.other, type: string, brief: Other., examples: [a]}
"""
FIRST = """
      - id: base
        type: span
        span_kind: client
        brief: Base.
        annotations: {deep: {a: base, b: base}, base: 1}
        attributes:
          - ref: acme.other
          - {ref: acme.size, brief: Base., note: Base., requirement_level: required,
             annotations: {deep: {a: base}}}
      - id: middle
        type: span
        span_kind: client
        brief: Middle.
        extends: base
        annotations: {deep: {b: middle}}
        attributes: [{ref: acme.size, note: Middle., annotations: {deep: {b: {d: 2}}, list: [2]}}]
      - id: top
        type: span
        span_kind: client
        brief: Top.
        extends: middle
        annotations: {deep: {c: top}}
        attributes: [{ref: acme.size, requirement_level: {conditionally_required: If known.}}]
"""
SECOND = """
    file_format: definition/2
    attribute_groups:
      - id: included
        visibility: internal
        attributes: [{ref: acme.size, brief: Included., examples: [2]}, {ref: acme.other}]
      - id: included.more
        visibility: internal
        attributes: [{ref: acme.size, examples: [3]}]
    metrics:
      - name: acme.load
        instrument: gauge
        unit: "1"
        brief: Load.
        note: Load.
        stability: stable
        annotations: {deep: {a: load, b: load}}
        attributes: [{ref: acme.size, brief: Load., note: Load., requirement_level: opt_in}]
    metric_refinements:
      - id: metric.acme.load.one
        ref: acme.load
        annotations: {deep: {b: one}}
        attributes: [{ref_group: included}, {ref_group: included.more}]
      - id: metric.acme.load.two
        ref: acme.load
        brief: Two.
        attributes: [{ref: acme.size, brief: Own.}, {ref_group: included}]
"""


@pytest.fixture
def signals(tmp_path):
    """Return the groups of a registry with all of the above, by id."""
    files = {
        "acme/manifest.yaml": MANIFEST,
        "acme/first.yaml": DECLARED + FIRST,
        "acme/second.yaml": SECOND,
    }
    made, report = model(tmp_path, files)
    assert [str(one) for one in report] == []
    return {one.id: one for one in made.registry("acme").conventions().signals}


def size(signal):
    """Return how a signal has the attribute that is overridden."""
    (found,) = [one for one in signal.keys if one.name == "acme.size"]
    return found


def test_extends_and_ref(signals):
    """Inherited first, own entries win, each field by itself; so through any number of groups."""
    key = size(signals["top"])
    assert (key.brief, key.note, key.need, key.condition, key.examples, key.stability) == (
        "Base.",
        "Middle.",
        "conditionally_required",
        "If known.",
        [1],
        "stable",
    )
    assert [one.name for one in signals["top"].keys] == ["acme.other", "acme.size"]


def test_annotations_merge_in_depth(signals):
    """Mappings merge, lists and plain values replace: of an attribute, and of a signal."""
    assert size(signals["top"]).annotations == {
        "deep": {"a": "base", "b": {"c": 1, "d": 2}},
        "list": [2],
        "declared": True,
    }
    assert signals["top"].annotations == {
        "deep": {"a": "base", "b": "middle", "c": "top"},
        "base": 1,
    }
    assert signals["metric.acme.load.one"].annotations == {"deep": {"a": "load", "b": "one"}}


def test_ref_group_stands_between(signals):
    """What a group includes wins over what it inherits, and loses to what it says itself."""
    one = size(signals["metric.acme.load.one"])
    assert (one.brief, one.note, one.need, one.examples) == ("Included.", "Load.", "opt_in", [3])
    two = size(signals["metric.acme.load.two"])
    assert (two.brief, two.note, two.need, two.examples) == ("Own.", "Load.", "opt_in", [2])


def test_a_refinement_says_what_differs(signals):
    """What a refinement leaves out is as in the signal that it refines."""
    one, two = signals["metric.acme.load.one"], signals["metric.acme.load.two"]
    assert (one.brief, one.note, one.unit, one.instrument) == ("Load.", "Load.", "1", "gauge")
    assert (two.brief, two.note, two.stability) == ("Two.", "Load.", "stable")


def test_annotations_decide_in_code_too(tmp_path):
    """What an extended metric says to code generators holds for the one that extends it."""
    text = """
groups:
  - id: metric.acme.one
    type: metric
    metric_name: acme.one
    instrument: counter
    unit: "{thing}"
    brief: One thing.
    annotations: {code_generation: {metric_value_type: double}}
  - id: metric.acme.two
    type: metric
    metric_name: acme.two
    instrument: counter
    unit: "{thing}"
    brief: Two things.
    extends: metric.acme.one
"""
    specs = tmp_path / "one.yaml"
    specs.write_text(text, encoding="utf-8")
    made = pipeline.model(default(specs), Report())
    metrics = {one.name: one.value for one in made.registries[0].topic("acme").metrics}
    assert metrics == {"acme.one": "double", "acme.two": "double"}


def test_what_is_kept_out_of_code(tmp_path):
    """`code_generation.exclude` leaves an attribute, a member or a metric out of generated code."""
    text = """
    groups:
      - id: registry.acme
        brief: Attributes.
        attributes:
          - {id: acme.gone, type: int, brief: Gone.,
             annotations: {code_generation: {exclude: true}}}
          - id: acme.kind
            brief: Kind.
            type:
              members:
                - {id: one, brief: One.}
                - {id: two, brief: Two., annotations: {code_generation: {exclude: true}}}
          - {id: acme.a_b, type: int, brief: Pinned., annotations: {constant: ACME_PINNED}}
          - {id: acme.a.b, type: int, brief: Not pinned.}
          - {id: acme.c_d, type: int, brief: Older., deprecated: {reason: obsoleted}}
          - {id: acme.c.d, type: int, brief: Newer.}
    """
    files = {"acme/manifest.yaml": MANIFEST, "acme/a.yaml": text}
    made, report = model(tmp_path, files)
    assert [str(one) for one in report] == []
    found = {one.constant: one for one in made.registry("acme").topic("acme").attributes}
    assert {name: one.key for name, one in found.items()} == {
        "ACME_KIND": "acme.kind",
        "ACME_PINNED": "acme.a_b",
        "ACME_A_B": "acme.a.b",
        "ACME_C_D": "acme.c.d",
    }
    assert [one.constant for one in found["ACME_KIND"].enum.members] == ["ONE", "OTHER"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("{reason: renamed, renamed_to: acme.new}", ("acme.new", None)),
        ("{reason: renamed, renamed_to: acme.new, note: Read on.}", ("acme.new", "Read on.")),
        ("{reason: obsoleted}", (None, None)),
        ("{reason: uncategorized, note: It is complicated.}", (None, "It is complicated.")),
        ("Use `acme.new`.", (None, "Use `acme.new`.")),
    ],
)
def test_deprecations_of_both_forms(tmp_path, said, expected):
    """A sentence or a mapping says why, and what to use instead."""
    text = f"""
    groups:
      - id: registry.acme
        brief: Attributes.
        attributes:
          - {{id: acme.new, type: int, brief: New.}}
          - {{id: acme.old, type: int, brief: Old., deprecated: {said}}}
    """
    made, report = model(tmp_path, {"acme/manifest.yaml": MANIFEST, "acme/a.yaml": text})
    assert [str(one) for one in report] == []
    (old,) = [one for one in made.registry("acme").topic("acme").attributes if "old" in one.key]
    found = old.spec.deprecated
    assert (found.renamed_to, found.note) == expected
