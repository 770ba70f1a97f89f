"""Breaks that make no difference, so that no test can notice them, each with the reason."""

from __future__ import annotations

from typing import Final

_FALSE: Final = "whoever asks only asks whether it is true, and None is as false"
_TIME: Final = "what is let through is looked at closely afterwards: only time is lost"

_RECORD: Final = "type checkers hold the code to it: nothing assigns to these, nor counts positions"

EQUIVALENT: Final[dict[tuple[str, str, str], str]] = {
    ("_settings.py", "value", "@dataclass(frozen=True, slots=True, kw_only=True)"): _RECORD,
    ("_books.py", "value", "@dataclass(frozen=True, slots=True)"): _RECORD,
    ("_batcher.py", "value", "self._wanted = 0"): "a first round at once finds nothing, and waits",
    ("_processor.py", "not", "if not self._full:"): "runs only where threads run at once",
    ("_accounts.py", "return", "return False"): _FALSE,
    ("_relay.py", "value", "self._generation = -1"): "any number will do that is no generation's",
    (
        "_accounts.py",
        "value",
        "name = f\"{self._said['host']}-{self._said['pid']}-{os.urandom(4).hex()}.json\"",
    ): "how many letters keep two names apart does not matter, if they are enough",
    ("_fork.py", "value", "_WATCHING.append(True)"): "whether there is anything is all that counts",
    ("_scan.py", "return", 'return ""'): _FALSE,
    ("_scan_pairs.py", "return", 'return ""'): _FALSE,
    ("_scan_pairs.py", "return", "return False"): _FALSE,
    (
        "_scan_pairs.py",
        "and-or",
        'before = text[start - 1 : start] if asked and start else ""',
    ): "what stands before is only looked at where a query is asked for; before 0 there is nothing",
    ("_scan_rows.py", "return", 'return ""'): _FALSE,
    ("_scan_shapes.py", "return", "return False"): _FALSE,
    ("_scan_urls.py", "return", "return False"): _FALSE,
    ("_scan_pairs.py", "return", "return not _LONG_WORD.match(text, position)"): _TIME,
    (
        "_scan_prose.py",
        "comparison",
        "for match in _CODE.finditer(lower) if any(hint in lower for hint in _CODE_HINTS) else ():",
    ): _TIME,
    (
        "_scan_prose.py",
        "comparison",
        "if not any(hint in lower for hint in _SPOKEN_HINTS):",
    ): _TIME,
    (
        "_scan_beside.py",
        "and-or",
        'if "(" in text and any(hint in text for hint in _STRINGS):',
    ): _TIME,
    (
        "_scan_beside.py",
        "comparison",
        'if "(" in text and any(hint in text for hint in _STRINGS):',
    ): _TIME,
    (
        "_scan_text.py",
        "comparison",
        "hinted = any(hint in lower for hint in _TOLD_HINTS)",
    ): _TIME,
    (
        "_scan_text.py",
        "comparison",
        "if told is None and any(hint in lower for hint in _SAID_HINTS):",
    ): _TIME,
    ("_words.py", "return", 'return ""'): _FALSE,
    ("_rules_personal.py", "return", "return False"): _FALSE,
}
"""Reasons by module, kind of break, and the line as it is written."""
