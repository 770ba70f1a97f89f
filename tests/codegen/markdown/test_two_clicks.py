"""From the first page of the conventions, two clicks answer what is asked of a span or metric."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from telewright_codegen import pipeline
from telewright_codegen.config import read
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit import prometheus

ROOT = Path(__file__).parents[3]
BOOK = ROOT / "docs" / "conventions"
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
REGISTRIES = ("gym", "rl")


def slug(title):
    """Return what a heading is linked to by."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def section(text, anchor):
    """Return what stands below the heading that *anchor* leads to, itself included."""
    for found in HEADING.finditer(text):
        if slug(found[2]) == anchor:
            following = re.compile(rf"^#{{1,{len(found[1])}}} ", re.MULTILINE)
            end = following.search(text, found.end())
            return text[found.start() : end.start() if end else len(text)]
    return ""


def page(name):
    """Return the text of a page of the book."""
    path = BOOK / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def targets(text, name):
    """Yield where the links of *text*, which is on the page *name*, lead: page and anchor."""
    for path, anchor in LINK.findall(text):
        if "://" not in path:
            there = PurePosixPath(name).parent / path if path else PurePosixPath(name)
            yield str(PurePosixPath(*_plain(there.parts))), anchor


def _plain(parts):
    kept = []
    for part in parts:
        if part == "..":
            kept.pop()
        else:
            kept.append(part)
    return kept


def reached(start="README.md"):
    """Return what a person sees with two clicks: whole pages, and sections that links lead to."""
    first = {target for target in targets(page(start), start) if page(target[0])}
    seen = set(first)
    for name, anchor in first:
        text = page(name)
        seen |= set(targets(section(text, anchor) if anchor else text, name))
    return [(name, section(page(name), anchor) if anchor else page(name)) for name, anchor in seen]


@pytest.fixture(scope="module")
def model():
    """Return the registries of this repository."""
    return pipeline.model(read(ROOT / "pyproject.toml"), Report())


@pytest.fixture(scope="module")
def shown():
    """Return the sections that two clicks lead to, by their title."""
    found = {}
    for _, text in reached():
        heading = HEADING.match(text)
        if heading is not None:
            found.setdefault(heading[2], []).append(text)
    return found


def fact(text, name):
    """Return what a section says after ``**name:**``; empty where it says nothing."""
    found = re.search(rf"^- \*\*{re.escape(name)}:\*\* (.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def missing_of_span(span, registry, model, texts):
    """Return what no section of *texts* says of *span*."""
    presets = [one.name for one in registry.presets if span.group in one.groups]
    cost = "" if span.cardinality is None else span.cardinality.value.replace("_", " ")
    parents = [one.name.split("{")[0] for one in model.parents(span)]
    wanted = {
        "Switched on by": presets or [span.group.id],
        "Cost": [cost],
        "Emitted by": [f"`{one}`" for one in span.processes] or ["any process"],
        "Parent chain": parents,
    }
    best = [
        [
            name
            for name, words in wanted.items()
            if not all(word in fact(text, name) for word in words)
        ]
        for text in texts
    ]
    return min(best, key=len) if best else ["a section"]


def test_every_span(model, shown):
    """Which preset switches it on, what it costs, who emits it, and what it is a child of."""
    wrong = {}
    count = 0
    for registry in map(model.registry, REGISTRIES):
        for span in (one for topic in registry.topics for one in topic.spans):
            count += 1
            pattern = re.compile(r"\{[^}]*\}")
            titles = [
                title
                for title in shown
                if title.startswith("Span `")
                and pattern.sub("{}", title.split("`")[1]) == pattern.sub("{}", span.name)
            ]
            texts = [text for title in titles for text in shown[title]]
            if missing := missing_of_span(span, registry, model, texts):
                wrong[span.name] = missing
    assert count > 70
    assert wrong == {}


def test_every_metric(model, shown):
    """What Prometheus calls it: in its section, and in the list of all metrics."""
    everything = "".join(text for name, text in reached() if name == "all-metrics.md")
    wrong = []
    for registry in map(model.registry, REGISTRIES):
        for metric in (one for topic in registry.topics for one in topic.metrics):
            name = prometheus.metric_name(metric.name, kind=metric.kind, unit=metric.unit)
            texts = shown.get(f"Metric `{metric.name}`", [])
            if f"`{name}`" not in everything:
                wrong.append((metric.name, "all metrics"))
            if not any(f"`{name}`" in fact(text, "Prometheus") for text in texts):
                wrong.append((metric.name, "its section"))
    assert wrong == []


def test_what_is_missing_is_noticed(model, shown):
    """A section without the cost, or of another preset, does not pass for one that has all."""
    registry = model.registry("gym")
    (span,) = [one for one in registry.topic("rollout").spans if one.name == "gym.rollout.dispatch"]
    (text,) = set(shown["Span `gym.rollout.dispatch`"])
    assert missing_of_span(span, registry, model, [text]) == []
    assert missing_of_span(span, registry, model, [text.replace("per item", "per run")]) == ["Cost"]
    assert missing_of_span(span, registry, model, [text.replace("gym.job", "x")]) == [
        "Parent chain"
    ]
    assert missing_of_span(span, registry, model, []) == ["a section"]
