"""Names of registries and topics, which become packages, modules, pages and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.resolve.words import KEYWORDS, MODULE_NAMES, REGISTRY_NAMES
from telewright_codegen.spec.reserved import STANDARD_LIBRARY, WINDOWS

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Catalogue


def module_name(topic: str) -> str:
    """Return what the module and the page of a topic are called.

    A topic's own name, unless that is a namespace of OpenTelemetry's dialect which cannot be one.
    """
    return f"{topic}_" if topic in KEYWORDS | WINDOWS | MODULE_NAMES else topic


def check_names(catalogue: Catalogue, report: Report) -> None:
    """Report names that cannot be modules, or would be taken for others."""
    why = _refusal(catalogue.name, standard=False)
    if catalogue.name in REGISTRY_NAMES:
        why = "a module of the runtime is called so"
    if why is not None and not catalogue.given:
        report.error(
            "TW206",
            f"a registry cannot be called `{catalogue.name}`",
            catalogue.at.value("registry"),
            why,
            help="choose another name",
        )
    for draft in catalogue.drafts:
        if draft.given:
            continue
        name = draft.spec.topic
        why = _refusal(name, standard=catalogue.owned)
        if name in MODULE_NAMES:
            why = "every generated package has a module of this name"
        if why is not None:
            report.error(
                "TW206",
                f"a topic cannot be called `{name}`",
                draft.at.value("topic"),
                why,
                help="choose another name; names of spans and attributes can stay",
            )


def _refusal(name: str, *, standard: bool) -> str | None:
    if name in KEYWORDS:
        return "a keyword of Python"
    if name in WINDOWS:
        return "no file can have this name on Windows"
    if standard and name in STANDARD_LIBRARY:
        return "a module of Python's standard library is called so"
    if name.startswith("_") or name.endswith("_") or "__" in name:
        return "underscores stand between two letters or digits"
    return None
