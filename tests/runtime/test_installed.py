"""What works, and what is said, with each part of what could be installed."""

from __future__ import annotations

import pytest

from tests.runtime.interpreter import run


@pytest.mark.behaviour("B065", "B074")
def test_what_has_not_been_installed_is_named():
    """Without the SDK one line says what to install, and every call still works."""
    code = """
        import sys
        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.startswith(BLOCKED):
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        BLOCKED = {blocked!r}
        sys.meta_path.insert(0, Blocker())
        import telewright
        from tests.runtime.sample import kiln
        started = telewright.start({how})
        with kiln.write() as span, kiln.round_(1):
            span.set(lines=1)
        kiln.faults.add(code="timeout")
        print(started.on, telewright.carrier(), telewright.flush(), telewright.stop())
        telewright.stats()
    """
    for blocked, how, named in (
        ("opentelemetry", "'all'", "pip install 'telewright[sdk]'"),
        ("opentelemetry.sdk", "'all'", "pip install 'telewright[sdk]'"),
        ("opentelemetry.exporter", "'all'", "pip install 'telewright[sdk]'"),
        ("opentelemetry.exporter", "'all', exporter='file'", "pip install 'telewright[sdk]'"),
    ):
        said = run(code.replace("{blocked!r}", repr(blocked)).replace("{how}", how))
        assert said.stdout.split() == ["False", "{}", "True", "True"], said.stderr
        assert named in said.stderr
        assert said.stderr.count("telemetry is off") == 1


def test_grpc_is_named_as_its_own_extra():
    """The extra that brings gRPC is the one that is named."""
    code = """
        import sys
        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.startswith("grpc"):
                    raise ModuleNotFoundError(name)
        sys.meta_path.insert(0, Blocker())
        import telewright
        print(telewright.start("all").on)
    """
    said = run(code, OTEL_EXPORTER_OTLP_PROTOCOL="grpc")
    assert said.stdout.split() == ["False"]
    assert "telewright[grpc]" in said.stderr


@pytest.mark.behaviour("B061", "B063")
def test_signatures_are_the_same_with_and_without_opentelemetry():
    """No signature changes with what is installed."""
    code = """
        import inspect, sys
        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.startswith("opentelemetry"):
                    raise ModuleNotFoundError(name)
        if {block}:
            sys.meta_path.insert(0, Blocker())
        import telewright
        from telewright import base
        from telewright.gym import checkpoint
        for module in (telewright, base, checkpoint):
            for name in module.__all__:
                found = getattr(module, name)
                if callable(found) and not name.startswith("__"):
                    try: print(name, str(inspect.signature(found)).partition(" at 0x")[0])
                    except (TypeError, ValueError): print(name)
    """
    alike = {run(code.format(block=block)).stdout for block in (True, False)}
    (text,) = alike
    assert "start (groups: 'str' = 'default'" in text
    assert text.count("\n") > 60
