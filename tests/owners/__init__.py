"""Specs kept in their owner's repository, and generated into its package."""
