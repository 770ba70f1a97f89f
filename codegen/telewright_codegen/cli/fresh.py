"""Whether a command has nothing to do, found out by reading files and comparing hashes.

What a run read and wrote is remembered in `.telewright/`, beside the configuration and ignored by
git. The hashes are of contents, inputs and outputs, so that what a checkout or an editor does to
times changes nothing. In CI none of it is believed. This module imports next to nothing: it is
all that runs when nothing is to do.
"""

# ruff: noqa: PTH100, PTH103, PTH105, PTH108, PTH109, PTH116, PTH118, PTH120, PTH123, PTH208  pathlib is slow
# It takes longer to import than all of this module takes to run.

from __future__ import annotations

import marshal
import os
import sys
from _blake2 import blake2b  # hashlib would load OpenSSL first

from telewright_codegen.nearest import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final, TypedDict

    class _State(TypedDict):
        text: str
        tool: bytes
        folders: dict[str, list[str]]
        files: dict[str, tuple[int, bytes]]


FOLDER: Final = ".telewright"
_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def said(given: Sequence[str]) -> str | None:
    """Return what a command printed when it last had nothing to do, None if it may have now.

    Args:
        given: The arguments of the command, as they were typed.
    """
    file = _state_file(given)
    if file is None:
        return None
    try:
        with open(file, "rb") as stream:
            state: _State = marshal.loads(stream.read())  # noqa: S302  our own file, beside the code that we run
        if (
            state["tool"] == _tool()
            and all(_names(folder) == names for folder, names in state["folders"].items())
            and all(_content(path, seen[0]) == seen for path, seen in state["files"].items())
        ):
            return str(state["text"])
    except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError):
        return None
    return None


def remember(
    given: Sequence[str], text: str, *, files: Iterable[str], folders: Iterable[str]
) -> None:
    """Keep what a run read and wrote, and what it would print if nothing of that changes."""
    file = _state_file(given)
    if file is None:
        return
    folder = os.path.dirname(file)
    try:
        data = marshal.dumps(
            {
                "text": text,
                "tool": _tool(),
                "folders": {path: _names(path) for path in folders},
                "files": {path: _content(path, os.stat(path).st_size) for path in files},
            }
        )
        os.makedirs(folder, exist_ok=True)
        _put(os.path.join(folder, ".gitignore"), b"*\n")
        _put(file, data)
    except (OSError, ValueError):
        return


def _state_file(given: Sequence[str]) -> str | None:
    """Return where this very command keeps its state; None where nothing may be believed."""
    if os.environ.get("CI"):
        return None
    config, specs = _value(given, "--config"), _value(given, "--specs")
    if config is None:
        here = os.getcwd() if specs is None else os.path.dirname(os.path.abspath(specs))
        config = nearest(here)
    if config is None:
        return None
    asked = [
        sys.hexversion,
        os.getcwd(),
        sys.stdout.isatty(),
        os.environ.get("NO_COLOR"),
        os.environ.get("FORCE_COLOR"),
        *given,
    ]
    key = blake2b(repr(asked).encode("utf-8", "replace"), digest_size=8).hexdigest()
    folder = os.path.dirname(os.path.abspath(config))
    return os.path.join(folder, FOLDER, f"generate-{key}")


def _value(given: Sequence[str], option: str) -> str | None:
    """Return what an option is set to, without parsing all the others."""
    found = None
    for argument, following in zip(given, (*given[1:], ""), strict=True):
        if argument == option:
            found = following
        elif argument.startswith(f"{option}="):
            found = argument.partition("=")[2]
    return found


def _tool() -> bytes:
    """Return a hash of the generator's own files: their times, for nobody edits them unnoticed."""
    found = blake2b(digest_size=16)
    folders = [_PACKAGE]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    seen = entry.stat()
                    found.update(f"{entry.path} {seen.st_mtime_ns} {seen.st_size}\n".encode())
    return found.digest()


def _content(path: str, size: int) -> tuple[int, bytes]:
    """Return the size and the hash of a file that had *size*; of its beginning, if it has more."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        data = os.read(descriptor, size + 1)
    finally:
        os.close(descriptor)
    return len(data), blake2b(data, digest_size=16).digest()


def _names(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name not in ("__pycache__", FOLDER))


def _put(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
