"""A page of numbers on a port of its own, which may be told to misbehave."""

from __future__ import annotations

import socket
import threading
import time

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\n"


def answer(body, *, length=None):
    """Return a whole answer with *body*; its length may be a lie."""
    body = body.encode() if isinstance(body, str) else body
    return OK + f"Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


class Server:
    """Answers every request with what `says` makes: bytes, or bytes piece by piece."""

    def __init__(self):
        self.says = lambda: answer("")
        self.asked = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/metrics"

    def show(self, body):
        """Show *body* from now on."""
        self.says = lambda: answer(body)

    def hang(self):
        """Yield nothing until the test is over."""
        self._over.wait(30)
        yield b""

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._over.set()
        self._listener.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            try:
                connection.recv(65536)
                self.asked += 1
                said = self.says()
                for piece in [said] if isinstance(said, bytes) else said:
                    connection.sendall(piece)
            except OSError:
                return


def values(instrument):
    """Return what an export would be told now, by the attributes' values."""
    return {tuple(point.attributes.values()): point.value for point in instrument._collect(None)}


def until(condition, seconds=10.0):
    """Wait until *condition* holds, and say whether it came to that."""
    deadline = time.monotonic() + seconds
    while not (held := condition()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return held


def rounds(page, number=2):
    """Wait until *page* has been read *number* times more."""
    wanted = page.asked + number
    assert until(lambda: page.asked >= wanted)
