"""A channel of gRPC in Python alone, for forked children: gRPC's own may not outlive a fork.

In a child of a process that has used gRPC, a call waits for threads that are not there, or kills
the child. This one has a connection for each call, and knows no calls but those with one answer.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
from base64 import b64decode, b64encode
from contextvars import ContextVar
from gzip import compress
from struct import Struct
from time import monotonic
from urllib.parse import unquote, urlsplit

from grpc import (  # type: ignore[import-untyped]  # it has no types
    Compression,
    RpcError,
    StatusCode,
)
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import H2Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final

    from h2.events import Event

_PREFIX: Final = Struct(">BI")
"""What stands before a message: whether it is compressed, and how long it is."""

MADE_BY: Final = "_initialize_channel_and_stub"
"""What an exporter makes its channels with."""

_LARGEST: Final = 32_768
"""Bytes of an answer that are read; one that says everything has a few."""

_CALLING: Final[ContextVar[bool]] = ContextVar("telewright-grpc", default=False)

_LONGEST: Final = 10.0
_PORT: Final = 443
_CODES: Final[dict[str, StatusCode]] = {str(code.value[0]): code for code in StatusCode}
_BUSY: Final = frozenset({"429", "502", "503", "504"})
"""What http says where gRPC says that a receiver is not available."""


def _is_others(_record: logging.LogRecord) -> bool:
    """Say whether what h2 logs is of other calls: it logs headers, and ours have secrets."""
    return not _CALLING.get()


for _name in ("hpack.hpack", "hpack.table"):
    logging.getLogger(_name).addFilter(_is_others)


class CallError(RpcError):  # type: ignore[misc]  # the same
    """A call that failed, as exporters read it."""

    def __init__(
        self, code: StatusCode, details: str, metadata: Iterable[tuple[str, str | bytes]] = ()
    ) -> None:
        super().__init__(details)
        self._code: Final = code
        self._details: Final = details
        self._metadata: Final = tuple(metadata)

    def code(self) -> StatusCode:
        """Return the status."""
        return self._code

    def details(self) -> str:
        """Return what the receiver, or the system, says of it."""
        return self._details

    def trailing_metadata(self) -> tuple[Any, ...]:
        """Return what came with the status."""
        return self._metadata


class PlainChannel:
    """As much of a channel as the stubs of exporters need.

    Args:
        place: ``host:port``, or ``unix:`` and a path.
        tls: How connections are secured; None if they are not.
        gzip: Whether requests are compressed.
    """

    def __init__(self, place: str, tls: ssl.SSLContext | None, *, gzip: bool) -> None:
        self._place: Final = place
        self._tls: Final = tls
        self._gzip: Final = gzip

    def unary_unary(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes],
        response_deserializer: Callable[[bytes], Any],
        **_more: object,
    ) -> Callable[..., Any]:
        """Return what calls *method*."""

        def call(
            request: Any,  # noqa: ANN401 - a message
            timeout: float | None = None,
            metadata: Iterable[tuple[str, str | bytes]] | None = None,
        ) -> Any:  # noqa: ANN401 - another
            deadline = monotonic() + (_LONGEST if timeout is None else timeout)
            headers = [*self._headers(method), *(_encoded(*pair) for pair in metadata or ())]
            return response_deserializer(
                self._exchange(headers, self._framed(request_serializer(request)), deadline)
            )

        return call

    def close(self) -> None:
        """Do nothing: no connection outlives its call."""

    def _headers(self, method: str) -> list[tuple[str, str]]:
        return [
            (":method", "POST"),
            (":scheme", "http" if self._tls is None else "https"),
            (":authority", "localhost" if self._place.startswith("unix:") else self._place),
            (":path", method),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            *([("grpc-encoding", "gzip")] if self._gzip else ()),
        ]

    def _framed(self, message: bytes) -> bytes:
        body = compress(message) if self._gzip else message
        return _PREFIX.pack(self._gzip, len(body)) + body

    def _exchange(self, headers: list[tuple[str, str]], body: bytes, deadline: float) -> bytes:
        """Send a request; return the message that answers it.

        Raises:
            CallError: There is none.
        """
        calling = _CALLING.set(True)
        try:
            with self._connect(deadline) as connection:
                return _Call(connection, deadline).run(headers, body)
        except TimeoutError as error:
            raise CallError(StatusCode.DEADLINE_EXCEEDED, "no answer in time") from error
        except (OSError, H2Error) as error:
            raise CallError(StatusCode.UNAVAILABLE, str(error)) from error
        finally:
            _CALLING.reset(calling)

    def _connect(self, deadline: float) -> socket.socket:
        if self._place.startswith("unix:"):
            made = socket.socket(socket.AF_UNIX)
            made.settimeout(_left(deadline))
            made.connect(self._place.removeprefix("unix:"))
            return made
        parts = urlsplit(f"//{self._place}")
        host = parts.hostname or "localhost"
        made = socket.create_connection((host, parts.port or _PORT), _left(deadline))
        if self._tls is None:
            return made
        try:
            return self._tls.wrap_socket(made, server_hostname=host)
        except BaseException:
            made.close()
            raise


class _Call:
    """One request and its answer over a connection of their own."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._socket: Final = connection
        self._deadline: Final = deadline
        self._wire: Final = H2Connection(H2Configuration(header_encoding="utf-8"))
        self._said: Final[dict[str, str]] = {}
        self._answer: Final = bytearray()
        self._over = False

    def run(self, headers: list[tuple[str, str]], body: bytes) -> bytes:
        """Send the request; return the message that answers it."""
        wire, rest = self._wire, memoryview(body)
        wire.initiate_connection()
        stream = wire.get_next_available_stream_id()
        wire.send_headers(stream, headers)
        while not self._over:
            while rest and (room := self._room(stream)):
                wire.send_data(stream, bytes(rest[:room]), end_stream=len(rest) <= room)
                rest = rest[room:]
            self._send()
            self._socket.settimeout(_left(self._deadline))
            received = self._socket.recv(_LARGEST)
            if not received or received.startswith(b"HTTP/1"):
                raise CallError(
                    StatusCode.UNAVAILABLE, "the connection was closed, or is no HTTP/2"
                )
            for event in wire.receive_data(received):
                self._take(event)
        return _message(self._said, bytes(self._answer))

    def _room(self, stream: int) -> int:
        """Return how much the receiver takes now."""
        window = self._wire.local_flow_control_window(stream)
        return min(window, self._wire.max_outbound_frame_size)

    def _send(self) -> None:
        self._socket.settimeout(_left(self._deadline))
        self._socket.sendall(self._wire.data_to_send())

    def _take(self, event: Event) -> None:
        """Keep what the receiver says."""
        if isinstance(event, (ResponseReceived, TrailersReceived)):
            self._said.update((str(name), str(value)) for name, value in event.headers)
        elif isinstance(event, DataReceived):
            self._answer.extend(event.data)
            if len(self._answer) > _LARGEST:
                raise CallError(StatusCode.RESOURCE_EXHAUSTED, "the answer does not end")
        elif isinstance(event, StreamEnded):
            self._over = True
        elif isinstance(event, (StreamReset, ConnectionTerminated)) and not self._over:
            raise CallError(StatusCode.UNAVAILABLE, f"broken off ({event.error_code})")


def _message(said: Mapping[str, str], answer: bytes) -> bytes:
    """Return the message of a whole *answer*, to which the receiver *said* so much.

    Raises:
        CallError: It says that there is none, or not that there is one.
    """
    status = said.get("grpc-status")
    if status is None:
        http = said.get(":status")
        busy = http in _BUSY
        code = StatusCode.UNAVAILABLE if busy else StatusCode.UNKNOWN
        raise CallError(code, f"http status {http}, and none of gRPC")
    code = _CODES.get(status, StatusCode.UNKNOWN)
    if code is not StatusCode.OK:
        raise CallError(code, unquote(said.get("grpc-message", "")), map(_decoded, said.items()))
    if len(answer) < _PREFIX.size:
        raise CallError(StatusCode.INTERNAL, "an answer without a message")
    compressed, length = _PREFIX.unpack_from(answer)
    message = answer[_PREFIX.size :]
    if compressed or length != len(message):
        raise CallError(StatusCode.INTERNAL, "an answer that cannot be read")
    return message


def _left(deadline: float) -> float:
    """Return the seconds until *deadline*.

    Raises:
        TimeoutError: There are none.
    """
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _encoded(name: str, value: str | bytes) -> tuple[str, str]:
    """Return a header as it goes over the wire; of a name in ``-bin``, the value is bytes."""
    text = value if isinstance(value, str) else b64encode(value).decode().rstrip("=")
    return name.lower(), text


def _decoded(header: tuple[str, str]) -> tuple[str, str | bytes]:
    name, value = header
    if not name.endswith("-bin"):
        return name, value
    return name, b64decode(value + "=" * (-len(value) % 4))


def exporter(kind: type[Any], signal: str) -> Any:  # noqa: ANN401 - any exporter of OTLP
    """Return an exporter of *kind*, set as its environment says, on channels of this module."""

    def make_channel(self: Any) -> None:  # noqa: ANN401 - that exporter
        tls = None if self._insecure else _tls(signal)
        gzip = self._compression is Compression.Gzip
        self._channel = PlainChannel(self._endpoint, tls, gzip=gzip)
        self._client = self._stub(self._channel)

    made: Any = type("PlainExporter", (kind,), {MADE_BY: make_channel})
    return made(credentials=PlainChannel)  # else it would make some of gRPC's


def _tls(signal: str) -> ssl.SSLContext:
    """Return how connections are secured, with the certificates that the environment names."""
    own, general = (f"OTEL_EXPORTER_OTLP_{part}" for part in (f"{signal}_", ""))
    prefix = own if os.environ.get(f"{own}CERTIFICATE") else general
    authority, key, certificate = (
        os.environ.get(f"{prefix}{name}")
        for name in ("CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE")
    )
    context = ssl.create_default_context(cafile=authority or None)
    context.set_alpn_protocols(["h2"])
    if certificate:
        context.load_cert_chain(certificate, key or None)
    return context
