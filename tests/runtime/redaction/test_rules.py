"""The tables of shapes: each row's own examples, and that rows can be told apart."""

from __future__ import annotations

import re

import pytest

from telewright._rules_common import COMMON
from telewright._rules_personal import PERSONAL
from telewright._rules_vendors import VENDORS
from telewright._scan import scan

_RULES = (*VENDORS, *COMMON, *PERSONAL)
_HITS = [(rule, text) for rule in _RULES for text in rule.hits]
_MISSES = [(rule, text) for rule in _RULES for text in rule.misses]


def _name(value):
    return value.name if hasattr(value, "name") else None


def _profile(rule):
    return "strict" if rule.strict else "default"


@pytest.mark.parametrize(("rule", "text"), _HITS, ids=_name)
def test_hit(rule, text):
    """The whole secret between the marks goes, under a marker, and all around it stays."""
    before, secret, after = re.split("[«»]", text)
    found = scan("attribute", "note", before + secret + after, profile=_profile(rule))
    assert secret not in found
    assert re.fullmatch(
        re.escape(before) + r"\[redacted:[a-z_]{2,16}\]" + re.escape(after), found
    ), found


@pytest.mark.parametrize(("rule", "text"), _MISSES, ids=_name)
def test_miss(rule, text):
    """What only looks like it stays as it is."""
    assert scan("attribute", "note", text, profile=_profile(rule)) is text


@pytest.mark.parametrize("rule", _RULES, ids=_name)
def test_row_is_complete(rule):
    """Each row has true and false examples, a short name, and hints without which it cannot hit."""
    assert rule.hits
    assert rule.misses
    assert re.fullmatch(r"[a-z_]{2,16}", rule.name)
    for text in rule.hits:
        plain = re.sub("[«»]", "", text)
        decoded = rule.name == "ngc"
        assert decoded or any(
            hint in (plain.lower() if rule.folds else plain) for hint in rule.hints
        )
