"""Spans that end with an outcome, in the words of their specs, or whose duration is a metric."""

from __future__ import annotations

from time import perf_counter_ns

from telewright import _late as late
from telewright._enum import OpenEnum, StrEnum
from telewright._group import METRICS
from telewright._span import PROCESS, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import ClassVar, Final, Self

    from opentelemetry.util.types import AttributeValue

    from telewright._group import Group
    from telewright._instrument import Histogram

_enter: Final = Span.__enter__  # one object less than `super()` each time
_exit: Final = Span.__exit__


class Outcomes:
    """The attribute that says how a block ended, and the members that say it."""

    __slots__ = ("cancelled", "error", "key", "ok")

    def __init__(
        self, key: str, *, ok: StrEnum, error: StrEnum, cancelled: StrEnum | None = None
    ) -> None:
        self.key: Final = key
        self.ok: Final = ok
        self.error: Final = error
        self.cancelled: Final = error if cancelled is None else cancelled

    def decide(self, said: StrEnum | None, error: BaseException | None) -> StrEnum:
        """Return what was said, unless an exception leaves a block that claimed no failure."""
        if error is None:
            return self.ok if said is None else said
        if said is not None and said is not self.ok:
            return said
        return self.error if isinstance(error, Exception) else self.cancelled

    def read(self, said: object) -> StrEnum:
        """Return *said* as a member; what is none is taken for a failure."""
        if type(said) is type(self.ok):
            return said  # pyright: ignore[reportReturnType] - its type is that of a member
        try:
            return type(self.ok)._value2member_map_[said]  # type: ignore[return-value]  # pyright: ignore[reportReturnType, reportArgumentType] - a member of that type
        except Exception:  # not a member, not even hashable
            return self.error


class ErrorCodes:
    """The attribute that says why a block failed, and how an exception says it.

    A key of *codes* is the name of an exception's class, plain or dotted, looked up along its
    bases; or, as ``.name``, an attribute of the exception that holds the code.
    """

    __slots__ = ("_codes", "_kind", "key", "overflow")

    def __init__(
        self,
        key: str,
        *,
        kind: type[StrEnum],
        codes: Mapping[str, StrEnum | None],
        overflow: StrEnum | None = None,
    ) -> None:
        self.key: Final = key
        self.overflow: Final = overflow
        self._kind: Final = kind
        self._codes: Final = codes

    def decide(self, said: object, error: BaseException | None) -> str | None:
        """Return the code that was said, else the one *error* stands for, else the overflow."""
        code = self._read(said)
        if code is None and error is not None:
            code = self._find(error)
        return self.overflow if code is None else code

    def _read(self, said: object) -> str | None:
        """Return a member; the text of an open enumeration stays as it is."""
        if said is None:
            return None
        try:
            return str(self._kind._value2member_map_[said])
        except Exception:  # not a member, not even hashable
            if isinstance(said, str) and issubclass(self._kind, OpenEnum):
                return late.clean_text(str.__str__(said))
            return self.overflow

    def _find(self, error: BaseException) -> str | None:
        for name in self._codes:
            if name[0] == ".":
                code = self._read(getattr(error, name[1:], None))
                if code is not None:
                    return code
        for base in type(error).__mro__:
            for name in (base.__name__, f"{base.__module__}.{base.__qualname__}"):
                if name in self._codes:
                    return self._codes[name]
        return None


class Measured(Span):
    """A span with an outcome. With a `duration` it is timed even while its group is off."""

    __slots__ = ("_code", "_failures", "_labels", "_said", "_started")

    outcomes: ClassVar[Outcomes | None] = None
    error_codes: ClassVar[ErrorCodes | None] = None
    duration: ClassVar[Histogram | None] = None

    def __init__(
        self,
        gate: Group,
        name: str,
        attributes: Mapping[str, AttributeValue],
        labels: Mapping[str, AttributeValue] | None = None,
    ) -> None:
        self._gate = gate  # as in `Span`, without the call
        self._name = name
        self._attributes = attributes
        self._otel = None
        self._token = None
        self.live = True
        self.on = False
        self._started: int | None = None
        self._labels: Mapping[str, AttributeValue] = {} if labels is None else labels
        self._said: StrEnum | None = None
        self._code: object = None
        self._failures: list[BaseException] | None = None

    @property
    def failures(self) -> list[BaseException]:
        """What failed without leaving the block: with an entry here, it ends as an error."""
        if not self.live:
            return []
        if self._failures is None:
            self._failures = []
        return self._failures

    def __enter__(self) -> Self:
        if self._started is None:  # else it goes on since it was opened or entered
            self._started = perf_counter_ns()
        if self._gate.on:
            _enter(self)
        else:
            self._home = PROCESS[0]
        return self

    def open(self) -> Self:
        """Start the span without making it current, for work that outlives a block.

        It must be closed, by `close`.
        """
        if self.live:
            if self._started is None:
                self._started = perf_counter_ns()
            if self._gate.on:
                super().open()
            else:
                self._home = PROCESS[0]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        try:
            if self._started is not None:  # else it was left before
                self._settle(error, self._started)
                self._started = None
        except Exception:
            late.failed("record an outcome")
        _exit(self, kind, error, traceback)

    def close(self, error: BaseException | None = None) -> None:
        """End what `open` started, once; *error* is what the work failed with."""
        if self.live and self._started is not None:
            super().close(error)

    def _say(self, outcome: object) -> None:
        if outcome is not None and self.outcomes is not None:
            self._said = self.outcomes.read(outcome)

    def _fail(self, code: object = None) -> None:
        if self.live:
            self._code = code
            if self.outcomes is not None:
                self._said = self.outcomes.error

    def _settle(self, error: BaseException | None, started: int) -> None:
        outcomes, outcome, failure = self.outcomes, None, error
        if error is None and self._failures:
            failure = self._failures[0]
        if outcomes is not None:
            plain = failure is None and self._said is None
            outcome = outcomes.ok if plain else outcomes.decide(self._said, failure)
        # While current, so that exemplars find it. What was open at a fork is the parent's.
        if METRICS.on and self.duration is not None and self._home.process is PROCESS[0].process:
            elapsed = perf_counter_ns() - started
            labels = self._labels
            if outcomes is not None and outcome is not None:
                labels = {**labels, outcomes.key: outcome}
            self.duration.elapsed(elapsed, labels)
        if self.on and self._otel is not None and self._home is PROCESS[0]:
            bad = False
            if outcomes is not None and outcome is not None:
                self._otel.set_attribute(outcomes.key, outcome)
                bad = outcome is outcomes.error
            if bad or failure is not None or self._code is not None:
                self._explain(error, failure, bad=bad)

    def _explain(
        self, error: BaseException | None, failure: BaseException | None, *, bad: bool
    ) -> None:
        """Write on the span why it failed; what leaves the block is noted where the block ends."""
        span, failed_here = self._otel, bad or isinstance(failure, Exception)
        if span is None or not (failed_here or self._code is not None):
            return
        if self.error_codes is not None:
            code = self.error_codes.decide(self._code, failure)
            if code is not None:
                span.set_attribute(self.error_codes.key, code)
        if error is not None:
            return
        from telewright._failure import note

        for collected in self._failures or ():
            note(span, collected)
        if not self._failures:
            span.set_status(late.Status(late.StatusCode.ERROR))
