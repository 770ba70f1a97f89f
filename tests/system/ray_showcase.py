"""One training step on a Ray driver, with a worker of each kind, and a server that one calls.

python -m tests.system.ray_showcase [PORT]

Without a port it is the driver, which starts the server with one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time

import aiohttp
import fastapi
import ray
import uvicorn

import telewright
import telewright.ray
from telewright.gym import groups, http_client, rollout
from telewright.http import TracedServer, traced_requests
from telewright.rl import generation, training
from telewright.rl.training import Algorithm


@ray.remote
@telewright.ray.carried
def infer():
    """Do what a task does."""
    with training.value_inference():
        pass
    return telewright.flush()


@ray.remote
@telewright.ray.carried
class Policy:
    """A synchronous actor."""

    def update(self):
        """Do what a method does."""
        with training.policy_optimizer_step():
            return os.getpid()

    def batches(self, number):
        """Yield one batch after the other."""
        for batch in range(number):
            with generation.generate_text():
                yield batch


@ray.remote
@telewright.ray.carried
class Engine:
    """An asynchronous actor, which calls a server."""

    async def generate(self, url):
        """Call the server."""
        middleware = traced_requests(lambda method, to: http_client.request(method, url_full=to))
        with generation.generate_async():
            async with (
                aiohttp.ClientSession(middlewares=[middleware]) as session,
                session.post(f"{url}/run?key=secret") as response,
            ):
                return await response.json()

    async def tokens(self, number):
        """Stream tokens."""
        for token in range(number):
            with generation.generate():
                yield token


def serve(port):
    """Serve rollouts until killed."""
    app = fastapi.FastAPI(telemetry={"tracing": False, "metrics": False, "logs": False})
    app.add_middleware(TracedServer, group=groups.SERVER)

    @app.post("/run")
    async def run():
        with rollout.run(server_name="simple_agent"):
            return {"reward": 1}

    with contextlib.suppress(KeyboardInterrupt), telewright.start(service="gym-agent"):
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main():
    """Run one step."""
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=80_000_000,
        configure_logging=False,
    )
    policy, engine = Policy.remote(), Engine.remote()  # before telemetry has started
    ray.get([policy.__ray_ready__.remote(), engine.__ray_ready__.remote()])
    with telewright.start("all", service="rl-driver"):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "tests.system.ray_showcase", str(port)]
        server = subprocess.Popen(command, env=telewright.environment())
        try:
            _await(port)
            with training.iteration(412), training.step(Algorithm.GRPO):
                assert ray.get(infer.remote())
                ray.get(policy.update.remote())
                assert [ray.get(ref) for ref in policy.batches.remote(2)] == [0, 1]
                url = f"http://127.0.0.1:{port}"
                assert ray.get(engine.generate.remote(url)) == {"reward": 1}
                assert [ray.get(ref) for ref in engine.tokens.remote(2)] == [0, 1]
            assert telewright.ray.stop([policy, engine], timeout=20)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
    ray.kill(policy)
    ray.kill(engine)
    ray.shutdown()


def _await(port):
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    serve(int(sys.argv[1])) if len(sys.argv) > 1 else main()
