"""Processes whose telemetry nemo-lens has set up."""
