"""Whatever a spec declares: if nothing is reported, no two Python names are the same."""

from __future__ import annotations

import functools
import keyword
from collections import Counter
from importlib import metadata
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telewright_codegen.diagnostics import Report
from telewright_codegen.lint.run import run
from telewright_codegen.load.loaded import Loaded
from telewright_codegen.resolve.resolve import resolve
from telewright_codegen.source import At, Place, SourceFile
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

REGISTRY = {
    "registry": "gym",
    "version": "1",
    "brief": "Gym.",
    "namespaces": ["gym", "nemo.gym"],
    "groups": {"item": {"brief": "Items."}},
}
PARTS = st.sampled_from(
    ["gym", "nemo", "a", "b", "a_b", "id", "name", "step", "total", "1", "class"]
)
NAMES = st.lists(PARTS, min_size=1, max_size=4).map(".".join)
HELPERS = st.sampled_from([None, None, "a", "step", "a_b"])


@pytest.fixture(autouse=True, scope="module")
def installed():
    """Look for rules of other distributions once: none is installed meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metadata, "entry_points", functools.cache(metadata.entry_points))
        yield


class Nowhere:
    """A document whose every part is on a line of its own."""

    def key_place(self, steps, /):
        """Return a place that differs from part to part."""
        return Place("specs/gym/t.yaml", 1 + hash(steps) % 10**6, 1)

    value_place = key_place


def loaded(data, kind):
    """Return *data* as the loader would."""
    file = SourceFile(path=None, name=f"specs/gym/{kind.label}.yaml", data=b"", folder="specs/gym")
    return Loaded(kind.model_validate(data), At(Nowhere(), (kind.label,)), file)


@st.composite
def topics(draw):
    """Draw a topic whose names are often near each other."""
    keys = draw(st.lists(NAMES, max_size=5, unique=True))
    uses = (
        st.dictionaries(
            st.sampled_from(keys),
            st.sampled_from(["required", "recommended", "at_end"]),
            max_size=3,
        )
        if keys
        else st.just({})
    )
    only_early = uses.map(lambda found: dict.fromkeys(found, "required"))
    attributes = []
    for index, key in enumerate(keys):
        kind = draw(st.sampled_from(["string", "int", "enum"]))
        made = {"id": key, "brief": "A."}
        if kind == "enum":
            name = draw(st.sampled_from(["Step", "A", f"Kind{index}"]))
            made |= {"enum": name, "members": {"ok": "A.", "error": "B."}}
        else:
            made["type"] = kind
        attributes.append(made)
    spans = [
        {"name": name, "brief": "A.", "attributes": draw(uses)}
        | ({"as": helper} if (helper := draw(HELPERS)) else {})
        for name in draw(st.lists(NAMES, max_size=4, unique=True))
    ]
    metrics = [
        {"counter": name, "unit": "{x}", "brief": "A.", "attributes": draw(only_early)}
        | ({"as": helper} if (helper := draw(HELPERS)) else {})
        for name in draw(st.lists(NAMES, max_size=3, unique=True))
    ]
    scopes = [
        {"name": name, "brief": "A.", "attributes": draw(only_early)}
        for name in draw(st.lists(st.sampled_from(["a", "step", "id"]), max_size=2, unique=True))
    ]
    return {
        "topic": draw(st.sampled_from(["t", "a", "step"])),
        "brief": "T.",
        "group": "item",
        "attributes": attributes,
        "spans": spans,
        "metrics": metrics,
        "scopes": scopes,
    }


def of_module(topic):
    """Yield every name that the module of *topic* defines."""
    yield from {attribute.constant for attribute in topic.attributes}
    yield from (enum.name for enum in topic.enums)
    yield from (span.helper for span in topic.spans)
    for span in topic.spans:
        if any(use.late for use in span.attributes):
            yield span.class_name
    for metric in topic.metrics:
        yield metric.helper
        yield f"_{metric.class_name}"
    yield from (scope.helper for scope in topic.scopes)


def of_signatures(topic):
    """Yield the parameters of each signature."""
    for span in topic.spans:
        yield [use.param for use in span.attributes if not use.late]
        yield [use.param for use in span.attributes if use.late]
    for metric in topic.metrics:
        yield [metric.value_param, *(use.param for use in metric.attributes)]
    for scope in topic.scopes:
        yield [use.param for use in scope.attributes]


@settings(max_examples=300, deadline=None)
@given(topics())
def test_identifiers_are_unique(topic):
    """A topic without errors has unique and legal names everywhere."""
    report = Report()
    model = resolve([loaded(REGISTRY, RegistrySpec), loaded(topic, TopicSpec)], report)
    run(model, report)
    if report.has_errors:
        return
    (made,) = model.registry("gym").topics
    constants = Counter(attribute.constant for attribute in made.attributes)
    assert not [name for name, count in constants.items() if count > 1]
    names = list(of_module(made))
    assert len(names) == len(set(names))
    for parameters in of_signatures(made):
        assert len(parameters) == len(set(parameters))
    for name in chain(names, *of_signatures(made)):
        assert name.isidentifier()
        assert not keyword.iskeyword(name)


def test_the_property_can_fail():
    """Two attributes of one constant are reported, so the property is about something."""
    attributes = [
        {"id": "gym.a.b", "type": "int", "brief": "A."},
        {"id": "gym.a_b", "type": "int", "brief": "B."},
    ]
    topic = {"topic": "t", "brief": "T.", "attributes": attributes}
    report = Report()
    resolve([loaded(REGISTRY, RegistrySpec), loaded(topic, TopicSpec)], report)
    assert [one.code for one in report] == ["TW204"]
