"""Telemetry that cannot drift: typed, gated, redacted helpers generated from specs."""

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._adopting import adopt
    from telewright._carry import carrier, carry, extract, inject, within
    from telewright._control import flush, select, start, stats, stop
    from telewright._detached import detached
    from telewright._executor import carrying
    from telewright._group import VERSION as __version__  # noqa: N811 - Python's name for it
    from telewright._group import opens
    from telewright._handover import environment
    from telewright._traced import traced
else:
    _HOMES = {
        "adopt": "_adopting",
        "carrier": "_carry",
        "carry": "_carry",
        "carrying": "_executor",
        "detached": "_detached",
        "environment": "_handover",
        "extract": "_carry",
        "flush": "_control",
        "inject": "_carry",
        "opens": "_group",
        "select": "_control",
        "start": "_control",
        "stats": "_control",
        "stop": "_control",
        "traced": "_traced",
        "within": "_carry",
    }

    def __getattr__(name):  # noqa: ANN001, ANN202 - the other branch has the types
        """Load the module that *name* lives in; from then on it is a plain global of this one."""
        if name == "__version__":
            from telewright._group import VERSION

            return VERSION
        if name in {"pages", "testing"}:
            from importlib import import_module

            return import_module(f"telewright.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = f"telewright.{_HOMES[name]}"
        __import__(home)
        found = globals()[name] = getattr(modules[home], name)
        return found


__all__ = [
    "__version__",
    "adopt",
    "carrier",
    "carry",
    "carrying",
    "detached",
    "environment",
    "extract",
    "flush",
    "inject",
    "opens",
    "select",
    "start",
    "stats",
    "stop",
    "traced",
    "within",
]
