"""Records of the `logging` module on their way into the pipeline.

A record is taken apart where it was made, without running more of the application's code than
`logging` itself would; it is judged on the export thread, like everything else.

What takes records is no handler of the root logger. A handler there is one that the application has
not put there: its `logging.basicConfig` would do nothing, warnings of a program without handlers
would be shown no more, and who configures anew would remove it. So records are taken where loggers
call their handlers.
"""

from __future__ import annotations

import logging
from itertools import islice
from threading import local
from time import time_ns
from typing import cast

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.sdk._logs import ReadableLogRecord  # noqa: TID251 - started processes only
from opentelemetry.sdk.util.instrumentation import (  # noqa: TID251 - see above
    InstrumentationScope,
)

from telewright._events import SINK
from telewright._group import LOGS
from telewright._guard import describe, failed, lost
from telewright._nesting import here
from telewright._quiet import is_suppressed
from telewright._span import PROCESS, attributes_of
from telewright._values import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final, TypeAlias

    from opentelemetry.sdk.resources import Resource  # noqa: TID251 - types only
    from opentelemetry.util.types import AttributeValue

    from telewright._batcher import Batcher
    from telewright._books import Ledger
    from telewright._group import Registry

    Handed: TypeAlias = Callable[[logging.Logger, logging.LogRecord], bool]
    Calls: TypeAlias = Callable[[logging.Logger, logging.LogRecord], None]

_STANDARD: Final = frozenset(
    {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"},
)
"""What every record has; the rest are its extras."""

_SEVERITIES: Final = (
    (logging.CRITICAL, SeverityNumber.FATAL, "FATAL"),
    (logging.ERROR, SeverityNumber.ERROR, "ERROR"),
    (logging.WARNING, SeverityNumber.WARN, "WARN"),
    (logging.INFO, SeverityNumber.INFO, "INFO"),
    (logging.DEBUG, SeverityNumber.DEBUG, "DEBUG"),
)
_OPENTELEMETRY: Final = "opentelemetry"
"""The logger above all of OpenTelemetry's."""

_DEEPEST: Final = 8
_MOST: Final = 2_000
_INTEGERS: Final = 2**63
"""Integers from here on, and below its negative, have no place in OTLP."""


class RecordHandler:
    """Queues what is logged, but not what exporting has to say: that would beget itself."""

    def __init__(
        self, batcher: Batcher, ledger: Ledger, resource: Resource, handed: Handed | None = None
    ) -> None:
        self._handed: Final = handed
        self._batcher: Final = batcher
        self._ledger: Final = ledger
        self._resource: Final = resource
        self._home: Final = PROCESS[0]

    @property
    def is_at_home(self) -> bool:
        """Whether this process is the one whose pipeline it belongs to."""
        return self._home is PROCESS[0]

    def emit(self, record: logging.LogRecord, logger: logging.Logger) -> None:
        """Queue *record*, without a lock: reading it runs the application's code. Never raises."""
        try:
            if _HERE.telling or is_suppressed() or _is_of_opentelemetry(record.name):
                return
            if self._handed is not None and self._handed(logger, record):
                return
            if not self.is_at_home:
                for handler in _handlers_of_the_child():
                    handler.emit(record, logger)
                return
        except Exception:
            _tell("take a log record")
            return
        try:
            self._ledger.make()
            self._batcher.put(self._readable(record))
        except Exception:
            self._ledger.drop("unreadable")
            _tell("take a log record")

    def event(
        self, registry: Registry, name: str, attributes: Mapping[str, AttributeValue]
    ) -> None:
        """Queue a record of a declared name."""
        if not self.is_at_home:
            for handler in _handlers_of_the_child():
                handler.event(registry, name, attributes)
            return
        context = here()
        made = LogRecord(
            timestamp=time_ns(),
            observed_timestamp=time_ns(),
            context=context,
            severity_number=SeverityNumber.INFO,
            severity_text="INFO",
            attributes={**(attributes_of(context) or {}), **attributes},
            event_name=name,
        )
        scope = InstrumentationScope(registry.scope, registry.version, registry.schema_url)
        self._ledger.make()
        self._batcher.put(ReadableLogRecord(made, self._resource, scope))

    def _readable(self, record: logging.LogRecord) -> ReadableLogRecord:
        severity, text = _severity(record.levelno)
        context = here()
        return ReadableLogRecord(
            LogRecord(
                timestamp=int(record.created * 1e9),
                observed_timestamp=time_ns(),
                context=context,
                severity_number=severity,
                severity_text=text,
                body=_body(record),
                attributes={**(attributes_of(context) or {}), **_attributes(record)},
            ),
            self._resource,
            InstrumentationScope(record.name),
        )


def listen(handler: RecordHandler) -> None:
    """Have *handler*, and no other of its kind, take what reaches the root logger."""
    hush()
    before = logging.Logger.callHandlers

    def call(logger: logging.Logger, record: logging.LogRecord) -> None:
        """Take *record* if it gets as far as to the root logger, and go on as without us."""
        if handler in _TAKING and _reaches_root(logger):
            handler.emit(record, logger)
        before(logger, record)

    _TAKING[:] = [handler]
    _CALLS[:] = [(call, before)]
    logging.Logger.callHandlers = call  # type: ignore[assignment, method-assign]  # where records are taken
    SINK[:] = [handler.event]
    LOGS.on = True


_TAKING: Final[list[RecordHandler]] = []
"""What takes records now."""

_CALLS: Final[list[tuple[Calls, Calls]]] = []
"""How loggers call their handlers while records are taken, and how they did before."""


def _reaches_root(logger: logging.Logger) -> bool:
    above: logging.Logger | None = logger
    while above is not None and above.propagate:
        above = above.parent
    return above is None or above.parent is None


class _Here(local):
    """What a thread does now."""

    telling = False


_HERE: Final = _Here()


def _tell(what: str) -> None:
    """Tell of a failure; what is said of it is not taken, or it would fail as well, and so on."""
    _HERE.telling = True
    try:
        failed(what)
    finally:
        _HERE.telling = False


def _handlers_of_the_child() -> list[RecordHandler]:
    """Return what takes records in a forked child; the first record opens its pipeline."""
    from telewright._fork import wake

    wake()
    return [handler for handler in tuple(_TAKING) if handler.is_at_home]


def hush() -> None:
    """Take no more records."""
    LOGS.on = False
    SINK.clear()
    _TAKING.clear()
    for call, before in _CALLS:
        if logging.Logger.callHandlers is call:  # else somebody came after us, and goes on to us
            logging.Logger.callHandlers = before  # type: ignore[assignment, method-assign]  # as it was
    _CALLS.clear()


def _is_of_opentelemetry(name: object) -> bool:
    return isinstance(name, str) and str.partition(name, ".")[0] == _OPENTELEMETRY


def _severity(level: int) -> tuple[SeverityNumber, str]:
    for least, number, text in _SEVERITIES:
        if level >= least:
            return number, text
    return SeverityNumber.TRACE, "TRACE"


def _body(record: logging.LogRecord) -> Any:  # noqa: ANN401 - OpenTelemetry's AnyValue
    message: object = record.msg
    if not record.args and isinstance(message, (dict, list, tuple)):
        return _plain(cast("object", message))
    return clean_text(record.getMessage())


def _attributes(record: logging.LogRecord) -> dict[str, Any]:
    extras = {key: one for key, one in vars(record).items() if key not in _STANDARD}
    attributes: dict[str, Any] = {
        **{key: _plain(one) for key, one in extras.items()},
        "code.file.path": record.pathname,
        "code.function.name": record.funcName,
        "code.line.number": record.lineno,
    }
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        from telewright._failure import described

        attributes.update(described(error, clean_text(describe(error))))
    return attributes


def _plain(value: object) -> Any:  # noqa: ANN401 - OpenTelemetry's AnyValue
    """Return a copy of *value* of plain mappings, lists, texts and numbers, of bounded size."""
    return _Copy().of(value, 0)


class _Copy:
    """One value's copy, and how much of it there may still be."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST

    def of(self, value: object, depth: int) -> Any:  # noqa: ANN401 - OpenTelemetry's AnyValue
        """Return the copy; what holds itself, or too much, ends as the name of its type."""
        self.left -= 1
        if isinstance(value, str):
            return clean_text(str.__str__(value))
        if value is None or isinstance(value, (bool, float)):
            return value
        if isinstance(value, int):
            if -_INTEGERS <= value < _INTEGERS:
                return int(value)
            lost("out_of_range")
        if depth < _DEEPEST and self.left > 0:
            if isinstance(value, dict):
                pairs = islice(cast("dict[object, object]", value).items(), self.left)
                return {_key(key): self.of(one, depth + 1) for key, one in pairs}
            if isinstance(value, (list, tuple)):
                items = islice(cast("list[object]", value), self.left)
                return [self.of(one, depth + 1) for one in items]
        return f"<{type(value).__name__}>"


def _key(key: object) -> str:
    return str.__str__(key) if isinstance(key, str) else f"<{type(key).__name__}>"
