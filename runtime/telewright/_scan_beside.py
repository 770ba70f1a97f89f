"""Secrets whose name stands beside them: in tuples, elements, declarations and calls.

Each form is a pattern with a `name` and a `value`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright._rules import Hints, compiled
from telewright._scan_pairs import Found
from telewright._scan_shapes import harmless, opaque, password_like, status
from telewright._scan_values import Reader
from telewright._words import judge, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY: Final = re.compile(
    r"[nkhfvt](?<!\w.)(?:(?<=n)ame|(?<=k)ey|(?<=h)eader|(?<=f)ield|(?<=v)ariable|(?<=t)ype)"
    r"\\{0,4}[\"']?\s{0,4}[:=]\s{0,4}\\{0,4}[\"']?([\w.\-]{2,64})\\{0,4}[\"']?"
    r"(?:\s{0,4}[,;\n]\s{0,8}|\s{1,8})\\{0,4}[\"']?value\\{0,4}[\"']?\s{0,4}[:=]\s{0,4}(?=\S)"
)
_NAMED: Final = re.compile(r"[\w.\-:/]{2,64}")
_NAME: Final = r"(?P<name>[\w.\-]{2,64})"
_PAIRED: Final = ("', ", '", ', "',", '",')
_STRINGS: Final = ("('", '("', *_PAIRED)


class _Form(NamedTuple):
    """One way of writing a name and its value.

    Attributes:
        hints: Texts of which one occurs wherever the pattern can match.
        pattern: With the groups `name` and `value`.
        sure: Whether any value counts, and not only what is shaped like a password.
    """

    hints: tuple[str, ...]
    pattern: str
    sure: bool = True


_FORMS: Final = (
    _Form(
        _PAIRED,
        rf"[(\[]\s{{0,4}}b?[\"']{_NAME}[\"']\s{{0,2}},\s{{0,4}}b?[\"'](?P<value>[^\"']{{1,4096}})[\"']"
        r"\s{0,2}[)\]]",
    ),
    _Form(
        ("</",),
        r"<(?P<name>[A-Za-z][\w.\-:]{1,63})(?:\s[^<>]{0,200})?>(?P<value>[^<>]{1,4096})</",
    ),
    _Form(
        ("</",),
        rf"\b(?:name|key|id)=[\"']{_NAME}[\"'][^<>]{{0,100}}>(?P<value>[^<>]{{1,4096}})</",
    ),
    _Form(
        ("variable",),
        (
            rf"\bvariable\s{{1,4}}\"{_NAME}\"\s{{0,4}}\{{[^{{}}]{{0,1000}}?\bdefault"
            r"\s{0,8}=\s{0,8}\"(?P<value>[^\"\n]{1,1024})\""
        ),
    ),
    _Form(
        ("default=", "default ="),
        (
            rf"[\"']-{{0,2}}{_NAME}[\"'][^()\n]{{0,120}}?\bdefault\s{{0,2}}=\s{{0,2}}"
            r"b?[\"'](?P<value>[^\"'\n]{1,1024})[\"']"
        ),
    ),
    _Form(
        ("define ", "setenv ", "ENV ", "ARG "),
        (
            rf"(?:#[ \t]?define|\bsetenv|(?:^|\n)[ \t]{{0,8}}(?:ENV|ARG))[ \t]{{1,4}}{_NAME}"
            r"[ \t]{1,8}[\"']?(?P<value>[^\s\"']{1,1024})"
        ),
    ),
    _Form(
        ("set ", "SET "),
        (
            r"\b(?:set|SET)[ \t]{1,2}[\"']?(?P<name>(?=[^\s\"']{0,63}[_.:/])[\w.\-:/]{3,64})[\"']?"
            r"[ \t]{1,4}[\"']?(?P<value>[^\s\"'=]{3,1024})"
        ),
    ),
    _Form(
        ("|",),
        (
            rf"\|[ \t]{{0,16}}`?{_NAME}`?[ \t]{{0,16}}\|[ \t]{{0,16}}`?"
            r"(?P<value>[^\s|`]{6,256})(?=`?[ \t]{0,64}\|)"
        ),
        sure=False,
    ),
)
_CALL: Final = re.compile(
    r"(?:(?:[sS]|[pP]|[aA]|[uU]|[dD])(?:et|ut|dd|ssign|pdate|efine)\w{0,24}\()"
    r"((?:\s{0,4}(?:b?\"[^\"\n]{0,512}\"|b?'[^'\n]{0,512}'|[\w.]{1,40})\s{0,4},){1,4}"
    r"\s{0,4}(?:b?\"[^\"\n]{0,512}\"|b?'[^'\n]{0,512}'))"
)
_ARGUMENT: Final = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_SETTER: Final = re.compile(
    r"(?<!\w)((?:(?:[sS]et|[wW]ith|[uU]se|[vV]erify|[cC]heck|[hH]ash|[eE]ncrypt|[tT]est)_?)?"
    r"(?:[A-Za-z]{1,12}_?)?(?:[pP]ass(?:word|phrase|wd)|[pP]wd|[aA]pi_?[kK]ey|[sS]ecret_?[kK]ey))"
    r"\(b?[\"']([^\"'\n]{1,256})[\"']\s?\)"
)
_NO_SETTERS: Final = frozenset(
    ["get", "read", "load", "reset", "change", "forgot", "has", "is", "delete", "remove", "find"]
)
_HINTS: Final = Hints(form.hints for form in _FORMS)
_INSTANCE: Final = re.compile(r"On instance(?:\[[^\[\]\n]{1,64}\]){0,8}\['([\w.\-]{2,64})'\]")
_FARTHEST: Final = 4096
_FIRST: Final = re.compile(r"'([^'\n]{1,4096})' (?:is|does|was)\b")
_KEY_PART: Final = re.compile(
    r"[\"'](?:d|k|p|q|dp|dq|qi)[\"']\s{0,4}:\s{0,4}[\"']([A-Za-z0-9_-]{16,8192}={0,2})[\"']"
)


def _counts(name: str, value: str, *, sure: bool = True) -> bool:
    verdict = judge(name)
    if verdict == "maybe":
        told = opaque(value)
    else:
        told = verdict in {"secret", "cookie"} and (sure or password_like(value))
    return told and not (harmless(value) or status(value))


def beside(text: str) -> Iterator[Found]:
    """Yield values whose name stands beside them."""
    if "value" in text:
        yield from _entries(text)
    for number in sorted(_HINTS.within(text)):
        form = _FORMS[number]
        for match in compiled(form.pattern, folds=False).finditer(text):
            if _counts(match.group("name"), match.group("value"), sure=form.sure):
                yield Found(*match.span("value"), "named_secret")
    if "(" in text and any(hint in text for hint in _STRINGS):
        yield from _calls(text)
    if "On instance" in text:
        yield from _instances(text)
    if '"kty"' in text or "'kty'" in text:
        for match in _KEY_PART.finditer(text):
            yield Found(*match.span(1), "private_key")


def _calls(text: str) -> Iterator[Found]:
    """Yield what a call sets: `set("db", "password", "x")`, `with_password("x")`."""
    for match in _SETTER.finditer(text):
        if words(match.group(1))[0] not in _NO_SETTERS and _counts("password", match.group(2)):
            yield Found(*match.span(2), "named_secret")
    for match in _CALL.finditer(text):
        before = ""
        for one in _ARGUMENT.finditer(text, *match.span(1)):
            group = 1 if one.group(1) is not None else 2
            if before and _NAMED.fullmatch(before) and _counts(before, one.group(group)):
                yield Found(*one.span(group), "named_secret")
                before = ""
            else:
                before = one.group(group)


def _entries(text: str) -> Iterator[Found]:
    """Yield the values of `name: …, value: …`."""
    reader = Reader(text)
    for match in _ENTRY.finditer(text):
        if judge(match.group(1)) in {"secret", "cookie"}:
            begin, end, _ = reader.extent(match.end(), "secret")
            if not harmless(text[begin:end]):
                yield Found(begin, end, "named_secret")


def _instances(text: str) -> Iterator[Found]:
    """Yield what a failed JSON schema says of a value before its name."""
    for match in _INSTANCE.finditer(text):
        first = _FIRST.search(text, max(0, match.start() - _FARTHEST), match.start())
        if first and _counts(match.group(1), first.group(1)):
            yield Found(*first.span(1), "named_secret")
