"""Reads what the demo's processes exported: files of OTLP JSON, one request a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = {1: "", 2: "server", 3: "client", 4: "producer", 5: "consumer"}
ERROR = 2


@dataclass(frozen=True, slots=True)
class Span:
    """A span as a backend would store it."""

    process: str
    name: str
    trace: str
    id: str
    parent: str
    kind: str
    start: int
    end: int
    failed: bool
    attributes: dict[str, object]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One series of one metric, at the last moment that was exported."""

    process: str
    name: str
    unit: str
    kind: str
    attributes: tuple[tuple[str, object], ...]
    value: float
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """Everything in a folder of files."""

    spans: list[Span] = field(default_factory=list[Span])
    series: list[Series] = field(default_factory=list[Series])

    @property
    def processes(self) -> list[str]:
        """The services that exported something, in alphabetical order."""
        spans, series = self.spans, self.series
        return sorted({one.process for one in spans} | {one.process for one in series})


def read(folder: Path) -> Export:
    """Read every file of *folder*."""
    spans: list[Span] = []
    latest: dict[tuple[object, ...], Series] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            request = json.loads(line)
            spans.extend(_spans(request))
            for series in _series(request):
                latest[series.process, series.name, series.attributes] = series
    spans.sort(key=lambda span: (span.start, -span.end))
    return Export(spans, sorted(latest.values(), key=lambda one: (one.name, one.process)))


def _spans(request: dict[str, Any]) -> Iterator[Span]:
    for resource in request.get("resourceSpans", ()):
        process = _service(resource)
        for scope in resource.get("scopeSpans", ()):
            for span in scope.get("spans", ()):
                yield Span(
                    process=process,
                    name=span["name"],
                    trace=span["traceId"],
                    id=span["spanId"],
                    parent=span.get("parentSpanId", ""),
                    kind=KINDS.get(span.get("kind", 1), ""),
                    start=int(span["startTimeUnixNano"]),
                    end=int(span["endTimeUnixNano"]),
                    failed=span.get("status", {}).get("code") == ERROR,
                    attributes=dict(_attributes(span)),
                    links=tuple((one["traceId"], one["spanId"]) for one in span.get("links", ())),
                )


def _series(request: dict[str, Any]) -> Iterator[Series]:
    for resource in request.get("resourceMetrics", ()):
        process = _service(resource)
        for scope in resource.get("scopeMetrics", ()):
            for metric in scope.get("metrics", ()):
                kind = next(key for key in ("sum", "gauge", "histogram") if key in metric)
                for point in metric[kind].get("dataPoints", ()):
                    count = int(point["count"]) if kind == "histogram" else None
                    yield Series(
                        process=process,
                        name=metric["name"],
                        unit=metric.get("unit", ""),
                        kind="counter" if kind == "sum" else kind,
                        attributes=tuple(sorted(_attributes(point))),
                        value=float(point.get("sum", point.get("asInt", point.get("asDouble", 0)))),
                        count=count,
                    )


def _service(resource: dict[str, Any]) -> str:
    found = dict(_attributes(resource.get("resource", {})))
    return str(found.get("service.name", "?"))


def _attributes(item: dict[str, Any]) -> Iterator[tuple[str, object]]:
    for pair in item.get("attributes", ()):
        ((kind, value),) = pair["value"].items()
        if kind == "arrayValue":
            yield pair["key"], str([next(iter(one.values())) for one in value.get("values", ())])
        else:
            yield pair["key"], int(value) if kind == "intValue" else value
