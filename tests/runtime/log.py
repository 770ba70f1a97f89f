"""What the log holds of ours: an exporter of an earlier test may still say that nobody answers."""

from __future__ import annotations


def ours(caplog):
    """Return the records of our own loggers."""
    return [one for one in caplog.records if one.name.split(".")[0] == "telewright"]
