"""One server as a process: it says its port, serves until told to stop, and tells its books."""

from __future__ import annotations

import os
import socket
import sys
import threading

import uvicorn

import telewright
from demo.servers import build
from demo.telemetry import reporting
from telewright.gym import startup
from telewright.gym.server import ServerType

ROLES = {
    "agent": ("agent", ServerType.RESPONSES_API_AGENTS),
    "model": ("model", ServerType.RESPONSES_API_MODELS),
    "verifier": ("resources", ServerType.RESOURCES_SERVERS),
}


class Server(uvicorn.Server):
    """A server that says when it can be asked."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then print the port."""
        await super().startup(sockets=sockets)
        for bound in sockets or ():
            print(f"serving {bound.getsockname()[1]}", flush=True)


def main(name: str) -> None:
    """Serve as *name* until standard input ends, which it also does when the parent dies."""
    role, kind = ROLES[name]
    with reporting(name, process=role):
        # What the supervisor had open when it spawned this process came in the environment.
        with (
            telewright.within(os.environ),
            startup.process(
                server_name=name, server_type=kind, server_worker=False, process_pid=os.getpid()
            ),
        ):
            app = build(name)
            bound = socket.create_server(("127.0.0.1", 0))
        server = Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
        threading.Thread(target=_stop_with_input, args=[server], daemon=True).start()
        server.run(sockets=[bound])


def _stop_with_input(server: Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    main(sys.argv[1])
