"""What runs in this process now, and how it begins and ends; the SDK is loaded when it must be."""

from __future__ import annotations

import atexit
import sys
from dataclasses import replace
from importlib import import_module
from time import monotonic

from telewright import _closing, _gates, _late, _settings
from telewright._books import Books, Stats
from telewright._control import STARTING
from telewright._destinations import PATTERNS
from telewright._group import READING
from telewright._guard import failed, lost, said_by, say
from telewright._run import run_id, share, unshare
from telewright._scanning import EXCEPTION_TEXT, PROFILE
from telewright._sensitive import POLICY
from telewright._span import PROCESS, Home
from telewright._waiting import Thrown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from telewright._accounts import Account
    from telewright._instrument import Instrument
    from telewright._pipeline import Pipeline
    from telewright._settings import Arguments, Settings

_AT_EXIT: Final = 3.0
"""Seconds that the end of the process waits for its telemetry."""


class _State:
    """The one telemetry of this process."""

    def __init__(self) -> None:
        self.arguments: Arguments | None = None
        self.said: Arguments | None = None  # the same, as they can be compared
        self.settings: Settings | None = None
        self.pipeline: Pipeline | None = None
        self.source: _gates.Source | None = None
        self.ending: Pipeline | None = None
        self.arrived = True  # when it ended last
        self.books = Books()
        self.account: Account | None = None
        self.registered = False


STATE: Final = _State()


def begin(arguments: Arguments) -> bool:
    """Start telemetry as *arguments* and the environment say; return whether it runs.

    Raises:
        Exception: Only if they are strict, whatever is wrong; and what a handler of the application
            raises meanwhile.
    """
    strict = arguments.strict is True
    try:
        environment = arguments.environment
        strict = strict or environment.flag("STRICT") is True
        _rest()
        if _settings.switched_off(environment):
            return False
        said = _settings.plain(arguments)
        if STATE.settings is not None:
            return _again(said, strict=strict)
        _refuse_to_go_on()
        STATE.arrived = True  # whatever became of what ran before
        settings = _settings.read(said, run_id(arguments.run_id, environment))
        _set_profile(settings)
        _gates.report_unknown(settings.groups, strict=strict)
        if settings.guard and strict:
            from telewright import _adopt_guard

            _adopt_guard.check()
        open_(settings)
    except Exception as error:
        runs = STATE.settings is not None
        if not runs:
            _closing.tighten()
        if strict:
            raise
        lost("start")
        say(f"telemetry {'goes on as it is' if runs else 'is off'}: {said_by(error)}")
        return runs
    except Thrown as raised:
        _closing.tighten()
        thrown = raised.error
    else:
        STATE.arguments, STATE.said = arguments, said
        return True
    raise thrown


def _refuse_to_go_on() -> None:
    """Refuse to start where a signal came while this very thread ends what ran.

    Raises:
        RuntimeError: If that is so.
    """
    if STATE.ending is not None:
        raise RuntimeError("telemetry is being stopped; start it when that is over")


def _set_profile(settings: Settings) -> None:
    """Say how much is scanned for, before anything is said that could need it."""
    PROFILE[0] = settings.redaction
    EXCEPTION_TEXT[0] = settings.exception_text
    if settings.redaction == "off":
        say("redaction is off: whatever is recorded leaves this process, secrets included")


def guard(*, strict: bool) -> bool:
    """Put the guard before what others export, while telemetry runs.

    Raises:
        RuntimeError: If *strict*, and it cannot be put before all of it.
    """
    settings = STATE.settings
    if settings is None:
        return False
    try:
        from telewright import _adopt_guard

        if strict:
            _adopt_guard.check()
        _adopt_guard.place()
    except Exception:
        if strict:
            raise
        failed("put the guard before what others export")
    else:
        STATE.settings = replace(settings, guard=True)
    return True


def _again(arguments: Arguments, *, strict: bool) -> bool:
    """Leave what runs as it is; to ask for something else is a mistake."""
    if arguments != STATE.said:
        problem = "telemetry runs already, with other settings; stop it first"
        if strict:
            raise RuntimeError(problem)
        say(problem)
    return True


_EARLY: Final = (
    "logging",
    "traceback",
    "hmac",
    "telewright._bound",
    "telewright._failure",
    "telewright._handover",
    "telewright._past",
    "telewright._registries",
    "telewright._scan",
    "telewright._series",
    "telewright._redact_stack",
    "telewright._when_done",
)
"""What helpers import when they need it. A child that is forked while a thread does could not."""


def _read_page(instrument: Instrument) -> None:
    """Have *instrument* read from its page from now on."""
    from telewright import _scrape

    _scrape.SCRAPER.add(instrument)


def open_(settings: Settings, *, forked: bool = False) -> None:
    """Make the pipeline of this process and open its gates; all of it, or nothing.

    A *forked* child reads no pages, since the process that it was forked from does.

    Raises:
        ImportError: If OpenTelemetry is not installed; it names what to install.
        Exception: Whatever else hinders it.
    """
    try:
        _open(settings, forked=forked)
    except BaseException:
        end(0.0)
        raise
    say(
        f"telemetry is on: {settings.groups} by {settings.traces_exporter}, "
        f"metrics by {settings.metrics_exporter}, run {settings.run_id}",
        first=False,
    )


def _open(settings: Settings, *, forked: bool) -> None:
    try:
        from telewright import _children, _fork, _pipeline, _relay
    except ImportError as error:
        raise ImportError(
            "OpenTelemetry's SDK is not installed: pip install 'telewright[sdk]'"
        ) from error
    for module in _EARLY:
        import_module(module)
    _late.load()
    POLICY.content = settings.content
    POLICY.hash_key = settings.hash_key
    PATTERNS[:] = settings.propagate_to
    if settings.guard:
        from telewright import _adopt_guard

        _adopt_guard.place()
    pipeline = _pipeline.Pipeline(
        settings,
        adopted=_relay.foreign_tracer_provider(),
        adopted_meters=_relay.foreign_meter_provider(),
    )
    STATE.settings, STATE.pipeline, STATE.books = settings, pipeline, pipeline.books
    STATE.account = None
    STATE.source = _gates.Source(
        settings.groups,
        settings.process,
        pipeline.tracer if pipeline.tracer_provider is not None else None,
        pipeline.meter if pipeline.meter_provider is not None else None,
        read=None if forked else _read_page,
    )
    share(settings.run_id, settings.prefix)
    _relay.RELAY.lead_to(pipeline.tracer_provider)
    _relay.install()
    STATE.source.open()
    if settings.self_metrics and pipeline.meter_provider is not None:
        from telewright import _self_metrics

        _self_metrics.install(pipeline.ages)
    _fork.watch()
    if not STATE.registered:
        STATE.registered = True
        atexit.register(_at_exit)
    if settings.books is not None:
        from telewright._accounts import Account

        STATE.account = Account(settings.books, settings)
    if settings.sigterm:
        from telewright import _signals

        _signals.install()
    else:
        _closing.give_signals_back()  # what was left by a stop on another thread
    _children.end_with_child(end)


def end(timeout: float, *, guarded: bool = False) -> bool:
    """Shut the gates, and export what there is within *timeout* seconds.

    Where others are *guarded* to the end, they are when they export a last time as well.
    """
    deadline = _closing.until(timeout)
    if STATE.ending is not None:  # on this very thread, where a signal came, or as it all ends
        return flush(timeout)
    STATE.ending, STATE.pipeline = STATE.pipeline, None
    pipeline, thrown = STATE.ending, None
    try:
        try:
            _shut(pipeline)
        finally:
            if pipeline is not None:
                STATE.arrived = False
                STATE.arrived = pipeline.stop(deadline, "stop")
    except Exception:
        failed("stop")
    except Thrown as raised:
        thrown = raised.error
    finally:
        STATE.ending = None
        try:
            if pipeline is not None:
                _take_back(deadline)
        finally:
            if not guarded:
                _closing.take_guard_away()
            _closing.give_signals_back()
    if thrown is not None:
        raise thrown
    return pipeline is None or STATE.arrived


def _shut(pipeline: Pipeline | None) -> None:
    """Have nothing begin any more that *pipeline* would have to export."""
    _rest()
    STATE.settings = STATE.arguments = STATE.said = STATE.source = None
    _gates.shut(reading=pipeline is not None)
    unshare()
    if pipeline is not None and not pipeline.adopted:
        # Spans that are open end here, not where their blocks do.
        PROCESS[0] = Home(PROCESS[0].process)


def _take_back(deadline: float) -> None:
    """Take back what was put where others would still find it, and close the account."""
    from telewright import _relay

    _relay.RELAY.lead_to(None)
    READING.on = False
    _closing.stop_reading_pages()
    _closing.stop_reading_books()
    _closing.tighten()
    _closing.close_account(STATE.account, STATE.books, deadline)


def stop(timeout: float) -> bool:
    """Do as `end`; where another thread starts or ends telemetry, that has the same time to."""
    deadline = _closing.until(timeout)
    starting = STARTING[0]
    waits = not starting.acquire(blocking=False)
    if waits and not starting.acquire(timeout=max(deadline - monotonic(), 0.0)):
        return False
    try:
        return end(deadline - monotonic()) and (STATE.arrived or not waits)
    finally:
        starting.release()


def flush(timeout: float) -> bool:
    """Export what there is within *timeout* seconds, and say whether it arrived.

    While telemetry ends on another thread, that is what it still exports.
    """
    pipeline = STATE.pipeline or STATE.ending
    if pipeline is None:
        return True
    try:
        heralds = sys.modules.get("telewright._announce")
        if heralds is not None:
            heralds.announce()
        return pipeline.flush(_closing.until(timeout))
    except Exception:
        failed("flush")
        return False
    except Thrown as raised:
        thrown = raised.error
    raise thrown


def hasten() -> None:
    """Have what is queued exported now; who asks does not wait for it."""
    pipeline = STATE.pipeline
    if pipeline is not None:
        pipeline.hasten()


def select(groups: str) -> frozenset[str]:
    """Open the gates of *groups* and no others; return the names that nobody declares."""
    settings, source = STATE.settings, STATE.source
    fork = sys.modules.get("telewright._fork")
    try:
        if settings is not None and source is not None:
            source.select(groups)
            STATE.settings = replace(settings, groups=groups)  # for processes that go on here
        elif fork is None or not fork.select(groups):
            return frozenset()
        return _gates.report_unknown(groups, strict=False)
    except Exception:
        failed("select groups")
        return frozenset()


def _rest() -> None:
    """Have a forked child that has not recorded anything inherit nothing any more."""
    fork = sys.modules.get("telewright._fork")
    if fork is not None:
        fork.rest()


def stats() -> Stats:
    """Return the books of what runs, or of what ran last."""
    books, account = STATE.books.read(), STATE.account
    return books if account is None else replace(books, unclosed=account.unclosed())


def _at_exit() -> None:
    if STATE.pipeline is not None or STATE.ending is not None:
        end(_AT_EXIT, guarded=True)
