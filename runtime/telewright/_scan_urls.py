"""Secrets in addresses: user names with passwords, path tokens.

Each finder reads a text once, from left to right, and yields `(start, end, rule)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright._scan_pairs import Found
from telewright._scan_shapes import harmless, opaque, password_like
from telewright._words import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

_USERINFO: Final = re.compile(r"//([^/?#\s\"<>@]*(?:@[^/?#\s\"<>@]*)*)@")
_ODD_USERINFO: Final = re.compile(
    r"://[^\s/@:\"<>]{0,128}:(?!\d{1,5}(?:[/?#]|\Z))([^\s@\"<>]{1,256})@(?=[\w\[])"
)
_LOGIN: Final = re.compile(
    r"(?<![\w.@/-])[\w.-]{1,64}:([^\s:@/\"'<>]{3,128})@(?:tcp\(|unix\(|\[?[\w.-]{1,128}\]?(?=[:/\s]|\Z))"
)
_PLAIN_USER: Final = re.compile(r"[A-Za-z][\w.-]{0,31}")
_PATH_TOKEN: Final = re.compile(
    r"/([A-Za-z-]{1,16})(?=/([A-Za-z0-9_\-.~=]{12,256})(?![A-Za-z0-9_\-.~=]))"
)
_ONE_TIME: Final = frozenset(
    [
        "reset",
        "token",
        "tokens",
        "verify",
        "verification",
        "invite",
        "invites",
        "invitation",
        "magic",
        "magic-link",
        "confirm",
        "activate",
        "recover",
        "secret",
        "secrets",
        "password",
        "passwords",
        "otp",
    ],
)
_BEFORE_TOKENS: Final = _ONE_TIME | frozenset(
    [
        "hook",
        "hooks",
        "webhook",
        "webhooks",
        "auth",
        "unsubscribe",
        "share",
        "shared",
        "key",
        "keys",
        "apikey",
        "session",
        "sessions",
        "login",
        "callback",
        "signed",
        "s",
        "t",
        "k",
        "bot",
        "join",
        "sso",
    ],
)
_AFTER_HOST: Final = re.compile(r"://[^\s/\"'<>?#]*([^\s\"'<>?#]*)")
_SEGMENT: Final = re.compile(r"(?<=/)[A-Za-z0-9_\-]{20,}(?=[/?#.\s]|\Z)")
_NAMED_SEGMENT: Final = re.compile(r"[/;]([A-Za-z][\w.-]{2,40})[/=]([A-Za-z0-9_\-.~%+]{6,})")
_HOSTS: Final = re.compile(r"sha\d{3}|md5")


def userinfo(text: str) -> Iterator[Found]:
    """Yield what stands before the `@` of an address, unless it is a plain user name."""
    for match in _USERINFO.finditer(text):
        login = match.group(1)
        user, colon, password = login.partition(":")
        if colon and harmless(password) and (_PLAIN_USER.fullmatch(user) or not user):
            continue
        if colon or not _PLAIN_USER.fullmatch(user) or opaque(user) or password_like(user):
            yield Found(*match.span(1), "userinfo")
    for match in _ODD_USERINFO.finditer(text):
        if not harmless(match.group(1)):
            yield Found(*match.span(1), "userinfo")
    for match in _LOGIN.finditer(text):
        host = text[match.end(1) + 1 : match.end(1) + 8]
        if _chosen(match.group(1)) and not _HOSTS.match(host):
            yield Found(*match.span(1), "userinfo")


def _chosen(text: str) -> bool:
    """Say whether *text* may be a login's password, and is no version or port."""
    letters = any(map(str.isalpha, text))
    return (
        password_like(text)
        or (letters and not text.isalnum() and not re.match(r"[\dv.]+", text))
        or (letters and any(map(str.isdigit, text)) and text != text.lower())
    )


def _drawn(segment: str) -> bool:
    """Say whether a path's *segment* was drawn by a machine, by its mix of cases and digits."""
    if not opaque(segment, least=20):
        return False
    kinds = (any(map(str.islower, segment)), any(map(str.isupper, segment)))
    return all(kinds) and any(map(str.isdigit, segment)) and not re.search(r"[-_]", segment)


def path_tokens(text: str) -> Iterator[Found]:
    """Yield secrets that are part of an address's path."""
    for match in _PATH_TOKEN.finditer(text):
        place = match.group(1).lower()
        if place not in _BEFORE_TOKENS:
            continue
        segment = match.group(2).rstrip(".")
        if opaque(segment, least=12, identifiers=place in _ONE_TIME):
            yield Found(match.start(2), match.start(2) + len(segment), "path_token")
    for match in _AFTER_HOST.finditer(text):
        base = match.start(1)
        for segment in _SEGMENT.finditer(match.group(1)):
            if _drawn(segment.group()):
                yield Found(base + segment.start(), base + segment.end(), "path_token")
    for match in _NAMED_SEGMENT.finditer(text):
        if judge(match.group(1)) == "secret" and opaque(match.group(2), least=12):
            yield Found(*match.span(2), "path_token")
