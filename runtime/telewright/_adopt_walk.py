"""Finding what exports below a provider of somebody else's, whatever its objects do when asked.

Nobody can ask a provider for its processors, so whatever it holds is looked at. An object of
somebody else's may raise for anything, even for what class it is of; it is named then.
"""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

_DEEPEST: Final = 12
_COLLECTIONS: Final = (list, tuple, set, frozenset)


class Signal(NamedTuple):
    """What the way of one signal is made of: provider, processors, exporters."""

    sinks: type
    """What exports."""

    judged: str
    """The method of a sink that is given everything that leaves."""

    provider: type
    processor: type
    takes: str
    """The method of a processor that is given what has ended; who has it is one, of any class."""

    adds: str
    """The method of a provider, or of a processor, that is given another one."""


class Walk:
    """Everything below one object that exports, and everything that may hide how it does.

    Attributes:
        found: The outermost of what exports.
        doors: What can be given something more that exports.
        hidden: What cannot be reached, by name.
    """

    def __init__(self, signal: Signal) -> None:
        self.found: Final[list[Any]] = []
        self.doors: Final[list[Any]] = []
        self.hidden: Final[list[str]] = []
        self._signal: Final = signal
        self._seen: Final[dict[int, bool]] = {}
        self._closed: Final[set[int]] = set()

    def visit(self, one: object, depth: int = 0) -> bool:
        """Say whether *one* leads to what exports, and remember all of that."""
        if id(one) in self._seen:
            return self._seen[id(one)]
        self._seen[id(one)] = True  # whoever holds itself is asked once
        signal = self._signal
        if self._is(one, signal.sinks):
            self.found.append(one)
            return True
        if callable(self._ask(one, getattr, one, signal.adds, None)):
            self.doors.append(one)
        parts = [part for part in self._parts(one) if self._leads(part)]
        if depth == _DEEPEST:
            self._close(one) if parts else None
            return False
        led = [self.visit(part, depth + 1) for part in parts]
        reached = any(led)
        passes_on = any(self._is_processor(part) or self._is_provider(part) for part in parts)
        if not (reached or passes_on) and self._hides(one):
            self.hidden.append(name_of(one))
        self._seen[id(one)] = reached
        return reached

    def _leads(self, part: object) -> bool:
        return _module(part) != "builtins" and (  # of which there may be a million
            _is_sdk(part)
            or self._is(part, self._signal.sinks)
            or self._is_processor(part)
            or self._is_provider(part)
        )

    def _is_processor(self, one: object) -> bool:
        return self._is(one, self._signal.processor) or self._takes(one) is not None

    def _is_provider(self, one: object) -> bool:
        return self._is(one, self._signal.provider)

    def _takes(self, one: object) -> object:
        """Return what the class of *one* does with what has ended."""
        kind = type(one)
        return self._ask(one, getattr, kind, self._signal.takes, None)

    def _hides(self, one: object) -> bool:
        """Say whether *one*, below which nothing was found, may export all the same.

        OpenTelemetry's own providers and lists of processors do not, nor do processors that do
        nothing with what has ended.
        """
        if not self._is_processor(one):
            return self._is_provider(one) and not _module(one).startswith("opentelemetry.")
        if _is_sdk(one):
            return not any(one is door for door in self.doors)
        return self._takes(one) is not getattr(self._signal.processor, self._signal.takes)

    def _parts(self, one: object) -> Iterator[object]:
        """Yield what *one* holds, itself or in a collection."""
        held: list[object] = self._ask(one, _attributes, one) or []
        slots: list[str] = self._ask(one, _slots, type(one)) or []
        held += [self._ask(one, getattr, one, name, None) for name in slots]
        for part in held:
            if issubclass(type(part), _COLLECTIONS):
                yield from self._ask(part, list, part) or ()
            else:
                yield part

    def _is(self, one: object, kind: type) -> bool:
        return self._ask(one, isinstance, one, kind) is True

    def _ask(self, one: object, question: Callable[..., Any], *said: object) -> Any:  # noqa: ANN401 - whatever the question has for an answer
        """Ask a question about *one*; if that raises, *one* cannot be looked into."""
        try:
            return question(*said)
        except Exception:
            self._close(one)
            return None

    def _close(self, one: object) -> None:
        if id(one) not in self._closed:
            self._closed.add(id(one))
            self.hidden.append(f"{name_of(one)}, which cannot be looked into")


def _attributes(one: object) -> list[object]:
    return list(getattr(one, "__dict__", {}).values())


def _slots(kind: type) -> list[str]:
    said = [vars(one).get("__slots__", ()) for one in kind.__mro__]
    return [name for slots in said for name in ((slots,) if isinstance(slots, str) else slots)]


def _module(one: object) -> str:
    try:
        return str(type(one).__module__)
    except Exception:  # a metaclass may raise
        return ""


def _is_sdk(one: object) -> bool:
    return _module(one).startswith("opentelemetry.sdk")


def name_of(one: object) -> str:
    """Return the name of the class of *one*, if that can be had."""
    try:
        return str(type(one).__qualname__)
    except Exception:  # a metaclass may raise
        return "something"
