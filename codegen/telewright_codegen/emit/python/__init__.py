"""Typed Python from a model: views decide, templates print."""
