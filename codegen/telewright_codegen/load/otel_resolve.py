"""Groups with all their attributes: what they extend, refer to and include, resolved.

What a group inherits comes first, then the groups that it includes, its own entries last; each
that speaks of a key which is there already changes, field by field, what is said about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.otel_annotations import is_kept_back, merged
from telewright_codegen.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.otel_annotations import Annotations
    from telewright_codegen.load.otel_groups import Entry, Group
    from telewright_codegen.source import At

Attributes = dict[str, "tuple[Entry, ...]"]
"""From a key to its declaration and whatever changes it, in that order."""


@dataclass(slots=True)
class Resolver:
    """The groups and attributes of one registry, and of those that it depends on."""

    report: Report
    declared: dict[str, Entry] = field(default_factory=dict[str, "Entry"])
    groups: dict[str, Group] = field(default_factory=dict[str, "Group"])
    is_whole: bool = True
    """Whether everything it depends on was read; otherwise nothing unknown is reported."""
    _hidden: set[str] = field(default_factory=set[str])
    _own: set[Group] = field(default_factory=set["Group"])
    _resolved: dict[str, Attributes] = field(default_factory=dict[str, Attributes])
    _open: list[Group] = field(default_factory=list["Group"])

    def declare(self, groups: Iterable[Group]) -> None:
        """Make *groups* and what they declare known; report what is there already."""
        for group in groups:
            self._own.add(group)
            former = self.groups.setdefault(group.id, group)
            if former is not group:
                self.report.error(
                    "TW803",
                    f"group `{group.id}` is declared twice",
                    group.name_at.value(),
                    "declared again here",
                    secondary=(Label(former.name_at.value(), "first declared here"),),
                    help="give one of them another id",
                )
            for entry in group.entries:
                if entry.declares is not None:
                    self._declare(entry.declares, entry)

    def depend(self, groups: Iterable[Group]) -> None:
        """Make groups of other registries known, below one's own."""
        for group in groups:
            self.groups.setdefault(group.id, group)
            for entry in group.entries:
                if entry.declares is None:
                    continue
                former = self.declared.setdefault(entry.declares, entry)
                if former is entry:
                    if is_kept_back(merged([entry.spec])):
                        self._hidden.add(entry.declares)
                elif not is_kept_back(merged([entry.spec])):
                    self._report_twins(entry.declares, former, entry)

    def _declare(self, key: str, entry: Entry) -> None:
        former = self.declared.setdefault(key, entry)
        if former is not entry:
            self.report.error(
                "TW115",
                f"attribute `{key}` is declared twice",
                entry.at.value(),
                "declared again here",
                secondary=(Label(former.at.value(), "first declared here"),),
                help="refer to the first with `ref:`, or choose another name",
            )

    def _report_twins(self, key: str, first: Entry, second: Entry) -> None:
        self.report.warning(
            "TW811",
            f"attribute `{key}` is declared by two registries",
            first.at.value(),
            "this one is meant",
            secondary=(Label(second.at.value(), "this one is hidden by it"),),
            help="refer to the one below with `ref:`, or choose another name",
        )

    def borrowed(self, groups: Iterable[Group]) -> dict[str, Entry]:
        """Return the declarations of other registries that *groups* have attributes of."""
        own = {entry for group in self._own for entry in group.entries}
        found = {
            key: self.declared[key]
            for group in groups
            for key in self.attributes(group)
            if key in self.declared
        }
        return {key: entry for key, entry in found.items() if entry not in own}

    def attributes(self, group: Group) -> Attributes:
        """Return all attributes of *group*, those that it inherits first."""
        known = self._resolved.get(group.id)
        if known is not None:
            return known
        if group in self._open:
            self._report_cycle(group)
            return {}
        self._open.append(group)
        found: Attributes = {}
        if group.base is not None:
            base = self._group(group.base, group.base_at, "group")
            if base is not None:
                found.update(self.attributes(base))
        own: Attributes = {}
        for entry in group.entries:
            self._add(entry, found, own)
        for key, entries in own.items():
            found[key] = _over(found[key], entries)
        self._open.pop()
        self._resolved[group.id] = found
        return found

    def _add(self, entry: Entry, found: Attributes, own: Attributes) -> None:
        """Put into *found* what *entry* includes, and into *own* what it says itself."""
        if entry.includes is not None:
            included = self._group(entry.includes, entry.at / "ref_group", "attribute group")
            if included is not None:
                for name, entries in self.attributes(included).items():
                    found[name] = _over(found.get(name, ()), entries)
            return
        key = entry.declares or entry.refers
        if key is None:
            return
        out_of_reach = key in self._hidden and self._open[-1] in self._own
        if entry.declares is None and (out_of_reach or key not in self.declared):
            self._report_unknown("attribute", key, entry.at / "ref", self.declared)
            return
        found.setdefault(key, (self.declared[key],))
        own[key] = (*own.get(key, ()), entry)

    def lineage(self, group: Group) -> list[Group]:
        """Return *group* and, where it extends or refines another signal of its kind, that too.

        Whoever extends a group of attributes takes its attributes, and nothing that is its own.
        """
        found = [group]
        while found[-1].base is not None and group.kind != "attribute_group":
            base = self.groups.get(found[-1].base)
            if base is None or base in found or base.kind != group.kind:
                break
            found.append(base)
        return found

    def annotations(self, group: Group) -> Annotations:
        """Return the annotations of *group* over those of what it extends or refines."""
        if group.base is None:
            return merged([group.spec])
        return merged(one.spec for one in reversed(self.lineage(group)))

    def _group(self, name: str, at: At, what: str) -> Group | None:
        group = self.groups.get(name)
        from_outside = self._open[-1] in self._own and group not in self._own
        if group is None or (from_outside and is_kept_back(self.annotations(group))):
            self._report_unknown(what, name, at, self.groups)
            return None
        return group

    def _report_unknown(
        self, what: str, name: str, at: At, known: Mapping[str, Entry | Group]
    ) -> None:
        if not self.is_whole:
            return
        similar = nearest(name, known)
        secondary: tuple[Label, ...] = ()
        if similar is not None:
            secondary = (Label(known[similar].at.value(), "a similar one is declared here"),)
        self.report.error(
            "TW801",
            f"no {what} `{name}`",
            at.value(),
            "not declared in this registry or one that it depends on",
            secondary=secondary,
            help=None if similar is None else f"did you mean `{similar}`?",
        )

    def _report_cycle(self, group: Group) -> None:
        path = [*self._open[self._open.index(group) :], group]
        self.report.error(
            "TW802",
            "groups extend each other: " + " → ".join(f"`{one.id}`" for one in path),
            group.base_at.value(),
            "comes back to where it began",
            secondary=tuple(Label(one.base_at.value(), f"`{one.id}`") for one in path[1:-1]),
            help="move what they share to a group below them",
        )


def _over(before: tuple[Entry, ...], more: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries for one key with *more* of them, each once."""
    return (*before, *(entry for entry in more if entry not in before))
