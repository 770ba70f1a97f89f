"""Registries of ours as OpenTelemetry's tools see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.otel.conventions import Conventions, Key, Retirement, Signal, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.model.registry import Registry
    from telewright_codegen.model.signals import Attribute, Member, Use
    from telewright_codegen.otel.conventions import Need, SignalKind
    from telewright_codegen.spec.common import DeprecationSpec, ItemSpec, Stability

_INSTRUMENTS: Final = {
    "counter": "counter",
    "up_down_counter": "updowncounter",
    "gauge": "gauge",
    "histogram": "histogram",
    "observable_counter": "counter",
    "observable_up_down_counter": "updowncounter",
    "observable_gauge": "gauge",
}


def conventions(registry: Registry) -> Conventions:
    """Return all that *registry* says in OpenTelemetry's terms, whatever it is written in."""
    if registry.conventions is not None:
        return registry.conventions()
    keys = tuple(_declared(one) for topic in registry.topics for one in topic.attributes)
    return Conventions(keys, tuple(_signals(registry)))


def home(attribute: Attribute) -> str:
    """Return the group that declares *attribute*."""
    return f"registry.{attribute.home.registry}.{attribute.home.topic}"


def _signals(registry: Registry) -> Iterator[Signal]:
    for topic in registry.topics:
        if topic.attributes:
            name = f"registry.{registry.name}.{topic.name}"
            yield _signal("attribute_group", name, "", topic.spec.brief, None, ())
        for resource in topic.resources:
            name = f"{registry.name}.{resource.name}"
            yield _signal(
                "entity", f"entity.{name}", name, resource.spec, None, resource.attributes
            )
        for metric in topic.metrics:
            yield _signal(
                "metric",
                f"metric.{metric.name}",
                metric.name,
                metric.spec,
                (_INSTRUMENTS[metric.kind], metric.unit),
                metric.attributes,
            )
        for span in topic.spans:
            name = f"span.{registry.name}.{topic.name}.{span.helper}"
            yield _signal("span", name, span.name, span.spec, None, span.attributes)
        for event in topic.events:
            name = f"event.{event.name}"
            yield _signal("event", name, event.name, event.spec, None, event.attributes)


def _signal(  # noqa: PLR0913, PLR0917  a signal has so many parts
    kind: SignalKind,
    id: str,  # noqa: A002  what the dialect calls it
    name: str,
    said: ItemSpec | str,
    measured: tuple[str, str] | None,
    uses: Sequence[Use],
) -> Signal:
    spec = None if isinstance(said, str) else said
    instrument, unit = measured or (None, None)
    return Signal(
        id=id,
        kind=kind,
        name=name,
        brief=said if isinstance(said, str) else said.brief,
        note=(spec.note if spec else None) or "",
        stability=_stability(spec.stability if spec else None),
        deprecated=_retirement(spec.deprecated if spec else None),
        refines=None,
        keys=tuple(map(_used, uses)),
        instrument=instrument,
        unit=unit,
        span_kind=None,
        entities=(),
        annotations={},
    )


def _declared(attribute: Attribute) -> Key:
    return _key(attribute, "recommended", "")


def _used(use: Use) -> Key:
    condition = use.condition or ""
    need: Need = "recommended" if use.level == "detected" else use.level
    if condition and need == "required":
        need = "conditionally_required"
    return _key(use.attribute, need, condition)


def _key(attribute: Attribute, need: Need, condition: str) -> Key:
    spec, enum = attribute.spec, attribute.enum
    return Key(
        name=attribute.key,
        type=attribute.type,
        values=None if enum is None else tuple(map(_value, enum.members)),
        brief=spec.brief,
        note=spec.note or "",
        examples=spec.examples or None,
        stability=_stability(spec.stability),
        deprecated=_retirement(spec.deprecated),
        need=need,
        condition=condition,
        role=None,
        is_early=False,
        annotations={} if spec.constant is None else {"constant": spec.constant},
        home=home(attribute),
    )


def _value(member: Member) -> Value:
    spec = member.spec
    return Value(
        id=member.name,
        value=member.value,
        brief=member.brief,
        note=(spec.note if spec else None) or "",
        stability=None,
        deprecated=_retirement(spec.deprecated if spec else None),
        annotations={},
    )


def _stability(said: Stability | None) -> str | None:
    return None if said is None else said.value


def _retirement(said: DeprecationSpec | None) -> Retirement | None:
    if said is None:
        return None
    note = said.note
    if said.renamed_to is not None:
        return Retirement("renamed", said.renamed_to, note or f"Replaced by `{said.renamed_to}`.")
    return Retirement("obsoleted" if note is None else "uncategorized", None, note or "Obsoleted.")
