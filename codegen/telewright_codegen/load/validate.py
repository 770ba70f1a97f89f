"""Plain data to specs: what does not fit is reported and left out, the rest goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import ValidationError

from telewright_codegen.load.discover import MANIFESTS
from telewright_codegen.load.document import REFUSED, Refused
from telewright_codegen.load.language import fields, model_at, required
from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.mismatch import problems
from telewright_codegen.load.pruned import Pruned
from telewright_codegen.load.wording import Writer
from telewright_codegen.source import At
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec
from telewright_codegen.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.document import Data, Document
    from telewright_codegen.load.mismatch import Problem
    from telewright_codegen.source import Located, Steps
    from telewright_codegen.spec.common import Spec

S = TypeVar("S", bound="Spec")

_ROUNDS: Final = 20
"""How often parts are left out before a whole file is; twice is usual, each round reports more."""
_OTHER_DIALECT: Final = ("groups", "imports", "file_format")
"""One of these is in every file of OpenTelemetry's dialect, and in none of ours."""
_STAND_INS: Final[dict[str, Data]] = {
    "brief": "(missing)",
    "type": "string",
    "unit": "1",
    "version": "0",
}
"""What goes on in the place of a field that is wrong, so that its item is not missed elsewhere."""


def validate(
    documents: Iterable[Document], report: Report, *, as_written: bool = False
) -> list[Loaded]:
    """Return the specs that *documents* hold.

    Args:
        documents: Parsed files.
        report: Where findings go.
        as_written: Whether files that were made of topics stay what they are: definitions.
    """
    loaded: list[Loaded] = []
    for document in documents:
        loaded += _read(document, report, as_written=as_written)
    return loaded


def _read(document: Document, report: Report, *, as_written: bool) -> list[Loaded]:
    data = document.data
    if not isinstance(data, dict):
        if not isinstance(data, Refused):
            report.error(
                "TW026",
                f"`{document.file.name}` is neither a topic nor a registry",
                document.value_place(()),
                "expected a mapping that starts with `topic:` or `registry:`",
            )
        return []
    if "topic" in data and "registry" in data:
        report.error(
            "TW009",
            "a topic and a registry in one file",
            document.key_place(("registry",)),
            "each needs a file of its own",
        )
        return []
    if "topic" not in data and "registry" not in data and _is_opentelemetry(document, data):
        from telewright_codegen.load import otel_files  # noqa: PLC0415  only for that dialect

        return otel_files.read(document, report, as_written=as_written)
    if "topic" in data:
        return _validated(TopicSpec, document, report)
    if "registry" in data:
        return _validated(RegistrySpec, document, report)
    hint = next((hint for key in data if (hint := did_you_mean(key, ("topic", "registry")))), None)
    report.error(
        "TW026",
        f"`{document.file.name}` is neither a topic nor a registry",
        document.value_place(()),
        "it has neither `topic:` nor `registry:`",
        help=hint,
    )
    return []


def _is_opentelemetry(document: Document, data: dict[str, Data]) -> bool:
    """Whether a file is written in OpenTelemetry's own dialect."""
    return not data.keys().isdisjoint(_OTHER_DIALECT) or document.file.path.name in MANIFESTS


def _validated(
    model: type[TopicSpec | RegistrySpec], document: Document, report: Report
) -> list[Loaded]:
    found = validated(model, document, report)
    return [] if found is None else [Loaded(found[0], At(found[1], ()), document.file)]


def validated(
    model: type[S],
    document: Document,
    report: Report,
    stand_ins: Mapping[str, Data] = _STAND_INS,
) -> tuple[S, Located] | None:
    """Return what *document* says as a *model*, and where; None if nothing of it can be used."""
    try:
        return model.model_validate(document.data), document
    except ValidationError as error:
        pruned = Pruned.of(document)
        partial = _without_errors(model, pruned, error, report, stand_ins)
        return None if partial is None else (partial, pruned)


def _without_errors(
    model: type[S],
    pruned: Pruned,
    error: ValidationError,
    report: Report,
    stand_ins: Mapping[str, Data],
) -> S | None:
    writer = Writer(model, pruned, report)
    for _ in range(_ROUNDS):
        found = list(problems(error.errors(include_url=False), pruned.data))
        for problem in _worth_saying(found):
            writer.write(problem)
        culprits = {_culprit(model, problem, stand_ins) for problem in found}
        if () in culprits:
            return None
        for steps in sorted(culprits, key=_order, reverse=True):
            _repair(model, pruned, steps, stand_ins)
        try:
            return model.model_validate(pruned.data)
        except ValidationError as again:
            error = again
    return None


def _worth_saying(found: Sequence[Problem]) -> Iterator[Problem]:
    """Leave out what has been reported as YAML, and what is missing because it is misspelled."""
    unknown = [problem.steps for problem in found if problem.kind == "extra_forbidden"]
    for problem in found:
        if problem.kind == "missing":
            name, parent = str(problem.steps[-1]), problem.steps[:-1]
            beside = [str(steps[-1]) for steps in unknown if steps[:-1] == parent]
            if any(nearest(other, [name]) for other in beside):
                continue
        elif problem.value is REFUSED:
            continue
        yield problem


def _culprit(model: type[Spec], problem: Problem, stand_ins: Mapping[str, Data]) -> Steps:
    """Return the path of the smallest thing without which the rest can be used."""
    steps = problem.steps
    last = steps[-1]
    if problem.kind == "extra_forbidden" or problem.is_key or last in stand_ins:
        return steps
    owner = model_at(model, steps[:-1])
    if owner is not None and isinstance(last, str) and required(owner, last):
        return steps[:-1]
    return steps


def _repair(model: type[Spec], pruned: Pruned, steps: Steps, stand_ins: Mapping[str, Data]) -> None:
    last = steps[-1]
    owner = model_at(model, steps[:-1])
    if owner is not None and last in stand_ins and last in fields(owner):
        pruned.put(steps, stand_ins[str(last)])
    else:
        pruned.remove(steps)


def _order(steps: Steps) -> list[tuple[bool, int, str]]:
    return [
        (isinstance(step, str), step if isinstance(step, int) else 0, str(step)) for step in steps
    ]
