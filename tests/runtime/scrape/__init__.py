"""Instruments that are read from pages of other programs."""
