"""What `telewright.ray.call` does where Ray is reached through Ray Client; it needs no Ray."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import telewright
import telewright.ray
from telewright import _guard
from telewright.ray import _calls
from tests.runtime.sample import kiln


@pytest.fixture
def client(monkeypatch):
    """Have Ray be reached through Ray Client, as far as anybody can see from here."""
    state = SimpleNamespace(is_connected=lambda: True)
    monkeypatch.setitem(sys.modules, "ray.util.client", SimpleNamespace(ray=state))
    monkeypatch.setattr(_calls, "_WARNED", set())
    return state


@pytest.mark.behaviour("B106")
@pytest.mark.usefixtures("client")
def test_through_ray_client_a_call_brings_the_carrier_itself(probe, caplog):
    """Ray Client decorates no calls: what takes a carrier gets one, and what does not gets none."""
    probe.start("all")

    def train(step, *, _telewright=None):
        return step, _telewright

    with kiln.shift():
        result, brought = telewright.ray.call(SimpleNamespace(remote=train), 3)
        assert result == 3
        assert "traceparent" in {name.lower() for name in brought}
        strange = SimpleNamespace(remote=lambda step: step, __name__="strange")
        assert [telewright.ray.call(strange, number) for number in range(2)] == [0, 1]
        with pytest.raises(TypeError, match="positional"):
            telewright.ray.call(strange)
    assert caplog.text.count("strange takes no carrier") == 1
    assert telewright.ray.call(SimpleNamespace(remote=train), 4) == (4, None)


def test_a_client_that_is_not_connected_is_none(probe, client):
    """Ray has its client loaded always; where it does not know itself, calls are as ever."""
    probe.start("all")
    remote = SimpleNamespace(remote=lambda **given: given)
    client.is_connected = lambda: False
    with kiln.shift():
        assert telewright.ray.call(remote) == {}
        client.is_connected = None
        assert telewright.ray.call(remote) == {}
    assert _guard.FAILURES == {"look for Ray Client": 1}
