"""The workers of a Ray driver: what they start with, and having them export before they are killed.

``ray.kill`` ends a worker without ``atexit``: what waits there for export is lost unless somebody
asks for it first. Workers are asked through Ray's own ``__ray_call__``, which every actor has, and
which runs between other calls of an actor or among them: nothing in it may wait.
"""

from __future__ import annotations

import os
from importlib import import_module
from threading import Thread
from time import monotonic, sleep

from telewright import _control
from telewright._closing import until
from telewright._guard import failed
from telewright._handover import cluster_variables
from telewright.ray._running import WORKER, running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final

_PAUSE: Final = 0.02
"""Seconds between two looks at whether something has ended."""

_ANSWERS: Final[dict[str, bool | None]] = {}
"""What came of each time that this process was asked; None while it is under way."""


def flush(actors: Iterable[object], timeout: float = 5.0, *, first: str | None = None) -> bool:
    """Have *actors* export what they have, and say whether all of it arrived in time.

    Work that is in flight has half of the time to end: calls that came with a carrier, and spans
    that are open. What is still open then is reported as not having arrived. What they lost before
    is in their books, and no part of the answer.

    Args:
        actors: Handles of actors; one that is dead has nothing that could arrive.
        timeout: Seconds after which the answer is there.
        first: A method of theirs without parameters that stops what makes new work.
    """
    return _finish(actors, timeout, first, ending=False)


def stop(actors: Iterable[object], timeout: float = 5.0, *, first: str | None = None) -> bool:
    """Do as `flush`, and then stop the telemetry of *actors*; for actors that are to be killed.

    Spans that stay open are exported, marked as truncated.
    """
    return _finish(actors, timeout, first, ending=True)


def runtime_env(base: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a runtime environment whose workers start telemetry as this process did.

    With ``ray.init(runtime_env=telewright.ray.runtime_env())``, or in the options of an actor, they
    do so at the first call of anything `carried`, a constructor too, wherever it comes from. Ray
    shows it to whoever sees its dashboard: secrets are not in it.

    Args:
        base: What else is to be in it, and what wins.
    """
    whole: dict[str, Any] = {}
    try:
        whole.update({} if base is None else base)
        variables = cluster_variables()
        if variables:
            own: dict[str, str] = whole.get("env_vars") or {}
            whole["env_vars"] = {WORKER: "1", **variables, **own}
    except Exception:
        failed("hand telemetry over")
    return whole


def _finish(actors: Iterable[object], timeout: float, first: str | None, *, ending: bool) -> bool:
    try:
        waiting = list(actors)
    except Exception:
        failed("ask workers")
        return False
    deadline = until(timeout)
    number, arrived, ticket = len(waiting), 0, os.urandom(8).hex()
    if first is not None:
        _ask(waiting, lambda actor: getattr(actor, first).remote(), deadline)
    left = (deadline - monotonic()) * 0.9  # the rest is for the way
    told = _ask(waiting, _calling(_begin, ticket, left, ending), deadline)
    waiting = [actor for actor, _ in told]
    while waiting and monotonic() < deadline:
        told = _ask(waiting, _calling(_answer, ticket), deadline)
        arrived += sum(answer is True for _, answer in told)
        waiting = [actor for actor, answer in told if answer is None]
        if waiting:
            sleep(_PAUSE)
    return arrived == number


def _calling(work: Callable[..., object], *args: object) -> Callable[[Any], Any]:
    """Return what has an actor run *work*, whatever its class is."""
    return lambda actor: actor.__ray_call__.remote(work, *args)


def _ask(
    actors: list[Any], send: Callable[[Any], Any], deadline: float
) -> list[tuple[Any, object]]:
    """Return which of *actors* answered by *deadline*, and what."""
    if not actors:
        return []
    ray = _ray()
    sent: list[tuple[Any, Any]] = []
    for actor in actors:
        try:
            sent.append((actor, send(actor)))
        except Exception:
            failed("ask a worker")
    answers: list[tuple[Any, object]] = []
    if not sent:
        return answers
    references = [reference for _, reference in sent]
    left = max(deadline - monotonic(), 0.0)
    ready, _ = ray.wait(references, num_returns=len(references), timeout=left)
    for actor, reference in sent:
        try:
            if reference in ready:
                answers.append((actor, ray.get(reference)))
        except Exception:  # it is dead, or what it was asked for failed
            failed("ask a worker")
    return answers


def _ray() -> Any:  # noqa: ANN401 - a library that need not be installed
    try:
        return import_module("ray")
    except ImportError as error:
        raise ImportError("Ray is not installed: pip install 'telewright[ray]'") from error


def _begin(_actor: object, ticket: str, timeout: float, ending: bool) -> None:  # noqa: FBT001 - Ray sends what it is called with
    """Begin, in a worker, to finish what is in flight and to export it."""
    _ANSWERS[ticket] = None
    Thread(
        target=_conclude,
        args=(ticket, timeout, ending),
        name="telewright-conclude",
        daemon=True,
    ).start()


def _answer(_actor: object, ticket: str) -> bool | None:
    """Return what came of it, or None while it is under way."""
    answer = _ANSWERS.get(ticket)
    if answer is not None:
        del _ANSWERS[ticket]
    return answer


def _conclude(ticket: str, timeout: float, ending: bool) -> None:  # noqa: FBT001 - as above
    deadline = monotonic() + timeout
    arrived = False
    try:
        patience = monotonic() + timeout / 2
        while running() and monotonic() < patience:
            sleep(_PAUSE)
        arrived = _control.flush(deadline - monotonic())
        while _open() and monotonic() < patience:
            sleep(_PAUSE)
            arrived = _control.flush(deadline - monotonic())
        arrived = arrived and not running() and not _open()
        if ending:
            arrived = _control.stop(deadline - monotonic()) and arrived
    except Exception:
        failed("conclude a worker's telemetry")
    _ANSWERS[ticket] = arrived


def _open() -> bool:
    """Say whether a span has begun that has neither been exported nor dropped."""
    stats = _control.stats()
    return stats.made > stats.exported + sum(stats.dropped.values())
