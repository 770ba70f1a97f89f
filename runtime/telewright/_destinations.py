"""Which hosts are one's own, so that scopes may go there."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from ipaddress import ip_address
from socket import inet_aton
from urllib.parse import urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

PATTERNS: Final[list[str]] = []
"""Host patterns beyond private networks, from the setting ``propagate_to``."""

_NUMBER: Final = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}")
"""What looks a name without a domain, and is an address: ``134744072``, ``0x8.8.8.8``."""

_OWN_SUFFIXES: Final = (".local", ".internal", ".localhost", ".svc")


def trusted(url: str) -> bool:
    """Say whether *url* leads to a private address, a name without a domain, or a pattern's."""
    text = str(url)
    host = urlsplit(text).hostname
    if host is None or "\\" in text:  # which some clients take for a slash, and others do not
        return False
    host = host.removesuffix(".")
    if any(fnmatchcase(host, pattern.lower()) for pattern in PATTERNS):
        return True
    try:
        address = ip_address(host if _NUMBER.fullmatch(host) is None else inet_aton(host))
    except (ValueError, OSError):
        return "." not in host or host.endswith(_OWN_SUFFIXES)
    return address.is_private or address.is_loopback
