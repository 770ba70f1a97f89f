"""Opinions about a model that resolved: names, metrics, privacy, lifetimes."""
