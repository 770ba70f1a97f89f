"""OTLP in a file: one request a line, in OpenTelemetry's JSON encoding.

The requests come from OpenTelemetry's own encoder and protobuf's own JSON mapping; ids are
hexadecimal and enumerations numbers, as OTLP asks. A line is written whole or not at all, so that
several processes can share a file, and a disk that is full costs what did not fit and no more.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_UN, flock
from pathlib import Path

from google.protobuf.json_format import MessageToDict

from telewright._guard import say
from telewright._pace import paced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import Any, Final

    from google.protobuf.message import Message

_IDS: Final = frozenset({"traceId", "spanId", "parentSpanId"})
FOLDER: Final = "telemetry"
"""Where files go if nobody says."""

_TOLD: Final[set[int | None]] = set()


def encode(message: Message) -> bytes:
    """Return *message* as one line of OTLP JSON; other threads get on meanwhile."""
    return "".join(paced(_pieces(message))).encode() + b"\n"


def _pieces(message: Message) -> Iterator[str]:
    """Yield the JSON of *message* bit by bit: what it holds many of, one by one."""
    before = "{"
    for field, value in message.ListFields():
        if field.name in _LISTS:
            yield f'{before}"{field.json_name}":'
            yield from _pieces_of_list(value, _LISTS[field.name])
        elif field.name in _DATA:
            yield f'{before}"{field.json_name}":'
            yield from _pieces(value)
        else:
            (alone,) = _whole(type(message)(**{field.name: value}))
            yield before + alone[1:-1]
        before = ","
    yield "{}" if before == "{" else "}"


def _pieces_of_list(
    messages: Iterable[Message], pieces: Callable[[Message], Iterable[str]]
) -> Iterator[str]:
    before = "["
    for message in messages:
        yield before
        yield from pieces(message)
        before = ","
    yield "]"


def _whole(message: Message) -> Iterable[str]:
    """Return the JSON of *message* in one piece, as protobuf maps it, but for the ids."""
    data = MessageToDict(message, use_integers_for_enums=True)
    return (json.dumps(_with_hex_ids(data), separators=(",", ":")),)


_LISTS: Final = {
    **dict.fromkeys(("resource_spans", "resource_metrics", "resource_logs"), _pieces),
    **dict.fromkeys(("scope_spans", "scope_metrics", "scope_logs", "metrics"), _pieces),
    **dict.fromkeys(("spans", "data_points", "log_records"), _whole),
}
"""Fields that hold many messages, and how each of these becomes JSON."""

_DATA: Final = frozenset({"gauge", "sum", "histogram", "exponential_histogram", "summary"})
"""Fields that hold a message with such a list."""


def _with_hex_ids(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType] - JSON
        return {
            key: b64decode(item).hex() if key in _IDS else _with_hex_ids(item)
            for key, item in members.items()
        }
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType] - JSON
        return [_with_hex_ids(item) for item in items]
    return value


def place(path: str | None, service: str) -> Path:
    """Return the file that *path* means in this process.

    It may contain ``{pid}`` and ``{service}``; a folder gets a file of each process's own.
    """
    named = path or FOLDER
    filled = named.replace("{pid}", str(os.getpid())).replace("{service}", _safe(service))
    file = Path(filled)
    if file.is_dir() or named.endswith(("/", os.sep)) or not file.suffix:
        return file / f"{_safe(service)}-{os.getpid()}.jsonl"
    return file


def _safe(name: str) -> str:
    kept = [char if char.isalnum() or char in "._-" else "_" for char in name[:100]]
    return "".join(kept).lstrip(".") or "process"


def told(error: OSError, path: Path) -> None:
    """Log that *path* could not be written, once for each kind of reason."""
    say(f"could not write {path}: {error.strerror}", first=error.errno not in _TOLD)
    _TOLD.add(error.errno)


class LineFile:
    """A file that whole lines are appended to, by this process and others."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path: Final = path
        self._file: Final = os.open(
            path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644
        )

    def append(self, line: bytes) -> None:
        """Append *line*.

        Raises:
            OSError: If it does not fit; then nothing of it is in the file.
        """
        with self._alone():
            size = os.fstat(self._file).st_size
            # A process that was killed while it wrote left half a line.
            torn = size > 0 and os.pread(self._file, 1, size - 1) != b"\n"
            rest = memoryview(b"\n" + line if torn else line)
            try:
                while rest:
                    rest = rest[os.write(self._file, rest) :]
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._file, size)
                raise

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Hold the file's lock, where the file system has locks."""
        locked = True
        try:
            flock(self._file, LOCK_EX)
        except OSError:
            locked = False
        try:
            yield
        finally:
            if locked:
                flock(self._file, LOCK_UN)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
