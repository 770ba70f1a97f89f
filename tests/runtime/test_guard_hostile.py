"""Our guard among objects that raise, lie, or hide what they do: named, and no harm to anybody."""

from __future__ import annotations

import pytest

from tests.runtime.foreign import run
from tests.shared import shared

PROXY = """
    class Proxy:
        # As werkzeug's LocalProxy: unbound, it raises for whatever it is asked.
        @property
        def __class__(self):
            raise RuntimeError("outside of a request")

    class Holding(SpanProcessor):
        def __init__(self):
            self.request, self.inner = Proxy(), SimpleSpanProcessor(memory)
        def on_end(self, span):
            self.inner.on_end(span)

    provider.add_span_processor(Holding())
"""
UNBOUND = "the guard cannot be put before Proxy, which cannot be looked into"


@pytest.mark.behaviour("B132")
@pytest.mark.parametrize("runs", [False, True])
def test_an_object_that_raises_is_named(runs):
    """Whether telemetry runs already or starts with the guard; all the rest is judged."""
    lines, said = run(
        PROXY,
        f"""
        if {runs}:
            telewright.adopt("none")
        print(telewright.adopt("none", guard=True).on, leak())
        telewright.stop()
        print(leak()["spans"])
        """,
    )
    assert lines == ["True {'spans': False, 'points': False, 'logs': False}", "True"]
    assert f"{UNBOUND}: what it exports is not judged" in said
    assert "could not" not in said
    assert "Holding" not in said


@pytest.mark.parametrize("runs", [False, True])
def test_strictly_it_is_an_error(runs):
    """It may be something that exports; no guard is left, and what runs goes on."""
    lines, _ = run(
        PROXY,
        f"""
        if {runs}:
            telewright.adopt("none")
        try:
            telewright.adopt("none", guard=True, strict=True)
        except RuntimeError as error:
            print(error)
        print(vars(memory).get("export"), vars(provider).get("add_span_processor"))
        """,
    )
    assert lines == [UNBOUND, "None None"]


ODD = """
    from hostile import RaisesOn, hostile

    class Meta(type):
        def __getattribute__(self, name):
            raise RuntimeError(name)

    class Unnamed(metaclass=Meta):
        pass

    class Slotted(SpanProcessor):
        __slots__ = ("inner",)
        def on_end(self, span):
            pass
        def __getattribute__(self, name):
            if name == "inner":
                raise RuntimeError(name)
            return super().__getattribute__(name)

    class Shut(SpanProcessor):
        @property
        def __dict__(self):
            raise RuntimeError

    class Looping(list):
        def __iter__(self):
            raise RuntimeError

    def odd():
        yield from (value for _, value in hostile())
        yield from (RaisesOn("__getattribute__"), RaisesOn("__getattr__"), Looping([1]))
        yield from (Unnamed(), Slotted(), Shut())

    class Holding(SpanProcessor):
        def __init__(self, one):
            self.one, self.several, self.inner = one, [one, one], SimpleSpanProcessor(memory)
        def on_end(self, span):
            self.inner.on_end(span)

    from opentelemetry.sdk._logs import LogRecordProcessor

    class Logging(LogRecordProcessor):
        def __init__(self, one):
            self.one, self.several, self.inner = one, [one, one], SimpleLogRecordProcessor(records)
        def on_emit(self, record):
            self.inner.on_emit(record)
        def force_flush(self, timeout_millis=0):
            return True
        def shutdown(self):
            pass

    def add():
        for one in odd():
            provider.add_span_processor(Holding(one))
            loggers.add_log_record_processor(Logging(one))
        meters._measurement_consumer.odd = list(odd())
"""


@pytest.mark.behaviour("B132")
def test_whatever_their_objects_raise():
    """Held by a processor, or by a list of its, before and after: all the rest is judged."""
    lines, said = run(
        f"import sys; sys.path.insert(0, {str(shared('cases'))!r})",
        ODD,
        """
        for number in range(2):
            add()
            print(telewright.adopt("none", guard=True).on, leak())
        telewright.stop()
        print(leak())
        """,
    )
    assert lines == ["True {'spans': False, 'points': False, 'logs': False}"] * 2 + [
        "{'spans': True, 'points': True, 'logs': True}"
    ]
    assert "could not" not in said
    for name in ("Raises__getattribute__", "something", "Slotted", "Shut", "Looping"):
        assert f"before {name}, which cannot be looked into" in said


@pytest.mark.behaviour("B168")
def test_what_passes_for_a_processor_or_an_exporter_is_named():
    """One that is of no class of the SDK's but has its methods; and one that takes no method."""
    lines, said = run(
        """
        class Duck:
            def on_start(self, span, parent_context=None): pass
            def on_end(self, span): print("duck saw", "a1B2" in span.name)
            def _on_ending(self, span): pass
            def force_flush(self, timeout_millis=0): return True
            def shutdown(self): pass

        class Ducks:
            def export(self, spans): print("ducks saw", "a1B2" in spans[0].name)

        class Frozen(SpanExporter):
            def __setattr__(self, name, value):
                raise ValueError(name)
            def export(self, spans): print("frozen saw", "a1B2" in spans[0].name)

        class Deaf(Frozen):
            def __setattr__(self, name, value):
                pass
            def export(self, spans): print("deaf saw", "a1B2" in spans[0].name)

        provider.add_span_processor(Duck())
        for exporter in (Ducks(), Frozen(), Deaf()):
            provider.add_span_processor(SimpleSpanProcessor(exporter))
        """,
        """
        with telewright.adopt("none", guard=True):
            print(leak()["spans"])
        try:
            telewright.adopt("none", guard=True, strict=True)
        except RuntimeError as error:
            print(error)
        """,
    )
    assert lines == [
        "duck saw True",
        "ducks saw True",
        "frozen saw True",
        "deaf saw True",
        "False",
        "the guard cannot be put before Deaf; Duck; Frozen; SimpleSpanProcessor",
    ]
    assert said.count("what it exports is not judged") == 4


def test_a_provider_that_hides_everything_is_named():
    """One that is not of OpenTelemetry, and holds nothing that is; the API's own are none."""
    lines, _ = run("""
        class Hidden(trace.TracerProvider):
            def get_tracer(self, *args, **kwargs):
                return provider.get_tracer(*args, **kwargs)

        for one in (Hidden(), trace.NoOpTracerProvider(), TracerProvider(), provider):
            trace._TRACER_PROVIDER = one
            try:
                telewright.adopt("none", guard=True, strict=True)
            except RuntimeError as error:
                print(error)
            telewright.stop()
    """)
    assert lines == ["the guard cannot be put before Hidden"]


@pytest.mark.behaviour("B132")
def test_handlers_and_providers_that_raise_cost_themselves():
    """A handler of no module is nobody's; a provider that cannot be asked to flush did not."""
    lines, said = run("""
        import sys

        class Odd(logging.Handler):
            def emit(self, record):
                print(record.getMessage().splitlines()[0], file=sys.stderr)
        Odd.__module__ = None

        class Unasked(TracerProvider):
            @property
            def force_flush(self):
                raise RuntimeError

        logging.getLogger().addHandler(Odd())
        trace._TRACER_PROVIDER = Unasked()
        with telewright.adopt("all", logs=True, strict=True) as telemetry:
            logging.getLogger("app").warning("once")
            print(telemetry.on, telemetry.flush())
        print([one.log_record.body for one in records.get_finished_logs()].count("once"))
    """)
    assert lines == ["True False", "1"]
    assert "could not flush somebody else's provider (RuntimeError)" in said
    assert "Exception in thread" not in said
