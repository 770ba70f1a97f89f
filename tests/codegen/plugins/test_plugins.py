"""Emitters, rules and registries of other distributions, really built and installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.codegen.checking import read

from telewright_codegen import plugins

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    groups:
      step: {brief: Steps., cardinality: per_step}
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: step
    spans:
      - {name: gym.rollout.run, brief: A step that goes on and on and on and on., kind: internal}
"""
FILES = {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC}


def installed(projects, into):
    """Build wheels of *projects*, without a network, and install them into a folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-index", "--quiet"]
    wheels = into.with_name(f"{into.name}-wheels")
    # copies, for building leaves files behind
    sources = [shutil.copytree(one, wheels / "source" / one.name) for one in projects]
    build = [*pip, "wheel", "--no-build-isolation", *options, "--wheel-dir", str(wheels)]
    subprocess.run([*build, *map(str, sources)], check=True)
    found = map(str, sorted(wheels.glob("*.whl")))
    subprocess.run([*pip, "install", *options, "--target", str(into), *found], check=True)
    return into


@pytest.fixture(scope="module")
def acme(tmp_path_factory):
    """Return a folder with all three plug-ins installed."""
    projects = [PLUGINS / f"acme_{kind}" for kind in ("emitter", "rules", "registry")]
    return installed(projects, tmp_path_factory.mktemp("acme") / "site")


def telewright(*arguments, site=None, expected=0):
    """Run the command line with the plug-ins in *site*; return what it printed."""
    path = os.pathsep.join([*([str(site)] if site else []), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "telewright_codegen", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == expected, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_an_emitter_is_found_by_name(tmp_path, acme):
    """An installed emitter writes where `--into` says, and `--check` knows its file."""
    read(tmp_path, FILES)
    run = (
        "--specs",
        tmp_path / "specs",
        "generate",
        "--emitter",
        "csv",
        "--into",
        tmp_path / "out",
    )
    telewright(*run, site=acme)
    assert (tmp_path / "out" / "spans.csv").read_text() == "span,group\ngym.rollout.run,gym.step\n"
    assert "up to date" in telewright(*run, "--check", site=acme)


def test_without_it_the_name_is_unknown(tmp_path):
    """The same command is wrong usage where the distribution is not installed."""
    read(tmp_path, FILES)
    run = (
        "--specs",
        tmp_path / "specs",
        "generate",
        "--emitter",
        "csv",
        "--into",
        tmp_path / "out",
    )
    assert "no emitter `csv`" in telewright(*run, expected=2)
    assert not (tmp_path / "out").exists()


def test_a_rule_is_run_and_lifted_like_ours(tmp_path, acme):
    """An installed rule reports with its place, and `allow:` lifts it with a reason."""
    read(tmp_path, FILES)
    said = telewright("--specs", tmp_path / "specs", "check", site=acme)
    assert "warning[ACME101]: the brief of `gym.rollout.run` has more than 40 characters" in said
    assert "rollout.yaml:6:" in said
    assert "ACME101" not in telewright("--specs", tmp_path / "specs", "check")
    lifted = TOPIC.replace("kind: internal", "allow: {ACME101: Nobody shows it.}")
    read(tmp_path, {"rollout.yaml": lifted})
    assert "ACME101" not in telewright("--specs", tmp_path / "specs", "check", site=acme)


def test_a_registry_is_used_by_name(tmp_path, acme):
    """`uses: [acme]` finds the specs that a distribution ships, and its attributes with them."""
    uses = REGISTRY + "    uses: [acme]\n"
    topic = TOPIC.replace("kind: internal", "attributes: {acme.tenant: required}")
    read(tmp_path, {"registry.yaml": uses, "rollout.yaml": topic})
    telewright("--specs", tmp_path / "specs", "check", site=acme)
    assert "acme" in telewright("--specs", tmp_path / "specs", "check", expected=1)
    shown = telewright("--specs", tmp_path / "specs", "show", "acme.tenant", site=acme)
    assert "acme_registry/specs/common.yaml" in shown


def test_the_package_of_a_registry_is_not_imported(tmp_path, acme):
    """Reading specs runs none of the code that is shipped with them."""
    site = shutil.copytree(acme, tmp_path / "site")
    (site / "acme_registry" / "specs" / "__init__.py").write_text("raise SystemExit('ran')\n")
    read(tmp_path, {**FILES, "registry.yaml": REGISTRY + "    uses: [acme]\n"})
    telewright("--specs", tmp_path / "specs", "check", site=site)


@pytest.mark.parametrize("kind", ["emitter", "rules", "registry"])
def test_two_of_one_name_are_an_error_that_names_both(tmp_path, acme, kind):
    """Which of two would win is not left to the order of a path."""
    site = shutil.copytree(acme, tmp_path / "site")
    ours = site / f"acme_{kind}-1.2.0.dist-info"
    twin = shutil.copytree(ours, site / f"other_{kind}-1.2.0.dist-info") / "METADATA"
    twin.write_text(twin.read_text().replace(f"Name: acme-{kind}", f"Name: other-{kind}"))
    out = ("--emitter", "csv", "--into", tmp_path / "out")
    verb = ("generate", *out) if kind == "emitter" else ("check",)
    read(
        tmp_path,
        {**FILES, "registry.yaml": REGISTRY + ("    uses: [acme]\n" * (kind == "registry"))},
    )
    code = 1 if kind == "registry" else 2
    said = telewright("--specs", tmp_path / "specs", *verb, site=site, expected=code)
    assert f"`acme-{kind}` 1.2.0 and `other-{kind}` 1.2.0" in said


def test_a_plug_in_that_cannot_be_loaded_is_named(tmp_path, acme):
    """Whatever it raises, the message has its distribution and the reason, and no traceback."""
    site = shutil.copytree(acme, tmp_path / "site")
    (site / "acme_emitter" / "__init__.py").write_text("raise RuntimeError('no licence')\n")
    (site / "acme_rules" / "briefs.py").write_text("1 / 0\n")
    read(tmp_path, FILES)
    specs = ("--specs", tmp_path / "specs")
    out = ("--emitter", "csv", "--into", tmp_path / "out")
    said = telewright(*specs, "check", site=site, expected=2)
    assert "`acme-rules` 1.2.0 cannot be loaded (ZeroDivisionError: division by zero)" in said
    assert "mistake in telewright" not in said
    shutil.rmtree(site / "acme_rules-1.2.0.dist-info")
    said = telewright(*specs, "generate", *out, site=site, expected=2)
    assert "emitter `csv` of `acme-emitter` 1.2.0 cannot be loaded" in said
    assert "no licence" in said


def test_built_in_emitters_read_no_entry_points(monkeypatch):
    """What is built in is found in a table; each name there can be loaded."""

    def refuse(**_):
        raise AssertionError("entry points were read")

    monkeypatch.setattr(plugins.metadata, "entry_points", refuse)
    for name in plugins.BUILT_IN:
        assert plugins.emitter(name).name == name
    with pytest.raises(AssertionError):
        plugins.emitter("csv")
