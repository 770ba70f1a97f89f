"""What a value looks like: a secret, a placeholder, text, a card number.

Names decide first (`_words`); these functions decide where a name only says *maybe*.
"""

from __future__ import annotations

import re
from typing import Final

_OPAQUE: Final = re.compile(r"[A-Za-z0-9+/=_.~:\-]+")
_PARTS: Final = re.compile(r"[^/_.~:\-=]+")
_UUID: Final = re.compile(
    r"(?:[A-Za-z]{2,8}-)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
_ULID: Final = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_HEX: Final = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_CAMEL: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d{1,3}")
_DIGEST: Final = re.compile(
    r"(?:sha\d{1,3}|md5|blake\w{1,3}|xxh\w{1,4}|crc\d\d)[:=\-]", re.IGNORECASE
)
_HARMLESS: Final = re.compile(
    r"""(?xi)
    \s* (?:(?:bearer|basic|token|apikey)\s+)? (?:
      (?:none|null|nil|true|false|yes|no|on|off|undefined|unset|missing|n/?a|empty\ string
        |not\ set|redacted|masked|hidden|removed|filtered|scrubbed|disabled|enabled)
    | [*\ue000]+ | x{3,} | \.{3,} | …+ | -+ | \?+
    | <(?-i:[a-z_ .\-]{0,40}|[A-Z_ .\-]{0,40})>
    | \[(?-i:[a-z_ ]{0,20}|[A-Z_ ]{0,20})\] | \(\s*\)
    | %\(?\w{0,40}\)?[sdr] | \$\{?\w{1,64}(?::?-)?\}?
    | \$\{?\{?\(?(?:\(.*)? | %\w{1,64}% | \$env:\w{1,64} | <%=.{0,80}%>
    | (?:arn:aws:(?:secretsmanager|ssm|kms):|op://|vault:|ref\+\w{1,16}://|keyvault:)[\w:/.\#@-]{1,120}
    | (?:file:(?://)?)?(?:/var)?/run/secrets/[\w./-]{1,100}
    | string|str|bytes|secretstr|bearer|basic|digest|negotiate
    | \$?\{\{?(?-i:[a-z_ .!:]{0,64}|[A-Z_]{0,64})\}?\}
    | (?:os\.)?(?:environ|getenv)\b.{0,80}
    | !(?:ref|getatt|sub|env|env_var|secret)\s[\w.\-$\{\}]{1,64}
    | Secret(?:Str|Bytes)\(b?'\**'\)
    | [\"'`] | \\?[\"'] \\?[\"']
    ) \s*
    """,
)
_STATUS: Final = frozenset(
    [
        "required",
        "missing",
        "invalid",
        "incorrect",
        "expired",
        "wrong",
        "must",
        "not",
        "is",
        "are",
        "too",
        "field",
        "cannot",
        "should",
        "was",
        "has",
        "the",
        "a",
        "an",
        "for",
        "from",
        "in",
        "accepted",
        "rejected",
        "mismatch",
        "changed",
        "reset",
        "unset",
        "empty",
        "ok",
        "failed",
        "denied",
        "needed",
        "optional",
        "none",
        "set",
        "used",
        "found",
        "and",
        "or",
        "with",
        "to",
        "of",
        "at",
        "by",
        "on",
        "does",
        "do",
        "may",
        "might",
        "will",
        "would",
        "could",
        "can",
        "please",
        "enter",
        "unknown",
        "unsupported",
        "provided",
        "given",
        "only",
        "valid",
        "present",
        "bad",
        "revoked",
        "auth",
        "type",
        "default",
        "your",
        "my",
        "this",
        "that",
        "when",
        "if",
        "error",
        "length",
        "too_short",
        "too_long",
    ],
)
_INTERNAL: Final = re.compile(
    r"(?<![\w.:])(?:(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.\d[\d.]{2,10}(?::\d{1,5})?"
    r"|::1|f[cd][0-9a-f]{2}:[0-9a-f:]{2,40}|fe80:[0-9a-f:]{2,40}(?:%\w{1,16})?)(?!\w)",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r"[\d.,]+(?:\s?[\w/%]{1,16})?")
_DOUBLED: Final = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_LONG_WORD: Final = 24
_RANDOM: Final = 12
_LONGEST_WORD: Final = 18
_DISTINCT: Final = 4
_LONG_NAME: Final = 20
_PASSWORD: Final = 8
_VERSION: Final = 3
_LONGEST_HARMLESS: Final = 128
_MIXED: Final = 16


def harmless(text: str) -> bool:
    """Say whether *text* cannot be a secret: empty, a placeholder, masked already."""
    return (
        not text
        or text.isspace()
        or (len(text) <= _LONGEST_HARMLESS and bool(_HARMLESS.fullmatch(text)))
    )


def status(text: str) -> bool:
    """Say whether *text* is how a sentence about a secret goes on (`password: required`)."""
    return text.strip(".,;:!?").lower() in _STATUS


def _random(part: str) -> bool:
    letters = sum(map(str.isalpha, part))
    if letters == len(part):
        if part.islower() or part.isupper():
            return len(part) >= _LONG_WORD
        return len(part) >= _MIXED and (len(part) >= _LONG_NAME or not _wordy(part))
    if not letters or len(part) < _RANDOM:
        return False
    return not _wordy(part)


def _wordy(part: str) -> bool:
    """Say whether *part* reads as words with a few digits: `llama3`, `Qwen2ForCausalLM`."""
    found = _CAMEL.findall(part)
    if sum(map(len, found)) != len(part) or len(found) > 1 + len(part) // 4:
        return False
    return max(map(len, found)) <= _LONGEST_WORD


def opaque(text: str, *, least: int = 16, identifiers: bool = False) -> bool:
    """Say whether *text* is shaped like a generated secret and not like a name, path or number.

    Args:
        text: One run of text.
        least: The shortest secret expected here.
        identifiers: Count UUIDs, ULIDs and digests in plain hexadecimal as secrets too.
    """
    if len(text) < least or not _OPAQUE.fullmatch(text) or len(set(text)) < _DISTINCT:
        return False
    if _UUID.fullmatch(text) or _ULID.fullmatch(text):
        return identifiers
    if _DIGEST.match(text) or text.startswith(("/", "./", "../", "~/")) or "://" in text:
        return False
    if _HEX.fullmatch(text):
        return not text.isdigit()
    return any(_random(part) for part in _PARTS.findall(text))


def password_like(text: str, *, least: int = 6) -> bool:
    """Say whether *text* is shaped like a password a person chose."""
    if len(text) < least or text.startswith(("/", "--", "http://", "https://")):
        return False
    lower = any(map(str.islower, text))
    upper = any(map(str.isupper, text))
    digit = any(map(str.isdigit, text))
    special = any(character in "!@#$%^&*?~+=" for character in text.rstrip("!?="))
    ends = text[-1] in "!?=" and digit
    if opaque(text):
        return True
    if (special or ends) and (lower or upper) and digit:
        return True
    return lower and upper and digit and len(text) >= _PASSWORD and not _versioned(text)


def _versioned(text: str) -> bool:
    """Say whether *text* is a name with a version: `Llama-3.1-8B`, `Qwen2`."""
    return all(
        len(part) <= _VERSION or part.isalpha() or part.isdigit()
        for part in re.split(r"[-_./:]", text)
    )


def internal(text: str) -> bool:
    """Say whether *text* has addresses inside a network, which lead to nobody, and no other.

    >>> internal("10.0.12.7"), internal("203.0.113.7")
    (True, False)
    """
    rest = _INTERNAL.sub("", text)
    return rest != text and "@" not in rest and not any(map(str.isdigit, rest))


def counted(text: str) -> bool:
    """Say whether *text* is a number with a unit: `12 steps`, `98.5 %`."""
    return bool(_COUNTED.fullmatch(text.strip(" \t\r\n.()")))


def spoken(text: str) -> bool:
    """Say whether *text* is something said or structured rather than one identifier."""
    text = text.strip()
    return text[:1] in {"{", "[", '"', "'"} or (" " in text and any(map(str.isalpha, text)))


def luhn(digits: str) -> bool:
    """Say whether the check digit of *digits* is right.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    return (
        sum(map(int, digits[::-2])) + sum(_DOUBLED[int(digit)] for digit in digits[-2::-2])
    ) % 10 == 0


def iban(text: str) -> bool:
    """Say whether the check number of an international bank account number is right.

    >>> iban("GB82 WEST 1234 5698 7654 32"), iban("GB82 WEST 1234 5698 7654 33")
    (True, False)
    """
    compact = text.replace(" ", "").upper()
    turned = "".join(str(int(letter, 36)) for letter in compact[4:] + compact[:4])
    return int(turned) % 97 == 1
