"""Log records through a provider that somebody else has installed, judged before it sees them."""

from __future__ import annotations

import logging
from contextvars import Context

from telewright._exporters import Exporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from opentelemetry._logs import LoggerProvider

_HANDLERS: Final = ("opentelemetry.", "logfire.")
"""Where handlers come from that hand log records to a provider themselves."""


def handed_over_already() -> bool:
    """Say whether somebody's handler gives what is logged to their provider anyway."""
    return any(
        str(type(one).__module__).startswith(_HANDLERS) for one in logging.getLogger().handlers
    )


def handing(provider: LoggerProvider) -> Exporter:
    """Return what hands records to *provider*; *exported* means handed over."""

    def emit(records: Sequence[Any]) -> bool:
        for record in records:
            scope = record.instrumentation_scope
            logger = provider.get_logger(scope.name, scope.version, scope.schema_url)
            logger.emit(record.log_record)
        return True

    def send(records: Sequence[Any]) -> bool:
        return Context().run(emit, records)  # some take nothing where it is suppressed

    return Exporter(send, bool, {})
