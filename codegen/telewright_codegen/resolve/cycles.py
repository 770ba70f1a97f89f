"""Topics that need each other's enumerations, and so could not import each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.resolve.signatures import signal_attributes

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Registry, Topic
    from telewright_codegen.model.signals import Enum


def check_cycles(registry: Registry, report: Report) -> None:
    """Report topics of *registry* that need enumerations of each other."""
    needs = {topic.name: _needs(topic) for topic in registry.topics}
    finished: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in finished:
            return
        for other in needs.get(name, {}):
            if other in path:
                _report([*path[path.index(other) :]], needs, report)
            else:
                visit(other, [*path, other])
        finished.add(name)

    for topic in registry.topics:
        visit(topic.name, [topic.name])


def _needs(topic: Topic) -> dict[str, Enum]:
    """Return the other topics of the registry, each with an enumeration that is needed of it."""
    found: dict[str, Enum] = {}
    for attribute in signal_attributes(topic):
        enum = attribute.enum
        if enum is None or enum.home.registry != topic.registry or enum.home.topic == topic.name:
            continue
        found.setdefault(enum.home.topic, enum)
    return found


def _report(path: list[str], needs: dict[str, dict[str, Enum]], report: Report) -> None:
    steps = [
        (name, other, needs[name][other])
        for name, other in zip(path, [*path[1:], path[0]], strict=True)
    ]
    _, _, first = steps[0]
    report.error(
        "TW117",
        "topics need each other's enums: " + " → ".join(f"`{one}`" for one in [*path, path[0]]),
        first.at.value("enum"),
        f"`{steps[0][0]}` needs this one",
        secondary=tuple(
            Label(enum.at.value("enum"), f"`{name}` needs this one") for name, _, enum in steps[1:]
        ),
        help="move one of the attributes to a topic that both can use",
    )
