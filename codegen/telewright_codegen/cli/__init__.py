"""The command line: one file for each verb; what a verb needs is imported when it runs."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # `typing` takes longer to import than a command with nothing to do takes
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Final

CLEAN: Final = 0
FINDINGS: Final = 1
"""Something is wrong with the input or the output place."""
USAGE: Final = 2
"""Wrong usage, or a mistake of a plug-in or of ours."""
INTERRUPTED: Final = 130

VERBS: Final = {
    "check": "Find mistakes in specs",
    "generate": "Write code and docs from specs",
    "show": "Print what the specs come to",
    "search": "Find what specs declare by words in names and descriptions",
    "init": "Start a registry",
    "vendor": "Copy the OpenTelemetry names that specs use",
    "explain": "Say what a rule means and how to satisfy it",
}
"""Each is a module of this package with `add_arguments(parser)` and `run(options) -> int`."""

_WITH_VALUE: Final = ("--specs", "--config", "--output-format", "--color")


class UsageError(Exception):
    """What was asked for makes no sense; the message says why, in one line."""

    code = USAGE


class InputError(UsageError):
    """What was to be read is missing, or is something else."""

    code = FINDINGS


class ReportedError(InputError):
    """What is wrong has been printed already."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for name in ("stdout", "stderr"):
        _tolerate(name)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return FINDINGS
    except UsageError as error:
        if not isinstance(error, ReportedError):
            _complain(f"error: {error}")
        return error.code
    except OSError as error:
        return _environment(error)
    except Exception as error:  # noqa: BLE001  it is a mistake of a plug-in or of ours
        return _internal(error)
    return code


def _run(given: list[str]) -> int:
    typed = tuple(given)
    verb = _take_verb(given)
    if "-V" in given or "--version" in given:
        sys.stdout.write(f"telewright {_version()}\n")
        return CLEAN
    if verb is None:
        return _without_verb(given)
    if verb not in VERBS:
        from telewright_codegen.suggest import did_you_mean

        hint = did_you_mean(verb, VERBS) or f"there are {', '.join(VERBS)}"
        raise UsageError(f"no command `{verb}`; {hint}")
    if verb == "generate":
        from telewright_codegen.cli.fresh import said

        text = said(typed)
        if text is not None:
            sys.stdout.write(text)
            return CLEAN
    # pydantic would look for its plug-ins in every installed distribution.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from importlib import import_module

    from telewright_codegen.cli.interrupt import interrupts_kept
    from telewright_codegen.pause import collection_paused

    # What a command imports and makes, it needs to its end.
    with interrupts_kept(), collection_paused():
        parser = parser_of(verb)
        asked = given[: [*given, "--"].index("--")]
        if "-h" in asked or "--help" in asked:  # argparse would not say that it cannot be written
            sys.stdout.write(parser.format_help())
            return CLEAN
        options = parser.parse_args(given)
        options.given = typed
        return int(import_module(f"{__name__}.{verb}").run(options))


def parser_of(verb: str) -> argparse.ArgumentParser:
    """Return the parser of a command's arguments, global options included."""
    import argparse
    from importlib import import_module

    parser = argparse.ArgumentParser(
        prog=f"telewright {verb}", description=f"{VERBS[verb]}.", allow_abbrev=False
    )
    import_module(f"{__name__}.{verb}").add_arguments(parser)
    _add_global_options(parser)
    return parser


def _take_verb(given: list[str]) -> str | None:
    """Remove the verb from the arguments, wherever it stands among global options."""
    index = 0
    while index < len(given):
        argument = given[index]
        if not argument.startswith("-"):
            return given.pop(index)
        index += 2 if argument in _WITH_VALUE else 1
    return None


def _add_global_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("global options")
    add = group.add_argument
    add("--specs", metavar="PATH", help="a folder of registries, a registry, or one file")
    add("--config", metavar="FILE", help="pyproject.toml or telewright.toml (default: the nearest)")
    add(
        "--output-format",
        choices=("full", "concise", "json", "github"),
        default="full",
        help="how findings are written (default: full)",
    )
    add(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto honours NO_COLOR and FORCE_COLOR",
    )
    add("-q", "--quiet", action="store_true", help="print findings only")
    add("-V", "--version", action="store_true", help="print the version")


def _without_verb(given: list[str]) -> int:
    wide = max(map(len, VERBS))
    sys.stdout.write(
        "Typed telemetry from specs.\n\nUsage: telewright [OPTIONS] COMMAND\n\nCommands:\n"
        + "".join(f"  {verb:<{wide}}  {summary}\n" for verb, summary in VERBS.items())
        + "\nOptions (before or after the command):\n"
        "  --specs PATH            a folder of registries, a registry, or one file\n"
        "  --config FILE           pyproject.toml or telewright.toml (default: the nearest)\n"
        "  --output-format FORMAT  full, concise, json or github\n"
        "  --color WHEN            auto, always or never\n"
        "  -q, --quiet             print findings only\n"
        "  -V, --version           print the version\n"
        "  -h, --help              print this, or the options of a command\n"
    )
    return CLEAN if "-h" in given or "--help" in given else USAGE


def _version() -> str:
    from importlib.metadata import version

    return version("telewright-codegen")


def _tolerate(name: str) -> None:
    """Write what a stream's encoding lacks as an escape, and to nowhere if it is closed."""
    if getattr(sys, name) is None:
        setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    reconfigure = getattr(getattr(sys, name), "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _environment(error: OSError) -> int:
    """Say in one line what the system refuses: a full disk, a place that has gone meanwhile."""
    if os.environ.get("TELEWRIGHT_TRACEBACK"):
        raise error
    _silence_stdout()
    where = "" if error.filename is None else f": {error.filename}"
    _complain(f"error: {error.strerror or error}{where}")
    return FINDINGS


def _silence_stdout() -> None:
    """Keep the interpreter from complaining about a closed pipe or a full disk when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _complain(text: str) -> None:
    try:
        sys.stderr.write(f"{text}\n")
    except OSError:
        return


def _internal(error: Exception) -> int:
    from telewright_codegen.guard import PluginError

    if os.environ.get("TELEWRIGHT_TRACEBACK"):
        raise error
    if isinstance(error, PluginError):
        _complain(f"error: {error}" + (f"\n  = help: {error.help}" if error.help else ""))
        return USAGE
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = "" if frame is None else f" ({frame.tb_frame.f_code.co_name}, line {frame.tb_lineno})"
    text = str(error).partition("\n")[0][:200]
    _complain(
        f"error: this is a mistake in telewright: {type(error).__name__}: {text}{where}\n"
        "  = help: please report it, with the specs and what TELEWRIGHT_TRACEBACK=1 prints"
    )
    return USAGE
