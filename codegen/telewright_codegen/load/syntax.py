"""What the YAML parser trips over, in words that say what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from telewright_codegen.diagnostics import Label

if TYPE_CHECKING:
    from yaml.error import YAMLError

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.document import Lines

_SHOWN: Final = 60

_QUOTE: Final = "write the text in quotes"
_INDENT: Final = "indent with spaces, each level by the same number"
_KNOWN: Final = (
    ("maximum nesting depth", "too deep", None),
    ("expected <document start>", "text after the end of the document", "remove the line of dots"),
    ("mapping values are not allowed", "`:` in the middle of a text", _QUOTE),
    (
        "could not find expected ':'",
        "a line that is neither a key nor a value",
        "end the key with `:`",
    ),
    ("cannot start any token", "a character that no value can start with", _QUOTE),
    ("tab character", "a tab", "indent with spaces"),
    ("invalid Unicode character escape", "half of a surrogate pair", "write the character itself"),
    (
        "unknown escape character",
        "an escape that YAML does not have",
        "use single quotes, or `\\\\`",
    ),
    ("unexpected end of stream", "a quotation mark that is never closed", "close it"),
    ("expected <block end>", "a line that is indented unlike its neighbours", _INDENT),
    ("did not find expected key", "a line that is indented unlike its neighbours", _INDENT),
    ("block sequence entries are not allowed", "`-` where no list can start", _INDENT),
    ("expected ',' or", "a bracket or brace that is never closed", "close it, or add the comma"),
    ("wrong indentation", "a line that is indented unlike its neighbours", _INDENT),
    ("%YAML", "a directive", "remove the line"),
    ("directive", "a directive", "remove the line"),
    ("expected the node content", "nothing where a value must be", "write a value"),
    ("found character '%'", "a character that no value can start with", _QUOTE),
)
_CODES: Final = {
    "half of a surrogate pair": "TW013",
    "text after the end of the document": "TW018",
    "too deep": "TW019",
    "a directive": "TW021",
}


def cut(text: str) -> str:
    """Return *text* for a message: on one line, not too long, every character to be seen."""
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in shown
    )


def explain(error: YAMLError, lines: Lines, report: Report) -> None:
    """Report why a file is no YAML."""
    if isinstance(error, ReaderError) or not isinstance(error, MarkedYAMLError):
        offset = getattr(error, "position", 0)
        report.error(
            "TW010",
            f"`{lines.name}` is not YAML",
            lines.place(offset, offset + 1),
            str(getattr(error, "reason", error)),
        )
        return
    problem = str(error.problem or error.context or "")
    what, instead = _plain_words(problem)
    mark = error.problem_mark or error.context_mark
    offset = 0 if mark is None else min(mark.index, len(lines.text))
    secondary: tuple[Label, ...] = ()
    context = error.context_mark
    if context is not None and mark is not None and context.line != mark.line:
        place = lines.place(context.index, context.index + 1)
        secondary = (Label(place, "in what starts here"),)
    report.error(
        _CODES.get(what or "", "TW010"),
        "this is not YAML" if what is None else what,
        lines.place(offset, offset + 1),
        problem if what is None else "here YAML stops making sense",
        secondary=secondary,
        help=instead,
    )


def _plain_words(problem: str) -> tuple[str | None, str | None]:
    for part, what, instead in _KNOWN:
        if part in problem:
            return what, instead
    return None, None
