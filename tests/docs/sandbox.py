"""A copy of the checkout in which the steps of a page are taken as a person would take them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Final

from tests.docs.pages import ROOT

ONE_TEST: Final = "tests/codegen/render/test_render.py -n 0 -p no:cacheprovider"
"""What `make test` runs of the suite inside the suite: it could not run itself."""

_TAG: Final = sys.implementation.cache_tag


def checkout(into: Path) -> Path:
    """Copy what git would show a newcomer to *into*, with this environment as its ``.venv``.

    What is compiled here goes along, for as long as its file there is the same.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            _copy(ROOT / name, into / name)
            path = Path(name)
            compiled = path.parent / "__pycache__" / f"{path.stem}.{_TAG}.pyc"
            if path.suffix == ".py" and (ROOT / compiled).is_file():
                _copy(ROOT / compiled, into / compiled)
    environment(into / ".venv")
    return into


def _copy(file: Path, into: Path) -> None:
    into.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, into, follow_symlinks=False)


def environment(into: Path) -> None:
    """Make an environment at *into* that has whatever this one has, and may be installed into."""
    venv.create(into, symlinks=True, with_pip=False)
    here = sysconfig.get_path("purelib")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(into)}))
    (site / "as_here.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    for program in Path(sys.prefix, "bin").iterdir():
        ours = into / "bin" / program.name
        if ours.exists() or program.is_dir():
            continue
        with program.open("rb") as file:
            is_script = file.read(2) == b"#!"
        if is_script:
            ours.write_text(program.read_text().replace(sys.prefix, str(into)))
            ours.chmod(0o755)
        else:
            ours.symlink_to(program)
    (into / ".ready").touch()


def python(home: Path) -> Path:
    """Return the interpreter of the checkout at *home*."""
    return home / ".venv" / "bin" / "python"


def variables(home: Path) -> dict[str, str]:
    """Return the environment of a person who works in the checkout at *home*."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OTEL_", "TELEWRIGHT_", "PYTEST_", "COV_", "MAKE"))
        and name not in {"MFLAGS", "PYTHON", "VENV"}  # what `make test` may have been told
    }
    return {
        **kept,
        "PATH": f"{home / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": f"{home / 'runtime'}:{home / 'codegen'}",
        "COLUMNS": "100",
        "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache"),  # what others installed is checked once
        "NO_COLOR": "1",
        "DEMO_PAIRS": "0",  # what telemetry costs is measured by the test of the demo
        "DEMO_ROLLOUTS": "2",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # which is pip's way to say: with what is installed
        "PYTEST_ADDOPTS": ONE_TEST,
    }


def shell(script: str, home: Path, *, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """Run *script* in the checkout at *home*; its output and its errors come as one text."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        env=variables(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
