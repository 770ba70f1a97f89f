"""Names: their grammar, their namespace, and what they could be taken for."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import attributes, declared
from telewright_codegen.resolve.names import PLACEHOLDER
from telewright_codegen.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Attribute

_PART: Final = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
_ASCII: Final = 0x7F


@rule("TW201", "name-grammar", liftable=False)
def name_grammar(subject: Subject) -> Iterator[Finding]:
    """Attributes, metrics and events are parts of ``a-z 0-9 _`` joined by dots, a letter first."""
    for named in declared(subject.registry):
        if named.kind == "span":
            continue
        if (why := _refusal(named.name)) is not None:
            yield Finding(
                named.item,
                named.place,
                f"{named.kind} {_escaped(named.name)} cannot be called so",
                why,
                help=_suggestion(named.name),
            )


@rule("TW222", "span-name-grammar")
def span_name_grammar(subject: Subject) -> Iterator[Finding]:
    """Spans are called by the same grammar, their placeholder aside."""
    for named in declared(subject.registry):
        if named.kind != "span":
            continue
        bare = PLACEHOLDER.sub("x", named.name)
        if (why := _refusal(bare)) is not None:
            yield Finding(
                named.item,
                named.place,
                f"span {_escaped(named.name)} cannot be called so",
                why,
                help=_suggestion(bare) if bare == named.name else None,
            )


def _refusal(name: str) -> str | None:
    strange = next((one for one in name if ord(one) > _ASCII or not one.isprintable()), None)
    if strange is not None:
        title = unicodedata.name(strange, "a character without a name")
        return f"has U+{ord(strange):04X}, {title}"
    for part in name.split("."):
        if not part:
            return "has a dot too many"
        if _PART.fullmatch(part) is None:
            return f"`{part}` is not made of lower-case letters and digits joined by underscores"
    return "starts with a digit" if name[0].isdigit() else None


def _escaped(name: str) -> str:
    return f"`{name}`" if name.isascii() and name.isprintable() else ascii(name)


def _suggestion(name: str) -> str | None:
    folded = unicodedata.normalize("NFKC", name).lower().strip()
    made = re.sub(r"[^a-z0-9.]+", "_", folded)
    parts = [part.strip("_") for part in made.split(".")]
    better = ".".join(re.sub(r"_+", "_", part) for part in parts if part)
    return f"for example `{better}`" if better and _refusal(better) is None else None


@rule("TW202", "foreign-namespace")
def foreign_namespace(subject: Subject) -> Iterator[Finding]:
    """What a registry declares begins with one of its namespaces, or is listed in full."""
    registry = subject.registry
    spaces = registry.spec.namespaces or [registry.name]
    for named in declared(registry):
        if any(named.name == one or named.name.startswith(f"{one}.") for one in spaces):
            continue
        first = named.name.partition(".")[0]
        near = nearest(first, [one.partition(".")[0] for one in spaces])
        listed = ", ".join(f"`{one}`" for one in spaces[:6])
        yield Finding(
            named.item,
            named.place,
            f"{named.kind} {_escaped(named.name)} is in no namespace of `{registry.name}`",
            f"expected {listed}{' or others' if len(spaces) > len(spaces[:6]) else ''}",
            help=f"did you mean `{near}{named.name[len(first) :]}`?"
            if near is not None and near != first
            else "rename it, or list it in full under `namespaces:` of the registry",
        )


@rule("TW209", "attribute-is-namespace")
def attribute_is_namespace(subject: Subject) -> Iterator[Finding]:
    """An attribute is not the namespace of others: backends that nest keys lose one of them."""
    known = {one.key: one for registry in subject.visible() for one in attributes(registry)}
    for key, attribute in known.items():
        parts = key.split(".")
        for end in range(1, len(parts)):
            shorter = known.get(".".join(parts[:end]))
            if shorter is None or not _is_ours(subject, attribute, shorter):
                continue
            yield Finding(
                (attribute, shorter),
                attribute.at.value("id"),
                f"attribute `{shorter.key}` is the namespace of `{key}`",
                f"lies below `{shorter.key}`",
                help=f"rename one of them: `{shorter.key}_{'_'.join(parts[end:])}`, say",
                secondary=(Label(shorter.at.value("id"), "an attribute of its own"),),
            )


@rule("TW210", "names-alike")
def names_alike(subject: Subject) -> Iterator[Finding]:
    """Two names of one kind differ in more than dots, underscores and capitals."""
    first: dict[str, Attribute] = {}
    for registry in reversed(subject.visible()):
        for attribute in attributes(registry):
            former = first.setdefault(re.sub(r"[._-]", "", attribute.key.lower()), attribute)
            same_constant = former.constant == attribute.constant and former.home == attribute.home
            if former.key == attribute.key or same_constant:
                continue
            if not _is_ours(subject, former, attribute):
                continue
            yield Finding(
                (attribute, former),
                attribute.at.value("id"),
                f"attributes `{former.key}` and `{attribute.key}` differ only in dots and"
                " underscores",
                "easily taken for the other",
                help="use one of them for both",
                secondary=(Label(former.at.value("id"), "the other one"),),
            )


def _is_ours(subject: Subject, *found: Attribute) -> bool:
    return any(one.home.registry == subject.registry.name for one in found)
