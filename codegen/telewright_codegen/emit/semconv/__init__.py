"""Snippets of pages in the format of OpenTelemetry's own documentation."""
