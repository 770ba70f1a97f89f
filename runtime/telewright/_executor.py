"""Executors whose work goes on where it was handed in: in the span and the scopes of then."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import cast

from telewright._carry import carry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from typing import Any, Final, ParamSpec, TypeVar

    E = TypeVar("E", bound=Executor)
    P = ParamSpec("P")
    R = TypeVar("R")


class _Carrying(Executor):
    """Hands *executor* functions bound to the context of now; in the rest it is the same."""

    def __init__(self, executor: Executor) -> None:
        self._executor: Final = executor

    @property  # type: ignore[misc]  # asyncio asks whether it is a pool of threads
    def __class__(self) -> type[Executor]:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride] - see above
        return type(self._executor)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Hand in a call."""
        return self._executor.submit(carry(fn), *args, **kwargs)

    def map(self, fn: Callable[..., R], *iterables: Iterable[Any], **options: Any) -> Iterator[R]:  # noqa: ANN401 - handed on
        """Hand in a call for each of the items."""
        return self._executor.map(carry(fn), *iterables, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the library's signature
        """Take no more work."""
        self._executor.shutdown(wait, cancel_futures=cancel_futures)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what that executor has
        return getattr(self._executor, name)


def carrying(executor: E) -> E:
    """Return *executor* so that each call goes on in the span and scopes in which it is handed in.

    It works for pools of threads and of processes, with telemetry off it hands on what it is given,
    and it may be made before telemetry starts. The executor itself is left as it is.
    """
    return cast("E", executor if type(executor) is _Carrying else _Carrying(executor))
