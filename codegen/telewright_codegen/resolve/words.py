"""Words that Python, file systems and the runtime have taken."""

from __future__ import annotations

import keyword
from typing import Final

KEYWORDS: Final = frozenset(keyword.kwlist)
"""Those of Python 3.11, 3.12 and 3.13 alike; soft keywords are ordinary names."""

BUILTINS: Final = frozenset(
    [
        "abs",
        "aiter",
        "all",
        "anext",
        "any",
        "ascii",
        "bin",
        "bool",
        "breakpoint",
        "bytearray",
        "bytes",
        "callable",
        "chr",
        "classmethod",
        "compile",
        "complex",
        "copyright",
        "credits",
        "delattr",
        "dict",
        "dir",
        "divmod",
        "enumerate",
        "eval",
        "exec",
        "exit",
        "filter",
        "float",
        "format",
        "frozenset",
        "getattr",
        "globals",
        "hasattr",
        "hash",
        "help",
        "hex",
        "id",
        "input",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "license",
        "list",
        "locals",
        "map",
        "max",
        "memoryview",
        "min",
        "next",
        "object",
        "oct",
        "open",
        "ord",
        "pow",
        "print",
        "property",
        "quit",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "setattr",
        "slice",
        "sorted",
        "staticmethod",
        "str",
        "sum",
        "super",
        "tuple",
        "type",
        "vars",
        "zip",
    ]
)
"""A list of our own, so that the Python that generates decides nothing."""

MODULE: Final = frozenset(
    ["Final", "GATE", "METRICS", "OFF", "REGISTRY", "SCOPE_OFF", "TRACES", "TYPE_CHECKING"]
)
"""What every generated module may define or read, and so nothing else in it can be called."""

MODULE_NAMES: Final = frozenset(["groups"])
"""Modules that every generated package has."""

REGISTRY_NAMES: Final = frozenset(["base", "testing"])
"""Modules of the runtime that packages of registries stand beside."""

SELECTION: Final = frozenset(["all", "none"])
"""Words of the language in which people select groups."""


def is_taken(word: str) -> bool:
    """Return whether *word* is a keyword or a builtin of Python."""
    return word in KEYWORDS or word in BUILTINS
