"""What only recording needs, loaded when the first of it is used and not before.

What is ours comes from the module that it lives in, so that a mistake that is told of while
telemetry is off loads no more than what tells. OpenTelemetry's names come all at once.
"""

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._api import *  # noqa: F403 - what checkers see; at run time the functions below
    from telewright._guard import LOCK, failed, lost, say
    from telewright._nesting import OVER, end, here, is_below
    from telewright._values import (
        HARMLESS,
        LABELS,
        Unfit,
        clean,
        clean_text,
        clean_value,
        identity,
        number,
    )

    def load() -> None:
        """Load every name now."""
else:
    _HOMES = {
        "_guard": ("LOCK", "failed", "lost", "say"),
        "_nesting": ("OVER", "end", "here", "is_below"),
        "_values": (
            "HARMLESS",
            "LABELS",
            "Unfit",
            "clean",
            "clean_text",
            "clean_value",
            "identity",
            "number",
        ),
    }

    def load():  # noqa: ANN202 - the other branch has the types
        """Load every name now."""
        for home in (*_HOMES, "_api"):
            _load(home)

    def _load(home):  # noqa: ANN001, ANN202 - see above
        __import__(f"telewright.{home}")
        module = modules[f"telewright.{home}"]
        names = _HOMES.get(home) or module.__all__
        globals().update((key, getattr(module, key)) for key in names)

    def __getattr__(name):  # noqa: ANN001, ANN202 - see above
        """Load the module that *name* lives in; its names are plain globals of this one then."""
        if name.startswith("__"):
            raise AttributeError(name)
        _load(next((home for home, names in _HOMES.items() if name in names), "_api"))
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None


__all__ = [
    "HARMLESS",
    "LABELS",
    "LOCK",
    "OVER",
    "Unfit",
    "clean",
    "clean_text",
    "clean_value",
    "end",
    "failed",
    "here",
    "identity",
    "is_below",
    "load",
    "lost",
    "number",
    "say",
]
