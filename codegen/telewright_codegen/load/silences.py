"""`allow:` of a registry that is used: which warnings about it are not reported, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Severity
from telewright_codegen.spec.registry import RegistrySpec, UseSpec
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.diagnostics import Diagnostic, Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.source import At

SILENCEABLE: Final = ("TW809", "TW811")
"""What is said of registries that are only used and that are right otherwise."""


def silence(loaded: Sequence[Loaded], report: Report) -> None:
    """Take back the warnings that registries allow, and report what is allowed for nothing."""
    known = {item.spec.registry: item for item in loaded if isinstance(item.spec, RegistrySpec)}
    silenced: list[Diagnostic] = []
    for name, code, at in _written(loaded):
        used = known.get(name)
        if code not in SILENCEABLE:
            report.error(
                "TW190",
                f"no warning `{code}` that could be silenced",
                at.key(code),
                "not the code of a warning about a registry that is only used",
                help=did_you_mean(code, SILENCEABLE) or f"there are {', '.join(SILENCEABLE)}",
            )
        elif used is not None:
            found = list(_about(used, code, report))
            silenced += found
            if not found:
                report.warning(
                    "TW191",
                    f"`{code}` is allowed for `{name}` and finds nothing there",
                    at.key(code),
                    "not needed",
                    help="remove it",
                )
    if silenced:
        report.diagnostics[:] = [one for one in report.diagnostics if one not in silenced]


def _written(loaded: Sequence[Loaded]) -> Iterator[tuple[str, str, At]]:
    for item in loaded:
        if isinstance(item.spec, RegistrySpec):
            for index, use in enumerate(item.spec.uses):
                if isinstance(use, UseSpec):
                    for code in use.allow:
                        yield use.registry, code, item.at / "uses" / index / "allow"


def _about(used: Loaded, code: str, report: Report) -> Iterator[Diagnostic]:
    folders = {used.folder, *used.below}
    for one in report.diagnostics:
        if one.code == code and one.severity is Severity.WARNING and one.primary is not None:
            file = report.files.get(one.primary.place.file)
            if file is not None and file.folder in folders:
                yield one
