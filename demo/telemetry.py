"""How each process of the demo starts its telemetry, and what it says when it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import telewright
from telewright.base import Resource

GROUPS: Final = "default,per_rollout,per_step"

FOLDER: Final = "DEMO_FOLDER"
"""The variable that names the folder to export to; a collector, where one is named, comes first."""


@contextmanager
def reporting(service: str, *, process: str, resource: Resource | None = None) -> Generator[None]:
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
            print(json.dumps({"books": {service: books()}}), flush=True)


def books() -> dict[str, int]:
    """Return what this process made, and what became of it."""
    stats = telewright.stats()
    return {
        "made": stats.made,
        "exported": stats.exported,
        "dropped": sum(stats.dropped.values()),
    }
