"""The version of the runtime, and telling a person that a generated package needs a newer one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

VERSION: Final = "0.1.0"

PACKAGES: Final[list[str]] = []
"""Every generated package imported so far."""


def requires(version: str, package: str) -> None:
    """Refuse to import *package* on a runtime that is older than *version* or of another major.

    Raises:
        ImportError: With one line that says what is there and what to do.
    """
    wanted, found = _numbers(version), _numbers(VERSION)
    if found[0] == wanted[0] and found >= wanted:
        PACKAGES.append(package)
        return
    upper = f",<{wanted[0] + 1}" if found[0] > wanted[0] else ""
    raise ImportError(
        f"{package} needs telewright {version} or a later {wanted[0]}.x, found {VERSION}: "
        f"pip install -U 'telewright>={version}{upper}'"
    )


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, without what marks a pre-release."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers) or (0,)
