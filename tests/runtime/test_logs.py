"""Log records through the pipeline: where they were made, in which trace and which scope."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest
from opentelemetry.instrumentation.utils import suppress_instrumentation

import telewright
from tests.runtime.sample import kiln
from tests.runtime.written import read

LOGGER = logging.getLogger("pottery")

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def records(path):
    """Return the log records in a file, by body."""
    return {
        record["body"]["stringValue"]: {
            **record,
            "attributes": {pair["key"]: pair["value"] for pair in record["attributes"]},
        }
        for record in read(path, "logs")
    }


@pytest.fixture
def file(tmp_path):
    """Return the file that telemetry goes to."""
    return tmp_path / "out.jsonl"


def test_records_carry_trace_and_scope(file):
    """A record knows its span, the scopes it was made in, its severity and its place."""
    with telewright.start("kiln.firing", exporter="file", path=file, logs=True, strict=True):
        with kiln.round_(7), kiln.heat() as span:
            context = span._otel.get_span_context()
            LOGGER.warning("hot: %d", 950, extra={"room": "east"})
        LOGGER.warning("after")
    found = records(file)
    hot = found["hot: 950"]
    assert (hot["traceId"], hot["spanId"]) == (
        f"{context.trace_id:032x}",
        f"{context.span_id:016x}",
    )
    assert hot["attributes"]["kiln.round"] == {"intValue": "7"}
    assert hot["attributes"]["room"] == {"stringValue": "east"}
    assert (hot["severityText"], hot["scope"]["name"]) == ("WARN", "pottery")
    assert "spanId" not in found["after"]
    books = telewright.stats()
    assert books.logs.made == books.logs.exported == len(found)


def test_logs_are_off_unless_asked_for(file):
    """Who asks for telemetry does not ask for logs."""
    before = list(logging.getLogger().handlers)
    with telewright.start("kiln.firing", exporter="file", path=file), kiln.heat():
        assert logging.getLogger().handlers == before
        LOGGER.warning("quiet")
    assert records(file) == {}
    assert telewright.stats().logs.made == 0


def test_after_the_stop_logging_is_as_before(file):
    """Nothing of ours stays behind, and the root logger has never had a handler of ours."""
    before, calls = list(logging.getLogger().handlers), logging.Logger.callHandlers
    telewright.start(exporter="file", path=file, logs=True)
    assert logging.getLogger().handlers == before
    assert logging.Logger.callHandlers is not calls
    telewright.stop()
    assert logging.getLogger().handlers == before
    assert logging.Logger.callHandlers is calls


PROGRAM = """
import logging, logging.config, sys, telewright
if sys.argv[2] == "on":
    assert telewright.start(exporter="file", path=sys.argv[1], logs=True, metrics=False).on
logging.getLogger("early").warning("without a handler")
logging.getLogger("early").info("not shown")
if "call" in sys.argv:
    logging.warning("by the function")
logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s", force="force" in sys.argv)
logging.getLogger("app").info("configured")
logging.config.dictConfig({
    "version": 1, "disable_existing_loggers": False,
    "handlers": {"h": {"class": "logging.StreamHandler"}}, "root": {"handlers": ["h"]},
})
logging.getLogger("app").warning("configured anew")
lonely = logging.getLogger("lonely")
lonely.propagate = False
lonely.addHandler(logging.NullHandler())
lonely.warning("kept to itself")
"""


@pytest.mark.parametrize("ways", [(), ("call",), ("force",)])
def test_what_an_application_logs_is_shown_as_without_telemetry(file, ways):
    """Whether it has no handlers, or configures them later, again, or by force; and all arrives."""
    shown = {
        state: subprocess.run(
            [sys.executable, "-c", PROGRAM, file, state, *ways],
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        ).stderr
        for state in ("off", "on")
    }
    assert shown["on"] == shown["off"]
    assert "without a handler" in shown["off"]
    other = "by the function" if "call" in ways else "configured"  # who logs so has configured
    assert set(records(file)) == {"without a handler", other, "configured anew"}


def test_who_takes_records_after_us_goes_on(file, monkeypatch):
    """Another library may stand in the same place; started again, each record is one."""
    telewright.start(exporter="file", path=file, logs=True)
    ours, theirs = logging.Logger.callHandlers, []

    def call(logger, record):
        theirs.append(record.getMessage())
        ours(logger, record)

    monkeypatch.setattr(logging.Logger, "callHandlers", call)
    telewright.stop()
    LOGGER.warning("off")
    telewright.start(exporter="file", path=file, logs=True)
    made = telewright.stats().logs.made
    LOGGER.warning("on")
    assert telewright.stats().logs.made == made + 1
    telewright.stop()
    assert theirs.count("off") == theirs.count("on") == 1
    assert "off" not in records(file)


def test_a_record_that_cannot_be_read_costs_itself(file):
    """A message whose arguments do not fit, or whose text raises, is dropped and counted."""

    class Mute:
        def __str__(self):
            raise RuntimeError

    raising, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        with telewright.start(exporter="file", path=file, logs=True, metrics=False):
            LOGGER.warning("%d apples", "no")
            LOGGER.warning("%s", Mute())
            LOGGER.warning("good")
    finally:
        logging.raiseExceptions = raising
    books = telewright.stats().logs
    assert "good" in records(file)
    assert books.dropped["unreadable"] == 2
    assert books.made == books.exported + sum(books.dropped.values())


def test_what_telemetry_logs_while_it_exports_is_not_exported(receiver):
    """No record begets another."""
    receiver.status = 400
    telewright.start("kiln.firing", logs=True, metrics=False)
    with kiln.heat():
        pass
    telewright.flush()
    made = telewright.stats().logs.made
    telewright.flush()
    assert telewright.stats().logs.made == made
    telewright.stop()


def test_what_opentelemetry_logs_is_not_exported(file):
    """Nor what is logged where it says that nothing is to be recorded; all else is, on any thread.

    So is what a callback of metrics logs, which the thread of metrics calls.
    """

    def humidity():
        LOGGER.warning("asked")
        return []

    with telewright.start("all", exporter="file", path=file, logs=True, strict=True):
        for name in ("opentelemetry", "opentelemetry.sdk.trace", "opentelemetric", "app"):
            logging.getLogger(name).warning("by %s", name)
        logging.getLogger("app").handle(logging.makeLogRecord({"msg": "by nobody", "levelno": 30}))
        with suppress_instrumentation():
            LOGGER.warning("quiet")
        kiln.humidity.observe(humidity)
        assert telewright.flush()
        kiln.humidity.forget(humidity)
    found = {
        body for body, one in records(file).items() if one["scope"].get("name") != "telewright"
    }
    assert found == {"by opentelemetric", "by app", "by nobody", "asked"}


def test_a_forked_child_has_records_of_its_own(file):
    """What a child logs is neither the parent's nor lost once the child has telemetry."""
    telewright.start("kiln.firing", exporter="file", path=file, logs=True, metrics=False)
    child = os.fork()
    if not child:
        with kiln.heat():
            LOGGER.warning("child")
        telewright.stop()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    LOGGER.warning("parent")
    telewright.stop()
    found = records(file)
    assert {"child", "parent"} <= set(found)
    assert telewright.stats().logs.made == telewright.stats().logs.exported


def test_a_record_that_cannot_be_read_begets_no_other(file, monkeypatch):
    """What is said of it is made by the same factory, and would be as unreadable, and so on."""

    class Silent(logging.LogRecord):
        def getMessage(self):  # noqa: N802 - its name in `logging`
            raise ValueError

    with telewright.start(exporter="file", path=file, logs=True):
        before = telewright.stats().logs.made
        with monkeypatch.context() as patch:
            patch.setattr(logging, "raiseExceptions", False)
            patch.setattr(logging, "_logRecordFactory", Silent)
            LOGGER.warning("unread")
        LOGGER.warning("read")
        assert telewright.stats().logs.made == before + 2
    assert telewright.stats().logs.dropped == {"unreadable": 1}
    assert "read" in records(file)
