"""Tests of the distribution `telewright`."""
