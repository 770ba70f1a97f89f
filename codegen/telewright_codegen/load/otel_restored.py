"""Files that our own emitter wrote in OpenTelemetry's second format, as the topics they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from telewright_codegen.load.document import Document
from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.validate import validated
from telewright_codegen.otel.exchange import SECTIONS, annotation, restored
from telewright_codegen.source import At
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.document import Data
    from telewright_codegen.source import Place, Steps

_ABOUT: Final = ("attribute_groups", 0)


class Restored(Document):
    """A document whose items are where they were, each as a whole."""

    def __init__(self, original: Document, data: Data) -> None:
        super().__init__(original.file, original.lines, data, ())
        self._original = original

    def key_place(self, steps: Steps, /) -> Place:
        """Return the place of the item that *steps* lead into."""
        return self._original.key_place(_there(steps))

    def value_place(self, steps: Steps, /) -> Place:
        """Return the place of the item that *steps* lead into."""
        return self._original.value_place(_there(steps))

    def written(self, steps: Steps, /) -> str:
        """Return the first line of the item that *steps* lead into."""
        return self._original.written(_there(steps))


def _there(steps: Steps) -> Steps:
    section = SECTIONS.get(str(steps[0])) if steps else None
    return _ABOUT if section is None else (section, *steps[1:2])


def restore(document: Document, report: Report) -> list[Loaded] | None:
    """Return the topic or the registry that *document* was made of; None if it is no such file."""
    data = document.data
    groups = data.get("attribute_groups") if isinstance(data, dict) else None
    about: object = groups[0] if isinstance(groups, list) and groups else None
    if not isinstance(about, dict):
        return None
    about = cast("dict[str, Any]", about)
    ours = annotation(about)
    model: type[TopicSpec | RegistrySpec] = TopicSpec if "topic" in ours else RegistrySpec
    if "topic" not in ours and "registry" not in ours:
        return None
    made = restored(about, "topic")
    if model is TopicSpec:
        made |= _sections(cast("Mapping[str, Any]", data))
    found = validated(model, Restored(document, made), report)
    return [] if found is None else [Loaded(found[0], At(found[1], ()), document.file)]


def _sections(data: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for ours, theirs in SECTIONS.items():
        items: object = data.get(theirs)
        if isinstance(items, list):
            found[ours] = [_item(item, ours) for item in cast("list[object]", items)]
    return found


def _item(item: object, section: str) -> object:
    return restored(cast("dict[str, Any]", item), section) if isinstance(item, dict) else item
