"""Recording what a task does once it is done: a method of what is counted or measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.methods import MethodView
from telewright_codegen.emit.python.signature import Parameter, signature
from telewright_codegen.emit.python.text import docstring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Metric

_KINDS: Final = frozenset({"counter", "histogram"})


def when_done(
    context: Context,
    declared: Metric,
    verb: str,
    value: Parameter,
    keywords: Sequence[Parameter],
) -> MethodView | None:
    """Return the method that does as *verb* does once a task is done; None where none can be.

    Args:
        context: The module.
        declared: The instrument.
        verb: What records a value.
        value: The parameter of that value.
        keywords: The other parameters of *verb*.
    """
    if declared.kind not in _KINDS or declared.spec.deprecated is not None:
        return None  # what is new should not count by what is not to be used
    typing, base = context.imports.typing, "telewright.base"
    result = typing(base, "Result")
    taken = {value.name, *(one.name for one in keywords)}
    task = next(word for word in ("task", "task_", "_task") if word not in taken)
    kind, function = value.annotation, typing("collections.abc", "Callable")
    made = f"{kind} | {function}[[{result}], {kind}]"
    given = [task, f"self.{verb}", value.name]
    named = {one.name: one.name for one in keywords}
    waits = layout.call("self._when_done", *given, **named)
    return MethodView(
        decorator="",
        header=signature(
            "when_done",
            [
                Parameter(task, f"{typing(base, 'Completion')}[{result}]"),
                Parameter(value.name, made, value.default),
            ],
            keywords,
            "None",
            indent=4,
            method=True,
        ),
        doc=docstring(f"Do as `{verb}` once `{task}` has succeeded; not if it fails.", indent=8),
        body=[
            f"        if {context.imports.base('METRICS')}.on:",
            "            " + layout.rendered(waits, indent=12),
        ],
    )
