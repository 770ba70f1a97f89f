"""A fixture for tests of an application's telemetry; pytest finds it by itself."""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright.testing import Captured


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker that the fixture reads."""
    config.addinivalue_line(
        "markers",
        "telemetry(groups, **options): what `telewright.testing.captured` is called with",
    )


@pytest.fixture
def telemetry(request: pytest.FixtureRequest) -> Iterator[Captured]:
    """Record what helpers do during the test."""
    from telewright.testing import captured

    marker = request.node.get_closest_marker("telemetry")
    if marker is None:
        marker = pytest.mark.telemetry().mark
    with captured(*marker.args, **marker.kwargs) as recorded:
        yield recorded
