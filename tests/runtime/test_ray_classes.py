"""What `telewright.ray.carried` leaves as it is in a class."""

from __future__ import annotations

import abc
from typing import Protocol

import pytest
from opentelemetry.trace import get_current_span

import telewright.ray
from telewright.ray import _running
from tests.runtime.sample import kiln


def here():
    """Say what is current: the trace, and how many calls run."""
    return get_current_span().get_span_context().trace_id, _running.running()


@pytest.mark.behaviour("B108")
def test_a_carried_class_inherits_as_it_would(probe):
    """Heirs decide what an inherited method is, and a protocol's constructor gives way."""
    probe.start("all")

    class Generates(Protocol):
        def generate(self) -> int: ...

    class Base(abc.ABC):
        def __init__(self, size=3):
            self.size = size

        def which(self):
            return "base", here()

        @abc.abstractmethod
        def sort(self):
            """Leave it to heirs."""

    @telewright.ray.carried
    class Worker(Generates, Base):
        def generate(self):
            return self.size

    class Mixin(Base):
        def which(self):
            return "mixin", here()

        def sort(self):
            return "mixed"

    class Made(Worker, Mixin):
        pass

    worker = Made(5)
    assert (worker.generate(), worker.sort()) == (5, "mixed")
    with kiln.shift():
        trace, keywords = here()[0], telewright.ray.keywords()
    assert worker.which(**keywords) == ("mixin", (trace, 1))
    assert Mixin(2).which()[0] == "mixin"


def test_methods_of_every_sort_are_carried(probe):
    """Those of a class and those of nobody, its own and inherited; each stays what it is."""
    probe.start("all")

    class Base:
        @classmethod
        def made(cls, count=1):
            return cls.__name__, count, here()

        @staticmethod
        def free(count):
            return "base", count, here()

    @telewright.ray.carried
    class Worker(Base):
        @staticmethod
        def own(count):
            return "own", count, here()

        @classmethod
        def kind(cls):
            return cls, here()

    class Heir(Worker):
        pass

    with kiln.shift():
        trace, keywords = here()[0], telewright.ray.keywords()
    for worker in (Worker(), Worker, Heir()):
        kind = worker if isinstance(worker, type) else type(worker)
        assert worker.made(2, **keywords) == (kind.__name__, 2, (trace, 1))
        assert worker.kind(**keywords) == (kind, (trace, 1))
        assert worker.free(3, **keywords) == ("base", 3, (trace, 1))
        assert worker.own(4, **keywords) == ("own", 4, (trace, 1))
        assert worker.free(3)[:2] == ("base", 3)
    assert Base.free(1)[:2] == ("base", 1)
    assert isinstance(vars(Worker)["free"], staticmethod)
    assert isinstance(vars(Worker)["made"], classmethod)


def test_heirs_decide_for_methods_without_self_too():
    """A static or class method that is inherited is that of the next in line, as without us."""

    class Base:
        @staticmethod
        def free():
            return "base"

        @classmethod
        def made(cls):
            return "base"

    @telewright.ray.carried
    class Worker(Base):
        pass

    class Mixin(Base):
        @staticmethod
        def free():
            return "mixin"

        @classmethod
        def made(cls):
            return "mixin"

    class Heir(Worker, Mixin):
        pass

    assert (Worker.free(), Worker().made()) == ("base", "base")
    for kind in (Heir, telewright.ray.carried(Heir)):
        for one in (kind, kind()):
            assert (one.free(_telewright=None), one.made(_telewright=None)) == ("mixin", "mixin")
