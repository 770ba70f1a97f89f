"""One thing that is declared, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import ItemSpec, Spec

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Origin = Literal["own", "inherited", "derived", "default"]
"""Written by the item itself, taken from another one, worked out, or left as it is."""


class Value(NamedTuple):
    """One field, and where its value came from."""

    value: Json
    origin: Origin
    place: str = ""
    """``file:line:column`` of what was written; empty where nothing was."""
    source: str = ""
    """The item that it was inherited from, ``group gym.checkpoint``, or why it is so."""


@dataclass(frozen=True, slots=True)
class Item:
    """One attribute, span, metric or anything else that is declared."""

    kind: str
    """``span``; the list that it is in has an ``s`` more."""
    registry: str
    name: str
    place: str
    aliases: tuple[str, ...] = ()
    """Other names that people ask for it by."""
    topic: str | None = None
    python: dict[str, Json] | None = None
    constant: str | None = None
    fields: dict[str, Value] = field(default_factory=dict[str, Value])

    def data(self) -> dict[str, Json]:
        """Return it as one object of JSON: what was said and what was resolved, side by side."""
        found: dict[str, Json] = {"registry": self.registry, "name": self.name}
        if self.topic is not None:
            found["topic"] = self.topic
        found |= {name: one.value for name, one in self.fields.items()}
        if self.python is not None:
            found["python"] = dict(self.python)
        if self.constant is not None:
            found["constant"] = self.constant
        found["place"] = self.place
        return found

    def origins(self) -> dict[str, Json]:
        """Return where each value came from, by field."""
        return {name: _origin(one) for name, one in self.fields.items()}


def _origin(value: Value) -> Json:
    found: dict[str, Json] = {"from": value.origin}
    if value.source:
        found["of"] = value.source
    if value.place:
        found["place"] = value.place
    return found


def own(spec: Spec, at: At, *, without: tuple[str, ...] = ()) -> dict[str, Value]:
    """Return the fields of *spec*: those that were given, and the defaults that stand for some."""
    dumped = spec.model_dump(mode="json", by_alias=True, exclude_none=True)
    found: dict[str, Value] = {}
    for name, info in type(spec).model_fields.items():
        word = info.alias or name
        if word in without or dumped.get(word) in (None, [], {}):
            continue
        if name in spec.model_fields_set:
            found[word] = Value(dumped[word], "own", str(at.value(word)))
        else:
            found[word] = Value(dumped[word], "default")
    return found


def inherit(fields: dict[str, Value], *above: tuple[str, ItemSpec, At]) -> dict[str, Value]:
    """Add the stability and the owner of the nearest item *above* that says one."""
    for word in ("stability", "owner"):
        for source, spec, at in above:
            said = getattr(spec, word)
            if word not in fields and said is not None:
                fields[word] = Value(str(said), "inherited", str(at.value(word)), source)
    return fields


def derived(value: Json, why: str = "") -> Value:
    """Return a value that was worked out."""
    return Value(value, "derived", source=why)
