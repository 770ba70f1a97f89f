"""Random streams: a seeded program draws the same numbers with telemetry on, off and absent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("numpy")

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import contextlib, json, os, random, sys
import numpy

mode = sys.argv[1]
random.seed(20)
numpy.random.seed(20)
drawn = []

def draw():
    drawn.append(random.random())
    drawn.append(random.randint(0, 10**9))
    drawn.append(float(numpy.random.random()))
    drawn.append(int(numpy.random.randint(10**9)))

draw()
if mode == "absent":
    def work():
        draw()
else:
    import telewright
    from opentelemetry import trace
    from tests.runtime.sample import kiln
    from tests.runtime.sample.kiln import Mishap, Stage
    draw()
    if mode != "off":
        telewright.start("all", hash_key="k", content=True, logs=True, process="master")
    draw()
    kiln.queue.observe(lambda: [kiln.queue.point(random.getrandbits(0) + 3)])

    def work():
        with kiln.shift(), kiln.round_(3), kiln.pot(potter="ann"):
            with kiln.letter(author="ann", text="dear", stamp="blue"):
                carrier = telewright.carrier()
            with telewright.within(carrier), kiln.fire(Stage.GLAZE, batch="b", kind="k") as firing:
                firing.set(shelves=numpy.int64(3))
            with trace.get_tracer("theirs").start_as_current_span("theirs"):
                kiln.mishaps.add(mishap=Mishap.DOOR_OPENED, batch="b")
            draw()
        with contextlib.suppress(KeyError), kiln.heat():
            raise KeyError
        telewright.flush(0.3)

if mode == "absent":
    draw()
    draw()
for _ in range(2):
    work()
child = os.fork()
if not child:
    random.seed(21)  # Python itself seeds this stream anew in a child
    work()
    with open(sys.argv[2], "w") as file:
        json.dump(drawn, file)
    if mode != "absent":
        telewright.stop(0.3)
    os._exit(0)
os.waitpid(child, 0)
if mode not in {"absent", "off"}:
    telewright.stop(1)
draw()
generator = numpy.random.default_rng(20)
drawn += [random.getstate()[1][-1], numpy.random.get_state()[2], float(generator.random())]
print(json.dumps(drawn))
"""


def streams(mode, folder, program=PROGRAM, **environ):
    """Return what a program draws, and what its forked child does."""
    file = folder / f"child-{len(program)}-{mode}.json"
    done = subprocess.run(
        [sys.executable, "-c", program, mode, file],
        cwd=ROOT,
        env={**os.environ, "OTEL_EXPORTER_OTLP_TIMEOUT": "1", **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), json.loads(file.read_text())


@pytest.mark.behaviour("B090")
def test_the_application_draws_what_it_would_have_drawn(tmp_path):
    """Spans, metrics, logs, a fork, and exports that fail and are tried again draw nothing."""
    to_a_file = {"TELEWRIGHT_EXPORTER": "file", "TELEWRIGHT_PATH": str(tmp_path / "{pid}.jsonl")}
    refused = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    moved = PROGRAM.replace("with kiln.shift()", "random.random()\n        with kiln.shift()")
    with ThreadPoolExecutor() as several:
        absent, off, file, otlp, more = [
            several.submit(streams, mode, tmp_path, program, **environ)
            for mode, program, environ in (
                ("absent", PROGRAM, {}),
                ("off", PROGRAM, {}),
                ("file", PROGRAM, to_a_file),
                ("otlp", PROGRAM, refused),
                ("off", moved, {}),
            )
        ]
    assert off.result() == absent.result()
    assert file.result() == absent.result()
    assert otlp.result() == absent.result()
    assert more.result() != absent.result()  # a draw more would be seen
    recorded = "".join(path.read_text() for path in tmp_path.glob("*.jsonl"))
    assert recorded.count("kiln.fire.glaze") >= 3
