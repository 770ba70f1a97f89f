"""What is read of one registry does not depend on its layout: formats, files, and what is older."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codegen.otel.test_reading import MANIFEST, model

from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.otel_python.emitter import OtelPythonEmitter

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta_one", "kappa", "omega2"])
PROSE = st.sampled_from(
    ["One thing.", "Another: with `code`.", "“Quoted”, and more.", "Line\nbreak."]
)
STABILITY = st.sampled_from(["stable", "development", "alpha", "release_candidate"])
LEVELS = st.sampled_from(
    ["required", "recommended", "opt_in", {"conditionally_required": "if it is known"}]
)
MEMBERS = st.lists(
    st.tuples(WORDS, st.integers(0, 9), STABILITY),
    min_size=1,
    unique_by=(lambda m: m[0], lambda m: m[1]),
)
KINDS = st.sampled_from(
    ["string", "int", "double", "boolean", "string[]", "template[string]", "any"]
)
DEPRECATED = st.sampled_from(
    [None, {"reason": "obsoleted"}, {"reason": "uncategorized", "note": "It is complicated."}]
)


@st.composite
def attributes(draw):
    """Draw the declaration of an attribute, its key aside."""
    made = {"brief": draw(PROSE), "stability": draw(STABILITY)}
    if draw(st.booleans()):
        numbers = draw(st.booleans())
        made["type"] = {
            "members": [
                {
                    "id": name,
                    "value": value if numbers else f"v{value}",
                    "brief": name,
                    "stability": how,
                }
                for name, value, how in draw(MEMBERS)
            ]
        }
    else:
        made["type"] = draw(KINDS)
    if (note := draw(st.none() | PROSE)) is not None:
        made["note"] = note
    if (deprecated := draw(DEPRECATED)) is not None:
        made["deprecated"] = deprecated
    return made


@st.composite
def registries(draw):
    """Draw attributes by key, and metrics by name, each with what it says and what it refers to."""
    words = st.tuples(WORDS, WORDS).map(".".join)
    keys = draw(st.dictionaries(words, attributes(), min_size=1, max_size=5))
    referred = st.dictionaries(st.sampled_from(sorted(keys)), LEVELS, max_size=3)
    said = st.fixed_dictionaries(
        {
            "instrument": st.sampled_from(["counter", "updowncounter", "gauge", "histogram"]),
            "unit": st.sampled_from(["1", "s", "By", "{thing}"]),
            "brief": PROSE,
            "stability": STABILITY,
        }
    )
    metrics = draw(st.dictionaries(words.map("m.{}".format), st.tuples(said, referred), max_size=3))
    return keys, metrics


def _references(referred):
    return [{"ref": key, "requirement_level": level} for key, level in referred.items()]


def first(keys, metrics):
    """Return the registry in the first format, each namespace in a file."""
    files = {}
    for space in {key.partition(".")[0] for key in keys}:
        own = [{"id": key, **said} for key, said in keys.items() if key.startswith(f"{space}.")]
        group = {
            "id": f"registry.{space}",
            "type": "attribute_group",
            "brief": "A.",
            "attributes": own,
        }
        files[f"{space}.yaml"] = {"groups": [group]}
    files["metrics.yaml"] = {
        "groups": [
            {
                "id": f"metric.{name}",
                "type": "metric",
                "metric_name": name,
                **said,
                "attributes": _references(referred),
            }
            for name, (said, referred) in metrics.items()
        ]
    }
    return files


def older(keys, metrics):
    """Return it with ids that leave out the namespace, as older files have them."""
    files = first(keys, metrics)
    for space in {key.partition(".")[0] for key in keys}:
        (group,) = files[f"{space}.yaml"]["groups"]
        group["prefix"] = space
        for attribute in group["attributes"]:
            attribute["id"] = attribute["id"].removeprefix(f"{space}.")
    return files


def second(keys, metrics):
    """Return the registry in the second format, in one file."""
    return {
        "all.yaml": {
            "file_format": "definition/2",
            "attributes": [{"key": key, **said} for key, said in keys.items()],
            "metrics": [
                {"name": name, **said, "attributes": _references(referred)}
                for name, (said, referred) in metrics.items()
            ],
        }
    }


def read(files):
    """Return what is made of files: keys, metrics, topics, and generated code, as plain data."""
    with tempfile.TemporaryDirectory() as folder:
        texts = {f"acme/{name}": json.dumps(data) for name, data in files.items()}
        made, report = model(Path(folder), {"acme/manifest.yaml": MANIFEST, **texts})
        assert [str(one) for one in report] == []
        registry = made.registry("acme")
        found = registry.conventions()
        emitted = OtelPythonEmitter().emit(made, Target(("acme",), {"acme": "names"}))
        return (
            {
                one.name: (one.type, one.values, one.brief, one.note, one.stability, one.deprecated)
                for one in found.keys
            },
            {
                one.id: (
                    one.instrument,
                    one.unit,
                    one.brief,
                    [(k.name, k.need, k.condition) for k in one.keys],
                )
                for one in found.signals
                if one.kind == "metric"
            },
            {
                one.key: (one.type, one.enum and [(m.constant, m.value) for m in one.enum.members])
                for topic in registry.topics
                for one in topic.attributes
            },
            {str(one.path): one.text for one in emitted},
        )


@settings(max_examples=15, deadline=None)
@given(registries())
def test_both_formats_say_the_same(drawn):
    """Attributes, metrics, topics and generated code are equal, whichever format they are from."""
    assert read(first(*drawn)) == read(second(*drawn)) == read(older(*drawn))


OLDER = """
    groups:
      - id: acme
        type: resource
        prefix: acme
        brief: A resource.
        attributes:
          - id: kind
            type: {allow_custom_values: true, members: [{id: one, value: ONE}, {id: two}]}
            brief: Kind.
            tag: acme-tag
            requirement_level: {conditionally_required: if known}
            stability: experimental
      - {id: acme.scope, type: scope, prefix: acme, brief: A scope., attributes: [{ref: acme.kind}]}
      - {id: acme.many, type: metric_group, brief: Metrics., attributes: [{ref: acme.kind}]}
      - id: acme.call
        type: span
        span_kind: client
        brief: A call.
        events: [acme.failed]
        constraints: [{include: acme.many}]
        attributes: [{ref: acme.kind, sampling_relevant: true}]
      - {id: acme.failed, type: event, name: acme.failed, brief: It failed.}
"""


def test_older_words(tmp_path):
    """Types of groups, stabilities and fields that are no longer written are still read."""
    made, report = model(tmp_path, {"acme/manifest.yaml": MANIFEST, "acme/a.yaml": OLDER})
    assert [str(one) for one in report] == []
    found = made.registry("acme").conventions()
    kinds = {one.id: one.kind for one in found.signals}
    assert kinds == {
        "acme": "entity",
        "acme.scope": "attribute_group",
        "acme.many": "attribute_group",
        "acme.call": "span",
        "acme.failed": "event",
    }
    (kind,) = found.keys
    assert (kind.name, kind.stability) == ("acme.kind", "development")
    assert [one.value for one in kind.values] == ["ONE", "two"]
    (call,) = [one for one in found.signals if one.id == "acme.call"]
    assert [(one.name, one.is_early, one.condition) for one in call.keys] == [
        ("acme.kind", True, "if known")
    ]
