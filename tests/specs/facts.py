"""The inventory of what Gym, RL and their shared library emit, as far as tests ask it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import yaml

from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Entry = dict[str, Any]
"""One record of the inventory."""

REGISTRIES: Final = {"nemo_gym": "gym", "nemo_rl": "rl"}
"""What the inventory calls namespaces, and we registries."""

_ATTRIBUTES: Final = ("attributes_gym", "attributes_rl", "attributes_lens_and_shared")
_SPANS: Final = ("spans_gym", "spans_rl", "spans_lens")
_METRICS: Final = ("metrics_gym", "metrics_rl")
_KEY: Final = re.compile(r"^[a-z][a-z0-9_.]*$")
_NOTED: Final = re.compile(r"^(?P<name>[A-Za-z0-9_.]+)\s*\((?P<note>.*)\)$")


@dataclass(frozen=True)
class Facts:
    """The inventory."""

    data: Mapping[str, Any]

    @classmethod
    def read(cls) -> Facts:
        """Read it, or skip the test where there is none."""
        text = shared("facts", "inventory.yaml").read_text(encoding="utf-8")
        return cls(yaml.safe_load(text))

    def groups(self) -> Iterator[tuple[str, Entry]]:
        """Yield the id of each group that Gym or RL has, or had."""
        for entry in self.data["span_groups"]:
            for name in entry["name"].split("|"):
                yield f"{REGISTRIES.get(entry['namespace'], entry['namespace'])}.{name}", entry

    def presets(self) -> Iterator[tuple[str, Entry]]:
        """Yield the id of each preset."""
        for entry in self.data["presets"]:
            yield f"{REGISTRIES.get(entry['namespace'], entry['namespace'])}.{entry['name']}", entry

    def spans(self) -> Iterator[tuple[str, Entry]]:
        """Yield every span name, patterns expanded."""
        for section in _SPANS:
            for entry in self.data[section]:
                for name in entry.get("names", [entry["name"]]):
                    yield name, entry

    def attributes(self) -> Iterator[tuple[str, Entry]]:
        """Yield every key."""
        for section in _ATTRIBUTES:
            for entry in self.data[section]:
                for key in entry["key"].split("|"):
                    yield key, entry

    def metrics(self) -> Iterator[tuple[str, Entry]]:
        """Yield every metric."""
        for section in _METRICS:
            for entry in self.data[section]:
                yield entry["name"], entry

    def resources(self) -> Iterator[tuple[str, str]]:
        """Yield each key of a resource, and its type where one is given."""
        for section, entries in self.data["resource_attributes"].items():
            if section in {"rules", "added_by_gym_submit_collector"} or isinstance(entries, str):
                continue
            for entry in entries:
                if isinstance(entry, dict):
                    yield entry["key"], entry["type"]
                    continue
                noted = _NOTED.match(entry.split("=")[0].split(" (<")[0])
                key, note = noted.group("name", "note") if noted else (entry.split("=")[0], "")
                yield key.split(" ")[0], "int" if note.startswith("int") else ""

    def scopes(self) -> Iterator[tuple[str, Entry]]:
        """Yield every scope, by the name of the function that opens it without its ending."""
        for entry in self.data["scopes"]:
            for name in entry["name"].split(" / "):
                yield name.removesuffix("_scope"), entry

    def categories(self) -> Iterator[tuple[str, Entry]]:
        """Yield every category of efficiency."""
        for entry in self.data["efficiency_categories"]:
            yield entry["name"], entry

    def series(self) -> Iterator[str]:
        """Yield the beginnings of series that go elsewhere than to OpenTelemetry."""
        yield from self.data["metrics_rl_not_otel"]["prefixes"]

    def variables(self) -> Iterator[tuple[str, bool]]:
        """Yield each environment variable, and whether it has been removed."""
        for section, entries in self.data["env_variables"].items():
            for entry in [] if section == "precedence" else entries:
                yield entry.split(" ")[0], "(removed)" in entry

    def fields(self) -> Iterator[tuple[str, object]]:
        """Yield each field of a configuration block, and its default."""
        for block, entries in self.data["config_fields"].items():
            for name, default in entries.items():
                if not name.startswith("_"):
                    said = isinstance(default, str) and default.startswith("(")
                    yield f"{block.rstrip()}.{name.rstrip(':')}", None if said else default


def keys_of(entry: Entry, name: str = "") -> set[str]:
    """Return the attributes of a span or metric.

    A remark may say that a key is the resource's, or that it belongs to one of several names.
    """
    found: set[str] = set()
    for said in map(str, entry.get("attributes", [])):
        key, _, remark = said.partition(" ")
        remark = remark.strip("()")
        others = {one for one in entry.get("names", []) if one.endswith(f".{remark}")}
        if _KEY.match(key) and remark != "resource" and (not others or name in others):
            found.add(key)
    return found


def groups_of(entry: Entry) -> set[str]:
    """Return the groups that a span may be in; most facts name one."""
    return set(re.split(r"[ ,]", entry["group"])[0].split("/"))


def bucket_of(entry: Entry) -> str | None:
    """Return the bucket of a span, remarks aside."""
    return re.split(r"[ ,]", entry["bucket"])[0] if "bucket" in entry else None


def members_of(entry: Entry) -> set[str]:
    """Return the members that an attribute has, remarks in parentheses aside."""
    return {str(one) for one in entry.get("enum", []) if not str(one).startswith("(")}
