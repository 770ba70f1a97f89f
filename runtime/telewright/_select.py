"""Which groups a person asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from telewright._group import Group, Registry


def resolve(wanted: str, registries: Iterable[Registry]) -> tuple[set[Group], frozenset[str]]:
    """Resolve ``"default,gym.checkpoint,-gym.job"`` to groups, and to names that nobody declares.

    A bare name means that preset or group in every registry; ``gym.name`` in one; ``all`` is every
    group; a leading ``-`` takes away. A preset reaches only groups of its own registry.
    """
    chosen: set[Group] = set()
    unknown: set[str] = set()
    known = list(registries)
    for word in filter(None, (word.strip().lower() for word in wanted.split(","))):
        name = word.removeprefix("-").strip()
        found = {group for registry in known for group in _named(name, registry)}
        if not found and not _known(name, known):
            unknown.add(name)
        chosen = chosen - found if word.startswith("-") else chosen | found
    return chosen, frozenset(unknown)


def _named(name: str, registry: Registry) -> Iterable[Group]:
    if name == "all":
        return registry.groups
    short = name.removeprefix(f"{registry.name}.")
    if short == "all":
        return registry.groups
    if short in registry.presets:
        return registry.presets[short]
    return [group for group in registry.groups if group.name == f"{registry.name}.{short}"]


def _known(name: str, registries: list[Registry]) -> bool:
    """Say whether *name* is a word that may select nothing."""
    return name in {"all", "default", "none"} or any(
        name.removeprefix(f"{registry.name}.") in registry.presets for registry in registries
    )
