"""Pages of numbers that other programs keep, and how declared instruments find them.

A spec says which series an instrument is read from, and on which page: an address, or a name.
What is behind a name is said here, before or after telemetry starts.

    telewright.pages.found_by("engine", lambda: [f"http://{host}:8000/metrics" for host in hosts])
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from telewright._guard import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final, TypeAlias

    from opentelemetry.util.types import AttributeValue

    Attributes: TypeAlias = Mapping[str, AttributeValue]
    Found: TypeAlias = "str | Page"
    Finder: TypeAlias = Callable[[], Iterable[Found]]

__all__ = ["NoPages", "Page", "found_by", "on_ray"]


class NoPages(Exception):  # noqa: N818 - what a finder says, no failure of it
    """There are no pages, and will be none; raised by a finder, its text is logged once."""


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page is, and what attributes are on everything that is read from it.

    Of the attributes, an instrument takes those that its spec gives it.
    """

    url: str
    attributes: Attributes = field(default_factory=dict[str, "AttributeValue"])


def found_by(name: str, finder: Finder | Iterable[Found] | str) -> None:
    """Say what finds the pages that specs call *name*.

    Args:
        name: As written in a spec, `page: engine`; a registry's name where a spec has no `page`.
        finder: An address, several, or a function that is asked before each reading. It runs on a
            thread of ours; what it raises is logged once.
    """
    if isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - whatever is given
        FINDERS[name] = finder
    else:
        say("what finds pages has a name, as specs write it")


def on_ray(describe: Callable[[Mapping[str, Any]], Attributes] | None = None) -> Finder:
    """Return what finds the pages of Ray: one on each node, of which it says `host.name`.

    Where Ray is not running in this process there are none. Ray has them only where it was
    installed as `ray[default]`.

    Args:
        describe: Given what `ray.nodes()` says of a node, returns more attributes of its page:
            `lambda node: {"rl.worker_groups": groups_on(node["NodeID"])}`.
    """

    def find() -> Iterable[Page]:
        ray: Any = sys.modules.get("ray")
        running = getattr(ray, "is_initialized", None)
        if running is None or not running():
            return
        nodes = [node for node in ray.nodes() if node.get("Alive")]
        with_page = [node for node in nodes if (node.get("MetricsExportPort") or 0) > 0]
        if nodes and not with_page:
            raise NoPages("Ray has no page on any node: pip install 'ray[default]'")
        for node in with_page:
            host, port = node["NodeManagerAddress"], node["MetricsExportPort"]
            attributes = {"host.name": node.get("NodeManagerHostname") or host}
            if describe is not None:
                attributes |= describe(node)
            authority = f"[{host}]" if ":" in host else host
            yield Page(f"http://{authority}:{port}/metrics", attributes)

    return find


FINDERS: Final[dict[str, Finder | Iterable[Found] | str]] = {"ray": on_ray()}
"""What finds the pages of a name."""
