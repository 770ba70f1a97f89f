"""What the guide to migrating begins from: hand-written helpers, as small as they can be."""

from __future__ import annotations

import functools
from contextlib import contextmanager

from opentelemetry import metrics, trace

SANDBOX_PROVIDER, SANDBOX_RETURN_CODE = "gym.sandbox.provider", "gym.sandbox.return_code"
ROLLOUT_OUTCOME, ROLLOUT_DISPATCH_NAME = "nemo.gym.rollout.outcome", "nemo.gym.dispatch.name"
GROUPS = {"job", "rollout", "sandbox"}

recorded: list[tuple[str, dict[str, object]]] = []
"""What was written, in order: the name of a span or a counter, and its attributes."""


class CoordinationError(Exception):
    """A participant did not do its part."""


def is_span_group_enabled(group):
    """Say whether a group is switched on."""
    return group in GROUPS


@contextmanager
def managed_span(group, name, **attributes):
    """Open a span if its group is on; without one there is None."""
    if not is_span_group_enabled(group):
        yield None
        return
    with trace.get_tracer("older").start_as_current_span(name, attributes=attributes) as span:
        recorded.append((name, attributes))
        yield span


def safe_set_span_attributes(span, attributes):
    """Set attributes, whatever comes of it."""
    recorded[-1][1].update(attributes)
    span.set_attributes(attributes)


def trace_fn(group, name):
    """Open a span for as long as a function runs."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*arguments, **named):
            with managed_span(group, name):
                return function(*arguments, **named)

        return wrapper

    return decorate


class _Operation:
    def __init__(self, attributes):
        self.attributes = attributes

    def set(self, **attributes):
        """Set attributes by their short names."""
        self.attributes.update(attributes)


@contextmanager
def operation(name, **attributes):
    """Open the span of a checkpoint's operation, which ends with an outcome."""
    recorded.append((name, attributes))
    try:
        yield _Operation(attributes)
    except BaseException:
        attributes["outcome"] = "error"
        raise
    attributes["outcome"] = "ok"


def record_checkpoint_volume(**values):
    """Count what an operation wrote."""
    recorded.append(("volume", values))


async def write():
    """Write a checkpoint; return its manifest and its size."""
    return {"record_count": 3}, 4096


class _Counter:
    def __init__(self):
        self._counter = metrics.get_meter("older").create_counter("gym.rollout.completed_total")

    def add(self, amount, attributes):
        """Count."""
        recorded.append(("completed", attributes))
        self._counter.add(amount, attributes)


@functools.cache
def rollout_completed():
    """Make the counter when it is first needed."""
    return _Counter()
