"""Which topics belong to which registry, and which registry builds on which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Home
from telewright_codegen.resolve.catalogue import Catalogue, Draft, Entry, report_unknown
from telewright_codegen.spec.registry import RegistrySpec, UseSpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded


def catalogues(loaded: Sequence[Loaded], report: Report) -> list[Catalogue]:
    """Return every registry with its topics, those that are used before those that use them."""
    found = _registries(loaded, report)
    _topics(loaded, found, report)
    by_name: dict[str, Catalogue] = {}
    for catalogue in found.values():
        twin = by_name.setdefault(catalogue.name, catalogue)
        if twin is not catalogue:
            report.error(
                "TW115",
                f"registry `{catalogue.name}` is declared twice",
                catalogue.at.value("registry"),
                "declared again here",
                secondary=(Label(twin.at.value("registry"), "first declared here"),),
                help="give one of them another name",
            )
    for catalogue in by_name.values():
        catalogue.around.extend(by_name.values())
        _uses(catalogue, by_name, report)
    return _in_order(by_name.values(), report)


def _registries(loaded: Sequence[Loaded], report: Report) -> dict[str, Catalogue]:
    found: dict[str, Catalogue] = {}
    for item in loaded:
        if not isinstance(item.spec, RegistrySpec):
            continue
        if item.folder in found:
            report.error(
                "TW128",
                f"folder `{item.folder}` has two registry files",
                item.at.value("registry"),
                "a second one",
                secondary=(Label(found[item.folder].at.value("registry"), "the first one"),),
                help="put each registry into a folder of its own",
            )
            continue
        catalogue = Catalogue(
            item.spec.registry,
            item.spec,
            item.at,
            item.folder,
            owned=not item.foreign,
            given=item.given,
            conventions=item.conventions,
        )
        for name in item.spec.processes:
            catalogue.processes[name] = Entry(name, item.at / "processes" / name)
        for name in item.spec.boundaries:
            catalogue.boundaries[name] = Entry(name, item.at / "boundaries" / name)
        found[item.folder] = catalogue
    return found


def _topics(loaded: Sequence[Loaded], found: dict[str, Catalogue], report: Report) -> None:
    drafts: dict[tuple[str, str], Draft] = {}
    for item in loaded:
        if not isinstance(item.spec, TopicSpec):
            continue
        catalogue = found.get(item.folder)
        if catalogue is None:
            report.error(
                "TW128",
                f"topic `{item.spec.topic}` belongs to no registry",
                item.at.value("topic"),
                f"there is no registry file in `{item.folder}`",
                help="add a `registry.yaml` beside it",
            )
            continue
        twin = drafts.get((item.folder, item.spec.topic))
        if twin is not None:
            report.error(
                "TW115",
                f"topic `{item.spec.topic}` is declared twice",
                item.at.value("topic"),
                "declared again here",
                secondary=(Label(twin.at.value("topic"), "first declared here"),),
                help="give one of them another name, or move its items into the other",
            )
            continue
        home = Home(catalogue.name, item.spec.topic)
        draft = Draft(item.spec, item.at, item.file.name, home, item.given)
        drafts[item.folder, item.spec.topic] = draft
        catalogue.drafts.append(draft)
    for catalogue in found.values():
        catalogue.drafts.sort(key=lambda draft: draft.spec.topic)


def _uses(catalogue: Catalogue, by_name: dict[str, Catalogue], report: Report) -> None:
    for index, use in enumerate(catalogue.spec.uses):
        place = (catalogue.at / "uses" / index).value()
        for name, version in _named(use):
            used = by_name.get(name)
            if used is None:
                report_unknown(
                    report,
                    "TW110",
                    name,
                    place,
                    what="registry",
                    known=lambda: {
                        known: other.at.value("registry")
                        for known, other in by_name.items()
                        if known != catalogue.name
                    },
                    where="not among the registries that were read",
                )
            elif used is catalogue:
                report.error(
                    "TW111",
                    f"registry `{name}` uses itself",
                    place,
                    "a registry sees its own names anyway",
                    help="remove it from `uses`",
                )
            elif version is not None and version != used.spec.version:
                report.error(
                    "TW112",
                    f"`{catalogue.name}` wants version {version} of `{name}`, "
                    f"which is {used.spec.version}",
                    place,
                    f"wants {version}",
                    secondary=(Label(used.at.value("version"), f"is {used.spec.version}"),),
                    help="change the one that is wrong",
                )
                catalogue.uses.append(used)
            elif used not in catalogue.uses:
                catalogue.uses.append(used)


def _named(use: str | dict[str, str] | UseSpec) -> Iterable[tuple[str, str | None]]:
    if isinstance(use, str):
        return [(use, None)]
    if isinstance(use, UseSpec):
        return [(use.registry, use.version)]
    return use.items()


def _in_order(found: Iterable[Catalogue], report: Report) -> list[Catalogue]:
    ordered: list[Catalogue] = []
    open_: list[Catalogue] = []

    def visit(catalogue: Catalogue) -> None:
        if catalogue in ordered:
            return
        open_.append(catalogue)
        for used in list(catalogue.uses):
            if used in open_:
                path = [*open_[open_.index(used) :], used]
                report.error(
                    "TW111",
                    "registries use each other: " + " → ".join(f"`{one.name}`" for one in path),
                    catalogue.at.key("uses"),
                    f"uses `{used.name}`",
                    secondary=tuple(
                        Label(one.at.key("uses"), f"`{one.name}`") for one in path[:-2]
                    ),
                    help="move what both need into a registry below them",
                )
                catalogue.uses.remove(used)
            else:
                visit(used)
        open_.pop()
        ordered.append(catalogue)

    for catalogue in sorted(found, key=lambda one: one.name):
        visit(catalogue)
    return ordered
