"""Which hosts are one's own, so that scopes may go there.

What an address leads to is decided by the client that is given it, and clients differ: some make a
full stop of `。` and of ``%2e``, a slash of a backslash, and an address of ``134744072``. So only
an address that no client can read otherwise is judged; whatever else it is, it is a stranger's.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from ipaddress import IPv4Network, IPv6Network, ip_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ipaddress import IPv4Address
    from typing import Final

PATTERNS: Final[list[str]] = []
"""Host patterns beyond private networks, from the setting ``propagate_to``."""

_PLAIN: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//"
    r"(?:[a-z0-9._~!$&'()*+,;=:%-]*@)?"  # for whom, and with what password
    r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)"
    r"(?::[0-9]*)?"
    r"(?:[/?#].*)?",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)

_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
"""What is an address, or is none; a name it is never: what ends in a number."""

_OWN_SUFFIXES: Final = (".local", ".internal", ".localhost", ".svc")

_OWN: Final[tuple[IPv4Network | IPv6Network, ...]] = (
    *map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")),
    *map(IPv4Network, ("127.0.0.0/8", "169.254.0.0/16", "0.0.0.0/32")),
    *map(IPv6Network, ("fc00::/7", "fe80::/10", "::1/128", "::/128")),
)
"""Private, loopback and link-local networks, and what a server that listens everywhere is called.

`ipaddress` calls more of them private, and others from one Python to the next: also addresses that
stand for any of IPv4, as those of Teredo do.
"""


def trusted(url: str) -> bool:
    """Say whether *url* leads to a private address, a name without a domain, or a pattern's."""
    found = _PLAIN.fullmatch(str(url))
    if found is None:
        return False
    host = (found["six"] or found["name"]).lower()
    if any(fnmatchcase(host, pattern.lower()) for pattern in PATTERNS):
        return True
    if found["six"] is None and _NUMBER.fullmatch(host) is None:
        return "." not in host or host.endswith(_OWN_SUFFIXES)
    try:
        address = ip_address(host)
    except ValueError:
        return False
    stood_for: IPv4Address | None = getattr(address, "ipv4_mapped", None)
    return any((stood_for or address) in network for network in _OWN)
