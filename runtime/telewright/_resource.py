"""What is true of this process, as every signal carries it: said, detected, and OpenTelemetry's."""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib.metadata import entry_points
from time import monotonic

from opentelemetry.sdk import resources as sdk  # noqa: TID251 - started processes only
from opentelemetry.sdk.version import __version__  # noqa: TID251 - started processes only

from telewright._aside import Late, begin
from telewright._guard import failed, say
from telewright._values import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoint
    from typing import Final, TypeVar

    from opentelemetry.util.types import AttributeValue

    from telewright._aside import Aside
    from telewright._guard_export import ExportGuard
    from telewright._settings import Settings

    T = TypeVar("T")

DEADLINE: Final = 5.0
"""Seconds that all detectors have together; OpenTelemetry gives each as many, and then waits on."""

_GROUP: Final = "opentelemetry_resource_detector"
_OWN: Final = "otel"
"""OpenTelemetry's own, which reads two variables, and comes last unless its place is said."""


def resource(settings: Settings, guard: ExportGuard) -> sdk.Resource:
    """Return what is true of this process."""
    own: dict[str, AttributeValue] = {
        "service.instance.id": os.urandom(16).hex(),
        "process.pid": os.getpid(),
        "nemo.run.id": settings.run_id,
        **dict(settings.resource),
    }
    if settings.service is not None:
        own["service.name"] = settings.service
    made = sdk.Resource(
        {
            "telemetry.sdk.language": "python",
            "telemetry.sdk.name": "opentelemetry",
            "telemetry.sdk.version": __version__,
        }
    )
    for one in (*_detected(), sdk.Resource(clean(own))):
        made = made.merge(one)
    attributes = dict(made.attributes)
    if not attributes.get("service.name"):
        program = os.path.basename(sys.executable or "")  # noqa: PTH119 - of a text
        attributes["service.name"] = f"unknown_service:{program}".rstrip(":")
    return sdk.Resource(guard.attributes(attributes, "", where="resource"), made.schema_url)


def _detected() -> Iterator[sdk.Resource]:
    """Yield what each detector says that `OTEL_EXPERIMENTAL_RESOURCE_DETECTORS` names, in order.

    The SDK asks them in a pool of threads, which waits for those that hang, there and at the end of
    the process, and which cannot be had any more while the interpreter ends.
    """
    deadline = monotonic() + DEADLINE
    said = os.environ.get("OTEL_EXPERIMENTAL_RESOURCE_DETECTORS", "").split(",")
    names = list(dict.fromkeys(name.strip() for name in said if name.strip()))
    points = _points(deadline) if set(names) - {_OWN} else {}
    if "*" in names:
        at = names.index("*")
        names[at : at + 1] = sorted(points.keys() - set(names) - {_OWN})
    own = sdk.OTELResourceDetector().detect()
    calls = {name: _begun(name, partial(_find, points[name])) for name in names if name in points}
    for name in names if _OWN in names else [*names, _OWN]:
        if name == _OWN:
            yield own
        elif name not in points:
            say(f"there is no resource detector called {name!r}")
        elif (found := _answer(calls[name], deadline, name)) is not None:
            yield found


def _points(deadline: float) -> dict[str, EntryPoint]:
    """Return where the detectors are that are installed: that is in files, which may hang too."""

    def read() -> dict[str, EntryPoint]:
        try:
            return {point.name: point for point in reversed(tuple(entry_points(group=_GROUP)))}
        except Exception:
            failed("look for resource detectors")
            return {}

    return _answer(_begun("", read), deadline, "") or {}


def _find(point: EntryPoint) -> sdk.Resource | None:
    try:
        found = point.load()().detect()
        return sdk.Resource(dict(found.attributes), found.schema_url)
    except BaseException:  # of a detector, which is somebody else's; the thread is ours
        failed(f"detect {point.name}")
        return None


def _begun(name: str, find: Callable[[], T]) -> Aside[T] | None:
    try:
        return begin((_GROUP, name), find)
    except Late:
        return None
    except RuntimeError:  # there are too many threads, or the interpreter ends
        failed("ask resource detectors")
        return None


def _answer(call: Aside[T] | None, deadline: float, name: str) -> T | None:
    try:
        return None if call is None else call.result(deadline - monotonic())
    except Late:
        what = f"resource detector {name!r}" if name else "installed resource detectors"
        say(f"{what}: nothing in {DEADLINE:g} s, left out")
        return None
