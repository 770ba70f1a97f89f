"""Log records through a provider of somebody else's that has something to log itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

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
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            f"NAME = {name!r}" + PROGRAM.replace("PROCESSOR", processor),
        ],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.strip() == "[['once']] 1"
