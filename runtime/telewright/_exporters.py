"""Where telemetry goes: OTLP, the console, a file, or what another distribution provides.

Every exporter here takes what the SDK makes and says whether it arrived. A library that is not
installed is named together with the extra that brings it.
"""

from __future__ import annotations

import os
import random
import sys
from dataclasses import dataclass

from telewright._settings import EXPORTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from telewright._http_session import BoundedSession
    from telewright._rejections import Rejections
    from telewright._settings import Settings

_GRPC: Final = "grpc"
_OTLP: Final = "opentelemetry.exporter.otlp."
_CLASSES: Final = {
    "traces": ("trace_exporter", "OTLPSpanExporter"),
    "metrics": ("metric_exporter", "OTLPMetricExporter"),
    "logs": ("_log_exporter", "OTLPLogExporter"),
}
"""Where OpenTelemetry's own exporters are, and what they are called."""

_ENCODERS: Final = {
    "traces": ("trace_encoder", "encode_spans"),
    "metrics": ("metrics_encoder", "encode_metrics"),
    "logs": ("_log_encoder", "encode_logs"),
}
"""Where OpenTelemetry's own encoders are."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """One signal's way out.

    Attributes:
        send: Exports, and says whether it arrived.
        close: Lets go of what it holds.
        preferences: What a metric exporter asks of the reader.
        encode: Encodes as *send* does, and raises for what cannot be encoded; None if nothing is
            known of how.
        rejected: Says how much of what was sent last the receiver said that it did not keep; None
            if it has no way to say.
    """

    send: Callable[[Any], bool]
    close: Callable[[], object]
    preferences: dict[str, Any]
    encode: Callable[[Any], Any] | None = None
    rejected: Callable[[], int] | None = None


class MissingExtraError(ImportError):
    """A library that an exporter needs is not installed."""


def spans(settings: Settings) -> Exporter | None:
    """Return the exporter of spans, or None if they go nowhere."""
    name = settings.traces_exporter
    if name == "otlp":
        return _otlp(settings.traces_protocol, "traces")
    if name == "console":
        from opentelemetry.sdk.trace.export import (  # noqa: TID251 - asked for
            ConsoleSpanExporter,
        )

        return _sdk(
            ConsoleSpanExporter(
                out=sys.stdout, formatter=lambda span: f"{span.to_json(indent=None)}\n"
            )
        )
    if name == "file":
        return _file(settings, _ENCODERS["traces"])
    return None if name == "none" else _plugin("opentelemetry_traces_exporter", name)


def metrics(settings: Settings) -> Exporter | None:
    """Return the exporter of metrics, or None if they go nowhere."""
    name = settings.metrics_exporter
    if name == "otlp":
        return _otlp(settings.metrics_protocol, "metrics")
    if name == "console":
        from opentelemetry.sdk.metrics.export import (  # noqa: TID251 - asked for
            ConsoleMetricExporter,
        )

        return _sdk(
            ConsoleMetricExporter(
                out=sys.stdout, formatter=lambda data: f"{data.to_json(indent=None)}\n"
            )
        )
    if name == "file":
        return _file(settings, _ENCODERS["metrics"])
    return None if name == "none" else _plugin("opentelemetry_metrics_exporter", name)


def logs(settings: Settings) -> Exporter | None:
    """Return the exporter of log records, or None if they go nowhere."""
    name = settings.logs_exporter
    if name == "otlp":
        return _otlp(settings.logs_protocol, "logs")
    if name == "console":
        from opentelemetry.sdk._logs.export import (  # noqa: TID251 - asked for
            ConsoleLogRecordExporter,
        )

        return _sdk(ConsoleLogRecordExporter(formatter=lambda log: f"{log.to_json(indent=None)}\n"))
    if name == "file":
        return _file(settings, _ENCODERS["logs"])
    return None if name == "none" else _plugin("opentelemetry_logs_exporter", name)


def _otlp(protocol: str, signal: str) -> Exporter:
    from telewright._rejections import Rejections

    kind, rejections = _class(protocol, signal), Rejections()
    if protocol == _GRPC:
        from telewright import _grpc_stub

        exporter = _grpc_stub.exporter(kind, signal.upper(), rejections)
        if exporter is None:
            return Exporter(lambda _: False, lambda: None, {})
    else:
        session = _session(signal.upper(), rejections)
        exporter = kind() if session is None else kind(session=session)
    return _sdk(exporter, _ENCODERS[signal], rejections.take)


def _class(protocol: str, signal: str) -> Any:  # noqa: ANN401 - one of OpenTelemetry's classes
    """Return the class of an exporter.

    Raises:
        MissingExtraError: If it, or what it needs, is not installed.
    """
    from importlib import import_module

    module, name = _CLASSES[signal]
    try:
        found = import_module(f"{_OTLP}proto.{'grpc' if protocol == _GRPC else 'http'}.{module}")
        return getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise _missing(protocol) from error


def _missing(what: str) -> MissingExtraError:
    extra = _GRPC if what == _GRPC else "sdk"
    return MissingExtraError(f"exporting over {what} needs: pip install 'telewright[{extra}]'")


def _session(signal: str, rejections: Rejections) -> BoundedSession | None:
    """Return the session of an exporter over http; one that brings credentials has its own."""
    kind = "OTEL_PYTHON_EXPORTER_OTLP_HTTP"
    if any(os.environ.get(f"{kind}{part}_CREDENTIAL_PROVIDER") for part in ("", f"_{signal}")):
        return None
    from telewright._http_session import BoundedSession

    return BoundedSession(rejections)


def _sdk(
    exporter: Any,  # noqa: ANN401 - any exporter of the SDK's interfaces
    encoder: tuple[str, str] | None = None,
    rejected: Callable[[], int] | None = None,
) -> Exporter:
    def send(data: Any) -> bool:  # noqa: ANN401 - what that exporter takes
        return bool(exporter.export(data).name == "SUCCESS")

    preferences = {
        argument: getattr(exporter, f"_{argument}", None)
        for argument in ("preferred_temporality", "preferred_aggregation")
    }
    encode = None if encoder is None else _encoder(*encoder)
    _leave_random_alone()
    return Exporter(send, exporter.shutdown, preferences, encode, rejected)


def _leave_random_alone() -> None:
    """Give OTLP's exporters, which draw how long they wait, numbers that nobody seeds.

    Else an export that fails would move the stream of a program that seeded `random`.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith(_OTLP) and getattr(module, "random", None) is random:
            vars(module)["random"] = random.SystemRandom()


def _encoder(module: str, function: str) -> Callable[[Any], Any]:
    from importlib import import_module

    found = import_module(f"opentelemetry.exporter.otlp.proto.common.{module}")
    encode: Callable[[Any], Any] = getattr(found, function)
    return encode


def _file(settings: Settings, encoder: tuple[str, str]) -> Exporter:
    try:
        from telewright import _file as files

        encode = _encoder(*encoder)
    except ImportError as error:
        raise _missing("a file") from error
    file = files.LineFile(files.place(settings.path, settings.service or "process"))

    def send(data: Any) -> bool:  # noqa: ANN401 - what the encoder takes
        line = files.encode(encode(data))
        try:
            file.append(line)
        except OSError as error:
            files.told(error, file.path)
            return False
        return True

    return Exporter(send, file.close, {}, encode)


def _plugin(group: str, name: str) -> Exporter:
    """Load an exporter through OpenTelemetry's own entry points.

    Raises:
        ValueError: If no distribution provides it.
    """
    from importlib.metadata import entry_points

    found = [point for point in entry_points(group=group) if point.name == name]
    if not found:
        known = ", ".join(EXPORTERS)
        raise ValueError(f"no exporter is called {name!r}: {known}, or one in {group}")
    kind: Any = found[0].load()
    made = kind()
    if not hasattr(made, "export"):
        raise ValueError(f"the exporter {name!r} is none that is called with data")
    return _sdk(made)
