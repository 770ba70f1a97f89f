"""A Ray driver on a cluster of two nodes, of which the second does the work.

python -m tests.system.ray_nodes node|client FOLDER

As a *client* it reaches the cluster through Ray Client, and so has no node of its own. It prints
one JSON object: the nodes that worked, and what was returned.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from pathlib import Path

import ray
from demo.otlp import read
from ray.cluster_utils import Cluster
from tests.runtime.sample import kiln

import telewright
import telewright.ray

HEATS = 5
"""Spans of what `work` calls."""

THERE = {"num_cpus": 0.1, "resources": {"there": 0.01}}


def bake():
    """Open a span; return which node this is."""
    with kiln.heat():
        return ray.get_runtime_context().get_node_id()


@ray.remote(**THERE)
@telewright.ray.carried
def task():
    """Do what a task does."""
    return bake()


@ray.remote(**THERE)
@telewright.ray.carried
def batches(count):
    """Stream from a task."""
    for _ in range(count):
        yield bake()


@ray.remote(**THERE)
@telewright.ray.carried
class Potter:
    """A synchronous actor."""

    def __init__(self):
        with kiln.write():
            pass

    def method(self):
        """Do what a method does."""
        return bake()


@ray.remote(**THERE)
def stranger():
    """Take no carrier."""
    return ray.get_runtime_context().get_node_id()


@ray.remote(**THERE)
@telewright.ray.carried
class Kiln:
    """An asynchronous actor, which calls a task in its turn."""

    async def method(self):
        """Call a task from here."""
        with kiln.write():
            return await task.remote()


def work(call):
    """Do all of it with *call*; return the nodes that worked, and whether what they made left."""
    potter = telewright.ray.call(Potter)
    oven = Kiln.remote()
    nodes = [
        ray.get(call(task)),
        *ray.get(list(call(batches.options(num_returns=2), 2))),
        ray.get(call(potter.method)),
        ray.get(call(oven.method)),
        ray.get(telewright.ray.call(stranger)),
    ]
    return nodes, telewright.ray.flush([potter, oven], timeout=30)


def directly(remote, *args):
    """Call as any program does."""
    return remote.remote(*args)


def wait(folder):
    """Wait until the tasks have exported, which they do on their own when they have ended."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if sum(span.name == "kiln.heat" for span in read(folder).spans) == HEATS:
            return
        time.sleep(0.1)


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main(how, folder):
    """Start a cluster of two nodes, reach it, work there, and say what came of it."""
    port = free_port()
    head = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": port}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    there = cluster.add_node(num_cpus=2, resources={"there": 1})
    cluster.wait_for_nodes()
    address = f"ray://127.0.0.1:{port}" if how == "client" else cluster.address
    ray.init(address, log_to_driver=False)
    telewright.start(
        "all",
        service="pottery",
        exporter="file",
        path=Path(folder) / "{pid}.jsonl",
        metrics=False,
        strict=True,
    )
    with kiln.round_(7), kiln.shift():
        nodes, flushed = work(telewright.ray.call if how == "client" else directly)
    telewright.stop()
    wait(Path(folder))
    said = {"nodes": nodes, "there": there.node_id, "flushed": flushed}
    sys.stdout.write(f"{json.dumps(said)}\n")
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
