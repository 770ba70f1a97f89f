"""From files to specs: discover, parse, validate."""
