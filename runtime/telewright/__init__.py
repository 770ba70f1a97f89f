"""Telemetry that cannot drift: typed, gated, redacted helpers generated from specs."""
