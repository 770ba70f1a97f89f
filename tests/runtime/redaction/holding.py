"""How the tests hold a result against its case: leaks, parts of secrets, changed values."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from telewright.testing import DROPPED, redact

CASES = Path(__file__).with_name("cases.jsonl")

_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_PART = 16


def load(path):
    """Return the cases of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run(case):
    """Return what would be exported of a case's value."""
    return redact(
        case["where"],
        case["key"],
        case["value"],
        declared=case["declared"],
        profile=case["profile"],
    )


def readings(value):
    """Return all that somebody who holds *value* can read, encodings taken off."""
    found = [json.dumps(value, ensure_ascii=False, default=repr), repr(value)]

    def walk(one):
        if isinstance(one, str):
            found.append(one)
            for blob in _ENCODED.findall(one):
                try:
                    found.append(base64.b64decode(blob + "==", altchars=b"-_").decode())
                    found.append(base64.b64decode(blob + "==").decode())
                except ValueError:
                    continue
        elif isinstance(one, dict):
            for key, item in one.items():
                walk(key)
                walk(item)
        elif isinstance(one, list | tuple):
            for item in one:
                walk(item)
        elif one is not None:
            found.append(str(one))

    walk(value)
    return "\n".join(found)


def size(value):
    """Return how long a value is once exported."""
    return len(value) if isinstance(value, str) else len(json.dumps(value, default=repr))


def faults(case, result):
    """Return what is wrong with *result*, in words; empty if nothing is."""
    if case["expect"] == "keep":
        same = result == case["value"] and type(result) is type(case["value"])
        return [] if same else [f"{case['id']}: {case['value']!r} became {result!r}"]
    if result is DROPPED:
        return []
    text = readings(result)
    wrong = [f"{case['id']}: {one!r} is in {result!r}" for one in case["secret"] if one in text]
    apart = readings(case["value"])
    for one in case["secret"]:
        for start in range(0, len(one) - _PART, 4):
            part = one[start : start + _PART]
            if part in text and apart.count(part) == apart.count(one):
                wrong.append(f"{case['id']}: a part, {part!r}, is in {result!r}")
                break
    if size(result) > size(case["value"]) + 64:
        wrong.append(f"{case['id']}: {size(case['value'])} characters became {size(result)}")
    return wrong


def kept(cases_and_results):
    """Return how many of the parts that must stay did, and how many there are."""
    stay = total = 0
    for case, result in cases_and_results:
        for part in case.get("must_keep") or []:
            total += 1
            stay += result is not DROPPED and part in readings(result)
    return stay, total
