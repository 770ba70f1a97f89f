"""A package of the shape of ours that does nothing: what Python itself takes of an import.

It has as many modules, reads the same code without running it, and makes as many classes, all
empty. No rewriting of what our modules do gets below it; fewer modules, or classes, would.
"""

from __future__ import annotations

import compileall
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from re import sub
from textwrap import indent
from typing import Final

import telewright

_FUTURE: Final = "from __future__ import annotations\n"

_SHAPE: Final = """
import enum, gc, json, os, re, sys, time
before = set(sys.modules)
{statement}
kinds = [kind for kind in gc.get_objects() if isinstance(kind, type)]
shape = {{}}
for name in [name for name in sys.modules if name not in before]:
    ours = [kind for kind in kinds if kind.__module__ == name]
    shape[name] = [len(ours), sum(issubclass(kind, str) for kind in ours)]
print(json.dumps(shape))
"""


def write(folder: Path, statement: str) -> str:
    """Write what *statement* imports, hollow, below *folder*; return what imports all of that."""
    command = [sys.executable, "-c", _SHAPE.format(statement=statement)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shape: dict[str, tuple[int, int]] = json.loads(done.stdout)
    root = Path(telewright.__file__).parent
    for name, (classes, texts) in shape.items():
        if name.split(".")[0] != telewright.__name__:
            continue
        path = root.joinpath(*name.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        place = folder / path.relative_to(root.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(_hollow(path.read_text(), classes - texts, texts)))
    compileall.compile_dir(folder, quiet=1)
    return f"import sys; sys.path.insert(0, {str(folder)!r}); import {', '.join(shape)}"


def _hollow(code: str, classes: int, texts: int) -> Iterator[str]:
    """Yield a module that has *code* and does not run it, and so many classes."""
    if _FUTURE in code:
        yield _FUTURE
    yield "def never():\n"
    inner = sub(r"(?m)^ *from \S+ import \*.*$", "", code.replace(_FUTURE, ""))
    yield indent(inner, "    ") + "\n    pass\n"
    yield "class Base:\n    __slots__ = ()\n" if classes else ""
    for place in range(1, classes):
        yield f"class Class{place}(Base):\n    __slots__ = ()\n"
    for place in range(texts):
        yield f"class Text{place}(str):\n    __slots__ = ()\n"
