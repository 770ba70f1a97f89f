"""What another process is handed to go on here: settings, run, current span and open scopes.

It is an environment: every setting has a variable, and the W3C's names for headers are variables
in capitals. A process that is spawned finds it in its own, any other is sent it as a mapping.
"""

from __future__ import annotations

import os
import sys
from contextvars import copy_context
from operator import attrgetter
from pathlib import Path
from types import MethodType

from telewright._carry import NAMES, carrier, within
from telewright._guard import failed, say
from telewright._resumed import is_of_kind, resumed
from telewright._span import PROCESS
from telewright._taken import FALLBACK, PREFIX, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextvars import Context
    from typing import Any, Final, TypeVar

    from telewright._settings import Settings

    S = TypeVar("S", bound="_Stand")

_SECRET: Final = ("HEADERS", "KEY")
"""What the names of variables end with whose values are secrets."""

_OF_ONE_PROCESS: Final = ("OFF", "PROCESS", "RESOURCE", "SERVICE", "STRICT")
"""Our variables that are about the process that has them, and not about its run."""

_LONGEST: Final = 131_072
"""Bytes of one variable that Linux starts no process with."""

_LEFT_OUT: Final[list[str]] = []
"""The variables of which it was said last that they cannot be."""


def environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process that goes on here, for ``Popen(env=...)``.

    It has the settings and the run id, which ``telewright.start`` finds, and the current span and
    the open scopes, which ``telewright.within(os.environ)`` continues. With telemetry off it is a
    copy of *base*.

    Args:
        base: What else the process is to have, and what wins unless it is empty, or a setting of
            ours that only this process was told; else the environment of this one.
    """
    variables = dict(os.environ)
    try:
        variables = variables if base is None else dict(base)
        handed = settings_variables()
        here = carrier()
        if here:  # what was inherited is not what is current
            variables = {key: text for key, text in variables.items() if key.lower() not in NAMES}
        said = {key: text for key, text in variables.items() if text or key not in handed}
        ours = {key: text for key, text in handed.items() if _was_inherited(key, said, handed)}
        return {**handed, **said, **ours, **{key.upper(): text for key, text in here.items()}}
    except Exception:
        failed("hand telemetry over")
        return variables


def _was_inherited(key: str, said: Mapping[str, str], handed: Mapping[str, str]) -> bool:
    """Say whether *said* has one of our variables as this process has it, which may run otherwise.

    It was started with another run id, or has selected other groups since.
    """
    ours = key.startswith(f"{handed[PREFIX]}_")
    return ours and said.get(key) == os.environ.get(key)


_KNOWN: Final[list[tuple[Settings, dict[str, str]]]] = []
"""The variables of the settings that run now; they do not change while those do."""


def settings_variables() -> dict[str, str]:
    """Return the variables that say what this process was started with; none if it was not.

    A forked child that has not recorded anything was started as its parent was. Nor are there any
    where somebody else had set telemetry up, and it was joined: they do so in each process.
    """
    from telewright import _start

    settings, pipeline = _start.STATE.settings, _start.STATE.pipeline
    fork = sys.modules.get("telewright._fork")
    if settings is None and fork is not None:
        settings = fork.inherited()
    if settings is None or (pipeline is not None and pipeline.adopted):
        return {}
    known = next((known for known in tuple(_KNOWN) if known[0] is settings), None)
    if known is None:
        arguments = _start.STATE.arguments
        fallback = None if arguments is None else arguments.fallback_prefix
        known = settings, _variables(settings, fallback)
        _KNOWN[:] = [known]
    return known[1]


def cluster_variables() -> dict[str, str]:
    """Return `settings_variables` for processes that others can look into, and that may be killed.

    Secrets are not among them, and little waits for export at any time.
    """
    variables = {
        key: text for key, text in settings_variables().items() if not key.endswith(_SECRET)
    }
    return {"OTEL_BSP_SCHEDULE_DELAY": "1000", **variables} if variables else {}


def _variables(settings: Settings, fallback: str | None) -> dict[str, str]:
    """Return *settings* as the variables that they could have come from.

    What is as it is anyway is not said: a process that is told otherwise by its code may be.
    """
    from telewright._settings import PROFILES, Arguments

    usual = Arguments()
    said: dict[str, object] = {
        "GROUPS": settings.groups.strip() or "none",
        "RUN_ID": settings.run_id,
        "PATH": None if settings.path is None else str(Path(settings.path).absolute()),
        "BOOKS": settings.books,
        "REDACTION": None if settings.redaction == PROFILES[0] else settings.redaction,
        "EXCEPTION_TEXT": settings.exception_text or None,
        "PROPAGATE_TO": ",".join(settings.propagate_to) or None,
        "HASH_KEY": _decoded(settings.hash_key),
    }
    for switch in ("traces", "metrics", "logs", "content", "fast", "sigterm"):
        chosen: bool = getattr(settings, switch)
        said[switch.upper()] = None if chosen is getattr(usual, switch) else chosen
    own = {f"{settings.prefix}_{name}" for name in _OF_ONE_PROCESS}
    standard = {
        key: text
        for key, text in os.environ.items()
        if key.startswith(("OTEL_", f"{settings.prefix}_")) and key not in own
    }
    exporters = {
        "TRACES": settings.traces_exporter,
        "METRICS": settings.metrics_exporter,
        "LOGS": settings.logs_exporter,
    }
    if len(set(exporters.values())) == 1:
        said["EXPORTER"] = settings.traces_exporter
    else:
        standard |= {f"OTEL_{signal}_EXPORTER": name for signal, name in exporters.items()}
    said = {f"{settings.prefix}_{name}": value for name, value in said.items()}
    said |= {PREFIX: settings.prefix, FALLBACK: fallback}
    if not standard.get("OTEL_SERVICE_NAME"):  # the weakest way to say it: who has a name keeps it
        said["OTEL_SERVICE_NAME"] = settings.service
    texts = {key: _text(value) for key, value in said.items() if value is not None}
    left = [key for key, text in texts.items() if not _crosses(key, text)]
    if left:
        say(
            f"other processes are not told {', '.join(left)}: no variable can hold what was set",
            first=left != _LEFT_OUT,
        )
        _LEFT_OUT[:] = left
    return {**standard, **{key: text for key, text in texts.items() if key not in left}}


def _crosses(variable: str, text: str) -> bool:
    """Say whether *text* can be in an environment, and is read there as what it is here."""
    try:
        entry = os.fsencode(f"{variable}={text}")
    except UnicodeEncodeError:
        return False
    return len(entry) < _LONGEST and b"\0" not in entry and text == text.strip()


def _decoded(key: bytes | None) -> str | None:
    """Return a key as the text that it may have come from; no variable can hold another one."""
    try:
        return None if key is None else key.decode()
    except UnicodeDecodeError:
        return "\0"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _handed_over() -> dict[str, str]:
    try:
        return {**settings_variables(), **carrier()}
    except Exception:
        failed("hand telemetry over")
        return {}


class _Stand:
    """Stands for a function that runs elsewhere; in all but how it is called it is that function.

    What is set on it stays with it, as with the wrappers of `functools`.
    """

    __slots__ = ("__dict__", "__weakref__")

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function
        for hidden in ("__module__", "__doc__"):  # which a class has; the rest `__getattr__` finds
            setattr(self, hidden, getattr(function, hidden, None))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what that function has, its name too
        return getattr(self.__wrapped__, name)

    def __get__(self, instance: object, owner: type | None = None) -> Any:  # noqa: ANN401 - see below
        """Bind, in a class, if the function does."""
        function: Any = self.__wrapped__
        binds = instance is not None and hasattr(type(function), "__get__")  # pyright: ignore[reportUnknownArgumentType] - of any type
        if not binds or function.__get__(instance, owner) is function:
            return self
        return MethodType(self, instance)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - what it stands as is called


class Carried(_Stand):
    """A function and the context that it runs in, here or wherever it is unpickled."""

    __slots__ = ("_context", "_home")

    def __init__(self, function: Callable[..., Any], context: Context) -> None:
        super().__init__(function)
        self._context = context
        self._home = PROCESS[0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
        # A copy, since several threads may run the function at the same time.
        context = self._context.copy()
        if self._home is not PROCESS[0]:  # forked: the span is another process's
            from telewright import _fork

            context.run(_fork.forget_the_span)
        return resumed(self.__wrapped__, context.run(self.__wrapped__, *args, **kwargs), context)

    def __reduce__(self) -> str | tuple[object, ...]:
        if self._is_what_its_name_says():
            return str(self.__qualname__)
        return arrived, (self.__wrapped__, self._context.copy().run(_handed_over))

    def _is_what_its_name_says(self) -> bool:
        """Say whether another process finds this by its name, as it does a function decorated so.

        A script's name is another script's there, and cloudpickle sends its functions whole.
        """
        if self.__module__ == "__main__" and any(
            name.rpartition(".")[2] == "cloudpickle" for name in tuple(sys.modules)
        ):
            return False
        try:
            found: object = attrgetter(self.__qualname__)(sys.modules[self.__module__])
        except (AttributeError, KeyError, TypeError):
            return False
        return found is self


class Arrived(_Stand):
    """A function and what its process was handed to run it with."""

    __slots__ = ("_handed",)

    def __init__(self, function: Callable[..., Any], handed: Mapping[str, str]) -> None:
        super().__init__(function)
        self._handed = handed

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
        take(self._handed, inherited=True)
        with within(self._handed):
            return resumed(self.__wrapped__, self.__wrapped__(*args, **kwargs), copy_context())

    def __reduce__(self) -> tuple[object, ...]:
        return arrived, (self.__wrapped__, self._handed)


class _Coroutine:
    """The same of a coroutine function, which is one too: who asks first calls it so."""

    __slots__ = ()

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
        return await super().__call__(*args, **kwargs)  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] - the other base has it


class CarriedCoroutine(_Coroutine, Carried):
    """A coroutine function and its context."""

    __slots__ = ()


class ArrivedCoroutine(_Coroutine, Arrived):
    """A coroutine function and what its process was handed."""

    __slots__ = ()


def carried(function: Callable[..., Any], context: Context) -> Any:  # noqa: ANN401 - called as *function* is
    """Return *function* bound to *context*, of its kind."""
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(carried(function.__func__, context))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportUnknownMemberType] - a method's function may be anything
    if is_of_kind(function, "iscoroutinefunction"):
        return _marked(CarriedCoroutine(function, context))
    return Carried(function, context)


def arrived(function: Callable[..., Any], handed: Mapping[str, str]) -> Arrived:
    """Return *function* bound to what its process was *handed*, of its kind."""
    if is_of_kind(function, "iscoroutinefunction"):
        return _marked(ArrivedCoroutine(function, handed))
    return Arrived(function, handed)


def _marked(made: S) -> S:
    """Have *made* known as a coroutine function, where Python can be told."""
    if sys.version_info >= (3, 12):
        from inspect import markcoroutinefunction

        markcoroutinefunction(made)  # pyright: ignore[reportArgumentType] - whatever is callable
    return made
