"""What a rule is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.guard import all_are, typed
from telewright_codegen.source import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from telewright_codegen.model.registry import Model, Registry
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import Spec


@runtime_checkable
class Item(Protocol):
    """Something in a model that was written somewhere, and may say `allow:`."""

    @property
    def spec(self) -> Spec | None:
        """What was written."""
        ...

    @property
    def at(self) -> At:
        """Where."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """What rules look at: one registry that is checked here, and what surrounds it."""

    registry: Registry
    model: Model
    today: date

    def visible(self) -> tuple[Registry, ...]:
        """Return the registry and those that it uses."""
        return (self.registry, *(self.model.registry(name) for name in self.registry.uses))


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a rule objects to."""

    on: Item | tuple[Item, ...]
    """Whose it is: its `allow:`, its topic's and its registry's may lift the rule."""
    place: Place
    message: str
    """Lower case, names in backticks, no full stop."""
    label: str = ""
    help: str | None = None
    secondary: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is on nothing, or what nobody could show."""
        typed(self, place=Place, message=str, label=str)
        Label(self.place, self.label)  # which looks into the place
        if self.help is not None:
            typed(self, help=str)
        all_are(Item, self.items, "`on` of Finding")
        all_are(Label, self.secondary, "`secondary` of Finding")

    @property
    def items(self) -> tuple[Item, ...]:
        """Everything that the finding is on."""
        return self.on if isinstance(self.on, tuple) else (self.on,)


@dataclass(frozen=True, slots=True)
class Rule:
    """A check with a code."""

    code: str
    """Stable; ``TW`` and three digits for ours, another prefix for those of plug-ins."""
    name: str
    """``histogram-without-buckets``."""
    severity: Severity
    liftable: bool
    """Whether `allow:` can lift it; what keeps people safe cannot be lifted."""
    on_deprecated: bool
    """Whether it also speaks of items that are deprecated."""
    check: Callable[[Subject], Iterable[Finding]]

    def __post_init__(self) -> None:
        """Refuse a rule without a code, a name, or anything to call."""
        typed(self, code=str, name=str, severity=Severity)
        if not (self.code and self.name and callable(self.check)):
            raise ValueError("a rule needs a code, a name and a function")

    def __call__(self, subject: Subject) -> Iterable[Finding]:
        """Yield what the rule objects to in *subject*."""
        return self.check(subject)


def rule(
    code: str,
    name: str,
    *,
    severity: Severity = Severity.ERROR,
    liftable: bool = True,
    on_deprecated: bool | None = None,
) -> Callable[[Callable[[Subject], Iterable[Finding]]], Rule]:
    """Make a rule of a function that yields findings.

    Args:
        code: Its code.
        name: What it is called, in words joined by hyphens.
        severity: How bad each finding is.
        liftable: Whether `allow:` can lift it.
        on_deprecated: Whether it also speaks of items that are deprecated; errors do, warnings
            do not, where left out.
    """
    speaks = severity is Severity.ERROR if on_deprecated is None else on_deprecated

    def decorate(check: Callable[[Subject], Iterable[Finding]]) -> Rule:
        return Rule(code, name, severity, liftable, speaks, check)

    return decorate
