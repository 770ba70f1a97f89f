"""Units, secrets and personal data: what is recognised, and what is left alone."""

from __future__ import annotations

import pytest

from telewright_codegen.lint import secrets, ucum
from telewright_codegen.otel.names import table

UNITS = """
    s ms us ns min h d By KiBy MiBy GiBy kBy By/s {rollout} {token}/s 1 1/s % Cel Hz W J mW V 10*3
    m2 m.s-1 /s s{wall} {a.b}/{c/d} kg cm [degF] bit Mbit/s deg
"""


@pytest.mark.parametrize("unit", UNITS.split())
def test_ucum_units_are_accepted(unit):
    """Prefixes, atoms, exponents, quotients and annotations make units."""
    assert ucum.is_ucum(unit)


@pytest.mark.parametrize(
    "unit",
    [
        "",
        "seconds",
        "sec",
        "B",
        "MB",
        "KB",
        "bytes",
        "{",
        "{a",
        "a}",
        "s/",
        "s//s",
        "s s",
        "µs",
        "{é}",
        "m" * 64,
        "percent",
        "requests",
        "s\n",
        "{a b}",
        "1.5",
        "01",
        "%s",
        '";import os',
    ],
)
def test_other_units_are_refused(unit):
    """Words, words of other systems and anything that is no expression are none."""
    assert not ucum.is_ucum(unit)


def test_units_of_opentelemetry_are_units():
    """Every unit of OpenTelemetry's own metrics is accepted, but one that UCUM does not have."""
    units = {known.detail[1] for known in table().metrics.values()}
    assert len(units) > 20
    assert [unit for unit in sorted(units) if not ucum.is_ucum(unit)] == ["rpm"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("seconds", "s"), ("MiB", "MiBy"), ("bytes", "By"), ("requests", "{request}"), ("KB", "kBy")],
)
def test_usual_words_have_a_unit(written, meant):
    """What people write is answered with what UCUM calls it, which is a unit."""
    assert ucum.usual(written) == meant
    assert ucum.is_ucum(meant)


@pytest.mark.parametrize(
    "name",
    [
        "gym.api_key",
        "gym.password",
        "gym.db.password.value",
        "http.request.header.authorization",
        "gym.client_secret",
        "gym.secret",
        "cookie",
        "gym.aws.secret_key",
        "gym.private_key",
    ],
)
def test_secrets_by_name(name):
    """A name that holds a secret as a whole word is one."""
    assert secrets.secret_word(name)


@pytest.mark.parametrize(
    "name",
    [
        "gym.tokens",
        "gym.token.count",
        "gym.password_count",
        "gym.secretary",
        "gym.key",
        "gym.cache_key",
        "gym.authorization.status",
        "gen_ai.usage.input_tokens",
        "gym.max_tokens",
        "gym.monkey",
        "gym.secret.name",
        "gym.primary_key",
    ],
)
def test_names_about_secrets_are_none(name):
    """Counts, kinds and states, and words that only contain one, are no secrets."""
    assert secrets.secret_word(name) is None


def test_no_attribute_of_opentelemetry_is_a_secret_by_name():
    """The words do not hit OpenTelemetry's own names, but for those that are secrets."""
    hits = {key for key in table().attributes if secrets.secret_word(key)}
    assert hits <= {"http.request.header.authorization"}


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "a1" * 12,
        "hf_" + "Ab" * 12,
        "nvapi-" + "x1" * 10,
        "sk-proj-" + "a1" * 10,
        "Bearer abcdefghijkl123",
        "postgres://u:pw@host/db",
        "-----BEGIN RSA PRIVATE KEY-----",
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
        "password=hunter22",
    ],
)
def test_secrets_by_shape(text):
    """Tokens of known services, keys and passwords are seen in examples."""
    assert secrets.secret_in(f"see {text} here")


@pytest.mark.parametrize(
    "text",
    ["17-3-a2", "ckpt-000412", "https://example.com/v1", "task-sk-1", "5f2c9f7e54d0", "hf_model"],
)
def test_ordinary_examples_are_no_secrets(text):
    """Ids, names and addresses are left alone."""
    assert secrets.secret_in(text) is None


@pytest.mark.parametrize("text", ["jane@corp.com", "8.8.8.8", "+1 650 253 0000"])
def test_personal_by_shape(text):
    """Addresses and numbers that may be somebody's are seen in examples."""
    assert secrets.personal_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "jane@example.com",
        "jane@mail.example.org",
        "a@b.example",
        "192.0.2.1",
        "10.1.2.80",
        "127.0.0.1",
        "1.44.0",
        "2026-01-01",
        "1764460800.25",
        "0.0.0.300",
        "model@v2",
    ],
)
def test_nobody_s_data_is_left_alone(text):
    """What documentation uses, private networks, versions and dates are nobody's."""
    assert secrets.personal_in(text) is None


def test_shapes_take_linear_time():
    """A long text that nearly fits every shape is looked through once, not again and again."""
    for text in (
        "a." * 50_000,
        "1" * 100_000,
        "x@" * 50_000,
        "eyJ" + "a" * 100_000,
        "://" * 30_000,
    ):
        assert secrets.secret_in(text) is None
        assert secrets.personal_in(text) is None
