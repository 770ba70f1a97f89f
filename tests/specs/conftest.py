"""The specs, resolved once."""

from __future__ import annotations

import pytest

from tests.specs.declared import Declared, load


@pytest.fixture(scope="session")
def declared() -> Declared:
    """Return the resolved specs of this project."""
    found, report = load()
    assert not report.has_errors, [problem.message for problem in report]
    return found
