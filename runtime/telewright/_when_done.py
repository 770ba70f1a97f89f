"""Counting what a task or a future has done, once, when it is done."""

from __future__ import annotations

from contextvars import copy_context
from functools import partial
from weakref import ref

from telewright._guard import LOCK, failed
from telewright._span import PROCESS
from telewright._values import Unfit, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    import concurrent.futures
    from collections.abc import Callable, Mapping
    from typing import Any, Final, TypeAlias, TypeVar

    Result = TypeVar("Result")
    Completion: TypeAlias = asyncio.Future[Result] | concurrent.futures.Future[Result]
    """A task or a future, of asyncio or of an executor."""

    Key = tuple[object, ...]

COUNTED: Final[dict[int, tuple[ref[Any], set[Key]]]] = {}
"""By id of a task that lives: what is counted when it is done."""


def when_done(
    name: str,
    task: object,
    record: Callable[..., None],
    value: object,
    labels: Mapping[str, object],
) -> None:
    """Call *record* once *task* has succeeded; a second time for the same, it is not called.

    Args:
        name: The instrument.
        task: What has ``add_done_callback``.
        record: The verb of the instrument.
        value: What it takes, or what makes that of the result.
        labels: Its keywords.
    """
    try:
        attach: Any = task.add_done_callback  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] - anything may come
        if not _first(name, task, labels):
            return
        context, process = copy_context(), PROCESS[0].process

        def done(finished: object) -> None:  # knows the task only while it is told of it
            if process is PROCESS[0].process:  # else it is the parent's, which was forked
                context.run(_settle, finished, record, value, labels)

        attach(done)
    except Exception:
        failed("count what a task does")


def _first(name: str, task: object, labels: Mapping[str, object]) -> bool:
    """Say whether this is not yet to be counted when *task* is done."""
    try:
        said = {label: identity(one) for label, one in labels.items() if one is not None}
        key = (name, *said.items())
        alive = ref(task, partial(_forget, id(task)))
    except (Unfit, TypeError):  # a label that is no text, a task of some other kind
        return True
    with LOCK:
        known = COUNTED.get(id(task))
        if known is None or known[0]() is not task:
            known = COUNTED[id(task)] = (alive, set())
        if key in known[1]:
            return False
        known[1].add(key)
        return True


def _forget(known: int, _gone: object) -> None:
    COUNTED.pop(known, None)


def _settle(
    finished: Any,  # noqa: ANN401 - a future of either kind
    record: Callable[..., None],
    value: object,
    labels: Mapping[str, object],
) -> None:
    try:
        if finished.cancelled() or _error(finished) is not None:
            return
        record(value(finished.result()) if callable(value) else value, **labels)
    except Exception:
        failed("count what a task has done")


def _error(finished: Any) -> object:  # noqa: ANN401 - see above
    """Return what *finished* failed with, without telling asyncio that somebody has seen it."""
    error = getattr(finished, "_exception", finished)
    return finished.exception() if error is finished else error
