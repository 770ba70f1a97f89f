"""What deprecated items were renamed to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.otel.names import is_known
from telewright_codegen.resolve.catalogue import report_unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import DeprecationSpec


class _Item(NamedTuple):
    """Something that may be deprecated, and what else of its kind there is."""

    kind: str
    at: At
    deprecated: DeprecationSpec | None
    peers: list[dict[str, At]]


def check_renames(catalogue: Catalogue, report: Report) -> None:
    """Report items of *catalogue* that were renamed to something that does not exist.

    Of a registry in OpenTelemetry's dialect that is only read, the new name may be in any other.
    """
    if catalogue.given and not catalogue.owned:
        return
    for item in _items(catalogue):
        name = None if item.deprecated is None else item.deprecated.renamed_to
        if name is not None and not is_known(name):
            _check(name, item, report)


def _check(name: str, item: _Item, report: Report) -> None:
    if any(name in names for names in item.peers):
        return
    report_unknown(
        report,
        "TW127",
        name,
        (item.at / "deprecated").value("renamed_to"),
        what=item.kind,
        known=lambda: {known: at.value() for names in item.peers for known, at in names.items()},
    )


def _items(catalogue: Catalogue) -> Iterator[_Item]:
    visible = list(catalogue.visible())
    attributes = [
        {key: one.at / "id" for key, one in other.attributes.items()} for other in visible
    ]
    for attribute in catalogue.attributes.values():
        yield _Item("attribute", attribute.at, attribute.spec.deprecated, attributes)
    spans = [{name: one.at / "name" for name, one in other.spans.items()} for other in visible]
    for span in catalogue.entries:
        yield _Item("span", span.at, span.spec.deprecated, spans)
    metrics = [
        {name: one.at / one.kind for name, one in other.metrics.items()} for other in visible
    ]
    for metric in catalogue.metrics.values():
        yield _Item("metric", metric.at, metric.spec.deprecated, metrics)
    events = [{name: one.at / "name" for name, one in other.events.items()} for other in visible]
    for event in catalogue.events.values():
        yield _Item("event", event.at, event.spec.deprecated, events)
    groups = [{name: one.at for name, one in other.groups.items()} for other in visible]
    for group in catalogue.groups.values():
        yield _Item("group", group.at, group.spec.deprecated, groups)
    for draft in catalogue.drafts:
        places = [(spec, draft.at / "settings" / n) for n, spec in enumerate(draft.spec.settings)]
        settings = [{spec.name: at / "name" for spec, at in places}]
        for spec, at in places:
            yield _Item("setting", at, spec.deprecated, settings)
    yield from _members(catalogue)


def _members(catalogue: Catalogue) -> Iterable[_Item]:
    for enum in catalogue.enums.values():
        peers = [
            {member.name: member.at for member in enum.members},
            {member.text: member.at for member in enum.members},
        ]
        for member in enum.members:
            if member.spec is not None:
                yield _Item("member", member.at, member.spec.deprecated, peers)
