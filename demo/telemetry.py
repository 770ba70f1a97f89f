"""How each process of the demo starts its telemetry, and what it says when it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import telewright
from telewright.base import Resource

GROUPS: Final = "default,per_rollout,per_step"

FOLDER: Final = "DEMO_FOLDER"
"""The variable that names the folder to export to; a collector, where one is named, comes first."""


@contextmanager
def reporting(service: str, *, process: str, resource: Resource | None = None) -> Iterator[None]:
    """Report as *service* inside the block, then print the books as one line of JSON."""
    collector = any(name.startswith("OTEL_EXPORTER_OTLP") for name in os.environ)
    telemetry = telewright.start(
        GROUPS,
        service=service,
        process=process,
        resource=() if resource is None else resource,
        exporter="otlp" if collector else "file",
        path=os.environ.get(FOLDER),
        strict=True,
    )
    try:
        yield
    finally:
        telemetry.stop()
        if telemetry.on:
            print(json.dumps({"books": books(service)}), flush=True)


def books(service: str) -> Mapping[str, object]:
    """Return what this process made, and what became of it."""
    stats = telewright.stats()
    return {
        "process": service,
        "made": stats.made,
        "exported": stats.exported,
        "dropped": sum(stats.dropped.values()),
    }
