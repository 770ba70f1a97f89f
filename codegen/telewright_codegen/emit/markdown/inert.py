"""Text of authors, made inert in Markdown and in MDX: it reads as written and does nothing.

One thing is markup: words between single backticks are code. Web addresses become links to
themselves. Whatever is returned fits into a table's cell.
"""

from __future__ import annotations

import re
from typing import Final

_SPANS: Final = re.compile(
    r"(?<![`\\])`(?P<code>[^`\s](?:[^`\n]*[^`\s])?)`(?!`)"
    r"|(?<![0-9A-Za-z])(?P<url>https?://[A-Za-z0-9](?:[\w.~:/?#@!$&,=%+-]*[\w/=%+-])?)",
    re.ASCII,
)
_SPECIAL: Final = re.compile(
    r"[\\`*{}\[\]<>|~$]"  # never anything but markup
    r"|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])"  # emphasis; inside a word it is none
    r"|&(?=#?[0-9A-Za-z]+;)"  # entities
    r"|:(?=[a-z0-9_+-]+:)"  # emoji
    r"|(?<=\bwww)\.(?=\S)"  # addresses without a scheme
    r"|(?<=[0-9A-Za-z])@(?=[0-9A-Za-z])"  # mail
)
_LINE_START: Final = re.compile(r"(?:[#+=:-]|\d+[.)](?=\s|$))")
_KEYWORD: Final = re.compile(r"(?:import|export)\b")
_HIDDEN: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ud800-\\udfff]"
)


def text(prose: str) -> str:
    """Return *prose* as one line."""
    line = _visible(" ".join(prose.split()))
    parts: list[str] = []
    end = 0
    for match in _SPANS.finditer(line):
        parts.append(_escaped(line[end : match.start()]))
        if match["code"] is not None:
            parts.append(code(match["code"]))
        else:
            parts.append(f"[{_escaped(match['url'])}]({match['url']})")
        end = match.end()
    whole = "".join([*parts, _escaped(line[end:])])
    return _line_start(whole)


def paragraphs(prose: str) -> tuple[str, ...]:
    """Return the paragraphs of *prose*, each as one line."""
    return tuple(text(part) for part in re.split(r"\n\s*\n", prose) if part.strip())


def code(words: str) -> str:
    """Return *words* as a code span."""
    line = _visible(" ".join(words.split()))
    if not line:
        return ""
    if "|" in line:
        return _escaped(line)  # in a table it would have to be escaped, elsewhere not
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{fence}{space}{line}{space}{fence}"


def link(words: str, target: str) -> str:
    """Return a link; *words* are Markdown already."""
    return f"[{words}]({target})" if target else words


def _escaped(words: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", words)


def _line_start(line: str) -> str:
    """Keep a paragraph from beginning as something else: a heading, a list, an MDX statement."""
    if _KEYWORD.match(line):
        return f"&#{ord(line[0])};{line[1:]}"
    match = _LINE_START.match(line)
    if match is None:
        return line
    last = match.end() - 1
    return f"{line[:last]}\\{line[last:]}"


def _visible(words: str) -> str:
    """Return *words* with characters that hide or reorder others written out."""
    return _HIDDEN.sub(lambda match: f"U+{ord(match[0]):04X}", words)
