"""What leaks, what is changed for nothing: over cases of our own and over the shared corpus."""

from __future__ import annotations

import importlib.util

import pytest

from telewright.testing import redact
from tests.runtime.redaction.holding import CASES, faults, kept, load, run
from tests.shared import shared

_SEEDS = {"a": 3, "b": 2026, "c": 77_001}
_EACH = 2_500
_LEAST_KEPT = 0.95
_OWN = load(CASES)


def _corpus():
    return load(shared("cases", "redaction.jsonl"))


def _mutants(cases, number, seed):
    path = shared("cases", "mutate.py")
    spec = importlib.util.spec_from_file_location("mutate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.mutants(cases, number, seed))


def _held(cases):
    results = [(case, run(case)) for case in cases]
    wrong = [fault for case, result in results for fault in faults(case, result)]
    return wrong, kept(results)


@pytest.mark.parametrize("kind", sorted({case["cat"] for case in _OWN}))
def test_own_cases(kind):
    """No secret of ours leaves, whole or in part, and nothing harmless is changed."""
    found = {case["id"]: faults(case, run(case)) for case in _OWN if case["cat"] == kind}
    assert {number: wrong for number, wrong in found.items() if wrong} == {}


def test_own_cases_keep_what_stands_around():
    """At least 95 % of what stands around secrets survives."""
    stay, total = _held(_OWN)[1]
    assert stay >= _LEAST_KEPT * total


def test_undeclared_is_not_why_nothing_leaks():
    """The secrets under undeclared keys are also found by the scan alone, as foreign spans need."""
    cases = [{**case, "declared": True} for case in _OWN if case["expect"] == "redact"]
    numbers = [case for case in cases if isinstance(case["value"], int)]
    assert _held([case for case in cases if case not in numbers])[0] == []


def test_corpus():
    """The corpus: no leak, no changed value, and what stands around secrets stays."""
    wrong, (stay, total) = _held(_corpus())
    assert wrong == []
    assert stay >= _LEAST_KEPT * total


@pytest.mark.parametrize("seed", _SEEDS.values(), ids=_SEEDS)
def test_mutants_of_the_corpus(seed):
    """The same secrets in other spellings: no leak, no changed value."""
    wrong, (stay, total) = _held(_mutants(_corpus(), _EACH, seed))
    assert wrong == []
    assert stay >= _LEAST_KEPT * total


def test_mutants_of_own_cases():
    """Our own cases in other spellings: no leak, no changed value."""
    wrong, _ = _held(_mutants(_OWN, _EACH, 5))
    assert wrong == []


def test_without_the_scan_the_corpus_leaks():
    """The check can fail: with the profile off, nearly every secret is found in what leaves."""
    secrets = [case for case in _corpus() if case["expect"] == "redact"]
    leaks = sum(
        bool(faults(case, redact(case["where"], case["key"], case["value"], profile="off")))
        for case in secrets
    )
    assert leaks >= 0.95 * len(secrets)
