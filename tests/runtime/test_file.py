"""OTLP in a file: whole lines, several processes, disks that are full."""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import textwrap
from base64 import b64decode
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict, Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import telewright
from telewright import _pace
from telewright._file import LineFile, encode, place
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage
from tests.runtime.written import lines, read

ROOT = Path(__file__).resolve().parents[2]


def test_every_line_is_a_request_of_otlp(tmp_path):
    """Ids are hexadecimal, enumerations numbers, times whole: as OTLP's JSON encoding asks."""
    file = tmp_path / "out.jsonl"
    with telewright.start("default,kiln.firing", exporter="file", path=file, strict=True):
        with kiln.shift() as shift, kiln.pot(potter="ann"):
            trace_id = shift._otel.get_span_context().trace_id
        with kiln.fire(Stage.GLAZE, batch="b", kind="gas") as firing:
            firing.set(shelves=2**40)
    books = telewright.stats()
    found = {span["name"]: span for span in read(file, "spans")}
    assert len(found) == books.made == books.exported == 3
    assert found["kiln.shift"]["traceId"] == f"{trace_id:032x}"
    assert found["kiln.pot"]["links"][0]["traceId"] == f"{trace_id:032x}"
    assert found["kiln.pot"]["kind"] == 3
    attributes = {pair["key"]: pair["value"] for pair in found["kiln.fire.glaze"]["attributes"]}
    assert attributes["kiln.shelves"] == {"intValue": str(2**40)}
    metrics = [line for line in lines(file) if "resourceMetrics" in line]
    assert "kiln.firing_ms" in json.dumps(metrics)


def test_protobufs_own_reader_accepts_it(tmp_path):
    """Another implementation of the mapping reads the lines back, ids apart."""
    file = tmp_path / "out.jsonl"
    with telewright.start("kiln.firing", exporter="file", path=file, metrics=False), kiln.heat():
        pass
    request = Parse(file.read_text(), ExportTraceServiceRequest())
    assert request.resource_spans[0].scope_spans[0].spans[0].name == "kiln.heat"


REQUESTS = (ExportTraceServiceRequest, ExportMetricsServiceRequest, ExportLogsServiceRequest)
SCALARS = {
    "string": ["", "plain", 'quo"ted\\', "\u2028 ünï \U0001f600", "\x00\x1f"],
    "bytes": [b"", bytes(range(16)), b"\xff" * 8],
    "bool": [False, True],
    "double": [0.0, -0.0, 1.5, 1e300, math.inf, -math.inf, math.nan],
    "whole": [0, 1, 2, 2**31 - 1],
}
"""Values that JSON has a way of its own for."""


def filled(message, dice, depth=0):
    """Fill *message* with whatever its fields may hold, and leave some of them out."""
    for field in message.DESCRIPTOR.fields:
        if dice.random() < 0.2 or (field.message_type and depth > 9):
            continue
        if field.message_type:
            held = getattr(message, field.name)
            many = hasattr(held, "add")
            for _ in range(dice.randrange(5) if many else 1):
                one = held.add() if many else held
                one.SetInParent()
                filled(one, dice, depth + 1)
            continue
        kind = {
            field.TYPE_STRING: "string",
            field.TYPE_BYTES: "bytes",
            field.TYPE_BOOL: "bool",
            field.TYPE_DOUBLE: "double",
        }.get(field.type, "whole")
        value = dice.choice(SCALARS[kind])
        if field.enum_type:
            value = dice.choice(field.enum_type.values).number
        if isinstance(field.default_value, list):
            getattr(message, field.name).extend([value] * dice.randrange(3))
        else:
            setattr(message, field.name, value)
    return message


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_line_is_what_protobuf_makes_of_the_request(kind):
    """Byte for byte, with the ids as hexadecimal, though it is made in pieces."""

    def with_hex_ids(value):
        if isinstance(value, dict):
            ids = {"traceId", "spanId", "parentSpanId"}
            return {
                key: b64decode(one).hex() if key in ids else with_hex_ids(one)
                for key, one in value.items()
            }
        return [with_hex_ids(one) for one in value] if isinstance(value, list) else value

    dice, lengths = random.Random(kind.__name__), set()  # noqa: S311 - nothing is kept secret by it
    for _ in range(60):
        request = filled(kind(), dice)
        whole = MessageToDict(request, use_integers_for_enums=True)
        line = json.dumps(with_hex_ids(whole), separators=(",", ":")).encode() + b"\n"
        assert encode(request) == line
        lengths.add(len(line))
    assert min(lengths) == 3  # nothing in it
    assert max(lengths) > 3_000


def test_a_line_of_many_is_made_with_pauses(monkeypatch):
    """Encoding gives way to other threads: about as often as spans, points or records come."""
    pauses, now = [], itertools.count(step=200_000)
    monkeypatch.setattr(_pace, "perf_counter_ns", lambda: next(now))
    monkeypatch.setattr(_pace, "sleep", pauses.append)
    for kind, path in zip(REQUESTS, MANY, strict=True):
        request = kind()
        holder = request
        for name in path[:-1]:
            held = getattr(holder, name)
            holder = held.add() if hasattr(held, "add") else held
        for _ in range(100):
            getattr(holder, path[-1]).add()
        pauses.clear()
        encode(request)
        assert len(pauses) >= 50


MANY = (
    ("resource_spans", "scope_spans", "spans"),
    ("resource_metrics", "scope_metrics", "metrics", "sum", "data_points"),
    ("resource_logs", "scope_logs", "log_records"),
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("out.jsonl", "out.jsonl"),
        ("some/{service}.{pid}.jsonl", "some/a_b.{pid}.jsonl"),
        ("folder/", "folder/a_b-{pid}.jsonl"),
        ("folder", "folder/a_b-{pid}.jsonl"),
        (None, "telemetry/a_b-{pid}.jsonl"),
    ],
)
def test_the_path_may_name_process_and_service(path, expected):
    """A folder gets a file of each process's own; a service's name is no path."""
    assert place(path, "a/b") == Path(expected.format(pid=os.getpid()))


def test_a_folder_that_exists_is_a_folder(tmp_path):
    """Whatever its name looks like."""
    folder = tmp_path / "run.1"
    folder.mkdir()
    assert place(str(folder), "s").parent == folder


def test_several_processes_may_share_a_file(tmp_path):
    """Lines are written whole, at the end, one process at a time."""
    file = tmp_path / "shared.jsonl"
    code = """
        import sys, telewright
        from tests.runtime.sample import kiln
        with telewright.start("kiln.firing", exporter="file", path=sys.argv[1], metrics=False):
            for _ in range(200):
                with kiln.fire(kiln.Stage.COOL, batch="x" * 2000, kind="k"):
                    pass
                telewright.flush()
        assert telewright.stats().exported == 200
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(file)]
    running = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(read(file, "spans")) == 600


def test_what_a_killed_process_left_is_closed_by_the_next(tmp_path):
    """Half a line costs that line, and not the one after it."""
    file = tmp_path / "out.jsonl"
    file.write_text('{"half": ')
    writer = LineFile(file)
    writer.append(b'{"whole": 1}\n')
    writer.close()
    assert file.read_text().splitlines() == ['{"half": ', '{"whole": 1}']


def _limited(path, results):
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
    with telewright.start("kiln.firing", exporter="file", path=path, metrics=False):
        for _ in range(20):
            with kiln.fire(Stage.COOL, batch="x" * 200, kind="k"):
                pass
            telewright.flush()
    books = telewright.stats()
    results.put((books.made, books.exported, books.dropped))


def test_a_full_disk_costs_what_did_not_fit(tmp_path):
    """Nothing raises; what is in the file is whole, and the books say how much that is."""
    file = tmp_path / "out.jsonl"
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_limited, args=(str(file), results))
    process.start()
    made, exported, dropped = results.get(timeout=60)
    process.join(60)
    assert process.exitcode == 0
    assert made == 20 == exported + sum(dropped.values())
    assert 0 < exported < 20
    assert set(dropped) == {"export_failed"}
    assert len(read(file, "spans")) == exported


def test_a_path_that_cannot_be_is_a_mistake(tmp_path, caplog):
    """Told once at the start, or raised; nothing is half open."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        telewright.start(exporter="file", path=tmp_path / "file" / "x.jsonl", strict=True)
    assert not telewright.start(exporter="file", path=tmp_path / "file" / "x.jsonl").on
    assert caplog.text.count("telemetry is off") == 1
