"""A command with nothing to do does nothing, and is never wrong about it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.codegen.cli.conftest import OUTPUT

from telewright_codegen import pipeline
from telewright_codegen.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows whenever the stages run."""
    real, counted = pipeline.generate, list[int]()

    def counting(*arguments: object, **more: object) -> object:
        counted.append(1)
        return real(*arguments, **more)

    monkeypatch.setattr(pipeline, "generate", counting)
    return counted


def generated(capsys: Capture, *arguments: str) -> str:
    """Run `generate` successfully and return what it prints."""
    assert main(["generate", *arguments]) == 0
    return capsys.readouterr().out


def test_a_second_run_does_nothing_and_says_the_same(
    project: Path, runs: list[int], capsys: Capture
) -> None:
    """What was found and what is unchanged is told again from memory."""
    first = generated(capsys)
    second = generated(capsys)
    third = generated(capsys)
    assert len(runs) == 1
    assert "Wrote 4 files, 0 unchanged." in first
    assert "Wrote 0 files, 4 unchanged." in second
    assert third == second
    shutil.rmtree(project / ".telewright")
    assert generated(capsys) == second
    assert len(runs) == 2


def test_nothing_is_committed_by_accident(project: Path, capsys: Capture) -> None:
    """The folder of the memory ignores itself."""
    generated(capsys)
    assert (project / ".telewright" / ".gitignore").read_text(encoding="utf-8") == "*\n"


@pytest.mark.parametrize(
    "change",
    [
        "printf '\n' >> specs/gym/rollout.yaml",
        "rm specs/gym/rollout.yaml; printf 'topic: rollout\nbrief: B.\n' > specs/gym/rollout.yaml",
        "printf 'topic: verify\nbrief: B.\n' > specs/gym/verify.yaml",
        "mkdir specs/new; sed s/gym/new/ specs/gym/registry.yaml > specs/new/registry.yaml",
        "printf '# edited\n' >> src/acme/telemetry/rollout.py",
        "rm src/acme/telemetry/rollout.py",
        "printf '[rules]\nignore = [\"TW2\"]\n' >> telewright.toml",
    ],
)
def test_any_change_is_noticed(
    change: str,
    project: Path,
    runs: list[int],
    capsys: Capture,
) -> None:
    """Of an input, of an output, of the configuration: same size and time or not."""
    generated(capsys)
    generated(capsys)
    times = {path: path.stat() for path in project.rglob("*") if path.is_file()}
    subprocess.run(["/bin/sh", "-c", change], cwd=project, check=True)
    for path, stat in times.items():
        if path.exists():
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    generated(capsys)
    assert len(runs) == 2


def test_times_alone_change_nothing(project: Path, runs: list[int], capsys: Capture) -> None:
    """A checkout that touches every file leaves nothing to do."""
    generated(capsys)
    for path in project.rglob("*"):
        path.touch()
    generated(capsys)
    assert len(runs) == 1


def test_in_ci_nothing_is_believed(
    project: Path,
    runs: list[int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    """Where `CI` is set, every run does everything, and remembers nothing."""
    generated(capsys)
    monkeypatch.setenv("CI", "true")
    generated(capsys)
    generated(capsys, "--check")
    assert len(runs) == 3
    shutil.rmtree(project / ".telewright")
    generated(capsys)
    assert not (project / ".telewright").exists()


def test_a_memory_that_is_broken_is_none(project: Path, runs: list[int], capsys: Capture) -> None:
    """Whatever stands in it, the run goes on as if nothing did."""
    expected = generated(capsys).replace("Wrote 4 files, 0", "Wrote 0 files, 4")
    [memory] = (project / ".telewright").glob("generate-*")
    for number, data in enumerate((b"", b"\x00", b"garbage", b"i\x01\x00\x00\x00", b"{0"), start=2):
        memory.write_bytes(data)
        again = generated(capsys)
        assert again == expected.partition("  src")[0]
        assert len(runs) == number


def test_a_memory_that_does_not_fit_leaves_nothing(project: Path, capsys: Capture) -> None:
    """Where the disk refuses the memory the run is as good, and no part of a file stays."""
    generated(capsys)
    shutil.rmtree(project / ".telewright")
    program = """
import resource, sys
from telewright_codegen.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.exit(main(["generate", "-q"]))
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=project, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (project / ".telewright").iterdir()] == [".gitignore"]


def test_the_first_page_of_a_folder_is_noticed(project: Path, capsys: Capture) -> None:
    """An output for pages may have none yet, nor its folder: what comes there is looked at."""
    (project / "site").mkdir()
    table = '[[output]]\nemitter = "tables"\ninto = "site/docs/topics"\n'
    (project / "telewright.toml").write_text(OUTPUT + table, encoding="utf-8")
    generated(capsys)
    assert generated(capsys, "--check").endswith("Everything is up to date.\n")
    page = project / "site" / "docs" / "topics" / "page.md"
    page.parent.mkdir(parents=True)
    marks = "<!-- telewright: gym/rollout spans -->\n<!-- /telewright -->\n"
    page.write_text(marks, encoding="utf-8")
    assert main(["generate", "--check"]) == 1
    assert "page.md" in capsys.readouterr().out
    generated(capsys)
    assert "gym.rollout.dispatch" in page.read_text(encoding="utf-8")


def test_a_page_that_is_an_output_is_read_again(project: Path, capsys: Capture) -> None:
    """A page without tables may get one, also where the page itself is what an output names."""
    table = '[[output]]\nemitter = "tables"\ninto = "page.md"\n'
    (project / "telewright.toml").write_text(OUTPUT + table, encoding="utf-8")
    page = project / "page.md"
    page.write_text("No table yet.\n", encoding="utf-8")
    generated(capsys)
    marks = "<!-- telewright: gym/rollout spans -->\n<!-- /telewright -->\n"
    page.write_text(marks, encoding="utf-8")
    generated(capsys)
    assert "gym.rollout.dispatch" in page.read_text(encoding="utf-8")


def test_findings_are_not_remembered(project: Path, runs: list[int]) -> None:
    """A run that fails runs again, and says so again."""
    (project / "specs" / "gym" / "rollout.yaml").write_text("topic: rollout\n", encoding="utf-8")
    assert main(["generate"]) == 1
    assert main(["generate"]) == 1
    assert len(runs) == 2
    assert not (project / "src").exists()


def test_a_stale_check_is_not_remembered(project: Path, runs: list[int], capsys: Capture) -> None:
    """`--check` fails until somebody generates, names the files and the way out."""
    assert main(["generate", "--check"]) == 1
    out = capsys.readouterr().out
    assert "error: 4 files are out of date\n  src/acme/telemetry/" in out
    assert out.endswith("  = help: run `telewright generate`\n")
    assert main(["generate", "--check"]) == 1
    assert len(runs) == 2
    generated(capsys)
    assert generated(capsys, "--check").endswith("Everything is up to date.\n")
    (project / "src" / "acme" / "telemetry" / "rollout.py").write_text("", encoding="utf-8")
    assert main(["generate", "--check", "--diff"]) == 1
    assert "+GYM_ROLLOUT_KEY" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "github"])
def test_programs_are_told_of_each_stale_file(project: Path, form: str, capsys: Capture) -> None:
    """Whatever is printed has their form: objects one a line, or annotations on the files."""
    assert main(["generate", "--check", "--diff", "--output-format", form]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sum("TW708" in line for line in lines) == 4
    name = "src/acme/telemetry/rollout.py"
    if form == "json":
        found = [json.loads(line) for line in lines]
        assert (name, "TW708") in [(one["path"], one["code"]) for one in found]
    else:
        assert all(line.startswith("::") for line in lines)
        assert any(line.startswith(f"::error file={name},line=1,") for line in lines)
    assert not (project / "src").exists()


def test_showing_how_files_differ_writes_none(project: Path, capsys: Capture) -> None:
    """`--diff` alone is a check too."""
    assert main(["generate", "--diff"]) == 1
    assert "+GYM_ROLLOUT_KEY" in capsys.readouterr().out
    assert not (project / "src").exists()


def test_with_nothing_to_do_nothing_heavy_is_imported(project: Path) -> None:
    """Not even argparse, and no module of the stages."""
    code = (
        "import sys\nfrom telewright_codegen.cli import main\nmain(['generate', '-q'])\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-S", "-c", code],
            cwd=project,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        seen.append(set(done.stderr.split()))
    heavy = {"argparse", "typing", "pathlib", "re", "json", "yaml", "pydantic", "jinja2", "hashlib"}
    assert heavy - {"hashlib"} <= seen[0]
    assert not heavy & seen[1]
    ours = {name for name in seen[1] if name.startswith("telewright_codegen")}
    assert ours == {
        "telewright_codegen",
        "telewright_codegen.cli",
        "telewright_codegen.cli.fresh",
        "telewright_codegen.nearest",
    }
