"""Our registries as registries of OpenTelemetry's kind, which Weaver reads."""
