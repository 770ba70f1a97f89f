"""Accounts of the processes of a run: which of them never closed its books."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import telewright
from telewright import _guard
from tests.runtime.sample import kiln

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.usefixtures("receiver"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]


def child(end, process):
    """Run a process of this run that records a span and ends somehow; return its id."""
    code = f"""
        import os, signal, sys, telewright
        from tests.runtime.sample import kiln
        telewright.start("kiln.firing", process={process!r}, metrics=False)
        with kiln.heat():
            pass
        print(os.getpid(), flush=True)
        {end}
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env=telewright.environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return int(done.stdout)


def accounts(folder):
    """Return the accounts in a folder, by process."""
    found = [json.loads(file.read_text()) for file in folder.glob("*.json")]
    return {one["pid"]: one for one in found}


def test_the_first_process_names_those_that_never_closed_their_books(tmp_path, caplog):
    """One ends as it should, one by `os._exit`, one by SIGKILL: `stats` and a line name two.

    What is left in the folder in the end are the accounts of these two.
    """
    telewright.start("kiln.firing", books=tmp_path / "books", metrics=False)
    well = child("pass", "worker")
    left = child("os._exit(0)", "worker")
    killed = child("os.kill(os.getpid(), signal.SIGKILL)", "loader")
    host = accounts(tmp_path / "books")[os.getpid()]["host"]
    named = (f"loader {killed} on {host}", f"worker {left} on {host}")
    assert telewright.stats().unclosed == named
    found = accounts(tmp_path / "books")
    assert {pid for pid, one in found.items() if one["closed"]} == {well}
    assert (found[well]["made"], found[well]["exported"]) == (1, 1)
    telewright.stop()
    assert f"2 processes never closed their books: {', '.join(named)}" in caplog.text
    assert telewright.stats().unclosed == named
    assert accounts(tmp_path / "books").keys() == {left, killed}
    assert len(list((tmp_path / "books").iterdir())) == 2


def test_a_kill_costs_what_the_schedule_had_not_sent(tmp_path, receiver, monkeypatch):
    """What a round of the schedule exported stays; what came after it is lost, and known to be."""
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    telewright.start("kiln.firing", books=tmp_path, metrics=False)
    killed = child(
        "import time\n"
        "        while telewright.stats().exported < 1: time.sleep(0.01)\n"
        "        late = [kiln.heat() for _ in range(3)]\n"
        "        for span in late:\n"
        "            with span: pass\n"
        "        os.kill(os.getpid(), signal.SIGKILL)",
        "worker",
    )
    assert 1 <= len(receiver.spans) <= 4
    assert [name.split()[1] for name in telewright.stats().unclosed] == [str(killed)]


def _work(end):
    with kiln.heat():
        pass
    if end:
        os._exit(end)


def test_children_that_are_forked_have_accounts_of_their_own(tmp_path):
    """One of `multiprocessing` closes its own at its end; one that leaves early is named."""
    telewright.start("kiln.firing", books=tmp_path, metrics=False)
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=_work, args=(end,)) for end in (0, 3)]
    for one in children:
        one.start()
    for one in children:
        one.join()
    (named,) = telewright.stats().unclosed
    assert named.startswith(f"process {children[1].pid} on ")
    telewright.stop()


def test_a_process_that_runs_is_not_named(tmp_path):
    """Only what is over, or what nobody here can know of, is missing anything."""
    telewright.start("kiln.firing", books=tmp_path, run_id="r", metrics=False)
    (own,) = accounts(tmp_path).values()
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    others = {
        "mine": {**own, "pid": sleeper.pid, "began": None},
        "far": {**own, "host": "elsewhere", "name": "policy_worker"},
        "past": {**own, "run": "another", "host": "elsewhere"},
    }
    for name, one in others.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(one))
    (tmp_path / "damaged.json").write_text("{")
    assert telewright.stats().unclosed == (f"policy_worker {own['pid']} on elsewhere",)
    sleeper.kill()
    zombies = _are_told_apart(sleeper)
    assert len(telewright.stats().unclosed) == 1 + zombies
    sleeper.wait()
    assert len(telewright.stats().unclosed) == 2
    telewright.stop()


@pytest.mark.skipif(not Path("/proc").exists(), reason="no file says when a process began")
def test_a_process_whose_id_was_given_away_again_is_named(tmp_path):
    """Another process that runs under a dead one's id is not taken for it; itself it is known.

    An account of an older version, which does not say when its process began, stays readable.
    """
    telewright.start("kiln.firing", books=tmp_path, metrics=False)
    heir = begun("heir")
    killed = child("os.kill(os.getpid(), signal.SIGKILL)", "worker")
    (file,) = tmp_path.glob(f"*-{killed}-*.json")
    said = {**json.loads(file.read_text()), "pid": heir.pid}
    file.write_text(json.dumps(said))
    assert telewright.stats().unclosed == (f"worker {heir.pid} on {said['host']}",)
    del said["began"]
    file.write_text(json.dumps(said))
    assert telewright.stats().unclosed == ()
    told(heir)


def _are_told_apart(process):
    """Wait until a process has ended; say whether that is seen before its parent was told."""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    return Path("/proc").exists()


def begun(process):
    """Begin a child that ends when it is told to; return it when it has recorded."""
    code = f"""
        import sys, telewright
        from tests.runtime.sample import kiln
        telewright.start("kiln.firing", process={process!r}, metrics=False)
        with kiln.heat():
            pass
        print("on", flush=True)
        sys.stdin.readline()
    """
    started = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env=telewright.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout.readline() == "on\n"
    return started


def told(process):
    """Tell a child to end, and wait until it has."""
    process.communicate("\n", timeout=60)
    assert process.returncode == 0


def test_who_closes_after_the_first_leaves_nothing_behind(tmp_path, caplog):
    """The first process is not the last: the accounts of those that still run stay until then."""
    telewright.start("kiln.firing", books=tmp_path, metrics=False)
    early, late = begun("worker"), begun("worker")
    told(early)
    telewright.stop()
    assert accounts(tmp_path).keys() == {late.pid}
    assert "never closed" not in caplog.text
    told(late)
    assert list(tmp_path.iterdir()) == []


def test_a_first_process_that_was_killed_leaves_its_own_alone(tmp_path, receiver):
    """Nobody will read what closes after it, so that goes; what never closed is named."""
    telewright.start("kiln.firing", books=tmp_path, metrics=False, run_id="r")
    env = telewright.environment()
    telewright.stop()  # its account goes, so that the driver below is the first of the run
    assert list(tmp_path.iterdir()) == []
    code = """
        import os, subprocess, sys, telewright
        telewright.start("kiln.firing", process="driver", metrics=False)
        child = "import os, telewright; telewright.start('kiln.firing', metrics=False); "
        ends = "print(os.getpid(), flush=True); os.read(0, 1)"
        print(os.getpid(), flush=True)
        subprocess.run([sys.executable, "-c", child + ends])
    """
    running = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    driver, worker = (int(running.stdout.readline()) for _ in range(2))
    running.kill()
    running.wait(60)
    assert accounts(tmp_path).keys() == {driver, worker}
    running.stdin.close()
    assert running.stdout.read() == ""  # the worker has ended as well
    with telewright.start("kiln.firing", books=tmp_path, metrics=False, run_id="r"):
        (named,) = telewright.stats().unclosed
    assert named.startswith(f"driver {driver} on ")
    assert accounts(tmp_path).keys() == {driver}
    assert receiver.spans == []


def test_accounts_of_another_run_stay(tmp_path):
    """Closed or not: who begins a run in the same folder leaves them alone."""
    (tmp_path / "old.json").write_text('{"run": "a", "host": "h", "pid": 1, "closed": true}')
    with telewright.start("kiln.firing", books=tmp_path, run_id="b", metrics=False):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["old.json"]


def test_what_cannot_be_removed_is_told(tmp_path, monkeypatch, caplog):
    """The account stays, closed, and the process ends as it would."""

    def fails(_path, **_given):
        raise PermissionError

    with telewright.start("kiln.firing", books=tmp_path, metrics=False):
        monkeypatch.setattr(Path, "unlink", fails)
    assert accounts(tmp_path)[os.getpid()]["closed"]
    assert caplog.text.count("could not remove the account of a process") == 1


def test_a_folder_that_cannot_be_costs_the_account(tmp_path, caplog):
    """Telemetry runs without; the failure is counted and told once."""
    (tmp_path / "file").write_text("")
    with telewright.start("kiln.firing", books=tmp_path / "file", metrics=False), kiln.heat():
        pass
    assert telewright.stats().exported == 1
    assert telewright.stats().unclosed == ()
    assert _guard.FAILURES["write the account of a process"] == 2
    assert "could not write the account of a process" in caplog.text


def test_without_a_folder_there_are_no_accounts(tmp_path, monkeypatch):
    """Nothing is written, and nobody is named."""
    monkeypatch.chdir(tmp_path)
    with telewright.start("kiln.firing", metrics=False):
        assert telewright.stats().unclosed == ()
    assert not list(tmp_path.iterdir())
