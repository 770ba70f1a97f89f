"""The settings of one topic, read once: the environment, then a file's mapping, then defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping

from telewright._guard import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from typing import ClassVar, NoReturn, TypedDict

    from telewright._setting import Setting, Value

    class StartArguments(TypedDict, total=False):
        """What settings say to `telewright.start`."""

        groups: str
        service: str
        run_id: str
        traces: bool
        metrics: bool
        logs: bool
        exporter: str


class Configuration:
    """Values that people have configured. They cannot be changed; read again for others.

    Args:
        mapping: A configuration file's content, from its top.
        environ: The variables; those of this process where left out.
        strict: Whether what is only reported otherwise is a mistake: fields that nobody declares,
            wrong values of what other programs set or what no longer does anything.

    Raises:
        ValueError: If values are wrong; it names the variable or the field of each.
    """

    __slots__ = ("_given", "reported")

    declared: ClassVar[tuple[Setting, ...]] = ()
    """The settings there are."""

    reported: tuple[str, ...]
    """What was said that no longer does anything, or never did; each was logged too."""

    _given: dict[str, tuple[str, Value]]

    def __init__(
        self,
        mapping: Mapping[str, object] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        strict: bool = False,
    ) -> None:
        variables = os.environ if environ is None else environ
        if not isinstance(variables, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - anybody's
            raise ValueError("the environment must be a mapping")  # noqa: TRY004 - a value is wrong
        fields: Mapping[str, object] = {} if mapping is None else mapping
        given: dict[str, tuple[str, Value]] = {}
        problems: list[str] = []
        reported = list(_unknown(self.declared, fields))
        for setting in self.declared:
            try:
                found = setting.find(fields, variables)
                if found is not None:
                    given[setting.name] = (found[0], setting.read(*found))
            except ValueError as error:
                theirs = setting.internal or setting.deprecated is not None
                (reported if theirs else problems).append(str(error))
        if strict is True:
            problems += reported
        if problems:
            raise ValueError("; ".join(dict.fromkeys(problems)))
        object.__setattr__(self, "reported", (*_retire(self.declared, given), *reported))
        object.__setattr__(self, "_given", given)
        for setting in self.declared:
            value = given[setting.name][1] if setting.name in given else setting.default
            object.__setattr__(self, setting.name, value)
        for problem in self.reported:
            say(problem)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} was read and cannot be changed")

    def __repr__(self) -> str:
        shown = [
            f"{setting.name}={'…' if setting.internal else repr(getattr(self, setting.name))}"
            for setting in self.declared
            if setting.deprecated is None and getattr(self, setting.name) is not None
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def arguments(self) -> StartArguments:
        """Return what these settings say to `telewright.start`, as its arguments.

        Whether it is called at all is the setting `enabled`.
        """
        found: StartArguments = {}
        for setting in self.declared:
            value = getattr(self, setting.name)
            if setting.start not in (None, "enabled") and value is not None:
                found[setting.start] = value  # type: ignore[literal-required]  # pyright: ignore[reportGeneralTypeIssues] - the specs know which
        return found

    def export(self, environ: MutableMapping[str, str] | None = None) -> None:
        """Write what a file says into the environment, for processes that are started later.

        A variable that says something already stays, and so does the setting's whole list where
        any of it does; nothing is written while telemetry is off.
        """
        variables = os.environ if environ is None else environ
        switches = [one for one in self.declared if one.start == "enabled"]
        if not all(getattr(self, one.name) for one in switches):
            return
        for setting in self.declared:
            where, value = self._given.get(setting.name, ("", None))
            if value is None or where != setting.config or setting.deprecated is not None:
                continue
            if setting.env and not any(variables.get(name) for name in setting.env):
                variables[setting.env[0]] = setting.write(value)


def _retire(settings: tuple[Setting, ...], given: dict[str, tuple[str, Value]]) -> Iterator[str]:
    """Hand values of renamed settings on, and yield what to say about each that is gone."""
    named = {setting.name: setting for setting in settings}
    for setting in settings:
        if setting.deprecated is None or setting.name not in given:
            continue
        where, value = given[setting.name]
        successor = named.get(setting.renamed_to or "")
        if successor is None or successor.kind != setting.kind:
            yield f"{where} no longer does anything: {setting.deprecated}"
            continue
        yield f"{where} has another name now: {setting.deprecated}"
        if successor.name not in given:
            given[successor.name] = (
                successor.config if where == setting.config and successor.config else where,
                value,
            )


def _unknown(settings: tuple[Setting, ...], mapping: Mapping[str, object]) -> Iterator[str]:
    """Yield what to say about fields that nobody declares, in the blocks that are all ours."""
    paths = [one.config for one in settings if one.config]
    for switch in settings:
        if switch.start == "enabled" and switch.config and "." in switch.config:
            block = switch.config.rpartition(".")[0]
            found: object = mapping
            for part in block.split("."):
                found = _block(found).get(part)
            yield from _below(block, _block(found), paths)


def _block(found: object) -> Mapping[str, object]:
    return found if isinstance(found, Mapping) else {}  # pyright: ignore[reportUnknownVariableType] - anybody's


def _below(block: str, found: Mapping[str, object], paths: list[str]) -> Iterator[str]:
    start = f"{block}."
    known = {path.removeprefix(start).partition(".")[0] for path in paths if path.startswith(start)}
    for field in found:
        name = f"{block}.{field}"
        if field not in known:
            from difflib import get_close_matches

            near = get_close_matches(str(field), sorted(known), n=1)
            yield f"{name} is no setting{f'; did you mean {near[0]}?' if near else ''}"
        elif name not in paths:
            yield from _below(name, _block(found[field]), paths)
