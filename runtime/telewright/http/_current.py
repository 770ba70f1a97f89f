"""Whether what a middleware would open is open already, whoever has opened it."""

from __future__ import annotations

from telewright import _late as late


def is_open(kind: str) -> bool:
    """Say whether the current span is one of *kind*, ``client`` or ``server``, and open.

    OpenTelemetry's API has spans without kinds. The SDK's have one, and so have ours, handed over
    or not; those of others have it as a member or by name, or are of no kind that anybody knows.
    """
    span = late.get_current_span()
    said: object = getattr(span, "kind", None)
    return str(getattr(said, "name", said)).lower() == kind and span.is_recording()
