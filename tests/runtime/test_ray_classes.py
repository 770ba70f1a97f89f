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
