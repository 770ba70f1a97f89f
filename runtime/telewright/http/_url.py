"""What of an address may be recorded."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def plain(url: object) -> str:
    """Return *url* without its query, its fragment and the credentials of its host.

    Keys, prompts and tokens travel there; neither is ever recorded.
    """
    parts = urlsplit(str(url))
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
