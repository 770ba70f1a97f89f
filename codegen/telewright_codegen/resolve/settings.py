"""Settings: what people configure, and whether it can be read as declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Setting
from telewright_codegen.resolve.words import KEYWORDS

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Draft
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import OneOrMore
    from telewright_codegen.spec.topic import SettingSpec

RESERVED: Final = frozenset(["arguments", "declared", "export", "reported"])
"""What the settings that are read have besides: no setting can be called so."""

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "path": (str,),
    "int": (int,),
    "double": (int, float),
    "seconds": (int, float),
    "boolean": (bool,),
}


def resolve_settings(draft: Draft, report: Report) -> tuple[Setting, ...]:
    """Return the settings of a topic; what cannot be read as declared is reported."""
    found: list[Setting] = []
    names: dict[str, At] = {}
    roles: dict[str, At] = {}
    for index, spec in enumerate(draft.spec.settings):
        at = draft.at / "settings" / index
        attribute = spec.name.removeprefix(f"{draft.home.topic}.").replace(".", "_")
        _check_name(attribute, spec, at, names, report)
        _check(spec, at, roles, report)
        found.append(Setting(spec.name, draft.home, _listed(spec.env), attribute, spec, at))
    return tuple(found)


def _listed(said: OneOrMore | None) -> tuple[str, ...]:
    return () if said is None else (said,) if isinstance(said, str) else tuple(said)


def _check_name(
    attribute: str, spec: SettingSpec, at: At, names: dict[str, At], report: Report
) -> None:
    if attribute in RESERVED or attribute in KEYWORDS or not attribute.isidentifier():
        report.error(
            "TW205",
            f"setting `{spec.name}` would be `{attribute}` in Python",
            at.value("name"),
            "a name that Python or the settings need",
            help="rename the setting",
        )
    former = names.setdefault(attribute, at)
    if former is not at:
        report.error(
            "TW204",
            f"setting `{spec.name}` would be `{attribute}` in Python, as another is",
            at.value("name"),
            f"`{attribute}` again",
            secondary=(Label(former.value("name"), f"`{attribute}` first"),),
            help="rename one of them",
        )


def _check(spec: SettingSpec, at: At, roles: dict[str, At], report: Report) -> None:
    if spec.env is None and spec.config is None:
        report.error(
            "TW137",
            f"setting `{spec.name}` cannot be set",
            at.value("name"),
            "has neither a variable nor a field",
            help="add `env:` or `config:`",
        )
    if spec.default is not None and not _fits(spec):
        report.error(
            "TW137",
            f"the default of `{spec.name}` is no `{spec.type}`",
            at.value("default"),
            "of another type",
            secondary=(Label(at.value("type" if spec.type != "string" else "name"), spec.type),),
            help="change `default` or `type`",
        )
    if spec.start is None:
        return
    wanted = "boolean" if spec.start in _SWITCHES else "string"
    if spec.type != wanted:
        report.error(
            "TW137",
            f"setting `{spec.name}` is no `{wanted}`, so it cannot be `{spec.start}`",
            at.value("start"),
            f"`telewright.start` takes a {wanted}",
            help=f"write `type: {wanted}`, or remove `start`",
        )
    former = roles.setdefault(spec.start, at)
    if former is not at:
        report.error(
            "TW137",
            f"two settings are `{spec.start}` to `telewright.start`",
            at.value("start"),
            "again",
            secondary=(Label(former.value("start"), "first"),),
            help="remove one of them",
        )


_SWITCHES: Final = frozenset(["enabled", "traces", "metrics", "logs"])


def _fits(spec: SettingSpec) -> bool:
    default = spec.default
    if isinstance(default, list):
        return spec.type == "string[]" and all(isinstance(one, str) for one in default)
    if isinstance(default, bool) and spec.type != "boolean":
        return False
    return isinstance(default, _TYPES.get(spec.type, ()))
