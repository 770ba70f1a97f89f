"""Where a value ends, by how it is written: in quotes, in brackets, in a block, bare."""

from __future__ import annotations

import re
from typing import Final

_QUOTE: Final = re.compile(r"[bruf]{0,2}(\\{0,8})([\"'`])")
_TRIPLE: Final = re.compile(r"[bruf]{0,2}(\"\"\"|\'\'\')")
_CLOSED: Final = {
    quote: re.compile(rf"[^{quote}\\]*(?:\\.[^{quote}\\]*)*+", re.DOTALL) for quote in "\"'`"
}
_SCHEME: Final = (
    r"(?:(?:bearer|basic|token|digest|apikey|api-key|negotiate|ntlm|key|splunk|sso-key)[ \t]{1,4})?"
)
_SCHEMED: Final = re.compile(
    r"(?i:(?:(digest|oauth|hawk|mac|signature|aws4-hmac-sha256)(?=[ \t]{1,4}\w{1,24}=)|bearer|basic"
    r"|token|apikey|api-key|negotiate|ntlm))(?:[ \t]|\\ ){1,4}"
)
_HELD: Final = re.compile(r"<[^<>\n]{1,40}>|\$?\{{1,2}[^{}\n]{1,64}\}{1,2}")
_TAGGED: Final = r"(?:[!&][\w!/:-]{1,40}[ \t]{1,4})?"
_BARE: Final = re.compile(
    rf"(?i:{_TAGGED}{_SCHEME})"
    r"(?:[^\s\0\"'`<>,;&)\]}\\|]++"
    r"|[,;|](?!\s|\Z|[\"'\[{]|[\w.\-]{1,64}\s{0,2}[=:])|&(?![\w.\-%]{1,64}=|\w{2,4};)"
    r"|[)\]}](?![\s.,;:)\]}\"']|\Z)|'(?=[^\s,;:)\]}'\"]{2})(?![ns]?\b)|\\(?![nrt\"'\\]))+"
)
_BLOCK: Final = re.compile(
    rf"{_TAGGED}" r"[|>][-+\d]{0,2}[ \t]*\n([ \t]+)(?=\S)[^\n]*(?:\n\1[^\n]*)*"
)
_RUN: Final = re.compile(r"[A-Za-z0-9+/_.~\-]+={0,2}")
_SHORT: Final = re.compile(r"[^\s\"'`<>,;&)\]}|\\]{1,256}")
_COOKIE_LINE: Final = re.compile(r"[^\r\n\"'`<]*")
_QUERY_END: Final = re.compile(r"[&#\s\"'`<>;,)\]}\\]|\?(?=[\w.\-]{1,64}=)|\Z")
_BRACKETS: Final = re.compile(r"[\[\]{}]|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'", re.DOTALL)


def _quoted(text: str, position: int) -> tuple[int, int] | None:
    """Return where the quoted text that starts at *position* begins and ends."""
    triple = _TRIPLE.match(text, position)
    if triple:
        end = text.find(triple.group(1), triple.end())
        return triple.end(), end if end >= 0 else len(text)
    opening = _QUOTE.match(text, position)
    if opening is None:
        return None
    begin = opening.end()
    slashes, quote = opening.groups()
    if slashes:
        end = text.find(slashes + quote, begin)
        return begin, end if end >= 0 else len(text)
    closed = _CLOSED[quote].match(text, begin)
    return begin, closed.end() if closed else len(text)


def _balanced(text: str, position: int) -> int:
    """Return where the bracket at *position* is closed, or the end of the text."""
    depth = 0
    for match in _BRACKETS.finditer(text, position):
        character = match.group()
        if character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
            if depth <= 0:
                return match.end()
    return len(text)


class Reader:
    """Finds where values end; remembers the ends of lines and queries, so that it stays linear."""

    __slots__ = ("_line", "_query", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._line = self._query = -1

    def extent(self, position: int, verdict: str) -> tuple[int, int, str]:
        """Return where the value at *position* begins and ends, and how it is written."""
        text = self.text
        quoted = _quoted(text, position)
        if quoted:
            return *quoted, "quoted"
        schemed = _SCHEMED.match(text, position) if verdict == "secret" else None
        if schemed:
            rest = self._schemed(schemed)
            if rest:
                return rest
        decides = verdict in {"secret", "cookie", "content"}
        if text[position : position + 1] in {"{", "["}:
            return position, _balanced(text, position) if decides else position, "nested"
        block = _BLOCK.match(text, position) if decides else None
        if block:
            return block.end(1), block.end(), "block"
        if verdict == "content":
            return position, self._line_end(position), "bare"
        if verdict == "secret":
            match = _BARE.match(text, position)
        elif verdict == "cookie":
            match = _COOKIE_LINE.match(text, position)
        else:
            match = (_RUN if verdict == "maybe" else _SHORT).match(text, position)
        return position, match.end() if match else position, "bare"

    def _schemed(self, match: re.Match[str]) -> tuple[int, int, str] | None:
        """Return where the value behind an authorisation scheme is, where it is written oddly."""
        begin = match.end()
        quoted = _quoted(self.text, begin)
        if quoted:
            return *quoted, "quoted"
        if match.group(1):
            return begin, self._line_end(begin), "bare"
        held = _HELD.match(self.text, begin)
        if held or "\\" in match.group():
            bare = held or _BARE.match(self.text, begin)
            return (begin, bare.end(), "bare") if bare else None
        return None

    def query(self, position: int) -> int:
        """Return where the value of an address's query ends."""
        if position > self._query:
            found = _QUERY_END.search(self.text, position)
            self._query = found.start() if found else len(self.text)
        return self._query

    def _line_end(self, position: int) -> int:
        if position > self._line:
            end = self.text.find("\n", position)
            self._line = end if end >= 0 else len(self.text)
        return self._line
