"""Registries in OpenTelemetry's own dialect: read, resolved, and used from ours."""

from __future__ import annotations

import shutil

import pytest
from tests.codegen.checking import gym, read
from tests.shared import shared

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.lint.run import run
from telewright_codegen.otel.names import table
from telewright_codegen.resolve.resolve import resolve

MANIFEST = "schema_url: https://example.com/schemas/acme/1.2.0\ndescription: Names of Acme.\n"
GROUPS = """
    groups:
      - id: registry.acme
        type: attribute_group
        brief: Attributes of Acme.
        attributes:
          - id: acme.kind
            type:
              members:
                - {id: simple, brief: Simple., stability: stable}
                - {id: hard, value: very-hard, brief: Hard., stability: stable}
            brief: Which kind.
            stability: development
          - {id: acme.size, type: int, brief: How large., examples: 3, stability: stable}
          - {id: acme.header, type: "template[string]", brief: A header., stability: stable}
          - {id: acme.thing, type: any, brief: Anything., stability: development}
          - id: acme.code
            type: {members: [{id: good, value: 0}, {id: bad, value: 1}]}
            brief: A number.
          - {id: acme.old, type: string, brief: Old., deprecated: "Use `acme.kind`."}
          - id: acme.older
            type: string
            brief: Older.
            deprecated: {reason: renamed, renamed_to: acme.kind}
          - {id: acme.si_ze, type: int, brief: Current., annotations: {constant: SIZE_TOO}}
          - {id: acme.k.ind, type: int, brief: Older still., deprecated: "Use `acme.k_ind`."}
          - {id: acme.k_ind, type: int, brief: Current.}
          - id: acme.ol_d
            type: string
            brief: Excluded.
            annotations: {code_generation: {exclude: true}}
"""
SECOND = """
    file_format: definition/2
    attributes:
      - {key: acme.rank, type: int, brief: The rank., stability: stable}
    attribute_groups:
      - {id: acme.common, visibility: internal, attributes: [{ref: acme.kind}, {ref: acme.rank}]}
    metrics:
      - name: acme.duration
        instrument: histogram
        unit: s
        brief: How long.
        stability: stable
        attributes: [{ref_group: acme.common}, {ref: acme.rank, requirement_level: required}]
    metric_refinements:
      - {id: metric.acme.duration.hard, ref: acme.duration, attributes: [{ref: acme.size}]}
    spans:
      - type: acme.run
        kind: client
        name: {note: Called after the kind.}
        brief: One run.
        stability: stable
        attributes: [{ref_group: acme.common}]
"""


def loaded(folder, files):
    """Return what the loader makes of *files*, and what it reports."""
    report = Report()
    found = pipeline.load(read(folder, files), report)
    return found, report


def model(folder, files):
    """Return the model of *files*, and everything that is reported."""
    found, report = loaded(folder, files)
    made = resolve(found, report)
    run(made, report)
    return made, report


def acme(**others):
    """Return the files of a registry of OpenTelemetry's kind."""
    return {"acme/manifest.yaml": MANIFEST, "acme/names.yaml": GROUPS, **others}


def test_both_formats_make_one_registry(tmp_path):
    """Groups and definitions are read together; each namespace is a topic of a used registry."""
    made, report = model(tmp_path, acme(**{"acme/deep/er/second.yaml": SECOND}))
    assert [str(one) for one in report] == []
    (registry,) = made.registries
    assert (registry.name, registry.version, registry.owned) == ("acme", "1.2.0", False)
    (topic,) = registry.topics
    assert {one.key.partition(".")[2] for one in topic.attributes} == {
        "rank",
        "kind",
        "size",
        "header",
        "thing",
        "code",
        "old",
        "older",
        "si_ze",
        "k_ind",
    }


def test_attributes_keep_what_they_say(tmp_path):
    """Types, members, examples and deprecations arrive; a value defaults to the member's id."""
    made, _ = model(tmp_path, acme())
    by_key = {one.key: one for one in made.registry("acme").topic("acme").attributes}
    kind = by_key["acme.kind"].enum
    assert (kind.name, kind.open) == ("AcmeKind", True)
    assert [(one.constant, one.value) for one in kind.members] == [
        ("SIMPLE", "simple"),
        ("HARD", "very-hard"),
        ("OTHER", "_OTHER"),
    ]
    assert by_key["acme.size"].spec.examples == [3]
    assert by_key["acme.header"].type == "template[string]"
    assert by_key["acme.thing"].type == "string"
    code = by_key["acme.code"]
    assert (code.type, [one.value for one in code.enum.members]) == ("int", [0, 1])
    assert by_key["acme.si_ze"].constant == "SIZE_TOO"
    assert by_key["acme.old"].spec.deprecated.note == "Use `acme.kind`."
    assert by_key["acme.older"].spec.deprecated.renamed_to == "acme.kind"


def test_places_lead_to_where_it_was_written(tmp_path):
    """An attribute and its members know the file and the line of OpenTelemetry's dialect."""
    made, _ = model(tmp_path, acme())
    kind = made.registry("acme").topic("acme").attributes[0]
    lines = (tmp_path / "specs/acme/names.yaml").read_text().splitlines()
    place = kind.at.value("id")
    assert place.file == "specs/acme/names.yaml"
    assert lines[place.line - 1].endswith("acme.kind")
    assert "id: hard" in lines[kind.enum.members[1].at.key().line - 1]


def test_our_registries_use_them(tmp_path):
    """A registry of ours uses one of theirs by name, from a folder beside it or a path."""
    topic = """
    topic: rollout
    brief: Rollouts.
    group: item
    spans:
      - name: gym.rollout.run
        brief: One.
        attributes: {acme.kind: required, acme.size: recommended}
"""
    beside = gym(topic) | acme()
    beside["registry.yaml"] += '    uses: [acme: "1.2.0"]\n'
    made, report = model(tmp_path / "a", beside)
    (span,) = made.registry("gym").topic("rollout").spans
    assert [use.param for use in span.attributes] == ["acme_kind", "acme_size"]
    elsewhere = gym(topic) | {f"../vendor/{name}": text for name, text in acme().items()}
    elsewhere["registry.yaml"] += "    uses: [{registry: theirs, path: ../../vendor/acme}]\n"
    made, report = model(tmp_path / "b", elsewhere)
    assert "TW101" not in [one.code for one in report]
    assert made.registry("theirs").topic("acme").attributes


@pytest.mark.parametrize(
    ("addition", "code", "message"),
    [
        ("attributes: [{ref: acme.siz}]", "TW801", "no attribute `acme.siz`"),
        ("extends: registry.acm", "TW801", "no group `registry.acm`"),
        ("extends: more", "TW802", "groups extend each other: `more` → `more`"),
        ("attributes: [{id: acme.size, type: int, brief: x}]", "TW115", "attribute `acme.size`"),
        ("attributes: [{id: acme.new, ref: acme.size, type: int, brief: x}]", "TW805", "an attri"),
        ("attributes: [{brief: x}]", "TW804", "an attribute needs `id` or `ref`"),
        ("type: metric", "TW804", "a metric needs `metric_name`"),
        ("unit: s", "TW805", "`unit` on a group"),
        ("attributes: [{ref: acme.size, requirement_level: {}}]", "TW805", "a requirement level"),
        ("shape: round", "TW001", "unknown field `shape`"),
        ("attributes: [{ref: acme.size, requirement_level: requierd}]", "TW003", "`requierd`"),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path, addition, code, message):
    """A mistake in any part is one finding in the file that has it, in a used registry too."""
    more = f"groups:\n  - id: more\n    brief: More.\n    {addition}\n"
    _, report = model(tmp_path, acme(**{"acme/zz.yaml": more}))
    found = next(iter(report))
    assert found.code == code
    assert found.message.startswith(message)
    assert found.primary.place.file == "specs/acme/zz.yaml"


def test_owners_hear_what_others_do_not(tmp_path):
    """A file that one owns is held to rules that are silent in a registry with a manifest."""
    text = """
        groups:
          - id: Registry
            type: attribute_group
            brief: Attributes.
            attributes:
              - {id: acme.header, type: "template[string]", brief: A header.}
              - {id: acme.env, type: string, brief: An environment.}
              - {id: acme.env.name, type: string, brief: Its name.}
              - {id: otel.acme, type: string, brief: Reserved.}
    """
    _, report = model(tmp_path / "a", {"acme/manifest.yaml": MANIFEST, "acme/a.yaml": text})
    assert [one.code for one in report] == []
    specs = tmp_path / "b" / "one.yaml"
    specs.parent.mkdir()
    specs.write_text((tmp_path / "a/specs/acme/a.yaml").read_text(), encoding="utf-8")
    report = Report()
    pipeline.model(default(specs), report)
    assert {one.code for one in report} == {"TW806", "TW409", "TW209", "TW216"}


def test_metrics_of_a_file_of_ones_own(tmp_path):
    """A lone file's metrics become metrics, with the attributes that they inherit and refer to."""
    specs = tmp_path / "one.yaml"
    specs.write_text(
        """
groups:
  - id: common
    type: attribute_group
    brief: Common.
    attributes: [{id: acme.size, type: int, brief: How large., stability: stable}]
  - id: metric.acme.duration
    type: metric
    metric_name: acme.duration
    instrument: histogram
    unit: s
    brief: How long.
    extends: common
    attributes: [{ref: acme.size, requirement_level: required}]
    annotations: {code_generation: {metric_value_type: double}}
""",
        encoding="utf-8",
    )
    report = Report()
    made = pipeline.model(default(specs), report)
    assert [one.code for one in report] == ["TW305"]
    (metric,) = made.registries[0].topics[0].metrics
    assert (metric.name, metric.kind, metric.unit, metric.value) == (
        "acme.duration",
        "histogram",
        "s",
        "double",
    )
    assert [(use.attribute.key, use.level) for use in metric.attributes] == [
        ("acme.size", "required")
    ]


DEPENDS = """
    schema_url: https://example.com/schemas/site/1.0.0
    dependencies:
      - {schema_url: "https://example.com/schemas/acme/1.2.0", registry_path: ../acme}
"""
SITE = """
    groups:
      - id: registry.site
        brief: A site.
        extends: registry.acme
        attributes: [{ref: acme.size}, {id: site.name, type: string, brief: A name.}]
    imports: {metrics: [acme.*]}
"""


ALONE = SITE.partition("    imports")[0]


def test_dependencies_of_a_manifest(tmp_path):
    """Groups, attributes and imports may come from a registry that the manifest depends on."""
    files = acme(**{"acme/second.yaml": SECOND})
    files |= {"site/manifest.yaml": DEPENDS, "site/site.yaml": SITE}
    _, report = model(tmp_path / "a", files)
    assert [str(one) for one in report] == []
    files["site/site.yaml"] = SITE.replace("acme.*", "acm.*").replace("acme.size", "acme.sizes")
    _, report = model(tmp_path / "b", files)
    assert [one.message for one in report] == [
        "no attribute `acme.sizes`",
        "no metric is called like `acm.*`",
    ]


def test_what_is_hidden_from_dependents(tmp_path):
    """What `dependency_resolution` excludes is used where it is declared, and nowhere else."""
    hidden = "{ref: acme.size}, {ref: acme.secret_one}"
    files = acme(
        **{
            "acme/hidden.yaml": """
    groups:
      - id: acme.hidden
        brief: Hidden.
        attributes:
          - id: acme.secret_one
            type: string
            brief: Hidden.
            annotations: {dependency_resolution: {exclude: true}}
      - id: acme.shown
        brief: Shown.
        attributes: [{ref: acme.secret_one}]
"""
        }
    )
    files |= {"site/manifest.yaml": DEPENDS}
    files["site/site.yaml"] = ALONE.replace("{ref: acme.size}", hidden)
    _, report = model(tmp_path / "a", files)
    assert [one.message for one in report] == ["no attribute `acme.secret_one`"]
    files["site/site.yaml"] = ALONE.replace("registry.acme", "acme.shown")
    _, report = model(tmp_path / "b", files)
    assert [one.message for one in report] == []


def test_a_dependency_that_is_not_here(tmp_path):
    """A dependency on the network is one warning, and its names are not reported as unknown."""
    files = {"site/site.yaml": SITE, "site/manifest.yaml": DEPENDS.replace("../acme", "../nope")}
    _, report = model(tmp_path, files)
    assert [one.code for one in report] == ["TW809"]


def test_dependencies_in_a_circle(tmp_path):
    """Manifests that depend on each other are an error, not an endless walk."""
    files = acme() | {
        "site/manifest.yaml": DEPENDS,
        "site/site.yaml": ALONE,
    }
    files["acme/manifest.yaml"] += "dependencies: [{name: site, registry_path: ../site}]\n"
    _, report = model(tmp_path, files)
    assert {one.code for one in report} == {"TW802"}


def test_two_versions_of_a_dependency(tmp_path):
    """One registry in two versions cannot be meant."""
    twice = DEPENDS + (
        '      - {schema_url: "https://example.com/schemas/acme/1.3.0", registry_path: ../acme}\n'
    )
    files = acme() | {
        "site/manifest.yaml": twice,
        "site/site.yaml": ALONE,
    }
    _, report = model(tmp_path, files)
    assert [one.code for one in report] == ["TW810"]


def test_opentelemetry_itself(tmp_path):
    """The whole registry of OpenTelemetry is read without a finding, and no attribute is lost."""
    folder = shared("data", "semconv-1.44.0", "model")
    report = Report()
    made = pipeline.model(default(folder), report)
    assert [str(one) for one in report] == []
    (registry,) = made.registries
    assert (registry.name, registry.version) == ("otel", "1.44.0")
    keys = {one.key for topic in registry.topics for one in topic.attributes}
    missing = set(table().attributes) - keys
    assert len(keys) > 900
    assert len(missing) <= 5, missing  # those that are kept out of generated code

    broken = tmp_path / "model"
    shutil.copytree(folder, broken)
    spoiled = broken / "http" / "common.yaml"
    spoiled.chmod(0o644)
    text = spoiled.read_text(encoding="utf-8").replace("ref: http.request.method", "ref: http.x", 1)
    spoiled.write_text(text, encoding="utf-8")
    report = Report()
    pipeline.model(default(broken), report)
    assert "TW801" in {one.code for one in report}
