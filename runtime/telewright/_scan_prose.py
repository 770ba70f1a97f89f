"""Secrets that stand in a sentence, right after a word for one.

Each finder reads a text once, from left to right, and yields `(start, end, rule)`.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Final

from telewright._scan_pairs import Found
from telewright._scan_shapes import harmless, opaque, password_like, status
from telewright._words import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPOKEN_WORD: Final = re.compile(
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|api[ _-]key|key|cred(?:ential|s)?"
    r"|pin|otp|session)s?(?=[\s:,])"
)
_SPOKEN_VALUE: Final = re.compile(
    r"(?:\s{1,4}(?:is|was|of|as|to|set|provided|used|given|value|changed|for|new|user|default|you"
    r"|passed|sent|supplied|received|got|we|that|which|your"
    r"|expired|invalid|rejected|revoked)){0,4}"
    r"\s{0,2}[:,]?\s{1,4}[\"'`(]?([^\s\"'`<>,;(){}\[\]]{6,256})(?![^\s\"'`<>,;(){}\[\]])"
)
_QUOTED_VALUE: Final = re.compile(
    r"(?:\s{1,4}(?:is|was|of|as|to|set|changed|the|user)){0,3}\s{0,2}[:,]?\s{1,4}"
    r"[\"'`]([^\s\"'`]{3,128})[\"'`]"
)
_NEXT_QUERY: Final = re.compile(r"&[\w.-]{1,40}=.*")
_PAIRED: Final = re.compile(r"[A-Za-z_]\w{0,40}=")
_NAME_CHARACTERS: Final = f"{string.ascii_letters}{string.digits}_.-"
_LONGEST_NAME: Final = 64
_SPOKEN_HINTS: Final = ("pass", "pwd", "secret", "token", "key", "cred", "pin", "otp", "session")
_CODE: Final = re.compile(
    r"(otp|2fa|passcode|code|pin|password)(?: (?:code|is|was|of)){0,2}[ :=#\"']{1,4}"
    r"(\d{4,8}|\d{3}[- ]\d{3})(?![\w-]|\.\d)"
)
_CODE_HINTS: Final = ("otp", "2fa", "code", "time p", "login p")
_CODE_KINDS: Final = (
    "one time",
    "one-time",
    "verification",
    "security",
    "login",
    "log-in",
    "sign-in",
    "2fa",
    "mfa",
    "sms",
    "confirmation",
    "authentication",
    "authorization",
)
_WEAK: Final = ("token", "key", "session", "otp", "pin")


def codes(lower: str) -> Iterator[Found]:
    """Yield codes that are good for once; *lower* is a text in lower case."""
    for match in _CODE.finditer(lower) if any(hint in lower for hint in _CODE_HINTS) else ():
        kind, before = match.group(1), lower[max(0, match.start() - _LONGEST_NAME) : match.start()]
        alone = kind in {"otp", "2fa", "passcode"} and not before[-1:].isalnum()
        if alone or (kind not in {"otp", "2fa"} and before.rstrip(" -").endswith(_CODE_KINDS)):
            yield Found(*match.span(2), "one_time_code")


def prose(text: str, lower: str) -> Iterator[Found]:
    """Yield what is shaped like a secret right after a word for one; *lower* is in lower case."""
    if len(lower) != len(text):
        lower = text
    if not any(hint in lower for hint in _SPOKEN_HINTS):
        return
    for match in _SPOKEN_WORD.finditer(lower):
        said = _SPOKEN_VALUE.match(text, match.end())
        quoted = _QUOTED_VALUE.match(text, match.end()) if match.group()[0] == "p" else None
        said = quoted or said
        if said is None:
            continue
        left = text[max(0, match.start() - _LONGEST_NAME) : match.start()]
        prefix = left[len(left.rstrip(_NAME_CHARACTERS)) :]
        weak = match.group().startswith(_WEAK)
        if prefix and judge(prefix + match.group()) != "secret":
            continue
        value = _NEXT_QUERY.sub("", said.group(1)).rstrip(".:")
        shaped = opaque(value) if weak else password_like(value)
        chosen = quoted is not None and not weak and not status(value)
        if (chosen or shaped) and not _PAIRED.match(value) and not harmless(value):
            yield Found(said.start(1), said.start(1) + len(value), "spoken_secret")
