"""Which files are read: regular ones, whole, in an order that names decide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from telewright_codegen.config import Config, default
from telewright_codegen.diagnostics import Report
from telewright_codegen.load.discover import LARGEST, discover


def write(folder: Path, *names: str) -> None:
    """Make files, each with its own name in it."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n", encoding="utf-8")


def found(config: Config) -> tuple[list[str], list[str]]:
    """Return the names of what is read, and what is wrong, as ``code: label``."""
    report = Report()
    files = discover(config, report)
    problems = [f"{each.code}: {each.primary and each.primary.text}" for each in report]
    return [file.name for file in files], problems


def test_a_folder_with_a_registry_file_is_one_registry(tmp_path: Path) -> None:
    """Its files are read by name, and called from the folder above."""
    write(tmp_path, "gym/rollout.yaml", "gym/registry.yaml", "gym/agent.yml")
    names, problems = found(default(tmp_path / "gym"))
    assert names == ["gym/agent.yml", "gym/registry.yaml", "gym/rollout.yaml"]
    assert not problems


def test_a_folder_of_registries_is_all_of_them(tmp_path: Path) -> None:
    """Folders that are no registry, and files beside them, are left alone."""
    write(tmp_path, "specs/nv/registry.yaml", "specs/gym/registry.yaml", "specs/gym/a.yaml")
    write(tmp_path, "specs/README.md", "specs/notes/a.yaml", "specs/.git/registry.yaml")
    names, problems = found(default(tmp_path / "specs"))
    assert names == ["specs/gym/a.yaml", "specs/gym/registry.yaml", "specs/nv/registry.yaml"]
    assert not problems


def test_only_specs_are_read(tmp_path: Path) -> None:
    """Backups of editors, hidden files and notes are no specs."""
    write(tmp_path, "gym/registry.yaml", "gym/a.yaml~", "gym/.a.yaml", "gym/#a.yaml#")
    write(tmp_path, "gym/a.yaml.orig", "gym/README.md", "gym/vendored.json")
    names, problems = found(default(tmp_path / "gym"))
    assert names == ["gym/registry.yaml"]
    assert not problems


@pytest.mark.parametrize("mark", ["vendored.json", "manifest.yaml", "registry_manifest.yaml"])
def test_a_foreign_registry_is_known_by_a_file(tmp_path: Path, mark: str) -> None:
    """What was vendored, or is in OpenTelemetry's dialect, is only read."""
    write(tmp_path, "specs/otel/registry.yaml", f"specs/otel/{mark}", "specs/gym/registry.yaml")
    files = discover(default(tmp_path / "specs"), Report())
    assert {file.folder: file.foreign for file in files} == {
        "specs/gym": False,
        "specs/otel": True,
    }


def test_a_manifest_has_files_in_folders_below(tmp_path: Path) -> None:
    """OpenTelemetry's own registries are trees; ours are flat."""
    write(tmp_path, "otel/manifest.yaml", "otel/http/spans.yaml", "otel/a/b/c.yaml")
    write(tmp_path, "gym/registry.yaml", "gym/below/a.yaml")
    assert found(default(tmp_path / "otel"))[0] == [
        "otel/manifest.yaml",
        "otel/a/b/c.yaml",
        "otel/http/spans.yaml",
    ]
    assert found(default(tmp_path / "gym"))[0] == ["gym/registry.yaml"]


def test_names_do_not_depend_on_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are relative to the configuration, wherever the command is run."""
    write(tmp_path, "a/specs/gym/registry.yaml")
    config = Config(root=tmp_path, specs=tmp_path / "a" / "specs")
    seen = set()
    for folder in (tmp_path, tmp_path / "a", Path("/")):
        monkeypatch.chdir(folder)
        seen.add(tuple(found(config)[0]))
    assert seen == {("a/specs/gym/registry.yaml",)}


def test_one_file_is_read_by_itself(tmp_path: Path) -> None:
    """What lies beside it is not looked at."""
    write(tmp_path, "a.yaml", "b.yaml", "registry.yaml")
    assert found(default(tmp_path / "a.yaml"))[0] == ["a.yaml"]


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Opening one would wait for somebody to write; among specs or alone, it is an error."""
    write(tmp_path, "gym/registry.yaml")
    os.mkfifo(tmp_path / "gym" / "a.yaml")
    names, problems = found(default(tmp_path / "gym"))
    assert names == ["gym/registry.yaml"]
    assert problems == ["TW031: this is a pipe"]
    assert found(default(tmp_path / "gym" / "a.yaml"))[1] == ["TW031: this is a pipe"]


def test_a_folder_with_the_name_of_a_spec_is_refused(tmp_path: Path) -> None:
    """Among specs it is an error of its own, and nothing stays open."""
    write(tmp_path, "gym/registry.yaml")
    (tmp_path / "gym" / "a.yaml").mkdir()
    before = len(list(Path("/dev/fd").iterdir()))
    assert found(default(tmp_path / "gym")) == (
        ["gym/registry.yaml"],
        ["TW031: this is a folder"],
    )
    assert len(list(Path("/dev/fd").iterdir())) == before


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/random"])
def test_a_device_is_refused_at_once(tmp_path: Path, device: str) -> None:
    """By its own name or behind a link, it is not read."""
    (tmp_path / "a.yaml").symlink_to(device)
    assert found(default(tmp_path / "a.yaml"))[1] == ["TW031: this is a device"]
    assert found(default(Path(device)))[1] == ["TW031: this is a device"]


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    """The system would give up after forty; the message says what it met."""
    (tmp_path / "a.yaml").symlink_to("b.yaml")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    problems = found(default(tmp_path / "a.yaml"))[1]
    assert problems == ["TW030: its symbolic links lead in a circle"]


def test_folders_in_a_circle_end(tmp_path: Path) -> None:
    """A link to a folder above does not lead around for ever."""
    write(tmp_path, "otel/manifest.yaml", "otel/a/b.yaml")
    (tmp_path / "otel" / "a" / "up").symlink_to("..")
    names, problems = found(default(tmp_path / "otel"))
    assert names == ["otel/manifest.yaml", "otel/a/b.yaml"]
    assert not problems


@pytest.mark.parametrize("name", ["none.yaml", "none/none.yaml"])
def test_what_is_missing_is_an_error(tmp_path: Path, name: str) -> None:
    """A wrong path is no empty registry."""
    problems = found(default(tmp_path / name))[1]
    assert problems == ["TW030: there is no such file or folder"]


def test_a_file_that_may_not_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    """The error names it, and all else is read (as another user, where root may read anything)."""
    write(tmp_path, "gym/registry.yaml", "gym/a.yaml", "gym/b.yaml")
    (tmp_path / "gym" / "a.yaml").chmod(0)
    if os.access(tmp_path / "gym" / "a.yaml", os.R_OK):
        names, problems = _as_nobody(tmp_path)
    else:
        names, problems = found(default(tmp_path / "gym"))
    assert names == ["gym/b.yaml", "gym/registry.yaml"]
    assert problems == ["TW030: it may not be read"]


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """No more than the limit is ever in memory; at the limit, it is read."""
    path = tmp_path / "a.yaml"
    with path.open("wb") as stream:
        stream.truncate(10**12)
    assert found(default(path))[1] == ["TW020: more than 4 MiB"]
    with path.open("wb") as stream:
        stream.truncate(LARGEST)
    assert not found(default(path))[1]


def _as_nobody(folder: Path) -> tuple[list[str], list[str]]:
    """Discover in a child process without root's rights."""
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.getuid() and above != Path("/"):
            above.chmod(above.stat().st_mode | 0o755)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            os.write(writing, repr(found(default(folder / "gym"))).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read().decode()
    os.waitpid(child, 0)
    names, problems = eval(text)  # noqa: S307  our own child's words
    return names, problems
