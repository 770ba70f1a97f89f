"""Snippets of OpenTelemetry's pages that are not made byte for byte, and why."""

from __future__ import annotations

from typing import Final

DIFFERENT: Final = {
    "event.azure.resource.log": (
        "has a table of body fields, which are not read: OpenTelemetry moves them to attributes, "
        "its second format has none, and this is the last event with some"
    ),
}
