"""How OTLP goes over gRPC: an answer says what arrived, and the exporter throws it away.

The exporter makes a client of its stub for each channel, and takes every answer for "it arrived".
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from telewright._rejections import Rejections


class HearingStub:
    """Makes the same clients, whose answers are heard before the exporter gets them."""

    def __init__(self, stub: Callable[[Any], Any], rejections: Rejections) -> None:
        self._stub: Final = stub
        self._rejections: Final = rejections

    def __call__(self, channel: Any) -> Any:  # noqa: ANN401 - what gRPC makes
        """Return a client over *channel*."""
        client = self._stub(channel)
        export, hear = client.Export, self._rejections.hear

        def heard(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
            answer = export(*args, **kwargs)
            hear(answer.SerializeToString())
            return answer

        client.Export = heard
        return client


def listen(exporter: Any, rejections: Rejections) -> None:  # noqa: ANN401 - any exporter of OTLP
    """Have *rejections* hear what *exporter* is answered, if that is made as it is known to be."""
    stub, channel = (getattr(exporter, name, None) for name in ("_stub", "_channel"))
    if stub is not None and channel is not None:
        exporter._stub = HearingStub(stub, rejections)
        exporter._client = exporter._stub(channel)
