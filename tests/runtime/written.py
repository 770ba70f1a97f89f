"""Reading what a process wrote: OTLP in a file, one request a line."""

from __future__ import annotations

import json

PARTS = {
    "spans": ("resourceSpans", "scopeSpans", "spans"),
    "metrics": ("resourceMetrics", "scopeMetrics", "metrics"),
    "logs": ("resourceLogs", "scopeLogs", "logRecords"),
}


def lines(path):
    """Return what is in a file, one request a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def resources(path, signal):
    """Return the parts of the requests of a *signal* that are of one resource each."""
    return [part for line in lines(path) for part in line.get(PARTS[signal][0], ())]


def read(path, signal):
    """Return each span, metric or log record in a file, with a ``scope`` that says whose it is."""
    _, scopes, items = PARTS[signal]
    return [
        {**item, "scope": part["scope"]}
        for resource in resources(path, signal)
        for part in resource[scopes]
        for item in part[items]
    ]


def points(path, name):
    """Return every data point of a metric in a file, the oldest first."""
    return [
        point
        for metric in read(path, "metrics")
        if metric["name"] == name
        for kind in metric.keys() & {"sum", "gauge", "histogram"}
        for point in metric[kind]["dataPoints"]
    ]
