"""Places that cannot be written: found before the first write, named in one line, left alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

import pytest
from tests.codegen.write.making import HEADER, batch, codes, run, tree

from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Artifact, Batch
from telewright_codegen.write import write

FILES = {"a.py": f"{HEADER}a = 1\n", "names.py": f"{HEADER}b = 1\n"}


@pytest.fixture
def out(tmp_path):
    """Make the output folder, with an older file in it."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "a.py").write_text("old\n")
    return folder


def test_a_link_is_not_followed(out, tmp_path):
    """S06: a file that is a link to one outside is refused; neither is changed."""
    outside = tmp_path / "profile"
    outside.write_text("mine\n")
    (out / "names.py").symlink_to(outside)
    changes, report = run(tmp_path, FILES)
    assert codes(report) == ["TW702"]
    assert not changes.written
    assert outside.read_text() == "mine\n"
    assert (out / "names.py").is_symlink()
    assert (out / "a.py").read_text() == "old\n"


def test_a_dangling_link_is_not_followed(out, tmp_path):
    """S08: a link to nothing is refused, and nothing is made behind it."""
    (out / "names.py").symlink_to(tmp_path / "nope")
    _, report = run(tmp_path, FILES)
    assert codes(report) == ["TW702"]
    assert not (tmp_path / "nope").exists()


def test_a_linked_folder_inside_is_not_followed(out, tmp_path):
    """A folder below the output that is a link is refused."""
    (tmp_path / "elsewhere").mkdir()
    (out / "gym").symlink_to(tmp_path / "elsewhere")
    _, report = run(tmp_path, {"gym/x.py": HEADER})
    assert codes(report) == ["TW702"]
    assert tree(tmp_path / "elsewhere") == {}


def test_an_output_folder_that_leads_out_is_refused(tmp_path):
    """S07: the output folder is a link out of the project; named by a person, it is written to."""
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    (project / "out").symlink_to(elsewhere)
    assert codes(run(project, FILES)[1]) == ["TW702"]
    assert tree(elsewhere) == {}
    assert codes(run(project, FILES, explicit=True)[1]) == []
    assert set(tree(elsewhere)) == set(FILES)


def test_an_output_outside_the_project_needs_a_person(tmp_path):
    """S23: ``..`` in a configuration is refused; on the command line it is what one asked for."""
    project = tmp_path / "project"
    project.mkdir()
    assert codes(run(project, FILES, "../x")[1]) == ["TW706"]
    assert not (tmp_path / "x").exists()
    assert codes(run(project, FILES, "../x", explicit=True)[1]) == []
    assert set(tree(tmp_path / "x")) == set(FILES)


@pytest.mark.parametrize("path", ["../x.py", "/x.py", "a/../../x.py"])
def test_no_artifact_leaves_its_folder(tmp_path, path):
    """S23: a path that an emitter made up does not lead out, not even for a person."""
    report = Report()
    made = Batch(tmp_path / "out", (Artifact(PurePosixPath(path), "x"),), explicit=True)
    write([made], report, root=tmp_path)
    assert codes(report) == ["TW706"]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_file_is_refused(out, tmp_path):
    """S09: one line names it, and nothing else is written."""
    (out / "names.py").mkdir()
    _, report = run(tmp_path, FILES)
    assert codes(report) == ["TW703"]
    assert "names.py` is a folder" in report.diagnostics[0].message
    assert (out / "a.py").read_text() == "old\n"


def test_a_pipe_in_the_place_of_a_file_is_refused(out, tmp_path):
    """S10: a FIFO is refused without being opened, which would never end."""
    os.mkfifo(out / "names.py")
    _, report = run(tmp_path, FILES)
    assert codes(report) == ["TW703"]
    assert codes(run(tmp_path, FILES, check=True)[1]) == ["TW703"]


@pytest.mark.usefixtures("out")
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    """Where a folder should be there is a file."""
    _, report = run(tmp_path, {"a.py/x.py": HEADER})
    assert codes(report) == ["TW703"]


@pytest.mark.parametrize(
    "pair",
    [
        ("Names.py", "names.py"),
        ("straße.py", "STRASSE.py"),
        ("ﬁle.py", "file.py"),
        ("Gym/a.py", "gym/b.py/c.py"),
    ],
)
def test_names_that_some_disk_takes_for_one_are_refused(tmp_path, pair):
    """S16: where case or form does not count two names are one; nothing is written."""
    files = dict.fromkeys(pair, HEADER)
    if "/" in pair[0]:
        files |= {"GYM/B.py": HEADER}
    _, report = run(tmp_path, files)
    assert set(codes(report)) == {"TW704"}
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_seen_from_each_output_that_is_above_it(tmp_path):
    """What one output is put into is a link on the way of another, which does not follow it."""
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "gym").symlink_to(tmp_path / "elsewhere")
    report = Report()
    inner = batch(tmp_path / "out" / "gym", {"__init__.py": HEADER})
    outer = batch(tmp_path / "out", {"gym/topic.md": "text\n"})
    write([inner, outer], report, root=tmp_path)
    assert codes(report) == ["TW702"]
    assert tree(tmp_path / "elsewhere") == {}


def test_a_file_that_is_a_folder_of_another_output_is_refused(tmp_path):
    """However the outputs lie in each other."""
    report = Report()
    inner = batch(tmp_path / "a", {"x/y.py": HEADER})
    outer = batch(tmp_path, {"a": "text\n", "a/x/z.py": HEADER})
    write([inner, outer], report, root=tmp_path)
    assert set(codes(report)) == {"TW704"}
    assert list(tmp_path.iterdir()) == []


def test_two_outputs_do_not_write_one_file(tmp_path):
    """Two outputs into one folder that make the same file are refused."""
    report = Report()
    made = batch(tmp_path / "out", FILES)
    write([made, made], report, root=tmp_path)
    assert set(codes(report)) == {"TW704"}


def test_a_name_too_long_for_any_disk_is_refused(tmp_path):
    """S24: 256 bytes in one name, also where they are fewer characters; 255 are fine."""
    _, report = run(tmp_path, FILES | {f"{'x' * 253}.py": HEADER})
    assert codes(report) == ["TW705"]
    assert codes(run(tmp_path, FILES | {f"{'ö' * 130}.py": HEADER})[1]) == ["TW705"]
    deep = "/".join(["x" * 200] * 21)
    assert codes(run(tmp_path, FILES | {f"{deep}/x.py": HEADER})[1]) == ["TW705"]
    assert list(tmp_path.iterdir()) == []
    assert codes(run(tmp_path, FILES | {f"{'x' * 252}.py": HEADER})[1]) == []


def test_a_file_that_is_read_only_is_named(out, tmp_path):
    """S04: somebody has made it read-only; that is respected, by an administrator too."""
    (out / "names.py").write_text("old\n")
    (out / "names.py").chmod(0o444)
    _, report = run(tmp_path, FILES)
    assert codes(report) == ["TW707"]
    assert "names.py` is read-only" in report.diagnostics[0].message
    assert (out / "a.py").read_text() == "old\n"


AS_NOBODY = """
import os, sys
from pathlib import Path
from tests.codegen.write.making import HEADER, run
os.setgid(65534); os.setuid(65534)
root = Path(sys.argv[1])
changes, report = run(root, {"a.py": HEADER, "names.py": HEADER}, sys.argv[2])
for found in report.diagnostics:
    print(found.code, found.message)
print(len(changes.written), "written")
"""


@pytest.fixture
def as_nobody():
    """Write below a folder that all may see, as a user without rights."""
    if os.getuid() != 0:
        pytest.skip("needs an administrator, to become somebody else")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)

        def write_there(into="out"):
            command = [sys.executable, "-c", AS_NOBODY, name, into]
            env = {"PYTHONPATH": os.pathsep.join(sys.path)}
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            assert done.stderr == ""
            return done.stdout.splitlines()

        yield root, write_there


def test_a_folder_that_is_read_only_is_named(as_nobody):
    """S05: no file in it is changed, and one line for each says so."""
    root, write_there = as_nobody
    out = root / "out"
    out.mkdir()
    (out / "a.py").write_text("old\n")
    (out / "a.py").chmod(0o666)
    out.chmod(0o555)
    assert write_there() == [
        f"TW707 `{out / 'a.py'}` cannot be written: its folder `{out}` is read-only",
        f"TW707 `{out / 'names.py'}` cannot be written: its folder `{out}` is read-only",
        "0 written",
    ]
    assert (out / "a.py").read_text() == "old\n"
    out.chmod(0o777)
    assert write_there() == ["2 written"]


def test_a_folder_that_cannot_be_made_is_named(as_nobody):
    """S05: the folder above is closed to us."""
    root, write_there = as_nobody
    assert write_there("new/out") == [
        f"TW701 `{root / 'new'}` cannot be written: permission denied",
        "0 written",
    ]


FULL = """
import resource, sys
from pathlib import Path
from tests.codegen.write.making import HEADER, run
resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))
files = {"a.py": HEADER + "a = 2\\n", "big.py": HEADER + "#" * 200_000}
_, report = run(Path(sys.argv[1]), files)
for found in report.diagnostics:
    print(found.code, found.message)
"""


def test_a_file_that_does_not_fit_changes_nothing(out, tmp_path):
    """S03: the system takes no more; old files are intact and nothing is left beside them."""
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == f"TW701 `{out / 'big.py'}` cannot be written: file too large\n"
    assert tree(out) == {"a.py": b"old\n"}


FEW = """
import resource, sys
from pathlib import Path
from tests.codegen.write.making import HEADER, run
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]),) * 2)
files = {f"m{number}.py": HEADER + f"a = {number}\\n" for number in range(200)}
changes, report = run(Path(sys.argv[1]), files)
for found in report.diagnostics:
    print(found.code, found.message)
print(len(changes.written))
"""


def few_descriptors(folder, number):
    """Write 200 files with so many descriptors; return what was said."""
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FEW, str(folder), str(number)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_few_descriptors_are_enough(tmp_path):
    """A system that allows ten open files has any number of files written."""
    assert few_descriptors(tmp_path, 10) == "200\n"
    assert len(tree(tmp_path / "out")) == 200


def test_too_few_descriptors_change_nothing(out, tmp_path):
    """Without one left for a file, that is said, and no file is there."""
    said = few_descriptors(tmp_path, 4)
    assert said == f"TW701 `{out / 'm0.py'}` cannot be written: too many open files\n0\n"
    assert tree(out) == {"a.py": b"old\n"}


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of 64 KiB, where that is allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs to be allowed to mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_changes_nothing(small_disk):
    """S03: the disk is full in the middle; the old files are whole, and there is one line."""
    small = {"a.py": f"{HEADER}{'#' * 20_000}\n"}
    run(small_disk, small)
    before = tree(small_disk)
    large = {f"{name}.py": f"{HEADER}{'+' * 20_000}\n" for name in "abcd"}
    _, report = run(small_disk, large)
    assert codes(report) == ["TW701"]
    assert "no space left" in report.diagnostics[0].message
    assert tree(small_disk) == before


def test_paths_in_messages_are_those_of_the_disk(tmp_path):
    """A message names the file so that a person can go there."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.py").mkdir()
    _, report = run(tmp_path, FILES)
    assert Path(report.diagnostics[0].message.split("`")[1]).is_dir()
