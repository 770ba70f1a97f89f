"""Breaks the runtime on purpose, one line at a time; the tests have to notice every break.

A line that no longer stands in its file is a fault of this list, and fails too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TESTS: Final = ("tests/runtime",)
PATIENCE: Final = 300
"""Seconds after which a break counts as noticed: it hangs."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One break: the behaviour that it takes away, and the text that does it."""

    claim: str
    file: str
    old: str
    new: str


MUTANTS: Final = (
    Mutant(
        "a fork never inherits a held lock",
        "_guard.py",
        "register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release,"
        " after_in_child=LOCK.release)",
        "",
    ),
    Mutant(
        "only a span with nothing valid above it owns its trace",
        "_root.py",
        "if not otel.get_current_span(context).get_span_context().is_valid:",
        "if True:",
    ),
    Mutant(
        "a rollout splits off only while its owner itself is current",
        "_root.py",
        "if current.is_valid and current == owner._otel.get_span_context():",
        "if current.is_valid:",
    ),
    Mutant(
        "a linked root is linked",
        "_root.py",
        "links = [otel.Link(current), *(links or ())]",
        "pass",
    ),
    Mutant(
        "a root is a root, whatever is current",
        "_root.py",
        "super()._start(otel.set_span_in_context(otel.INVALID_SPAN, context), links)",
        "super()._start(context, links)",
    ),
    Mutant(
        "a claimed success yields to an exception",
        "_outcome.py",
        "if said is not None and said is not self.ok:",
        "if said is not None:",
    ),
    Mutant(
        "cancellation is not success",
        "_outcome.py",
        "return self.error if isinstance(error, Exception) else self.cancelled",
        "return self.error if isinstance(error, Exception) else self.ok",
    ),
    Mutant(
        "a collected failure ends the block as an error",
        "_measured.py",
        "failure = self._failures[0]",
        "failure = None",
    ),
    Mutant(
        "a duration is recorded while the group is off",
        "_measured.py",
        "if METRICS.on and self.duration is not None:",
        "if METRICS.on and self.duration is not None and self.on:",
    ),
    Mutant(
        "spans need traces that export",
        "_group.py",
        "self.chosen and TRACES.on",
        "self.chosen",
    ),
    Mutant(
        "a thing is counted once",
        "_once.py",
        "return not known",
        "return True",
    ),
    Mutant(
        "what is remembered is bounded",
        "_once.py",
        "if len(self._new) >= self._size:",
        "if False:",
    ),
    Mutant(
        "a carried function may run on several threads at once",
        "_carry.py",
        "return context.copy().run(function, *args, **kwargs)",
        "return context.run(function, *args, **kwargs)",
    ),
    Mutant(
        "baggage of strangers goes no further",
        "_carry.py",
        "known, declared = carried(), otel.clear_baggage(context)",
        "known, declared = carried(), context",
    ),
    Mutant(
        "what strangers wrote into baggage is dropped",
        "_carry.py",
        'if member.partition("=")[0].strip() in known',
        "if True",
    ),
    Mutant(
        "scopes go to hosts of one's own alone",
        "_carry.py",
        "trusted = url is None or is_trusted(url)",
        "trusted = True",
    ),
    Mutant(
        "a dropped generator does not touch a context that is not its own",
        "_block.py",
        "if kind is GeneratorExit and otel.get_current() is not self._context:",
        "if False:",
    ),
    Mutant(
        "a context that cannot be left is no error of the application's",
        "_block.py",
        "except ValueError:  # a generator, closed in a context it was not opened in",
        "except ZeroDivisionError:",
    ),
    Mutant(
        "a preset reaches groups of its own registry alone",
        "_select.py",
        "return registry.presets[short]",
        "return registry.groups",
    ),
    Mutant(
        "a minus takes away",
        "_select.py",
        'chosen = chosen - found if word.startswith("-") else chosen | found',
        "chosen = chosen | found",
    ),
    Mutant(
        "what one role writes, others do not",
        "_gates.py",
        "instrument.bind(meter if self.writes(instrument.writer) else None)",
        "instrument.bind(meter)",
    ),
    Mutant(
        "a registry that is imported later joins",
        "_gates.py",
        "ADOPTERS[:] = [self._adopt]",
        "pass",
    ),
    Mutant(
        "a hostile exception text costs the text",
        "_guard.py",
        "except Exception:  # any __str__ may be hostile",
        "except KeyError:",
    ),
    Mutant(
        "a full queue drops and counts",
        "_batcher.py",
        'self._ledger.drop("queue_full")',
        "pass",
    ),
    Mutant(
        "what was left at the deadline is in the books",
        "_batcher.py",
        'self._ledger.drop("deadline", left)',
        "pass",
    ),
    Mutant(
        "series beyond the limit become one",
        "_series.py",
        "if len(self._seen) < self._limit:",
        "if True:",
    ),
    Mutant(
        "personal values need a key",
        "_sensitive.py",
        "    if key is None:",
        "    if key == 1:",
    ),
    Mutant(
        "content needs its switch",
        "_sensitive.py",
        "if POLICY.content is not True:",
        "if False:",
    ),
    Mutant(
        "retries are one CLIENT span",
        "http/_client.py",
        "opened = OFF if _is_inside_a_request() else _opened(span, request)",
        "opened = _opened(span, request)",
    ),
    Mutant(
        "a query string is never recorded",
        "http/_url.py",
        'parts.path, "", ""',
        'parts.path, parts.query, ""',
    ),
    Mutant(
        "a path is never a span's name",
        "http/_route.py",
        "return str(route.path)",
        "return path",
    ),
)


def main() -> int:
    """Try every break; return 1 if one survives or cannot be made."""
    if outcome(None) != "survived":
        print("The tests fail without any break; they can notice nothing.")
        return 1
    wanted = sys.argv[1:]
    bad = []
    for mutant in MUTANTS:
        if wanted and not any(word in mutant.file for word in wanted):
            continue
        verdict = outcome(mutant)
        print(f"{verdict:<9} {mutant.file:<18} {mutant.claim}", flush=True)
        if verdict != "noticed":
            bad.append(mutant.claim)
    print(f"\n{len(bad)} breaks were not noticed." if bad else "\nEvery break is noticed.")
    return bool(bad)


def outcome(mutant: Mutant | None) -> str:
    """Say what the tests make of a copy of the project with *mutant* in it, if there is one."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        for folder in ("runtime", "codegen", "tests", "specs", "demo", "tools"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", copy)
        if mutant is not None:
            path = copy / "runtime" / "telewright" / mutant.file
            text = path.read_text()
            if text.count(mutant.old) != 1:
                return "not found"
            path.write_text(text.replace(mutant.old, mutant.new))
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *TESTS]
        places = f"{copy / 'runtime'}:{copy / 'codegen'}"
        try:
            done = subprocess.run(
                command,
                cwd=copy,
                env={**os.environ, "PYTHONPATH": places},
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "noticed"
        return "survived" if done.returncode == 0 else "noticed"


if __name__ == "__main__":
    sys.exit(main())
