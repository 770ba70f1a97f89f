"""What values look like, and what becomes of those that are too large, too deep or too full."""

from __future__ import annotations

import pytest

from telewright._scan import scan
from telewright._scan_shapes import (
    counted,
    harmless,
    iban,
    internal,
    luhn,
    opaque,
    password_like,
    spoken,
    status,
)

_OPAQUE = """
    Zx9fakeQ7vT2mNfake4KpLw8 fa4efa4efa4efa4e FAKEFAKEFAKEFAKEFAKEFAKE0 FakeFakeFakeFakeFake
    a1b2-c3d4e5f6g7h8i9 QUJDREVGR0hJSktM0123==
"""
_PLAIN = """
    short 1234567890123456 meta-llama/Llama-3.1-8B-Instruct model.layers.0.mlp.down_proj.weight
    PreTrainedTokenizer /opt/models/tokenizer.json ./a/b/c/d/e/f/g/h/i sha256:ab12ab12ab12ab12ab12
    550e8400-e29b-41d4-a716-446655440000 01J8ZQ3V4K5M6N7P8R9S0T1V2W https://h/aB3aB3aB3aB3aB3aB3
    abcdefghijklmnopqrstuvw ABCDEFGHIJKLMNOPQRSTUVW
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx step_10/shard_3/part_7 nemo_rl_py311_cu124 a+b
"""
_PASSWORDS = """
    hunter2! Passw0rdX c0rrect-H0rse! a1@b2c 1q2w3e4r5t6Y7u8i FakePassw0rd!
"""
_NO_PASSWORDS = """
    argument required policy-2 v2.1 Llama-3.1-8B /etc/pass1! --Pass1! abc 12345678 Ab1!
"""
_HARMLESS = """
    |none|null|True|***|xxxx|…|---|<token>|<YOUR KEY>|[redacted]|%s|%(token)s|${DB_PASSWORD}|$TOKEN
    |{password}|{{ token }}|os.environ['X']|SecretStr('**********')|n/a|REDACTED|
"""
_HARMFUL = "|hunter2|(abc)|<Abc1>|[abc1]|x|none at all|$1abc!|SecretStr('abc')|"


@pytest.mark.parametrize("text", _OPAQUE.split())
def test_opaque(text):
    """What a machine drew is told by cases and digits, or by its length."""
    assert opaque(text)


@pytest.mark.parametrize("text", _PLAIN.split())
def test_not_opaque(text):
    """Numbers, names, paths, digests, ids and addresses are not drawn secrets."""
    assert not opaque(text)


@pytest.mark.parametrize("identifiers", [True, False])
def test_identifiers_count_where_that_is_asked_for(identifiers):
    """An id in the place of a one-time token is one."""
    assert opaque("550e8400-e29b-41d4-a716-446655440000", identifiers=identifiers) is identifiers


@pytest.mark.parametrize("text", _PASSWORDS.split())
def test_password_like(text):
    """A person's password mixes letters with digits or signs."""
    assert password_like(text)


@pytest.mark.parametrize("text", _NO_PASSWORDS.split())
def test_not_password_like(text):
    """Words, versions, paths, flags and what is too short are none."""
    assert not password_like(text)


@pytest.mark.parametrize("text", _HARMLESS.strip().split("|"))
def test_harmless(text):
    """Nothing, placeholders and what is masked already may stay under any name."""
    assert harmless(text)
    assert scan("attribute", "api_key", text) is text


@pytest.mark.parametrize("text", _HARMFUL.strip("|").split("|"))
def test_not_harmless(text):
    """Anything else under the name of a secret goes."""
    assert not harmless(text)
    assert scan("attribute", "api_key", text) != text


def test_sentences():
    """How a sentence about a secret goes on is no secret; what is said has more than one word."""
    assert status("required,")
    assert not status("hunter2")
    assert spoken("two words")
    assert spoken('["one"]')
    assert not spoken("one")
    assert not spoken("1 2 3")


@pytest.mark.parametrize(
    ("text", "is_internal"),
    [
        ("10.0.12.7", True),
        ("192.168.1.20:8080", True),
        ("172.31.0.9", True),
        ("fd00::12", True),
        ("(127.0.0.1)", True),
        ("172.32.0.9", False),
        ("203.0.113.7", False),
        ("2001:db8::7", False),
        ("10.0.0.1, 203.0.113.7", False),
        ("a@10.0.0.1", False),
        ("node-a", False),
    ],
)
def test_addresses_inside_a_network_lead_to_nobody(text, is_internal):
    """They stay, also where the name is that of a client's address; all others go."""
    assert internal(text) is is_internal
    assert (scan("attribute", "client.address", text) == text) is is_internal


def test_counts_are_nothing_said():
    """A number with its unit is no prompt, whatever its name."""
    assert [counted("12 steps"), counted("(98.5 %)"), counted("12 is my age")] == [
        True,
        True,
        False,
    ]
    assert scan("log", "body", "instructions: 12 steps") == "instructions: 12 steps"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "INSERT INTO t (id, api_key, n) VALUES (1, 'a''b', 2), (2, 'x,y', ?)",
            (
                "INSERT INTO t (id, api_key, n) VALUES (1, '[redacted:named_secret]', 2), "
                "(2, '[redacted:named_secret]', ?)"
            ),
        ),
        (
            "insert into u(token, prompt) values('Zx9fakeQ7vT2mNfake4', 'say it now')",
            "insert into u(token, prompt) values('[redacted:named_secret]', '[redacted:content]')",
        ),
        ("INSERT INTO t (id, password) VALUES (?, ?)", None),
        ("INSERT INTO t (id, password) VALUES ($1, :password)", None),
        ("INSERT INTO t (id, token) VALUES (1, 'eos')", None),
        ("insert into the slot (a) values", None),
        ("INSERT INTO t (id) VALUES (1, 'unnamed')", None),
        (
            "password: |\n  one\n  two\nuser: x",
            "password: |\n  [redacted:named_secret]\nuser: x",
        ),
        ("secret: !vault abc", "secret: [redacted:named_secret]"),
        ("secret: !Ref DbPassword", None),
        (
            '<add key="ApiKey" value="abc" />',
            '<add key="ApiKey" value="[redacted:named_secret]" />',
        ),
    ],
)
def test_names_apart_from_their_values(text, left):
    """Columns of SQL, blocks and tags of YAML, attributes of XML: the value goes, nothing else."""
    assert scan("attribute", "note", text) == (text if left is None else left)


def test_check_digits():
    """Numbers of cards and accounts have a digit that tells mistakes."""
    assert [luhn("4111111111111111"), luhn("4111111111111112")] == [True, False]
    assert [iban("DE89370400440532013000"), iban("DE88370400440532013000")] == [True, False]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("pin=1234", "pin=[redacted:named_secret]"),
        ("pin=123", "pin=123"),
        ("pin=123456789", "pin=123456789"),
        ("my_pin: 12345678", "my_pin: [redacted:named_secret]"),
        ("a:b1Cd2e@host/x", "a:[redacted:userinfo]@host/x"),
        ("image:24.07@sha256:ab12", "image:24.07@sha256:ab12"),
        ("image:v1a2B3@sha256:ab12", "image:v1a2B3@sha256:ab12"),
        ("https://h/v1/verify/abcdefghijkl", "https://h/v1/verify/abcdefghijkl"),
        ("password is required", "password is required"),
        ("password is: hunter2", "password is: [redacted:named_secret]"),
        ("a &#112;assword=a1b2", "a &#112;assword=[redacted:named_secret]"),
        ("api_key\\u003dabc", "api_key\\u003d[redacted:named_secret]"),
    ],
)
def test_where_a_secret_begins_and_ends(text, left):
    """The value goes, all of it, and nothing more."""
    assert scan("attribute", "note", text) == left


def test_too_deep():
    """What is nested deeper than anything sane is left out from there on."""
    deep = "x"
    for _ in range(50):
        deep = [deep]
    found = scan("log", "body", deep)
    assert "[redacted:too_deep]" in str(found)
    assert "x" not in str(found).replace("redacted:too_deep", "")
    for _ in range(50):
        deep = ["name", deep]
    assert "[redacted:too_deep]" in str(scan("log", "body", deep))


def test_holding_itself():
    """A mapping that holds itself many times over ends as one marker."""
    one = {"note": "hi"}
    one.update({f"k{number}": one for number in range(8)})
    assert scan("log", "body", one) == "[redacted:too_large]"


def test_too_full():
    """A text with thousands of secrets is left out whole."""
    text = "password=a1b2c3 " * 4_000
    assert scan("attribute", "note", text) == "[redacted:several]"


def test_objects():
    """What no exporter can carry does not leave inside of what can."""
    assert scan("log", "body", {"a": object(), "b": 1}) == {"a": "[redacted:object]", "b": 1}


def test_unchanged_is_the_same_object():
    """Nothing is copied where nothing was found."""
    for value in ("text", ["a", "b"], {"a": [1, {"b": "c"}]}, 5, 1.5, True, b"x", ("a", 1)):
        assert scan("log", "body", value) is value


def test_kinds_stay():
    """Lists stay lists, tuples tuples and bytes bytes."""
    secret = "gh" + "p_" + "Fake0" * 7
    assert scan("attribute", "note", ("a", secret)) == ("a", "[redacted:github]")
    assert scan("attribute", "note", ["a", secret]) == ["a", "[redacted:github]"]
    assert scan("attribute", "note", secret.encode()) == b"[redacted:github]"
    assert scan("attribute", "api_keys", ["a b", "c d"]) == ["[redacted:named_secret]"]
    assert scan("log", "body", {"pin": 1234, "n": 5}) == {"pin": "[redacted:named_secret]", "n": 5}
    assert scan("log", "body", {secret: 1}) == {"[redacted:github]": 1}
    assert scan("log", "x", [["api_key", "abc"]]) == [["api_key", "[redacted:named_secret]"]]
    for value in ([["api_key"]], [["api_key", "abc", "n"]], [[]]):
        assert scan("log", "x", value) is value
    for value in ({"a": 1}, (("b", 2),)):
        assert scan("log", "session.cookie", value) in ("[redacted:cookie]", ("[redacted:cookie]",))
    assert scan("resource", "args", ["--api-key", "abc", "--n", "abc"]) == [
        "--api-key",
        "[redacted:named_secret]",
        "--n",
        "abc",
    ]
    env = {"env": [{"name": "HF_TOKEN", "value": "abc"}, {"name": "N", "value": "abc"}]}
    assert scan("log", "body", env) == {
        "env": [
            {"name": "HF_TOKEN", "value": "[redacted:named_secret]"},
            {"name": "N", "value": "abc"},
        ]
    }


def test_lists_of_all_kinds():
    """Numbers beside a text do not hide it; under a card's name they are looked at too."""
    found = scan("log", "body", [1, 1.5, True, None, "password=abc"])
    assert found == [1, 1.5, True, None, "password=[redacted:named_secret]"]
    assert scan("log", "card.number", [4_111_111_111_111_111]) == ["[redacted:person]"]


def test_what_holds_something_under_a_secrets_name():
    """A list goes as a whole if there is more in it than numbers; a lone number stays."""
    for value in ([7, {"a": 1}], [7, [8.5]], [7, "abc"]):
        assert scan("log", "credentials", value) == ["[redacted:named_secret]"]
    value = {"credentials": [7], "pin": True, "otp": 10**19}
    assert scan("log", "body", value) is value


def test_without_redaction():
    """Under the profile `off` whatever comes is handed back."""
    assert scan("attribute", "api_key", "abc", profile="off") == "abc"
