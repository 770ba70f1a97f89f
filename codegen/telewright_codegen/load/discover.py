"""Which files to read, and their bytes: never a device, never a pipe, never too much."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Final

from telewright_codegen.load.vendored import MARKER as _VENDORED
from telewright_codegen.load.vendored import check as check_vendored
from telewright_codegen.source import Place, SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report

LARGEST: Final = 4 * 1024 * 1024
"""In bytes; the largest file of OpenTelemetry's own registry has a fortieth of it."""
_MORE: Final = 64 * 1024
"""Bytes that are read at once of what has more than its size says."""
SUFFIXES: Final = (".yaml", ".yml")

_OWN: Final = ("registry.yaml", "registry.yml")
MANIFESTS: Final = ("manifest.yaml", "registry_manifest.yaml")
"""What the file is called that makes a folder a registry of OpenTelemetry's."""
_REASONS: Final = {
    errno.ENOENT: "there is no such file or folder",
    errno.EACCES: "it may not be read",
    errno.EPERM: "it may not be read",
    errno.ELOOP: "its symbolic links lead in a circle",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOTDIR: "a part of its path is no folder",
}


def discover(config: Config, report: Report) -> list[SourceFile]:
    """Read the spec files, registry by registry, in an order that depends on names alone."""
    reader = _Reader(config.root, report)
    return reader.folder(config.specs) if config.specs.is_dir() else reader.alone(config.specs)


def registry_folder(folder: Path, root: Path, report: Report) -> list[SourceFile]:
    """Read the files of one registry that is only used, from wherever it is."""
    return list(_Reader(root, report).registry(folder, foreign=True))


def name_of(path: Path, root: Path) -> str:
    """Return what headers and diagnostics call *path*."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def reason(error: OSError) -> str:
    """Return why something cannot be read, in a few words."""
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


class _Reader:
    def __init__(self, root: Path, report: Report) -> None:
        self._root = root
        self._report = report

    def folder(self, folder: Path) -> list[SourceFile]:
        names = self._names(folder)
        if _is_registry(names):
            return list(self.registry(folder))
        found: list[SourceFile] = []
        registries = 0
        for name in names:
            below = folder / name
            if below.is_dir() and not name.startswith(".") and _is_registry(self._names(below)):
                registries += 1
                found += self.registry(below)
        if not registries:
            self._report.error(
                "TW032",
                f"no registry in `{name_of(folder, self._root)}`",
                Place(name_of(folder, self._root), 1, 1),
                help="a registry is a folder with a `registry.yaml`; `telewright init` makes one",
            )
        return found

    def alone(self, path: Path) -> list[SourceFile]:
        if path.suffix not in SUFFIXES and path.is_file():
            name = name_of(path, self._root)
            self._report.error(
                "TW033",
                f"`{name}` is not read",
                Place(name, 1, 1),
                f"names of specs end with {' or '.join(SUFFIXES)}",
            )
            return []
        name = name_of(path, self._root)
        file = self._file(path, name, name)
        return [] if file is None else [file]

    def registry(self, folder: Path, *, foreign: bool = False) -> Iterator[SourceFile]:
        names = self._names(folder)
        manifest = any(name in names for name in MANIFESTS)
        foreign = foreign or manifest or _VENDORED in names
        own = name_of(folder, self._root)
        if _VENDORED in names:
            check_vendored(folder, own, names, self._report)
        ours = any(name in names for name in (*_OWN, _VENDORED))
        for below in _walk(folder) if manifest or (foreign and not ours) else names:
            if below.endswith(SUFFIXES) and not below.rpartition("/")[2].startswith("."):
                name = f"{own}/{below}" if own != "." else below
                file = self._file(folder / below, name, own, foreign=foreign)
                if file is not None:
                    yield file

    def _file(
        self, path: Path, name: str, folder: str, *, foreign: bool = False
    ) -> SourceFile | None:
        try:
            data = self._read(path, name)
        except OSError as error:
            self._report.error(
                "TW030", f"`{name}` cannot be read", Place(name, 1, 1), reason(error)
            )
            return None
        if data is None:
            return None
        file = SourceFile(path, name, data, folder, foreign)
        self._report.files[name] = file
        return file

    def _read(self, path: Path, name: str) -> bytes | None:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                self._report.error(
                    "TW031", f"`{name}` is not a file", Place(name, 1, 1), _kind(found.st_mode)
                )
                return None
            data = os.read(descriptor, min(found.st_size, LARGEST) + 1)
            while len(data) <= LARGEST and (more := os.read(descriptor, _MORE)):
                data += more  # it grew, or does not know its size
        finally:
            os.close(descriptor)
        if len(data) > LARGEST:
            self._report.error(
                "TW020",
                f"`{name}` is too large",
                Place(name, 1, 1),
                f"more than {LARGEST // 1024 // 1024} MiB",
                help="split it into several topics",
            )
            return None
        return data

    def _names(self, folder: Path) -> list[str]:
        try:
            return sorted(os.listdir(folder))  # noqa: PTH208  names are all that is needed
        except OSError as error:
            name = name_of(folder, self._root)
            self._report.error(
                "TW030", f"`{name}` cannot be read", Place(name, 1, 1), reason(error)
            )
            return []


def _is_registry(names: list[str]) -> bool:
    return any(name in names for name in (*_OWN, *MANIFESTS, _VENDORED))


def _walk(folder: Path) -> Iterator[str]:
    """Yield the files below *folder*, relative to it, without following links to folders."""
    start = len(os.path.join(folder, ""))  # noqa: PTH118  with the separator at its end
    for parent, folders, files in os.walk(folder):
        folders.sort()
        below = parent[start:].replace(os.sep, "/")
        for name in sorted(files):
            yield f"{below}/{name}" if below else name


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "this is a folder"
    if stat.S_ISFIFO(mode):
        return "this is a pipe"
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "this is a device"
    return "this is no regular file"
