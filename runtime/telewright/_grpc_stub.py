"""How OTLP goes over gRPC: an answer says what arrived, and forked children have their own way.

The exporter makes a client of its stub for each channel, and takes every answer for "it arrived".
"""

from __future__ import annotations

import os
from os import register_at_fork

from grpc import insecure_channel  # type: ignore[import-untyped]  # it has no types

from telewright._grpc_calls import CALLS
from telewright._guard import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from telewright._rejections import Rejections

try:
    from telewright import _grpc_channel
except ImportError:  # without h2
    _grpc_channel = None  # type: ignore[assignment]  # no module

_FORKED: Final[list[bool]] = []
"""Something, if this process was forked from one that may have used gRPC."""

register_at_fork(after_in_child=lambda: _FORKED.append(True))


def exporter(kind: type[Any], signal: str, rejections: Rejections) -> Any:  # noqa: ANN401 - of OTLP
    """Return an exporter of *kind* for *signal*, whose answers *rejections* hears.

    In a forked child it may be None: then there is no way out.
    """
    found = _of_a_child(kind, signal) if _FORKED else _kept_ready(kind())
    stub, client = (getattr(found, name, None) for name in ("_stub", "_client"))
    if stub is not None and client is not None:  # it is made as it is known to be

        def heard(channel: Any) -> Any:  # noqa: ANN401 - what gRPC makes
            return _heard(stub(channel), rejections)

        found._stub = heard
        _heard(client, rejections)
    return found


def _kept_ready(made: Any) -> Any:  # noqa: ANN401 - of OTLP
    """Return *made*, with a channel that connects to nothing beside it.

    The exporter closes its channel before it makes another, and gRPC, which ends where its last
    channel does, ends the process if it cannot begin anew since there is no descriptor.
    """
    made._idle = insecure_channel("localhost")
    return made


def _heard(client: Any, rejections: Rejections) -> Any:  # noqa: ANN401 - what a stub makes
    """Return *client*, whose answers *rejections* hears before the exporter gets them."""
    export = client.Export

    def heard(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
        with CALLS:
            answer = export(*args, **kwargs)
        rejections.hear(answer.SerializeToString())
        return answer

    client.Export = heard
    return client


def _of_a_child(kind: type[Any], signal: str) -> Any:  # noqa: ANN401 - see above
    provider = "OTEL_PYTHON_EXPORTER_OTLP_GRPC{}_CREDENTIAL_PROVIDER"
    if _grpc_channel is None:
        say("a forked child exports nothing over gRPC: pip install 'telewright[grpc]'")
    elif any(os.environ.get(provider.format(part)) for part in ("", f"_{signal}")):
        say("a forked child exports nothing over gRPC with credentials that a provider makes")
    elif not hasattr(kind, _grpc_channel.MADE_BY):
        say("a forked child exports nothing over gRPC: the exporter is too old")
    else:
        return _grpc_channel.exporter(kind, signal)
    return None
