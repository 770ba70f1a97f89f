"""Twenty fake secrets for each of twenty surfaces, put together so that no file holds one whole."""

from __future__ import annotations

import hashlib
import string

SURFACES = tuple(range(1, 21))

_BASE62 = string.ascii_letters + string.digits
_HEX = string.digits + "abcdef"
_UPPER = string.ascii_uppercase + string.digits

_SHAPES = (
    ("hf" + "_", _BASE62, 34),
    ("nv" + "api-", _BASE62, 64),
    ("AK" + "IA", _UPPER, 16),
    ("gh" + "p_", _BASE62, 36),
    ("github" + "_pat_", _BASE62, 60),
    ("gl" + "pat-", _BASE62, 20),
    ("xo" + "xb-", _BASE62, 40),
    ("sk-" + "proj-", _BASE62, 48),
    ("sk-" + "ant-api03-", _BASE62, 80),
    ("AI" + "za", _BASE62, 35),
    ("ya" + "29.", _BASE62, 60),
    ("sk_" + "live_", _BASE62, 24),
    ("npm" + "_", _BASE62, 36),
    ("dckr" + "_pat_", _BASE62, 27),
    ("da" + "pi", _HEX, 32),
    ("hv" + "s.", _BASE62, 30),
    ("gs" + "k_", _BASE62, 52),
    ("glsa" + "_", _BASE62, 40),
    ("dop" + "_v1_", _HEX, 64),
    ("ey" + "JhbGciOiJIUzI1NiJ9.", _BASE62, 40),
)
KINDS = tuple(range(len(_SHAPES)))


def canary(kind, surface):
    """Return the fake secret of one kind for one surface; no two share a part."""
    prefix, letters, length = _SHAPES[kind]
    drawn = hashlib.shake_256(f"canary {kind} {surface}".encode()).digest(length)
    body = "".join(letters[byte % len(letters)] for byte in drawn)
    if letters is _BASE62:
        body = "Q7z" + body[3:]
    return prefix + body + (".Zx9fakeFAKEfakeFAKE" if prefix.startswith("ey") else "")


def body(kind, surface):
    """Return the part of a canary that is only its own."""
    return canary(kind, surface)[len(_SHAPES[kind][0]) :][:16]


def all_of(surface):
    """Return the canaries of one surface."""
    return [canary(kind, surface) for kind in KINDS]
