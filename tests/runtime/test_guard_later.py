"""Our guard before what is added to somebody else's providers while it is there."""

from __future__ import annotations

import pytest

from tests.runtime.foreign import run


@pytest.mark.behaviour("B168", "B171")
def test_what_is_added_later_is_judged_until_the_stop():
    """Of each signal, added by name or not, to a provider or to the list that it has."""
    lines, said = run("""
        later, inner = InMemorySpanExporter(), InMemorySpanExporter()
        reader, logs = InMemoryMetricReader(), InMemoryLogRecordExporter()
        def found():
            leak()
            return [
                "a1B2" in "".join(one.to_json() for one in list_)
                for list_ in (
                    later.get_finished_spans(),
                    inner.get_finished_spans(),
                    [reader.get_metrics_data()],
                    logs.get_finished_logs(),
                )
            ]
        owners = provider, provider._active_span_processor, meters, loggers
        with telewright.adopt("none", guard=True, strict=True):
            provider.add_span_processor(span_processor=SimpleSpanProcessor(later))
            provider._active_span_processor.add_span_processor(SimpleSpanProcessor(inner))
            meters.add_metric_reader(reader)
            loggers.add_log_record_processor(SimpleLogRecordProcessor(logs))
            print(found(), len(later.get_finished_spans()), len(logs.get_finished_logs()))
        print(found())
        print([name for one in owners for name in vars(one) if name.startswith("add_")])
    """)
    assert lines == ["[False, False, False, False] 1 1", "[True, True, True, True]", "[]"]
    assert "cannot be put" not in said


def test_what_is_added_later_and_hides_is_said():
    """It is added all the same, and works; strictly too, since their caller asked for nothing."""
    lines, said = run("""
        class Hidden(SpanProcessor):
            def on_end(self, span):
                print("hidden saw", "a1B2" in span.name)

        class Raising(SpanProcessor):
            @property
            def __class__(self):
                raise RuntimeError

        with telewright.adopt("none", guard=True, strict=True):
            provider.add_span_processor(Hidden())
            provider.add_span_processor(Raising())
            print(leak()["spans"])
    """)
    assert lines == ["hidden saw True", "False"]
    assert said.count("the guard cannot be put before Hidden: what it exports is not judged") == 1
    assert "the guard cannot be put before Raising, which cannot be looked into" in said


def test_who_stands_before_us_there_finds_us_gone_after_the_stop():
    """Where somebody has put a method over ours it stays, and ours does nothing any more."""
    lines, _ = run("""
        later = InMemorySpanExporter()
        telewright.adopt("none", guard=True)
        add, export = provider.add_span_processor, memory.export
        provider.add_span_processor = lambda one: add(one)
        memory.export = lambda spans: export(spans)
        print(leak()["spans"])
        telewright.stop()
        provider.add_span_processor(SimpleSpanProcessor(later))
        print(leak()["spans"], "export" in vars(later))
    """)
    assert lines == ["False", "True False"]


def test_what_was_guarded_once_is_not_guarded_twice():
    """An exporter that is added again, and a guard that is asked for again, change nothing."""
    lines, _ = run("""
        with telewright.adopt("none", guard=True):
            first = memory.export
            telewright.adopt("none", guard=True)
            provider.add_span_processor(SimpleSpanProcessor(memory))
            print(memory.export is first, leak()["spans"])
        print(vars(memory).get("export"), vars(provider).get("add_span_processor"))
    """)
    assert lines == ["True False", "None None"]


@pytest.mark.behaviour("B168")
def test_a_forked_child_guards_what_is_added_there():
    """Before its telemetry wakes, and after it."""
    lines, _ = run("""
        import os
        telewright.adopt("all", guard=True)
        child = os.fork()
        if not child:
            for wake in (False, True):
                later = InMemorySpanExporter()
                if wake:
                    with kiln.heat():
                        pass
                provider.add_span_processor(SimpleSpanProcessor(later))
                leak()
                print(["a1B2" in one.to_json() for one in later.get_finished_spans()], flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """)
    assert lines == ["[False]", "[False]"]
