"""The three servers that a rollout passes through: an agent, a model, and a verifier."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import aiohttp
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from telewright.gym import agent, groups, http_client, model, rollout, verify
from telewright.http import TracedServer, traced_requests

TURNS: Final = 2
SILENT: Final = TelemetryConfig(tracing=False, metrics=False, logs=False)
"""FastAPI would report requests by itself; here the spans of our own specs do."""

THINKING: Final = float(os.environ.get("DEMO_THINKING", "0.02"))
"""Seconds that the model takes for each turn."""


@dataclass(frozen=True, slots=True)
class Call:
    """What travels between the servers."""

    task: int
    turn: int = 0
    rollout_id: str | None = None


def client() -> aiohttp.ClientSession:
    """Return a session whose requests are CLIENT spans that the called server continues."""
    open_span = traced_requests(
        lambda method, url: http_client.request(method, url_full=url),
    )
    return aiohttp.ClientSession(middlewares=[open_span])


async def post(session: aiohttp.ClientSession, url: str, call: Call) -> dict[str, float]:
    """Post *call* and return the answer."""
    body = {"task": call.task, "turn": call.turn, "rollout_id": call.rollout_id}
    async with session.post(url, json=body) as response:
        answer: dict[str, float] = await response.json()
        return answer


def agent_server() -> FastAPI:
    """Return the server that runs a rollout: a few turns with the model, then the verifier."""
    servers = {name: os.environ[f"DEMO_{name.upper()}"] for name in ("model", "verifier")}
    sessions: list[aiohttp.ClientSession] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with client() as session:
            sessions.append(session)
            yield

    app = FastAPI(lifespan=lifespan, telemetry=SILENT)

    @app.post("/run")
    async def run(call: Call) -> dict[str, float]:
        with rollout.run(server_name="agent", rollout_id=call.rollout_id):
            with agent.responses(server_name="agent", rollout_id=call.rollout_id):
                for turn in range(TURNS):
                    said = Call(call.task, turn, call.rollout_id)
                    await post(sessions[0], f"{servers['model']}/v1/chat/completions", said)
            return await post(sessions[0], f"{servers['verifier']}/verify", call)

    return app


def model_server() -> FastAPI:
    """Return the server that stands for the policy model: it takes its time and says little."""
    app = FastAPI(telemetry=SILENT)

    @app.post("/v1/chat/completions")
    async def chat_completions(call: Call) -> dict[str, float]:
        with model.chat_completions(server_name="model", rollout_id=call.rollout_id):
            await asyncio.sleep(THINKING * (1 + (call.task + call.turn) % 3))
            return {"tokens": 10.0 + call.turn}

    return app


def verifier_server() -> FastAPI:
    """Return the resources server that scores what an agent did."""
    app = FastAPI(telemetry=SILENT)

    @app.post("/verify")
    async def score(call: Call) -> dict[str, float]:
        with verify.run(server_name="verifier", rollout_id=call.rollout_id):
            await asyncio.sleep(THINKING / 4)
            return {"reward": float(call.task % 2)}

    return app


def build(name: str) -> FastAPI:
    """Return the server called *name*, with a SERVER span around each of its requests."""
    app = {"agent": agent_server, "model": model_server, "verifier": verifier_server}[name]()
    app.add_middleware(TracedServer, group=groups.SERVER)
    return app
