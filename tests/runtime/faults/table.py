"""The faults, and what must come of them: one row each, for every signal and every way out."""

from __future__ import annotations

from dataclasses import dataclass

SIGNALS = ("traces", "metrics", "logs")
PROTOCOLS = ("http", "grpc", "file")

BEFORE = frozenset({"before"})
FLUSHED = BEFORE | {"during"}
ALL = FLUSHED | {"after", "child"}
NOTHING: frozenset[str] = frozenset()
"""Phases of the program; what is made in them. One more is called *unfit*, and never arrives."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong.

    Attributes:
        name: What the test, the receiver and the program know it by.
        brief: What happens, for the documentation.
        arrives: The phases whose items arrive; nothing else does.
        reasons: What the books may call the rest; nothing, if the process has no time to say.
        code: How the process ends; it means to end with 3.
        where: The ways out that it concerns; the others must go on as if nothing were.
        endpoint: What is wrong with the endpoint that the program gets, from its start.
    """

    name: str
    brief: str
    arrives: frozenset[str] = BEFORE
    reasons: frozenset[str] = frozenset({"export_failed", "deadline"})
    code: int = 3
    where: frozenset[str] = frozenset({"http", "grpc"})
    endpoint: str | None = None

    def arriving(self, protocol: str) -> frozenset[str]:
        """Return the phases whose items must arrive by *protocol*."""
        return self.arrives if protocol in self.where else ALL


_HERE = frozenset(PROTOCOLS)
_FILE = frozenset({"file"})
_LOST = frozenset({"deadline", "unended", "export_failed"})

FAULTS = (
    Fault("none", "Nothing goes wrong; the receiver is a real collector.", arrives=ALL),
    Fault("refused", "Nobody listens any more."),
    Fault("reset", "Every connection is reset as soon as something is sent."),
    Fault("hang", "Connections are accepted and never answered."),
    Fault("trickle", "An answer begins and never ends, a byte every tenth of a second."),
    Fault("slow", "Every answer takes a second.", arrives=ALL),
    Fault("400", "The receiver refuses the request."),
    Fault("429", "The receiver asks to come back in an hour."),
    Fault("429, then well", "The receiver asks to come back in a second.", arrives=ALL),
    Fault("500", "The receiver fails, and a retry would not help."),
    Fault("503", "The receiver is not available, and a retry might help."),
    Fault("redirect", "Something in between answers with a redirect."),
    Fault(
        "untrusted",
        "The receiver's certificate is nobody's.",
        arrives=NOTHING,
        endpoint="untrusted",
    ),
    Fault("no TLS", "The receiver speaks no TLS.", arrives=NOTHING, endpoint="no TLS"),
    Fault("DNS", "The receiver's name does not resolve.", arrives=NOTHING, endpoint="DNS"),
    Fault("huge reply", "The answer never ends over http, and is 64 MB over gRPC."),
    Fault("truncated reply", "The answer is cut off in the middle."),
    Fault(
        "encoder error",
        "One item cannot be encoded.",
        arrives=ALL,
        reasons=frozenset({"unencodable"}),
        where=_HERE,
    ),
    Fault("dead export thread", "The thread that exports is killed.", arrives=ALL),
    Fault("full disk", "Nothing more can be written to files.", where=_FILE),
    Fault(
        "no descriptors",
        "No file and no socket can be opened any more, and connections end.",
    ),
    Fault("fork", "The process forks, and both halves record.", arrives=ALL),
    Fault(
        "os._exit",
        "The process ends itself at once.",
        arrives=FLUSHED,
        where=_HERE,
        reasons=frozenset(),
    ),
    Fault("SIGTERM", "The application turns the signal into an exit.", arrives=ALL, code=143),
    Fault(
        "SIGTERM, unhandled",
        "The signal kills the process.",
        arrives=FLUSHED,
        where=_HERE,
        reasons=frozenset(),
        code=-15,
    ),
    Fault("SIGINT", "Somebody interrupts the process.", arrives=ALL, code=-2),
    Fault("clock forward", "The clock jumps to tomorrow.", arrives=ALL),
    Fault("clock back", "The clock jumps to yesterday.", arrives=ALL),
)

BY_NAME = {fault.name: fault for fault in FAULTS}
