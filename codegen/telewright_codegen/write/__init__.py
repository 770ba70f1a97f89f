"""Artifacts → disk, all or none; or → what differs from disk."""

from telewright_codegen.write.changes import Changes
from telewright_codegen.write.write import write

__all__ = ["Changes", "write"]
