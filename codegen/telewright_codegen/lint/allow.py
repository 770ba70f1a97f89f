"""`allow:` in the specs: which rules it lifts, and whether it is needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from telewright_codegen.spec.common import ItemSpec
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.lint.rule import Finding, Item, Rule
    from telewright_codegen.model.registry import Registry, Topic
    from telewright_codegen.source import At

UNKNOWN: Final = "TW190"
UNUSED: Final = "TW191"
SAFE: Final = "TW192"


@dataclass(slots=True)
class Allowances:
    """Every `allow:` of one registry, and which of them lifted something."""

    registry: Registry
    _used: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    def lifts(self, rule: Rule, finding: Finding) -> bool:
        """Return whether the item, its topic or its registry allows what *rule* found."""
        if not rule.liftable:
            return False
        for spec in self._around(finding):
            if rule.code in spec.allow:
                self._used.add((id(spec), rule.code))
                return True
        return False

    def _around(self, finding: Finding) -> Iterator[ItemSpec]:
        for item in finding.items:
            if isinstance(item.spec, ItemSpec):
                yield item.spec
        for item in finding.items:
            topic = self._topic(item)
            if topic is not None:
                yield topic.spec
        yield self.registry.spec

    def _topic(self, item: Item) -> Topic | None:
        for topic in self.registry.topics:
            if topic.at.document is item.at.document:
                return topic
        return None

    def check(self, rules: Mapping[str, Rule], report: Report) -> None:
        """Report what is allowed for nothing."""
        for spec, at in written(self.registry):
            for code in spec.allow:
                self._check(code, spec, at / "allow", rules, report)

    def _check(
        self, code: str, spec: ItemSpec, at: At, rules: Mapping[str, Rule], report: Report
    ) -> None:
        place = at.key(code)
        found = rules.get(code)
        if found is None:
            report.error(
                UNKNOWN,
                f"no rule `{code}` that could be lifted",
                place,
                "not the code of a rule",
                help=did_you_mean(code, rules) or "see `telewright explain`",
            )
        elif not found.liftable:
            report.error(
                SAFE,
                f"`{code}` ({found.name}) cannot be lifted",
                place,
                "keeps people safe",
                help="repair what it reports, and remove this line",
            )
        elif (id(spec), code) not in self._used:
            report.warning(
                UNUSED,
                f"`{code}` ({found.name}) is allowed here and finds nothing",
                place,
                "not needed",
                help="remove it",
            )


def written(registry: Registry) -> Iterator[tuple[ItemSpec, At]]:
    """Yield every item that a registry's files declare, and where."""
    yield registry.spec, registry.at
    for kind in ("processes", "groups", "presets"):
        named: Mapping[str, object] = getattr(registry.spec, kind)
        for name, spec in named.items():
            if isinstance(spec, ItemSpec):
                yield spec, registry.at / kind / name
    for topic in registry.topics:
        yield topic.spec, topic.at
        for kind in _LISTS:
            items: list[ItemSpec] = getattr(topic.spec, kind)
            for index, item in enumerate(items):
                yield item, topic.at / kind / index


_LISTS: Final = (
    "attributes",
    "enums",
    "spans",
    "metrics",
    "events",
    "scopes",
    "resources",
    "settings",
    "instrumentations",
)
