"""The pattern that serves a request; a path itself is no name, since there is no end of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def find(routes: Iterable[Any], scope: Mapping[str, Any]) -> str | None:
    """Return the pattern of the route that Starlette or FastAPI will choose, or None."""
    path, root = str(scope.get("path", "")), str(scope.get("root_path", ""))
    below = path.removeprefix(root)
    return _find(routes, below if below[:1] in {"", "/"} else path, scope.get("method"))


def _find(routes: Iterable[Any], path: str, method: object) -> str | None:
    for one in routes:
        route = getattr(one, "starlette_route", None) or one  # FastAPI may have it wrapped
        included = getattr(route, "effective_candidates", None)  # and keeps routers whole
        if included is not None:
            found = _find(included(), path, method)
            if found is not None:
                return found
            continue
        match = route.path_regex.match(path) if hasattr(route, "path_regex") else None
        if match is None:
            continue
        below = getattr(route, "routes", None)
        if below:
            inner = _find(below, "/" + str(match["path"]).lstrip("/"), method)
            return None if inner is None else f"{route.path}{inner}"
        methods = getattr(route, "methods", ())  # WebSockets have none, and other apps may be any
        if methods is None or method in methods or below is not None:
            return str(route.path)
    return None
