"""A Ray program with canaries in the driver, in a task, in an actor, and on every surface.

python -m tests.system.ray_leaky PORT
"""

from __future__ import annotations

import logging
import sys

import ray
from opentelemetry import trace
from tests.runtime.redaction import leaky
from tests.runtime.redaction.canaries import all_of
from tests.runtime.sample import kiln

import telewright


def record(surface, carrier):
    """Record a span for each canary of a surface, in the trace that *carrier* brought."""
    with telewright.within(carrier):
        for secret in all_of(surface):
            with kiln.pot(potter=f"with {secret}"):
                pass
            with trace.get_tracer("app").start_as_current_span("raw") as span:
                span.set_attribute("url.full", f"https://bot:{secret}@host.example/x")


@ray.remote
def task(carrier):
    """Record in a task."""
    with telewright.start("all", run_id="ray"):
        record(2, carrier)


@ray.remote
class Actor:
    """Records in an actor."""

    def record(self, carrier):
        """Record."""
        with telewright.start("all", run_id="ray"):
            record(3, carrier)


@ray.remote
def everything(port):
    """Put each canary on its surface in a worker, with a server, a client and a forked loader."""
    logging.getLogger("telewright").addHandler(logging.StreamHandler())
    leaky.main(port)


def main(port):
    """Run driver, task and actor, and everything once more in a worker."""
    ray.init(
        address="local",
        num_cpus=1,
        include_dashboard=False,
        log_to_driver=True,
        configure_logging=False,
    )
    with telewright.start("all", run_id="ray"), kiln.shift():
        record(1, {})
        carrier = telewright.carrier()
        ray.get(task.remote(carrier))
        ray.get(Actor.remote().record.remote(carrier))
    ray.get(everything.remote(port))
    ray.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]))
