"""Spans that say that they have begun."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from threading import enumerate as enumerate_

import pytest

import telewright
from telewright import _announce, _guard
from telewright._announce import STARTED
from telewright.gym import rollout
from telewright.rl import training
from telewright.rl.training import Algorithm
from tests.runtime.receiver import values
from tests.runtime.sample import kiln


def await_spans(receiver, count):
    """Return what has been received once that is *count* spans; nothing is flushed for it."""
    for _ in range(500):
        if len(receiver.spans) >= count:
            break
        time.sleep(0.01)
    return receiver.spans


@pytest.fixture
def patient(monkeypatch):
    """Export nothing by the clock."""
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("fast", [False, True])
def test_a_job_is_seen_while_it_runs(receiver, fast):
    """Once open for a second, it has a span of no length in its trace, under it, with its name."""
    with telewright.start("gym.job", fast=fast), rollout.job() as job:
        (marker,) = await_spans(receiver, 1)
        own = job._otel.get_span_context()
        assert marker.name == STARTED
        assert marker.start_time_unix_nano == marker.end_time_unix_nano == job._otel.start_time
        assert int.from_bytes(marker.trace_id, "big") == own.trace_id
        assert int.from_bytes(marker.parent_span_id, "big") == own.span_id
        assert values(marker.attributes) == {STARTED: "gym.job"}
    ended = receiver.span("gym.job")
    assert (ended.trace_id, ended.span_id) == (marker.trace_id, marker.parent_span_id)
    ids = [span.span_id for span in receiver.spans]
    assert len(set(ids)) == len(ids) == 2
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (2, 2, {})


def test_a_pattern_is_announced_by_its_name(probe):
    """Whichever of its names a job has is in what announces it, and so is what it was given."""
    probe.start("rl.job")
    with kiln.round_(3), training.job(Algorithm.GRPO):
        assert _announce.announce()
        (marker,) = probe.spans
        assert marker.attributes == {STARTED: "rl.grpo.job", "kiln.round": 3}
    assert [span.name for span in probe.spans] == [STARTED, "rl.grpo.job"]


@pytest.mark.usefixtures("patient")
def test_a_flush_announces_what_is_open(receiver):
    """Whoever asks for everything there is gets that, too; and only once."""
    with telewright.start("gym.job"), rollout.job():
        assert telewright.flush()
        assert [span.name for span in receiver.spans] == [STARTED]
        assert telewright.flush()
    assert [span.name for span in receiver.spans] == [STARTED, "gym.job"]


def test_what_waits_to_announce_holds_no_process_up(receiver):
    """The interpreter does not wait for its thread."""
    with telewright.start("gym.job"), rollout.job():
        waiting = [one for one in enumerate_() if one.name == "telewright-announcements"]
        assert waiting
        assert all(one.daemon for one in waiting)
    assert receiver.span("gym.job")


def test_a_job_that_ends_soon_is_exported_once(receiver):
    """What is over before a second is has nothing to announce."""
    with telewright.start("gym.job"):
        for _ in range(3):
            with rollout.job():
                pass
        telewright.flush()
        assert not _announce.announce()
    assert [span.name for span in receiver.spans] == ["gym.job"] * 3
    assert telewright.stats().made == 3


def test_a_forked_child_announces_its_own(receiver, monkeypatch):
    """It neither announces what its parent began, nor waits for a thread it does not have."""
    monkeypatch.setattr(_announce, "_PATIENCE", 60.0)  # the parent's own is not announced
    with telewright.start("gym.job", metrics=False), rollout.job():
        child = os.fork()
        if child == 0:
            with rollout.job():
                telewright.flush(5)
            os._exit(not telewright.flush(5))
        assert os.waitpid(child, 0)[1] == 0
    spans = receiver.spans
    assert sorted(span.name for span in spans) == ["gym.job", "gym.job", STARTED]


def test_what_is_not_announced_is_exported_once(receiver):
    """Control: a span without `announce` has no second span to say that it began."""
    with telewright.start("gym.rollout"), rollout.dispatch(dispatch_name="math"):
        pass
    assert [span.name for span in receiver.spans] == ["gym.rollout.dispatch"]


@pytest.mark.behaviour("B001")
def test_a_dispatch_is_linked_to_an_announced_job(probe):
    """The job owns its trace as if it had said nothing; nothing is linked to the marker."""
    probe.start("gym.default")
    with rollout.job():
        assert _announce.announce()
        with rollout.dispatch(dispatch_name="math"):
            pass
    job, dispatch = probe.span("gym.job"), probe.span("gym.rollout.dispatch")
    (link,) = dispatch.links
    assert (link.trace_id, link.span_id) == (job.trace_id, job.span_id)
    assert dispatch.parent_id is None


def test_a_job_that_is_over_is_not_announced(probe):
    """What is made from two timestamps is seen at once anyway."""
    probe.start("gym.job")
    with rollout.job().between(1.0, 2.0):
        pass
    assert not _announce.announce()
    assert [span.name for span in probe.spans] == ["gym.job"]
    assert not _guard.FAILURES


def test_a_job_that_is_not_sampled_is_not_announced(monkeypatch, receiver):
    """What will never be exported is not promised."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    with telewright.start("gym.job"), rollout.job() as job:
        assert not job.on
    assert telewright.stats().made == 0
    assert not receiver.spans


@pytest.mark.usefixtures("patient")
def test_a_job_that_is_killed_has_been_seen(receiver):
    """After a SIGKILL the trace is there: nothing else of the process is."""
    code = """
        import os, signal, time
        import telewright
        from telewright.gym import rollout
        telewright.start("gym.job", metrics=False)
        rollout.job().__enter__()
        while telewright.stats().exported == 0:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    assert subprocess.run(command, timeout=60, check=False).returncode == -9
    (marker,) = receiver.spans
    assert values(marker.attributes) == {STARTED: "gym.job"}
