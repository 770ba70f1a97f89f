"""Typed telemetry from specs: the generator."""
