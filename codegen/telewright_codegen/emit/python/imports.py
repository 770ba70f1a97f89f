"""What a generated module imports, found out while its body is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.python import layout, order
from telewright_codegen.emit.python.text import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

BASE: Final = "telewright.base"
"""Where the runtime's names come from."""


@dataclass(slots=True)
class Imports:
    """The names a module needs from others, each under a name that nothing in it hides."""

    taken: set[str]
    """Every name that the module defines, its parameters included."""
    _running: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _typing: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def base(self, name: str) -> str:
        """Return what *name* of the runtime is called here."""
        return self.name(BASE, name)

    def name(self, module: str, name: str, *, local: str | None = None) -> str:
        """Return what *name* of *module* is called here, where the code that runs needs it."""
        key = (module, name)
        if key not in self._running:
            self._running[key] = self._free(module, name, local)
        return self._running[key]

    def typing(self, module: str, name: str) -> str:
        """Return what *name* of *module* is called here, where annotations alone need it."""
        key = (module, name)
        known = self._running.get(key) or self._typing.get(key)
        if known is None:
            known = self._typing[key] = self._free(module, name, None)
        return known

    def final(self) -> str:
        """Return the annotation of constants."""
        return self.typing("typing", "Final")

    def _free(self, module: str, name: str, local: str | None) -> str:
        wanted = name if local is None else local
        used = {
            local
            for names in (self._running, self._typing)
            for key, local in names.items()
            if key != (module, name)
        }
        topic = module.rpartition(".")[2]
        for candidate in _candidates(wanted, topic):
            if candidate not in self.taken and candidate not in used:
                return candidate
        raise AssertionError("candidates never end")

    def blocks(self) -> list[list[str]]:
        """Return the statements of the code that runs, in blocks: the runtime, then the package."""
        runtime = {key: local for key, local in self._running.items() if _is_ours(key[0])}
        rest = {key: local for key, local in self._running.items() if not _is_ours(key[0])}
        return [statements for group in (runtime, rest) if (statements := _statements(group, 0))]

    def typing_blocks(self) -> list[list[str]]:
        """Return the statements for annotations, in blocks: the standard library first."""
        needed = {key: local for key, local in self._typing.items() if key not in self._running}
        standard = {key: local for key, local in needed.items() if key[0] != BASE}
        ours = {key: local for key, local in needed.items() if key[0] == BASE}
        return [statements for group in (standard, ours) if (statements := _statements(group, 4))]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "telewright"


def _candidates(name: str, topic: str) -> Iterable[str]:
    yield name
    if name.isupper():
        yield from (f"_{name}", f"_BASE_{name}", f"_{topic.upper()}_{name}")
    elif name[:1].isupper():
        yield from (f"_{name}", f"_Base{name}", f"_{topic.title()}{name}")
    else:
        yield from (f"_{name}", f"_base_{name}")
    number = 2
    while True:
        yield f"_{name}_{number}"
        number += 1


def _statements(names: dict[tuple[str, str], str], indent: int) -> list[str]:
    plain: dict[str, list[str]] = {}
    made: list[tuple[order.Key, order.Key, str]] = []
    for (module, name), local in names.items():
        if name == local:
            plain.setdefault(module, []).append(name)
        else:
            text = layout.line(f"from {module} import {name} as {local}", indent=indent)
            made.append((order.module(module), order.imported(name), text))
    for module, members in plain.items():
        members.sort(key=order.imported)
        text = _plain(module, members, indent)
        made.append((order.module(module), order.imported(members[0]), text))
    return [text for _, _, text in sorted(made, key=lambda one: one[:2])]


def _plain(module: str, members: list[str], indent: int) -> str:
    opening = f"from {module} import "
    whole = opening + ", ".join(members)
    if indent + len(whole) <= WIDTH:
        return whole
    return layout.exploded(f"{opening}(", members, ")", indent=indent)
