"""Breaks the project on purpose, one small patch at a time; the numbered tests have to notice.

    python tools/mutants.py [--jobs N] [NUMBER|WORD...]

Each patch of `mutants.yaml` takes a behaviour away. It runs the tests that carry the behaviour's
number, in a copy of the project, and each of its numbers needs a test that fails. A patch that no
longer fits its file is a fault of the list, and so is a number that no patch takes away. At the
end, tests that noticed no patch are named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import yaml

from behaviours import Numbered, carried
from copies import Copy, Verdict, each

LIST: Final = Path(__file__).resolve().parent / "mutants.yaml"
PATIENCE: Final = 120
"""Seconds after which a break counts as noticed: it hangs, and without it the tests do not."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One break: the behaviour that it takes away, and the text that does it."""

    claim: str
    """What holds without the break."""
    file: str
    old: str
    new: str
    numbers: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    """Which tests have to notice, where no number says it."""

    def change(self, text: str) -> str:
        """Put the break into *text*."""
        if text.count(self.old) != 1:
            message = f"{self.file} has this {text.count(self.old)} times: {self.old!r}"
            raise ValueError(message)
        return text.replace(self.old, self.new)


def read() -> list[Mutant]:
    """Read the list of breaks."""
    entries = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return [
        Mutant(
            **{
                **entry,
                "numbers": tuple(entry.get("numbers", "").split()),
                "tests": tuple(entry.get("tests", "").split()),
            }
        )
        for entry in entries
    ]


def noticers(mutant: Mutant, tests: Sequence[Numbered]) -> list[str]:
    """Return the tests that have to notice: those of every run, if a number has any."""
    found: list[str] = []
    for number in mutant.numbers:
        those = [test for test in tests if number in test.numbers]
        found += [test.name for test in those if not test.apart] or [test.name for test in those]
    return list(dict.fromkeys([*found, *mutant.tests]))


def unnoticed(mutant: Mutant, verdict: Verdict, tests: Sequence[Numbered]) -> list[str]:
    """Return the numbers of *mutant* of which no test fails."""
    if verdict.hung:
        return []
    by_name = {test.name: test for test in tests}
    noticed = {
        number for name in verdict.failed if name in by_name for number in by_name[name].numbers
    }
    missing = [number for number in mutant.numbers if number not in noticed]
    return missing or ([] if verdict.failed else ["no test fails"])


def untouched(mutants: Sequence[Mutant], tests: Sequence[Numbered]) -> list[str]:
    """Return the numbers that tests carry and that none of *mutants* takes away."""
    broken = {number for mutant in mutants for number in mutant.numbers}
    return sorted({number for test in tests for number in test.numbers} - broken)


def tried(copy: Copy, mutant: Mutant, tests: Sequence[Numbered]) -> Verdict:
    """Put the break into *copy* and run what has to notice it."""
    names = noticers(mutant, tests)
    try:
        with copy.broken(mutant.file, mutant.change):
            found = copy.run(names, patience=PATIENCE)
    except (OSError, ValueError) as error:
        return Verdict(said=f"does not fit: {error}")
    if found.hung and copy.run(names, patience=PATIENCE).hung:
        return Verdict(said="without the break the tests take as long")
    return found


def main(arguments: list[str]) -> int:
    """Try every break; return 1 if one survives or cannot be made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--sure", action="store_true", help="do not see first that tests pass")
    parser.add_argument("words", nargs="*", help="numbers, or parts of a claim or a file")
    asked = parser.parse_args(arguments)
    tests = carried()
    chosen = [one for one in read() if not asked.words or _is_asked_for(one, asked.words)]
    wanted = list(dict.fromkeys(name for one in chosen for name in noticers(one, tests)))

    whole = Verdict(passed=frozenset(wanted))
    if not asked.sure:
        (_, whole), *_ = each(
            [None], lambda copy, _: copy.run(wanted, patience=PATIENCE * 20), jobs=1
        )
    if not whole.passed:
        print(whole.said or "without any break the tests take too long")
        return 1
    unbroken = [] if asked.words else untouched(chosen, tests)
    for number in unbroken:
        print(f"no break takes this away: {number}")
    for name in sorted(whole.failed):
        print(f"fails without any break, and so notices none: {name}")
    bad, silent = len(unbroken) + len(whole.failed), set(whole.passed)
    for mutant, found in each(chosen, lambda copy, one: tried(copy, one, tests), jobs=asked.jobs):
        verdict = replace(found, failed=found.failed - whole.failed)
        missing = unnoticed(mutant, verdict, tests)
        bad += bool(missing)
        silent -= set(noticers(mutant, tests)) if verdict.hung else verdict.failed
        word = verdict.word if not missing else "SURVIVED"
        numbers = " ".join(mutant.numbers)
        print(f"{word:<9} {numbers:<15} {mutant.claim}", flush=True)
        if missing:
            print(f"          {mutant.file}: {', '.join(missing)}", flush=True)
            if verdict.word == "broken":
                print(verdict.said[-2000:])
    if not asked.words and not asked.sure:
        print(*(f"noticed no break: {name}" for name in sorted(silent)), sep="\n")
    print(f"\n{len(chosen)} breaks, {bad} of them or of their tests at fault")
    return bool(bad)


def _is_asked_for(mutant: Mutant, words: Sequence[str]) -> bool:
    return any(
        word in mutant.numbers or word in mutant.claim or word in mutant.file for word in words
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
