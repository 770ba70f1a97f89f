"""Holds our redaction and that of three others against the same cases, and prints a table.

    python tools/redaction/compare.py [CASES.jsonl ...]

Needs, in one environment: telewright, logfire, sentry-sdk and, from Python 3.13 on, nemo-lens.
What is not installed is left out of the table. Each tool is used as it comes, on the surfaces it
covers; a surface that it does not cover exports the value as it is.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "runtime")]

from tests.runtime.redaction.holding import CASES, faults, kept, load  # noqa: E402 - see above

from telewright.testing import redact  # noqa: E402 - the path comes first

if TYPE_CHECKING:
    from collections.abc import Callable

    Case = dict[str, Any]
    Tool = Callable[[Case], object]


def telewright() -> Tool:
    """Ours, with the profile that the case is for."""
    return lambda case: redact(
        case["where"],
        case["key"],
        case["value"],
        declared=case["declared"],
        profile=case["profile"],
    )


def logfire() -> Tool:
    """Its scrubber, with its own patterns; it leaves resources, metrics and span names alone."""
    from logfire._internal.scrubbing import Scrubber  # noqa: PLC0415 - where it is installed

    scrubber = Scrubber(None)

    def run(case: Case) -> object:
        if case["where"] in {"resource", "metric_attr", "span_name"}:
            return case["value"]
        path = ("attributes", case["key"] or "message")
        return scrubber.scrub_value(path, copy.deepcopy(case["value"]))[0]

    return run


def sentry() -> Tool:
    """Its event scrubber, recursive, with its own lists of keys and without personal data."""
    from sentry_sdk.scrubber import EventScrubber  # noqa: PLC0415 - where it is installed

    scrubber = EventScrubber(recursive=True, send_default_pii=False)

    def run(case: Case) -> object:
        extra = {case["key"] or "message": copy.deepcopy(case["value"])}
        scrubber.scrub_dict(extra)
        (value,) = extra.values()
        return "[Filtered]" if type(value).__name__ == "AnnotatedValue" else value

    return run


def lens() -> Tool:
    """Its helper for span attributes; nothing else is covered."""
    from nemo.lens.helpers import redact_value  # noqa: PLC0415 - where it is installed

    def run(case: Case) -> object:
        attribute = case["where"] in {"attribute", "url"} and isinstance(case["value"], str)
        return redact_value(case["key"], case["value"]) if attribute else case["value"]

    return run


TOOLS = {
    "telewright": telewright,
    "logfire": logfire,
    "sentry-sdk": sentry,
    "nemo-lens": lens,
}


def row(name: str, make: Callable[[], Tool], cases: list[Case]) -> str:
    """Return one tool's line of the table."""
    try:
        tool = make()
        release = "(this)" if name == "telewright" else version(name)
    except (ImportError, PackageNotFoundError):
        return f"| {name} | not installed | | |"
    results = [(case, tool(case)) for case in cases]
    wrong: Counter[str] = Counter()
    for case, result in results:
        wrong[case["expect"]] += bool(
            [fault for fault in faults(case, result) if "characters became" not in fault]
        )
    total = Counter(case["expect"] for case in cases)
    stay, parts = kept(results)
    share = f"{stay / parts:.0%}" if parts else "none"
    return (
        f"| {name} {release} | {wrong['redact']} of {total['redact']} "
        f"| {wrong['keep']} of {total['keep']} | {share} |"
    )


def main(arguments: list[str]) -> int:
    """Print one table for each file of cases."""
    for path in map(Path, arguments or [str(CASES)]):
        cases = load(path)
        print(f"{len(cases)} cases of `{path.name}`:\n")
        print("| tool | secrets let out | harmless values changed | kept around secrets |")
        print("|---|---|---|---|")
        for name, make in TOOLS.items():
            print(row(name, make, cases))
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
