"""What may leave of an exception: its type; its message and its stack only if that was asked for.

A stack never leaves with lines of source code in it, since those hold literals.
"""

from __future__ import annotations

import re

from telewright._guard import lost
from telewright._scanning import EXCEPTION_TEXT, PROFILE, scan_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.util.types import AttributeValue

_FRAME: Final = re.compile(r"[ |+-]*File \"[^\"\n]*\", line \d+(?:, in .*)?")
_INDENT: Final = re.compile(r"[ |+-]*")
_SAID: Final = re.compile(
    r"((?:\w+\.)*\w*(?:Error|Exception|Warning|Exit|Interrupt|Group|Iteration|Timeout|Cancelled|Fault"
    r"|Failure|Denied|NotFound|Invalid\w*)): "
)


def exception_text(value: AttributeValue | None) -> AttributeValue | None:
    """Return a message or a stack as it may leave, or None."""
    if PROFILE[0] == "off" or value is None:
        return value
    if not EXCEPTION_TEXT[0]:
        lost("exception_text")
        return None
    text = value if isinstance(value, str) else str(value)
    return scan_text(without_source(text), "exception")


def description(text: str) -> str:
    """Return a status' description as it may leave; `Type: message` becomes `Type`."""
    if PROFILE[0] == "off":
        return text
    said = _SAID.match(text)
    if said and not EXCEPTION_TEXT[0]:
        lost("exception_text")
        return said.group(1)
    return scan_text(text, "status")


def without_source(text: str) -> str:
    """Return a formatted stack without its lines of source code; any other text as it is."""
    if ", line " not in text:
        return text
    kept: list[str] = []
    depth = -1
    for line in text.split("\n"):
        indent = _INDENT.match(line)
        size = indent.end() if indent else 0
        if _FRAME.match(line):
            depth = size
        elif depth >= 0 and (size > depth or not line.strip()):
            continue
        else:
            depth = -1
        kept.append(line)
    return "\n".join(kept)
