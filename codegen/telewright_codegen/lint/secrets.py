"""Secrets and personal data, by name and by shape."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final

_WORDS: Final = (
    "api_key",
    "apikey",
    "access_key",
    "access_token",
    "auth_token",
    "authorization",
    "bearer",
    "client_secret",
    "cookie",
    "credential",
    "credentials",
    "id_token",
    "password",
    "passwd",
    "passphrase",
    "private_key",
    "pwd",
    "refresh_token",
    "secret",
    "secret_key",
    "secrets",
    "session_token",
    "set_cookie",
    "signing_key",
    "ssh_key",
)
_WHOLE: Final = re.compile(
    "(?:^|[._])(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + ")(?:$|[._])"
)
_HARMLESS: Final = re.compile(
    r"(?:^|[._])(count|counts|total|length|size|type|kind|present|set|valid|expires|age|status"
    r"|name|names|source|scheme|provider|rotation|result|policy|mode|arn)$"
)
"""Last words that make a name one about a secret, not one that holds it."""

_TOKENS: Final = (
    (re.compile(r"\bAKIA[0-9A-Z]{16}\b|\bASIA[0-9A-Z]{16}\b"), "an AWS access key"),
    (re.compile(r"\bgh[pousr]_[A-Za-z0-9]{20,}"), "a GitHub token"),
    (re.compile(r"\bgithub_pat_[A-Za-z0-9_]{20,}"), "a GitHub token"),
    (re.compile(r"\bglpat-[A-Za-z0-9_-]{16,}"), "a GitLab token"),
    (re.compile(r"\bhf_[A-Za-z0-9]{20,}"), "a Hugging Face token"),
    (re.compile(r"\bnvapi-[A-Za-z0-9_-]{16,}"), "an NVIDIA API key"),
    (re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"), "an API key"),
    (re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}"), "a Slack token"),
    (re.compile(r"\bAIza[0-9A-Za-z_-]{30,}"), "a Google API key"),
    (re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"), "a JSON Web Token"),
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"), "a private key"),
    (
        re.compile(
            r"\b(?:ya29\.|GOCSPX-|[sr]k_(?:live|test)_|whsec_|npm_|pypi-|dckr_[po]at_|dapi|hv[sbr]\.|gsk_"
            r"|xai-|glsa_|do[opr]_v1_|lsv2_[ps][kt]_|tskey-[a-z]{2,10}-|shpat_|figd_|ntn_|lin_api_|SG\.)"
            r"(?=[A-Za-z_.-]{0,64}\d)[A-Za-z0-9_.-]{20,}"
        ),
        "a token",
    ),
)
_SHAPES: Final = (
    *_TOKENS,
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9+/._~-]{12,}"), "an authorization header"),
    (
        re.compile(r"(?i)\b[a-z][a-z0-9+.-]{0,30}://[^/\s:@]{1,99}:[^/\s@]{1,99}@"),
        "an address with a password",
    ),
    (
        re.compile(r"(?i)\b(password|passwd|secret|api_?key|token)\s{0,9}[=:]\s{0,9}\S{6}"),
        "a secret",
    ),
)
_MAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@((?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})\b"
)
_EXAMPLE_DOMAINS: Final = ("example.com", "example.org", "example.net")
_ADDRESS: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_PHONE: Final = re.compile(r"(?<![\w.])\+[1-9]\d{0,2}[ -]?\(?\d{2,4}\)?(?:[ -]?\d{2,4}){2,3}(?!\w)")


def secret_word(name: str) -> str | None:
    """Return the word that makes *name* one that holds a secret, None if there is none."""
    match = _WHOLE.search(name.lower())
    if match is None:
        return None
    ends_elsewhere = match.end(1) < len(name) and _HARMLESS.search(name.lower()) is not None
    return None if ends_elsewhere else match.group(1)


def secret_in(text: str) -> str | None:
    """Return what kind of secret *text* seems to have in it."""
    return next((kind for shape, kind in _SHAPES if shape.search(text)), None)


def token_in(text: str) -> str | None:
    """Return what kind of token *text* has in it, by its shape and not by what is said of it."""
    return next((kind for shape, kind in _TOKENS if shape.search(text)), None)


def personal_in(text: str) -> str | None:
    """Return what *text* seems to tell about somebody."""
    for match in _MAIL.finditer(text):
        domain = match.group(1).lower()
        known = any(domain == one or domain.endswith(f".{one}") for one in _EXAMPLE_DOMAINS)
        if not known and not domain.endswith(".example"):
            return "a mail address that may be real"
    for address in _ADDRESS.findall(text):
        if _is_public(address):
            return "an address of the public internet"
    return "a telephone number" if _PHONE.search(text) else None


def _is_public(text: str) -> bool:
    try:
        return ip_address(text).is_global
    except ValueError:
        return False
