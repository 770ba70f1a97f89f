"""The emitter ``semconv``: fills the snippets of pages that are in OpenTelemetry's own format."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final

from telewright_codegen.emit.conventions import conventions
from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.emit.markdown.inject import marked, paths
from telewright_codegen.emit.markdown.markers import lines
from telewright_codegen.emit.semconv import markers
from telewright_codegen.emit.semconv.snippet import snippet
from telewright_codegen.source import SourceFile
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Pages, Target
    from telewright_codegen.emit.markdown.markers import Slot
    from telewright_codegen.model.registry import Model
    from telewright_codegen.otel.conventions import Signal

_ARGUMENTS: Final = ("full",)
"""What a marker may ask for: `full` is what every snippet is."""


class SemconvEmitter:
    """Writes nothing but what stands between markers."""

    name: ClassVar[str] = "semconv"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:  # noqa: ARG002  the protocol
        """Yield nothing: the pages are there already."""
        yield from ()

    def inject(
        self, model: Model, target: Target, pages: Pages, report: Report, /
    ) -> Iterator[Artifact]:
        """Yield the pages that have markers, with the snippets of today."""
        names = [*target.registries, *(one.name for one in model.registries)]
        signals: dict[str, Signal] = {}
        for path in paths(pages):
            name = pages.name_of(path)
            read = marked(path, name, markers.HINT, report)
            if read is None:
                continue
            if not signals:
                for registry in map(model.registry, dict.fromkeys(names)):
                    for signal in conventions(registry).signals:
                        signals.setdefault(signal.id, signal)
            text = _filled(path, name, read, signals, report)
            if text is not None:
                yield Artifact(PurePosixPath(path.relative_to(pages.folder).as_posix()), text)


def _filled(
    path: Path, name: str, read: tuple[bytes, str], signals: Mapping[str, Signal], report: Report
) -> str | None:
    """Return a page with its snippets; None where it has none, or something is wrong."""
    data, text = read
    before = len(report.diagnostics)
    page = lines(text)
    slots = markers.slots(name, page, report)
    found = [(slot, _wanted(slot, signals, report)) for slot in slots]
    if len(report.diagnostics) > before:
        report.files[name] = SourceFile(path, name, data)
        return None
    if not slots:
        return None
    parts: list[str] = []
    done = 0
    for slot, signal in found:
        parts += page[done : slot.first + 1]
        if signal is not None:
            made = snippet(signal)
            parts.append(made.replace("\n", "\r\n") if page[slot.first].endswith("\r\n") else made)
        done = slot.last
    return "".join([*parts, *page[done:]])


def _wanted(slot: Slot, signals: Mapping[str, Signal], report: Report) -> Signal | None:
    """Return the group that a slot asks for."""
    name, _, said = slot.wanted.partition("(")
    for argument in filter(None, (one.strip() for one in said.removesuffix(")").split(","))):
        if argument not in _ARGUMENTS:
            report.error(
                "TW712",
                f"no snippet has the argument `{argument}`",
                slot.place,
                help=did_you_mean(argument, _ARGUMENTS) or f"there is `{_ARGUMENTS[0]}`",
            )
    signal = signals.get(name)
    if signal is None:
        report.error(
            "TW712",
            f"no group `{name}`",
            slot.place,
            help=did_you_mean(name, list(signals)) or "write the id of a group",
        )
    return signal
