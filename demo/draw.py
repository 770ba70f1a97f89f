"""Draws exported telemetry in the terminal: waterfalls, the table of metrics, the books."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from demo.otlp import Export, Series, Span, read

WIDTH: Final = 40
_WIDEST: Final = 52
_PROCESS: Final = 10


def main() -> int:
    """Draw the folder that the command line names."""
    print("\n".join(picture(read(Path(sys.argv[1])))))
    return 0


def picture(export: Export) -> Iterator[str]:
    """Yield the lines of everything there is to see in *export*; none if there is nothing."""
    rollout = _first(export.spans, "gym.rollout.dispatch", links=True)
    if rollout:
        yield from _titled("One rollout: one trace over every process", waterfall(export, rollout))
        yield from _titled("The job it belongs to, which it is linked to", _job(export, rollout))
    steps = [span for span in export.spans if span.name == "rl.grpo.step"]
    if steps:
        yield from _titled("One training step", waterfall(export, steps[-1]))
    startup = _first(export.spans, "gym.startup", links=False)
    if startup:
        title = "Starting up: a trace of its own, handed on in the environment"
        yield from _titled(title, waterfall(export, startup))
    if export.series:
        yield from _titled("Metrics", metrics(export.series))


def waterfall(export: Export, root: Span) -> Iterator[str]:
    """Yield one line for *root* and for each span below it, drawn against the time of *root*."""
    children: dict[str, list[Span]] = {}
    for span in export.spans:
        if span.trace == root.trace:
            children.setdefault(span.parent, []).append(span)
    rows = list(_below(root, children, set()))
    last = max(span.end for span, _ in rows)
    width = min(_WIDEST, max(len(_name(span, depth)) for span, depth in rows))
    for span, depth in rows:
        yield _row(span, _name(span, depth)[:width].ljust(width), root.start, last)


def metrics(series: Iterable[Series]) -> Iterator[str]:
    """Yield one line for each metric and each combination of its attributes, over all processes."""
    rows: dict[tuple[str, str, str, str], tuple[float, int]] = {}
    for one in series:
        labels = ", ".join(f"{_short(key)}={value}" for key, value in one.attributes)
        row = (one.name, one.kind, one.unit, labels)
        value, count = rows.get(row, (0.0, 0))
        total = one.value if one.kind == "gauge" else value + one.value
        rows[row] = (total, count + (one.count or 0))
    for (name, kind, unit, labels), (value, count) in sorted(rows.items()):
        shown = f"{count} x {value / count:,.1f}" if count else f"{value:,.4g}"
        yield f"  {name:<40} {kind:<10} {shown:>16} {unit:<10} {labels}".rstrip()


def books(export: Export, told: dict[str, dict[str, int]]) -> Iterator[str]:
    """Yield one line for each process: what it says it made, and what its file holds."""
    yield f"  {'process':<12} {'made':>7} {'exported':>9} {'dropped':>8} {'in the file':>12}"
    for process, book in sorted(told.items()):
        found = sum(span.process == process for span in export.spans)
        verdict = "" if found == book["exported"] else "   <- does not agree"
        numbers = f"{book['made']:>7} {book['exported']:>9} {book['dropped']:>8} {found:>12}"
        yield f"  {process:<12} {numbers}{verdict}"


def _job(export: Export, rollout: Span) -> Iterator[str]:
    linked = {span_id for _, span_id in rollout.links}
    for span in export.spans:
        if span.id in linked:
            yield from waterfall(export, span)


def _below(
    root: Span, children: dict[str, list[Span]], shown: set[str], depth: int = 0
) -> Iterator[tuple[Span, int]]:
    """Yield the tree below *root*; of a batch of rollouts only the first is shown whole."""
    yield root, depth
    if root.name == "gym.rollout.dispatch" and depth:
        if root.parent in shown:
            return
        shown.add(root.parent)
    for child in children.get(root.id, ()):
        yield from _below(child, children, shown, depth + 1)


def _name(span: Span, depth: int) -> str:
    return "  " * depth + span.name + (f" ({span.kind})" if span.kind else "")


def _row(span: Span, name: str, start: int, end: int) -> str:
    scale = WIDTH / max(end - start, 1)
    left = min(max(int((span.start - start) * scale), 0), WIDTH - 1)
    length = max(1, min(round((span.end - span.start) * scale), WIDTH - left))
    bar = " " * left + ("▒" if span.failed else "█") * length
    milliseconds = (span.end - span.start) / 1e6
    step = span.attributes.get("rl.iteration")
    note = "" if step is None else f"  step {step}"
    return (
        f"  {name} {span.process[:_PROCESS]:<{_PROCESS}} "
        f"{bar:<{WIDTH}} {milliseconds:>8.1f} ms{note}"
    )


def _first(spans: Iterable[Span], name: str, *, links: bool) -> Span | None:
    for span in spans:
        if span.name == name and (span.links or not links):
            return span
    return None


def _short(key: str) -> str:
    """Return the last two words of a key, which tell it from the others of its metric."""
    return ".".join(key.split(".")[-2:])


def _titled(title: str, lines: Iterator[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from lines


if __name__ == "__main__":
    sys.exit(main())
