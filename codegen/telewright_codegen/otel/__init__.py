"""What OpenTelemetry has named, without a network; and what a registry of its kind says."""
