"""A Ray driver on a cluster of two nodes that reports the memory of their hosts.

python -m tests.system.ray_memory FILE SECONDS
"""

from __future__ import annotations

import json
import sys
import time

import ray
from ray.cluster_utils import Cluster

import telewright
from telewright import _detect, pages
from telewright.rl import host


@ray.remote
def detected():
    """Return what is detected in a worker, and what Ray says there."""
    context = ray.get_runtime_context()
    return _detect.ray(), (context.get_job_id(), context.get_node_id(), context.get_worker_id())


def read(instrument):
    """Return what an export would be told now."""
    return [(point.value, dict(point.attributes)) for point in instrument._collect(None)]


def main(path, seconds):
    """Start telemetry, then Ray; wait until both nodes have been read, or *seconds* are over."""
    named = {}

    def describe(node):
        return {"rl.worker_groups": named[node["NodeID"]]} if named else {}

    pages.found_by("ray", pages.on_ray(describe))
    with telewright.start("none", process="driver", exporter="file", path=path):
        cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "include_dashboard": False},
        )
        cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, configure_logging=False)
        for number, node in enumerate(sorted(ray.nodes(), key=lambda one: one["NodeID"])):
            named[node["NodeID"]] = f"group-{number}"
        deadline = time.monotonic() + seconds
        while len(read(host.memory_used)) < len(named) and time.monotonic() < deadline:
            time.sleep(0.2)
        for instrument in (host.memory_used, host.memory_total):
            sys.stdout.write(f"{instrument.name} {read(instrument)}\n")
        sys.stdout.write(f"detected {json.dumps([_detect.ray(), *ray.get(detected.remote())])}\n")
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
