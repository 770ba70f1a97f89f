"""Settings: a class of what was configured, and the function that reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout, order
from telewright_codegen.emit.python.declarations import ConstantView, deprecation
from telewright_codegen.emit.python.signature import Parameter, signature
from telewright_codegen.emit.python.text import (
    WIDTH,
    Entry,
    code,
    docstring,
    led,
    listed,
    literal,
    paragraphs,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Setting

NAMES: Final = frozenset(["Settings", "read"])
"""What a module with settings defines for them."""

_TYPES: Final = {
    "string": "str",
    "path": "str",
    "int": "int",
    "double": "float",
    "seconds": "float",
    "boolean": "bool",
    "string[]": "tuple[str, ...]",
}


class SettingsView(NamedTuple):
    """The settings of a topic."""

    header: str
    doc: str
    slots: str
    fields: list[ConstantView]
    declared: str
    read: str
    read_doc: str
    made: str


def settings(context: Context, declared: Sequence[Setting]) -> SettingsView | None:
    """Return what reads *declared*; None where there are none."""
    if not declared:
        return None
    mapping = context.imports.typing("collections.abc", "Mapping")
    names = sorted((one.attribute for one in declared), key=order.exported)
    slots = [layout.Item(literal(name)) for name in names]
    rows = [_text(_row(context, one)) for one in declared]
    given = layout.call("Settings", "mapping", environ="environ", strict="strict")
    return SettingsView(
        header=f"class Settings({context.imports.base('Configuration')}):",
        doc=docstring("What was configured, as `read` has found it.", indent=4),
        slots=layout.statement(
            layout.rendered(_tuple(slots), indent=4, before="__slots__ = "), indent=4
        ),
        fields=[_field(one) for one in declared],
        declared=_declared(rows),
        read=signature(
            "read",
            [Parameter("mapping", f"{mapping}[str, object] | None", "None")],
            [
                Parameter("environ", f"{mapping}[str, str] | None", "None"),
                Parameter("strict", "bool", "False"),
            ],
            "Settings",
        ),
        read_doc=_read_doc(),
        made=layout.rendered(given, indent=4, before="return "),
    )


def _read_doc() -> str:
    made = docstring(
        "Read the settings: the environment wins over *mapping*, that over defaults.",
        indent=4,
        entries=[
            Entry("mapping", "A configuration file's content, from its top."),
            Entry("environ", "The variables; those of this process where left out."),
            Entry("strict", "Whether what is otherwise reported is a mistake, as unknown fields."),
        ],
    )
    raises = (
        "\n    Raises:\n"
        "        ValueError: If values are wrong; it names the variable or field of each.\n    "
    )
    return made.removesuffix('    """') + raises + '"""'


def _tuple(items: Sequence[layout.Item]) -> layout.Expression:
    if len(items) == 1:
        return f"({layout.flat(items[0].value)},)"
    return layout.Bracketed("(", tuple(items), ")")


def _field(setting: Setting) -> ConstantView:
    spec = setting.spec
    kind = _TYPES[spec.type]
    optional = "" if spec.default is not None or spec.type == "string[]" else " | None"
    places = [*setting.env, *([spec.config] if spec.config is not None else [])]
    brief = led(sentence(spec.brief), code(setting.name))
    where = f"Said by {listed([code(place) for place in places])}, the first that is set."
    if len(places) == 1:
        where = f"Said by {code(places[0])}."
    return ConstantView(
        layout.line(f"{setting.attribute}: {kind}{optional}", indent=4),
        docstring(brief, [where, *paragraphs(spec.note), deprecation(spec.deprecated)], indent=4),
    )


def _declared(rows: list[str]) -> str:
    made = layout.exploded("declared = (", rows, ")", indent=4)
    return made + layout.SKIP if any(_is_broken(row) for row in rows) else made


def _is_broken(row: str) -> bool:
    return any(line.lstrip().startswith('"') and line.endswith('"') for line in row.split("\n"))


def _text(row: layout.Bracketed) -> str:
    """Return *row* on lines of its own, a long reason in parts."""
    made = layout.rendered(row, indent=8, after=",")
    if max(map(len, made.split("\n"))) <= WIDTH:
        return made
    items = [
        layout.broken(
            layout.rendered(item.value, indent=12, before=item.prefix, after=","), indent=12
        )
        for item in row.items
    ]
    return layout.exploded(row.opening, items, row.closing, indent=8)


def _row(context: Context, setting: Setting) -> layout.Bracketed:
    spec = setting.spec
    words: dict[str, layout.Expression] = {}
    if setting.env:
        words["env"] = _tuple([layout.Item(literal(name)) for name in setting.env])
    if spec.config is not None:
        words["config"] = literal(spec.config)
    if spec.default is not None or spec.type == "string[]":
        words["default"] = _default(setting)
    if spec.start is not None:
        words["start"] = literal(spec.start)
    if spec.visibility == "internal":
        words["internal"] = "True"
    if spec.deprecated is not None:
        words["deprecated"] = literal(_why(setting))
        renamed = spec.deprecated.renamed_to
        peers = {one.name: one.attribute for one in context.topic.settings}
        if renamed in peers:
            words["renamed_to"] = literal(peers[renamed])
    name, kind = literal(setting.attribute), literal(spec.type)
    return layout.call(context.imports.base("Setting"), name, kind, **words)


def _default(setting: Setting) -> layout.Expression:
    default = setting.spec.default
    if setting.spec.type == "string[]":
        texts = default if isinstance(default, list) else []
        return _tuple([layout.Item(literal(str(one))) for one in texts]) if texts else "()"
    if isinstance(default, str):
        return literal(default)
    if setting.spec.type in ("double", "seconds") and isinstance(default, (int, float)):
        return repr(float(default))
    return repr(default)


def _why(setting: Setting) -> str:
    spec = setting.spec.deprecated
    if spec is None:
        return ""
    if spec.note:
        return sentence(spec.note)
    return f"it is {spec.renamed_to}" if spec.renamed_to else "it is gone"
