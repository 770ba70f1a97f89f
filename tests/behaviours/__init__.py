"""Numbered behaviours that no other folder of tests has."""
