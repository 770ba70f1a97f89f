"""What another process is told of the settings of this one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import telewright
from telewright import _handover, _settings, _start

pytestmark = pytest.mark.usefixtures("receiver")


@pytest.mark.behaviour("B198")
def test_every_setting_crosses_but_those_of_one_process(tmp_path, monkeypatch):
    """What a process reads from the environment of another is what that was started with."""
    for name, text in {
        "TELEWRIGHT_REDACTION": "strict",
        "TELEWRIGHT_EXCEPTION_TEXT": "1",
        "TELEWRIGHT_SELF_METRICS": "0",
        "TELEWRIGHT_SERVICE": "oven",
        "TELEWRIGHT_PROPAGATE_TO": "a.example,b.example",
        "OTEL_BSP_SCHEDULE_DELAY": "77",
        "OTEL_METRIC_EXPORT_INTERVAL": "1234",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
    }.items():
        monkeypatch.setenv(name, text)
    telewright.start(
        "all,-kiln.pot",
        run_id="r1",
        service="pottery",
        exporter="file",
        path=tmp_path / "out-{pid}.jsonl",
        traces=True,
        metrics=False,
        logs=True,
        content=True,
        hash_key="k\n",
    )
    running = _start.STATE.settings
    variables = telewright.environment({})
    telewright.stop()
    for name in list(os.environ):
        if name.startswith(("TELEWRIGHT_", "OTEL_")):
            monkeypatch.delenv(name)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    found = _settings.read(_settings.Arguments(), "r1")
    assert variables["OTEL_SERVICE_NAME"] == "oven"
    different = {
        name for name in running.__slots__ if getattr(found, name) != getattr(running, name)
    }
    assert different == {"service"}


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ({"hash_key": b"ab\0cd"}, "TELEWRIGHT_HASH_KEY"),
        ({"hash_key": b"\xff"}, "TELEWRIGHT_HASH_KEY"),
        ({"hash_key": b"k\n"}, "TELEWRIGHT_HASH_KEY"),
        ({"service": "a\0b"}, "OTEL_SERVICE_NAME"),
        ({"service": "\ud800"}, "OTEL_SERVICE_NAME"),
        ({"service": "x" * 140_000}, "OTEL_SERVICE_NAME"),
        ({"groups": "all,\0"}, "TELEWRIGHT_GROUPS"),
    ],
)
def test_what_no_variable_can_hold_is_left_out_and_said(arguments, left, monkeypatch, caplog):
    """A process that is handed the rest starts; it is not told a key that it would read wrong."""
    monkeypatch.setattr(_handover, "_LEFT_OUT", [], raising=False)
    telewright.start(**{"groups": "all", **arguments}, metrics=False)
    for _ in range(2):
        variables = telewright.environment()
        telewright.select(arguments.get("groups", "all"))
    assert left not in variables
    assert variables["TELEWRIGHT_RUN_ID"]
    subprocess.run([sys.executable, "-c", ""], env=variables, check=True)
    lines = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
    assert [f"not told {left}: " in line for line in lines if "not told" in line] == [True]


@pytest.mark.parametrize("groups", ["", " ", "none"])
def test_no_groups_cross_as_none(groups):
    """A process that is handed them records none either."""
    telewright.start(groups, exporter="none")
    assert telewright.environment({})["TELEWRIGHT_GROUPS"] == "none"
    telewright.select(" all ")
    assert telewright.environment({})["TELEWRIGHT_GROUPS"] == "all"
