"""Pages of topics and registries: what a person finds on them, and how fast."""

from __future__ import annotations

import itertools
import posixpath
import re
from pathlib import Path

import pytest
from tests.codegen.rendering import Seen, pages, row, section

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.markdown.book import slug
from telewright_codegen.emit.markdown.emitter import MarkdownEmitter

SPECS = Path(__file__).resolve().parents[3] / "specs"
REGISTRY = """
    registry: gym
    title: A Gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    owners: [gym-telemetry]
    namespaces: [gym]
    bucket: {attribute: gym.bucket}
    processes:
      driver: {brief: Who collects., instances: one}
      agent: {brief: Who acts., instances: many}
    groups:
      job: {brief: The run., cardinality: per_run, umbrella: true}
      item: {brief: Rollouts., cardinality: per_item, bucket: productive}
      checkpoint: {brief: Checkpoints., cardinality: per_operation}
    presets:
      default: [job, item]
      cheap: [job]
    invariants:
      - {brief: One job., span: gym.job, at_most: 1}
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - {id: gym.rollout.id, type: string, brief: Identity., examples: ["3-0"], in_metrics: never}
      - {id: gym.bucket, enum: Bucket, brief: Bucket., members: {productive: Work., idle: Waiting.}}
      - id: gym.rollout.operation
        enum: Operation
        brief: What is done.
        members: {start: Begin., stop: {value: halt, brief: End.}}
      - {id: gym.rollout.prompt, type: string, brief: Prompt., sensitivity: content}
      - {id: gym.rollout.outcome, enum: Outcome, brief: Outcome.}
      - {id: gym.rollout.former, type: int, brief: Old., deprecated: {renamed_to: gym.rollout.id}}
    enums:
      - {enum: Outcome, brief: How it ended., members: {ok: Well., error: Badly.}}
    spans:
      - {name: gym.job, group: job, brief: The run., process: driver, root: owner}
      - name: gym.rollout.dispatch
        brief: One rollout.
        process: driver
        parent: gym.job
        root: {linked_to: gym.job}
        attributes:
          gym.rollout.id: The row has an identity.
          gym.rollout.prompt: at_end
        outcome: gym.rollout.outcome
        duration: gym.rollout.duration
        slow_after: 60
      - name: "gym.rollout.{gym.rollout.operation}"
        as: operation
        brief: One operation.
        process: agent
        parent: dispatch
        cardinality: per_operation
      - {name: gym.rollout.detached, group: checkpoint, brief: Alone., root: always}
    metrics:
      - histogram: gym.rollout.duration
        unit: s
        brief: How long it took.
        boundaries: [1, 2.5, 10]
        attributes: {gym.rollout.outcome: required}
      - {counter: gym.rollout.rows_total, unit: "1", brief: Rows., writer: driver, window: run}
    scopes:
      - name: batch
        brief: A batch.
        attributes: {gym.rollout.id: required}
        propagates: [tasks, threads]
    resources:
      - {name: server, brief: A server., process: agent, attributes: {gym.rollout.former: detected}}
    settings:
      - {name: gym.rollout.limit, env: GYM_LIMIT, type: int, default: 8, brief: Most at once.}
    instrumentations:
      - {package: some-instrumentor, group: item, brief: HTTP., spans: ["{METHOD} {route}"]}
"""
FILES = {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Return the pages of the registry above."""
    return pages(tmp_path_factory.mktemp("book"), FILES)


@pytest.fixture(scope="module")
def own():
    """Return the pages of this repository's specs."""
    report = Report()
    model = pipeline.model(default(SPECS), report)
    names = tuple(one.name for one in model.registries)
    target = Target(names, {name: f"telewright.{name}" for name in names})
    return {str(made.path): made.text for made in MarkdownEmitter().emit(model, target)}


def test_one_registry_lies_in_the_folder_itself(book):
    """Its page is the index; each topic has a page, and lists of everything lie beside."""
    assert set(book) == {
        "README.md",
        "rollout.md",
        "all-spans.md",
        "all-metrics.md",
        "all-attributes.md",
    }


def test_several_registries_have_a_folder_each(tmp_path):
    """The index is above them, and links to each."""
    other = {"nv/registry.yaml": 'registry: nv\nversion: "1"\nbrief: Shared.\n'}
    made = pages(tmp_path, {**FILES, **other})
    assert {"README.md", "gym/README.md", "gym/rollout.md", "nv/README.md"} <= set(made)
    assert {"gym/README.md", "nv/README.md"} <= set(Seen(made["README.md"]).links)


def test_pages_say_what_they_were_made_from(book):
    """The first line names the spec, so that nobody edits the page."""
    assert book["rollout.md"].startswith(
        "<!-- Generated by telewright from specs/gym/rollout.yaml. Do not edit. -->\n"
    )


def test_a_span_has_preset_cost_and_emitter_in_one_row(book):
    """One click from the index: which preset switches a span on, who emits it, what it costs."""
    found = row(book["all-spans.md"], "gym.rollout.dispatch")
    assert found["Group"] == "gym.item"
    assert found["Switched on by"] == "default"
    assert found["Emitted by"] == "driver"
    assert found["Cost"] == "per item"


def test_a_group_in_no_preset_is_asked_for_by_name(book):
    """Where no preset has a group, its name is what switches it on."""
    assert row(book["all-spans.md"], "gym.rollout.detached")["Switched on by"] == (
        "only gym.checkpoint"
    )
    detail = section(book["rollout.md"], "Span `gym.rollout.detached`")
    assert "only by name: `default,gym.checkpoint`" in detail


def test_a_span_may_cost_something_else_than_its_group(book):
    """A span's own cardinality wins over its group's."""
    assert row(book["all-spans.md"], "gym.rollout.{operation}")["Cost"] == "per operation"


def test_a_group_lists_spans_emitters_and_costs(book):
    """A group's row has all that it switches, third-party spans too."""
    found = row(book["README.md"], "gym.item")
    assert found["Spans"] == "gym.rollout.dispatch, gym.rollout.{operation}, {METHOD} {route}"
    assert found["Emitted by"] == "driver, agent, any process"
    assert found["Cost"] == "per operation, per item"


def test_a_preset_lists_groups_and_spans(book):
    """A preset's row has its groups, a table under it every span with emitter and cost."""
    found = row(book["README.md"], "default")
    assert found["Switches on"] == "gym.job, gym.item"
    assert found["Costs"] == "per run, per operation, per item"
    table = section(book["README.md"], "Preset `gym.cheap`")
    assert "gym.job" in table
    assert "gym.rollout" not in Seen(table).rows[1][0]


def test_a_parent_chain_is_a_sentence_and_a_diagram(book):
    """The way from the top to a span is links in a row, and arrows in a diagram."""
    detail = section(book["rollout.md"], "Span `gym.rollout.{operation}`")
    assert (
        "[`gym.job`](#span-gymjob) → [`gym.rollout.dispatch`](#span-gymrolloutdispatch)"
        " → **`gym.rollout.{operation}`**"
    ) in detail
    diagram = book["rollout.md"].split("```mermaid\n")[1].split("```")[0]
    assert 's0 -. "linked root" .-> s1' in diagram
    assert "s1 --> s2" in diagram
    assert "gym.rollout.detached" in diagram


def test_parent_chains_of_any_depth_and_number_stay_readable(tmp_path):
    """A long way begins with an ellipsis; of a million ways the first few are there."""
    spans = ["{name: gym.rollout.deep0, brief: Top.}"]
    spans += [
        f"{{name: gym.rollout.deep{n}, brief: Deep., parent: deep{n - 1}}}" for n in range(1, 1500)
    ]
    spans += [f"{{name: gym.rollout.{side}0, brief: Top.}}" for side in "wxyz"]
    spans += [
        f"{{name: gym.rollout.{side}{n}, brief: Wide., parent: [{above}]}}"
        for n in range(1, 11)
        for above in [", ".join(f"{one}{n - 1}" for one in "wxyz")]
        for side in "wxyz"
    ]
    topic = "topic: rollout\nbrief: Rollouts.\ngroup: item\nspans:\n"
    topic += "".join(f"  - {one}\n" for one in spans)
    registry = REGISTRY.replace("    bucket: {attribute: gym.bucket}\n", "")
    registry = registry.replace(", bucket: productive", "").partition("    invariants")[0]
    made = pages(tmp_path, {"gym/registry.yaml": registry, "gym/rollout.yaml": topic})
    deep = section(made["rollout.md"], "Span `gym.rollout.deep1499`")
    assert "**Parent chain:** … → [`gym.rollout.deep1487`]" in deep
    wide = section(made["rollout.md"], "Span `gym.rollout.w10`")
    assert wide.count("**`gym.rollout.w10`**") == 16
    assert wide.count("; or other ways") == 1


def test_every_root_policy_has_its_notes(book):
    """Owners, linked and constant roots say who nests, what is sampled, how many ids there are."""
    page = book["rollout.md"]
    assert "It owns its trace where nothing valid was current" in section(page, "Span `gym.job`")
    assert "linked to it: [`gym.rollout.dispatch`]" in section(page, "Span `gym.job`")
    linked = section(page, "Span `gym.rollout.dispatch`")
    assert "Sampling is decided for each root" in linked
    assert "everything has one trace id" in linked
    assert "It always begins a trace" in section(page, "Span `gym.rollout.detached`")


def test_attributes_say_when_and_how_much(book):
    """A condition, a level and the moment are columns."""
    detail = section(book["rollout.md"], "Span `gym.rollout.dispatch`")
    found = row(detail, "gym.rollout.id")
    assert found["Needed"] == "required if: The row has an identity."
    assert found["Known"] == "at the start"
    assert row(detail, "gym.rollout.prompt")["Known"] == "at the end"
    assert "later `span.set(prompt=…)`" in detail


def test_outcome_and_duration_are_facts(book):
    """A span says which member means what, and which metric takes its duration."""
    detail = section(book["rollout.md"], "Span `gym.rollout.dispatch`")
    assert "`ok`, after an exception `error`, when cancelled `error`" in detail
    assert "[`gym.rollout.duration`](#metric-gymrolloutduration)" in detail
    assert "still open after 60 s" in detail


def test_metrics_have_unit_boundaries_and_prometheus_name(book):
    """A metric says its unit, buckets, attributes, moment and what Prometheus calls it."""
    found = row(book["all-metrics.md"], "gym.rollout.durationgym_rollout_duration_seconds")
    assert found["Kind"] == "histogram in s"
    detail = section(book["rollout.md"], "Metric `gym.rollout.duration`")
    assert "**Boundaries:** 1, 2.5, 10\n" in detail
    assert row(detail, "gym.rollout.outcome")["Needed"] == "required"
    assert "when [`gym.rollout.dispatch`](#span-gymrolloutdispatch) ends, even while" in detail
    rows = section(book["rollout.md"], "Metric `gym.rollout.rows_total`")
    assert "only in the process that is `driver`" in rows
    assert "**About:** the whole run" in rows


def test_sensitivity_and_deprecation_are_said(book):
    """What is dropped is said where the attribute is, and what replaced it, too."""
    assert row(book["all-attributes.md"], "gym.rollout.promptGYM_ROLLOUT_PROMPT")["Values"] == (
        "content: dropped unless content is switched on"
    )
    former = row(book["all-attributes.md"], "gym.rollout.formerGYM_ROLLOUT_FORMER")
    assert former["What it is"] == "Deprecated. Use gym.rollout.id. Old."
    assert (
        row(book["all-attributes.md"], "gym.rollout.idGYM_ROLLOUT_ID")["Values"]
        == "never in metrics"
    )


def test_enums_list_their_members(book):
    """Each member has constant, value and meaning."""
    found = row(section(book["rollout.md"], "Enum `Operation`"), "STOP")
    assert found == {"Member": "STOP", "Value": "halt", "What it means": "End."}


def test_the_rest_of_the_language_has_a_place(book):
    """Scopes, resources, settings and instrumentations are on the page."""
    page = book["rollout.md"]
    assert "every span that starts inside, threads" in section(page, "Scope `batch`")
    assert "`agent`" in section(page, "Resource `server`")
    assert row(section(page, "Settings"), "gym.rollout.limit")["Set by"] == "GYM_LIMIT"
    assert row(section(page, "Instrumentations"), "some-instrumentor")["Spans"] == (
        "{METHOD} {route}"
    )


def test_the_same_specs_make_the_same_pages(tmp_path, book):
    """Nothing of the run is in the pages."""
    assert pages(tmp_path, FILES) == book


def test_every_link_leads_to_a_heading(own):
    """On the pages of this repository no link is dead, to a page or to a heading."""
    seen = {path: Seen(page) for path, page in own.items()}
    anchors = {
        path: {slug(heading) for heading in seen[path].headings}
        | set(re.findall(r'<a id="([^"]+)"', page))
        for path, page in own.items()
    }
    dead = []
    for path in own:
        for link in seen[path].links:
            name, _, anchor = link.partition("#")
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            goal = goal if name else path
            if not link.startswith("http") and anchor not in {"", *anchors.get(goal, ())}:
                dead.append(f"{path}: {link}")
    assert dead == []


def test_no_two_headings_of_a_page_are_alike(own):
    """Two spans of one name, or a span called as its topic, are told apart: links find them."""
    for path, page in own.items():
        found = [slug(heading) for heading in Seen(page).headings]
        assert len(found) == len(set(found)), path


def test_everything_is_two_clicks_from_the_index(own):
    """Index, list, span: every span's section is reached by following two links."""
    first = {"README.md"} | {
        posixpath.normpath(link.partition("#")[0])
        for link in Seen(own["README.md"]).links
        if not link.startswith("http")
    }
    assert "all-spans.md" in first
    reached = {
        posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
        for page in first
        for link in Seen(own[page]).links
    }
    report = Report()
    model = pipeline.model(default(SPECS), report)
    sections = [
        f"{topic.registry}/{topic.name}.md#" for topic in model.topics() for _ in topic.spans
    ]
    assert sections
    for start in set(sections):
        assert sum(one.startswith(start) for one in reached) >= sections.count(start), start


def test_tables_are_whole(own):
    """Every row of every table has as many cells as its headings."""
    for path, page in own.items():
        lines = re.sub(r"```.*?```", "", page, flags=re.DOTALL).splitlines()
        tables = itertools.groupby(lines, key=lambda line: line.startswith("|"))
        for is_table, rows in tables:
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
            assert not is_table or len(widths) == 1, path
