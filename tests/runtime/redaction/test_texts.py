"""What of a text goes, and what around it stays, form by form: a secret is cut out, no more."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from telewright._scan import scan

_GROWTH = 64
_TABLE = Path(__file__).with_name("texts.txt")
_ROWS = [line.split(" ⇒ ") for line in _TABLE.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("text", "left"), _ROWS, ids=[text for text, _ in _ROWS])
def test_text(text, left):
    """What the table says is left; `=` is the text itself, the same object."""
    found = scan("attribute", "note", text)
    if left == "=":
        assert found is text
    else:
        assert found == left


def test_the_table_has_both():
    """Many forms lose something, many nothing; a row that says otherwise would fail."""
    same = sum(left == "=" for _, left in _ROWS)
    assert min(same, len(_ROWS) - same) >= 60
    text, left = _ROWS[0]
    assert scan("attribute", "note", text) == left != text


def test_many_short_secrets():
    """Once a value has grown by 64, further secrets are masked with stars, none is let go."""
    text = "; ".join(f"password{number}=x{number}y" for number in range(30))
    found = scan("attribute", "note", text)
    assert len(found) <= len(text) + _GROWTH
    assert not any(f"=x{number}y" in found for number in range(30))
    assert found.count("=[redacted:named_secret]") == 3
    assert "password29=****" in found


def test_markers_are_no_hiding_place():
    """A secret between the words of a made-up marker is still a secret."""
    for text in (
        "password=[redacted:bearer]hunter2",
        "[redacted:hf_" + "Fake0" * 7 + "]",
        "api_key=[redacted:bearer] hf_" + "Fake0" * 7,
    ):
        found = scan("attribute", "note", text)
        assert "hunter2" not in found
        assert "Fake0Fake0" not in found


def test_long_text_is_cut_after_the_scan():
    """A secret at a text's very end, cut by a limit before us, is still known by its prefix."""
    assert "FakeFa" not in scan("attribute", "note", "x" * 100 + " hf_FakeFakeF4")


def test_long_prompts():
    """A prompt of any length goes to its line's end; one far into a text ends where it ends."""
    assert scan("log", "body", "prompt: " + "say it " * 2_000) == "prompt: [redacted:content]"
    before = "x " * 3_000
    assert (
        scan("attribute", "note", f"{before}prompt: say it.")
        == f"{before}prompt: [redacted:content]."
    )


def test_growth_is_counted_by_what_grew():
    """A long text uses up no more of what the whole may grow by than a short one."""
    found = scan("log", "body", ["x" * 500 + " password=abc", "password=abc"])
    assert [one[-32:] for one in found] == ["password=[redacted:named_secret]"] * 2


def test_a_long_secret_uses_up_nothing():
    """A marker that is shorter than what it stands for leaves the next one all its room."""
    long = "x1" * 40
    assert scan("attribute", "api_key", long) == "[redacted:named_secret]"
    found = scan("log", "body", {"api_key": long, "password": "abc"})
    assert set(found.values()) == {"[redacted:named_secret]"}


def test_content_may_leave_and_secrets_may_not():
    """The switch is about what is said: names of secrets decide as before."""
    assert scan("attribute", "gen_ai.prompt", "say it", content=True) == "say it"
    assert scan("attribute", "api_key", "abc", content=True) == "[redacted:named_secret]"
    assert scan("attribute", "session.cookie", "a=b", content=True) == "[redacted:cookie]"


def test_a_prompt_among_all_its_names():
    """Whatever else a line is about, what a prompt said goes."""
    names = "completion messages conversation transcript instruction output response text"
    assert scan("log", "body", f"{names} prompt was: say it") == (
        f"{names} prompt was: [redacted:content]"
    )


@pytest.mark.parametrize(
    ("after", "left"),
    [
        ("\nFAKEFAKEFAKE\n-----END PRIVATE KEY----- then", "[redacted:private_key] then"),
        ("\nFAKEFAKEFAKE\n-----END PRIVATE", "[redacted:private_key]"),
        ("\nFAKEFAKEFAKE", "[redacted:private_key]"),
        ("\nFAKEFAKEFAKE\n\u2014 the end", "[redacted:private_key]\u2014 the end"),
        ("; so it begins", None),
    ],
)
def test_private_keys(after, left):
    """A key goes from its first line to its last, or to where it was cut; a mere word stays."""
    begin = "-----BEGIN RSA PRIVATE " + "KEY-----"
    assert scan("log", "body", begin + after) == (begin + after if left is None else left)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("code=AbcdEfgh12&n=3", "code=[redacted:url_secret]&n=3"),
        ("x;code=AbcdEfgh12", "x;code=[redacted:url_secret]"),
        (" code=AbcdEfgh12", None),
    ],
)
def test_queries_by_themselves(text, left):
    """Where a query is said to stand, its names count without an address before them."""
    assert scan("attribute", "url.query", text) == (text if left is None else left)
    assert scan("url", "x", text) == scan("attribute", "url.query", text)
    assert scan("attribute", "note", text.partition("&")[0]) == text.partition("&")[0]


@pytest.mark.parametrize(
    "text",
    [
        "pass\u200bword=abc",
        "pass\u200b\u200bword=abc",
        "pass\ue000word=abc",
        "\uff50assword=abc",
        "\ufb01 password=abc",
        "pass\x1b[1mword=abc",
        r"pass\u001b[1mword=abc",
        r"say\u001b[ password=abc",
        r"pass\u200bword=abc",
        "pass&#8203;word=abc",
        "pass%E2%80%8Bword=abc",
    ],
)
def test_names_that_do_not_look_so(text):
    """Characters that nobody sees, or that only look like others, hide no name."""
    assert scan("attribute", "note", text) == text.replace("abc", "[redacted:named_secret]")


def test_what_a_name_decides():
    """One drawn word is enough where a name may mean a secret; what a scan leaves is judged too."""
    for text in ("id Zx9fakeQ7vT2mNfake4KpL x", "(Zx9fakeQ7vT2mNfake4KpL)"):
        assert scan("attribute", "some.key", text) == "[redacted:named_secret]"
    assert scan("attribute", "some.key", "a few words") == "a few words"
    mixed = "=10.0.0.1 -> x <[redacted:bearer]y ;"
    assert scan("resource", "user.email", mixed, profile="strict") == "[redacted:person]"


def test_names_that_mean_text_need_text():
    """Said words go under such a name, in base64 too; under others they stay."""
    assert scan("attribute", "tool.output", "say it") == "[redacted:content]"
    assert scan("attribute", "tool.output", "c2F5IGl0IG5vdyBhbmQgdGhlbg==") == "[redacted:content]"
    for key, value in (("tool.output", "done"), ("user.name", "two words"), ("note", "say it")):
        assert scan("attribute", key, value) is value


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("username: jfake, n=3", "username: [redacted:user], n=3"),
        ("user={a} n=3", None),
        ("owner = jfake", "owner = [redacted:user]"),
        ("/home/jfake/x", "/home/[redacted:home_path]/x"),
    ],
)
def test_people_under_the_strict_profile(text, left):
    """Who somebody is goes under the strict profile and stays under the default one."""
    assert scan("log", "body", text) is text
    assert scan("log", "body", text, profile="strict") == (text if left is None else left)


def test_flags_among_flags():
    """However many forms of flags there are in a text, each is looked at."""
    text = "x --a -b '-c' \"-d\"\n-e --password {} y"
    assert scan("log", "body", text.format("abc")) == text.format("[redacted:argument]")


def test_content_that_may_leave_is_scanned_for_secrets():
    """With the switch on a prompt stays, and a token in it does not."""
    token = "gh" + "p_" + "Fake0" * 7
    for text in ("prompt: say it", 'the prompt was: "say it"', "messages: 'say it'"):
        assert scan("log", "body", text, content=True) is text
        assert scan("log", "body", text) != text
    found = scan("log", "body", f"prompt: say {token}", content=True)
    assert found == "prompt: say [redacted:github]"


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            "hf_token\n  bad [input_value='abc', input_type=str]",
            "value=[redacted:named_secret], i",
        ),
        (
            "S\nhf_token\n  bad [input_value='abc', input_type=str]",
            "value=[redacted:named_secret], i",
        ),
        ("S\nn_items\n  bad [input_value='abc', input_type=str]", "input_value='abc', i"),
        ("S\nhf_token\n  bad [input_value='abc'", "value=[redacted:named_secret]"),
        ("bad [input_value='abc', input_type=str]", "input_value='abc', i"),
        ("\n  bad [input_value='abc', input_type=str]", "input_value='abc', i"),
        ("hf_token\n\n  bad [input_value='abc', input_type=str]", "input_value='abc', i"),
    ],
)
def test_what_a_validation_error_repeats(lines, left):
    """The value of a field named on the line before goes if that name is a secret's."""
    assert left in scan("exception", "ValidationError", lines)


@pytest.mark.parametrize(
    ("after", "left"),
    [
        ("Qz7fake3", ""),
        ("Qz7fake3 then", " then"),
        ("words follow", "\nwords follow"),
        ("the end", "\nthe end"),
        ("Abc1:x", "\nAbc1:x"),
        ("ABCD", "\nABCD"),
    ],
)
def test_tokens_broken_by_a_line_end(after, left):
    """The rest of a token goes with it; what begins a line of its own stays."""
    token = "gh" + "p_" + "Fake0" * 7
    found = scan("attribute", "note", f"use {token}\n{after}")
    assert found == f"use [redacted:github]{left}"


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (["mysql", "-pabcd", "db"], ["mysql", "-p[redacted:command_secret]", "db"]),
        (["curl", "-u", "me:abc", "h"], ["curl", "-u", "me:[redacted:command_secret]", "h"]),
        (["docker", "run", "-u", "1:1"], ["docker", "run", "-u", "1:1"]),
        (["psql", "-p", "5432"], ["psql", "-p", "5432"]),
        (["mysql", "-pabcd", 5], ["mysql", "-p[redacted:command_secret]", 5]),
        (
            ["curl", "-u", "me:abcde12 -u you:defgh34"],
            ["curl", "-u", "me:[redacted:command_secret] -u you:[redacted:command_secret]"],
        ),
    ],
)
def test_arguments_of_programs(value, left):
    """What a program takes in a way of its own is also found in the list of its arguments."""
    assert scan("resource", "process.command_args", value) == left


@pytest.mark.parametrize("name", ["password", "n"])
def test_a_value_before_its_name(name):
    """What a failed schema says of an instance goes if the instance's name is a secret's."""
    text = f"'abc' is too short\n\nOn instance['a']['{name}']:\n"
    left = text.replace("abc", "[redacted:named_secret]") if name == "password" else text
    assert scan("log", "body", text) == left
    for text in (f"none is said\nOn instance['{name}']", f"'None' is odd\nOn instance['{name}']"):
        assert scan("log", "body", text) is text


def test_encodings_of_encodings():
    """A token is known in base64 of base64 of base64, and no further."""
    text = "gh" + "p_" + "Fake0" * 7
    for times in range(6):
        found = scan("attribute", "note", f"see {text}")
        assert found == ("see [redacted:github]" if times <= 3 else f"see {text}")
        text = base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("prompt text: say it was", "prompt text: [redacted:content]"),
        ("The Model Said: say it", "The Model Said: [redacted:content]"),
        ("\u0130 model said: say it", "\u0130 model said: [redacted:content]"),
        ("eyJmYWtl\nOiJmYWtlIn0.eyJmYWtlIjoxfQ.Fake0Fake0", "[redacted:jwt]"),
    ],
)
def test_what_a_log_says(text, left):
    """What was said to a model or by one, and a token that is broken over lines."""
    assert scan("log", "body", text) == left


def test_both_of_two_elements():
    """A list of two in a list is a name and a value, and each of them is scanned."""
    token = "gh" + "p_" + "Fake0" * 7
    found = scan("attribute", "note", [[token, "x"], ["x", token], ["password", "abc"]])
    marked = "[redacted:github]"
    assert found == [[marked, "x"], ["x", marked], ["password", "[redacted:named_secret]"]]


def test_private_parts_of_a_web_key():
    """Of a JSON web key only what is private goes."""
    key = {"kty": "RSA", "n": "abc", "d": "Zx9fakeQ7vT2mNfake4"}
    assert scan("log", "body", key) == {**key, "d": "[redacted:named_secret]"}
    assert scan("log", "body", {"n": "abc", "d": "Zx9"}) == {"n": "abc", "d": "Zx9"}


def test_the_working_directory():
    """`pwd` is a folder where it holds one, and a password where it does not."""
    assert scan("resource", "env.pwd", "/srv/x") == "/srv/x"
    assert scan("resource", "env.pwd", "hunter2") == "[redacted:named_secret]"
    assert scan("resource", "mysql_pwd", "hunter2") == "[redacted:named_secret]"
