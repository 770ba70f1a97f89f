"""Canaries through Ray: a driver, a task and an actor, each with telemetry of its own."""

from __future__ import annotations

import pytest
from tests.runtime.redaction.canaries import KINDS, body
from tests.runtime.redaction.runs import readable, run

pytest.importorskip("ray")

pytestmark = pytest.mark.system

_SURFACES = (1, 2, 3)


def _seen(folder, **environment):
    said = run(folder, "tests.system.ray_leaky", TELEWRIGHT_EXPORTER="file", **environment)
    text = readable(said + "\n".join(path.read_text() for path in folder.rglob("*.jsonl")))
    assert "kiln.pot" in text
    return {
        (kind, surface) for kind in KINDS for surface in _SURFACES if body(kind, surface) in text
    }


@pytest.mark.parametrize(("redaction", "share"), [("default", 0), ("off", 1)])
def test_workers_redact_too(tmp_path, redaction, share):
    """Redacted, none of what driver, tasks and actors record is found; not redacted, all of it."""
    seen = _seen(tmp_path, TELEWRIGHT_REDACTION=redaction)
    assert len(seen) == share * len(KINDS) * len(_SURFACES)
