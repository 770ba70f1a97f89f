"""`telewright vendor otel`: OpenTelemetry's names in our dialect, pinned, attributed, checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from tests.codegen.checking import read
from tests.shared import shared

from telewright_codegen.cli import main
from telewright_codegen.load.vendored import digest
from telewright_codegen.vendor.sensitivity import SENSITIVITY

ROOT = Path(__file__).resolve().parents[3]
MODEL = {
    "manifest.yaml": "schema_url: https://opentelemetry.io/schemas/1.99.0\n",
    "http/registry.yaml": """\
groups:
  - id: registry.http
    type: attribute_group
    brief: HTTP.
    attributes:
      - id: http.request.method
        type:
          members:
            - {id: get, value: "GET", brief: GET method., stability: stable}
            - {id: azure.vm, value: "azure.vm", stability: stable}
        stability: stable
        brief: >
          HTTP request [method](/docs/http.md).
        examples: ["GET"]
      - id: http.request.header
        type: template[string[]]
        stability: stable
        brief: Headers.
        examples: ['["a"]']
      - id: http.ports
        type: int[]
        stability: experimental
        brief: "Ports | all."
        examples: [80, 443]
      - id: http.method
        type: string
        brief: Old.
        deprecated: {reason: renamed, renamed_to: http.request.method}
      - id: http.body
        type: any
        brief: Body.
        deprecated: {reason: uncategorized, note: Moved to another repository.}
  - id: span
    type: span
    span_kind: client
    brief: A span.
    attributes:
      - ref: http.method
""",
    "server/registry.yaml": """\
file_format: definition/2
attributes:
  - key: server.port
    type: int
    stability: stable
    brief: Port.
    examples: 80
  - key: grpc.code
    type:
      members:
        - {id: ok, value: 0, brief: Fine., stability: stable}
        - {id: cancelled, value: 1, brief: Not., stability: stable}
    stability: stable
    brief: Code.
""",
}
REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    uses: [{otel: "1.99.0"}]
    groups:
      item: {brief: Items., cardinality: per_item}
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - {id: gym.id, type: string, brief: Identity.}
    spans:
      - {name: gym.rollout.run, brief: Run., attributes: {gym.id: required, http.method: required}}
      - {name: gym.rollout.call, brief: Call., attributes: {server.port: required}}
"""


@pytest.fixture
def vendor(tmp_path, capsys):
    """Write a model and specs; return a function that vendors into the latter."""
    for name, text in MODEL.items():
        path = tmp_path / "semconv" / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "semconv" / "LICENSE").write_text("A licence.\n", encoding="utf-8")
    read(tmp_path, {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC})

    def run(*arguments, source="semconv", expected=0):
        code = main(
            [
                *("--specs", str(tmp_path / "specs"), "vendor", "otel"),
                *("--from", str(tmp_path / source), *arguments),
            ]
        )
        assert code == expected, capsys.readouterr()
        return capsys.readouterr().out

    run.folder = tmp_path / "specs" / "otel"
    run.specs = tmp_path / "specs"
    return run


def declared(folder):
    """Return every attribute of the vendored topics, by key."""
    found = {}
    for file in folder.glob("*.yaml"):
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        found |= {one["id"]: one for one in document.get("attributes", ())}
    return found


def test_names_that_the_specs_use_are_copied(vendor):
    """Names of signals that no registry declares, and what they were renamed to; nothing else."""
    assert vendor() == "3 attributes of OpenTelemetry 1.99.0: 6 files written, 0 unchanged.\n"
    assert set(declared(vendor.folder)) == {"http.method", "http.request.method", "server.port"}


def test_all_copies_everything(vendor):
    """With `--all`, both formats of files give every name."""
    vendor("--all")
    assert len(declared(vendor.folder)) == 7


def test_the_specs_are_whole_then(vendor, capsys):
    """What could not be checked without the names can be with them."""
    specs = str(vendor.specs)
    assert main(["--specs", specs, "check"]) == 1
    vendor("--all")
    assert main(["--specs", specs, "check"]) == 0, capsys.readouterr().out


def test_attributes_are_in_our_words(vendor):
    """Types, members, examples and deprecations become those of our language."""
    vendor("--all")
    found = declared(vendor.folder)
    method = found["http.request.method"]
    assert method["enum"] == "HttpRequestMethod"
    assert method["open"] is True
    assert method["brief"] == "HTTP request method."
    assert method["members"]["get"] == {"value": "GET", "brief": "GET method."}
    assert method["members"]["azure_vm"]["value"] == "azure.vm"
    assert method["members"]["other"]["value"] == "_OTHER"
    assert found["http.method"]["deprecated"] == {"renamed_to": "http.request.method"}
    assert found["http.ports"]["examples"] == [[80, 443]]
    assert found["http.ports"]["stability"] == "development"
    assert found["server.port"]["examples"] == [80]
    assert "examples" not in found["http.request.header"]
    assert found["http.request.header"]["sensitivity"] == "content"


def test_what_we_cannot_say_is_a_note(vendor):
    """Numbers with names keep both; any structure is text, and says so."""
    vendor("--all")
    found = declared(vendor.folder)
    assert found["grpc.code"]["enum"] == "GrpcCode"
    assert found["grpc.code"]["members"] == {
        "ok": {"value": 0, "brief": "Fine."},
        "cancelled": {"value": 1, "brief": "Not."},
    }
    assert found["http.body"]["type"] == "string"
    assert "Moved to another repository." in found["http.body"]["note"]
    assert "deprecated" not in found["http.body"]


def test_the_folder_says_whose_it_is(vendor):
    """Version, source, licence and a hash of everything are in it."""
    vendor()
    facts = json.loads((vendor.folder / "vendored.json").read_text())
    assert facts["version"] == "1.99.0"
    assert facts["licence"] == "Apache-2.0"
    files = [(path.name, path.read_bytes()) for path in vendor.folder.iterdir()]
    assert facts["sha256"] == digest(one for one in files if one[0] != "LICENSE")
    assert "Apache License, Version 2.0" in (vendor.folder / "NOTICE").read_text()
    assert (vendor.folder / "LICENSE").read_text() == "A licence.\n"
    assert "specs/otel" not in (vendor.folder / "http.yaml").read_text()


def test_a_second_run_writes_nothing(vendor):
    """Twice is once, and `--check` says whether it was."""
    vendor("--check", expected=1)
    assert not vendor.folder.exists()
    vendor()
    assert "up to date" in vendor("--check")
    assert "0 files written, 6 unchanged" in vendor()


def test_names_that_are_no_longer_used_go(vendor):
    """A topic without names is removed."""
    vendor()
    assert (vendor.folder / "server.yaml").exists()
    topic = vendor.specs / "gym" / "rollout.yaml"
    topic.write_text(topic.read_text().replace("server.port", "gym.id"), encoding="utf-8")
    assert "1 removed" in vendor()
    assert not (vendor.folder / "server.yaml").exists()


def test_a_broken_model_is_found(vendor, tmp_path, capsys):
    """A file that is no YAML is a finding, and nothing is written."""
    (tmp_path / "semconv" / "model" / "bad.yaml").write_text("groups: [\n", encoding="utf-8")
    specs, source = str(vendor.specs), str(tmp_path / "semconv")
    assert main(["--specs", specs, "vendor", "otel", "--from", source]) == 1
    assert "bad.yaml" in capsys.readouterr().out
    assert not vendor.folder.exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [("nowhere", "is no folder"), ("specs", "no OpenTelemetry model files")],
)
def test_a_wrong_folder_is_wrong_input(vendor, tmp_path, capsys, source, said):
    """A folder that is missing, or that holds no model, exits 1 as unreadable specs do."""
    specs = str(vendor.specs)
    assert main(["--specs", specs, "vendor", "otel", "--from", str(tmp_path / source)]) == 1
    assert said in capsys.readouterr().err


def test_a_model_without_a_version_needs_a_pin(vendor, tmp_path, capsys):
    """The version is never guessed."""
    (tmp_path / "semconv" / "model" / "manifest.yaml").unlink()
    specs, source = str(vendor.specs), str(tmp_path / "semconv" / "model")
    arguments = ["--specs", specs, "vendor", "otel", "--from", source]
    assert main(arguments) == 2
    assert "--pin" in capsys.readouterr().err
    assert main([*arguments, "--pin", "1.98.0"]) == 0
    assert "OpenTelemetry 1.98.0" in capsys.readouterr().out


def test_own_folder_is_up_to_date(capsys):
    """The names in this repository are those that its specs use, at the pinned version."""
    source = str(shared("data", "semconv-1.44.0", "model"))
    specs = str(ROOT / "specs")
    assert main(["--specs", specs, "vendor", "otel", "--from", source, "--check"]) == 0
    assert "1.44.0: up to date" in capsys.readouterr().out


def test_all_of_opentelemetry_is_a_valid_registry(tmp_path, capsys):
    """Every name of 1.44.0 can be had, and `check` finds nothing in them."""
    read(tmp_path, {"registry.yaml": REGISTRY.replace("1.99.0", "1.44.0")})
    specs, source = str(tmp_path / "specs"), str(shared("data", "semconv-1.44.0", "model"))
    assert main(["--specs", specs, "vendor", "otel", "--all", "--from", source]) == 0
    assert "940 attributes" in capsys.readouterr().out
    assert main(["--specs", specs, "check"]) == 0, capsys.readouterr().out
    assert set(SENSITIVITY) <= set(declared(tmp_path / "specs" / "otel"))


def test_a_change_by_hand_is_noticed(vendor, capsys):
    """Any other content or file is a finding, line ends are not; vendoring again repairs it."""
    vendor()
    check = ["check", "--specs", str(vendor.specs), "--output-format", "concise"]

    def found():
        main(check)
        return "TW037 `specs/otel` is not what was copied" in capsys.readouterr().out

    file = vendor.folder / "server.yaml"
    assert not found()
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert not found()
    file.write_text(file.read_text("utf-8").replace("Port", "Harbour"), "utf-8")
    assert found()
    vendor("--check", expected=1)
    vendor()
    assert not found()
    (vendor.folder / "more.yaml").write_text("topic: more\nbrief: More.\n", "utf-8")
    assert found()
