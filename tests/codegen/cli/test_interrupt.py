"""Ctrl-C: no traceback, no finding, and the code that shells know."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def test_an_interrupt_that_a_library_makes_another_error_of_is_130(project: Path) -> None:
    """What pydantic's schemas do: the command still says nothing, and ends as interrupted."""
    program = """
import signal, sys
from telewright_codegen import cli, pipeline

def model(*_):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ValueError("Error building a schema")

if "interrupted" in sys.argv:
    pipeline.model = model
else:
    pipeline.model = lambda *_: 1 / 0
print(cli.main(["check"]), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    for mode, code, error in (("interrupted", "130 True\n", ""), ("other", "2 True\n", "mistake")):
        done = subprocess.run(
            [sys.executable, "-c", program, mode],
            cwd=project,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == code
        assert error in done.stderr
        assert bool(done.stderr) is bool(error)


def test_an_interrupt_is_130(project: Path) -> None:
    """Control-C, whenever it comes, is no traceback and no finding."""
    os.mkfifo(project / "wait")
    code = (
        "import sys\n"
        "from telewright_codegen import cli, pipeline\n"
        "def wait(*_):\n"
        "    open('wait', 'w').close()\n"
        "    while True: pass\n"
        "pipeline.model = wait\n"
        "sys.exit(cli.main(['check']))\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=project, stderr=subprocess.PIPE) as process:
        (project / "wait").read_bytes()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(timeout=30) == 130
        finally:
            process.kill()
        assert process.stderr is not None
        assert not process.stderr.read()


def test_a_second_interrupt_is_130_too(project: Path) -> None:
    """Control-C pressed again, while the first is dealt with or after it, is no traceback."""
    program = """
import signal, sys
from telewright_codegen import __main__

def interrupted():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        if "at once" in sys.argv:
            signal.raise_signal(signal.SIGINT)
    return 130

__main__.main = interrupted
code = __main__.program()
if "later" in sys.argv:
    signal.raise_signal(signal.SIGINT)
sys.exit(code)
"""
    for when in ("at once", "later"):
        command = [sys.executable, "-c", program, when]
        done = subprocess.run(command, cwd=project, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (130, b"")
