"""Tests of both distributions."""
