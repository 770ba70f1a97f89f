"""The command line as a person and a script meet it: options, exit codes, streams."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from tests import blocks
from tests.codegen.cli.conftest import GOOD

from telewright_codegen import pipeline
from telewright_codegen.cli import VERBS, main

BAD: Final = GOOD.replace("brief: From", "bref: From")

Capture = pytest.CaptureFixture[str]


def spoil(project: Path) -> None:
    """Put a mistake into the specs."""
    (project / "specs" / "gym" / "rollout.yaml").write_text(blocks.FRAGMENT + BAD, encoding="utf-8")


def run(*arguments: str, cwd: Path, **more: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "telewright_codegen", *arguments]
    return subprocess.run(
        command, cwd=cwd, text=True, capture_output=True, timeout=60, check=False, **more
    )


def test_without_a_command_the_commands_are_listed(capsys: Capture) -> None:
    """`telewright` alone is wrong usage, and says what there is; with --help it is fine."""
    assert main([]) == 2
    alone = capsys.readouterr().out
    assert all(f"  {verb}" in alone for verb in VERBS)
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == alone


@pytest.mark.parametrize("verb", VERBS)
def test_each_command_has_help(verb: str, capsys: Capture) -> None:
    """`--help` names the command and the global options."""
    assert main([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: telewright {verb}")
    assert "--output-format" in text


@pytest.mark.usefixtures("project")
def test_help_may_be_searched_for(capsys: Capture) -> None:
    """After two dashes nothing is an option."""
    assert main(["search", "--", "--help"]) == 1
    assert "usage:" not in capsys.readouterr().out


def test_a_misspelled_command_is_recognised(capsys: Capture) -> None:
    """One line on standard error, exit code 2."""
    assert main(["chekc"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "error: no command `chekc`; did you mean `check`?\n"
    assert not captured.out


@pytest.mark.parametrize("arguments", [["-V"], ["--version"], ["check", "-V"], ["-q", "--version"]])
def test_the_version_is_printed(arguments: list[str], capsys: Capture) -> None:
    """Before or after a command, and nothing else is done."""
    assert main(arguments) == 0
    assert re.fullmatch(r"telewright \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--output-format", "concise", "--specs", "specs/gym", "check"],
        ["check", "--output-format", "concise", "--specs", "specs/gym"],
        ["--output-format=concise", "check", "--specs=specs/gym"],
        ["--specs", "specs/gym", "check", "--output-format=concise"],
        ["--output-format", "concise", "check", "specs/gym"],
    ],
)
def test_global_options_stand_before_or_after(
    arguments: list[str], project: Path, capsys: Capture
) -> None:
    """Wherever they are, they mean the same."""
    spoil(project)
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "\nspecs/gym/rollout.yaml:6:5: TW001 unknown field `bref`\n" in out


@pytest.mark.usefixtures("project")
def test_check_counts_what_it_checked(capsys: Capture) -> None:
    """Success is quiet, and quieter with -q."""
    assert main(["check", "--select", "TW0"]) == 0
    assert capsys.readouterr().out == "Checked 2 files.\n"
    assert main(["check", "-q", "--select", "TW0"]) == 0
    assert not capsys.readouterr().out


def test_check_selects_rules(project: Path, capsys: Capture) -> None:
    """--select and --ignore take codes or their beginnings; errors of loading always show."""
    assert main(["check", "--output-format", "concise"]) == 0
    everything = capsys.readouterr().out
    assert "TW230" in everything
    assert main(["check", "--output-format", "concise", "--ignore", "TW230"]) == 0
    assert "TW230" not in capsys.readouterr().out
    assert main(["check", "--output-format", "concise", "--select", "TW3"]) == 0
    assert "TW230" not in capsys.readouterr().out
    spoil(project)
    assert main(["check", "--output-format", "concise", "--select", "TW3"]) == 1
    assert "TW001" in capsys.readouterr().out


def test_json_is_one_object_a_line_with_all_findings(project: Path, capsys: Capture) -> None:
    """Programs get every finding, with documented keys, and nothing else."""
    spoil(project)
    assert main(["check", "--output-format", "json"]) == 1
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"TW001", "TW230"} <= {found["code"] for found in objects}
    for found in objects:
        assert list(found) == [
            *("code", "severity", "path", "line", "column"),
            *("message", "help", "labels", "url"),
        ]


def test_paths_are_shown_from_where_one_is(
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    """In a folder below they are shorter, elsewhere they are whole."""
    spoil(project)
    monkeypatch.chdir(project / "specs")
    main(["check", "--output-format", "concise", "--select", "TW0"])
    assert capsys.readouterr().out.startswith("gym/rollout.yaml:6:5: TW001")
    monkeypatch.chdir(project / "specs" / "gym")
    main(["check", "--output-format", "concise", "--select", "TW0"])
    assert capsys.readouterr().out.startswith("rollout.yaml:6:5: TW001")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    main(["check", "--specs", str(project / "specs"), "--output-format", "concise", "-q"])
    assert f"\n{project}/specs/gym/rollout.yaml:6:5: TW001" in f"\n{capsys.readouterr().out}"


def test_colour_is_for_terminals(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A pipe gets none; NO_COLOR, FORCE_COLOR and --color are heard, the last above all."""
    spoil(project)

    def coloured(*arguments: str) -> bool:
        main(["check", *arguments])
        return "\x1b[" in capsys.readouterr().out

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert not coloured()
    assert coloured("--color", "always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert coloured()
    assert not coloured("--color", "never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured()
    assert coloured("--color", "always")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generate", "--emitter", "python"], "`--emitter` needs `--into`"),
        (["generate", "--into", "x"], "`--into` and `--package` go with `--emitter`"),
        (
            ["generate", "--specs", "specs/gym"],
            "the outputs in telewright.toml are made of `specs`; say `--only REGISTRY`",
        ),
        (["generate", "--only", "gmy"], "no registry `gmy`; did you mean `gym`?"),
        (
            ["generate", "--emitter", "pyton", "--into", "x"],
            "no emitter `pyton`; did you mean `python`?",
        ),
        (["check", "--config", "none.toml"], "none.toml cannot be read"),
        (["explain", "TW999"], "no rule `TW999`"),
    ],
)
@pytest.mark.usefixtures("project")
def test_wrong_usage_is_one_line_and_two(arguments: list[str], said: str, capsys: Capture) -> None:
    """Exit code 2, and what to do instead."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("spec = 'x'", "unknown key `spec`; did you mean `specs`?"),
        ("[rules]\nignor = []", "unknown key `rules.ignor`; did you mean `ignore`?"),
        ("[[output]]\nemiter = 'x'", "unknown key `output.emiter`; did you mean `emitter`?"),
        ("[[output]]\nemitter = 'python'", "an `[[output]]` has no `into`"),
        ("specs = 5", "`specs` must be text"),
        ("[rules]\nignore = 'TW2'", "`rules.ignore` must be a list of texts"),
        ("output = 5", "`output` must be an array of tables"),
        ("specs = ", "not TOML"),
    ],
)
def test_a_configuration_that_does_not_fit_is_a_finding(
    text: str, said: str, project: Path, capsys: Capture
) -> None:
    """It is input like any other: what is wrong has a place, a code, and exits 1."""
    (project / "telewright.toml").write_text(f"# ours\n{text}", encoding="utf-8")
    assert main(["check", "--output-format", "concise"]) == 1
    line = 3 if "\n" in text and "has no" not in said else 2
    out = capsys.readouterr().out
    assert re.match(rf"telewright\.toml:{line}:\d+: TW036 ", out), out
    assert said in out


def test_the_right_output_is_pointed_at(project: Path, capsys: Capture) -> None:
    """Of several tables, in pyproject.toml as well, the one that is wrong."""
    (project / "telewright.toml").unlink()
    good = "[[tool.telewright.output]]\nemitter = 'python'\ninto = 'a'\n"
    (project / "pyproject.toml").write_text(
        f"[project]\nname = 'x'\n{good}{good}package = 5\n{good}", encoding="utf-8"
    )
    assert main(["check", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("pyproject.toml:9:1: TW036 `output.package`")
    assert main(["check"]) == 1
    assert "9 | package = 5\n  | ^^^^^^^" in capsys.readouterr().out


def test_pyproject_counts_where_it_has_a_section(project: Path, capsys: Capture) -> None:
    """One without `[tool.telewright]` is passed over on the way up."""
    (project / "telewright.toml").unlink()
    (project / "pyproject.toml").write_text(
        "[tool.telewright.rules]\nselect = ['TW0']\n", encoding="utf-8"
    )
    (project / "specs" / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    os.chdir(project / "specs")
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "Checked 2 files.\n"


@pytest.mark.parametrize(
    ("more", "package"),
    [
        (("--into", "made", "--package", "not-valid"), "not-valid"),
        (("--into", "made", "--package", "acme.class"), "acme.class"),
        (("--into", "my-folder"), "my-folder"),
    ],
)
def test_a_package_that_cannot_be_imported_is_refused(
    project: Path, more: tuple[str, ...], package: str, capsys: Capture
) -> None:
    """It is said before anything is written, and what to say instead."""
    before = sorted(project.iterdir())
    assert main(["generate", "--emitter", "python", *more]) == 2
    assert capsys.readouterr().err == (
        f"error: `{package}` cannot be imported; give another name with `--package`\n"
    )
    assert sorted(project.iterdir()) == before


@pytest.mark.parametrize("specs", ["none", "none.yaml", "/dev/zero", "telewright.toml"])
@pytest.mark.usefixtures("project")
def test_input_that_cannot_be_read_is_a_finding(specs: str, capsys: Capture) -> None:
    """What is wrong with the input exits 1, not 2."""
    assert main(["check", specs, "--output-format", "concise"]) == 1
    assert re.search(r"TW03\d", capsys.readouterr().out)


def test_a_lone_file_is_a_registry_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Name, namespaces, groups and roles follow from what the topic says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.yaml").write_text(
        blocks.FRAGMENT + GOOD + "    max_values: 4\n", encoding="utf-8"
    )
    assert main(["check", "one.yaml", "--select", "TW0"]) == 0
    assert capsys.readouterr().out.endswith("Checked 1 file.\n")
    assert main(["generate", "--specs", "one.yaml", "--emitter", "python", "--into", "made"]) == 0
    assert "gym.rollout.key" in (tmp_path / "made" / "rollout.py").read_text(encoding="utf-8")


def test_a_closed_pipe_is_no_traceback(project: Path) -> None:
    """`telewright check | head -1` ends quietly, and not with success."""
    topic = "\n".join(f"  - {{id: gym.rollout.a{n}, tpe: int, brief: A.}}" for n in range(3000))
    text = f"{blocks.FRAGMENT}attributes:\n{topic}\n"
    (project / "specs" / "gym" / "rollout.yaml").write_text(text, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "telewright_codegen", "check", "--output-format", "json"]
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            command, cwd=project, stdout=closed, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert done.returncode == 1
    assert not done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize(
    "command", ["check", "show --json", "explain TW001", "--help", "check --help"]
)
def test_a_full_disk_is_no_mistake_of_ours(project: Path, command: str) -> None:
    """What is printed into a file that has no room left ends with 1 and one line that says so."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "telewright_codegen", *command.split()],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr == b"error: No space left on device\n"


@pytest.mark.usefixtures("project")
def test_a_mistake_of_ours_asks_for_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Exit code 2, no traceback unless it is asked for, and what to send."""

    def broken(*_: object) -> None:
        raise RuntimeError("no\nidea")

    monkeypatch.setattr(pipeline, "model", broken)
    assert main(["check"]) == 2
    captured = capsys.readouterr().err
    assert captured.startswith("error: this is a mistake in telewright: RuntimeError: no (broken")
    assert "please report it" in captured
    assert "Traceback" not in captured
    monkeypatch.setenv("TELEWRIGHT_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        main(["check"])


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_any_locale_prints_any_text(locale: str, project: Path) -> None:
    """What a terminal's encoding lacks is written as an escape."""
    topic = blocks.FRAGMENT + GOOD.replace("gym.rollout.dispatch", "gym.größe.部分")
    (project / "specs" / "gym" / "rollout.yaml").write_text(topic, encoding="utf-8")
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("check", cwd=project, env=environment)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_explain_lists_the_rules(capsys: Capture) -> None:
    """Without a code, each rule is a line; by its name, a rule is found as well."""
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "TW001 unknown-field" in lines
    assert lines == sorted(lines)
    assert main(["explain", "unknown-field"]) == 0
    by_name = capsys.readouterr().out
    assert main(["explain", "tw001"]) == 0
    assert capsys.readouterr().out == by_name


def test_a_configuration_that_is_no_text_is_wrong_input(tmp_path, monkeypatch, capsys):
    """It exits 1 and names the file."""
    (tmp_path / "telewright.toml").write_bytes(b'specs = "\xff"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 1
    assert "telewright.toml cannot be read" in capsys.readouterr().err
