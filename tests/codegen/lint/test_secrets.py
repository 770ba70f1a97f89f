"""No secret gets from a spec into what is generated."""

from __future__ import annotations

import json

import pytest
from tests.codegen.checking import read
from tests.runtime.redaction.canaries import KINDS, all_of, canary

from telewright_codegen.cli import main

REGISTRY = """
registry: gym
version: "0.1.0"
brief: Telemetry of a gym.
namespaces: [gym]
"""
TOPIC = """
topic: rollout
brief: Rollouts.
attributes:
"""
PLACES = {
    "example": "{{id: gym.rollout.a{}, type: string, brief: A text., examples: [{}]}}",
    "brief": "{{id: gym.rollout.a{}, type: string, brief: A text like {}.}}",
    "note": "{{id: gym.rollout.a{}, type: string, brief: A text., note: Such as {}.}}",
}


@pytest.mark.parametrize("place", PLACES)
def test_no_canary_gets_into_what_is_generated(tmp_path, capsys, place):
    """Each of the 20 kinds is refused wherever prose can hold it; nothing is written."""
    entries = [
        "  - " + PLACES[place].format(kind, secret) + "\n" for kind, secret in enumerate(all_of(21))
    ]
    read(tmp_path, {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC + "".join(entries)})
    out = tmp_path / "out"
    specs = ("--specs", str(tmp_path / "specs"))
    code = main([*specs, "generate", "--emitter", "markdown", "--into", str(out)])
    assert code == 1
    assert not out.exists()
    capsys.readouterr()
    assert main([*specs, "--output-format", "json", "check"]) == 1
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["code"] for one in said].count("TW403") == len(KINDS)


def test_a_spec_without_them_generates(tmp_path):
    """The same spec with plain words instead is written, and has them."""
    entries = [f"  - {PLACES[place].format(place, 'plain')}\n" for place in PLACES]
    read(tmp_path, {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC + "".join(entries)})
    out = tmp_path / "out"
    specs = ("--specs", str(tmp_path / "specs"))
    assert main([*specs, "generate", "--emitter", "markdown", "--into", str(out)]) == 0
    text = "".join(page.read_text() for page in out.rglob("*.md"))
    assert "Such as plain." in text
    assert canary(0, 21) not in text
