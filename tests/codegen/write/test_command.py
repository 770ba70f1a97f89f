"""The command from outside: odd inputs, closed pipes, signals, and the same bytes everywhere."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests import soak
from tests.codegen.write.making import tree

COMMAND = [sys.executable, "-m", "telewright_codegen"]
EVERYTHING = Path(__file__).parents[2] / "golden" / "everything" / "spec"

CONFIG = """
[tool.telewright]
specs = "specs"

[[tool.telewright.output]]
emitter = "python"
into = "src/shop"
package = "shop"
"""

ATTRIBUTES = "topic: many\nbrief: Many keys.\nattributes:\n" + "".join(
    f"  - {{id: shop.many.n{number}, type: int, brief: Number {number}.}}\n"
    for number in range(300)
)

MARKS = ("Old", "New")
"""What two versions of specs say."""


@pytest.fixture
def project(tmp_path):
    """Make a project that generates a package from the specs of a golden case."""
    made = tmp_path / "project"
    shutil.copytree(EVERYTHING, made / "specs")
    (made / "pyproject.toml").write_text(CONFIG)
    return made


def run(folder, *arguments, timeout=60, **options):
    """Run the command in *folder*."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        **options,
    )


def test_generate_then_check_is_clean(project):
    """What was generated is up to date; a stale file makes `check` fail and say how to mend it."""
    assert run(project, "generate").returncode == 0
    assert run(project, "generate", "--check").returncode == 0
    path = project / "src" / "shop" / "order.py"
    path.write_text(path.read_text().replace("take one order", "take two orders"))
    done = run(project, "generate", "--check", "--diff")
    assert done.returncode == 1
    assert "src/shop/order.py" in done.stdout
    assert '+    """Span ``shop.order.take``: take one order.' in done.stdout
    assert "run `telewright generate`" in done.stdout


@pytest.mark.parametrize("special", ["/dev/zero", "pipe", "folder/pipe.yaml"])
def test_only_ordinary_files_are_specs(tmp_path, special):
    """S11: a device or a pipe is refused, and not read, which would never end."""
    path = Path(special)
    if not path.is_absolute():
        path = tmp_path / special
        path.parent.mkdir(exist_ok=True)
        os.mkfifo(path)
        path = path.parent if "/" in special else path
    done = run(tmp_path, "check", "--specs", str(path), timeout=20)
    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr
    assert done.stdout + done.stderr != ""


def test_links_that_lead_in_a_circle_are_an_error(tmp_path):
    """S12: neither is read, and the message names one."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "x.yaml").symlink_to(tmp_path / "a")
    for specs in ("a", "specs"):
        done = run(tmp_path, "check", "--specs", specs)
        assert done.returncode in {1, 2}
        assert "Traceback" not in done.stderr
        assert specs.removesuffix("s") in done.stdout + done.stderr


@pytest.mark.parametrize("number", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_one_file_of_thousands_that_cannot_be_read_is_named(number):
    """S13: the message names it, and nothing is generated from the others."""
    if os.getuid() != 0:
        pytest.skip("needs an administrator, to become somebody without rights")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o777)
        specs = root / "specs"
        specs.mkdir()
        (specs / "registry.yaml").write_text(
            "registry: shop\nversion: 0.1.0\nbrief: A shop.\nnamespaces: [shop]\n"
        )
        for each in range(number):
            (specs / f"t{each}.yaml").write_text(f"topic: t{each}\nbrief: Nothing.\n")
        closed = specs / "t500.yaml"
        closed.chmod(0o000)
        shutil.copytree(EVERYTHING, root / "warm")
        (root / "warm" / "bad.yaml").write_text("topic: 1\n")
        code = (
            "import os, sys\n"
            "from telewright_codegen import cli\n"
            "output = ['--emitter', 'json', '--into', 'out', '--output-format', 'concise']\n"
            "cli.main(['generate', '--specs', 'warm', *output])\n"
            "print('---')\n"
            "os.setgid(65534); os.setuid(65534)\n"
            "sys.exit(cli.main(['generate', '--specs', 'specs', *output]))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        assert "specs/t500.yaml" in done.stdout.partition("---")[2]
        assert not (root / "out").exists()


@pytest.mark.long
def test_the_same_bytes_everywhere(project, tmp_path):
    """S20: seed, language, time zone, folder and working folder leave no trace."""
    assert run(project, "generate").returncode == 0
    expected = tree(project / "src")
    surroundings = [
        {"PYTHONHASHSEED": "0", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "random", "PYTHONIOENCODING": "ascii", "COLUMNS": "20"},
    ]
    for number, env in enumerate(surroundings):
        elsewhere = tmp_path / f"a much longer name of a checkout {number}" / "x"
        shutil.copytree(project / "specs", elsewhere / "specs")
        (elsewhere / "pyproject.toml").write_text(CONFIG)
        config = ["--config", str(elsewhere / "pyproject.toml")]
        done = run("/", "generate", *config, env={**os.environ, **env})
        assert done.returncode == 0, done.stderr
        assert tree(elsewhere / "src") == expected


def test_a_closed_pipe_is_no_traceback(project):
    """S25: who reads our output has gone; nothing is said about it, and files are whole."""
    (project / "specs" / "many.yaml").write_text(ATTRIBUTES.replace("type: int", "type: itn"))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "check"],
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert done.returncode != 0
    assert done.stderr == ""


def test_without_any_streams_files_are_still_written(project):
    """S25: standard input and output are closed altogether."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&- >&-', "sh", *COMMAND, "generate"],
        cwd=project,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    assert (project / "src" / "shop" / "order.py").read_text().startswith("# Generated by")


def declare(specs, mark):
    """Write specs of twenty topics; *mark* is in each module of theirs."""
    for topic in range(20):
        keys = "".join(
            f"  - {{id: shop.t{topic}.n{number}, type: int, brief: {mark} {number}.}}\n"
            for number in range(4)
        )
        text = f"topic: t{topic}\nbrief: {mark}.\nattributes:\n{keys}"
        (specs / f"t{topic}.yaml").write_text(text, encoding="utf-8")


def passing(folder):
    """Return the files that are there only while a run writes, or since one was killed."""
    return set(folder.rglob(".telewright-*"))


def two_versions(project):
    """Generate two versions; return the files of each, and how long the second took."""
    versions = []
    for mark in MARKS:
        declare(project / "specs", mark)
        begun = time.monotonic()
        assert run(project, "generate").returncode == 0
        took = time.monotonic() - begun
        versions.append(tree(project / "src"))
    old, new = versions
    assert len([path for path in new if new[path] != old.get(path)]) > 20
    return versions, took


def test_an_interrupt_ends_with_130_and_whole_files(project):
    """S26: Ctrl-C at any moment; what is there afterwards is all of the old or all of the new."""
    versions, took = two_versions(project)
    codes = set()
    for share in (0.2, 0.4, 0.6, 0.7, 0.8, 0.9):
        now = tree(project / "src")
        declare(project / "specs", MARKS[now == versions[0]])
        child = subprocess.Popen(
            [*COMMAND, "generate"],
            cwd=project,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(share * took)
        child.send_signal(signal.SIGINT)
        _, error = child.communicate(timeout=60)
        codes.add(child.returncode)
        assert tree(project / "src") in versions
        assert child.returncode != 130 or error == ""
    assert codes <= {0, 130, -signal.SIGINT}
    assert run(project, "generate").returncode == 0
    assert run(project, "generate", "--check").returncode == 0


def torn(now, versions):
    """Return the files that are wholly of none of *versions*."""
    return [
        path
        for path, data in now.items()
        if ".telewright-" not in path and data not in {version[path] for version in versions}
    ]


@pytest.mark.parametrize("kills", [8, pytest.param(500, marks=pytest.mark.soak)])
def test_a_killed_command_tears_no_file(project, kills, request):
    """S01: the whole command, killed while it turns one version into another.

    Half of the kills come at any moment of the run, the others soon after it begins to write.
    """
    out = project / "src"
    versions, took = two_versions(project)
    moments = random.Random(kills)  # noqa: S311 - moments, not secrets
    tried = landed = 0
    long_run = soak.begin(request)
    for (number,) in long_run.slices(kills, size=1, patience=120):
        had = tree(out)
        aim = int(had == versions[0])
        declare(project / "specs", MARKS[aim])
        before = passing(out)
        command = [*COMMAND, "generate"]
        with subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL) as child:
            if number % 2:
                time.sleep(moments.uniform(0, took))
            else:
                while child.poll() is None and passing(out) == before:
                    pass
                time.sleep(moments.uniform(0, 0.01))
            child.kill()
        now = tree(out)
        assert torn(now, versions) == []
        tried += 1
        landed += now not in (had, *versions)
        if number % 8 == 7:
            assert run(project, "generate").returncode == 0
            assert tree(out) == versions[aim]
        long_run.say(f"{landed} of {tried} were killed while they wrote")
    assert landed > tried / 20, "hardly any run was killed while it wrote: the test shows nothing"


def test_a_torn_file_is_noticed():
    """The positive control: half a file, and one of two halves; not what a run leaves over."""
    versions = [{"a.py": b"old old"}, {"a.py": b"new new"}]
    assert torn({"a.py": b"old"}, versions) == torn({"a.py": b"new old"}, versions) == ["a.py"]
    assert torn({"a.py": b"new new", ".telewright-1-1.tmp": b"ne"}, versions) == []


@pytest.mark.parametrize("file", ["order.py", "many.py", "_registry.json"])
def test_problems_of_the_output_place_end_with_1(project, file):
    """A link, a folder or a pipe in the place of any output: one finding, exit 1, no traceback."""
    (project / "specs" / "many.yaml").write_text(ATTRIBUTES)
    place = project / "src" / "shop" / file
    place.parent.mkdir(parents=True)
    place.symlink_to("/nope")
    done = run(project, "generate", "--output-format", "concise")
    assert (done.returncode, done.stderr) == (1, "")
    assert "TW702" in done.stdout
    assert os.listdir(place.parent) == [file]  # noqa: PTH208 - the one name there is
