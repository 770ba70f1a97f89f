"""One process's telemetry while it runs: providers of the SDK, threads, exporters, books."""

from __future__ import annotations

import os
from functools import partial
from time import monotonic
from typing import cast

from telewright import _exporters
from telewright._batcher import Batcher
from telewright._books import Books
from telewright._delivery import count_points, deliver_items, deliver_points
from telewright._guard import say
from telewright._guard_export import ExportGuard
from telewright._open_spans import SlowWatch, ages
from telewright._pace import awaited
from telewright._providers import unforked
from telewright._reader import Periodic
from telewright._relay import foreign_logger_provider, records
from telewright._values import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from opentelemetry._logs import LoggerProvider
    from opentelemetry.metrics import Meter, MeterProvider
    from opentelemetry.sdk.resources import Resource  # noqa: TID251 - types only
    from opentelemetry.sdk.trace import SpanLimits  # noqa: TID251 - types only
    from opentelemetry.trace import Tracer, TracerProvider

    from telewright._books import Ledger
    from telewright._exporters import Exporter
    from telewright._fast_meter import FastMetrics
    from telewright._group import Registry
    from telewright._open_spans import Age
    from telewright._processor import QueueProcessor
    from telewright._settings import Batching, Settings


class Pipeline:
    """What exports, and what it is fed from; gates are not its business.

    Attributes:
        books: What becomes of everything made here.
        tracer_provider: Where spans come from; None if they go nowhere.
        meter_provider: Where instruments come from; None if metrics go nowhere.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        adopted: TracerProvider | None = None,
        adopted_meters: MeterProvider | None = None,
    ) -> None:
        self.books: Final = Books()
        self.tracer_provider: TracerProvider | None = None
        self.meter_provider: MeterProvider | None = None
        self.adopted: Final = adopted is not None
        self.adopted_meters: Final = adopted_meters is not None
        self._adopted_logs: LoggerProvider | None = None
        self._guard: Final = ExportGuard()
        self._queue: QueueProcessor | None = None
        self._batchers: Final[list[Batcher]] = []
        self._periodic: Periodic | None = None
        self._cells: FastMetrics | None = None
        self._slow: SlowWatch | None = None
        self._listens = False
        self._held: Final[list[Exporter]] = []
        """The exporters that no thread lets go of yet."""
        self._resource: Final = _resource(settings, self._guard)
        if adopted is not None and settings.traces and records(adopted):
            from telewright._processor import bring_scopes

            self.tracer_provider = adopted
            bring_scopes(adopted)
            if settings.fast:
                say("the standard tier of spans runs: the provider is somebody else's")
        if settings.metrics:
            self.meter_provider = adopted_meters
            if settings.fast and adopted_meters is not None:
                say("the standard tier of metrics runs: the provider is somebody else's")
        try:
            self._make(settings)
        except BaseException:
            self.stop(monotonic(), "stop")
            raise

    def _make(self, settings: Settings) -> None:
        """Make what exports; whatever is raised, `stop` lets go of what there was by then."""
        spans = metrics = logs = None
        if settings.traces and not self.adopted:
            spans = self._holding(_exporters.spans(settings))
        if settings.metrics and not self.adopted_meters:
            metrics = self._holding(_exporters.metrics(settings))
        if settings.logs:
            self._adopted_logs = foreign_logger_provider()
            logs = self._holding(_logs_exporter(settings, self._adopted_logs))
        if spans is not None:
            self._make_traces(settings, spans)
        if metrics is not None:
            self._make_metrics(settings, metrics)
        if logs is not None:
            self._make_logs(settings, logs)

    def _holding(self, exporter: Exporter | None) -> Exporter | None:
        if exporter is not None:
            self._held.append(exporter)
        return exporter

    def _make_traces(self, settings: Settings, exporter: Exporter) -> None:
        from opentelemetry.sdk.trace import TracerProvider  # noqa: TID251 - started processes only

        from telewright._ids import SystemIds
        from telewright._processor import QueueProcessor
        from telewright._sampler import sampler

        batcher = self._batcher(
            "spans", self._guard.spans, exporter, self.books.spans, settings.batching
        )
        limits = _limits()
        if settings.fast:
            from telewright._fast_tracer import queue

            self._queue = queue(batcher, self.books.spans, limits)
        else:
            self._queue = QueueProcessor(batcher, self.books.spans)
        self._slow = SlowWatch(self._queue.open_spans)
        provider = unforked(TracerProvider)(
            sampler=sampler(),
            resource=self._resource,
            id_generator=SystemIds(),
            active_span_processor=self._queue,
            span_limits=limits,
            shutdown_on_exit=False,
        )
        self.tracer_provider = provider

    def _batcher(
        self,
        name: str,
        judge: Callable[[list[Any]], list[Any]],
        exporter: Exporter,
        ledger: Ledger,
        batching: Batching,
    ) -> Batcher:
        """Return what takes one signal's items, judges them, and exports what may leave."""

        def send(batch: list[Any]) -> Mapping[str, int]:
            fit = judge(batch)
            dropped = deliver_items(exporter, fit) if fit else {}
            return {"unjudged": len(batch) - len(fit), **dropped}

        batcher = Batcher(name, send, exporter.close, ledger, batching)
        self._held.remove(exporter)
        self._batchers.append(batcher)
        return batcher

    def _make_logs(self, settings: Settings, exporter: Exporter) -> None:
        from telewright._logs import RecordHandler, listen

        batcher = self._batcher(
            "logs", self._guard.logs, exporter, self.books.logs, settings.batching
        )
        handed = None
        if self._adopted_logs is not None:
            from telewright._adopt_logs import handed_over

            handed = handed_over
        self._listens = True
        listen(RecordHandler(batcher, self.books.logs, self._resource, handed))

    def _make_metrics(self, settings: Settings, exporter: Exporter) -> None:
        from opentelemetry.sdk.metrics import MeterProvider  # noqa: TID251 - started processes only
        from opentelemetry.sdk.metrics.export import InMemoryMetricReader  # noqa: TID251 - started

        from telewright import _exemplars as exemplars
        from telewright._reentrant import let_series

        let_series()
        reader = InMemoryMetricReader(**exporter.preferences)

        if settings.fast:
            from telewright._fast_meter import FastMetrics

            self._cells = FastMetrics(exporter.preferences, self._resource)

        def collect() -> tuple[Any, int]:
            data = reader.get_metrics_data()
            if self._cells is not None:
                data = self._cells.merge(data)
            if data is None:
                return None, 0
            fit = self._guard.metrics(data)  # before it is counted: points may become one
            return fit, count_points(fit)

        def send(data: Any) -> Mapping[str, int]:  # noqa: ANN401 - MetricsData
            return deliver_points(exporter, data)

        self.meter_provider = unforked(MeterProvider)(
            [reader],
            resource=self._resource,
            exemplar_filter=exemplars.only(),
            shutdown_on_exit=False,
            views=[exemplars.view()],
        )
        self._periodic = Periodic(
            collect, send, exporter.close, self.books.points, settings.interval
        )
        self._held.remove(exporter)

    def tracer(self, registry: Registry) -> Tracer:
        """Return the tracer of *registry*; only if spans go somewhere."""
        provider = self.tracer_provider
        if provider is None:
            raise RuntimeError("spans go nowhere")
        tracer = provider.get_tracer(registry.scope, registry.version, registry.schema_url)
        if self._slow is not None:
            self._slow.add(registry)
        if not self.adopted:
            return tracer if self._queue is None else self._queue.tracer(tracer, registry)
        from telewright._adopt import HandedTracer

        return HandedTracer(tracer, registry.scope, self._guard, self.books.spans)

    def meter(self, registry: Registry) -> Meter:
        """Return the meter of *registry*; only if metrics go somewhere."""
        provider = self.meter_provider
        if provider is None:
            raise RuntimeError("metrics go nowhere")
        meter = provider.get_meter(registry.scope, registry.version, registry.schema_url)
        if not self.adopted_meters:
            return meter if self._cells is None else self._cells.meter(meter, registry)
        from telewright._adopt_meter import HandedMeter

        return cast("Meter", HandedMeter(meter, registry.scope, self._guard))

    def ages(self) -> dict[str, Age]:
        """Return how old the spans are that are open here, by name."""
        return {} if self._queue is None else ages(self._queue.open_spans())

    def hasten(self) -> None:
        """Have what is queued exported now, without waiting for it."""
        for batcher in self._batchers:
            batcher.ask()

    @awaited
    def flush(self, deadline: float) -> bool:
        """Export all there is by *deadline*, and say whether it arrived.

        Metrics are collected when the rest has gone, or has had half of the time: they have the
        books among them.
        """
        tickets = [(batcher, batcher.ask()) for batcher in self._batchers]
        others = None if self._queue is None else self._queue.ask_others(deadline)
        half = (monotonic() + deadline) / 2
        for batcher, ticket in tickets:
            batcher.wait(ticket, half)
        periodic = self._periodic
        collected = None if periodic is None else partial(periodic.wait, periodic.ask())
        arrived = [batcher.wait(ticket, deadline) for batcher, ticket in tickets]
        arrived += [others is None or others(), self._push(deadline)]
        return all(arrived) and (collected is None or collected(deadline))

    def _push(self, deadline: float) -> bool:
        """Ask the providers of others to export what they have by *deadline*."""
        foreign = [
            provider
            for adopted, provider in (
                (self.adopted, self.tracer_provider),
                (self.adopted_meters, self.meter_provider),
                (self._listens, self._adopted_logs),
            )
            if adopted and provider is not None
        ]
        if not foreign:
            return True
        from telewright._adopt import push

        return push(foreign, deadline)

    def stop(self, deadline: float, reason: str) -> bool:
        """End what is open, export all there is by *deadline*, and settle the books."""
        arrived = False
        try:
            if self._slow is not None:
                self._slow.close()
            if self._queue is not None:
                self._queue.truncate(reason)
            self._hush()
            if self._periodic is not None:
                self._periodic.rest()  # or what it begins by itself is in the air at the end
            arrived = self.flush(deadline)
            if any(batcher.owes() for batcher in self._batchers):  # it was on its way to a queue
                arrived = self.flush(deadline) and arrived
        finally:
            settled = self._settle()
        over = self._queue is None or self._queue.others_are_over(deadline)
        return arrived and settled and over

    def _settle(self) -> bool:
        """Take no more, let go of everything, and close the books; say whether none was left."""
        if self._queue is not None:
            self._queue.finish()
        settled = True
        for worker in (*self._batchers, self._periodic):
            if worker is not None and not worker.close():
                settled = False
        if self._cells is not None:
            self._cells.end()
        while self._held:
            self._held.pop().close()
        if self.adopted:
            self.books.spans.settle("unended")
        return settled

    def disown(self) -> None:
        """Be inert in a forked child: this is the pipeline of its parent."""
        self.books.disown()
        if self._queue is not None:
            self._queue.disown()
        if self._cells is not None:
            self._cells.end(forked=True)

    def _hush(self) -> None:
        if self._listens:
            from telewright._logs import hush

            hush()


def _logs_exporter(settings: Settings, adopted: LoggerProvider | None) -> Exporter | None:
    """Return where log records go: to a provider that is there, or to an exporter of ours."""
    if adopted is None:
        return _exporters.logs(settings)
    from telewright._adopt_logs import handing

    return handing(adopted)


def _resource(settings: Settings, guard: ExportGuard) -> Resource:
    from telewright._resource import resource

    return resource(settings, guard)


def _limits() -> SpanLimits | None:
    """Return limits that keep texts from filling the memory, unless OpenTelemetry's are set."""
    from opentelemetry.sdk.trace import SpanLimits  # noqa: TID251 - started processes only

    names = "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT"
    if any(os.environ.get(name) for name in names):
        return None
    return SpanLimits(max_attribute_length=LONGEST + 1)  # the guard cuts the rest, and counts it
