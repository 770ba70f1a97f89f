"""Log records through a provider that somebody else has installed, judged before it sees them."""

from __future__ import annotations

from contextvars import Context

from telewright._exporters import Exporter
from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from logging import Logger, LogRecord
    from typing import Any, Final

    from opentelemetry._logs import LoggerProvider

_HANDLERS: Final = ("opentelemetry.", "logfire.")
"""Where handlers come from that hand log records to a provider themselves."""


def handed_over(logger: Logger, record: LogRecord) -> bool:
    """Say whether somebody's handler gives *record* to their provider anyway."""
    above: Logger | None = logger
    while above is not None:
        for one in above.handlers:
            theirs = str(type(one).__module__).startswith(_HANDLERS)
            if theirs and record.levelno >= one.level:
                return True
        above = above.parent if above.propagate else None
    return False


def handing(provider: LoggerProvider) -> Exporter:
    """Return what hands records to *provider*; *exported* means handed over."""
    refused: list[int] = []

    def emit(record: Any) -> None:  # noqa: ANN401 - the SDK's ReadableLogRecord
        scope = record.instrumentation_scope
        logger = provider.get_logger(scope.name, scope.version, scope.schema_url)
        logger.emit(record.log_record)

    def send(records: Sequence[Any]) -> bool:
        refused.clear()
        for record in records:
            try:
                Context().run(emit, record)  # some take nothing where it is suppressed
            except Exception:  # a processor of theirs
                refused.append(1)
                failed("hand a log record over")
        return True

    return Exporter(send, bool, {}, rejected=lambda: len(refused))
