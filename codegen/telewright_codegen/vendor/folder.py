"""A vendored registry as files: topics, the registry, where they came from, whose they are."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.vendor.dialect import namespace, quoted, topics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telewright_codegen.vendor.foreign import ForeignAttribute

MARKER: Final = "vendored.json"
"""The file that says a folder is somebody else's."""
SOURCE: Final = "https://github.com/open-telemetry/semantic-conventions"
_VERSION: Final = re.compile(r"(\d+(?:\.\d+)+(?:[-.+][0-9A-Za-z.-]+)?)/*$")
_HEADER: Final = "# Vendored by telewright from {} {}, in our words. Do not edit."
_TITLE: Final = "OpenTelemetry semantic conventions"
_NOTICE: Final = """\
This folder holds names, types and descriptions taken from
{title} {version}
{source}

Copyright The OpenTelemetry Authors.
Licensed under the Apache License, Version 2.0; a copy is at
https://www.apache.org/licenses/LICENSE-2.0

They were changed: a selection was made, and it was put into the spec language of Telewright.
"""


def version(manifest: object) -> str | None:
    """Return the version at the end of a manifest's schema URL (or its own, in older ones)."""
    if not isinstance(manifest, dict):
        return None
    for key in ("schema_url", "semconv_version", "version", "schema_base_url"):
        match = _VERSION.search(str(manifest.get(key) or ""))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  YAML
        if match:
            return match.group(1)
    return None


def otel(attributes: Mapping[str, ForeignAttribute], *, version: str) -> tuple[Artifact, ...]:
    """Return the files of ``specs/otel`` for *attributes*."""
    header = _HEADER.format(_TITLE, version)
    texts = {f"{name}.yaml": text for name, text in topics(attributes.values(), header=header)}
    texts["registry.yaml"] = _registry(attributes, header=header, version=version)
    texts["NOTICE"] = _NOTICE.format(title=_TITLE, version=version, source=SOURCE)
    facts = {
        "registry": "otel",
        "version": version,
        "source": SOURCE,
        "licence": "Apache-2.0",
        "attributes": len(attributes),
        "sha256": digest((name, text.encode()) for name, text in texts.items()),
    }
    texts[MARKER] = json.dumps(facts, indent=2) + "\n"
    return tuple(Artifact(PurePosixPath(name), text) for name, text in sorted(texts.items()))


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return one hash of names and contents, in the order of the names; the marker is left out."""
    whole = hashlib.sha256()
    for name, data in sorted(files):
        if name != MARKER:
            whole.update(f"{name}\0{len(data)}\0".encode())
            whole.update(data)
    return whole.hexdigest()


def _registry(attributes: Mapping[str, ForeignAttribute], *, header: str, version: str) -> str:
    lines = [
        header,
        "registry: otel",
        f"title: {_TITLE}",
        f"version: {quoted(version)}",
        "brief: The names of OpenTelemetry that the registries beside this one use.",
        f"schema_url: https://opentelemetry.io/schemas/{version}",
        "namespaces:",
        *(f"  - {space}" for space in sorted({namespace(key) for key in attributes})),
    ]
    return "\n".join(lines) + "\n"
