"""What of an address may be recorded."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from telewright._guard import failed


def plain(url: object) -> str:
    """Return *url* without its query, its fragment and the credentials of its host.

    Keys, prompts and tokens travel there; neither is ever recorded.
    """
    try:
        parts = urlsplit(str(url))
    except Exception:  # what has no text, or is no address, is not recorded at all
        failed("read an address")
        return ""
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
