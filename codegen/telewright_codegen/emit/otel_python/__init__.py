"""The layout in which OpenTelemetry publishes its conventions for Python."""
