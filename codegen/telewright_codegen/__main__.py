"""``python -m telewright_codegen``."""

from __future__ import annotations

import sys

from telewright_codegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
