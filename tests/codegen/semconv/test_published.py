"""Snippets of OpenTelemetry's own pages come out as OpenTelemetry publishes them."""

from __future__ import annotations

import json

import pytest
from tests.shared import shared

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Pages, Target
from telewright_codegen.emit.semconv.emitter import SemconvEmitter

FOLDER = "semconv-1.44.0"


@pytest.fixture(scope="module")
def model():
    """Return OpenTelemetry's registry."""
    return pipeline.model(default(shared("data", FOLDER, "model")), Report())


@pytest.fixture(scope="module")
def published():
    """Return the snippets of OpenTelemetry's pages, each with its marker."""
    lines = shared("data", FOLDER, "snippets.jsonl").read_text(encoding="utf-8").splitlines()
    return [(one["marker"].strip(), one["text"]) for one in map(json.loads, lines)]


def page(snippets):
    """Return a page with all *snippets* between markers."""
    return "# Page\n\n" + "\n".join(
        f"Before.\n\n<!-- semconv {marker} -->\n{text}<!-- endsemconv -->\n"
        for marker, text in snippets
    )


def filled(model, folder, text):
    """Return the page *text* with its snippets of today."""
    (folder / "page.md").write_bytes(text.encode())
    report = Report()
    made = list(SemconvEmitter().inject(model, Target(()), Pages(folder, folder), report))
    assert [str(one) for one in report] == []
    return made[0].text


def test_every_snippet_is_made(model, published, tmp_path):
    """All that is published comes out of an empty page, byte for byte."""
    assert len(published) == 662
    empty = page([(marker, "") for marker, _ in published])
    made = filled(model, tmp_path, empty)
    wanted = page(published).split("<!-- semconv ")[1:]
    found = made.split("<!-- semconv ")[1:]
    differ = {
        one.partition(" ")[0] for one, other in zip(wanted, found, strict=True) if one != other
    }
    assert differ == set()


def test_a_page_of_today_stays(model, published, tmp_path):
    """A page whose snippets are up to date is written as it was; a changed one is put right."""
    text = page(published[:40])
    assert filled(model, tmp_path, text) == text
    spoiled = text.replace("| `Required` |", "| `Requierd` |")
    assert spoiled != text
    assert filled(model, tmp_path, spoiled) == text
