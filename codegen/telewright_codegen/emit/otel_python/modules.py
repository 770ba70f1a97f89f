"""Modules of attributes and of metrics, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.otel_python import names, prose
from telewright_codegen.emit.python.layout import SKIP
from telewright_codegen.emit.python.text import WIDTH, literal, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.otel.conventions import Key, Retirement, Signal, Value

STABLE: Final = "stable"
_INSTRUMENTS: Final = {
    "counter": ("Counter", "counter"),
    "histogram": ("Histogram", "histogram"),
    "updowncounter": ("UpDownCounter", "up_down_counter"),
    "gauge": ("ObservableGauge", "observable_gauge"),
}
"""The class of each instrument, and what makes one."""
_NEW_LINE: Final = "\n"
_CALLBACKS: Final = """\

_Sent = Generator[Iterable[Observation], CallbackOptions, None]
CallbackT = Callable[[CallbackOptions], Iterable[Observation]] | _Sent"""


class Edition(NamedTuple):
    """One of the two packages: what is stable, or everything."""

    package: str
    """What the stable package is imported as."""
    is_stable: bool

    def stable(self, module: str, name: str, stability: str | None) -> str | None:
        """Return where the stable package has *name*, for those who read of it in the other."""
        if self.is_stable or stability != STABLE:
            return None
        return f"{self.package}.{module}.{name}"


def attributes(module: str, keys: Sequence[Key], edition: Edition) -> Iterator[str]:
    """Yield the lines of a module of attributes, its header aside."""
    enums = [key for key in keys if key.values is not None]
    if enums:
        yield "from enum import Enum"
    yield "from typing import Final"
    if any(_warning(key, module, edition) for key in enums):
        yield ""
        yield "from typing_extensions import deprecated"
    for key in keys:
        name = key_constant(key)
        yield ""
        yield _assigned(name, key.name)
        yield from _below(prose.of_key(key, edition.stable(module, name, key.stability)))
    for key in enums:
        yield from _enum(module, key, edition)


def key_constant(key: Key) -> str:
    """Return the constant of an attribute: what its annotations pin, else what its name gives."""
    pinned: object = key.annotations.get("constant")
    if isinstance(pinned, str) and pinned.isidentifier():
        return pinned
    name = names.constant(key.name)
    return f"{name}_TEMPLATE" if key.type.startswith("template[") else name


def _enum(module: str, key: Key, edition: Edition) -> Iterator[str]:
    name = names.enum_class(key.name)
    yield from ("", "")
    warning = _warning(key, module, edition)
    if warning is not None:
        yield from _bracketed("@deprecated", [literal(warning)], "")
    yield f"class {name}(Enum):"
    seen: set[str] = set()
    for value in key.values or ():
        member = names.constant(value.id)
        too_early = edition.is_stable and value.stability not in {None, STABLE}
        if value.is_in_code and not too_early and member not in seen:
            seen.add(member)
            yield f"    {member} = {_literal(value)}"
            stable = edition.stable(module, f"{name}.{member}", value.stability)
            yield _inside(prose.of_value(value, stable))
    if not seen:
        yield "    pass"


def _warning(key: Key, module: str, edition: Edition) -> str | None:
    """Return what a type checker says to whoever uses the values of *key*."""
    if key.deprecated is not None:
        return f"The attribute {key.name} is deprecated - {_reason(key.deprecated)}"
    stable = edition.stable(module, names.enum_class(key.name), key.stability)
    return None if stable is None else f"Deprecated in favor of stable :py:const:`{stable}`."


def _reason(deprecated: Retirement) -> str:
    return " ".join(prose.undotted(deprecated.note).split("\n"))


def _literal(value: Value) -> str:
    return literal(value.value) if isinstance(value.value, str) else repr(value.value)


def _below(lines: list[str]) -> Iterator[str]:
    if lines:
        yield quoted(["", *(line.rstrip() for line in lines), ""])


def _assigned(name: str, value: str) -> str:
    line = f"{name}: Final = {literal(value)}"
    return line if len(line) <= WIDTH else line + SKIP


def _bracketed(before: str, parts: Sequence[str], after: str) -> Iterator[str]:
    """Yield a line, or, where it is too long, lines that no formatter joins."""
    line = f"{before}({', '.join(parts)}){after}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{before}("
    for part in parts:
        yield f"    {part},"
    yield f"){after}"


def _inside(lines: list[str]) -> str:
    indented = [f"    {line}".rstrip() for line in lines]
    return f"    {quoted([indented[0][4:], *indented[1:]])}"


def metrics(module: str, found: Sequence[Signal], edition: Edition) -> Iterator[str]:
    """Yield the lines of a module of metrics, its header aside."""
    if edition.is_stable:
        yield "from typing import Final"
    else:
        yield from _imports({metric.instrument or "" for metric in found})
    for index, metric in enumerate(found):
        name = names.constant(metric.name)
        yield from ("", "")[: 2 if index else 1]
        yield _assigned(name, metric.name)
        yield from _below(prose.of_metric(metric, edition.stable(module, name, metric.stability)))
        if not edition.is_stable:
            yield from _factory(name, metric)


def _imports(instruments: set[str]) -> Iterator[str]:
    used = {"Meter", *(_INSTRUMENTS[one][0] for one in instruments)}
    has_callbacks = "gauge" in instruments
    if has_callbacks:
        used |= {"CallbackOptions", "Observation"}
        yield "from collections.abc import Callable, Generator, Iterable, Sequence"
    yield "from typing import Final"
    yield ""
    line = f"from opentelemetry.metrics import {', '.join(sorted(used))}"
    if len(line) <= WIDTH:
        yield line
    else:
        yield from _bracketed("from opentelemetry.metrics import ", sorted(used), "")
    if has_callbacks:
        yield _CALLBACKS


def _factory(name: str, metric: Signal) -> Iterator[str]:
    made, how = _INSTRUMENTS[metric.instrument or ""]
    takes_callbacks = metric.instrument == "gauge"
    parameters = ["meter: Meter"]
    if takes_callbacks:
        parameters.append("callbacks: Sequence[CallbackT] | None")
    yield from ("", "")
    yield from _bracketed(f"def {names.factory(metric.name)}", parameters, f" -> {made}:")
    if metric.brief:
        yield _inside(prose.undotted(metric.brief).split("\n"))
    yield f"    return meter.create_{how}("
    yield f"        name={name},"
    if takes_callbacks:
        yield "        callbacks=callbacks,"
    yield f"        description={literal(metric.brief.strip().replace(_NEW_LINE, ' '))},"
    yield f"        unit={literal(metric.unit or '')},"
    yield "    )"
