"""What happens to the values of an attribute on their way out, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.lint import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.describe.item import Item, Value

_FATES: Final = {
    "keep": "the value leaves",
    "drop": "nothing leaves",
    "mask": "`[masked]` leaves",
    "hash": "a keyed hash leaves; without a key, nothing",
    "truncate": "its first characters leave",
    "content": "nothing leaves, unless `start(content=True)`",
}
_NAMES: Final = {
    "": "says nothing about the value",
    "secret": "means a secret: the rule `named_secret` takes the whole value",
    "cookie": "means a cookie: the rule `cookie` takes the whole value",
    "content": "means content: the rule `content` takes the whole value, while that is off",
    "person": "tells of a person: the rule `person` takes the whole value",
    "card": "tells of a card: the rule `person` takes the whole value, and a number of a card",
    "maybe": "may mean a secret: the rule `named_secret` takes what looks drawn by a machine",
    "prose": "may mean content: the rule `content` takes sentences, while that is switched off",
    "user": "may tell of a person: the rule `user` takes the whole value, if it is strict",
}
_SCANNED: Final = "of a text, what the scan finds is replaced by `[redacted:RULE]`"


def declared(item: Item) -> str:
    """Return what happens to the values of a declared attribute."""
    lines = [f"{item.name}  ({item.registry}, {item.place})"]
    lines += [f"  {line}" for line in _declared(item)]
    return "\n".join(lines) + "\n"


def undeclared(name: str) -> str:
    """Return what happens to values under a key that nothing declares."""
    return (
        f"{name}  (not declared)\n"
        "  on our own spans, metrics and events: nothing leaves; the first time, a line says so\n"
        f"  elsewhere: the value leaves; {_SCANNED}\n"
        f"  its name {_NAMES[words.judge(name)]}\n"
    )


def _declared(item: Item) -> Iterator[str]:
    fields = item.fields
    redact = fields["redact"].value
    action = next(iter(redact)) if isinstance(redact, dict) else str(redact)
    content = fields["sensitivity"].value == "content"
    switched = content and (action in {"keep", "truncate"} or fields["redact"].origin != "own")
    fate = _FATES["content" if switched else action]
    sensitivity, redact_why = _because(fields["sensitivity"]), _because(fields["redact"])
    yield f"{fate}: sensitivity {sensitivity}, redact {redact_why}"
    if "members" in fields:
        yield "declared members are never altered"
    elif "string" not in str(fields["type"].value):
        yield "numbers and booleans are never altered"
    elif action in {"keep", "truncate"}:
        yield _SCANNED
        yield f"its name {_NAMES[words.judge(item.name)]}"
    if fields["in_metrics"].value == "never":
        yield f"on metrics: nothing leaves, in_metrics {_because(fields['in_metrics'])}"


def _because(value: Value) -> str:
    place = value.place or {"default": "by default", "own": "own"}.get(value.origin, "")
    why = place or f"from {value.source}"
    said = value.value
    if isinstance(said, dict):
        said = ", ".join(f"{key}: {one}" for key, one in said.items())
    return f"{said} ({why})"
