"""`imports`: what a registry takes over from those that its manifest depends on."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym
from tests.codegen.otel.test_reading import DEPENDS, SECOND, acme, model

from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.otel_python.emitter import OtelPythonEmitter

FIRST = """
    groups:
      - id: metric.acme.load
        type: metric
        metric_name: acme.load
        instrument: gauge
        unit: "1"
        brief: The load.
        stability: stable
        attributes: [{ref: acme.size, brief: How large now.}]
      - id: event.acme.opened
        type: event
        name: acme.opened
        brief: It opened.
        attributes: [{ref: acme.rank}]
      - id: entity.acme.place
        type: entity
        name: acme.place
        brief: A place.
        attributes: [{ref: acme.header, role: identifying}]
      - id: span.acme.visit
        type: span
        span_kind: client
        brief: A visit.
        attributes: [{ref: acme.size}]
      - id: acme.kept
        brief: Kept back.
        annotations: {dependency_resolution: {exclude: true}}
        attributes: [{ref: acme.size}]
"""
IMPORTS = """
    imports:
      {field}: [{patterns}]
"""
FILES = acme(**{"acme/first.yaml": FIRST, "acme/second.yaml": SECOND})


def site(imports, *groups):
    """Return the files of a registry that depends on Acme's and imports from it."""
    text = "".join(f"{line}\n" for line in (*groups, imports))
    return FILES | {"site/manifest.yaml": DEPENDS, "site/site.yaml": text}


def taken(folder, field, patterns, *, second=False):
    """Return what is in a registry that imports *patterns* only: groups, and attributes."""
    text = IMPORTS.format(field=field, patterns=patterns)
    head = "    file_format: definition/2" if second else "    groups: []"
    made, report = model(folder, site(text, head))
    assert [str(one) for one in report] == []
    found = made.registry("site").conventions()
    return [one.id for one in found.signals], [one.name for one in found.keys]


@pytest.mark.parametrize(
    ("imports", "groups", "keys"),
    [
        (("metrics", "acme.load"), ["metric.acme.load"], ["acme.size"]),
        (("metrics", "'acme.{load,none}'"), ["metric.acme.load"], ["acme.size"]),
        (
            ("metrics", "acme.*"),
            ["metric.acme.load", "metric.acme.duration", "metric.acme.duration.hard"],
            ["acme.size", "acme.kind", "acme.rank"],
        ),
        (("metrics", "'acme.l??d', 'acme.[l]*'"), ["metric.acme.load"], ["acme.size"]),
        (("events", "'*'"), ["event.acme.opened"], ["acme.rank"]),
        (("entities", "acme.place"), ["entity.acme.place"], ["acme.header"]),
        (("spans", "'*.visit'"), ["span.acme.visit"], ["acme.size"]),
        (("spans", "acme.run"), ["span.acme.run"], ["acme.kind", "acme.rank"]),
        (("attribute_groups", "registry.acme"), ["registry.acme"], None),
    ],
)
@pytest.mark.parametrize("second", [False, True])
def test_groups_are_taken_over(tmp_path, imports, groups, keys, second):
    """A name or a pattern of either format brings its groups, and the attributes that they have."""
    found, names = taken(tmp_path, *imports, second=second)
    assert found == groups
    assert names == keys if keys is not None else "acme.header" in names


def test_a_group_comes_as_its_registry_says_it(tmp_path):
    """What is imported is whole: overrides, instrument, unit, and the page of its attribute."""
    made, _ = model(tmp_path, site(IMPORTS.format(field="metrics", patterns="acme.load")))
    (load,) = made.registry("site").conventions().signals
    assert (load.instrument, load.unit, load.stability) == ("gauge", "1", "stable")
    assert [(one.brief, one.home) for one in load.keys] == [("How large now.", "registry.acme")]


def test_what_is_referred_to_comes_along(tmp_path):
    """An attribute that a group of one's own refers to is in the registry, imports or not."""
    group = """
    groups:
      - {id: span.site.call, type: span, brief: A call., attributes: [{ref: acme.kind}]}
"""
    made, report = model(tmp_path, site("", group))
    assert [str(one) for one in report] == []
    registry = made.registry("site")
    assert [one.name for one in registry.conventions().keys] == ["acme.kind"]
    (kind,) = registry.topic("acme").attributes
    assert kind.at.value("id").file == "specs/acme/names.yaml"
    assert [one.value for one in kind.enum.members][:2] == ["simple", "very-hard"]


def test_registries_of_ours_use_what_was_imported(tmp_path):
    """A registry of ours that uses the importing one refers to what it has imported."""
    topic = """
    topic: rollout
    brief: Rollouts.
    group: item
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {acme.size: required}}
    """
    files = gym(topic) | site(IMPORTS.format(field="metrics", patterns="acme.load"))
    files["registry.yaml"] += "    uses: [site]\n"
    made, _ = model(tmp_path, files)
    (span,) = made.registry("gym").topic("rollout").spans
    assert [(one.attribute.key, one.attribute.home.registry) for one in span.attributes] == [
        ("acme.size", "site")
    ]


def test_emitters_have_what_was_imported(tmp_path):
    """Generated constants and metric factories are there for what was imported, and for no more."""
    made, _ = model(tmp_path, site(IMPORTS.format(field="metrics", patterns="acme.load")))
    files = {
        str(one.path): one.text
        for one in OtelPythonEmitter().emit(made, Target(("site",), {"site": "site_semconv"}))
    }
    assert '"acme.load"' in files["metrics/acme_metrics.py"]
    assert "ACME_SIZE: Final" in files["attributes/acme_attributes.py"]
    assert not any("ACME_RANK" in text for text in files.values())


@pytest.mark.parametrize(
    ("field", "pattern", "message", "help_"),
    [
        ("metrics", "acme.lod", "no metric is called like `acme.lod`", "did you mean `acme.load`?"),
        ("metrics", "metric.acme.load", "no metric is called like `metric.acme.load`", None),
        ("events", "other.*", "no event is called like `other.*`", None),
        ("entities", "'acme.{a,b}'", "no entity is called like `acme.{a,b}`", None),
        ("spans", "nothing", "no span is called like `nothing`", None),
        (
            "attribute_groups",
            "acme.kept",
            "`acme.kept` is kept from registries that depend on its own",
            "declare what you need of it, or ask its owner to make it public",
        ),
        (
            "attribute_groups",
            "acme.common",
            "`acme.common` is kept from registries that depend on its own",
            "declare what you need of it, or ask its owner to make it public",
        ),
    ],
)
def test_a_pattern_that_finds_nothing(tmp_path, field, pattern, message, help_):
    """It is an error where it stands; what is kept back is named as such."""
    text = IMPORTS.format(field=field, patterns=pattern)
    _, report = model(tmp_path, site(text, "    groups: []"))
    (found,) = report
    assert (found.code, found.message) == ("TW801", message)
    assert help_ is None or found.help == help_
    place = found.primary.place
    assert place.file == "specs/site/site.yaml"
    line = (tmp_path / place.file).read_text().splitlines()[place.line - 1]
    assert line[place.column - 1 :].lstrip("'").startswith(pattern.strip("'"))


def test_what_is_declared_cannot_be_imported_too(tmp_path):
    """A group that is both is an error at the import, and names the declaration."""
    group = """
    groups:
      - {id: metric.acme.load, type: metric, metric_name: acme.load, instrument: gauge,
         unit: s, brief: Another.}
"""
    text = IMPORTS.format(field="metrics", patterns="acme.load")
    _, report = model(tmp_path, site(text, group))
    (found,) = report
    assert (found.code, found.message) == ("TW803", "`metric.acme.load` is imported and declared")
    assert found.primary.place.line > found.secondary[0].place.line
