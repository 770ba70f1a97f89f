"""Specs as pages and cases write them: one text that is one file, or several."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REGISTRY: Final = """\
registry: gym
version: "0.1.0"
brief: Telemetry of NeMo Gym.
owners: [gym-telemetry]
namespaces: [gym, nemo.gym]
processes:
  driver: {brief: The rollout-collection process., instances: one}
  controller: {brief: Whoever coordinates a checkpoint., instances: one}
  agent: {brief: An agent server., instances: many}
groups:
  job: {brief: The whole collection run., cardinality: per_run}
  rollout: {brief: One rollout., cardinality: per_item}
  checkpoint: {brief: Partial-rollout checkpoints., cardinality: per_operation}
presets:
  default: [job, rollout]
"""
"""What a block without a registry gets."""
FRAGMENT: Final = "topic: rollout\nbrief: Rollouts.\ngroup: rollout\n"
"""What a block without a topic gets before it."""

_FILE: Final = re.compile(r"# file: (\S+)")
_WHOLE: Final = re.compile(r"^(topic|groups|file_format):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class File:
    """One file of a block."""

    text: str
    before: int
    """How many lines of the block stand before its first; negative where lines were added."""


def files(block: str) -> dict[str, File]:
    """Return the files that a block is: split by lines ``# file: name``, else a single one."""
    lines = block.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if _FILE.match(line)]
    if starts and starts[0] == 0:
        found: dict[str, File] = {}
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            match = _FILE.match(lines[start])
            assert match
            found[match[1]] = File("".join(lines[start + 1 : end]), start + 1)
        return found
    if block.startswith("# registry"):
        return {"registry.yaml": File(block, 0)}
    if _WHOLE.search(block):
        return {"rollout.yaml": File(block, 0)}
    return {"rollout.yaml": File(FRAGMENT + block, -FRAGMENT.count("\n"))}


def write(block: str, folder: Path) -> dict[str, File]:
    """Write a block into *folder*, ``specs/gym``, with a registry; return its files."""
    specs = folder / "specs" / "gym"
    specs.mkdir(parents=True)
    found = files(block)
    if "registry.yaml" not in found:
        (specs / "registry.yaml").write_text(REGISTRY, encoding="utf-8")
    for name, file in found.items():
        (specs / name).parent.mkdir(parents=True, exist_ok=True)
        (specs / name).write_text(file.text, encoding="utf-8")
    return found
