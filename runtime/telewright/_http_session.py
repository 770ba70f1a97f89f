"""How OTLP goes over http: an answer is bounded in size and in time, and says what arrived.

The exporters read an answer to its end, however long that is, and take every status below 400 for
"it arrived", though a redirect is no success, and a receiver may take a request and reject some of
what is in it (OTLP's "partial success").
"""

from __future__ import annotations

from time import monotonic

from requests import Session
from requests.exceptions import RequestException

from telewright._guard import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from requests import Response

_LARGEST: Final = 65_536
"""Bytes of an answer that are read; one that says everything has a few."""

_LONGEST: Final = 10.0


class BoundedSession(Session):
    """A session whose requests end in time, whatever the other side sends."""

    def __init__(self) -> None:
        super().__init__()
        self._rejected = 0

    def take_rejected(self) -> int:
        """Return how many items receivers have rejected since this was last asked."""
        rejected, self._rejected = self._rejected, 0
        return rejected

    def request(self, method: Any, url: Any, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - handed on
        """Send a request and read its answer.

        Raises:
            RequestException: The answer does not end, or leads elsewhere.
        """
        timeout = kwargs.get("timeout")
        limit = timeout if isinstance(timeout, (int, float)) else _LONGEST
        deadline = monotonic() + limit
        kwargs["stream"] = True
        response = super().request(method, url, *args, **kwargs)
        try:
            answer = self._read(response, deadline)
            if response.ok and answer:
                self._rejected += _rejected(answer)
        except BaseException:
            response.close()
            raise
        return response

    @staticmethod
    def _read(response: Response, deadline: float) -> bytes:
        if 300 <= response.status_code < 400:  # noqa: PLR2004 - what http calls redirects
            raise RequestException(f"status {response.status_code} leads elsewhere")
        answer = bytearray()
        for piece in response.iter_content(1):  # more would wait for more
            answer += piece
            if len(answer) > _LARGEST or monotonic() > deadline:
                raise RequestException("the answer does not end")
        return bytes(answer)


def _rejected(answer: bytes) -> int:
    """Return how many items an answer rejects; the three signals say it in the same fields."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    try:
        partial = ExportTraceServiceResponse.FromString(answer).partial_success
    except Exception:  # JSON, or nothing of OTLP's: the status stands
        return 0
    rejected: int = partial.rejected_spans
    if rejected > 0:
        say(f"a receiver rejected {rejected} items: {partial.error_message}")
    return max(rejected, 0)
