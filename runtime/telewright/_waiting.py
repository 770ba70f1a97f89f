"""Waiting on a thread of the application, whose handlers of signals may raise meanwhile."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final


class Thrown(BaseException):
    """Brings *error*, which is none of ours, past whatever guards the application from ours."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error: Final = error


def wait(waits: Callable[[float], object], seconds: float) -> None:
    """Wait *seconds* at most; waiting itself raises nothing.

    Raises:
        Thrown: For what a handler of the application raised.
    """
    try:
        waits(seconds)
    except Exception as error:
        raise Thrown(error) from error
