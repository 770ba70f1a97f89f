"""Writing: all or none, nothing more than needed, and nothing that a person wrote is lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.codegen.write.making import HEADER, codes, run, tree

from telewright_codegen.write import commit

FILES = {"a.py": f"{HEADER}a = 1\n", "deep/b.py": f"{HEADER}b = 1\n", "c.md": "text\n"}
LATER = {"a.py": f"{HEADER}a = 2\n", "deep/b.py": f"{HEADER}b = 2\n", "c.md": "text\n"}


def test_files_are_written_and_counted(tmp_path):
    """The first run writes all, and says so."""
    changes, report = run(tmp_path, FILES)
    assert codes(report) == []
    assert [path.name for path in changes.written] == ["a.py", "c.md", "b.py"]
    assert tree(tmp_path / "out") == {name: text.encode() for name, text in FILES.items()}


def test_a_second_run_writes_nothing(tmp_path):
    """S19: files that are right keep their inode and their time."""
    run(tmp_path, FILES)
    before = {path: path.stat() for path in (tmp_path / "out").rglob("*")}
    changes, _ = run(tmp_path, FILES)
    assert not changes.written
    assert len(changes.unchanged) == 3
    for path, status in before.items():
        now = path.stat()
        assert (now.st_ino, now.st_mtime_ns) == (status.st_ino, status.st_mtime_ns)


def test_only_what_differs_is_written(tmp_path):
    """Of three files one differs; the others are not touched."""
    run(tmp_path, FILES)
    changes, _ = run(tmp_path, FILES | {"a.py": f"{HEADER}a = 2\n"})
    assert [path.name for path in changes.written] == ["a.py"]
    assert len(changes.unchanged) == 2


def test_check_writes_nothing_and_shows_how(tmp_path):
    """`check` finds new, changed and superfluous files, with a diff each, and makes no folder."""
    changes, _ = run(tmp_path, FILES, check=True)
    assert len(changes.written) == 3
    assert not (tmp_path / "out").exists()
    run(tmp_path, FILES)
    before = tree(tmp_path)
    changes, _ = run(tmp_path, {"a.py": LATER["a.py"], "deep/b.py": FILES["deep/b.py"]}, check=True)
    assert [path.name for path in changes.written] == ["a.py"]
    assert "-a = 1\n+a = 2\n" in changes.diffs[tmp_path / "out" / "a.py"]
    assert tree(tmp_path) == before


def test_a_hand_edit_is_shown_and_undone(tmp_path):
    """S17: an edit of a generated file makes `check` show it and `generate` restore it."""
    run(tmp_path, FILES)
    edited = tmp_path / "out" / "a.py"
    edited.write_text(f"{HEADER}a = 99\n")
    changes, _ = run(tmp_path, FILES, check=True)
    assert "-a = 99\n+a = 1\n" in changes.diffs[edited]
    run(tmp_path, FILES)
    assert edited.read_text() == FILES["a.py"]


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_a_crash_between_files_leaves_the_old_ones(tmp_path, monkeypatch, broken):
    """S02: whichever file fails, all of them are as they were, and nothing else is left."""
    run(tmp_path, FILES)
    before, real, seen = tree(tmp_path), Path.replace, []

    def replace(self, target):
        if self.suffix == ".tmp":
            seen.append(target)
            if len(seen) == broken + 1:
                raise OSError(5, "Input/output error")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    changes, report = run(tmp_path, LATER | {"c.md": "more\n"})
    assert codes(report) == ["TW701"]
    assert "input/output error" in report.diagnostics[0].message
    assert not changes.written
    assert tree(tmp_path) == before
    monkeypatch.undo()
    run(tmp_path, LATER)
    assert tree(tmp_path / "out")["a.py"] == LATER["a.py"].encode()


def test_an_interrupt_leaves_the_old_files(tmp_path, monkeypatch):
    """What is no OSError leaves the run, and the files as they were."""
    run(tmp_path, FILES)
    before = tree(tmp_path)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, LATER)
    assert tree(tmp_path) == before


def test_new_folders_go_where_nothing_could_be_written(tmp_path, monkeypatch):
    """A run that fails leaves no folder that it made."""
    monkeypatch.setattr(commit, "_stage", _refuse)
    _, report = run(tmp_path, FILES)
    assert codes(report) == ["TW701"]
    assert list(tmp_path.iterdir()) == []


def _refuse(_run, _found):
    raise OSError(28, "No space left on device")


def test_what_is_no_longer_made_is_removed(tmp_path):
    """A generated file that nothing makes goes; what a person wrote beside it stays."""
    run(tmp_path, FILES)
    mine = tmp_path / "out" / "deep" / "mine.py"
    mine.write_text("# Written by hand.\n")
    quoting = tmp_path / "out" / "quoting.py"
    quoting.write_text(f'"""Says: {HEADER}"""\n')
    (tmp_path / "out" / "link.py").symlink_to(mine)
    remaining = {"a.py": FILES["a.py"], "deep/c.py": f"{HEADER}c = 1\n"}
    changes, _ = run(tmp_path, remaining)
    assert changes.removed == (tmp_path / "out" / "deep" / "b.py",)
    assert set(tree(tmp_path / "out")) == {
        "a.py",
        "c.md",
        "deep/c.py",
        "deep/mine.py",
        "quoting.py",
    }  # fmt: skip - one line each would say no more


def test_the_folder_of_a_registry_that_is_gone_goes_too(tmp_path):
    """With its last generated file a folder is removed; one with other files stays."""
    files = {f"{name}/{file}": HEADER for name in "abc" for file in ("x.py", "y.py")}
    files |= {f"{name}/_registry.json": _data(name) for name in "abc"}
    run(tmp_path, files)
    (tmp_path / "out" / "b" / "mine.txt").write_text("mine")
    left = {path: text for path, text in files.items() if path[0] == "a"}
    changes, _ = run(tmp_path, left | {"d/x.py": HEADER})
    assert len(changes.removed) == 6
    assert set(tree(tmp_path / "out")) == {*left, "b/mine.txt", "d/x.py"}
    assert not (tmp_path / "out" / "c").exists()


def _data(name):
    return f'{{\n "_generated": "Generated by telewright from specs/{name}. Do not edit."\n}}\n'


def test_a_second_registry_clears_what_the_first_left_beside_its_folder(tmp_path):
    """With two registries each has a folder; where the only one wrote is cleared, of its files."""
    run(tmp_path, {"a.py": HEADER, "groups.py": HEADER})
    (tmp_path / "out" / "own.py").write_text("ours = 1\n")
    changes, _ = run(tmp_path, {"shop/a.py": HEADER, "till/b.py": HEADER})
    assert [path.name for path in changes.removed] == ["a.py", "groups.py"]
    assert set(tree(tmp_path / "out")) == {"own.py", "shop/a.py", "till/b.py"}


def test_one_file_in_a_folder_of_others_removes_nothing(tmp_path):
    """An output that is a single file leaves its neighbours alone."""
    run(tmp_path, FILES)
    changes, _ = run(tmp_path, {"z.py": HEADER}, alone=True)
    assert changes.removed == ()
    assert len(tree(tmp_path / "out")) == 4


def test_a_mode_is_kept(tmp_path):
    """S21: a file that was 644 or 755 stays so, whatever the umask; a new one follows it."""
    run(tmp_path, FILES)
    (tmp_path / "out" / "a.py").chmod(0o755)
    (tmp_path / "out" / "deep" / "b.py").chmod(0o644)
    before = os.umask(0o077)
    try:
        run(tmp_path, LATER | {"new.py": HEADER})
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*.py")}
    assert modes == {"a.py": 0o755, "b.py": 0o644, "new.py": 0o600}


def test_line_ends_of_a_checkout_are_no_difference(tmp_path):
    """S22: a file that git gave CRLF is up to date; an edit in it is still found."""
    run(tmp_path, FILES)
    path = tmp_path / "out" / "a.py"
    path.write_bytes(FILES["a.py"].replace("\n", "\r\n").encode())
    assert not run(tmp_path, FILES, check=True)[0].written
    path.write_bytes(path.read_bytes().replace(b"a = 1", b"a = 9"))
    assert run(tmp_path, FILES, check=True)[0].written == (path,)


def test_a_page_keeps_the_line_ends_it_was_given(tmp_path):
    """S22: text with CRLF is written as it is, byte by byte."""
    page = "# Title\r\n\r\n| a |\r\n"
    run(tmp_path, {"page.md": page})
    assert (tmp_path / "out" / "page.md").read_bytes() == page.encode()


def test_a_new_file_never_passes_for_the_old_compiled_one(tmp_path):
    """S15: size and second of change are not both those of the old file; the inode is new."""
    run(tmp_path, FILES)
    path = tmp_path / "out" / "a.py"
    before = path.stat()
    run(tmp_path, LATER)
    now = path.stat()
    assert now.st_size == before.st_size
    assert int(now.st_mtime) != int(before.st_mtime)
    assert now.st_ino != before.st_ino


def test_leftovers_of_a_killed_run_are_cleared(tmp_path):
    """S01: the next run removes temporary files, and nothing that only looks like one."""
    run(tmp_path, FILES)
    for name in (".telewright-123-1.tmp", ".telewright-123-2.old", ".telewright-notes.tmp"):
        (tmp_path / "out" / name).write_text("left")
    run(tmp_path, FILES)
    assert set(tree(tmp_path / "out")) == {*FILES, ".telewright-notes.tmp"}
