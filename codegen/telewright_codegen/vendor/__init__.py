"""Other people's names, copied into our dialect at a pinned version."""
