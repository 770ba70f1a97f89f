"""The scan of one text: every reading of it, every rule, and what is put in place of a secret."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from telewright._rules import Hints, Rule, compiled, decoded, drawn
from telewright._rules_common import COMMON
from telewright._rules_personal import PERSONAL
from telewright._rules_vendors import VENDORS
from telewright._scan_beside import beside
from telewright._scan_code import typed
from telewright._scan_commands import commands
from telewright._scan_pairs import Found, flags, pairs, said
from telewright._scan_prose import codes, prose
from telewright._scan_rows import rows
from telewright._scan_shapes import spoken
from telewright._scan_urls import path_tokens, userinfo
from telewright._scan_views import MARKER, folded, joined, unescaped
from telewright._words import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

GROWTH: Final = 64
"""No value grows by more characters than this."""

_PASSES: Final = 4
_MOST: Final = 2_000
"""Findings after which a text is left out whole; in a text this full, nothing else is of use."""

ENCODED: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_=-])")
_DEEPEST: Final = 3
_LINE_ENDS: Final = re.compile(r"(?:\\{1,4}[rn]|[\r\n])+[ \t>|]*")
_SHORTEST_PART: Final = 10
_SHORT_REST: Final = 4
_LONG_REST: Final = 24
_KEY_BLOCK: Final = re.compile(r"----[- ]BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?([- ]----)")
_KEY_BODY: Final = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nr])*")
_DRAWN: Final = re.compile(r"[_.-]([A-Za-z0-9]{20,}+)(?![/+-]|_\w|\.\w|=\w)")
_PREFIX: Final = re.compile(
    r"(?<![A-Za-z0-9_./+-])([a-z][a-z0-9]{0,15}(?:[_-][a-z0-9]{1,12}){0,4})\Z"
)
_LONGEST_PREFIX: Final = 72
_LONG_TOKEN: Final = 30
_LONGER_TOKEN: Final = 40
_DIGESTS: Final = ("sha", "md5", "blake", "xxh", "crc")
_NAMED_TOKENS: Final = frozenset(
    {"sk", "pat", "token", "secret", "key", "live", "apikey", "ak", "as"}
)
_ECHO: Final = "input_value="
_NAME_LINE: Final = re.compile(r"[ \t]*([\w.\-]{2,128})[ \t\r]*")
_TOLD: Final = re.compile(
    r"(?i)\b(?:(?:system|user|full|private|raw|model|assistant)[ _])?(?:prompts?|completions?"
    r"|messages|conversation|transcript|instructions?"
    r"|(?:model|tool|assistant|generated|judge|agent|verifier|llm|raw)[ _](?:output|response|text))"
    r"(?:\s{1,3}(?:was|were|is|are|text|follows|content)"
    r"|[^:\n]{1,40}\b(?:parse|decode|tokenize|process|handle|understood|read)d?)?"
    r"\s{0,2}(?::|=)\s{1,3}(?=\S)"
)


_SECRETS: Final = (*VENDORS, *COMMON)
_ALL: Final = (*_SECRETS, *PERSONAL)
_HINTS: Final = Hints(() if rule.folds else rule.hints for rule in _ALL)
_FOLDED_HINTS: Final = Hints(rule.hints if rule.folds else () for rule in _ALL)
_PREFIXED: Final = frozenset(
    number for number, rule in enumerate(_SECRETS) if all(len(hint) > 1 for hint in rule.hints)
)
_TOLD_HINTS: Final = (
    "prompt",
    "completion",
    "messages",
    "conversation",
    "transcript",
    "instruction",
    "output",
    "response",
    "text",
)
_SAID_HINTS: Final = (
    *(" returned", " said", " answered", " replied", " wrote", " responded"),
    *(" produced", " asked", " sent", " was", " were"),
)
_SAID: Final = re.compile(
    r"(?:[mtaujls](?<![a-z].)(?:(?<=m)odel|(?<=t)ool|(?<=a)ssistant|(?<=u)ser|(?<=a)gent|(?<=j)udge"
    r"|(?<=l)lm|(?<=t)eacher|(?<=s)tudent)\s(?:returned|said|answered|replied|wrote|responded"
    r"|produced|asked|sent)"
    r"|[ioaqu](?<![a-z].)(?:(?<=i)nput|(?<=o)utput|(?<=a)nswer|(?<=q)uestion|(?<=o)bservation"
    r"|(?<=u)tterance)\s(?:was|were))\s{0,2}(?::|=)\s{1,3}(?=\S)"
)
_TOLD_QUOTED: Final = re.compile(
    r"(?i:prompt|completion|instruction|conversation|transcript)s?"
    r"[ :=]{1,3}([\"'`])([^\"'`\n]{1,8192})\1"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the scan of a text depends on besides the text."""

    strict: bool = False
    url: bool = False
    spoken: bool = False
    content: bool = False
    depth: int = 0


def marker(rule: str) -> str:
    """Return what stands in place of a match of *rule*."""
    return f"[redacted:{rule}]"


def _hinted(text: str, lower: str) -> set[int]:
    """Return the numbers of the rules that may match."""
    return _HINTS.within(text) | _FOLDED_HINTS.within(lower)


def _prefixed(text: str) -> set[int]:
    """Return the numbers of the rules that may match and know a secret by how it begins."""
    return _hinted(text, text.lower()) & _PREFIXED


def _shapes(text: str, rules: set[int], setting: Setting) -> Iterator[Found]:
    for rule in map(_ALL.__getitem__, sorted(rules)):
        if setting.strict or not rule.strict:
            yield from _matches(rule, text)


def _matches(rule: Rule, text: str) -> Iterator[Found]:
    for match in compiled(rule.pattern, folds=rule.folds).finditer(text):
        start, end = match.span(rule.group)
        if rule.check is None or rule.check(match.group(rule.group)):
            yield Found(start, end, rule.name)


def _signed(text: str) -> Iterator[Found]:
    """Yield JSON web tokens."""
    if "eyJ" not in text:
        return
    for match in compiled(
        r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{10,}+)\.[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+){0,3}",
        folds=False,
    ).finditer(text):
        inner = match.group(1).find("eyJ")
        if inner >= 0 and len(match.group(1)) - inner >= _SHORTEST_PART:
            yield Found(match.start() + inner, match.end(), "jwt")


def _drawn_tokens(text: str) -> Iterator[Found]:
    """Yield what a machine drew behind words in lower case: a vendor's prefix, or one made up."""
    for match in _DRAWN.finditer(text):
        before = _PREFIX.search(text, max(0, match.start() - _LONGEST_PREFIX), match.start())
        if before is None or not drawn(match.group(1)):
            continue
        words = before.group(1).replace("-", "_").split("_")
        digest = words[0].startswith(_DIGESTS)
        least = _LONGER_TOKEN if match.group()[0] == "." else _LONG_TOKEN
        if not digest and (len(match.group(1)) >= least or _NAMED_TOKENS & set(words)):
            yield Found(before.start(1), match.end(), "drawn_token")


def _key_blocks(text: str) -> Iterator[Found]:
    """Yield private keys, closed or cut short."""
    closes = True
    match = _KEY_BLOCK.search(text)
    while match:
        close = text.find(match.group()[:5] + "END", match.end()) if closes else -1
        if close >= 0:
            tail = text.find("----", close + 8)
            done = tail + len(match.group(1)) if tail >= 0 else len(text)
        else:
            closes = False
            body = _KEY_BODY.match(text, match.end())
            done = body.end() if body else match.end()
        if done - match.end() > _SHORTEST_PART:
            yield Found(match.start(), done, "private_key")
        match = _KEY_BLOCK.search(text, done)


def _echoes(text: str) -> Iterator[Found]:
    """Yield what a validation error repeats of the value of a field named on the line before."""
    at = text.find(_ECHO)
    while at >= 0:
        begin = at + len(_ECHO)
        line = text.rfind("\n", max(0, at - 400), at)
        before = text.rfind("\n", max(0, line - 160), line) if line > 0 else -1
        name = _NAME_LINE.fullmatch(text, before + 1, line) if line > 0 else None
        if name and judge(name.group(1)) in {"secret", "cookie", "content", "maybe"}:
            end = text.find(", input_type=", begin, begin + 4096)
            yield Found(begin, end if end >= 0 else len(text), "named_secret")
        at = text.find(_ECHO, begin)


def _told(text: str, lower: str) -> Iterator[Found]:
    """Yield a prompt or an answer that a message repeats, to its end."""
    hinted = any(hint in lower for hint in _TOLD_HINTS)
    told = _TOLD.search(text) if hinted else None
    if told is None and any(hint in lower for hint in _SAID_HINTS):
        told = _SAID.search(lower if len(lower) == len(text) else text)
    left = text[told.end() :].rstrip() if told else ""
    if told and said(left) and typed(left, 0, ":")[1]:
        yield Found(told.end(), told.end() + len(left), "content")
    for match in _TOLD_QUOTED.finditer(text) if hinted else ():
        if spoken(match.group(2)):
            yield Found(*match.span(2), "content")


def _encodings(text: str, setting: Setting) -> Iterator[Found]:
    """Yield base64 that hides a secret."""
    if setting.depth >= _DEEPEST:
        return
    inner = replace(setting, depth=setting.depth + 1)
    for match in ENCODED.finditer(text):
        plain = decoded(match.group())
        if plain and plain.isprintable() | ("\n" in plain):
            rule = next((found.rule for found in found_in(plain, inner)), "")
            if rule:
                yield Found(*match.span(), rule)


def _read(text: str, setting: Setting) -> Iterator[Found]:
    lower = text.lower()
    yield from _signed(text)
    if "PRIVATE KEY" in text:
        yield from _key_blocks(text)
    yield from _shapes(text, _hinted(text, lower), setting)
    yield from _drawn_tokens(text)
    yield from _encodings(text, setting)
    if "@" in text:
        yield from userinfo(text)
    if "/" in text:
        yield from path_tokens(text)
    yield from commands(text)
    yield from pairs(text, url=setting.url, strict=setting.strict)
    yield from flags(text)
    yield from prose(text, lower)
    yield from codes(lower if len(lower) == len(text) else text)
    yield from beside(text)
    yield from rows(text, lower)
    yield from _echoes(text)
    if setting.spoken:
        yield from _told(text, lower)


def found_in(text: str, setting: Setting) -> Iterator[Found]:
    """Yield what may not leave of *text*, in any order, overlaps included."""
    view = folded(text)
    readings = [view, *unescaped(view)]
    for reading in readings:
        for found in _read(reading.text, setting):
            yield Found(*reading.back(found.start, found.end), found.rule)
    last = readings[-1]
    if "\n" not in last.text:
        return
    line = joined(last) if "eyJ" in last.text or _prefixed(last.text) else None
    if line is None:
        return
    for found in (*_signed(line.text), *_shapes(line.text, _prefixed(line.text), setting)):
        start, end = line.back(found.start, found.end)
        pieces = _LINE_ENDS.split(text[start:end])
        if len(pieces) > 1 and _goes_on(pieces[-1], text[end : end + 1]):
            yield Found(start, end, found.rule)


def _goes_on(piece: str, after: str) -> bool:
    """Say whether the start of a line is the rest of a token that the line before began."""
    mixed = piece[1:] != piece[1:].lower() and piece != piece.upper()
    random = mixed or any(map(str.isdigit, piece)) or len(piece) > _LONG_REST
    return (
        len(piece) >= _SHORT_REST
        and random
        and (not after or after in " \t\r\n\\\"',;.)]}><`\x1b%&|")
    )


def _merged(text: str, setting: Setting) -> list[Found] | None:
    """Return what was found, in order, overlaps joined, markers left alone; None if too much."""
    founds = list(islice(found_in(text, setting), _MOST))
    if len(founds) == _MOST:
        return None
    founds.sort(key=lambda one: (one.start, -one.end))
    if setting.content:
        founds = [one for one in founds if one.rule != "content"]
    logins = {one.end for one in founds if one.rule == "userinfo"}
    merged: list[Found] = []
    for found in founds:
        if found.rule == "email" and text.find("@", found.start, found.end) in logins:
            continue
        if merged and found.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Found(last.start, max(last.end, found.end), last.rule)
        else:
            merged.append(found)
    return [one for one in merged if MARKER.sub("", text[one.start : one.end]).strip(" *\"'")]


def _replaced(text: str, founds: list[Found], budget: int) -> str:
    """Return *text* with a marker for each of *founds*; stars once it has grown by *budget*."""
    pieces: list[str] = []
    done = 0
    for found in founds:
        size = found.end - found.start
        mark = marker(found.rule)
        if len(mark) - size > budget:
            mark = "*" * min(size, 8)
        budget -= max(len(mark) - size, 0)
        pieces += text[done : found.start], mark
        done = found.end
    return "".join([*pieces, text[done:]])


def scan_text(text: str, setting: Setting, *, budget: int = GROWTH) -> str:
    """Return *text* without what may not leave; the very same object if nothing was found."""
    result = text
    for _ in range(_PASSES):
        founds = _merged(result, setting)
        if founds is None:
            break
        if not founds:
            return result
        result = _replaced(result, founds, budget - max(len(result) - len(text), 0))
    return marker("several")
