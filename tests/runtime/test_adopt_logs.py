"""Log records through a provider of somebody else's that has something to log itself."""

from __future__ import annotations

import logging

import pytest

from tests.runtime.interpreter import succeeds

PROGRAM = """
import logging
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs import export as sdk

class Failing(sdk.LogRecordExporter):
    calls = []
    def export(self, batch):
        self.calls.append([one.log_record.body for one in batch])
        logging.getLogger(NAME).error("could not be exported")
        return sdk.LogRecordExportResult.FAILURE
    def shutdown(self):
        pass
    def force_flush(self, timeout_millis=0):
        return True

class Bare(sdk.BatchLogRecordProcessor):
    kept = []
    def on_emit(self, log_record):
        self.kept.append(log_record)
    def force_flush(self, timeout_millis=0):
        kept, self.kept[:] = self.kept.copy(), []
        return not kept or bool(exporter.export(kept))

exporter, provider = Failing(), LoggerProvider()
provider.add_log_record_processor(PROCESSOR(exporter))
_logs.set_logger_provider(provider)

import telewright
with telewright.adopt("all", logs=True) as telemetry:
    assert telemetry.on
    logging.getLogger("app").warning("once")
    for _ in range(3):
        telewright.flush()
        provider.force_flush()
    print(exporter.calls, telewright.stats().logs.made)
"""


FLUSHED = """
import logging, telewright
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, InMemoryLogRecordExporter

memory, provider = InMemoryLogRecordExporter(), LoggerProvider()
provider.add_log_record_processor(BatchLogRecordProcessor(memory, schedule_delay_millis=1e9))
_logs.set_logger_provider(provider)

with telewright.adopt("all", logs=True):
    logging.getLogger("app").warning("once")
    print(telewright.flush(), [one.log_record.body for one in memory.get_finished_logs()])
    flush = provider.force_flush
    provider.force_flush = lambda timeout_millis: False
    print(telewright.flush())
    provider.force_flush = flush
"""


def run(code):
    """Run *code* in a process of its own, and return what it said."""
    return succeeds(code)[0]


@pytest.mark.parametrize(
    ("processor", "name"),
    [
        ("sdk.BatchLogRecordProcessor", "urllib3"),
        ("sdk.SimpleLogRecordProcessor", "urllib3"),
        ("Bare", "opentelemetry.exporter.otlp"),
    ],
)
def test_an_exporter_that_fails_begets_no_record(processor, name):
    """What it logs about that is not handed to it, on whichever thread it exports."""
    lines = run(f"NAME = {name!r}" + PROGRAM.replace("PROCESSOR", processor))
    assert lines == ["[['once']] 1"]


def test_records_are_flushed_there():
    """A flush has their provider export what it was handed, and says whether it did."""
    assert run(FLUSHED) == ["True ['once']", "False"]


PICKY = """
import logging, telewright
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

class Picky(SimpleLogRecordProcessor):
    def on_emit(self, log_record):
        if log_record.log_record.body == "bad":
            raise ValueError
        super().on_emit(log_record)

memory, provider = InMemoryLogRecordExporter(), LoggerProvider()
provider.add_log_record_processor(Picky(memory))
_logs.set_logger_provider(provider)

telewright.adopt("all", logs=True)
for text in ("one", "bad", "two"):
    logging.getLogger("app").warning(text)
telewright.flush()
stats = telewright.stats().logs
telewright.stop()
print([one.log_record.body for one in memory.get_finished_logs()][:2])
print(stats.made, stats.exported, stats.dropped)
"""


def test_a_record_that_their_processor_raises_on_costs_itself():
    """Its neighbours are handed over, and the books say of each what became of it."""
    assert succeeds(PICKY)[0] == ["['one', 'two']", "3 2 {'rejected': 1}"]


TWICE = """
import logging, telewright
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

memory, provider = InMemoryLogRecordExporter(), LoggerProvider()
provider.add_log_record_processor(SimpleLogRecordProcessor(memory))
_logs.set_logger_provider(provider)

class Theirs(logging.Handler):
    __module__ = "opentelemetry.instrumentation.logging.handler"
    def emit(self, record):
        provider.get_logger(record.name).emit(body=record.getMessage())

handler, at = Theirs(LEVEL), logging.getLogger(NAME)
if BEFORE:
    at.addHandler(handler)
telewright.adopt("all", logs=True)
if not BEFORE:
    at.addHandler(handler)
logging.getLogger("app.part").warning("once")
at.removeHandler(handler)
logging.getLogger("app.part").warning("and without theirs")
telewright.stop()
print(sorted(one.log_record.body for one in memory.get_finished_logs()))
print(telewright.stats().logs.made)
"""


@pytest.mark.parametrize("level", [logging.NOTSET, logging.ERROR])
@pytest.mark.parametrize("name", [None, "app", "app.part"])
@pytest.mark.parametrize("before", [True, False])
def test_each_record_is_handed_over_once(before, name, level):
    """Wherever a handler of theirs is, whenever it came and went, and whatever it lets pass."""
    lines = run(f"BEFORE, NAME, LEVEL = {before}, {name!r}, {level}\n" + TWICE)
    assert lines == ["['and without theirs', 'once']", "1" if level == logging.NOTSET else "2"]
