"""One step of a Ray driver, as a real collector received it from every process that took part."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.collector import collector

pytest.importorskip("ray")

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]

PARENTS = {
    "rl.grpo.step": None,
    "rl.sc.value_inference": "rl.grpo.step",
    "rl.sc.policy_optimizer_step": "rl.grpo.step",
    "rl.vllm.generate_text": "rl.grpo.step",
    "rl.vllm.generate_async": "rl.grpo.step",
    "rl.vllm.generate": "rl.grpo.step",
    "HTTP POST": "rl.vllm.generate_async",
    "POST /run": "HTTP POST",
    "gym.rollout": "POST /run",
}
"""The spans that the step consists of, and what each is a child of."""


@pytest.fixture(scope="module")
def received(tmp_path_factory):
    """Return what the collector received of one run; the server and the workers joined it."""
    folder = tmp_path_factory.mktemp("received")
    with collector(folder) as running:
        done = subprocess.run(
            [sys.executable, "-m", "tests.system.ray_showcase"],
            cwd=ROOT,
            env={
                **{key: text for key, text in os.environ.items() if not key.startswith("OTEL_")},
                **running.environment(),
                "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            },
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        assert "Failed to detach context" not in done.stdout + done.stderr
        return running.export(11)


def test_every_process_is_in_the_trace_of_the_step(received):
    """Task, actor method, asynchronous method, generators and the server: one tree, one trace."""
    names = {span.id: span.name for span in received.spans}
    found = {span.name: names.get(span.parent) for span in received.spans}
    assert found == PARENTS
    assert len({span.trace for span in received.spans}) == 1
    assert len(received.spans) == 11


@pytest.mark.behaviour("B027")
def test_every_span_carries_the_iteration(received):
    """The scope of the driver is on the spans of workers that it called, and of their server."""
    assert {span.attributes.get("rl.iteration") for span in received.spans} == {412}


@pytest.mark.behaviour("B170", "B100")
def test_the_request_is_a_client_span_without_its_query(received):
    """What a worker asks the server is one request, and its key is recorded nowhere."""
    (call,) = [span for span in received.spans if span.name == "HTTP POST"]
    (serve,) = [span for span in received.spans if span.name == "POST /run"]
    assert (call.kind, serve.kind) == ("client", "server")
    assert serve.parent == call.id
    assert "secret" not in str(received)


@pytest.mark.behaviour("B204")
def test_every_process_has_its_name_and_belongs_to_one_run(received):
    """The server has its own name, the workers the driver's."""
    assert received.processes == ["gym-agent", "rl-driver"]
