"""Plain data from the parser's events.

Twice as fast as composing and constructing, and nothing is left for a tag, a merge key or an
alias to do: what is not plain data is refused where it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.characters import forbidden, one_kind_of_break
from telewright_codegen.load.document import REFUSED, offset
from telewright_codegen.load.scalars import NUMERIC, WORDS, Trap, number
from telewright_codegen.load.syntax import cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.document import Data, Lines
    from telewright_codegen.source import Place

DEEPEST: Final = 64
"""How many collections may stand inside each other; the language itself needs eight."""
LONGEST_KEY: Final = 256
LONGEST: Final = 16 * 1024
"""In characters, of one value."""

_EXOTIC: Final[dict[int, str]] = {0x85: " ", 0x2028: " ", 0x2029: " "}
"""Ends of lines to YAML 1.1 and its parsers, not to 1.2 and not to editors: spaces here."""


class AbandonedError(Exception):
    """What was reported makes the rest of the file not worth reading."""


def events(text: str) -> Callable[[], Event | None]:
    """Return a function that returns the next event of *text* each time."""
    try:
        from yaml._yaml import CParser  # noqa: PLC0415  missing where PyYAML was built without
    except ImportError:
        from telewright_codegen.load.pure import PureParser  # noqa: PLC0415  hardly ever needed

        return PureParser(text).next
    return CParser(text).get_event


class Builder:
    """One file's data, and where each key and value starts and ends, in the order of the text."""

    def __init__(self, lines: Lines, report: Report) -> None:
        self._lines = lines
        self._report = report
        text = lines.text
        if any(character in text for character in "\u0085\u2028\u2029"):
            text = text.translate(_EXOTIC)
        self._next = cast("Callable[[], Event]", events(text))
        self._scalars: dict[str, Data] = {}
        self._collections: set[str] = set()
        self._known: set[str] = set()
        """Keys that are text however they are written."""
        self.offsets: list[int] = []
        """Two for each node: its first character, and the one after its last."""

    def document(self) -> Data:
        """Return the data of the only document."""
        self._next()
        start = self._next()
        if not isinstance(start, DocumentStartEvent):
            self._report.error(
                "TW025",
                f"`{self._lines.name}` is empty",
                self._lines.place(0, 0),
                help="a topic file starts with `topic:`, a registry file with `registry:`",
            )
            raise AbandonedError
        if start.version not in (None, (1, 2)) or start.tags:
            at = max(self._lines.text.find("%"), 0)
            self._report.error(
                "TW021",
                "a directive",
                self._lines.place(at, len(self._lines.text)),
                "version and tags of YAML are not a matter of each file",
                help="remove the line",
            )
        data = self._value(self._next(), 1)
        self._next()
        after = self._next()
        if not isinstance(after, StreamEndEvent):
            self._error(
                "TW018",
                "a second document in one file",
                after,
                "only what stands before would be read",
                "make it a file of its own, or remove the line of dashes or dots before it",
            )
        return data

    def _value(self, event: Event, depth: int) -> Data:
        self._keep(event)
        return self._scalar(event) if type(event) is ScalarEvent else self._nested(event, depth)

    def _nested(self, event: Event, depth: int) -> Data:
        """Return a collection, or what an alias stands for; its own offsets are kept already."""
        if type(event) is MappingStartEvent:
            return self._mapping(event, depth)
        if type(event) is SequenceStartEvent:
            return self._sequence(event, depth)
        return self._alias(cast("AliasEvent", event))

    def _scalar(self, event: ScalarEvent) -> Data:
        text = event.value
        value: Data = text
        if event.tag is not None:
            self._tag(event)
            return REFUSED
        if len(text) > LONGEST:
            return self._too_long(event, LONGEST)
        if event.style:
            if event.style == '"':
                value = self._escaped(event, text)
        elif text in WORDS or text[0] in NUMERIC:
            value = self._plain(event, text)
        if event.anchor is not None:
            self._scalars[event.anchor] = value
        return value

    # The most frequent cases of key and value stand here and not in functions of their own:
    # that is a fifth of the time. `_key` and `_scalar` say the same in full.
    def _mapping(self, event: MappingStartEvent, depth: int) -> Data:
        following, offsets, known = self._next, self.offsets, self._known
        start = len(offsets)
        if depth > DEEPEST or event.anchor is not None:
            self._open(event, depth)
        data: dict[str, Data] = {}
        while True:
            key = following()
            if type(key) is MappingEndEvent:
                return data if event.tag is None else self._refused(event, start)
            if (
                type(key) is ScalarEvent
                and key.value in known
                and key.tag is None
                and key.anchor is None
            ):
                name: str | None = key.value
            else:
                name = self._key(cast("NodeEvent", key))
            if name is None or name in data:
                if name is not None:
                    self._twice(name, cast("NodeEvent", key), data, start)
                self._drop(following(), depth)
                continue
            value = following()
            offsets += (
                key.start_mark.index,  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  parsed, and so marked
                key.end_mark.index,  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  the same
                value.start_mark.index,  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  the same
                value.end_mark.index,  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  the same
            )
            if type(value) is not ScalarEvent:
                data[name] = self._nested(value, depth + 1)
                continue
            text = value.value
            if (
                text.isprintable()
                and (value.style or (text not in WORDS and text[0] not in NUMERIC))
                and value.tag is None
                and value.anchor is None
                and len(text) <= LONGEST
            ):
                data[name] = text
            else:
                data[name] = self._scalar(value)

    def _sequence(self, event: SequenceStartEvent, depth: int) -> Data:
        following = self._next
        start = len(self.offsets)
        if depth > DEEPEST or event.anchor is not None:
            self._open(event, depth)
        items: list[Data] = []
        while True:
            item = following()
            if type(item) is SequenceEndEvent:
                return items if event.tag is None else self._refused(event, start)
            items.append(self._value(item, depth + 1))

    def _open(self, event: CollectionStartEvent, depth: int) -> None:
        """Begin a collection that is deep, or has a name."""
        if depth > DEEPEST:
            self._error(
                "TW019", "too deep", event, f"inside {DEEPEST} other mappings and sequences"
            )
            raise AbandonedError
        if event.anchor is not None:
            self._collections.add(event.anchor)

    def _refused(self, event: CollectionStartEvent, start: int) -> Data:
        """End a collection that has a tag: it is not what it seems, and so not used."""
        self._tag(event)
        del self.offsets[start:]
        return REFUSED

    def _drop(self, event: Event, depth: int) -> None:
        """Read a value that has no place in the data, for the problems in it."""
        length = len(self.offsets)
        self._value(event, depth + 1)
        del self.offsets[length:]

    def _key(self, event: NodeEvent) -> str | None:
        """Return the text of a key; None, reported, where it is none."""
        if type(event) is not ScalarEvent:
            self._no_key(event)
            return None
        name = event.value
        if event.tag is not None:
            self._tag(event)
            return None
        if event.anchor is not None:
            self._scalars[event.anchor] = name
        if event.style:
            if event.style == '"' and self._escaped(event, name) != name:
                return None
        elif name in WORDS or name[0] in NUMERIC or name == "<<":
            return name if self._plain_key(event, name) else None  # quoted, it would be known
        if len(name) > LONGEST_KEY:
            self._too_long(event, LONGEST_KEY)
            return None
        self._known.add(name)
        return name

    def _no_key(self, event: NodeEvent) -> None:
        if isinstance(event, AliasEvent):
            self._error("TW022", "an alias as a key", event, "keys are written out")
            return
        self._error("TW022", "a key that is not text", event, "this is a collection")
        self._drop(event, 0)

    def _plain_key(self, event: ScalarEvent, name: str) -> bool:
        """Report a key that is not text; return whether it can be taken for what was meant."""
        if name == "<<":
            self._error(
                "TW016",
                "a merge key",
                event,
                "what it merges would have no place",
                "write the fields out",
            )
            return False
        meaning = WORDS[name] if name in WORDS else number(name)
        if isinstance(meaning, str):
            return True
        why = meaning.why if isinstance(meaning, Trap) else f"this is {_kind(meaning)}"
        self._error(
            "TW022",
            f"the key `{cut(name)}` is not text",
            event,
            why,
            f'write `"{cut(name)}"`' if name else "write a key",
        )
        return isinstance(meaning, Trap)

    def _plain(self, event: ScalarEvent, text: str) -> Data:
        meaning = WORDS[text] if text in WORDS else number(text)
        if not isinstance(meaning, Trap):
            return meaning
        if meaning.code == "TW024":
            self._error("TW024", f"the number `{cut(text)}` cannot be used", event, meaning.why)
        else:
            self._error(
                "TW023",
                f"`{cut(text)}` is ambiguous",
                event,
                meaning.why,
                f'if it is text, write `"{cut(text)}"`',
            )
        return REFUSED

    def _escaped(self, event: ScalarEvent, text: str) -> Data:
        """Return a text between double quotes, which can hold any character."""
        if text.isprintable():
            return text
        bad = forbidden(text)
        if bad is None:
            return one_kind_of_break(text)
        self._error(bad.code, "a character that may not stand in a spec", event, bad.what)
        return REFUSED

    def _alias(self, event: AliasEvent) -> Data:
        name = event.anchor or ""
        if name in self._scalars:
            return self._scalars[name]
        if name in self._collections:
            self._error(
                "TW017",
                f"the alias `*{cut(name)}` stands for a collection",
                event,
                "only single values may be repeated by an alias",
                "write it out, or move what is shared to `enums:` or `boundaries:`",
            )
        else:
            self._error(
                "TW017", f"no anchor `&{cut(name)}`", event, "not declared before this line"
            )
        return REFUSED

    def _tag(self, event: NodeEvent) -> None:
        tag = cast("ScalarEvent | CollectionStartEvent", event).tag or ""
        self._error(
            "TW015",
            f"the tag `{cut(tag.replace('tag:yaml.org,2002:', '!!'))}`",
            event,
            "values have the type that they are written with",
            "remove the tag; quote what is text",
        )

    def _too_long(self, event: ScalarEvent, most: int) -> Data:
        self._error(
            "TW008",
            "a text that is too long",
            event,
            f"{len(event.value)} characters, at most {most} are allowed",
        )
        return REFUSED

    def _twice(self, name: str, event: NodeEvent, data: dict[str, Data], start: int) -> None:
        index = start
        for key, value in data.items():
            if key == name:
                break
            index += 2 * (1 + _count(value))
        self._report.error(
            "TW002",
            f"key `{cut(name)}` appears twice",
            self._place(event),
            "written again here",
            secondary=(
                Label(self._lines.place(*self.offsets[index : index + 2]), "first written here"),
            ),
        )

    def _error(
        self, code: str, message: str, event: Event, label: str, instead: str | None = None
    ) -> None:
        self._report.error(code, message, self._place(event), label, help=instead)

    def _keep(self, event: Event) -> None:
        self.offsets += (event.start_mark.index, event.end_mark.index)  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  parsed, and so marked

    def _place(self, event: Event) -> Place:
        return self._lines.place(offset(event.start_mark), offset(event.end_mark))


def _count(value: Data) -> int:
    """Return the number of nodes of a value."""
    if isinstance(value, dict):
        return 1 + sum(1 + _count(below) for below in value.values())
    if isinstance(value, list):
        return 1 + sum(map(_count, value))
    return 1


def _kind(value: Data) -> str:
    if value is None:
        return "nothing"
    return "a truth value" if isinstance(value, bool) else "a number"
