"""The providers that other libraries find: they lead to whatever telemetry runs now, or to none.

OpenTelemetry lets a process set its global providers once. These stay, while what is behind them
starts, stops, and starts again in a forked child.
"""

from __future__ import annotations

from opentelemetry import _logs, metrics, trace

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from opentelemetry.context import Context


class RelayTracerProvider(trace.TracerProvider):
    """A tracer provider that leads to the one of now."""

    def __init__(self) -> None:
        self.target: trace.TracerProvider | None = None
        self.generation = 0

    def lead_to(self, target: trace.TracerProvider | None) -> None:
        """Lead to *target* from now on."""
        self.target = target
        self.generation += 1

    def get_tracer(
        self,
        instrumenting_module_name: str,
        instrumenting_library_version: str | None = None,
        schema_url: str | None = None,
        attributes: Any = None,  # noqa: ANN401 - handed on
    ) -> trace.Tracer:
        """Return a tracer that leads to the one of now."""
        scope = (
            instrumenting_module_name,
            instrumenting_library_version,
            schema_url,
            attributes,
        )
        return RelayTracer(self, scope)

    def add_span_processor(self, span_processor: Any) -> None:  # noqa: ANN401 - handed on
        """Add a processor to what runs now, as callers of the SDK's provider expect."""
        add = getattr(self.target, "add_span_processor", None)
        if add is not None:
            add(span_processor)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush what runs now."""
        flush = getattr(self.target, "force_flush", None)
        return flush is None or bool(flush(timeout_millis))

    def shutdown(self) -> None:
        """Do nothing: who started telemetry stops it."""


class RelayTracer(trace.Tracer):
    """A tracer of whatever provider runs now."""

    def __init__(self, provider: RelayTracerProvider, scope: tuple[Any, ...]) -> None:
        self._provider: Final = provider
        self._scope: Final = scope
        self._generation = -1
        self._tracer: trace.Tracer = trace.NoOpTracer()

    def _now(self) -> trace.Tracer:
        provider = self._provider
        if self._generation != provider.generation:
            target = provider.target
            self._tracer = trace.NoOpTracer() if target is None else target.get_tracer(*self._scope)
            self._generation = provider.generation
        return self._tracer

    def start_span(  # noqa: PLR0913, PLR0917 - OpenTelemetry's signature
        self,
        name: str,
        context: Context | None = None,
        kind: trace.SpanKind = trace.SpanKind.INTERNAL,
        attributes: Any = None,  # noqa: ANN401 - handed on
        links: Any = None,  # noqa: ANN401 - handed on
        start_time: int | None = None,
        record_exception: bool = True,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
        set_status_on_exception: bool = True,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
    ) -> trace.Span:
        """Start a span with the tracer of now."""
        return self._now().start_span(
            name,
            context,
            kind,
            attributes,
            links,
            start_time,
            record_exception,
            set_status_on_exception,
        )

    def start_as_current_span(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
        """Start a span with the tracer of now, and make it current.

        What it returns may decorate a function: each call starts one with the tracer of then.
        """
        return _Block(self._now, args, kwargs)


class _Block:
    """A block, or a decorator of whose functions every call is one."""

    __slots__ = ("_block", "_given", "_named", "_now")

    def __init__(
        self, now: Callable[[], trace.Tracer], given: tuple[Any, ...], named: dict[str, Any]
    ) -> None:
        self._now: Final = now
        self._given: Final = given
        self._named: Final = named
        self._block: Any = None

    def _made(self) -> Any:  # noqa: ANN401 - what the tracer of now has
        return self._now().start_as_current_span(*self._given, **self._named)

    def __enter__(self) -> trace.Span:
        self._block = block = self._made()
        span: trace.Span = block.__enter__()
        return span

    def __exit__(self, *error: object) -> Any:  # noqa: ANN401 - as the block has it
        return self._block.__exit__(*error)

    def __call__(self, function: Any) -> Any:  # noqa: ANN401 - any function
        from functools import wraps
        from inspect import iscoroutinefunction

        if iscoroutinefunction(function):

            @wraps(function)
            async def awaited(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
                with self._made():
                    return await function(*args, **kwargs)

            return awaited

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
            with self._made():
                return function(*args, **kwargs)

        return called


RELAY: Final = RelayTracerProvider()
"""The relay of this process."""


def foreign_tracer_provider() -> trace.TracerProvider | None:
    """Return the provider that somebody else has installed, if any."""
    provider = trace.get_tracer_provider()
    if provider is RELAY or isinstance(provider, trace.ProxyTracerProvider):
        return None
    return provider


def records(provider: trace.TracerProvider) -> bool:
    """Say whether anything comes of the spans of *provider*."""
    return not isinstance(provider, trace.NoOpTracerProvider)


def foreign_meter_provider() -> metrics.MeterProvider | None:
    """Return the provider of meters that somebody else has installed, if any."""
    provider = metrics.get_meter_provider()
    return None if _is_a_stand_in(provider) else provider


def foreign_logger_provider() -> _logs.LoggerProvider | None:
    """Return the provider of loggers that somebody else has installed, if any."""
    provider = _logs.get_logger_provider()
    return None if _is_a_stand_in(provider) else provider


def _is_a_stand_in(provider: object) -> bool:
    """Say whether *provider* is the API's own, which records nothing."""
    return type(provider).__module__.startswith(("opentelemetry.metrics", "opentelemetry._logs"))


def install() -> None:
    """Make the relay the provider of this process, unless there is one."""
    try:
        if trace.get_tracer_provider() is not RELAY and foreign_tracer_provider() is None:
            trace.set_tracer_provider(RELAY)
    except Exception:
        failed("install a tracer provider")
