"""Whether a command has nothing to do, found out by reading files and comparing hashes.

What a run read and wrote is remembered in `.telewright/`, beside the configuration and ignored by
git. The hashes are of contents, inputs and outputs, so that what a checkout or an editor does to
times changes nothing. In CI none of it is believed. This module imports next to nothing: it is
all that runs when nothing is to do.
"""

# ruff: noqa: PTH100, PTH103, PTH105, PTH109, PTH118, PTH120, PTH123, PTH208
# pathlib takes longer to import than all of this module takes to run.

from __future__ import annotations

import marshal
import os
import sys
from _blake2 import blake2b  # hashlib would load OpenSSL first
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen.nearest import nearest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

FOLDER: Final = ".telewright"
_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FORMAT: Final = 1


def said(options: argparse.Namespace) -> str | None:
    """Return what the command printed when it last had nothing to do, None if it may have now."""
    file = _state_file(options)
    if file is None:
        return None
    try:
        with open(file, "rb") as stream:
            state = cast("dict[str, object]", marshal.loads(stream.read()))  # noqa: S302  our own file, beside the code that we run
        text = state["text"]
        folders = cast("dict[str, list[str]]", state["folders"])
        files = cast("dict[str, bytes]", state["files"])
        if state["tool"] != _tool() or not isinstance(text, str):
            return None
        for folder, names in folders.items():
            if _names(folder) != names:
                return None
        for path, digest in files.items():
            if _digest(path) != digest:
                return None
    except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError):
        return None
    return text


def remember(
    options: argparse.Namespace, text: str, *, files: Iterable[str], folders: Iterable[str]
) -> None:
    """Keep what a run read and wrote, and what it would print if nothing of that changes."""
    file = _state_file(options)
    if file is None:
        return
    folder = os.path.dirname(file)
    try:
        state = {
            "text": text,
            "tool": _tool(),
            "folders": {path: _names(path) for path in folders},
            "files": {path: _digest(path) for path in files},
        }
        os.makedirs(folder, exist_ok=True)
        _put(os.path.join(folder, ".gitignore"), b"*\n")
        _put(file, marshal.dumps(state))
    except (OSError, ValueError):
        return


def _state_file(options: argparse.Namespace) -> str | None:
    """Return where this very command keeps its state; None where nothing may be believed."""
    if os.environ.get("CI"):
        return None
    if options.config is not None:
        config: str | None = os.path.abspath(options.config)
    elif options.specs is not None:
        config = nearest(os.path.dirname(os.path.abspath(options.specs)))
    else:
        config = nearest(os.getcwd())
    if config is None:
        return None
    asked = [
        _FORMAT,
        sys.hexversion,
        config,
        os.getcwd(),
        sys.stdout.isatty(),
        os.environ.get("NO_COLOR", ""),
        os.environ.get("FORCE_COLOR", ""),
        *(f"{name}={value}" for name, value in sorted(vars(options).items())),
    ]
    key = blake2b(repr(asked).encode(), digest_size=8).hexdigest()
    return os.path.join(os.path.dirname(config), FOLDER, f"generate-{key}")


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


def _digest(path: str) -> bytes:
    with open(path, "rb") as stream:
        return blake2b(stream.read(), digest_size=16).digest()


def _names(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name not in ("__pycache__", FOLDER))


def _put(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as stream:
        stream.write(data)
    os.replace(temporary, path)
