"""Foreign attributes → topic files in our dialect."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from telewright_codegen.vendor.sensitivity import SENSITIVITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from telewright_codegen.vendor.foreign import ForeignAttribute, ForeignMember, Node

_LINK: Final = re.compile(r"\[([^\]\[]*)\]\((?:[^()]|\([^()]*\))*\)")
_ADMONITION: Final = re.compile(r"^>\s?(\[![A-Z]+\]\s*)?", re.MULTILINE)
_NOT_A_WORD: Final = re.compile(r"[^a-z0-9_]+")
_REGISTRY_PAGE: Final = "https://opentelemetry.io/docs/specs/semconv/registry/attributes/{}/"
_STABILITY: Final = {"experimental": "development"}
"""Words of older files."""
_OTHER: Final = '      other: {value: _OTHER, brief: "Any other value, in metrics."}'


def topics(attributes: Iterable[ForeignAttribute], *, header: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of one topic for each namespace, in order.

    Args:
        attributes: What the topics declare, in any order.
        header: A comment line that each file begins with.
    """
    attributes = list(attributes)
    former = _former([(constant(one.key), one.deprecated) for one in attributes])
    shadowed = {one.key for one, old in zip(attributes, former, strict=True) if old}
    spaces: dict[str, list[ForeignAttribute]] = defaultdict(list)
    for attribute in sorted(attributes, key=lambda one: one.key):
        spaces[namespace(attribute.key)].append(attribute)
    for space, members in sorted(spaces.items()):
        lines = [
            header,
            f"topic: {word(space)}",
            f"brief: {quoted(f'What OpenTelemetry calls things under `{space}`.')}",
            f"note: {quoted('At length: ' + _REGISTRY_PAGE.format(space.replace('_', '-')))}",
            "",
            "attributes:",
        ]
        for attribute in members:
            lines += _attribute(attribute, shadowed=attribute.key in shadowed)
        yield word(space), "\n".join(lines) + "\n"


def namespace(key: str) -> str:
    """Return what a key begins with."""
    return key.split(".", 1)[0]


def word(text: str) -> str:
    """Return *text* as a word of our dialect: ``azure.vm`` → ``azure_vm``."""
    found = _NOT_A_WORD.sub("_", text.lower())
    return found if found[:1].isalpha() else f"n_{found}"


def prose(text: str) -> str:
    """Return Markdown as a line of plain text: links keep their words, admonitions their text."""
    plain = _LINK.sub(r"\1", _ADMONITION.sub("", text.strip()))
    return " ".join(plain.split())


def constant(key: str) -> str:
    """Return the Python constant of a key."""
    return word(key).upper()


def quoted(text: str) -> str:
    """Return *text* as a YAML scalar in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def _former(names: Sequence[tuple[str, Node | None]]) -> list[bool]:
    """Return which of *names* give way, since a name that is not deprecated is spelt alike."""
    current = {name for name, deprecation in names if deprecation is None}
    return [deprecation is not None and name in current for name, deprecation in names]


def _attribute(attribute: ForeignAttribute, *, shadowed: bool) -> Iterator[str]:
    numbers = any(isinstance(member.value, int) for member in attribute.members)
    yield f"  - id: {attribute.key}"
    if attribute.members:
        yield f"    enum: {class_name(attribute.key)}{'Deprecated' if shadowed else ''}"
        yield "    open: true"
    else:
        yield f"    type: {_type(attribute)}"
    if shadowed:
        yield f"    constant: {constant(attribute.key)}_DEPRECATED"
    yield f"    brief: {quoted(prose(attribute.brief) or attribute.key)}"
    if notes := list(_notes(attribute)):
        yield f"    note: {quoted(' '.join(notes))}"
    yield f"    stability: {_STABILITY.get(attribute.stability, attribute.stability)}"
    if attribute.key in SENSITIVITY:
        yield f"    sensitivity: {SENSITIVITY[attribute.key]}"
    yield from _examples(attribute, numbers=numbers)
    if attribute.deprecated is not None and not _moved(attribute.deprecated):
        yield f"    deprecated: {_deprecation(attribute.deprecated)}"
    if attribute.members:
        yield "    members:"
        yield from _members(attribute.members)


def _notes(attribute: ForeignAttribute) -> Iterator[str]:
    if attribute.type == "any":
        yield "OpenTelemetry allows any structure; here it is a text, in JSON."
    if attribute.deprecated is not None and _moved(attribute.deprecated):
        yield prose(str(attribute.deprecated["note"]))


def _moved(deprecation: Node) -> bool:
    """Return whether only the declaration went elsewhere, and the name lives on."""
    return str(deprecation.get("note") or "").startswith("Moved to ")


def class_name(key: str) -> str:
    """Return what an enumeration is called: ``gen_ai.token.type`` → ``GenAiTokenType``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", key))


def _type(attribute: ForeignAttribute) -> str:
    return "string" if attribute.type == "any" else attribute.type


def _examples(attribute: ForeignAttribute, *, numbers: bool) -> Iterator[str]:
    """Yield the examples, where they are values of the attribute itself.

    Those of templates are values under a key; those of structures are no text.
    """
    kind = attribute.type
    if not attribute.examples or kind == "any" or kind.startswith("template"):
        return
    examples = list(attribute.examples)
    if kind.endswith("[]") and not isinstance(examples[0], list):
        examples = [examples]
    if kind == "double":
        examples = [float(one) if isinstance(one, int) else one for one in examples]
    if numbers:
        examples = [one for one in examples if isinstance(one, int)]
    yield f"    examples: {json.dumps(examples, ensure_ascii=False)}"


def _members(members: tuple[ForeignMember, ...]) -> Iterator[str]:
    """Yield the members, and one for other values where OpenTelemetry has none."""
    names = [word(member.id) for member in members]
    former = _former([(name, one.deprecated) for name, one in zip(names, members, strict=True)])
    names = [f"{name}_deprecated" if old else name for name, old in zip(names, former, strict=True)]
    for name, member in zip(names, members, strict=True):
        brief = quoted(prose(member.brief) or f"The value `{member.value}`.")
        value = quoted(member.value) if isinstance(member.value, str) else member.value
        parts = [f"value: {value}"] if member.value != name else []
        if member.deprecated is not None:
            parts.append(f"deprecated: {_deprecation(member.deprecated, of_a_member=True)}")
        if parts:
            yield f"      {_key(name)}: {{{', '.join([*parts, f'brief: {brief}'])}}}"
        else:
            yield f"      {_key(name)}: {brief}"
    if "other" not in names and all(isinstance(member.value, str) for member in members):
        yield _OTHER


def _key(name: str) -> str:
    """Return a mapping's key, quoted where YAML 1.1 would read something else."""
    return quoted(name) if name in {"on", "off", "yes", "no", "true", "false", "null"} else name


def _deprecation(node: Node, *, of_a_member: bool = False) -> str:
    renamed: object = node.get("renamed_to")
    note = prose(str(node.get("note") or ""))
    if of_a_member and not note:
        note = f"Use `{renamed}`." if renamed else ""
    parts = [f"renamed_to: {renamed}"] if renamed and not of_a_member else []
    if note or not parts:
        parts.append(f"note: {quoted(note or 'Deprecated by OpenTelemetry.')}")
    return f"{{{', '.join(parts)}}}"


def closure(
    names: Iterable[str], known: Mapping[str, ForeignAttribute]
) -> dict[str, ForeignAttribute]:
    """Return the *known* attributes among *names*, and those that they were renamed to."""
    found: dict[str, ForeignAttribute] = {}
    waiting = [name for name in names if name in known]
    while waiting:
        attribute = known[waiting.pop()]
        if attribute.key in found:
            continue
        found[attribute.key] = attribute
        renamed = (attribute.deprecated or {}).get("renamed_to")
        if renamed in known:
            waiting.append(str(renamed))
    return found
