"""Runs that are killed, that overlap, and that are watched while they write."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.codegen.write.making import HEADER, batch, holding, tree

from telewright_codegen.diagnostics import Report
from telewright_codegen.write import write

KILLS = 200
NUMBERS = random.Random(20)  # noqa: S311 - moments, not secrets


def _version(mark):
    """Return the files of one version: one holds 5,000 constants, some lie deeper."""
    many = "".join(f'SHOP_ATTRIBUTE_{number}: Final = "{mark}"\n' for number in range(5_000))
    files = {"many.py": f"{HEADER}{many}", f"only_{mark}.py": f"{HEADER}MARK = '{mark}'\n"}
    return files | {f"deep/{name}.py": f"{HEADER}MARK = '{mark}'\n" * 50 for name in "abcdef"}


A, B = _version("a"), _version("b")


def _write(root, files):
    report = Report()
    write([batch(root / "out", files)], report, root=root)
    return report


def _forked(work):
    """Run *work* in a child that leaves nothing of this process behind; return its id."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = os.fork()
    if child == 0:
        try:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                work()
            finally:
                os._exit(0)
        finally:  # it may be interrupted on the way out, too
            os._exit(0)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return child


def _wrong(folder):
    """Return the files that are neither wholly of one version nor of the other."""
    good = {path: {A.get(path), B.get(path)} for path in A.keys() | B.keys()}
    return [
        path
        for path, data in tree(folder).items()
        if not path.rpartition("/")[2].startswith(".telewright-")
        and data.decode() not in good.get(path, ())
    ]


@pytest.mark.long
def test_no_file_is_ever_torn(tmp_path):
    """S01: whenever a run is killed, each file is the whole old or the whole new text."""
    reader, writer = os.pipe()

    def alternate():
        os.write(writer, b".")  # to become a child takes longer than a run, in a large process
        while True:
            _write(tmp_path, A)
            _write(tmp_path, B)

    _write(tmp_path, A)
    started, landed = time.monotonic(), 0
    for _ in range(KILLS):
        child = _forked(alternate)
        os.read(reader, 1)
        time.sleep(NUMBERS.uniform(0.0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert _wrong(tmp_path / "out") == []
        landed += any(".telewright-" in path for path in tree(tmp_path))
    assert landed > KILLS / 50, "hardly any run was killed while it wrote: the test shows nothing"
    os.close(reader)
    os.close(writer)
    assert time.monotonic() > started
    _write(tmp_path, A)
    assert tree(tmp_path / "out") == {path: text.encode() for path, text in A.items()}


def test_runs_that_overlap_leave_one_whole_result(tmp_path):
    """S14: of 20 runs at once with two different specs, one is what remains, unmixed."""
    children = [
        _forked(lambda files=files: [_write(tmp_path, files) for _ in range(3)])
        for files in (A, B) * 10
    ]
    for child in children:
        os.waitpid(child, 0)
    expected = [{path: text.encode() for path, text in files.items()} for files in (A, B)]
    assert tree(tmp_path / "out") in expected


def test_a_killed_run_holds_no_lock(tmp_path):
    """S14: a run that is killed while it holds the folder keeps no other from it."""
    (tmp_path / "out").mkdir()
    reading, writing = os.pipe()

    def hold():
        with holding(tmp_path / "out"):
            os.write(writing, b"!")
            time.sleep(600)

    child = _forked(hold)
    os.read(reading, 1)
    waiting = _forked(lambda: _write(tmp_path, A))
    time.sleep(0.05)
    assert not tree(tmp_path / "out"), "the lock held nobody"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.waitpid(waiting, 0)
    assert tree(tmp_path / "out") == {path: text.encode() for path, text in A.items()}


WATCH = """
import importlib, pathlib, sys
sys.path.insert(0, sys.argv[1])
seen = set()
while not (pathlib.Path(sys.argv[1]) / "stop").exists() or len(seen) < 2:
    for name in [name for name in sys.modules if name.split(".")[0] == "out"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    module = importlib.import_module("out.value")
    assert len({getattr(module, f"V{number}") for number in range(200)}) == 1
    seen.add(module.V0)
for name in ("out.value", "out"):
    del sys.modules[name]
importlib.invalidate_caches()
print(importlib.import_module("out.value").V0)
"""


def test_an_import_never_sees_half_a_module(tmp_path):
    """S15: Python that imports all the while sees one version or the other; the last one at last.

    All versions have the same size, so that only their time tells a compiled file from a stale one.
    """
    versions = [
        {
            "__init__.py": HEADER,
            "value.py": HEADER + "".join(f"V{each} = {value}\n" for each in range(200)),
        }
        for value in (1, 2, 3)
    ]
    _write(tmp_path, versions[0])
    command = [sys.executable, "-c", WATCH, str(tmp_path)]
    watcher = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for number in range(200):
        _write(tmp_path, versions[number % 2])
        time.sleep(0.002)
    _write(tmp_path, versions[2])
    (tmp_path / "stop").touch()
    out, err = watcher.communicate(timeout=60)
    assert (out, err) == ("3\n", "")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_while_files_are_put_in_place(tmp_path, signal_number):
    """S26: a signal in the middle ends the run after all files or before any, never between."""
    _write(tmp_path, A)
    whole = [{path: text.encode() for path, text in files.items()} for files in (A, B)]
    for _ in range(20):
        child = _forked(lambda: [_write(tmp_path, files) for files in (B, A) * 50])
        time.sleep(NUMBERS.uniform(0.001, 0.03))
        os.kill(child, signal_number)
        os.waitpid(child, 0)
        found = tree(tmp_path / "out")
        kept = {path: data for path, data in found.items() if ".telewright-" not in path}
        assert kept in whole


def test_the_folder_can_be_the_working_folder(tmp_path, monkeypatch):
    """A relative output folder is that of the project, wherever the process stands."""
    monkeypatch.chdir(tmp_path)
    report = Report()
    write([batch(Path("out"), {"a.py": HEADER})], report, root=tmp_path)
    monkeypatch.chdir("/")
    write([batch(Path("out"), {"a.py": HEADER, "b.py": HEADER})], report, root=tmp_path)
    assert set(tree(tmp_path / "out")) == {"a.py", "b.py"}
