"""What holds for every value, whatever it is."""

from __future__ import annotations

import importlib.util
import json
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from telewright._scan import scan
from telewright._scan_views import folded, joined, unescaped
from telewright.testing import DROPPED, redact
from tests import soak
from tests.shared import SHARED, shared

_GROWTH = 64
_WHERE = ("attribute", "url", "log", "metric_attr", "exception", "resource", "span_name", "event")
_NAMES = (
    "api_key",
    "password",
    "token",
    "note",
    "url.full",
    "gen_ai.prompt",
    "user.email",
    "body",
    "",
    "max_tokens",
    "card.number",
    "cookie",
    "key",
    "authorization",
)
_PIECES = (
    "password",
    "=",
    ":",
    " ",
    "\n",
    "\\n",
    "token",
    "hf_",
    "sk-",
    "ghp_",
    "eyJ",
    ".",
    "//",
    "@",
    "?",
    "&",
    "%3D",
    "%26",
    "\\u003d",
    "'",
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    "Bearer ",
    "key",
    "Fake0Fake0Fake0Fake0",
    "AKIAFAKEFAKEFAKEFAKE",
    "-----BEGIN PRIVATE KEY-----",
    "-----END",
    "<",
    ">",
    "[redacted:",
    "[redacted:bearer]",
    "***",
    "\u200b",
    "\ue000",
    "\uff50\uff41ss",
    "4111 1111 1111 1111",
    "a@b.co",
    "--api-key ",
    "https://",
    "prompt: ",
    "QUJD",
    "input_value=",
    "/home/x/",
    "value",
    "name",
    "\ud800",
    "\x00",
    "AUTH ",
    "is ",
    "1234567890",
    "passphrase: ",
    "recovery codes: ",
    "INSERT INTO t (n, password) VALUES (1, '",
    "('",
    ": |\n  ",
    "!tag ",
    "10.0.0.1",
    "\ufb01",
    "\u200b\ufb01\u200b",
    " -> ",
    "=>",
    "--token=",
    "x1",
)

_TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_PIECES), max_size=14).map("".join),
    st.text(string.ascii_letters + string.digits + "=:;/@._-'\"\\ \n", max_size=80),
)
_LEAVES = st.one_of(
    _TEXT, st.integers(), st.floats(), st.booleans(), st.none(), st.binary(max_size=40)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.sampled_from(_NAMES), _TEXT), inner, max_size=4),
    ),
    max_leaves=8,
)
_KEYS = st.one_of(st.sampled_from(_NAMES), _TEXT, st.none())
_PROFILES = st.sampled_from(("default", "strict"))


def _same(one, other):
    return repr(one) == repr(other)


def _length(value):
    if isinstance(value, str | bytes):
        return len(value)
    return len(json.dumps(value, default=repr, ensure_ascii=False, skipkeys=True))


def _settled(where, key, value, profile):
    once = scan(where, key, value, profile=profile)
    assert _same(scan(where, key, once, profile=profile), once)
    assert _length(once) <= _length(value) + _GROWTH
    assert _same(scan(where, key, value, profile=profile), once), "the same input, another output"


@pytest.mark.long
@settings(max_examples=1_000, deadline=None)
@given(st.sampled_from(_WHERE), _KEYS, _VALUES, _PROFILES)
@example("attribute", "token", [{"api_key": "00", "password": 0}, {"password": -1}], "default")
@example("attribute", "note", [{"password": number} for number in range(90)], "default")
@example("attribute", "note", "password=[redacted:bearer]x", "default")
@example("attribute", "note", "https://u:[redacted:bearer]@h/", "default")
@example("attribute", "InputValue", "4111111111111111:", "default")
@example("resource", "user.email", "=10.0.0.1 -> _Bearer <[redacted:bearer]Bearer ;", "strict")
@example("log", "user.email", {"user.email": ["%3D", "codes: 10.0.0.1--token=(' AKIAF{"]}, "strict")
@example("attribute", "card.number", "\x00prompt: \uff50ass] 10.0.0.1", "default")
@example(
    "url", "key", "/x/v_value=[4111 1111 1111 1111:%3D\\%26sk-=\\u003d0eyJrecovery\n:", "default"
)
def test_any_value(where, key, value, profile):
    """Nothing raises; a second scan changes nothing; nothing grows by more than 64."""
    _settled(where, key, value, profile)


@settings(max_examples=1_000, deadline=None)
@given(_TEXT, _PROFILES)
@example("password=a password=a password=a password=a password=a password=a password=a", "default")
def test_any_text(text, profile):
    """As above, for texts put together from what rules look for."""
    once = scan("attribute", "note", text, profile=profile)
    assert scan("attribute", "note", once, profile=profile) == once
    assert len(once) <= len(text) + _GROWTH


@pytest.mark.soak
def test_a_million_values(request):
    """As above, for hours."""
    strategies = (st.sampled_from(_WHERE), _KEYS, _VALUES, _PROFILES)
    soak.begin(request).examples(_settled, *strategies, count=1_000_000, patience=60)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.integers(), st.floats(), st.booleans()), _KEYS)
def test_declared_numbers(value, key):
    """A number or boolean that the specs declare leaves as it is, whatever it is called."""
    assert redact("attribute", key, value) is value


@settings(max_examples=400, deadline=None)
@given(st.text(string.printable + "\u200b\uff50\u0430\ue000", max_size=60), st.data())
def test_readings_lead_back(text, data):
    """Whatever is found in a reading stands, in the text itself, where the reading says."""
    first = folded(text)
    for view in (first, *unescaped(first), joined(first)):
        if view is None or not view.text:
            continue
        start = data.draw(st.integers(0, len(view.text) - 1))
        end = data.draw(st.integers(start + 1, len(view.text)))
        begin, finish = view.back(start, end)
        assert 0 <= begin < finish <= len(text)
        if view is first:
            assert view.text[start:end] in folded(text[begin:finish]).text


def _hostile():
    if SHARED is None:
        return []
    spec = importlib.util.spec_from_file_location("hostile", shared("cases", "hostile.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.hostile()


@pytest.mark.parametrize("key", ["note", "api_key"])
@pytest.mark.parametrize(
    "value", [pytest.param(value, id=name) for name, value in _hostile() or [("none", None)]]
)
def test_hostile_value(value, key):
    """No value raises; what no exporter can carry is dropped."""
    result = redact("resource", key, value, declared=False)
    assert result is DROPPED or isinstance(
        result, str | int | float | list | tuple | dict | bytes | bytearray | None
    )
