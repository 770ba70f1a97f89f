"""What tests of export threads share: where batches go, what is collected, threads with books."""

from __future__ import annotations

import ctypes
import threading
import time

from telewright._batcher import Batcher
from telewright._books import Ledger
from telewright._reader import Periodic
from telewright._settings import Batching

NEVER = 1e6
"""Seconds after which no test waits for anything."""


def soon():
    """Return a deadline that a working thread does not need."""
    return time.monotonic() + 30


def throw(thread):
    """Throw SystemExit at a thread, which it meets when it wakes up."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
    )


def threads():
    """Return those that export; an earlier test leaves some, where its receiver never answered."""
    return {one for one in threading.enumerate() if one.name.startswith("telewright-")}


class Sink:
    """Takes what is sent, and says what it is told to say."""

    def __init__(self):
        self.batches = []
        self.dropped = {}
        self.error = None
        self.closed = []
        self.sent = threading.Event()
        self.open = threading.Event()
        self.open.set()

    def send(self, batch):
        """Take a batch, once the way is open."""
        self.sent.set()
        assert self.open.wait(30)
        if self.error is not None:
            raise self.error
        self.batches.append(list(batch))
        return self.dropped

    def close(self):
        """Note which thread let go."""
        self.closed.append(threading.current_thread().name)


def batcher(sink, **batching):
    """Return a batcher into *sink*, and its books."""
    ledger = Ledger()
    given = {"delay": NEVER, "queue": 100, "size": 100, **batching}
    return Batcher("test", sink.send, sink.close, ledger, Batching(**given)), ledger


def put(made, ledger, *items):
    """Make and queue *items*."""
    for item in items:
        ledger.make()
        made.put(item)


class Collected:
    """What a reader collects, one after the other; nothing once that is over."""

    def __init__(self, *found):
        self.found = list(found)
        self.rounds = threading.Semaphore(0)

    def __call__(self):
        """Return what comes next, or raise it."""
        self.rounds.release()
        following = self.found.pop(0) if self.found else (None, 0)
        if isinstance(following, BaseException):
            raise following
        return following


def periodic(collect, sink, interval=NEVER):
    """Return a reader of *collect* into *sink*, and its books."""
    ledger = Ledger()
    return Periodic(collect, sink.send, sink.close, ledger, interval), ledger
