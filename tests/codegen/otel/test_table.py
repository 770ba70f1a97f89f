"""The table of OpenTelemetry's names: complete, and made by its tool."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from tests.shared import shared

from telewright_codegen.otel.names import is_known, table

ROOT = Path(__file__).resolve().parents[3]


def test_the_table_is_what_its_tool_writes(tmp_path):
    """Running the tool on the release that the table names changes nothing."""
    model = shared("data", "semconv-1.44.0", "model")
    tool = ROOT / "tools" / "otel_names.py"
    copy = tmp_path / "tools" / tool.name
    copy.parent.mkdir()
    copy.write_text(tool.read_text(encoding="utf-8"), encoding="utf-8")
    made = tmp_path / "codegen" / "telewright_codegen" / "otel" / "names.txt"
    made.parent.mkdir(parents=True)
    subprocess.run([sys.executable, copy, model, "1.44.0"], check=True, capture_output=True)
    spec = importlib.util.find_spec("telewright_codegen.otel")
    kept = Path(spec.submodule_search_locations[0]) / "names.txt"
    assert made.read_bytes() == kept.read_bytes()


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("http.request.method", "enum"),
        ("server.port", "int"),
        ("http.request.header", "template[string[]]"),
        ("faas.trigger", "enum"),
    ],
)
def test_types_are_known(key, kind):
    """Attributes of both formats are there, each with its type."""
    known = table().attributes[key]
    assert (known.detail, known.deprecated) == ((kind,), False)


def test_renames_are_known():
    """A deprecated name says what took its place."""
    known = table().attributes["code.filepath"]
    assert (known.deprecated, known.renamed_to) == (True, "code.file.path")


def test_metrics_and_events_are_known():
    """Metrics have an instrument and a unit; events have a name."""
    assert table().version == "1.44.0"
    assert table().metrics["http.server.request.duration"].detail == ("histogram", "s")
    assert is_known("exception")
    assert not is_known("http.request.methods")
