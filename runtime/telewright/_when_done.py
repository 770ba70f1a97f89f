"""Counting what a task or a future has done, once, when it is done."""

from __future__ import annotations

from contextvars import copy_context
from functools import partial
from sys import modules
from weakref import ref

from telewright._guard import LOCK, failed, is_for_the_application
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
        key = _key(name, labels)
        if not _first(task, key):
            return
        context, process = copy_context(), PROCESS[0].process

        def done(finished: object) -> None:  # knows the task only while it is told of it
            if process is PROCESS[0].process:  # else it is the parent's, which was forked
                context.run(_settle, finished, record, value, labels)

        _watch(task, done, key)
    except BaseException as error:  # a task may be anything, and raise anything
        if _is_to_leave(error):
            raise
        failed("count what a task does")


def _watch(
    task: Any,  # noqa: ANN401 - a future of either kind
    done: Callable[[object], None],
    key: Key,
    at_home: bool = False,  # noqa: FBT001, FBT002 - what loops call has no keywords
) -> None:
    """Have *done* told of *task*: now if it is done, else where its loop is at home."""
    try:
        if task.done():  # its loop may be closed
            done(task)
            return
        loop = None if at_home else _loop_elsewhere(task)
        if loop is None:
            task.add_done_callback(done)
        else:
            loop.call_soon_threadsafe(_watch, task, done, key, True)  # noqa: FBT003 - see above
    except BaseException as error:
        _forget_key(task, key)
        if _is_to_leave(error):
            raise
        failed("count what a task does")


def _is_to_leave(error: BaseException) -> bool:
    """Say whether *error* is to end the process; a cancellation is of some task, and never is."""
    asyncio = modules.get("asyncio")
    if asyncio is not None and isinstance(error, asyncio.CancelledError):
        return False
    return is_for_the_application(error)


def _loop_elsewhere(task: Any) -> Any:  # noqa: ANN401 - see above
    """Return the loop of *task*, unless it has none or that runs on this thread."""
    if not hasattr(task, "get_loop"):
        return None
    from asyncio import get_running_loop

    loop = task.get_loop()
    try:
        return None if loop is get_running_loop() else loop
    except RuntimeError:  # none runs here
        return loop


def _key(name: str, labels: Mapping[str, object]) -> Key:
    """Return what tells one thing that is counted of a task from others."""
    try:
        said = {label: identity(one) for label, one in labels.items() if one is not None}
    except Unfit:  # no text: it is told from everything
        return (object(),)
    return (name, *said.items())


def _first(task: object, key: Key) -> bool:
    """Say whether this is not yet to be counted when *task* is done."""
    try:
        alive = ref(task, partial(_forget, id(task)))
    except TypeError:  # a task of some other kind
        return True
    with LOCK:
        known = COUNTED.get(id(task))
        if known is None or known[0]() is not task:
            known = COUNTED[id(task)] = (alive, set())
        if key in known[1]:
            return False
        known[1].add(key)
        return True


def _forget_key(task: object, key: Key) -> None:
    """Let it be told of *task* again."""
    with LOCK:
        known = COUNTED.get(id(task))
        if known is not None:
            known[1].discard(key)


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
    except BaseException as error:  # would end the executor's thread, or leave who waits waiting
        if _is_to_leave(error):
            raise
        failed("count what a task has done")


def _error(finished: Any) -> object:  # noqa: ANN401 - see above
    """Return what *finished* failed with, without telling asyncio that somebody has seen it."""
    error = getattr(finished, "_exception", finished)
    return finished.exception() if error is finished else error
