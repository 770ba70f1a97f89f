"""Instruments: what is recorded, once or each time, by whom, and within which limits."""

from __future__ import annotations

import threading
import time
import tracemalloc
import uuid

import pytest

from telewright import _guard
from telewright._instrument import Once
from telewright.base import OnceCounter
from telewright.gym import checkpoint
from telewright.gym.checkpoint import CheckpointEvent
from telewright.testing import captured
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import FaultCode, Mishap, Stage


@pytest.mark.behaviour("B142")
def test_a_thing_is_counted_once(probe):
    """However often it is told; another thing, or another label, is another."""
    probe.start()
    for batch in ("b1", "b1", "b2", "b1"):
        kiln.pots.add(10, stage=Stage.GLAZE, batch=batch)
    kiln.pots.add(1, stage=Stage.COOL, batch="b1")
    assert probe.points("kiln.pots_total") == {("glaze",): 20, ("cool",): 1}


@pytest.mark.behaviour("B142")
@pytest.mark.parametrize("batch", [7, b"abc", b"\xff", uuid.uuid4(), "numpy"])
def test_a_thing_is_counted_once_whatever_its_id_is(probe, batch):
    """A number of numpy, bytes or a UUID as well as a text."""
    if batch == "numpy":
        batch = pytest.importorskip("numpy").int64(7)
    probe.start()
    for _ in range(3):
        kiln.pots.add(10, stage=Stage.GLAZE, batch=batch)
    assert probe.points("kiln.pots_total") == {("glaze",): 10}
    assert not _guard.VALUES


@pytest.mark.behaviour("B142")
def test_what_differs_only_in_the_names_of_its_labels_is_counted_apart():
    """One value under one label or under another: two combinations, with one id."""
    with captured() as telemetry:
        for label in ("phase", "disposition", "phase"):
            event = {"event": CheckpointEvent.LEASE_EXPIRED, "checkpoint_id": "c", label: "other"}
            checkpoint.events.add(**event)
    points = telemetry.points("gym.checkpoint.events_total")
    assert {tuple(point.attributes)[1]: point.value for point in points} == {
        "nemo.gym.checkpoint.phase": 1,
        "nemo.gym.checkpoint.disposition": 1,
    }


@pytest.mark.behaviour("B142")
def test_long_ids_count_once_and_take_no_room(probe):
    """However long they are, ids that differ are told apart by as much as a short one takes."""
    probe.start()
    tracemalloc.start()
    try:
        for _ in range(2):
            for number in range(100):
                kiln.pots.add(1, stage=Stage.GLAZE, batch=f"{'x' * 100_000}{number}")
        held, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert probe.points("kiln.pots_total") == {("glaze",): 100}
    assert held < 1_000_000


@pytest.mark.behaviour("B142")
def test_only_the_members_that_say_so_are_counted_once(probe):
    """One metric holds events that happen once for an id and events that may happen again."""
    probe.start()
    for _ in range(3):
        kiln.mishaps.add(mishap=Mishap.DOOR_OPENED, batch="b1")
        kiln.mishaps.add(mishap=Mishap.GAS_LOW)
    assert probe.points("kiln.mishaps_total") == {("door_opened",): 1, ("gas_low",): 3}


def test_an_event_is_not_lost_for_want_of_an_id(probe):
    """An id that is missing or unfit is counted as a failure, and the event each time."""
    probe.start()
    for batch in (None, object(), None):
        kiln.mishaps.add(mishap=Mishap.DOOR_OPENED, batch=batch)
    assert probe.points("kiln.mishaps_total") == {("door_opened",): 3}
    assert _guard.VALUES["no_id"] == 3


def test_a_value_that_is_refused_is_not_remembered(probe):
    """A later, good value of the same thing still counts."""
    probe.start()
    for value in (float("nan"), -1, "x", 5, 5):
        kiln.pots.add(value, stage=Stage.GLAZE, batch="b")
    assert probe.points("kiln.pots_total") == {("glaze",): 5}


def test_counting_once_is_exact_under_threads(probe):
    """Eight threads that tell of the same things count each once."""
    probe.start()

    def work():
        for number in range(2000):
            kiln.pots.add(1, stage=Stage.GLAZE, batch=f"t{number}")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert probe.points("kiln.pots_total") == {("glaze",): 2000}


def test_counting_once_is_atomic():
    """Between the look and the note there is room for no other thread."""

    class Slow(set):
        def __contains__(self, key):
            found = super().__contains__(key)
            time.sleep(0.01)
            return found

    once = Once()
    once._new, answers = Slow(), []
    threads = [
        threading.Thread(target=lambda: answers.append(once.first(("k",)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False, False, False, True]


def test_once_remembers_a_bounded_number():
    """At least as many as it was told, at most twice as many."""
    once = Once(100)
    assert sum(once.first((str(number),)) for number in range(10_000)) == 10_000
    assert len(once._new) + len(once._old) <= 200
    assert not any(once.first((str(number),)) for number in range(9_900, 10_000))


def test_what_was_counted_before_the_last_ones_is_remembered_as_well():
    """A key that makes room for others is known until as many again have come."""
    once = Once(2)
    assert [once.first((key,)) for key in "abc"] == [True] * 3
    assert [once.first((key,)) for key in "bca"] == [False, False, False]
    assert [once.first((key,)) for key in "defg"] == [True] * 4
    assert once.first(("a",))


def test_how_much_is_remembered_is_declared():
    """`remember:` is the size of that memory."""
    counter = OnceCounter(groups.REGISTRY, "kiln.x", unit="1", brief="x", remember=7)
    groups.REGISTRY.instruments.remove(counter)
    assert counter._once._size == 7


def test_recording_while_the_lock_is_held_does_not_hang():
    """A finalizer or a signal handler runs in the thread that holds it."""
    done = threading.Event()

    def handler():
        with _guard.LOCK:
            Once().first(("x",))
            _guard.failed("test")
        done.set()

    threading.Thread(target=handler, daemon=True).start()
    assert done.wait(5)


@pytest.mark.behaviour("B162", "B164")
def test_open_enumerations_overflow_to_their_member(probe):
    """A code that is no member is the overflow as a label, whatever it says."""
    probe.start()
    for code in (FaultCode.TIMEOUT, "timeout", "agent:odd", "agent:other", 3, []):
        kiln.faults.add(code=code)
    assert probe.points("kiln.faults_total") == {("timeout",): 2, ("other",): 4}


@pytest.mark.behaviour("B162", "B165")
def test_what_is_no_member_of_a_closed_enumeration_is_other(probe):
    """Free text never becomes a label."""
    probe.start()
    kiln.firing_ms.record(3.0, stage="my secret", outcome="ok")
    assert probe.counts("kiln.firing_ms") == {("_OTHER", "ok"): 1}
    assert _guard.VALUES["not_a_member"] == 1


@pytest.mark.behaviour("B147")
@pytest.mark.parametrize("process", ["apprentice", "master"])
def test_one_role_writes_what_is_its_own(probe, process):
    """A gauge of the whole has one writer; elsewhere the call does nothing."""
    probe.start(process=process)
    kiln.temperature.set(950.5)
    assert probe.points("kiln.temperature") == ({(): 950.5} if process == "master" else {})


@pytest.mark.behaviour("B207")
def test_a_process_without_a_role_writes_everything(probe):
    """A rule about roles mutes nobody who has none."""
    probe.start()
    kiln.temperature.set(1)
    assert probe.points("kiln.temperature") == {(): 1.0}


def test_a_sum_goes_up_and_down(probe):
    """An up-down counter takes negative numbers, a counter does not."""
    probe.start()
    kiln.loaded.add(5)
    kiln.loaded.add(-2)
    kiln.faults.add(-1, code="timeout")
    assert probe.points("kiln.loaded") == {(): 3}
    assert probe.points("kiln.faults_total") == {}
    assert _guard.VALUES == {"negative": 1}


@pytest.mark.behaviour("B132", "B134", "B184")
@pytest.mark.parametrize("value", [True, float("nan"), float("inf"), 2**70, "3", None, 1.5, [1]])
def test_what_is_no_whole_number_costs_the_point(probe, value):
    """A truth value is no number; the next good value counts."""
    probe.start()
    kiln.loaded.add(value)
    kiln.loaded.add(1)
    assert probe.points("kiln.loaded") == {(): 1}
    assert sum(_guard.VALUES.values()) == 1


def test_numbers_have_the_declared_type(sdk_probe):
    """A series never changes its type: what is declared whole is an int, all else a float."""
    sdk_probe.start()
    kiln.loaded.add(2.0)
    kiln.temperature.set(3)
    (loaded,) = sdk_probe._data_points("kiln.loaded")
    (temperature,) = sdk_probe._data_points("kiln.temperature")
    assert (type(loaded.value), type(temperature.value)) == (int, float)


@pytest.mark.behaviour("B163")
def test_series_have_a_limit(probe):
    """What would be one series too many joins the overflow; those that are, stay."""
    probe.start()
    for town in ("a", "b", "c", "d", "e", "a"):
        kiln.visitors.add(town=town)
    assert probe.points("kiln.visitors_total") == {("a",): 2, ("b",): 1, ("c",): 1, ("_OTHER",): 2}
    assert _guard.VALUES["series_limit"] == 2


@pytest.mark.behaviour("B047")
def test_gates_may_flip_while_threads_work(probe):
    """Nothing raises and nothing fails while telemetry is switched on and off."""
    stop, raised = threading.Event(), []

    def work():
        try:
            while not stop.is_set():
                with kiln.fire(Stage.GLAZE, batch="b", kind="k") as firing:
                    with kiln.heat(), kiln.write() as write:
                        write.set(lines=1)
                    firing.set(shelves=1)
                kiln.pots.add(1, stage=Stage.GLAZE, batch="c")
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(50):
            probe.start("kiln.firing")
            probe.start("default", metrics=False)
            probe.close()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not raised
    assert not _guard.FAILURES
