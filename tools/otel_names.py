"""Write the table of OpenTelemetry's names that the generator carries.

Run it with a folder that holds a release of OpenTelemetry's semantic conventions:

    python tools/otel_names.py path/to/semantic-conventions/model 1.44.0
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

import yaml

TABLE: Final = (
    Path(__file__).parent.parent / "codegen" / "telewright_codegen" / "otel" / "names.txt"
)


def main() -> int:
    """Read a model folder and replace the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("version")
    arguments = parser.parse_args()
    lines: set[str] = set()
    for path in sorted(arguments.model.rglob("*.yaml")):
        document = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        if isinstance(document, dict):
            lines |= rows(document)
    TABLE.write_text(
        "".join(f"{line}\n" for line in [f"# {arguments.version}", *sorted(lines)]),
        encoding="utf-8",
    )
    print(f"{len(lines)} names in {TABLE.name}")
    return 0


def rows(document: dict[str, Any]) -> set[str]:
    """Return the lines for one file: kind, name, and what is known of it."""
    found: set[str] = set()
    for node in [document, *document.get("groups", [])]:
        for attribute in node.get("attributes") or []:
            key = attribute.get("id") or attribute.get("key")
            if key and "type" in attribute:
                found.add(_row("attribute", key, _type(attribute["type"]), attribute))
        if node.get("type") == "metric":
            known = f"{node['instrument']} {node['unit']}"
            found.add(_row("metric", node["metric_name"], known, node))
        if node.get("type") == "event":
            found.add(_row("event", node["name"], "", node))
    for metric in document.get("metrics", []):
        found.add(
            _row("metric", metric["name"], f"{metric['instrument']} {metric['unit']}", metric)
        )
    for event in document.get("events", []):
        found.add(_row("event", event["name"], "", event))
    return found


def _row(kind: str, name: str, known: str, node: dict[str, Any]) -> str:
    deprecated = node.get("deprecated")
    renamed = deprecated.get("renamed_to", "-") if isinstance(deprecated, dict) else "-"
    old = f"deprecated {renamed}" if deprecated else ""
    return " ".join(filter(None, [kind, name, known, old]))


def _type(written: object) -> str:
    return written if isinstance(written, str) else "enum"


if __name__ == "__main__":
    sys.exit(main())
