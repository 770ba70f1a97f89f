"""Getting a page of Prometheus over HTTP, within a time and a size; and the samples that are on it.

A page is somebody else's: it may hang, trickle, never end, stop halfway, or be no page at all.
"""

from __future__ import annotations

import io
import socket
from contextlib import ExitStack
from functools import partial
from http.client import HTTPException, HTTPResponse
from ipaddress import ip_address
from math import isfinite
from time import monotonic
from typing import NamedTuple, cast
from urllib.parse import urljoin, urlsplit

from telewright._aside import Late, begin
from telewright._guard import lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any, Final

    Sample = tuple[Mapping[str, str], float]
    """The labels of one line of a page, and its number."""

TIMEOUT: Final = 3.0
"""Seconds that one page may take altogether."""
LARGEST: Final = 16 * 2**20
"""Bytes that one answer may have."""
_LONGEST_LINE: Final = 16_384
_MOST_SAMPLES: Final = 4_096
_PORTS: Final = {"http": 80, "https": 443}
_OK: Final = 200
_ELSEWHERE: Final = frozenset({301, 302, 303, 307, 308})
_MOST_STEPS: Final = 4
"""Addresses of one server that may lead to one another."""


class Unreadable(Exception):  # noqa: N818 - it says what a page is
    """A page that could not be had; its text says why, and nothing of what was on it."""


class _Moved(NamedTuple):
    """Where an answer says that a page is."""

    status: int
    url: str


class _Bounded(io.RawIOBase):
    """What arrives on a connection until a deadline, and no more of it than is allowed."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection: Final = connection
        self._deadline: Final = deadline
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever holds bytes
        left = self._deadline - monotonic()
        if left <= 0:
            raise Unreadable("it took too long")
        self._connection.settimeout(left)
        count = self._connection.recv_into(buffer)
        self._read += count
        if self._read > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST} bytes")
        return count

    def makefile(self, *_: object) -> io.BufferedReader:
        """Return itself as what `http.client` reads from."""
        return io.BufferedReader(self)


def fetch(url: str, timeout: float = TIMEOUT) -> str:
    """Return the text of the page at *url*.

    Raises:
        Unreadable: If it is not to be had, whole, within *timeout* seconds.
    """
    deadline = monotonic() + timeout
    try:
        return _followed(url, deadline)
    except TimeoutError:
        raise Unreadable("it took too long") from None
    except (OSError, HTTPException, ValueError) as error:
        raise Unreadable(type(error).__name__) from None


def _followed(url: str, deadline: float) -> str:
    """Return the page at *url*, or at another address of the same server that it leads to."""
    for _ in range(_MOST_STEPS):
        found = _fetched(url, deadline)
        if not isinstance(found, _Moved):
            return found
        if _server(found.url) != _server(url):
            raise Unreadable(f"it answers {found.status}, and leads to another server")
        url = found.url
    raise Unreadable("it leads from one address to the next")


def _server(url: str) -> tuple[object, ...]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def _fetched(url: str, deadline: float) -> str | _Moved:
    parts = urlsplit(url)
    host, secure = parts.hostname, parts.scheme == "https"
    if parts.scheme not in _PORTS or not host or not url.isascii():
        raise Unreadable("its address is not one of HTTP")
    if any(character <= " " or character == "\x7f" for character in url):
        raise Unreadable("its address has spaces in it")
    port = parts.port or _PORTS[parts.scheme]
    with _connected(host, port, deadline) as plain:
        plain.settimeout(_left(deadline))
        connection = _secured(plain, host) if secure else plain
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.settimeout(_left(deadline))
        connection.sendall(
            f"GET {target} HTTP/1.1\r\nHost: {parts.netloc.rpartition('@')[2]}\r\n"
            "Accept: text/plain;version=0.0.4\r\nAccept-Encoding: identity\r\n"
            "Connection: close\r\nUser-Agent: telewright\r\n\r\n".encode()
        )
        answer = HTTPResponse(cast("socket.socket", _Bounded(connection, deadline)))
        answer.begin()
        place = answer.getheader("Location")
        if answer.status in _ELSEWHERE and place:
            return _Moved(answer.status, urljoin(url, place))
        if answer.status != _OK:
            raise Unreadable(f"it answers {answer.status}")
        if answer.length is not None and answer.length > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST} bytes")
        said = answer.length is not None or answer.chunked
        body = answer.read()  # raises if it stops before the end that was said
    if body and not said and not body.endswith(b"\n"):
        raise Unreadable("it stops within a line")
    return body.decode("utf-8", "replace")


def _left(deadline: float) -> float:
    return max(deadline - monotonic(), 0.001)


def _connected(host: str, port: int, deadline: float) -> socket.socket:
    """Return a connection to the first address of *host* that has one."""
    problem = OSError("there is no address")
    for family, kind, protocol, _, address in _addresses(host, port, deadline):
        with ExitStack() as stack:
            try:
                connection = stack.enter_context(socket.socket(family, kind, protocol))
                connection.settimeout(_left(deadline))
                connection.connect(address)
            except OSError as error:
                problem = error
            else:
                stack.pop_all()
                return connection
    raise problem


def _addresses(host: str, port: int, deadline: float) -> Iterable[Any]:
    """Look up *host*, on a thread of its own where that may take its time."""
    find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        ip_address(host)
    except ValueError:
        try:
            return begin(("look up", host, port), find).result(_left(deadline))
        except Late:
            raise Unreadable("looking up its name takes too long") from None
    return find()


def _secured(connection: socket.socket, host: str) -> socket.socket:
    from ssl import create_default_context

    return create_default_context().wrap_socket(connection, server_hostname=host)


def samples(page: str, wanted: Collection[str]) -> dict[str, list[Sample]]:
    """Return what *page* says of the *wanted* series; a line that cannot be read is left out.

    Raises:
        ImportError: If `prometheus_client` is not installed.
    """
    parse = _parser()
    found: dict[str, list[Sample]] = {name: [] for name in wanted}
    for line in page.split("\n"):
        name = line.replace("{", " ", 1).split(maxsplit=1)[:1]
        series = found.get(name[0]) if name else None
        if series is None:
            continue
        if len(line) > _LONGEST_LINE or len(series) >= _MOST_SAMPLES:
            lost("page_line")
            continue
        try:
            series += [
                (sample.labels, float(sample.value))
                for family in parse(line.strip() + "\n")
                for sample in family.samples
                if sample.name == name[0] and isfinite(sample.value)
            ]
        except Exception:  # whatever the parser makes of it: the other lines may be well
            lost("page_line")
    return found


def _parser() -> Callable[[str], Iterable[Any]]:
    from prometheus_client.parser import text_string_to_metric_families

    return text_string_to_metric_families
