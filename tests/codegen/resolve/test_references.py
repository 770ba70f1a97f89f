"""References between items: found, or reported with both places."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, resolved

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
"""


def test_span_uses_attributes_as_objects(tmp_path):
    """What a span lists becomes the very attribute that is declared."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.rollout.id, type: string, brief: Which.}
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {gym.rollout.id: required}}
"""
        ),
    )
    topic = found.topic("gym", "rollout")
    (use,) = topic.spans[0].attributes
    assert use.attribute is topic.attributes[0]
    assert (use.level, use.late, use.param) == ("required", False, "rollout_id")


def test_unknown_attribute_names_the_nearest(tmp_path):
    """A misspelled attribute is shown with the declared one that is nearest."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.rollout.outcome, type: string, brief: Which.}
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {gym.rollout.outcom: required}}
"""
        ),
    ).only
    assert found.code == "TW101"
    assert found.message == "no attribute `gym.rollout.outcom`"
    assert found.help == "did you mean `gym.rollout.outcome`?"
    assert (found.primary.place.line, found.primary.place.width) == (9, 18)
    assert found.secondary[0].place.line == 7


def test_misspelt_attribute_of_opentelemetry_is_told_its_name(tmp_path):
    """Nearer than anything declared here is a name that OpenTelemetry has."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.rollout.address, type: string, brief: Where.}
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {server.adress: required}}
"""
        ),
    ).only
    assert found.help.startswith("did you mean OpenTelemetry's `server.address`?")
    assert "telewright vendor otel" in found.help
    assert not found.secondary


def test_unknown_attribute_of_opentelemetry_says_vendor(tmp_path):
    """A name that OpenTelemetry has and the specs lack: help is the command that brings it."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {url.scheme: required}}
"""
        ),
    ).only
    assert found.code == "TW101"
    assert "telewright vendor otel" in found.help


def test_unknown_attribute_of_an_unused_registry_says_uses(tmp_path):
    """A name that a registry beside this one declares: help is to use that registry."""
    found = resolved(
        tmp_path,
        {
            **gym(
                TOPIC
                + """
    spans:
      - {name: gym.rollout.run, brief: One., attributes: {nv.rank: required}}
"""
            ),
            "nv/registry.yaml": 'registry: nv\nversion: "1"\nbrief: Shared.\n',
            "nv/common.yaml": """
                topic: common
                brief: Common.
                attributes: [{id: nv.rank, type: int, brief: Rank.}]
            """,
        },
    ).only
    assert found.help == "`nv` declares it; add `nv` to `uses` of `gym`"


@pytest.mark.parametrize(
    ("item", "code", "message"),
    [
        ("attributes: [{id: gym.a, enum: Nope, brief: x.}]", "TW102", "no enum `Nope`"),
        ("spans: [{name: gym.a, brief: x., group: nope}]", "TW103", "no group `nope`"),
        ("spans: [{name: gym.a, brief: x., parent: nope}]", "TW104", "no span `nope`"),
        ("spans: [{name: gym.a, brief: x., links: [nope]}]", "TW104", "no span `nope`"),
        ("spans: [{name: gym.a, brief: x., root: {linked_to: nope}}]", "TW104", "no span `nope`"),
        ("spans: [{name: gym.a, brief: x., duration: nope}]", "TW105", "no metric `nope`"),
        ("spans: [{name: gym.a, brief: x., process: nope}]", "TW106", "no process `nope`"),
        ("metrics: [{gauge: gym.g, unit: s, brief: x., writer: nope}]", "TW106", "no process"),
        ("resources: [{name: r, brief: x., process: [nope]}]", "TW106", "no process `nope`"),
        ("spans: [{name: gym.a, brief: x., requires_scope: nope}]", "TW107", "no scope `nope`"),
        ("spans: [{name: gym.a, brief: x., events: [nope]}]", "TW108", "no event `nope`"),
        (
            "metrics: [{histogram: gym.h, unit: s, brief: x., boundaries: nope}]",
            "TW109",
            "no boundaries called `nope`",
        ),
        ("spans: [{name: gym.a, brief: x., outcome: gym.no}]", "TW101", "no attribute `gym.no`"),
        ("spans: [{name: gym.a, brief: x., error_code: gym.no}]", "TW101", "no attribute"),
        ("spans: [{name: 'gym.{gym.no}', as: a, brief: x.}]", "TW101", "no attribute `gym.no`"),
        ("scopes: [{name: s, brief: x., attributes: {gym.no: required}}]", "TW101", "no attr"),
        ("scopes: [{name: s, brief: x., group: nope}]", "TW103", "no group `nope`"),
        ("events: [{name: gym.e, brief: x., attributes: {gym.no: required}}]", "TW101", "no attr"),
        ("instrumentations: [{package: p, brief: x., group: nope}]", "TW103", "no group `nope`"),
    ],
)
def test_every_reference_is_checked(tmp_path, item, code, message):
    """A reference of any kind that leads nowhere is one error, at its place."""
    found = resolved(tmp_path, gym(f"{TOPIC}\n    {item}\n")).only
    assert (found.code, found.primary.place.line) == (code, 6)
    assert found.message.startswith(message)


def test_groups_of_other_registries_are_out_of_reach(tmp_path):
    """A span cannot join a group of a registry that is only used, and the message says so."""
    files = gym(TOPIC.replace("group: item", "group: shared") + "    spans: []\n")
    files["registry.yaml"] += "    uses: [nv]\n"
    files["nv/registry.yaml"] = """
        registry: nv
        version: "1"
        brief: Shared.
        groups: {shared: {brief: Shared.}}
    """
    found = resolved(tmp_path, files).only
    assert found.code == "TW103"
    assert found.primary.text == "a group of `nv`, and only its own spans belong to it"


def test_span_without_a_group(tmp_path):
    """Neither the span nor its topic names a group: nobody could switch it on."""
    topic = TOPIC.replace("group: item", "") + "    spans: [{name: gym.a, brief: x.}]\n"
    assert resolved(tmp_path, gym(topic)).codes == ["TW114"]


def test_linked_root_needs_an_owner(tmp_path):
    """Only a span that owns its trace can be linked to; the error shows it."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    spans:
      - {name: gym.job, brief: The job.}
      - {name: gym.rollout.dispatch, brief: One., root: {linked_to: job}}
"""
        ),
    ).only
    assert found.code == "TW118"
    assert found.secondary[0].place.line == 7
    assert found.help == "add `root: owner` to `gym.job`"


def test_linked_root_of_another_topic(tmp_path):
    """The owner may be a span of another topic, named in full."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    spans:
      - {name: gym.rollout.dispatch, brief: One., root: {linked_to: gym.job}, parent: gym.job}
""",
            **{
                "job.yaml": """
                    topic: job
                    brief: Jobs.
                    group: job
                    spans: [{name: gym.job, brief: The job., root: owner}]
                """
            },
        ),
    )
    assert found.findings == []
    (span,) = found.topic("gym", "rollout").spans
    assert (span.root.policy, span.root.target, span.parents) == (
        "linked_to",
        "gym.job",
        ("gym.job",),
    )


@pytest.mark.parametrize(
    ("item", "what"),
    [
        (
            "attributes: [{id: gym.a, type: int, brief: x.}, {id: gym.a, type: int, brief: x.}]",
            "attribute",
        ),
        ("spans: [{name: gym.a, brief: x.}, {name: gym.a, brief: y., as: b}]", "span"),
        (
            "metrics: [{gauge: gym.a, unit: s, brief: A}, {gauge: gym.a, unit: s, brief: C}]",
            "metric",
        ),
        ("events: [{name: gym.a, brief: x.}, {name: gym.a, as: b, brief: y.}]", "event"),
        ("scopes: [{name: a, brief: x.}, {name: a, brief: y.}]", "scope"),
        ("resources: [{name: a, brief: x.}, {name: a, brief: y.}]", "resource"),
        (
            "enums: [{enum: A, brief: A, members: {a: A}}, {enum: A, brief: B, members: {a: A}}]",
            "enum",
        ),
    ],
)
def test_one_name_is_declared_once(tmp_path, item, what):
    """Two declarations of one name are an error that shows both places."""
    found = resolved(tmp_path, gym(f"{TOPIC}\n    {item}\n"))
    first = found.report.diagnostics[0]
    assert first.code == "TW115"
    assert first.message.startswith(what)
    assert first.primary.place != first.secondary[0].place


def test_requirement_levels(tmp_path):
    """Words, mappings and sentences say how much an attribute is needed."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.a, type: int, brief: A.}
      - {id: gym.b, type: int, brief: B.}
      - {id: gym.c, type: int, brief: C.}
      - {id: gym.d, type: int, brief: D.}
      - {id: gym.e, type: int, brief: E.}
    spans:
      - name: gym.rollout.run
        brief: One.
        attributes:
          gym.a: required
          gym.b: at_end
          gym.c: {required, at: end}
          gym.d: If the agent was retried.
          gym.e: {opt_in: Only when asked.}
"""
        ),
    )
    uses = found.topic("gym", "rollout").spans[0].attributes
    assert [(use.level, use.late, use.condition) for use in uses] == [
        ("required", False, None),
        ("recommended", True, None),
        ("required", True, None),
        ("recommended", False, "If the agent was retried."),
        ("opt_in", False, "Only when asked."),
    ]


@pytest.mark.parametrize(
    ("item", "hint"),
    [
        ("spans: [{name: gym.r, brief: x., attributes: {gym.a: requierd}}]", "`required`"),
        ("metrics: [{gauge: gym.g, unit: s, brief: x., attributes: {gym.a: at_end}}]", "in words"),
        (
            "metrics: [{gauge: gym.g, unit: s, brief: G, attributes: {gym.a: {opt_in, at: end}}}]",
            "`at: end`",
        ),
        (
            "spans: [{name: gym.r, brief: x., attributes: {gym.a: {required, opt_in}}}]",
            "`required`",
        ),
        ("spans: [{name: gym.r, brief: x., attributes: {gym.a: detected}}]", "in words"),
    ],
)
def test_wrong_requirement_levels(tmp_path, item, hint):
    """A level that does not exist, or not here, is an error with a hint."""
    text = f"{TOPIC}\n    attributes: [{{id: gym.a, type: int, brief: A.}}]\n    {item}\n"
    found = resolved(tmp_path, gym(text)).only
    assert found.code == "TW126"
    assert hint in found.help


def test_deprecated_items_were_renamed_to_something(tmp_path):
    """`renamed_to` names an item of the same kind, or a name of OpenTelemetry."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.a, type: string, brief: A., deprecated: {renamed_to: gym.bb}}
      - {id: gym.c, type: string, brief: A., deprecated: {renamed_to: url.scheme}}
      - {id: gym.bbb, type: string, brief: B.}
"""
        ),
    ).only
    assert (found.code, found.help) == ("TW127", "did you mean `gym.bbb`?")


def test_attributes_stay_where_they_may_occur(tmp_path):
    """An attribute with `level: [resource]` is refused on a span, with both places."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.a, type: string, brief: A., level: [resource]}
    resources:
      - {name: r, brief: R., attributes: {gym.a: required}}
    spans:
      - {name: gym.s, brief: S., attributes: {gym.a: required}}
"""
        ),
    ).only
    assert (found.code, found.primary.place.line, found.secondary[0].place.line) == ("TW135", 11, 7)


@pytest.mark.parametrize(
    ("invariant", "code"),
    [
        ("{brief: x., constant: gym.no}", "TW101"),
        ("{brief: x., one_link: gym.no}", "TW104"),
        ("{brief: x., span: gym.no, at_most: 1}", "TW104"),
        ("{brief: x., at_most: 1}", "TW129"),
        ("{brief: x.}", "TW129"),
    ],
)
def test_invariants_are_about_something(tmp_path, invariant, code):
    """An invariant is of one kind, and about an attribute or a span that exists."""
    files = gym(TOPIC)
    files["registry.yaml"] += f"    invariants: [{invariant}]\n"
    assert resolved(tmp_path, files).codes == [code]


@pytest.mark.parametrize(("group", "codes"), [("item", []), ("itme", ["TW103"])])
def test_an_invariant_may_hold_while_a_group_is_on(tmp_path, group, codes):
    """What depends on who is recorded names the group, which the registry must have."""
    files = gym(TOPIC + "    spans: [{name: gym.run, brief: x.}]\n")
    files["registry.yaml"] += (
        f"    invariants: [{{brief: x., one_link: gym.run, group: {group}}}]\n"
    )
    assert resolved(tmp_path, files).codes == codes


def test_an_invariant_may_be_about_the_traces_of_one_root(tmp_path):
    """What holds only where a trace begins with a span names that span, which must exist."""
    attributes = "    attributes: [{id: gym.a, type: string, brief: A.}]\n"
    files = gym(TOPIC + attributes + "    spans: [{name: gym.run, brief: x.}]\n")
    files["registry.yaml"] += "    invariants: [{brief: x., constant: gym.a, root: gym.%s}]\n"
    wrong = {**files, "registry.yaml": files["registry.yaml"] % "rum"}
    found = resolved(tmp_path, wrong)
    assert found.codes == ["TW104"]
    assert found.only.help == "did you mean `gym.run`?"
    right = {**files, "registry.yaml": files["registry.yaml"] % "run"}
    assert resolved(tmp_path, right).codes == []
