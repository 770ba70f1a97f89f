"""The seven stages in order; the only module that knows them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.load.discover import discover
from telewright_codegen.pause import collection_paused

if TYPE_CHECKING:
    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.model.registry import Model
    from telewright_codegen.write import Changes


class Outcome(NamedTuple):
    """What one run came to."""

    model: Model
    changes: Changes | None
    """None where errors kept anything from being written."""


def load(config: Config, report: Report) -> list[Loaded]:
    """Read every spec, those included that are only used."""
    from telewright_codegen.load.used import with_used

    return with_used(discover(config, report), config, report)


def model(config: Config, report: Report) -> Model:
    """Read, resolve and lint; whatever cannot be resolved is reported and left out."""
    from telewright_codegen.lint import run as lint
    from telewright_codegen.resolve.resolve import resolve

    with collection_paused():
        resolved = resolve(load(config, report), report)
        lint.run(resolved, report, select=config.select, ignore=config.ignore)
    return resolved


def generate(config: Config, report: Report, *, check: bool = False) -> Outcome:
    """Run every stage; stop before writing if anything is an error."""
    with collection_paused():
        return _generate(config, report, check=check)


def _generate(config: Config, report: Report, *, check: bool) -> Outcome:
    resolved = model(config, report)
    if report.has_errors:
        return Outcome(resolved, None)
    from telewright_codegen.targets import batches
    from telewright_codegen.write import write

    made = batches(resolved, config, report)
    return Outcome(resolved, write(made, report, root=config.root, check=check))
