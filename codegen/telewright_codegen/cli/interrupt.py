"""Ctrl-C, whatever a library between makes of it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import FrameType


@contextmanager
def interrupts_kept() -> Generator[None]:
    """Raise KeyboardInterrupt where one became another exception on its way.

    pydantic, for one, takes it for a mistake in the schema that it was making.
    """
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.default_int_handler(number, frame)

    ours = (
        current_thread() is main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    try:
        if ours:
            signal.signal(signal.SIGINT, note)
        yield
    except Exception as error:
        if pressed:
            raise KeyboardInterrupt from error
        raise
    finally:
        if ours and signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, signal.default_int_handler)
