"""How OTLP goes over http: an answer is bounded in size and in time, and says what arrived.

The exporters read an answer to its end, however long that is, and take every status below 400 for
"it arrived", though a redirect is no success, and a receiver may take a request and reject some of
what is in it (OTLP's "partial success").
"""

from __future__ import annotations

from time import monotonic

from requests import Session
from requests.exceptions import RequestException

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from requests import Response

    from telewright._rejections import Rejections

_LARGEST: Final = 65_536
"""Bytes of an answer that are read; one that says everything has a few."""

_LONGEST: Final = 10.0


class BoundedSession(Session):
    """A session whose requests end in time, whatever the other side sends."""

    def __init__(self, rejections: Rejections) -> None:
        super().__init__()
        self._rejections: Final = rejections

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
                self._rejections.hear(answer)
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
