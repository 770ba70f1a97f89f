"""Specs that were changed at random end with findings or without, never with a traceback."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from tests import blocks
from tests.soak import LongRun, begin

from telewright_codegen import plugins
from telewright_codegen.cli import main

PER_COMMIT: Final = 500
SOAK: Final = 1_000_000
SLICE: Final = 250
PATIENCE: Final = 60.0
"""Seconds that one mutant may take; most take a few hundredths."""
ROOT: Final = Path(__file__).parents[3]

TOPIC: Final = """\
topic: rollout
brief: "Rollouts: one task, run to its end."
group: rollout
attributes:
  - id: gym.rollout.key
    type: string
    brief: Which one.
    examples: ["17-3", "a"]
    redact: {truncate: 20}
  - id: gym.rollout.outcome
    enum: RolloutOutcome
    brief: How it ended.
    open: true
    members: {ok: Well., error: {value: err, brief: Badly.}, cancelled: Early., other: Else.}
    codes: {TimeoutError: error}
spans:
  - name: gym.rollout.dispatch
    brief: From the request to the result.
    kind: client
    process: [driver, agent]
    root: owner
    attributes: {gym.rollout.key: required, gym.rollout.score: {recommended, at: end}}
    outcome: gym.rollout.outcome
    duration: gym.rollout.duration_ms
  - name: "gym.rollout.{gym.rollout.phase}"
    as: phase
    brief: One phase.
    parent: dispatch
    only: [start]
  - name: gym.rollout.verify
    brief: The verifier.
    root: {linked_to: gym.rollout.dispatch}
    allow: {TW999: "No reason."}
metrics:
  - histogram: gym.rollout.duration_ms
    unit: ms
    boundaries: [1, 10, 100.5]
    brief: How long.
    attributes: {gym.rollout.outcome: required}
  - counter: gym.rollout.events_total
    unit: "1"
    brief: How often.
    once_per: {ok: gym.rollout.key}
    attributes: {gym.rollout.outcome: required}
scopes:
  - name: step
    brief: One step.
    attributes: {gym.rollout.key: required}
    propagates: [tasks, threads, processes]
events:
  - {name: gym.rollout.note, brief: A note., attributes: {gym.rollout.key: opt_in}}
resources:
  - {name: rollout, brief: Where., attributes: {gym.rollout.key: detected}}
"""
OTEL: Final = """\
groups:
  - id: registry.gym
    type: attribute_group
    brief: Attributes.
    attributes:
      - id: gym.phase
        type:
          members:
            - {id: start, value: "start", brief: At first., stability: stable}
        brief: The phase.
        examples: [start]
  - id: metric.gym.duration
    type: metric
    metric_name: gym.duration
    instrument: histogram
    unit: s
    brief: How long.
    attributes: [{ref: gym.phase, requirement_level: required}]
"""
BASES: Final = (TOPIC, OTEL, blocks.REGISTRY)

NASTY: Final = (
    *("", " ", "~", "no", "0x1", "1e3", "2027-01-01", "[", "]", "{", "}", ": ", "- ", "\n", "\r"),
    *("\t", "&a", "*a", "!!str ", "<<: ", "---\n", "...\n", "%YAML 1.1\n", "#", '"', "'", "|", ">"),
    *("\\", "\x00", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "é", "😀", "x" * 300, "9" * 40),
    *("class", "None", "__init__", "../..", "a.b", "gym", "{", "{gym.rollout.key}", "{{", "${x}"),
    *("{% x %}", '"""', "'''", "*/", "-->", "|", "`", "<b>", "required", "at_end", "owner"),
)
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 2**63, 1.5, float("inf"), "", " ", "no", "x" * 300, "a.b", "A-b"),
    *([], {}, [[]], [None], {"": None}, {"a": {"b": []}}, "class", "🙂", "\u202e", "a\nb", "{x}"),
)


def _bytes(text: str, chance: random.Random) -> bytes:
    """Flip, drop, repeat or insert bytes."""
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data)) if data else 0
        length = chance.choice((1, 1, 2, 8, 40))
        match chance.randrange(4):
            case 0 if data:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case _:
                data[at:at] = chance.randbytes(chance.choice((1, 1, 3)))
    return bytes(data)


def _text(text: str, chance: random.Random) -> bytes:
    """Put nasty words between words, in their place, or around lines."""
    lines = text.splitlines(keepends=True)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        nasty = chance.choice(NASTY)
        words = lines[at].split(" ")
        match chance.randrange(4):
            case 0:
                words[chance.randrange(len(words))] = nasty
                lines[at] = " ".join(words)
            case 1:
                words.insert(chance.randrange(len(words) + 1), nasty)
                lines[at] = " ".join(words)
            case 2:
                lines[at] = lines[chance.randrange(len(lines))]
            case _:
                lines[at] = " " * chance.randint(0, 6) + lines[at].lstrip()
    return "".join(lines).encode("utf-8", "replace")


def _tree(text: str, chance: random.Random) -> bytes:
    """Change values, keys and shapes, and write well-formed YAML or JSON again."""
    data = copy.deepcopy(_read(text))
    for _ in range(chance.randint(1, 4)):
        parents = list(_collections(data))
        parent = chance.choice(parents)
        if not parent:
            continue
        key = chance.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
        other = chance.choice(parents)
        match chance.randrange(5):
            case 0:
                parent[key] = copy.deepcopy(chance.choice(VALUES))  # none holds itself
            case 1:
                del parent[key]
            case 2 if isinstance(parent, dict):
                parent[chance.choice(NASTY)] = parent.pop(key)
            case 3 if isinstance(other, list):
                other.append(json.loads(json.dumps(parent[key], default=str)))
            case _:
                parent[key] = {"a": parent[key]} if chance.random() < 0.5 else [parent[key]]
    if chance.random() < 0.5:
        return json.dumps(data, default=str, ensure_ascii=chance.random() < 0.5).encode()
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode()


@functools.cache
def _read(text: str) -> Any:
    return yaml.safe_load(text)


def _collections(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [data, *(found for value in data.values() for found in _collections(value))]
    if isinstance(data, list):
        return [data, *(found for value in data for found in _collections(value))]
    return []


MUTATIONS: Final[tuple[Callable[[str, random.Random], bytes], ...]] = (_bytes, _text, _tree)


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every run in the same surroundings: in CI, and beside what is installed at first."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(plugins.metadata, "entry_points", functools.cache(metadata.entry_points))


def _try(seeds: range, folder: Path, capsys: pytest.CaptureFixture[str], run: LongRun) -> set[int]:
    """Check mutants, and return the exit codes that there were."""
    path = folder / "mutant.yaml"
    into = str(folder / "made")
    codes: set[int] = set()
    for seed in seeds:
        run.at(f"seed {seed}")
        chance = random.Random(seed)  # noqa: S311  a mutant that breaks something must come again
        data = chance.choice(MUTATIONS)(chance.choice(BASES), chance)
        path.write_bytes(data)
        code = main(
            ["generate", "--check", "--specs", str(path), "--emitter", "python", "--into", into]
        )
        captured = capsys.readouterr()
        assert not captured.err, (seed, data)
        assert code in (0, 1), (seed, data)
        assert code == 0 or "error" in captured.out, (seed, data)
        codes.add(code)
    return codes


@pytest.mark.long
@pytest.mark.usefixtures("alike")
def test_no_mutant_breaks_the_generator(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """Hundreds of changed specs, the same at every commit: each ends with exit code 0 or 1."""
    run = begin(request)
    for seeds in run.slices(PER_COMMIT, size=SLICE, patience=PATIENCE):
        assert _try(seeds, tmp_path, capsys, run) == {1}


@pytest.mark.soak
@pytest.mark.usefixtures("alike")
def test_no_mutant_breaks_the_generator_in_the_long_run(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """A million changed specs, others each time unless `SOAK_SEED` says which."""
    run = begin(request)
    first = run.seed()
    for numbers in run.slices(SOAK, size=SLICE, patience=PATIENCE):
        seeds = range(first + numbers.start, first + numbers.stop)
        assert _try(seeds, tmp_path, capsys, run) == {1}


@pytest.mark.parametrize("base", BASES, ids=("topic", "otel", "registry"))
def test_what_is_mutated_is_read_as_it_is(
    base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unchanged, the bases get as far as their references: it is the changes that end earlier."""
    path = tmp_path / "base.yaml"
    path.write_text(base, encoding="utf-8")
    main(["check", str(path), "--output-format", "json"])
    codes = {json.loads(line)["code"] for line in capsys.readouterr().out.splitlines()}
    assert not {code for code in codes if code.startswith("TW0")}
