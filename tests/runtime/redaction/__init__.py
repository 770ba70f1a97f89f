"""Tests of what may leave."""
