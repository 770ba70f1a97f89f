"""Faults of networks, disks and processes, and what telemetry makes of them."""
