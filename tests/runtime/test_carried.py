"""A carried function is the function, in all but where it runs: on, off, and where it arrives."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
import sys
import types
import weakref

import pytest

import telewright
from tests.runtime.sample import kiln

STATES = {
    "as it is": lambda function: function,
    "off": telewright.carry,
    "on": telewright.carry,
    "sent": lambda function: pickle.loads(pickle.dumps(telewright.carry(function))),  # noqa: S301 - made here
}


@pytest.fixture(params=STATES)
def carry(request, probe):
    """Carry functions in each of the states that there are."""
    if request.param != "off":
        probe.start("all")
    return STATES[request.param]


def work(*given):
    """Say what it was given."""
    return given


async def wait(*given):
    """Say so when it is awaited."""
    return given


@pytest.mark.parametrize("function", [work, wait])
def test_it_is_seen_as_the_function(carry, function):
    """By its names, its home, its words, its signature and its kind; and weakly, if one likes."""
    made = carry(function)
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        assert getattr(made, name) == getattr(function, name)
    assert inspect.signature(made) == inspect.signature(function)
    assert weakref.ref(made)() is made
    assert inspect.iscoroutinefunction(type(made).__call__) or function is work or made is function
    if sys.version_info >= (3, 12):
        assert inspect.iscoroutinefunction(made) is (function is wait)


def test_it_holds_what_is_set_on_it(carry):
    """Attributes may be set, are found again, and may be deleted; others are the function's."""
    made = carry(work)
    made.retries = 3
    assert made.retries == vars(made)["retries"] == 3
    assert functools.wraps(made)(lambda: None).retries == 3
    del made.retries
    assert not hasattr(made, "retries")


def test_it_binds_as_a_method(carry):
    """In a class it is given the object; what binds to none, or to the class, does so too."""

    class Pot:
        method = carry(work)
        waiting = carry(wait)
        built_in = carry(len)
        kind = carry(Plain)
        bound = carry(Plain().hand)

    pot = Pot()
    assert pot.method(1) == Pot.method(pot, 1) == (pot, 1)
    assert asyncio.run(pot.waiting(1)) == (pot, 1)
    assert pot.method == pot.method
    assert weakref.WeakMethod(pot.method)() == pot.method
    assert pot.built_in("abc") == 3
    assert type(pot.kind()) is Plain
    assert pot.bound(2) == 2


class Plain:
    """A class of a module, which can be sent."""

    def hand(self, given):
        """Hand it back."""
        return given


@pytest.mark.parametrize("on", [False, True])
def test_it_decorates_what_a_class_has_besides_methods(probe, on):
    """Static methods stay static, and class methods the class's."""
    if on:
        probe.start("all")

    class Pot:
        @telewright.carry
        @staticmethod
        def static(given):
            return given

        @telewright.carry
        @classmethod
        def of_class(cls, given):
            return cls, given

    assert Pot.static(1) == Pot().static(1) == 1
    assert Pot.of_class(1) == Pot().of_class(1) == (Pot, 1)


@pytest.mark.parametrize("sample", [work, wait])
def test_what_is_decorated_is_sent_by_its_name(probe, monkeypatch, sample):
    """Where the name leads to what `carry` returned, that is what arrives, and is copied."""
    probe.start("all")
    with kiln.shift():
        made = telewright.carry(sample)
    monkeypatch.setattr(sys.modules[__name__], sample.__name__, made)
    assert pickle.loads(pickle.dumps(made)) is made  # noqa: S301 - made here
    assert copy.copy(made) is copy.deepcopy(made) is made
    monkeypatch.undo()
    assert pickle.loads(pickle.dumps(made)) is not made  # noqa: S301 - made here


def test_what_a_script_decorates_is_sent_as_its_functions_are(probe, monkeypatch):
    """By name, unless there is something that sends functions of scripts whole, as Ray has it."""
    probe.start("all")
    script = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", script)
    function = types.FunctionType(work.__code__, {}, "work")
    function.__module__ = "__main__"
    script.work = made = telewright.carry(function)
    assert pickle.loads(pickle.dumps(made)) is made  # noqa: S301 - made here
    monkeypatch.setitem(sys.modules, "ray.cloudpickle", script)
    assert made.__reduce__()[1][0] is function


def test_a_method_is_sent_by_its_name_too(probe, monkeypatch):
    """Bound or not, as methods are."""
    probe.start("all")
    monkeypatch.setattr(Plain, "hand", telewright.carry(Plain.hand))
    assert pickle.loads(pickle.dumps(Plain.hand)) is Plain.hand  # noqa: S301 - made here
    assert pickle.loads(pickle.dumps(Plain().hand))(3) == 3  # noqa: S301 - made here


def test_what_is_bound_runs_where_it_was_carried(probe):
    """A method is carried once, for all objects of its class."""
    probe.start("all")

    def write(_pot):
        with kiln.write():
            pass

    with kiln.shift():
        made = telewright.carry(write)
    type("Pot", (), {"write": made})().write()
    assert probe.span("kiln.write").parent == "kiln.shift"
