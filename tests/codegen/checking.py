"""Specs given as text, read by the real stages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from textwrap import dedent

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.lint.run import run
from telewright_codegen.resolve.resolve import resolve

REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    groups:
      job: {brief: Runs., cardinality: per_run}
      step: {brief: Steps., cardinality: per_step}
      item: {brief: Items., cardinality: per_item}
"""


@dataclass(frozen=True)
class Checked:
    """What came of some specs."""

    model: object
    report: Report

    @property
    def findings(self):
        """Every finding as ``CODE file:line message``."""
        return [
            f"{one.code} {one.primary.place.file}:{one.primary.place.line} {one.message}"
            for one in self.report
        ]

    @property
    def codes(self):
        """The codes in the order of their places."""
        return [one.code for one in self.report]

    @property
    def only(self):
        """The one finding."""
        (found,) = self.report.diagnostics
        return found

    def topic(self, registry, name):
        """Return a topic of the model."""
        return self.model.registry(registry).topic(name)


def read(folder, files):
    """Write *files* below *folder*; a name without a folder belongs to the registry ``gym``."""
    for name, text in files.items():
        path = folder / "specs" / (name if "/" in name else f"gym/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return default(folder / "specs")


def resolved(folder, files):
    """Return the model of *files*, and what resolving reported."""
    report = Report()
    loaded = pipeline.load(read(folder, files), report)
    assert not report.diagnostics, [str(one) for one in report]
    return Checked(resolve(loaded, report), report)


def linted(folder, files, today="2026-01-01", **options):
    """Return the model of *files*, and what rules reported; resolving must report nothing."""
    found = resolved(folder, files)
    assert found.findings == []
    run(found.model, found.report, today=date.fromisoformat(today), **options)
    return found


def gym(topic, **others):
    """Return the files of a registry with one topic, and others."""
    return {"registry.yaml": REGISTRY, "rollout.yaml": topic, **others}
