"""Who a process is: its resource, the run that it belongs to, and the ids that it makes."""

from __future__ import annotations

import os

import pytest

import telewright
from telewright._environment import Environment
from telewright.base import Resource
from tests.runtime.interpreter import run
from tests.runtime.sample import kiln


def test_the_resource_says_what_process_it_is(monkeypatch, receiver):
    """Service, run, instance; constructors and mappings, later ones winning."""
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=lab,team=a")
    training = Resource("nv.training", {"nv.dl.tp": 2, "nv.dl.pp": None})
    given = [training, {"team": "b", "bad": object(), "none": None}]
    telewright.start("kiln.firing", service="pottery", run_id="r7", resource=given)
    with kiln.heat():
        pass
    assert telewright.stop()
    found = receiver.resource
    assert found["service.name"] == "pottery"
    assert found["nemo.run.id"] == "r7"
    assert found["deployment.environment.name"] == "lab"
    assert (found["team"], found["nv.dl.tp"]) == ("b", 2)
    assert found["process.pid"] == os.getpid()
    assert len(found["service.instance.id"]) == 32
    assert not {"bad", "none", "nv.dl.pp"} & set(found)


def test_opentelemetry_may_name_the_service(monkeypatch, receiver):
    """Nothing said, OpenTelemetry's variable decides."""
    monkeypatch.setenv("OTEL_SERVICE_NAME", "by-otel")
    with telewright.start("kiln.firing"), kiln.heat():
        pass
    assert receiver.resource["service.name"] == "by-otel"


@pytest.mark.behaviour("B204")
@pytest.mark.parametrize(
    ("explicit", "environment", "expected"),
    [
        (" m 1\n", {}, "m 1"),
        (" ", {"TELEWRIGHT_RUN_ID": "theirs"}, "theirs"),
        ("mine", {"SLURM_JOB_ID": "77", "TELEWRIGHT_RUN_ID": "theirs"}, "mine"),
        (None, {"SLURM_JOB_ID": "77", "TELEWRIGHT_RUN_ID": "theirs"}, "theirs"),
        (None, {"SLURM_JOB_ID": "77"}, "77"),
    ],
)
def test_the_run_has_one_id(explicit, environment, expected):
    """What was said, else what was inherited, else Slurm's."""
    from telewright._run import run_id

    assert run_id(explicit, Environment("TELEWRIGHT", variables=environment)) == expected


@pytest.mark.behaviour("B204")
def test_children_share_the_run_id():
    """A new id is twelve hex digits, in the environment while telemetry runs."""
    code = """
        import os, subprocess, sys, telewright
        child = (
            "import telewright; from telewright import _start; telewright.start(exporter='none');"
            "print(_start.STATE.settings.run_id)"
        )
        with telewright.start(exporter="none"):
            mine = os.environ["TELEWRIGHT_RUN_ID"]
            theirs = subprocess.check_output([sys.executable, "-c", child], text=True).strip()
        print(mine, theirs, bool(os.environ.get("TELEWRIGHT_RUN_ID")))
    """
    mine, theirs, left = run(code).stdout.split()
    assert mine == theirs
    assert len(mine) == 12
    int(mine, 16)
    assert left == "False"


def test_who_goes_through_the_environment_meets_no_variable_that_is_gone():
    """A stop in the middle takes the run id out, and does not take the variable away."""
    telewright.start("kiln.firing", exporter="none", run_id="r1")
    texts = iter(os.environ.items())
    assert next(texts)
    assert telewright.stop()
    assert ("TELEWRIGHT_RUN_ID", "") in texts


def test_a_run_id_that_was_taken_back_counts_as_none():
    """The next run has its own, and hands that over, to who has a copy of the old one too."""
    for mine in ("r1", "r2"):
        with telewright.start("kiln.firing", exporter="none", run_id=mine):
            assert os.environ["TELEWRIGHT_RUN_ID"] == mine
            assert telewright.environment({"TELEWRIGHT_RUN_ID": ""})["TELEWRIGHT_RUN_ID"] == mine
    with telewright.start("kiln.firing", exporter="none"):
        assert len(os.environ["TELEWRIGHT_RUN_ID"]) == 12


@pytest.mark.behaviour("B090")
def test_ids_come_from_the_system_and_the_random_stream_never_moves(receiver):
    """Programs that seed alike have different ids and the same random numbers."""
    import random

    random.seed(7)
    expected = [random.random() for _ in range(3)]  # noqa: S311 - the stream is the claim
    for _ in range(2):
        random.seed(7)
        with telewright.start("kiln.firing"):
            with kiln.heat():
                pass
            assert [random.random() for _ in range(3)] == expected  # noqa: S311 - seeded
    ids = {span.trace_id for span in receiver.spans} | {span.span_id for span in receiver.spans}
    assert len(ids) == 4
