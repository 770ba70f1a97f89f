"""What registries declare, read from the data beside generated packages instead of by import."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from telewright._group import PACKAGES
from telewright._guard import LOCK, failed
from telewright._span import PROPAGATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

FILE: Final = "_registry.json"
"""The name of the data beside a generated package."""

_PARTS: Final = ("attributes", "carried", "groups", "presets", "scopes")
"""What a package may declare beyond an older one of the same registry, by name."""

_TRUTHS: Final = {"True": True, "true": True, "False": False, "false": False}
_DATA: Final[dict[str, Mapping[str, Any]]] = {}
_SEEN: Final[set[str]] = set()
_STATE: Final = {"packages": -1}
"""How much was known when the above was last brought up to date."""

_CARRIED: Final[list[tuple[tuple[object, ...], dict[str, Callable[[str], AttributeValue]]]]] = [
    ((-1, -1), {})
]
"""The keys that carriers may take, after how much was known when they were put together."""


def registries() -> Mapping[str, Mapping[str, Any]]:
    """Return the data of every registry this process can know, by name."""
    state = len(PACKAGES)
    if state == _STATE["packages"]:
        return _DATA
    for folder in [folder for folder in _folders() if str(folder) not in _SEEN]:
        try:
            data = json.loads((folder / FILE).read_text("utf-8"))
            name = str(data["registry"])
        except Exception:  # a damaged file costs its registry
            failed("read a registry")
        else:
            with LOCK:
                _DATA[name] = _over(_DATA.get(name, {}), data)
        with LOCK:
            _SEEN.add(str(folder))
    _STATE["packages"] = state
    return _DATA


def _over(known: Mapping[str, Any], newer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what two packages of one registry declare; where they differ, *newer* is right."""
    return {
        **known,
        **newer,
        **{
            part: {**known[part], **newer[part]}
            for part in _PARTS
            if part in known and part in newer
        },
    }


def carried() -> Mapping[str, Callable[[str], AttributeValue]]:
    """Return the keys that carriers may take, each with what turns its text into a value."""
    data = registries()
    state = len(_SEEN), *PROPAGATED
    of, table = _CARRIED[0]
    if state != of:
        known: dict[str, Callable[[str], AttributeValue]] = {}
        for registry in list(data.values()):
            for key, kind in dict(registry.get("carried", {})).items():
                known[key] = READERS.get(kind, _text)
        for key, read in list(PROPAGATED.items()):
            known.setdefault(key, _BY_TYPE.get(read, read))  # it may know a list by `str` alone
        _CARRIED[0] = state, known  # at once: other threads read it meanwhile
        return known
    return table


def groups_and_presets() -> frozenset[str]:
    """Return every name that selects something in a registry, imported or not."""
    names: set[str] = set()
    for name, data in list(registries().items()):
        for short in (*data.get("groups", {}), *data.get("presets", {})):
            bare = str(short).removeprefix(f"{name}.")
            names.update((bare, f"{name}.{bare}"))
    return frozenset(names)


def _folders() -> Iterator[Path]:
    """Yield the folders that hold data: beside the runtime, by entry point, and imported.

    In this order: an owner's package, once imported, is right about its registry.
    """
    for file in sorted(Path(__file__).parent.glob(f"*/{FILE}")):
        yield file.parent
    yield from _entry_points()
    for package in list(PACKAGES):
        module = sys.modules.get(package)
        for place in list(getattr(module, "__path__", ())):
            if (Path(place) / FILE).is_file():
                yield Path(place)


def _entry_points() -> Iterator[Path]:
    if "entry points" in _SEEN:
        return
    _SEEN.add("entry points")
    try:
        from importlib.metadata import entry_points
        from importlib.util import find_spec

        for point in entry_points(group="telewright.registries"):
            spec = find_spec(point.module)
            for place in (spec.submodule_search_locations or ()) if spec is not None else ():
                if (Path(place) / FILE).is_file():
                    yield Path(place)
    except Exception:  # any distribution may have damaged metadata
        failed("look for registries")


def _text(text: str) -> str:
    return text


def _whole(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(text)
    value = int(text)
    if not -(2**63) <= value < 2**63:
        raise ValueError(text)
    return value


def _real(text: str) -> float:
    value = float(text)
    if value - value != 0.0:
        raise ValueError(text)
    return value


def _truth(text: str) -> bool:
    return _TRUTHS[text]


def _list_of(read: Callable[[str], AttributeValue], *kinds: type) -> Callable[[str], Any]:
    def read_all(text: str) -> list[AttributeValue]:
        values: Any = json.loads(text)
        if type(values) is not list or not all(type(one) in kinds for one in values):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - anything
            raise ValueError(text)
        return [read(str(one)) for one in values]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - see above

    return read_all


READERS: Final[dict[str, Callable[[str], AttributeValue]]] = {
    "string": _text,
    "enum": _text,
    "int": _whole,
    "double": _real,
    "boolean": _truth,
    "string[]": _list_of(_text, str),
    "int[]": _list_of(_whole, int),
    "double[]": _list_of(_real, float, int),
    "boolean[]": _list_of(_truth, bool),
}
"""What turns carried text into a value, by the type the specs declare."""

_BY_TYPE: Final[dict[object, Callable[[str], AttributeValue]]] = {
    str: _text,
    int: _whole,
    float: _real,
    bool: _truth,
}
