"""Which hosts are one's own, so that scopes may go there."""

from __future__ import annotations

from fnmatch import fnmatchcase
from ipaddress import ip_address
from urllib.parse import urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

PATTERNS: Final[list[str]] = []
"""Host patterns beyond private networks, from the setting ``propagate_to``."""

_OWN_SUFFIXES: Final = (".local", ".internal", ".localhost", ".svc")


def trusted(url: str) -> bool:
    """Say whether *url* leads to a private address, a name without a domain, or a pattern's."""
    host = urlsplit(str(url)).hostname
    if host is None:
        return False
    if any(fnmatchcase(host, pattern) for pattern in PATTERNS):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_OWN_SUFFIXES)
    return address.is_private or address.is_loopback
