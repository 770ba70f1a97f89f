"""Resource detectors, for OpenTelemetry's own way of choosing them.

    OTEL_EXPERIMENTAL_RESOURCE_DETECTORS=telewright_slurm,telewright_gpu

Each sets what the specs declare as detected. None raises, imports what it detects, or keeps a
process waiting: what is not known by its deadline is left out.
"""

from __future__ import annotations

from threading import Thread

from opentelemetry.sdk.resources import (  # noqa: TID251 - it is what detectors are of
    Resource,
    ResourceDetector,
)

from telewright import _detect
from telewright._guard import failed, say
from telewright._judge import Judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ClassVar, Final

__all__ = [
    "AllDetector",
    "GpuDetector",
    "KubernetesDetector",
    "RayDetector",
    "SlurmDetector",
    "VersionsDetector",
]

DEADLINE: Final = 2.0
"""Seconds after which what is not known is left out."""


class _Detector(ResourceDetector):
    """Finds out on a thread of its own, so that a file system that hangs costs the attributes."""

    finds: ClassVar[Sequence[Callable[[], _detect.Found]]] = ()

    def __init__(self, raise_on_error: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002 - OpenTelemetry's
        super().__init__(raise_on_error=False)

    def detect(self) -> Resource:
        """Return what was found in time, as the specs let it leave."""
        found: _detect.Found = {}
        try:
            thread = Thread(target=self._find, args=(found,), name="telewright-detect", daemon=True)
            thread.start()
            thread.join(DEADLINE)
            if thread.is_alive():
                say(f"{type(self).__name__}: not everything was detected in {DEADLINE:g} s")
            return Resource(Judge().attributes(dict(found), "", where="resource"))
        except Exception:
            failed("detect resources")
            return Resource.get_empty()

    def _find(self, found: _detect.Found) -> None:
        for find in self.finds:
            try:
                found.update(find())
            except Exception:
                failed(f"detect {find.__name__}")


class SlurmDetector(_Detector):
    """The Slurm job of this process."""

    finds = (_detect.slurm,)


class KubernetesDetector(_Detector):
    """The Kubernetes pod that this process runs in."""

    finds = (_detect.kubernetes,)


class RayDetector(_Detector):
    """The Ray job, node and worker that this process is."""

    finds = (_detect.ray,)


class GpuDetector(_Detector):
    """The graphics processors of the host, and the one of this process if it has one."""

    finds = (_detect.gpu,)


class VersionsDetector(_Detector):
    """Versions of the libraries that training depends on, where they are installed."""

    finds = (_detect.versions,)


class AllDetector(_Detector):
    """All of these."""

    finds = (_detect.slurm, _detect.kubernetes, _detect.ray, _detect.gpu, _detect.versions)
