"""Model → what programs and people can ask about it, each value with where it came from."""
