"""What the specs say about a key, for the guard that every export passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from telewright import _registries
from telewright._enum import OTHER
from telewright._group import PACKAGES
from telewright._guard import lost
from telewright._sensitive import content, mask, personal, truncate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

SCOPE: Final = "telewright."
"""What the instrumentation scopes of our registries begin with."""

_ACTIONS: Final = {"content": "content", "personal": "hash"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What may become of the values of one key."""

    action: str = "keep"
    length: int = 0
    members: frozenset[str | int] | None = None
    in_metrics: bool = True
    named: frozenset[str | int] = frozenset()
    overflow: str | int | None = None

    def harmless(self, value: AttributeValue) -> bool:
        """Say whether *value* is a number, or a member that the specs name: never altered."""
        if isinstance(value, str):
            return value in self.named
        return isinstance(value, (bool, int, float))

    def label(self, value: AttributeValue | None) -> AttributeValue | None:
        """Return *value* as a label of a metric: of an open enumeration, a member."""
        if not self.in_metrics:
            lost("undeclared")
            return None
        if self.overflow is None or value is None:
            return value
        known = isinstance(value, (str, int)) and value in self.named
        return value if known else self.overflow

    def apply(self, value: AttributeValue) -> AttributeValue | None:
        """Return what of *value* may leave the process."""
        if self.action == "keep":
            return value if self.members is None else _among(self.members, value)
        if self.action == "content":
            return content(value)
        if self.action == "hash":
            return personal(value)
        if self.action == "mask":
            return mask(value)
        if self.action == "truncate":
            return truncate(value, self.length)
        lost("redacted")
        return None


def _among(members: frozenset[str | int], value: AttributeValue) -> AttributeValue | None:
    """Return *value* if all of it is a member, else what stands for none: nothing for numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and value in members:
        return value
    parts: Any = [value] if isinstance(value, str) else value
    if isinstance(parts, list) and all(
        isinstance(part, str) and part in members for part in cast("list[object]", parts)
    ):
        return value
    lost("not_a_member")
    return OTHER if all(isinstance(one, str) for one in members) else None


def read_rule(declared: Mapping[str, Any]) -> Rule:
    """Read what one attribute of a registry's data says."""
    redact: str | Mapping[str, int] | None = declared.get("redact")
    length = 0
    if redact is not None and not isinstance(redact, str):
        length = redact["truncate"]
        redact = "truncate"
    action = redact or _ACTIONS.get(declared.get("sensitivity", ""), "keep")
    if declared.get("sensitivity") == "content" and action in {"keep", "truncate"}:
        action = "content"
    known = frozenset(map(_value, declared.get("members") or ()))
    closed = bool(known) and not declared.get("open")
    of_texts = all(isinstance(one, str) for one in known)
    named = known | {OTHER} if of_texts else known
    return Rule(
        action=action,
        length=length,
        members=named if closed else None,
        in_metrics=declared.get("in_metrics") != "never",
        named=named,
        overflow=declared.get("overflow"),
    )


def _value(member: str | int | Mapping[str, str | int]) -> str | int:
    return member if isinstance(member, (str, int)) else member["value"]


class Declared:
    """The rules of every registry this process can know."""

    def __init__(self) -> None:
        self._packages: Final = len(PACKAGES)
        self._rules: Final[dict[str, Mapping[str, Rule]]] = {}
        self._shared: Final[dict[str, Rule]] = {}
        self._anywhere: Final[dict[str, Rule]] = {}
        self._templates: Final[dict[str, Mapping[str, Rule]]] = {}
        for name, data in list(_registries.registries().items()):
            rules = {key: read_rule(one) for key, one in data["attributes"].items()}
            self._rules[name] = rules
            self._templates[name] = {
                f"{key}.": rules[key]
                for key, one in data["attributes"].items()
                if str(one.get("type", "")).startswith("template")
            }
            self._anywhere.update(rules)
            scoped = [key for scope in data.get("scopes", {}).values() for key in _keys(scope)]
            for key in (*data.get("carried", {}), *scoped):
                if key in rules:
                    self._shared[key] = rules[key]

    def newest(self) -> Declared:
        """Return these rules, or new ones if a registry has been imported since."""
        return self if self._packages == len(PACKAGES) else Declared()

    def knows(self, scope: str) -> bool:
        """Say whether *scope* is that of a registry whose declarations are at hand."""
        return scope.removeprefix(SCOPE) in self._rules

    def own(self, scope: str, key: str) -> Rule | None:
        """Return the rule for *key* on a signal of our own, or None if it is not declared there."""
        name = scope.removeprefix(SCOPE)
        rule = self._rules[name].get(key) or self._shared.get(key)
        if rule is None:
            for prefix, template in self._templates[name].items():
                if key.startswith(prefix):
                    return template
        return rule

    def foreign(self, key: str) -> Rule | None:
        """Return the rule for *key* on somebody else's signal, if any registry has one."""
        return self._anywhere.get(key)


def _keys(scope: Mapping[str, Any]) -> Mapping[str, Any]:
    attributes: Mapping[str, Any] = scope.get("attributes", {})
    return attributes
