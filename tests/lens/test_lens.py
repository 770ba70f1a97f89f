"""The adapter for nemo-lens, with the real package."""

from __future__ import annotations

import importlib.util
import textwrap

import pytest

from telewright import lens
from tests.docs.pages import blocks

SETUP = """
from nemo.lens import NemoLensConfig, SpanGroup, managed_span, set_enabled_span_groups
from nemo.lens import setup_telemetry
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

class Groups(SpanGroup):
    ROLLOUT = "rollout"
    ALL_GROUPS = SpanGroup.ALL_GROUPS | {ROLLOUT}

spans, points = InMemorySpanExporter(), InMemoryMetricReader()

def lens(enabled=True, groups="job,rollout", run_id="r-7", rank=0, **options):
    config = NemoLensConfig(
        enabled=enabled, span_groups=groups, run_id=run_id, _span_group_cls=Groups, **options
    )
    return setup_telemetry(
        config, rank=rank, world_size=1, span_exporter=spans, metric_reader=points
    )

def names():
    trace.get_tracer_provider().force_flush()
    return [span.name for span in spans.get_finished_spans()]

def values():
    data = points.get_metrics_data()
    return {
        metric.name: [
            ({key: str(value) for key, value in point.attributes.items()}, point.value)
            for point in metric.data.data_points
        ]
        for resource in (data.resource_metrics if data else ())
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if scope.scope.name != "telewright.self"  # what ours says of itself
    }

import telewright
from telewright import lens as adapter
from telewright.gym import checkpoint, rollout
from telewright.gym.rollout import RolloutOutcome
"""


def program(code):
    """Return a program that begins with nemo-lens and ends with *code*."""
    return SETUP + textwrap.dedent(code)


def test_its_groups_open_our_gates_and_its_providers_export(run):
    """Spans and metrics of generated helpers leave by what nemo-lens has set up, and only that."""
    lines = run(
        program("""
        lens()
        before = trace.get_tracer_provider(), metrics.get_meter_provider()
        with adapter.adopt() as telemetry:
            print(telemetry.on, rollout.GATE.on, checkpoint.GATE.on)
            with managed_span("job", "theirs"), rollout.dispatch(dispatch_name="math"):
                pass
            with checkpoint.write(checkpoint_id="c", participant_kind="agent"):
                pass
            rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="math")
        print(names())
        print(values())
        print(before == (trace.get_tracer_provider(), metrics.get_meter_provider()))
        """)
    )
    assert lines == [
        "True True False",
        "['gym.rollout.dispatch', 'theirs']",
        (
            "{'gym.rollout.completed_total': [({'nemo.gym.rollout.outcome': 'scored', "
            "'nemo.gym.rollout.dispatch.name': 'math'}, 1)]}"
        ),
        "True",
    ]


def test_the_guide_joins_them(run):
    """The block of the guide opens the gates of what the environment has nemo-lens enable."""
    (block,) = (one.text for one in blocks("docs/guide/starting.md") if "lens.adopt()" in one.text)
    environ = {"NEMO_GYM_OTEL_ENABLED": "1", "NEMO_GYM_OTEL_SPAN_GROUPS": "job"}
    away = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_TIMEOUT": "1"}
    code = "from telewright.gym import groups\n" + block + "print(groups.JOB.on, groups.ROLLOUT.on)"
    assert run(code, **environ, **away)[0] == "True False"


def test_our_spans_are_under_theirs(run):
    """A helper's span has the span that nemo-lens made current as its parent, in one trace."""
    lines = run(
        program("""
        lens()
        with adapter.adopt(), managed_span("job", "theirs"), rollout.dispatch(dispatch_name="x"):
            pass
        names()
        inner, outer = spans.get_finished_spans()
        print(inner.parent.span_id == outer.context.span_id)
        print(inner.instrumentation_scope.name, inner.resource.attributes["nemo.run.id"])
        """)
    )
    assert lines == ["True", "telewright.gym r-7"]


@pytest.mark.behaviour("B072")
def test_its_telemetry_goes_on_after_ours(run):
    """Stopping our half shuts nothing of theirs down, and opens no gate again."""
    lines = run(
        program("""
        lens()
        adapter.adopt().stop()
        print(rollout.GATE.on)
        with managed_span("job", "after"), rollout.dispatch(dispatch_name="x"):
            pass
        rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="math")
        print(names(), values())
        """)
    )
    assert lines == ["False", "['after'] {}"]


@pytest.mark.behaviour("B041", "B044")
def test_a_process_that_exports_nothing_pays_nothing(run):
    """Disabled, or on a rank that does not export, every gate stays shut."""
    for setup in ("lens(enabled=False)", "lens(export_rank=3)", ""):
        lines = run(
            program(f"""
            {setup}
            telemetry = adapter.adopt()
            print(telemetry.on, rollout.GATE.on, rollout.completed.send.__name__)
            """)
        )
        assert lines == ["False False ignore"], setup


@pytest.mark.behaviour("B049", "B051")
def test_one_signal_alone(run):
    """With traces off metrics are recorded, with metrics off spans are."""
    code = """
    lens({options})
    adapter.adopt()
    with rollout.dispatch(dispatch_name="x"):
        pass
    rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="math")
    print(rollout.GATE.on, sorted(values()))
    print(trace.get_tracer_provider().__class__.__name__)
    """
    without_traces = run(program(code.format(options="traces_enabled=False")))
    assert without_traces[0] == "False ['gym.rollout.completed_total']"
    without_metrics = run(program(code.format(options="metrics_enabled=False")))
    assert without_metrics == ["True []", "TracerProvider"]


def test_groups_that_change_are_taken_over(run):
    """After nemo-lens has enabled others, adopting again opens those and shuts the rest."""
    lines = run(
        program("""
        lens()
        adapter.adopt()
        set_enabled_span_groups(frozenset({"checkpoint"}))
        print(adapter.adopt().on, rollout.GATE.on, checkpoint.GATE.on)
        """)
    )
    assert lines == ["True False True"]


def test_a_registry_that_is_imported_later_joins(run):
    """Packages imported after adopting find their gates as nemo-lens says."""
    lines = run(
        program("""
        lens()
        adapter.adopt()
        from telewright.rl import groups
        from telewright.base import Registry
        registry = Registry("elsewhere", version="1.0.0")
        open_, shut = registry.group("rollout"), registry.group("other")
        registry.ready()
        print(groups.ROLLOUT.on, groups.STEP.on, open_.on, shut.on)
        """)
    )
    assert lines == ["True False True False"]


@pytest.mark.behaviour("B168")
def test_what_may_not_leave_does_not_reach_them(run):
    """Redaction happens before a value is in a span or a label of theirs."""
    lines = run(
        program("""
        lens()
        with adapter.adopt():
            with rollout.dispatch(dispatch_name="x", rollout_id="sk-proj-" + "a1B2" * 12) as span:
                span._set("nemo.gym.undeclared", "value")
            rollout.completed.send(1, {"nemo.gym.rollout.id": "r", "other": "x"})
        names()
        (made,) = spans.get_finished_spans()
        print("a1B2" in str(dict(made.attributes)), "nemo.gym.undeclared" in made.attributes)
        print(values())
        """)
    )
    assert lines == ["False False", "{'gym.rollout.completed_total': [({}, 1)]}"]


@pytest.mark.behaviour("B204")
def test_children_know_the_run(run):
    """The run that nemo-lens chose is what carriers and children of this process say."""
    lines = run(
        program("""
        import os
        lens()
        with adapter.adopt():
            print(os.environ["NEMO_LENS_RUN_ID"])
        """)
    )
    assert lines == ["r-7"]


def test_flush_reaches_their_exporters(run):
    """Flushing has what we handed over exported by them, and says that it was."""
    lines = run(
        program("""
        lens()
        adapter.adopt()
        with rollout.dispatch(dispatch_name="x"):
            pass
        print(telewright.flush(5), [span.name for span in spans.get_finished_spans()])
        """)
    )
    assert lines == ["True ['gym.rollout.dispatch']"]


@pytest.mark.behaviour("B061")
def test_without_the_package_there_is_a_line(caplog):
    """Where nemo-lens is not installed nothing raises, and one line says what is missing."""
    if importlib.util.find_spec("nemo") is not None:
        pytest.skip("nemo-lens is installed here")
    assert lens.adopt().on is False
    assert "nemo-lens cannot be joined" in caplog.text
