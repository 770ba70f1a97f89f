"""What receivers took and did not keep: OTLP's "partial success", however it came."""

from __future__ import annotations

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from telewright._guard import say


class Rejections:
    """Counts what the answers of receivers reject."""

    def __init__(self) -> None:
        self._number = 0

    def hear(self, answer: bytes) -> None:
        """Count what *answer* rejects; the three signals say it in the same fields."""
        try:
            partial = ExportTraceServiceResponse.FromString(answer).partial_success
        except Exception:  # JSON, or nothing of OTLP's: the status stands
            return
        if partial.rejected_spans > 0:
            self._number += partial.rejected_spans
            say(f"a receiver rejected {partial.rejected_spans} items: {partial.error_message}")

    def take(self) -> int:
        """Return how many items were rejected since this was last asked."""
        number, self._number = self._number, 0
        return number
