"""Telemetry that Acme's libraries share."""
