"""The value scan: what of one value may be exported.

Numbers, booleans and None pass. Texts lose the secrets in them; where the name decides, the whole
value goes. Lists and mappings are read element by element, with the name that stands over them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, cast

from telewright._rules import decoded
from telewright._scan_commands import arguments
from telewright._scan_shapes import harmless, internal, luhn, opaque, password_like, spoken
from telewright._scan_text import ENCODED, GROWTH, Setting, marker, scan_text
from telewright._scan_views import MARKER
from telewright._words import Verdict, judge, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Where = Literal[
    "attribute", "url", "log", "metric_attr", "exception", "resource", "span_name", "event", "link",
    "status", "scope", "baggage", "message",
]  # fmt: skip
Profile = Literal["default", "strict", "off"]

_UNNAMED: Final = frozenset({"exception", "span_name", "status", "message"})
_URLS: Final = frozenset({"url", "uri", "query", "querystring", "target", "href", "fragment"})
_DEEPEST: Final = 32
_MOST_CONTAINERS: Final = 2_000
_LONGEST_NAMED: Final = 4096
_NUMERIC: Final = frozenset({"password", "passwd", "passcode", "pwd", "pin", "otp", "cvv", "cvc"})
_PLAIN: Final = frozenset({int, float, bool, type(None)})
_FOLDERS: Final = (("pwd",), ("oldpwd",))
_WORD_ENDS: Final = re.compile(r"\x1b\[[\d;]{0,16}m|[\s\\\"'`(){}\[\]<>,;]+|=(?=[\"'])")
_PATH: Final = re.compile(r"(?<![^\s(\"'>])[/~][\w./-]*")
_NAME_OF: Final = ("name", "key", "Name", "Key", "header", "field")


_KEY_PARTS: Final = frozenset({"d", "k", "p", "q", "dp", "dq", "qi"})
"""What is private of a JSON web key."""
_SPOKEN: Final = frozenset({"exception", "log", "status", "message", "event"})
_NAME: Final = re.compile(r"[\w.\-]{2,64}")
_DECIDED: Final[dict[str, str]] = {
    "secret": "named_secret",
    "cookie": "cookie",
    "content": "content",
    "person": "person",
}


def _verdict(where: str, key: str | None) -> Verdict:
    return judge(key) if key and where not in _UNNAMED else ""


def _whole(verdict: Verdict, text: str, *, strict: bool) -> str:  # noqa: PLR0911 - a list of rules
    """Return the rule by which all of *text* goes because of its name, or nothing."""
    if not verdict:
        return ""
    text = MARKER.sub("", text)  # what an earlier scan put there says nothing about the value
    if not text.strip() or harmless(text):
        return ""
    if verdict == "secret":
        return "named_secret"
    if verdict in {"cookie", "content"}:
        return verdict
    if verdict == "maybe" and _holds_secret(text):
        return "named_secret"
    if verdict == "prose" and (spoken(text) or _spoken_inside(text)):
        return "content"
    if verdict in {"person", "card"}:
        return "" if internal(text) else "person"
    if verdict == "user" and strict:
        return "user"
    return ""


def _holds_secret(text: str) -> bool:
    return any(
        opaque(word) or password_like(word, least=10)
        for one in _WORD_ENDS.split(text[:_LONGEST_NAMED])
        if (word := one.strip(".:"))
    )


def _spoken_inside(text: str) -> bool:
    return any(spoken(decoded(match.group()) or "") for match in ENCODED.finditer(text))


def _folder(key: str, text: str) -> bool:
    """Say whether *text* is the working directory of a shell, whose name is a password's too."""
    return (
        words(key)[-1:] in _FOLDERS
        and bool(_PATH.search(text))
        and not any(password_like(word) for word in text[:_LONGEST_NAMED].split())
    )


class _TooLargeError(Exception):
    """The value has more containers than anything sane has, or holds itself."""


class _Scan:
    """One value's scan, and how much the value may still grow."""

    __slots__ = ("budget", "containers", "setting")

    def __init__(self, where: str, key: str | None, *, strict: bool, content: bool) -> None:
        parts = words(key or "")
        self.setting = Setting(
            strict=strict,
            url=where == "url" or bool(parts and parts[-1] in _URLS),
            spoken=where in _SPOKEN,
            content=content,
        )
        self.budget = GROWTH
        self.containers = 0

    def verdict(self, verdict: Verdict) -> Verdict:
        """Return *verdict* unless it is about content and content may leave."""
        return "" if self.setting.content and verdict in {"content", "prose"} else verdict

    def value(self, key: str, verdict: Verdict, value: object, depth: int = 0) -> object:  # noqa: PLR0911 - one for each kind
        """Return what may be exported of *value*, which stands under *key*."""
        if isinstance(value, str):
            plain = str.__str__(value)
            told = "" if verdict == "secret" and _folder(key, plain) else verdict
            result = self._text(told, plain)
            return value if result == plain else result
        if value is None or isinstance(value, (int, float)):
            return self._number(verdict, value)
        if isinstance(value, (bytes, bytearray)):
            return self._bytes(verdict, value)
        if not isinstance(value, (list, tuple, dict)):
            return self._mark("object", 0)
        self.containers += 1
        if self.containers > _MOST_CONTAINERS:
            raise _TooLargeError
        if depth >= _DEEPEST:
            return self._mark("too_deep", 0)
        if isinstance(value, dict):
            return self._mapping(key, verdict, cast("Mapping[object, object]", value), depth)
        return self._sequence(key, verdict, cast("list[object]", value), depth)

    def _mark(self, rule: str, size: int) -> str:
        """Return what stands for *size* characters, or what takes as much room as a text of them.

        Raises:
            _TooLargeError: If there is no room for the shortest of marks.
        """
        mark = marker(rule)
        if len(mark) - size > self.budget:
            mark = "*" * max(min(size, 8), 1)
        if len(mark) - size > self.budget:
            raise _TooLargeError
        self.budget -= max(len(mark) - size, 0)
        return mark

    def _mark_number(self, rule: str, value: object) -> str:
        return self._mark(rule, len(str(value)) - 2)  # a text has quotes

    def _text(self, verdict: Verdict, text: str) -> str:
        rule = _whole(verdict, text, strict=self.setting.strict)
        if rule:
            return self._mark(rule, len(text))
        result = scan_text(text, self.setting, budget=self.budget)
        rule = "" if result == text else _whole(verdict, result, strict=self.setting.strict)
        if rule:  # as a second scan would
            return self._mark(rule, len(text))
        self.budget -= max(len(result) - len(text), 0)
        return result

    def _number(self, verdict: Verdict, value: float | None) -> object:
        if verdict != "card" or not isinstance(value, int) or not 10**12 <= value < 10**19:
            return value
        return self._mark_number("person", value) if luhn(str(value)) else value

    def _bytes(self, verdict: Verdict, value: bytes | bytearray) -> object:
        text = value.decode("utf-8", "surrogateescape")
        result = self._text(verdict, text)
        return value if result == text else result.encode("utf-8", "surrogateescape")

    def _sequence(
        self, key: str, verdict: Verdict, value: list[object] | tuple[object, ...], depth: int
    ) -> object:
        if verdict != "card" and set(map(type, value)) <= _PLAIN:
            return value
        decided = _decided(verdict, value)
        if decided:
            return _alike(value, [self._mark(decided, 0)])
        first = value[0] if depth and len(value) == 2 else None  # noqa: PLR2004 - a name and a value
        if isinstance(first, str) and _NAME.fullmatch(first):
            kept = self.value(key, verdict, first)
            result = [kept, self.value(first, judge(first) or verdict, value[1], depth + 1)]
        else:
            result = self._arguments(key, verdict, value, depth)
        if all(old is new for old, new in zip(value, result, strict=True)):
            return value
        decided = _decided(verdict, result)  # as a second scan would
        return _alike(value, [self._mark(decided, 0)] if decided else result)

    def _arguments(
        self, key: str, verdict: Verdict, value: list[object] | tuple[object, ...], depth: int
    ) -> list[object]:
        result: list[object] = []
        flag: Verdict = ""
        for one in self._commanded(value):
            follows = flag if isinstance(one, str) and not one.startswith("-") else ""
            result.append(self.value(key, follows or verdict, one, depth + 1))
            named = isinstance(one, str) and one.startswith("-") and "=" not in one
            flag = judge(str(one)) if named and _NAME.fullmatch(str(one)) else ""
        return result

    def _commanded(self, value: list[object] | tuple[object, ...]) -> Sequence[object]:
        """Return *value* without the passwords that a program takes in a way of its own."""
        found = arguments(value)
        if not found:
            return value
        result = list(value)
        for number, parts in found.items():
            text = str(value[number])
            for start, end, rule in reversed(parts):
                mark = self._mark(rule, len(text[start:end]))
                text = f"{text[:start]}{mark}{text[end:]}"
            result[number] = text
        return result

    def _mapping(
        self, key: str, verdict: Verdict, value: Mapping[object, object], depth: int
    ) -> object:
        if verdict in {"secret", "cookie", "content"} and value:
            return self._mark(_DECIDED[verdict], 2)
        beside = next((value[name] for name in _NAME_OF if isinstance(value.get(name), str)), "")
        result: dict[object, object] = {}
        changed = False
        for given, one in value.items():
            name = given if isinstance(given, (str, int, float, type(None))) else "object"
            label = self._text("", str.__str__(name)) if isinstance(name, str) else name
            inner = f"{key}.{MARKER.sub('', label)}" if isinstance(label, str) else key
            about = self.verdict(judge(inner)) if isinstance(name, str) else verdict
            if name in _KEY_PARTS and "kty" in value:
                about = "secret"
            if name in {"value", "Value"} and isinstance(beside, str):
                about = judge(beside) or about
            if _number_like(one) and words(inner)[-1:] and words(inner)[-1] in _NUMERIC:
                new: object = self._mark_number("named_secret", one)
            else:
                new = self.value(inner, about, one, depth + 1)
            changed = changed or new is not one or label is not given
            result[label] = new
        return result if changed else value


def _alike(
    value: list[object] | tuple[object, ...], result: list[object]
) -> list[object] | tuple[object, ...]:
    return tuple(result) if isinstance(value, tuple) else result


def _number_like(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**19


def _decided(verdict: Verdict, values: list[object] | tuple[object, ...]) -> str:
    """Return the rule by which a whole list goes because of its name, or nothing."""
    told = verdict in _DECIDED and any(_telling(verdict, one) for one in values)
    return _DECIDED[verdict] if told else ""


def _telling(verdict: Verdict, value: object) -> bool:
    if isinstance(value, str):
        return bool(_whole(verdict, str.__str__(value), strict=False))
    return isinstance(value, (dict, list, tuple, bytes))


def scan(
    where: str,
    key: str | None,
    value: object,
    *,
    profile: str = "default",
    content: bool = False,
) -> object:
    """Return what may be exported of *value*; the very same object if that is all of it.

    Args:
        where: The surface: `attribute`, `url`, `log`, `exception`, `span_name`, ….
        key: The name it stands under; an exception's type; None where there is none.
        value: Anything. What no exporter can carry is returned as it is.
        profile: `default`, `strict` (people's paths, names and networks too) or `off`.
        content: Whether prompts, completions and the like may leave, once scanned for secrets.
    """
    if profile == "off":
        return value
    found = _Scan(where, key, strict=profile == "strict", content=content)
    try:
        return found.value(key or "", found.verdict(_verdict(where, key)), value)
    except _TooLargeError:
        return marker("too_large")
