"""OTLP in a file: whole lines, several processes, disks that are full."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import telewright
from telewright._file import LineFile, place
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

ROOT = Path(__file__).resolve().parents[2]


def lines(path):
    """Return what is in a file, one request a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def spans(path):
    """Return the spans in a file."""
    return [
        span
        for line in lines(path)
        for resource_spans in line.get("resourceSpans", ())
        for scope in resource_spans["scopeSpans"]
        for span in scope["spans"]
    ]


def test_every_line_is_a_request_of_otlp(tmp_path):
    """Ids are hexadecimal, enumerations numbers, times whole: as OTLP's JSON encoding asks."""
    file = tmp_path / "out.jsonl"
    with telewright.start("default,kiln.firing", exporter="file", path=file, strict=True):
        with kiln.shift() as shift, kiln.pot(potter="ann"):
            trace_id = shift._otel.get_span_context().trace_id
        with kiln.fire(Stage.GLAZE, batch="b", kind="gas") as firing:
            firing.set(shelves=2**40)
    books = telewright.stats()
    found = {span["name"]: span for span in spans(file)}
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
    assert len(spans(file)) == 600


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
    assert len(spans(file)) == exported


def test_a_path_that_cannot_be_is_a_mistake(tmp_path, caplog):
    """Told once at the start, or raised; nothing is half open."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        telewright.start(exporter="file", path=tmp_path / "file" / "x.jsonl", strict=True)
    assert not telewright.start(exporter="file", path=tmp_path / "file" / "x.jsonl").on
    assert caplog.text.count("telemetry is off") == 1
