"""What is true of a process, and resource detectors of others, which may do as they like."""

from __future__ import annotations

import signal
import time

import pytest
from opentelemetry.sdk.resources import Resource

import telewright
from telewright import _guard, _resource, _signals
from tests.runtime import written
from tests.runtime.interpreter import succeeds
from tests.runtime.sample import kiln

MODULE = """
import os, time
from opentelemetry.sdk.resources import Resource, ResourceDetector

class Stuck(ResourceDetector):
    def detect(self):
        time.sleep(60)
        return Resource({"theirs.stuck": 1})

class Broken(ResourceDetector):
    def detect(self):
        raise SystemExit("broken")

class Odd(ResourceDetector):
    def detect(self):
        return 7

class Fine(ResourceDetector):
    def detect(self):
        return Resource({"theirs.fine": 2, "service.name": "theirs"})
"""
NAMES = "their_stuck,their_broken,their_odd,unknown,their_fine"


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    """Install a distribution with resource detectors of somebody else; return its folder."""
    folder = tmp_path / "installed"
    own = folder / "theirs-1.dist-info"
    own.mkdir(parents=True)
    (folder / "their_detectors.py").write_text(MODULE)
    (own / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n")
    (own / "entry_points.txt").write_text(
        "[opentelemetry_resource_detector]\n"
        + "".join(
            f"their_{name.lower()} = their_detectors:{name}\n"
            for name in ("Stuck", "Broken", "Odd", "Fine")
        )
    )
    monkeypatch.syspath_prepend(folder)
    return folder


def resources(file):
    """Return the attributes of each resource in *file*."""
    return [
        {pair["key"]: next(iter(pair["value"].values())) for pair in one["resource"]["attributes"]}
        for one in written.resources(file, "spans")
    ]


@pytest.mark.behaviour("B132", "B168")
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.usefixtures("theirs")
def test_a_detector_that_hangs_costs_what_it_would_have_said(tmp_path, monkeypatch, caplog, fast):
    """So does one that raises, is none, or is not there; what the others say is on every signal."""
    monkeypatch.setenv("OTEL_EXPERIMENTAL_RESOURCE_DETECTORS", NAMES)
    monkeypatch.setattr(_resource, "DEADLINE", 3.0)
    monkeypatch.setattr("telewright._aside._PENDING", {})
    file = tmp_path / "f.jsonl"
    began = time.monotonic()
    telewright.start("all", exporter="file", path=file, fast=fast)
    assert time.monotonic() - began < 20
    with kiln.heat():
        pass
    assert telewright.stop(5)
    (made,) = resources(file)
    assert (made["theirs.fine"], made["service.name"]) == ("2", "theirs")
    assert "theirs.stuck" not in made
    assert _guard.FAILURES == {"detect their_broken": 1, "detect their_odd": 1}
    assert caplog.text.count("'their_stuck': nothing in 3 s") == 1
    assert caplog.text.count("no resource detector called 'unknown'") == 1


ENDS = """
import os, sys, time
sys.path.insert(0, os.environ["THEIRS"])
import telewright
from telewright import _resource
from tests.runtime.sample import kiln
_resource.DEADLINE = 1.0
began = time.monotonic()
telewright.start("all", exporter="file", path=os.environ["FILE"], metrics=False)
print("started", time.monotonic() - began < 30, flush=True)
_resource.DEADLINE = 40.0
child = os.fork()
with kiln.heat():
    pass
if child:
    print("child", os.waitpid(child, 0)[1], time.monotonic() - began < 35, flush=True)
else:
    telewright.stop(5)
    os._exit(0)
"""


@pytest.mark.behaviour("B132", "B092")
def test_a_detector_that_hangs_holds_up_neither_child_nor_end(theirs, tmp_path):
    """A forked child does not wait for it a second time, and the process ends without it."""
    file = tmp_path / "f-{pid}.jsonl"
    began = time.monotonic()
    lines, said = succeeds(
        ENDS,
        THEIRS=str(theirs),
        FILE=str(file),
        OTEL_EXPERIMENTAL_RESOURCE_DETECTORS="their_stuck,their_fine",
    )
    assert time.monotonic() - began < 50  # it hangs for a minute
    assert lines == ["started True", "child 0 True"], said
    found = [one for path in tmp_path.glob("f-*.jsonl") for one in resources(path)]
    assert len(found) == 2
    assert all("theirs.stuck" not in one for one in found)


LATE = """
import atexit, concurrent.futures.thread, os, threading
import telewright
from tests.runtime.sample import kiln

def late():
    try:
        threading.Thread(target=int).start()
    except RuntimeError as refused:
        print(refused)
    telewright.start("all", exporter="file", path=os.environ["FILE"], metrics=False)
    with kiln.heat():
        pass
    print(telewright.stop(5))

atexit.register(late)
"""


def test_telemetry_starts_while_the_interpreter_ends(tmp_path):
    """Pools of threads take no more work then, and none is needed.

    Some Pythons have no more threads at all then; so it is off there, and says why.
    """
    file = tmp_path / "f.jsonl"
    (*refused, stopped), said = succeeds(LATE, FILE=str(file))
    assert stopped == "True"
    assert said == "".join(f"telemetry is off: {why}\n" for why in refused)
    assert len(resources(file) if file.exists() else []) == (0 if refused else 1)


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OTEL_SERVICE_NAME": "ours", "OTEL_RESOURCE_ATTRIBUTES": "a=1,service.name=x,b=%20c"},
        {"OTEL_RESOURCE_ATTRIBUTES": "service.name=x", "OTEL_EXPERIMENTAL_RESOURCE_DETECTORS": "*"},
        {
            "OTEL_RESOURCE_ATTRIBUTES": "service.name=x",
            "OTEL_EXPERIMENTAL_RESOURCE_DETECTORS": "otel,their_fine",
        },
    ],
)
@pytest.mark.usefixtures("theirs")
def test_it_is_what_the_sdk_would_say(tmp_path, monkeypatch, environment):
    """The same detectors in the same order, the same names; but for what tells processes apart."""
    for name in ("OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"):
        monkeypatch.delenv(name, raising=False)
    for name in ("Stuck", "Odd", "Broken"):
        monkeypatch.setattr(f"their_detectors.{name}.detect", lambda _: Resource({"x": 1}))
    monkeypatch.setattr(_resource, "DEADLINE", 60.0)
    monkeypatch.setattr("telewright._aside._PENDING", {})
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "f.jsonl"
    with telewright.start("all", exporter="file", path=file, metrics=False), kiln.heat():
        pass
    (made,) = resources(file)
    theirs = dict(Resource.create().attributes)
    for name in ("service.instance.id", "process.pid", "nemo.run.id"):
        made.pop(name, None)
        theirs.pop(name, None)
    assert made == {key: str(value) for key, value in theirs.items()}


@pytest.mark.usefixtures("theirs")
def test_what_a_handler_raises_while_a_start_waits_leaves(tmp_path, monkeypatch):
    """As the same object, and at once; telemetry is off, and another start has all it needs."""
    raised = LookupError("the application's")

    def handle(_number, _frame):
        raise raised

    monkeypatch.setenv("OTEL_EXPERIMENTAL_RESOURCE_DETECTORS", "their_stuck")
    monkeypatch.setattr(_resource, "DEADLINE", 30.0)
    monkeypatch.setattr("telewright._aside._PENDING", {})
    file = tmp_path / "f.jsonl"
    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(LookupError) as caught:
            telewright.start("all", exporter="file", path=file, sigterm=True)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert caught.value is raised
    assert (raised.__cause__, raised.__context__) == (None, None)
    assert not kiln.GATE.on
    assert not isinstance(signal.getsignal(signal.SIGTERM), _signals._Handler)
    monkeypatch.setattr(_resource, "DEADLINE", 0.1)
    with telewright.start("all", exporter="file", path=file, strict=True), kiln.heat():
        pass
    assert len(resources(file)) == 1


WAKES = """
import os, signal, sys, time
sys.path.insert(0, os.environ["THEIRS"])
import telewright
from telewright import _resource, _guard
from tests.runtime.sample import kiln

def handle(number, frame):
    raise LookupError("the application's")

telewright.start("all", exporter="file", path=os.environ["FILE"], metrics=False)
os.environ["OTEL_EXPERIMENTAL_RESOURCE_DETECTORS"] = "their_stuck"
_resource.DEADLINE = 20.0
child = os.fork()
if not child:
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with kiln.heat():
        pass
    os._exit(40 + _guard.FAILURES["start in a child"] + 2 * kiln.GATE.on)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_handler_that_raises_while_a_child_wakes_costs_its_telemetry(theirs, tmp_path):
    """The helper that the child woke up in goes on, with its gate shut."""
    lines, _ = succeeds(WAKES, THEIRS=str(theirs), FILE=str(tmp_path / "f.jsonl"))
    assert lines == ["41"]
