"""One name with two meanings: in one registry, and in several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At


def check_span_names(registry: Registry, report: Report) -> None:
    """Report two spans of *registry* that would be exported under one name."""
    taken: dict[str, tuple[str, At]] = {}
    for topic in registry.topics:
        for span in topic.spans:
            exported = (
                [span.name]
                if span.placeholder is None
                else [name for _, name in span.placeholder.names]
            )
            for name in exported:
                former, at = taken.setdefault(name, (span.name, span.at))
                if at is not span.at and (former, name) != (span.name, span.name):
                    report.error(
                        "TW115",
                        f"two spans are called `{name}`",
                        span.at.value("name"),
                        "one is this",
                        secondary=(Label(at.value("name"), "and one is this"),),
                        help="narrow a pattern with `only:`, or rename one of them",
                    )
                    break


def check_registries(catalogues: Sequence[Catalogue], report: Report) -> None:
    """Report names that two registries declare, if at least one of them is checked here."""
    seen: dict[tuple[str, str], tuple[Catalogue, At]] = {}
    for catalogue in catalogues:
        for kind, name, at in _declared(catalogue):
            former = seen.setdefault((kind, name), (catalogue, at))
            if former[0] is catalogue or not (catalogue.owned or former[0].owned):
                continue
            first, second = (former, (catalogue, at))
            if not second[0].owned:
                first, second = second, first
            report.error(
                "TW116",
                f"{kind} `{name}` is declared by `{first[0].name}` and by `{second[0].name}`",
                second[1].value(),
                f"again in `{second[0].name}`",
                secondary=(Label(first[1].value(), f"in `{first[0].name}`"),),
                help=f"remove it and add `{first[0].name}` to `uses`",
            )


def _declared(catalogue: Catalogue) -> Iterator[tuple[str, str, At]]:
    for key, attribute in catalogue.attributes.items():
        yield ("attribute", key, attribute.at / "id")
    for name, metric in catalogue.metrics.items():
        yield ("metric", name, metric.at / metric.kind)
    for name, span in catalogue.spans.items():
        yield ("span", name, span.at / "name")
    for name, event in catalogue.events.items():
        yield ("event", name, event.at / "name")
