"""Bytes to text, and the characters that have no place in a spec."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_FORBIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff"
    f"{_BIDI}]"
).search
_IS_BIDI: Final = re.compile(f"[{_BIDI}]").match
_HARMLESS: Final = bytes((9, 10, 13, *range(32, 127)))
_BREAKS: Final = re.compile("[\r\u0085\u2028\u2029]").search


class Forbidden(NamedTuple):
    """A character that is refused."""

    code: str
    what: str
    offset: int
    """In characters."""


class NotUtf8Error(ValueError):
    """The bytes are no UTF-8."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(what)
        self.offset = offset
        self.what = what


def decode(data: bytes) -> str:
    """Return the text of a file, without a byte order mark; raise `NotUtf8Error`."""
    for mark, encoding in ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")):
        if data.startswith(mark):
            raise NotUtf8Error(0, f"byte 0 starts a file in {encoding}")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotUtf8Error(
            error.start, f"byte {error.start} is 0x{data[error.start]:02x}, which is not UTF-8"
        ) from None


def is_harmless(data: bytes) -> bool:
    """Whether *data* is printable ASCII and ends of lines; much faster than looking closely."""
    return not data.translate(None, _HARMLESS)


def forbidden(text: str) -> Forbidden | None:
    """Return the first character of *text* that is refused."""
    match = _FORBIDDEN(text)
    if match is None:
        return None
    character = match.group()
    code, kind = "TW012", "a control character"
    if _IS_BIDI(character):
        code, kind = "TW014", "a character that turns the direction of writing"
    elif "\ud800" <= character <= "\udfff":
        code, kind = "TW013", "half of a surrogate pair"
    elif character == "\ufeff":
        kind = "a byte order mark"
    elif character >= "\ufdd0":
        kind = "no character of Unicode"
    name = unicodedata.name(character, "")
    point = f"U+{ord(character):04X}" + (f" {name}" if name else "")
    return Forbidden(code, f"{point} is {kind}", match.start())


def one_kind_of_break(text: str) -> str:
    r"""Return *text* with ``\n`` for all ends of lines, and a space for exotic ones."""
    if not _BREAKS(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u0085", " ").replace("\u2028", " ").replace("\u2029", " ")
