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
    r"((?:\[\d{1,4}\])?[\\\"'`\]*]{0,10}+(?:[ \t]\([^()\n]{1,40}\)(?=\s?:))?)"
    r"(\s{0,8}+(?:[:=][=>]?|->|\u2192|\u21d2)\s{0,8}+|\s{1,4}(?:is|was|are|were)\b\s{0,2}:?\s{1,4})"
)
_FLAG: Final = re.compile(
    r"(?<![\w-])--?([A-Za-z][\w.\-]+)"
    r"(?:\s{1,4}|=|\0|[\"']\s{0,4},\s{0,4}b?(?=[\"']))(?=[^\s-]|-[^-\s\w])"
)
_QUOTE: Final = re.compile(r"[bruf]{0,2}(\\{0,8})([\"'`])")
_TRIPLE: Final = re.compile(r"[bruf]{0,2}(\"\"\"|\'\'\')")
_CLOSED: Final = {
    quote: re.compile(rf"[^{quote}\\]*(?:\\.[^{quote}\\]*)*+", re.DOTALL) for quote in "\"'`"
}
_SCHEME: Final = (
    r"(?:(?:bearer|basic|token|digest|apikey|api-key|negotiate|ntlm|key|splunk|sso-key)[ \t]{1,4})?"
)
_SCHEMED: Final = re.compile(
    r"(?i:(?:(digest|oauth|hawk|mac|signature|aws4-hmac-sha256)(?=[ \t]{1,4}\w{1,24}=)|bearer|basic"
    r"|token|apikey|api-key|negotiate|ntlm))(?:[ \t]|\\ ){1,4}"
)
_HELD: Final = re.compile(r"<[^<>\n]{1,40}>|\$?\{{1,2}[^{}\n]{1,64}\}{1,2}")
_TAGGED: Final = r"(?:[!&][\w!/:-]{1,40}[ \t]{1,4})?"
_BARE: Final = re.compile(
    rf"(?i:{_TAGGED}{_SCHEME})"
    r"(?:[^\s\0\"'`<>,;&)\]}\\|]++"
    r"|[,;|](?!\s|\Z|[\"'\[{]|[\w.\-]{1,64}\s{0,2}[=:])|&(?![\w.\-%]{1,64}=|\w{2,4};)"
    r"|[)\]}](?![\s.,;:)\]}\"']|\Z)|'(?=[^\s,;:)\]}'\"]{2})(?![ns]?\b)|\\(?![nrt\"'\\]))+"
)
ABOUT_CONTENT: Final = re.compile(
    r"(?:value |input |field |string )?(?:(?:must|should|cannot|may)(?: not)? (?:be|have|contain)\b"
    r"|(?:is |are |was )?(?:not |too )?(?:required|missing|empty|set|given|found|long|short"
    r"|provided|invalid|none|null)\b).{0,60}\Z"
)
"""What is said about a prompt where the prompt itself might stand."""
_BLOCK: Final = re.compile(
    rf"{_TAGGED}" r"[|>][-+\d]{0,2}[ \t]*\n([ \t]+)(?=\S)[^\n]*(?:\n\1[^\n]*)*"
)
_RUN: Final = re.compile(r"[A-Za-z0-9+/_.~\-]+={0,2}")
_SHORT: Final = re.compile(r"[^\s\"'`<>,;&)\]}|\\]{1,256}")
_COOKIE_LINE: Final = re.compile(r"[^\r\n\"'`]*")
_QUERY_END: Final = re.compile(r"[&#\s\"'`<>;,)\]}\\]|\?(?=[\w.\-]{1,64}=)|\Z")
_UNSURE: Final = frozenset({"", "maybe"})
_CODED: Final = frozenset({"secret", "content", "maybe"})
_LONGEST_QUERY: Final = 4096
_BRACKETS: Final = re.compile(r"[\[\]{}]|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'", re.DOTALL)
_FLAG_HINTS: Final = ("--", " -", "'-", '"-', "\n-")
_MAYBE: Final = (
    r"(?:[A-Z]\w{1,20}\()?[bruf]{0,2}\\{0,8}[\"'`](?:[^\s\"'`]{12}|\d{4})"
    r"|[A-Za-z0-9+/_.~\-]{12}|\d{4}"
)
_MAYBE_VALUE: Final = re.compile(_MAYBE)
_QUERY_VALUE: Final = re.compile(r"[^&#?\s]{8}")
_SHAPED: Final = re.compile(r"[\"'`]|(?=[^\s\d]{0,64}\d)\S{6}")
_EITHER_VALUE: Final = re.compile(rf"{_MAYBE}|{_QUERY_VALUE.pattern}")
_NO_VALUE: Final = frozenset("&#? \t\r\n")
_FOLDERS: Final = frozenset({"PWD", "OLDPWD"})
_CHOSEN: Final = ("token", "pass", "auth")
_WORD_BEFORE: Final = re.compile(r"([A-Za-z]{2,20})[ \t]\Z")
_NEEDS_WORD: Final = frozenset({"key", "keys", "code", "codes", "phrase"})
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


def _quoted(text: str, position: int) -> tuple[int, int] | None:
    """Return where the quoted text that starts at *position* begins and ends."""
    triple = _TRIPLE.match(text, position)
    if triple:
        end = text.find(triple.group(1), triple.end())
        return triple.end(), end if end >= 0 else len(text)
    opening = _QUOTE.match(text, position)
    if opening is None:
        return None
    begin = opening.end()
    slashes, quote = opening.groups()
    if slashes:
        end = text.find(slashes + quote, begin)
        return begin, end if end >= 0 else len(text)
    closed = _CLOSED[quote].match(text, begin)
    return begin, closed.end() if closed else len(text)


def _balanced(text: str, position: int) -> int:
    """Return where the bracket at *position* is closed, or the end of the text."""
    depth = 0
    for match in _BRACKETS.finditer(text, position):
        character = match.group()
        if character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
            if depth <= 0:
                return match.end()
    return len(text)


class Reader:
    """Finds where values end; remembers the ends of lines and queries, so that it stays linear."""

    __slots__ = ("_line", "_query", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._line = self._query = -1

    def extent(self, position: int, verdict: str) -> tuple[int, int, str]:
        """Return where the value at *position* begins and ends, and how it is written."""
        text = self.text
        quoted = _quoted(text, position)
        if quoted:
            return *quoted, "quoted"
        schemed = _SCHEMED.match(text, position) if verdict == "secret" else None
        if schemed:
            rest = self._schemed(schemed)
            if rest:
                return rest
        decides = verdict in {"secret", "cookie", "content"}
        if text[position : position + 1] in {"{", "["}:
            return position, _balanced(text, position) if decides else position, "nested"
        block = _BLOCK.match(text, position) if decides else None
        if block:
            return block.end(1), block.end(), "block"
        if verdict == "content":
            return position, self._line_end(position), "bare"
        if verdict == "secret":
            match = _BARE.match(text, position)
        elif verdict == "cookie":
            match = _COOKIE_LINE.match(text, position)
        else:
            match = (_RUN if verdict == "maybe" else _SHORT).match(text, position)
        return position, match.end() if match else position, "bare"

    def _schemed(self, match: re.Match[str]) -> tuple[int, int, str] | None:
        """Return where the value behind an authorisation scheme is, where it is written oddly."""
        begin = match.end()
        quoted = _quoted(self.text, begin)
        if quoted:
            return *quoted, "quoted"
        if match.group(1):
            return begin, self._line_end(begin), "bare"
        held = _HELD.match(self.text, begin)
        if held or "\\" in match.group():
            bare = held or _BARE.match(self.text, begin)
            return (begin, bare.end(), "bare") if bare else None
        return None

    def query(self, position: int) -> int:
        """Return where the value of an address's query ends."""
        if position > self._query:
            found = _QUERY_END.search(self.text, position)
            self._query = found.start() if found else len(self.text)
        return self._query

    def _line_end(self, position: int) -> int:
        if position > self._line:
            end = self.text.find("\n", position)
            self._line = end if end >= 0 else len(self.text)
        return self._line


def _in_url(name: str, value: str) -> bool:
    """Say whether a query's *value* under an ambiguous *name* is a secret."""
    if name.lower() not in _IN_URLS and judge(name) != "maybe":
        return False
    if value.isdigit() or len(value) < _SHORT_QUERY or "/" in value or opaque(value):
        return opaque(value)
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    return mixed and (len(value) >= _LONG_QUERY or any(map(str.isdigit, value)))


def _counts(verdict: str, name: str, value: str, kind: str, separator: str) -> str:  # noqa: PLR0911 - a list of rules
    """Return the rule under which *value* may not leave, or nothing."""
    bare = value.rstrip(")]}") if kind == "bare" else value
    if (
        harmless(value)
        or (bare != value and harmless(bare))
        or (kind != "quoted" and ":" in separator and status(value))
    ):
        return ""
    if name in _FOLDERS and value.startswith(("/", "~")):
        return ""
    said = kind == "bare" and separator.strip()[:1].isalpha() and ":" not in separator
    if verdict in {"secret", "cookie"}:
        if said and not password_like(value):
            return ""
        return "named_secret" if verdict == "secret" else "cookie"
    if verdict == "maybe":
        chosen = kind == "quoted" or (separator == "=" and name.lower().endswith(_CHOSEN))
        shaped = opaque(value) or (chosen and password_like(value, least=12))
        digits = name.lower().endswith("pin") and value.isdigit() and len(value) in _PIN
        return "named_secret" if shaped or digits else ""
    if verdict == "content":
        if kind == "bare" and ABOUT_CONTENT.match(value):
            return ""
        told = ":" in separator and spoken(value[:_LONGEST_QUERY]) and not counted(value)
        return "content" if kind != "bare" or told else ""
    if verdict == "prose":
        return "content" if kind == "quoted" and spoken(value) else ""
    if verdict in {"person", "card"}:
        known = any(map(str.isdigit, value)) or "@" in value
        long = len(value) >= _SHORTEST_PERSON
        return "person" if known and long and not internal(value) else ""
    return "user" if kind != "nested" else ""


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
    if verdict == "secret" and match.group(2).endswith(")") and not _SHAPED.match(text, position):
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
            if text[position : position + 1] in _NO_VALUE or not shaped.match(text, position):
                continue
        elif not (first or asked or name in _NEEDS_WORD):
            continue
        start = match.start()
        if start < done:
            continue
        if match.group(3) == ":" and _in_address(text, start, position):
            continue
        before = text[start - 1 : start] if asked and start else ""
        query = asked and (before in _QUERY or (url and before in {"", ";"}))
        verdict = _said(text, match, first, query=query)
        if verdict is None or (verdict == "user" and not strict):
            continue
        found = _value(reader, match, verdict, query=query and verdict != "secret")
        if found:
            yield found
            done = found.end


def _in_address(text: str, start: int, position: int) -> bool:
    """Say whether a pair is the user and the password of an address, for which others look."""
    scheme = text[max(0, start - 3) : start].find("//") >= 0
    return scheme and text.find("@", position, position + _LONGEST_LOGIN) >= 0


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
    if end - begin > _LONGEST_QUERY and kind == "bare" and verdict == "content":
        value = text[begin : begin + _LONGEST_QUERY]
    else:
        value = text[begin:end]
        if kind == "bare":
            value = value.rstrip(".,:;" if verdict == "secret" else ".,:;!?")
            end = begin + len(value)
    rule = _counts(verdict, name, value, kind, match.group(3))
    more = _PHRASES.get(words(name)[-1]) if rule and kind == "bare" else None
    said = more.match(text, end) if more and ":" in match.group(3) else None
    end = said.end() if said else end
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
        if verdict not in {"secret", "maybe", "content", "cookie"}:
            continue
        begin, end, kind = reader.extent(match.end(), "secret")
        value = text[begin:end].rstrip(".,:;")
        end = begin + len(value)
        if harmless(value) or kind == "nested" or (kind == "bare" and status(value)):
            continue
        short = name in {"token", "pass", "key", "auth"} and password_like(value)
        if (
            verdict in {"secret", "cookie"}
            or (verdict == "maybe" and (opaque(value) or short))
            or (verdict == "content" and spoken(value))
        ):
            yield Found(begin, end, "argument")
