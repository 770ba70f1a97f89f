"""Whether a folder of somebody else's names is as it was copied: its hash stands beside them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen.source import Place, SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from telewright_codegen.diagnostics import Report

MARKER: Final = "vendored.json"
"""The file that says a folder is somebody else's."""
CHANGED: Final = "TW037"
"""What is said of a folder that was changed."""
LICENCE: Final = "LICENSE"
"""What lies beside the names and is not made of them."""

_HASH: Final = re.compile(r'"sha256"\s*:\s*"([0-9a-f]{64})"')


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return one hash of names and contents, in the order of the names; the marker is left out."""
    from hashlib import sha256  # noqa: PLC0415  it loads OpenSSL

    whole = sha256()
    for name, data in sorted(files):
        if name != MARKER:
            whole.update(f"{name}\0{len(data)}\0".encode())
            whole.update(data)
    return whole.hexdigest()


def check(folder: Path, own: str, names: Sequence[str], report: Report) -> None:
    """Report a copied folder that was changed since.

    Args:
        folder: Where it is.
        own: What diagnostics call it.
        names: What lies in it.
        report: Where findings go.
    """
    marker = folder / MARKER
    try:
        data = marker.read_bytes()
        said: object = json.loads(data)
        files = [(name, _content(folder / name)) for name in names if _counts(folder / name)]
    except (OSError, ValueError):
        return
    wanted = cast("dict[str, object]", said).get("sha256") if isinstance(said, dict) else None
    if wanted is None or digest(files) == wanted:
        return
    name = f"{own}/{MARKER}" if own != "." else MARKER
    report.files[name] = SourceFile(marker, name, data)
    report.error(
        CHANGED,
        f"`{own}` is not what was copied",
        _place(name, data.decode()),
        "the hash of its files is another one",
        help="copy it again with `telewright vendor`, and declare names of your own elsewhere",
    )


def _counts(path: Path) -> bool:
    return path.name not in {MARKER, LICENCE} and not path.name.startswith(".") and path.is_file()


def _content(path: Path) -> bytes:
    """Return what a file holds, with the line ends that it was written with."""
    return path.read_bytes().replace(b"\r\n", b"\n")


def _place(name: str, text: str) -> Place:
    found = _HASH.search(text)
    if found is None:
        return Place(name, 1, 1)
    line = text.count("\n", 0, found.start()) + 1
    return Place(name, line, found.start() - text.rfind("\n", 0, found.start()), len('"sha256"'))
