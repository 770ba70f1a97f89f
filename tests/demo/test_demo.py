"""The demo: it draws what was exported and nothing else, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from demo.otlp import read

from demo import draw

ROOT = Path(__file__).resolve().parents[2]
MARK = "DEMO_TEST_MARK"


def environment(mark: str, **more: str) -> dict[str, str]:
    """Return an environment that marks every process started with it."""
    return {**os.environ, MARK: mark, "DEMO_ROLLOUTS": "4", "DEMO_PAIRS": "2", **more}


def marked(mark: str) -> list[int]:
    """Return the processes that have *mark* in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Run the whole demo once; return what it printed, its files, and its mark."""
    folder = tmp_path_factory.mktemp("demo")
    mark = str(folder)
    done = subprocess.run(
        [sys.executable, "-m", "demo"],
        cwd=ROOT,
        env=environment(mark, DEMO_FOLDER=str(folder)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, folder, mark


@pytest.mark.long
def test_it_shows_everything_it_promises(demo):
    """Specs are checked, a rollout, the job, a step, starting up, metrics, books, the cost."""
    printed, _, _ = demo
    for title in (
        "Checked ",
        "collected 4 rollouts",
        "trained 3 steps, 2 checkpoints",
        "One rollout: one trace over every process",
        "The job it belongs to",
        "One training step",
        "Starting up",
        "Metrics",
        "The books",
        "The cost: 2 times",
    ):
        assert title in printed
    assert "does not agree" not in printed


def test_it_leaves_no_process_behind(demo):
    """Every process that it started has ended by the time it has."""
    _, _, mark = demo
    assert marked(mark) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found in /proc")
def test_told_to_stop_it_ends_what_it_started(tmp_path):
    """SIGTERM in the middle of the story ends the servers too."""
    mark = str(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "demo"],
        cwd=ROOT,
        env=environment(mark),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(marked(mark)) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(marked(mark)) >= 3
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert marked(mark) == []


def test_the_books_are_the_files(demo):
    """For each process the file holds as many spans as its books say were exported."""
    printed, folder, _ = demo
    export = read(folder)
    rows = printed.partition("The books")[2].splitlines()[2:]
    counted = {}
    for row in rows:
        words = row.split()
        if len(words) != 5:
            break
        counted[words[0]] = [int(word) for word in words[1:]]
    assert set(counted) == {"supervisor", "driver", "trainer", "agent", "model", "verifier"}
    for process, (made, exported, dropped, found) in counted.items():
        assert made == exported + dropped
        assert exported == found == sum(span.process == process for span in export.spans)


def test_an_emptied_file_makes_the_picture_empty(demo, tmp_path):
    """Nothing is drawn from memory: without files there is no picture, and the books disagree."""
    _, folder, _ = demo
    assert len(list(draw.picture(read(folder)))) > 40
    assert list(draw.picture(read(tmp_path))) == []
    shutil.copytree(folder, tmp_path / "copy")
    for file in (tmp_path / "copy").glob("*.jsonl"):
        file.write_text("")
    emptied = read(tmp_path / "copy")
    assert list(draw.picture(emptied)) == []
    told = {"driver": {"made": 9, "exported": 9, "dropped": 0}}
    assert "does not agree" in "\n".join(draw.books(emptied, told))
