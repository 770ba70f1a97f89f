"""What OpenTelemetry has named, without a network."""
