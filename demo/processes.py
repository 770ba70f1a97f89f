"""Starting the demo's processes, talking to them, and ending every one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import telewright
from telewright.gym import startup
from telewright.gym.server import ServerType

ROOT: Final = Path(__file__).resolve().parent.parent
PATIENCE: Final = 20.0

SERVERS: Final = {
    "model": ServerType.RESPONSES_API_MODELS,
    "verifier": ServerType.RESOURCES_SERVERS,
    "agent": ServerType.RESPONSES_API_AGENTS,
}


class Process:
    """A child that prints lines, and ends when its standard input does."""

    def __init__(self, module: str, *arguments: str, env: Mapping[str, str]) -> None:
        self.books: dict[str, dict[str, int]] = {}
        self.said: list[str] = []
        self._child: Final = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env={**os.environ, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def line(self) -> str:
        """Return the next line that the child prints."""
        assert self._child.stdout is not None
        text = self._child.stdout.readline()
        if not text:
            raise RuntimeError(f"{self._child.args!r} ended with {self._child.wait()}")
        return text.strip()

    def ask(self, question: str) -> str:
        """Send a line, and return the line that comes back."""
        assert self._child.stdin is not None
        self._child.stdin.write(question + "\n")
        self._child.stdin.flush()
        return self.line()

    def end(self) -> None:
        """Close the child's input, and keep what it says at the end."""
        try:
            out, _ = self._child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        for text in out.splitlines():
            if text.startswith('{"books"'):
                self.books.update(json.loads(text)["books"])
            else:
                self.said.append(text)
        if self._child.returncode:
            raise RuntimeError(f"{self._child.args!r} ended with {self._child.returncode}")

    def kill(self) -> None:
        """End the child at once, if it is still there."""
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()


@contextmanager
def servers(env: Mapping[str, str]) -> Generator[tuple[dict[str, Process], dict[str, str]]]:
    """Start the three servers; yield them, and the variables that say where they are.

    Each is spawned under a span of its own, whose context it finds in its environment: starting up
    is one trace over the supervisor and every server.
    """
    started: dict[str, Process] = {}
    known = dict(env)
    try:
        with startup.supervisor():
            for name, kind in SERVERS.items():
                with startup.server(server_name=name, server_type=kind):
                    parent = {key.upper(): value for key, value in telewright.carrier().items()}
                    process = Process("demo.serve", name, env={**known, **parent})
                    started[name] = process
                    port = process.line().removeprefix("serving ")
                    known[f"DEMO_{name.upper()}"] = f"http://127.0.0.1:{port}"
        yield started, known
        for process in started.values():
            process.end()
    finally:
        for process in started.values():
            process.kill()
