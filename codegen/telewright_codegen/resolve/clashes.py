"""Python names that two things in one generated module would share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.diagnostics import Label
from telewright_codegen.resolve.signatures import has_class, signal_attributes
from telewright_codegen.resolve.words import MODULE, is_taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.source import At


class Named(NamedTuple):
    """Something in a module: its Python name, what it is, where it comes from, how to rename it."""

    python: str
    what: str
    at: At
    remedy: str


@dataclass(slots=True)
class _Module:
    report: Report
    names: dict[str, Named] = field(default_factory=dict[str, Named])

    def add(self, new: Named) -> None:
        """Take *new* in; report it if its name is taken."""
        if new.python in MODULE or is_taken(new.python):
            self.report.error(
                "TW205",
                f"{new.what} would be `{new.python}` in Python",
                new.at.value(),
                "a name that generated modules or Python need",
                help=new.remedy,
            )
            return
        former = self.names.setdefault(new.python, new)
        if former is not new and former.at != new.at:
            self.report.error(
                "TW204",
                f"{former.what} and {new.what} would both be `{new.python}`",
                new.at.value(),
                f"`{new.python}` again",
                secondary=(Label(former.at.value(), f"`{new.python}` first"),),
                help=new.remedy,
            )


def check_module(topic: Topic, report: Report) -> None:
    """Report what cannot stand beside each other in the module of *topic*."""
    module = _Module(report)
    for named in _names(topic):
        module.add(named)


def _names(topic: Topic) -> Iterator[Named]:
    yield from _constants(topic)
    for enum in topic.enums:
        remedy = "give the enum another name"
        yield Named(enum.name, f"enum `{enum.name}`", enum.at / "enum", remedy)
    remedy = "rename it, or add `as:` with another Python name"
    for span in topic.spans:
        place = span.at / "name"
        yield Named(span.helper, f"span `{span.name}`", place, remedy)
        if has_class(span):
            yield Named(span.class_name, f"the class of span `{span.name}`", place, remedy)
    for metric in topic.metrics:
        place = metric.at / metric.kind
        yield Named(metric.helper, f"metric `{metric.name}`", place, remedy)
        private = f"_{metric.class_name}"
        yield Named(private, f"the class of metric `{metric.name}`", place, remedy)
    for event in topic.events:
        yield Named(event.helper, f"event `{event.name}`", event.at / "name", remedy)
    for scope in topic.scopes:
        place = scope.at / "name"
        yield Named(scope.helper, f"scope `{scope.name}`", place, "rename the scope")
    for resource in topic.resources:
        place = resource.at / "name"
        yield Named(resource.helper, f"resource `{resource.name}`", place, "rename the resource")
    if topic.settings:
        remedy = "move the settings to another topic"
        for name in ("Settings", "read"):
            yield Named(name, f"`{name}` of the settings", topic.at / "settings", remedy)


def _constants(topic: Topic) -> Iterator[Named]:
    seen: set[str] = set()
    for attribute in (*topic.attributes, *signal_attributes(topic)):
        if attribute.key not in seen:
            seen.add(attribute.key)
            yield Named(
                attribute.constant,
                f"attribute `{attribute.key}`",
                attribute.at / "id",
                "rename one of them, or add `constant:`",
            )
