"""Secrets that a name gives away in running text: `name=value`, flags, headers.

Each finder reads a text once, from left to right, and yields `(start, end, rule)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright._scan_code import code, typed
from telewright._scan_shapes import (
    counted,
    harmless,
    internal,
    opaque,
    password_like,
    spoken,
    status,
)
from telewright._scan_values import Reader
from telewright._words import judge, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright._scan_code import Code
    from telewright._words import Verdict


class Found(NamedTuple):
    """A part of a text that may not leave, and the rule that says so."""

    start: int
    end: int
    rule: str


_PAIR: Final = re.compile(
    r"(?<![\w.\-])([\w.\-]{2,}+)"
    r"((?:\[\d{0,4}\])?[\\\"'`\]*]{0,10}+(?:[ \t]\([^()\n]{1,40}\)(?=\s?:))?)"
    r"(\s{0,8}+(?:[:=][=>]?|->|\u2192|\u21d2)\s{0,8}+|\s{1,4}(?i:is|was|are|were)\b\s{0,2}:?\s{1,4})"
)
_FLAG: Final = re.compile(
    r"(?<![\w-])--?([A-Za-z][\w.\-]+)"
    r"(?:\s{1,4}|=|\0|\n[ \t]{0,16}-[ \t]{1,4}|[\"']\s{0,4},\s{0,4}b?(?=[\"']))(?=[^\s-]|-[^-\s\w])"
)
_ABOUT_CONTENT: Final = re.compile(
    r"(?:value |input |field |string )?(?:(?:must|should|cannot|may)(?: not)? (?:be|have|contain)\b"
    r"|(?:is |are |was )?(?:not |too )?(?:required|missing|empty|set|given|found|long|short"
    r"|provided|invalid|none|null)\b).{0,60}\Z"
)
"""What is said about a prompt where the prompt itself might stand."""
_ENDS: Final = re.compile(r"\\*[\"'`](?=[\s,;)\]}]|\Z)|</|\n")
_UNSURE: Final = frozenset({"", "maybe"})
_CODED: Final = frozenset({"secret", "content", "maybe"})
_LONGEST_QUERY: Final = 4096
_FLAG_HINTS: Final = ("--", " -", "'-", '"-', "\n-")
_MAYBE: Final = (
    r"(?:[A-Z]\w{1,20}\()?[bruf]{0,2}\\{0,8}[\"'`](?:[^\s\"'`]{12}|\d{4})"
    r"|[A-Za-z0-9+/_.~\-]{12}|\d{4}"
)
_MAYBE_VALUE: Final = re.compile(_MAYBE)
_QUERY_VALUE: Final = re.compile(r"[^&#?\s]{8}")
_NEXT_LINE: Final = re.compile(r"[\w.\-]{1,64}\s{0,2}[:=](?:\s|\Z)")
"""A name of its own, where the value of the name on the line before would stand."""
_LONG_WORD: Final = re.compile(r"[\"'`(]|\S{6}")
"""After `is`, no shorter word can be a password: none is shaped like one."""
_CLOSING: Final = re.compile(r"[\"'`](?:[ \t]{1,4}[\w.\-]{1,64}=|[,)\]}](?:\s|\Z))")
"""A quote that ends what stands before it."""
_SHAPED: Final = re.compile(r"[\"'`]|(?=[^\s\d]{0,64}\d)\S{6}")
_EITHER_VALUE: Final = re.compile(rf"{_MAYBE}|{_QUERY_VALUE.pattern}")
_FOLDERS: Final = frozenset({"PWD", "OLDPWD"})
_CHOSEN: Final = ("token", "pass", "auth", "pw")
_WORD_BEFORE: Final = re.compile(r"([A-Za-z]{2,20})[ \t]\Z")
_NEEDS_WORD: Final = frozenset({"key", "keys", "code", "codes", "phrase"})
_ESCAPED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_SHORT_QUERY: Final = 8
_LONG_QUERY: Final = 12
_LONGEST_LOGIN: Final = 256
_PIN: Final = range(4, 9)
_SHORTEST_PERSON: Final = 5
_QUERY: Final = frozenset({"?", "&", "#"})
_WORDS: Final = r"(?:[ \t]{1,2}[^\s,;:=\"'(){}\[\]]{1,64}+(?![:=]))*+"
_PHRASES: Final = {
    **dict.fromkeys(("passphrase", "phrase", "mnemonic"), re.compile(_WORDS)),
    "codes": re.compile(_WORDS.replace("[ \\t]", "[ \\t,]")),
}
"""By the last word of a name, how a value of several words goes on."""
_IN_URLS: Final = frozenset(
    [
        "sig",
        "signature",
        "code",
        "key",
        "token",
        "auth",
        "ticket",
        "assertion",
        "session",
        "sid",
        "sessionid",
        "pass",
        "hmac",
        "otp",
        "samlresponse",
        "samlrequest",
        "policy",
        "nonce",
        "credential",
        "access",
        "jwt",
        "appid",
    ],
)


def _in_url(name: str, value: str) -> bool:
    """Say whether a query's *value* under an ambiguous *name* is a secret."""
    path = "/" in value or "%2F" in value
    value = _ESCAPED.sub("", value)
    if name.lower() not in _IN_URLS and judge(name) != "maybe":
        return False
    if value.isdigit() or len(value) < _SHORT_QUERY or path or opaque(value):
        return opaque(value)
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    return mixed and (len(value) >= _LONG_QUERY or any(map(str.isdigit, value)))


def _counts(verdict: str, name: str, value: str, kind: str, separator: str) -> str:  # noqa: PLR0911 - a list of rules
    """Return the rule under which *value* may not leave, or nothing."""
    bare = value.partition(",")[0].rstrip(")]}\\") if kind == "bare" else value
    if (
        harmless(value)
        or (bare != value and harmless(bare))
        or (kind != "quoted" and ":" in separator and status(bare))
    ):
        return ""
    if name in _FOLDERS and value.startswith(("/", "~")):
        return ""
    sentence = kind == "bare" and separator.strip().isalpha()
    if verdict in {"secret", "cookie"}:
        if sentence and not password_like(value):
            return ""
        return "named_secret" if verdict == "secret" else "cookie"
    if verdict == "maybe":
        chosen = kind == "quoted" or (separator == "=" and name.lower().endswith(_CHOSEN))
        shaped = opaque(value) or (chosen and password_like(value, least=12))
        digits = name.lower().endswith("pin") and value.isdigit() and len(value) in _PIN
        return "named_secret" if shaped or digits else ""
    if verdict == "content":
        told = ":" in separator and said(value[:_LONGEST_QUERY])
        return "content" if kind != "bare" or told else ""
    if verdict == "prose":
        return "content" if kind == "quoted" and spoken(value) else ""
    if verdict in {"person", "card"}:
        known = any(map(str.isdigit, value)) or "@" in value
        long = len(value) >= _SHORTEST_PERSON
        return "person" if known and long and not internal(value) else ""
    return "user" if kind != "nested" else ""


def said(text: str) -> bool:
    """Say whether *text* is something said, and not a word or a number about it."""
    line = _ENDS.split(text, maxsplit=1)[0]
    return not (counted(line) or _ABOUT_CONTENT.match(line)) and spoken(line)


def _name_before(text: str, start: int, name: str) -> str:
    """Return *name* with the word before it, where it says nothing by itself (`API key`)."""
    if text[start - 1 : start] not in {" ", "\t"}:
        return name
    before = _WORD_BEFORE.search(text, max(0, start - 24), start)
    return f"{before.group(1)}_{name}" if before else name


def _said(text: str, match: re.Match[str], verdict: Verdict, *, query: bool) -> Verdict | None:
    """Return what the name of *match* says where it stands, or None if its value says no."""
    name, start, position = match.group(1), match.start(), match.end()
    if verdict in _UNSURE:
        if query:
            if not _QUERY_VALUE.match(text, position):
                return None
        elif verdict:
            if not _MAYBE_VALUE.match(text, position):
                return None
        elif name not in _NEEDS_WORD:
            return None
    if verdict == "maybe" or name in _NEEDS_WORD:
        verdict = judge(_name_before(text, start, name))
    if name == "content" and match.group(2):
        return "prose"
    return verdict if verdict or query else None


def pairs(text: str, *, url: bool, strict: bool) -> Iterator[Found]:
    """Yield what stands after a name and a separator."""
    reader = Reader(text)
    done = 0
    asked = url or any(mark in text for mark in _QUERY)
    shaped = _EITHER_VALUE if asked else _MAYBE_VALUE
    for match in _PAIR.finditer(text):
        name, position = match.group(1), match.end()
        first = judge(name)
        if first == "maybe":
            possible = bool(shaped.match(text, position))
        else:
            possible = bool(first) or asked or name in _NEEDS_WORD
        start = match.start()
        if not possible or start < done or _elsewhere(text, match, first):
            continue
        before = text[start - 1 : start] if asked and start else ""
        query = asked and (before in _QUERY or (url and before in {"", ";"}))
        verdict = _said(text, match, first, query=query)
        if verdict is None or (verdict == "user" and not strict):
            continue
        found = _value(reader, match, verdict, query=query and verdict != "secret")
        fragment = text.find("#", found.start, found.end) if found and query else -1
        if found and fragment > found.start:
            found = Found(found.start, fragment, found.rule)
        if found:
            yield found
            done = found.end


def _elsewhere(text: str, match: re.Match[str], verdict: Verdict) -> bool:
    """Say whether what follows is not the name's value: a name of its own, a remark, a host."""
    start, position, separator = match.start(), match.end(), match.group(3)
    if separator == ":" and text[max(0, start - 3) : start].find("//") >= 0:
        return text.find("@", position, position + _LONGEST_LOGIN) >= 0
    if "\n" in separator and _NEXT_LINE.match(text, position):
        return True
    if verdict == "secret" and separator.strip().isalpha():
        return not _LONG_WORD.match(text, position)
    remark = verdict == "secret" and match.group(2).endswith(")")
    return (remark and not _SHAPED.match(text, position)) or bool(_CLOSING.match(text, position))


def _value(reader: Reader, match: re.Match[str], verdict: str, *, query: bool) -> Found | None:
    """Return the value after *match* if it may not leave."""
    text, name, position = reader.text, match.group(1), match.end()
    if query:
        end = reader.query(position)
        value = text[position : min(end, position + _LONGEST_QUERY)].rstrip(".")
        if _in_url(name, value) and not harmless(value):
            return Found(
                position, end - (len(value) < end - position <= _LONGEST_QUERY), "url_secret"
            )
        if not verdict:
            return None
    position, valued = typed(text, position, match.group(3))
    if not valued:
        return None
    coded = verdict in _CODED and not match.group(3)[1:2].isalpha()
    literal = code(text, position, (name, match.group(3))) if coded else None
    if literal:
        return _literal(text, literal, verdict)
    begin, end, kind = reader.extent(position, verdict)
    value = text[begin : min(end, begin + _LONGEST_QUERY)]
    if kind == "bare" and end == begin + len(value):
        value = value.rstrip(".,:;" if verdict == "secret" else ".,:;!?")
        end = begin + len(value)
    rule = _counts(verdict, name, value, kind, match.group(3))
    more = _PHRASES.get(words(name)[-1]) if rule and kind == "bare" else None
    words_on = more.match(text, end) if more and ":" in match.group(3) else None
    end = words_on.end() if words_on else end
    return Found(begin, end, rule) if rule and end > begin else None


def _literal(text: str, found: Code, verdict: str) -> Found | None:
    """Return the strings in a value that is code if they may not leave."""
    value = text[found.start : found.end]
    if harmless(value) or (verdict == "content" and not spoken(value)):
        return None
    if verdict == "maybe" and not opaque(value):
        return None
    return Found(*found, "content" if verdict == "content" else "named_secret")


def flags(text: str) -> Iterator[Found]:
    """Yield what stands after a command line's flag, and in the element after it in a list."""
    if not text.startswith("-") and not any(hint in text for hint in _FLAG_HINTS):
        return
    reader = Reader(text)
    for match in _FLAG.finditer(text):
        name = match.group(1)
        verdict = judge(name)
        if verdict not in {"secret", "maybe", "content", "cookie"} or text[match.end()] in "{[":
            continue
        begin, end, kind = reader.extent(match.end(), "secret")
        value = text[begin:end].rstrip(".,:;")
        end = begin + len(value)
        if harmless(value) or (kind == "bare" and status(value)):
            continue
        short = name in {"token", "pass", "key", "auth"} and password_like(value)
        certain = spoken(value) if verdict == "content" else verdict != "maybe"
        if certain or (verdict == "maybe" and (opaque(value) or short)):
            yield Found(begin, end, "argument")
