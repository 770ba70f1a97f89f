"""Tasks and actors of every kind, for tests on a real Ray."""

from __future__ import annotations

import asyncio
import logging
import time
from queue import Queue
from threading import Event, Thread

import ray
from tests.runtime.sample import kiln

import telewright
import telewright.ray
from telewright.ray import _running


def bake():
    """Open a span; say how many calls that came with a carrier are running."""
    with kiln.heat():
        return _running.running()


@ray.remote
@telewright.ray.carried
def task(number=0):
    """Do what a task does."""
    return number, bake()


@ray.remote
@telewright.ray.carried
def batches(count):
    """Stream from a task."""
    for number in range(count):
        yield number, bake()


@ray.remote
@telewright.ray.carried
def through(name):
    """Call an actor from a task, by a handle that was found there."""
    actor = ray.get_actor(name)
    with kiln.write():
        return ray.get(actor.method.remote(7))


@ray.remote
@telewright.ray.carried
class Potter:
    """A synchronous actor."""

    def __init__(self, number=0):
        self.number = number
        with kiln.write():
            pass

    def method(self, number=0):
        """Do what a method does."""
        return number, bake()

    def batches(self, count):
        """Stream from an actor."""
        for number in range(count):
            yield number, bake()

    @ray.method(num_returns=2)
    def pair(self):
        """Return two things."""
        return bake(), 2

    def threads(self, jobs):
        """Do each job on a thread that lives longer, where it came from; and one without."""
        queue, done = Queue(), Event()

        def work():
            while job := queue.get():
                with telewright.within(job), kiln.heat():
                    pass
            done.set()

        Thread(target=work, daemon=True).start()
        for job in jobs:
            queue.put(job)
        carried = Thread(target=telewright.carry(bake))
        bare = Thread(target=bake)
        for one in (carried, bare):
            one.start()
            one.join()
        queue.put(None)
        return done.wait(10)

    def books(self):
        """Return what is known here."""
        return telewright.stats()


@ray.remote
class Stranger:
    """An actor that knows nothing of carriers."""

    def method(self, number=0):
        """Do what a method does, and say so."""
        logging.getLogger("test").warning("a stranger was called")
        return number, bake()


@ray.remote
@telewright.ray.carried
class Kiln:
    """An asynchronous actor, with a producer that runs until it is told not to."""

    def __init__(self):
        self.halted = Event()
        self.made = []
        self.closed = 0

    async def method(self, number=0):
        """Do what a coroutine does, in its turn."""
        with kiln.write():
            await asyncio.sleep(0.01)
            return number, bake()

    async def stream(self, count):
        """Stream, holding a span open across what is yielded."""
        try:
            with kiln.write():
                for number in range(count):
                    await asyncio.sleep(0.005)
                    yield number, bake()
        finally:
            self.closed += 1

    async def slow(self, seconds):
        """Have work in flight."""
        with kiln.write():
            await asyncio.sleep(seconds)

    async def produce(self, number):
        """Begin to make spans on a thread that nobody waits for."""

        def make():
            while not self.halted.is_set():
                with kiln.round_(number), kiln.pot(potter=str(len(self.made))):
                    self.made.append(1)
                time.sleep(0.001)

        Thread(target=make, daemon=True).start()

    async def halt(self):
        """Stop making them."""
        self.halted.set()

    async def count(self):
        """Return how many were made, and how many streams were closed."""
        return len(self.made), self.closed
