"""The collector of garbage: paused while everything is kept, and left as it was."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> list[str]:
    """Run a program and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import gc, sys\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_what_was_made_in_a_pause_is_not_walked_through_as_new() -> None:
    """No collection runs in the pause, and the first one afterwards finds next to nothing young."""
    lines = run("""
from telewright_codegen.pause import collection_paused
seen = []
gc.callbacks.append(lambda phase, _: seen.append(len(gc.get_objects(0))))
with collection_paused():
    kept = [[] for _ in range(50_000)]
    print(len(seen), gc.isenabled())
young = [[] for _ in range(3 * gc.get_threshold()[0])]
print(seen[0] < 10_000, gc.isenabled(), gc.get_freeze_count())
""")
    assert lines == ["0 False", "True True 0"]


def test_what_others_froze_stays_frozen() -> None:
    """An application that has frozen its objects finds as many after a pause."""
    lines = run("""
from telewright_codegen.pause import collection_paused
kept = [[] for _ in range(5000)]
gc.freeze()
before = gc.get_freeze_count()
with collection_paused():
    more = [[] for _ in range(5000)]
print(gc.get_freeze_count() == before, gc.isenabled())
""")
    assert lines == ["True True"]


def test_only_a_process_of_its_own_is_frozen_at_the_end() -> None:
    """`program` spares the process a last walk; `main`, which others may call, freezes nothing."""
    lines = run("""
from telewright_codegen.__main__ import main, program
sys.argv = ["telewright", "explain", "TW001"]
before = gc.get_freeze_count()
sys.stdout.write = lambda _: None
codes = main(), gc.get_freeze_count() <= before, program(), gc.get_freeze_count() > 5000
del sys.stdout.write
print(codes)
""")
    assert lines == ["(0, True, 0, True)"]
