"""Model → files in memory."""
