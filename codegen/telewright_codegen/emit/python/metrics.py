"""Instruments: one private class each, for the signature of its verb, and the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.completion import when_done
from telewright_codegen.emit.python.context import FIELDS
from telewright_codegen.emit.python.declarations import decorator, deprecation, unit_words
from telewright_codegen.emit.python.signature import Parameter, ordered, parameter, signature
from telewright_codegen.emit.python.text import (
    WIDTH,
    Entry,
    code,
    docstring,
    flat,
    inside,
    led,
    listed,
    literal,
    measured,
    number,
    paragraphs,
    sentence,
)
from telewright_codegen.emit.python.values import (
    annotation,
    dictionary,
    entry,
    is_changed,
    is_number,
    is_template,
    pair,
    stays_member,
)

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.emit.python.methods import MethodView
    from telewright_codegen.model.signals import Attribute, Metric, Once, Source, Span, Use

_CLASSES: Final = {
    "counter": "Counter",
    "up_down_counter": "UpDownCounter",
    "gauge": "Gauge",
    "histogram": "Histogram",
    "observable_counter": "ObservableCounter",
    "observable_up_down_counter": "ObservableUpDownCounter",
    "observable_gauge": "ObservableGauge",
}
_VERBS: Final = {
    "counter": ("add", "Count", "How many, zero or more"),
    "up_down_counter": ("add", "Add to", "How many more, or fewer where negative"),
    "gauge": ("set", "Set", "The value from now on"),
    "histogram": ("record", "Record", "The measured value"),
}
_POINT: Final = ("point", "Make one reading of", "The value now")
DEFAULT_MEMORY: Final = 4096
"""What `remember:` is where a spec leaves it out."""
DEFAULT_EVERY: Final = 10.0
"""What `every:` of a source is where a spec leaves it out."""


class MetricView(NamedTuple):
    """An instrument."""

    class_header: str
    decorator: str
    header: str
    doc: str
    body: list[str]
    """Lines of the method, indented."""
    statement: str
    object_doc: str
    alias: str
    """The statement that gives it a second name, where classes of spans hide the first."""
    when_done: MethodView | None
    """The method that waits for a task; of what is counted or measured."""


def metric(context: Context, declared: Metric) -> MetricView:
    """Return one instrument."""
    base = context.imports.base(_class_of(declared))
    verb, phrase, meaning = _VERBS.get(declared.kind, _POINT)
    observable = declared.kind not in _VERBS
    labels = ordered(declared.attributes)
    ids = _ids(declared)
    keywords = [parameter(context, use, optional=use.level != "required") for use in labels]
    keywords += [parameter(context, use, optional=optional) for use, optional in ids]
    keywords.sort(key=lambda one: bool(one.default))
    value = Parameter(
        declared.value_param,
        "int" if declared.value == "int" else "float",
        "" if declared.value_default is None or observable else str(declared.value_default),
    )
    private = f"_{declared.class_name}"
    return MetricView(
        class_header=layout.line(f"class {private}({base}):"),
        decorator=decorator(context, declared.spec.deprecated, indent=4),
        header=signature(
            verb,
            [value],
            keywords,
            context.imports.typing("telewright.base", "Point") if observable else "None",
            indent=4,
            method=True,
        ),
        doc=_method_doc(context, declared, phrase, meaning, ids),
        body=_body(context, declared, labels, observable=observable),
        statement=_statement(context, declared, private),
        object_doc=_object_doc(declared),
        alias=_alias(context, declared),
        when_done=when_done(context, declared, verb, value, keywords),
    )


def _alias(context: Context, declared: Metric) -> str:
    if declared.helper not in FIELDS:
        return ""
    return f"_{declared.helper.upper()}: {context.imports.final()} = {declared.helper}"


def _class_of(declared: Metric) -> str:
    if declared.kind == "counter" and declared.once_per:
        return "OnceCounter"
    return _CLASSES[declared.kind]


def _ids(declared: Metric) -> list[tuple[Use, bool]]:
    """Return what occurrences are counted once for, and whether callers may leave it out."""
    labels = {use.attribute.key for use in declared.attributes}
    found: dict[str, tuple[Use, bool]] = {}
    for once in declared.once_per:
        for use in once.ids:
            if use.attribute.key not in labels:
                found.setdefault(use.attribute.key, (use, once.member is not None))
    return sorted(found.values(), key=lambda one: one[1])


def _labels(context: Context, uses: list[Use]) -> layout.Expression:
    pairs = [pair(context, use, optional=use.level != "required", in_metric=True) for use in uses]
    return dictionary(context, pairs)


def _body(context: Context, declared: Metric, labels: list[Use], *, observable: bool) -> list[str]:
    value = declared.value_param
    if observable:
        made = _labels(context, labels)
        whole = f"return {value}, {layout.flat(made)}"
        if len(whole) + 8 <= WIDTH:
            return [f"        {whole}"]
        items = [value, layout.rendered(made, indent=12, after=",")]
        return ["        " + layout.exploded("return (", items, ")", indent=8)]
    gate = f"        if {context.imports.base('METRICS')}.on:"
    if not declared.once_per and _are_added(labels):
        return [gate, *_added(context, declared, labels)]
    made = _labels(context, labels)
    if not declared.once_per:
        recorded = layout.call("self._record", value, made)
        return [gate, "            " + layout.rendered(recorded, indent=12)]
    always = [once for once in declared.once_per if once.member is None]
    if always:
        recorded = layout.call("self._record_once", value, made, *_params(always[0]))
        return [gate, "            " + layout.rendered(recorded, indent=12)]
    return [gate, *_by_member(context, declared, made)]


def _are_added(labels: list[Use]) -> bool:
    """Return whether some labels may be left out, and no value of them is looked at for that."""
    awkward = any(
        is_changed(use.attribute) or is_template(use.attribute) or is_number(use.attribute)
        for use in labels
    )
    return not awkward and any(use.level != "required" for use in labels)


def _added(context: Context, declared: Metric, uses: list[Use]) -> list[str]:
    """Return the statements that record what is required, and of the rest what was given."""
    labels = _labels_name(declared)
    required = [use for use in uses if use.level == "required"]
    kinds = sorted({_kind(context, use.attribute) for use in uses})
    before = f"{labels}: dict[str, {' | '.join(kinds)}] = "
    made = _labels(context, required)
    lines = ["            " + layout.rendered(made, indent=12, before=before)]
    for use in uses:
        if use not in required:
            one = pair(context, use, optional=True, in_metric=True)
            target = f"{labels}[{use.attribute.constant}] = "
            added = layout.rendered(one.value, indent=16, before=target)
            lines += [
                "            " + layout.line(f"if {use.param} is not None:", indent=12),
                "                " + layout.statement(added, indent=16),
            ]
    recorded = layout.call("self._record", declared.value_param, labels)
    return [*lines, "            " + layout.rendered(recorded, indent=12)]


def _kind(context: Context, attribute: Attribute) -> str:
    if attribute.enum is not None:
        return "int" if attribute.enum.numeric else "str"
    return annotation(context, attribute)


def _labels_name(declared: Metric) -> str:
    taken = all_params(declared)
    return next(name for name in ("labels", "given_labels", "labels_") if name not in taken)


def _by_member(context: Context, declared: Metric, made: layout.Expression) -> list[str]:
    """Return the statements that count some members once and the others each time."""
    labels = _labels_name(declared)
    lines = ["            " + layout.rendered(made, indent=12, before=f"{labels} = ")]
    word = "if"
    for once in declared.once_per:
        test = f"{word} {_is_member(context, declared, once, labels)}:"
        recorded = layout.call("self._record_once", declared.value_param, labels, *_params(once))
        lines += [
            "            " + layout.line(test, indent=12),
            "                " + layout.rendered(recorded, indent=16),
        ]
        word = "elif"
    recorded = layout.call("self._record", declared.value_param, labels)
    return [*lines, "            else:", "                " + layout.rendered(recorded, indent=16)]


def _is_member(context: Context, declared: Metric, once: Once, labels: str) -> str:
    """Return the test for the member of *once*, which never runs code of the value that came."""
    for use in declared.attributes:
        enum = use.attribute.enum
        if enum is not None and once.member is not None and once.member in enum.members:
            made = f"{labels}.get({use.attribute.constant})"
            if is_changed(use.attribute):
                made = f"{context.imports.base('member')}({context.enum(enum)}, {use.param})"
            return f"{made} is {context.member(enum, once.member)}"
    raise AssertionError("a resolved `once_per` names a member of one of the attributes")


def _params(once: Once) -> list[str]:
    return [use.param for use in once.ids]


def _statement(context: Context, declared: Metric, private: str) -> str:
    spec = declared.spec
    keywords: dict[str, layout.Expression] = {
        "unit": literal(declared.unit),
        "brief": literal(flat(spec.brief)),
    }
    if declared.kind == "histogram" and declared.boundaries is not None:
        keywords["boundaries"] = _boundaries(declared.boundaries)
    if spec.writer is not None:
        keywords["writer"] = literal(spec.writer)
    if declared.once_per and spec.remember not in (None, DEFAULT_MEMORY):
        keywords["remember"] = str(spec.remember)
    if spec.max_series is not None:
        keywords["max_series"] = str(spec.max_series)
    if spec.overflow is not None:
        keywords["overflow"] = literal(spec.overflow)
    if declared.source is not None:
        keywords["source"] = _source(context, declared, declared.source)
    if declared.value == "int":
        keywords["integer"] = "True"
    labels = [use.attribute for use in declared.attributes]
    if declared.kind in _VERBS and labels and all(map(stays_member, labels)):
        keywords["members"] = "True"
    registry = context.imports.name(context.groups(), "REGISTRY")
    items = layout.call(private, registry, literal(declared.name), **keywords).items
    parts = [layout.rendered(one.value, indent=4, before=one.prefix, after=",") for one in items]
    parts = [layout.broken(one, indent=4) for one in parts]
    target = f"{declared.helper}: {context.imports.final()} = {private}("
    made = layout.exploded(target, parts, ")", indent=0)
    return made + layout.SKIP if any(one.endswith("\n    )") for one in parts) else made


def _source(context: Context, declared: Metric, source: Source) -> layout.Expression:
    """Return the statement of where an instrument is read from."""
    keywords: dict[str, layout.Expression] = {"page": literal(source.page)}
    keys = tuple(layout.Item(use.attribute.constant) for use in declared.attributes)
    if keys:
        keywords["keys"] = layout.Bracketed("[", keys, "]")
    if source.labels:
        keywords["labels"] = layout.display(
            layout.Item(use.attribute.constant, f"{literal(name)}: ") for name, use in source.labels
        )
    if source.attributes:
        keywords["attributes"] = layout.display(
            layout.Item(_value(value), f"{use.attribute.constant}: ")
            for use, value in source.attributes
        )
    if source.every != DEFAULT_EVERY:
        keywords["every"] = number(source.every)
    if source.scale != 1:
        keywords["scale"] = number(source.scale)
    if declared.spec.window is not None:
        keywords["window"] = literal(declared.spec.window)
    return layout.call(context.imports.base("Source"), literal(source.series), **keywords)


def _value(value: str | float) -> str:
    return literal(value) if isinstance(value, str) else repr(value)


def _boundaries(boundaries: tuple[float, ...]) -> layout.Expression:
    if len(boundaries) == 1:
        return f"({number(boundaries[0])},)"
    items = tuple(layout.Item(number(one)) for one in boundaries)
    return layout.Bracketed("(", items, ")")


def _method_doc(
    context: Context,
    declared: Metric,
    phrase: str,
    meaning: str,
    ids: list[tuple[Use, bool]],
) -> str:
    spec, unit = declared.spec, unit_words(declared.unit)
    entries = [Entry(declared.value_param, f"{meaning}{f', {unit}' if unit else ''}.")]
    entries += [entry(use) for use in ordered(declared.attributes)]
    for use, optional in ids:
        line = entry(use)
        when = _members_of(declared, use)
        fate = f"With `{when}`, counted once per value" if optional else "Counted once per value"
        entries.append(Entry(line.name, f"{line.text} {fate}; never exported."))
    facts = _facts(context, declared)
    return docstring(
        f"{phrase} {measured(spec.brief)}",
        [" ".join(facts), *paragraphs(spec.note), deprecation(spec.deprecated)],
        indent=8,
        title=f"{phrase} {code(declared.name)}.",
        brief=led(sentence(spec.brief), code(declared.name)),
        entries=entries,
    )


def _members_of(declared: Metric, use: Use) -> str:
    members = [
        once.member.constant
        for once in declared.once_per
        if once.member is not None and any(one.attribute is use.attribute for one in once.ids)
    ]
    return "` or `".join(members)


def _facts(context: Context, declared: Metric) -> list[str]:
    facts: list[str] = []
    timed = [span for span in context.topic.spans if _times(span, declared)]
    if timed:
        names = listed([f"`{span.helper}`" for span in timed])
        facts.append(f"Spans of {names} do this by themselves.")
    ids = next((once.ids for once in declared.once_per if once.member is None), ())
    if ids:
        facts.append(f"Each is counted once per {listed([f'`{use.param}`' for use in ids])}.")
    if declared.spec.writer is not None:
        facts.append(f"Written by {code(declared.spec.writer)} alone.")
    if declared.source is not None:
        series = code(declared.source.series)
        facts.append(f"Read by itself, from {series} on the pages of {code(declared.source.page)}.")
    return facts


def _times(span: Span, declared: Metric) -> bool:
    return span.duration is not None and span.duration.name == declared.name


def _object_doc(declared: Metric) -> str:
    kind = declared.kind.replace("_", " ").replace("up down", "up-down")
    unit = unit_words(declared.unit)
    title = f"{kind[0].upper()}{kind[1:]} {code(declared.name)}{f', {unit}' if unit else ''}"
    body = [*paragraphs(declared.spec.note), deprecation(declared.spec.deprecated)]
    return docstring(
        f"{title}: {inside(declared.spec.brief)}",
        body,
        indent=0,
        title=f"{title}.",
        brief=led(sentence(declared.spec.brief), code(declared.name)),
    )


def all_params(declared: Metric) -> set[str]:
    """Return the names of the parameters of an instrument's verb."""
    ids = {use.param for once in declared.once_per for use in once.ids}
    return {declared.value_param} | {use.param for use in declared.attributes} | ids


def keys(declared: Metric) -> list[Attribute]:
    """Return the attributes whose constants an instrument needs; ids are never exported."""
    return [use.attribute for use in declared.attributes]
