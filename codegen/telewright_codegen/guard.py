"""Calls of what plug-ins bring: whatever goes wrong there is an error that names them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

_T = TypeVar("_T")

HELP: Final = "report it to those who maintain the plug-in, with what TELEWRIGHT_TRACEBACK=1 prints"
_OURS: Final = __name__.partition(".")[0]
_LONGEST: Final = 200
"""Characters of a message that is somebody else's."""


class PluginError(LookupError):
    """A plug-in cannot be had, or fails; the message says why and names the distributions."""

    help: str | None = None
    """One action."""


class Plugin(NamedTuple):
    """Something that a distribution brings."""

    name: str
    """What it is and who brings it: ``emitter `csv` of `acme-emitter` 1.2.0``."""
    package: str
    """The package, or module, that is nowhere but in this distribution."""

    @contextmanager
    def blamed(self, what: str, call: object = None) -> Generator[None]:
        """Turn what is raised inside into an error that says *what* happened to whom, and where.

        Raises:
            PluginError: Anything was, but an interrupt.
        """
        try:
            yield
        except (Exception, SystemExit, GeneratorExit) as error:
            where = self._place(error, call)
            failure = PluginError(f"{self.name} {what} ({_said(error)}){where}")
            failure.help = HELP
            raise failure from error

    def yielded(
        self, kind: type[_T], call: Callable[..., object], *arguments: object
    ) -> tuple[_T, ...]:
        """Return all that *call* yields.

        Raises:
            PluginError: It fails on the way, or yields what is not of this *kind*.
        """
        with self.blamed("failed", call):
            given = call(*arguments)
            if isinstance(given, (kind, str, bytes)) or not hasattr(given, "__iter__"):
                raise TypeError(f"it must yield {kind.__name__}s, but returned {_kind(given)}")
            found = tuple(cast("Iterable[_T]", given))
            all_are(kind, found, "what it yields")
            return found

    def _place(self, error: BaseException, call: object) -> str:
        """Return the innermost line of the plug-in, or else where *call* is defined."""
        theirs = {self.package, _package(getattr(call, "__module__", ""))} - {_OURS}
        code = getattr(call, "__code__", None)
        where = "" if code is None else f" in {code.co_filename}, line {code.co_firstlineno}"
        step = error.__traceback__
        while step is not None:
            if _package(step.tb_frame.f_globals.get("__name__")) in theirs:
                where = f" in {step.tb_frame.f_code.co_filename}, line {step.tb_lineno}"
            step = step.tb_next
        return where


def typed(value: object, **fields: type) -> None:
    """Refuse a *value* that a plug-in may have made if its *fields* are of other types.

    Raises:
        TypeError: One of them is.
    """
    for name, kind in fields.items():
        all_are(kind, (getattr(value, name),), f"`{name}` of {_kind(value)}")


def all_are(kind: type, values: Iterable[object], what: str) -> None:
    """Refuse *values* that are not all of one *kind*.

    Raises:
        TypeError: One of them is not.
    """
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"{what} must be {kind.__name__}, not {_kind(value)}")


def _kind(value: object) -> str:
    return type(value).__name__


def _package(module: object) -> str:
    return str(module).partition(".")[0]


def _said(error: BaseException) -> str:
    try:
        text = str(error).partition("\n")[0][:_LONGEST]
    except Exception:  # noqa: BLE001  what a plug-in raises may not even be able to say what it is
        text = ""
    return f"{_kind(error)}: {text}" if text else _kind(error)
