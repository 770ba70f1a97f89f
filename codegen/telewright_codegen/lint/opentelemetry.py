"""Names that belong to OpenTelemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import attributes, declared, metrics
from telewright_codegen.otel.names import table
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Attribute

_RESERVED: Final = "otel"


@rule("TW216", "reserved-by-opentelemetry", liftable=False)
def reserved_by_opentelemetry(subject: Subject) -> Iterator[Finding]:
    """Nothing but OpenTelemetry itself declares names that begin with ``otel.``."""
    for named in declared(subject.registry):
        if named.name == _RESERVED or named.name.startswith(f"{_RESERVED}."):
            yield Finding(
                named.item,
                named.place,
                f"{named.kind} `{named.name}` is in a namespace that OpenTelemetry keeps to itself",
                f"`{_RESERVED}.` is reserved",
                help=f"did you mean `{subject.registry.name}{named.name[len(_RESERVED) :]}`?",
            )


@rule("TW217", "inside-opentelemetry")
def inside_opentelemetry(subject: Subject) -> Iterator[Finding]:
    """A name in a namespace of OpenTelemetry's is there on purpose: its registry lists it."""
    names = table()
    listed = set(subject.registry.spec.namespaces)
    for named in declared(subject.registry):
        first, dot, _ = named.name.partition(".")
        if not dot or first == _RESERVED or first not in names.namespaces or named.name in listed:
            continue
        if named.kind == "span":
            continue
        known = {"attribute": names.attributes, "metric": names.metrics, "event": names.events}
        if named.name in known[named.kind]:
            continue
        yield Finding(
            named.item,
            named.place,
            f"{named.kind} `{named.name}` is in OpenTelemetry's namespace `{first}`"
            f" and is none of its names",
            f"OpenTelemetry {names.version} has no such {named.kind}",
            help=did_you_mean(named.name, known[named.kind])
            or "list it in full under `namespaces:` of the registry if it must be so",
        )


@rule("TW218", "differs-from-opentelemetry", liftable=False)
def differs_from_opentelemetry(subject: Subject) -> Iterator[Finding]:
    """A name that OpenTelemetry has keeps the type, the instrument and the unit it has there."""
    names = table()
    for attribute in attributes(subject.registry):
        known = names.attributes.get(attribute.key)
        if known is None or _text(_type(attribute)) == _text(known.detail[0]):
            continue
        yield Finding(
            attribute,
            attribute.at.value("id"),
            f"`{attribute.key}` is `{_type(attribute)}` here and `{known.detail[0]}` in"
            " OpenTelemetry",
            f"declared by OpenTelemetry {names.version}",
            help="use OpenTelemetry's, or choose a name of your own",
        )
    for metric in metrics(subject.registry):
        known = names.metrics.get(metric.name)
        if known is None:
            continue
        kind, unit = known.detail
        ours = metric.kind.removeprefix("observable_").replace("_", "")
        if (ours, metric.unit) != (kind, unit):
            yield Finding(
                metric,
                metric.at.value(metric.kind),
                f"`{metric.name}` is a {metric.kind.replace('_', ' ')} in `{metric.unit}` here"
                f" and a {kind} in `{unit}` in OpenTelemetry",
                f"declared by OpenTelemetry {names.version}",
                help="do as OpenTelemetry does, or choose a name of your own",
            )


@rule("TW219", "redeclares-opentelemetry", severity=Severity.WARNING)
def redeclares_opentelemetry(subject: Subject) -> Iterator[Finding]:
    """An attribute that OpenTelemetry declares is used, not declared again."""
    names = table()
    for attribute in attributes(subject.registry):
        known = names.attributes.get(attribute.key)
        if known is None:
            continue
        renamed = f"; it is deprecated for `{known.renamed_to}`" if known.renamed_to else ""
        yield Finding(
            attribute,
            attribute.at.value("id"),
            f"OpenTelemetry declares `{attribute.key}`{renamed}",
            "declared again here",
            help="remove it, add `otel` to `uses`, and run `telewright vendor otel --from DIR`",
        )


def _type(attribute: Attribute) -> str:
    return "enum" if attribute.enum is not None else attribute.type


def _text(kind: str) -> str:
    return "string" if kind == "enum" else kind
