"""Where telemetry goes: OTLP, the console, a file, or what another distribution provides.

Every exporter here takes what the SDK makes and says whether it arrived. A library that is not
installed is named together with the extra that brings it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from telewright._settings import EXPORTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from telewright._settings import Settings

_GRPC: Final = "grpc"


@dataclass(frozen=True, slots=True)
class Exporter:
    """One signal's way out.

    Attributes:
        send: Exports, and says whether it arrived.
        close: Lets go of what it holds.
        preferences: What a metric exporter asks of the reader.
    """

    send: Callable[[Any], bool]
    close: Callable[[], object]
    preferences: dict[str, Any]


class MissingExtraError(ImportError):
    """A library that an exporter needs is not installed."""


def spans(settings: Settings) -> Exporter | None:
    """Return the exporter of spans, or None if they go nowhere."""
    name = settings.traces_exporter
    if name == "otlp":
        return _sdk(_otlp_spans(settings.traces_protocol))
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
        return _file(settings, "trace_encoder", "encode_spans")
    return None if name == "none" else _plugin("opentelemetry_traces_exporter", name)


def metrics(settings: Settings) -> Exporter | None:
    """Return the exporter of metrics, or None if they go nowhere."""
    name = settings.metrics_exporter
    if name == "otlp":
        return _sdk(_otlp_metrics(settings.metrics_protocol))
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
        return _file(settings, "metrics_encoder", "encode_metrics")
    return None if name == "none" else _plugin("opentelemetry_metrics_exporter", name)


def logs(settings: Settings) -> Exporter | None:
    """Return the exporter of log records, or None if they go nowhere."""
    name = settings.logs_exporter
    if name == "otlp":
        return _sdk(_otlp_logs(settings.logs_protocol))
    if name == "console":
        from opentelemetry.sdk._logs.export import (  # noqa: TID251 - asked for
            ConsoleLogRecordExporter,
        )

        return _sdk(ConsoleLogRecordExporter(formatter=lambda log: f"{log.to_json(indent=None)}\n"))
    if name == "file":
        return _file(settings, "_log_encoder", "encode_logs")
    return None if name == "none" else _plugin("opentelemetry_logs_exporter", name)


def _otlp_spans(protocol: str) -> Any:  # noqa: ANN401 - one of two classes of one shape
    try:
        if protocol == _GRPC:
            from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        else:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # type: ignore[assignment]  # the same name
                OTLPSpanExporter,
            )
    except ImportError as error:
        raise _missing(protocol) from error
    return OTLPSpanExporter()


def _otlp_metrics(protocol: str) -> Any:  # noqa: ANN401 - one of two classes of one shape
    try:
        if protocol == _GRPC:
            from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
        else:
            from opentelemetry.exporter.otlp.proto.http.metric_exporter import (  # type: ignore[assignment]  # the same name
                OTLPMetricExporter,
            )
    except ImportError as error:
        raise _missing(protocol) from error
    return OTLPMetricExporter()


def _otlp_logs(protocol: str) -> Any:  # noqa: ANN401 - one of two classes of one shape
    try:
        if protocol == _GRPC:
            from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
        else:
            from opentelemetry.exporter.otlp.proto.http._log_exporter import (  # type: ignore[assignment]  # the same name
                OTLPLogExporter,
            )
    except ImportError as error:
        raise _missing(protocol) from error
    return OTLPLogExporter()


def _missing(what: str) -> MissingExtraError:
    extra = _GRPC if what == _GRPC else "sdk"
    return MissingExtraError(f"exporting over {what} needs: pip install 'telewright[{extra}]'")


def _sdk(exporter: Any) -> Exporter:  # noqa: ANN401 - any exporter of the SDK's interfaces
    def send(data: Any) -> bool:  # noqa: ANN401 - what that exporter takes
        return bool(exporter.export(data).name == "SUCCESS")

    preferences = {
        argument: getattr(exporter, f"_{argument}", None)
        for argument in ("preferred_temporality", "preferred_aggregation")
    }
    return Exporter(send, exporter.shutdown, preferences)


def _file(settings: Settings, module: str, function: str) -> Exporter:
    try:
        from importlib import import_module

        from telewright import _file as files

        encode = getattr(
            import_module(f"opentelemetry.exporter.otlp.proto.common.{module}"), function
        )
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

    return Exporter(send, file.close, {})


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
