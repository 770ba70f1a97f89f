"""Registries of anybody in the layout that OpenTelemetry publishes for Python."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from tests.codegen.checking import gym, resolved
from tests.codegen.otel.test_reading import acme, model

from telewright_codegen.cli import main
from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.otel_python.emitter import OtelPythonEmitter

ROOT = Path(__file__).parents[3]
MORE = """
    groups:
      - id: registry.more
        brief: More.
        attributes:
          - id: acme.level
            type:
              members:
                - {id: low, value: 1, brief: 'Is "low"\\.', stability: stable}
                - {id: mid, value: 2, stability: development}
                - {id: gone, value: 3, stability: stable, deprecated: {reason: obsoleted}}
                - {id: out, value: 4, annotations: {code_generation: {exclude: true}}}
            brief: "The level: \\"\\"\\" and\\nmore."
            note: A note..
            stability: stable
          - {id: go.version, type: string, brief: Of Go., stability: stable}
          - {id: lonely, type: string, brief: Without a namespace., stability: stable}
      - id: metric.acme.load
        type: metric
        metric_name: acme.load
        instrument: gauge
        unit: "1"
        brief: The load.
        stability: development
      - id: metric.acme.hidden
        type: metric
        metric_name: acme.hidden
        instrument: counter
        unit: "1"
        brief: Hidden.
        annotations: {code_generation: {exclude: true}}
      - id: metric.acme.duration
        type: metric
        metric_name: acme.duration
        instrument: histogram
        unit: s
        brief: How long.
        stability: stable
"""


def written(made, folder, name, package):
    """Write what is made of a registry into *folder*, and return it, from a path to the text."""
    target = Target((name,), {name: package})
    files = {str(one.path): one.text for one in OtelPythonEmitter().emit(made, target)}
    for path, text in files.items():
        file = folder / package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return files


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """Return the modules of a foreign registry, importable as `acme_names`."""
    made, report = model(tmp_path, acme(**{"acme/more.yaml": MORE}))
    assert [str(one) for one in report] == []
    monkeypatch.syspath_prepend(str(tmp_path))
    yield written(made, tmp_path, "acme", "acme_names")
    for name in [one for one in sys.modules if one.startswith("acme_names")]:
        del sys.modules[name]


def test_editions(foreign):
    """What is stable is in both, without members that are not; the rest in one; exclusion wins."""
    stable = importlib.import_module("acme_names.attributes.acme_attributes")
    every = importlib.import_module("acme_names._incubating.attributes.acme_attributes")
    assert stable.ACME_SIZE == every.ACME_SIZE == "acme.size"
    assert not hasattr(stable, "ACME_KIND")
    assert not hasattr(every, "ACME_OL_D")
    assert every.ACME_HEADER_TEMPLATE == "acme.header"
    assert every.SIZE_TOO == "acme.si_ze"  # pinned by `annotations.constant`
    assert every.ACME_K_IND == "acme.k_ind"  # what is deprecated gives way
    assert {one.name: one.value for one in stable.AcmeLevelValues} == {"LOW": 1, "GONE": 3}
    members = {one.name: one.value for one in every.AcmeLevelValues}
    assert members == {"LOW": 1, "MID": 2, "GONE": 3}
    with pytest.warns(DeprecationWarning, match=r"in favor of stable .*AcmeLevelValues`"):
        every.AcmeLevelValues(1)
    said = foreign["_incubating/attributes/acme_attributes.py"]
    assert "Deprecated in favor of stable :py:const:`acme_names.attributes." in said
    assert "Deprecated: Replaced by `acme.kind`." in said
    assert "go_attributes.py" in "".join(foreign)  # only OpenTelemetry's own leaves that out
    assert "attributes/other_attributes.py" in foreign


@pytest.mark.usefixtures("foreign")
def test_metrics():
    """The stable package has names; the other makes instruments, gauges with callbacks."""
    stable = importlib.import_module("acme_names.metrics.acme_metrics")
    every = importlib.import_module("acme_names._incubating.metrics.acme_metrics")
    assert vars(stable).keys() & {"ACME_LOAD", "ACME_DURATION"} == {"ACME_DURATION"}
    assert not hasattr(every, "ACME_HIDDEN")

    class Meter:
        def create_observable_gauge(self, **said):
            return "gauge", said

        def create_histogram(self, **said):
            return "histogram", said

    assert every.create_acme_duration(Meter()) == (
        "histogram",
        {"name": "acme.duration", "description": "How long.", "unit": "s"},
    )
    kind, said = every.create_acme_load(Meter(), None)
    assert (kind, said["name"], said["callbacks"]) == ("gauge", "acme.load", None)


def test_a_registry_of_ours(tmp_path):
    """A registry in our dialect has the same layout."""
    topic = """
        topic: rollout
        brief: Rollouts.
        group: item
        attributes:
          - {id: gym.kind, enum: Kind, members: {good: Good., bad: Bad.}, brief: Which kind.}
        metrics:
          - {counter: gym.runs, unit: "{run}", brief: Runs., stability: stable}
    """
    made = resolved(tmp_path, gym(topic)).model
    files = written(made, tmp_path, "gym", "names")
    assert 'GOOD = "good"' in files["_incubating/attributes/gym_attributes.py"]
    assert 'GYM_RUNS: Final = "gym.runs"' in files["metrics/gym_metrics.py"]


def test_the_code_is_clean(tmp_path, foreign):
    """A linter and a formatter leave it as it is, at any width."""
    assert foreign
    ruff = [sys.executable, "-m", "ruff"]
    for command in (
        ["check", "--config", str(ROOT / "pyproject.toml"), "--line-length", "88"],
        *(["format", "--isolated", "--check", "--line-length", width] for width in ("88", "320")),
    ):
        done = subprocess.run(
            [*ruff, *command, tmp_path / "acme_names"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_an_output(tmp_path, capsys, monkeypatch):
    """`emitter = "otel-python"` writes it, and the package is what the output says."""
    for name, text in acme(**{"acme/more.yaml": MORE}).items():
        file = tmp_path / "specs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "telewright.toml").write_text(
        '[[output]]\nemitter = "otel-python"\ninto = "src/names"\npackage = "site.names"\n'
        'registries = ["acme"]\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert main(["generate"]) == 0, capsys.readouterr()
    said = (tmp_path / "src/names/_incubating/attributes/acme_attributes.py").read_text("utf-8")
    assert "site.names.attributes.acme_attributes.ACME_SIZE" in said
