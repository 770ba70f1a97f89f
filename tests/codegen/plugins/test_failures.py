"""What plug-ins do wrong is said to be theirs: who, what, where, and what to do."""

from __future__ import annotations

import sys

import pytest
from tests.codegen.checking import read

from telewright_codegen import plugins
from telewright_codegen.cli import main
from telewright_codegen.guard import HELP, PluginError

FILES = {
    "registry.yaml": """
        registry: gym
        version: "0.1.0"
        brief: Telemetry of a gym.
        groups:
          step: {brief: Steps., cardinality: per_step}
    """,
    "rollout.yaml": """
        topic: rollout
        brief: Rollouts.
        group: step
        spans:
          - {name: gym.rollout.run, brief: A step., kind: internal}
    """,
}
EMITTER = """
from pathlib import PurePosixPath
from telewright_codegen.emit.emitter import Artifact

class Broken:
    name = "broken"

    def emit(self, model, target, /):
        {body}
"""
INJECTOR = """
class Broken:
    name = "broken"

    def emit(self, model, target, /):
        return ()

    def inject(self, model, target, existing, report, /):
        {body}
"""
RULES = """
from dataclasses import replace
from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule

@rule("ACME101", "never-content")
def never_content(subject):
    topic = subject.registry.topics[0]
    place = topic.at.value("topic")
    {body}
"""
LATE = "yield Artifact(PurePosixPath('fine.txt'), '');"


class Acme:
    """A distribution with one module, installed beside this test."""

    def __init__(self, folder, monkeypatch):
        self.file = folder / "site" / "acme_broken.py"
        self._folder = folder
        self._monkeypatch = monkeypatch

    def brings(self, group, value, text):
        """Install the distribution: the module is *text*, and *value* its entry point."""
        info = self.file.with_name("acme_broken-1.2.0.dist-info")
        info.mkdir(parents=True)
        self.file.write_text(text)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-broken\nVersion: 1.2.0\n")
        (info / "entry_points.txt").write_text(f"[telewright.{group}]\nbroken = {value}\n")
        self._monkeypatch.syspath_prepend(str(info.parent))
        self._monkeypatch.delitem(sys.modules, "acme_broken", raising=False)

    def emits(self, body, text=EMITTER):
        """Run the emitter whose `emit`, or `inject`, is *body*; return the exit code."""
        self.brings("emitters", "acme_broken:Broken", text.replace("{body}", body))
        specs, out = self._folder / "specs", self._folder / "out"
        return main(["--specs", str(specs), "generate", "--emitter", "broken", "--into", str(out)])

    def checks(self, body, text=RULES):
        """Check with the rule whose function does *body*; return the exit code."""
        self.brings("rules", "acme_broken", text.replace("{body}", body))
        return main(["--specs", str(self._folder / "specs"), "check"])

    def line(self, number):
        """Return what a message says of a line of the module."""
        return f" in {self.file}, line {number}"

    def last_line(self):
        """Return what a message says of the last line of the module."""
        return self.line(len(self.file.read_text().splitlines()))


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """Return a distribution that has nothing yet, beside specs without a fault."""
    read(tmp_path, FILES)
    yield Acme(tmp_path, monkeypatch)
    assert not (tmp_path / "out").exists()
    sys.modules.pop("acme_broken", None)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero"),
        (LATE + " model.registry('nowhere')", "KeyError: 'nowhere'"),
        ("return map(model.registry, ['nowhere'])", "KeyError: 'nowhere'"),
        ("open('/nowhere/at/all')", "FileNotFoundError: [Errno 2] No such file or directory"),
        ("assert not model", "AssertionError"),
        ("raise ValueError('one\\ntwo')", "ValueError: one)"),
        ("yield Artifact('a.txt', '')", "`path` of Artifact must be PurePosixPath, not str"),
        ("yield Artifact(PurePosixPath('a.txt'), b'')", "`text` of Artifact must be str, not byte"),
        ("yield Artifact(PurePosixPath('a.txt'), None)", "must be str, not NoneType"),
        ("yield Artifact(PurePosixPath(''), '')", "ValueError: `.` is not the path of a file"),
        ("yield Artifact(PurePosixPath('a\\0'), '')", "is not the path of a file"),
        ("yield Artifact(PurePosixPath('a.txt'), '\\ud800')", "UnicodeEncodeError: 'utf-8' codec"),
        ("yield Artifact(PurePosixPath('a.txt'))", "missing 1 required positional argument"),
    ],
)
def test_an_emitter_that_fails_is_named(acme, capsys, body, said):
    """At once or on the way: its name, its distribution, the exception, its line, what to do."""
    assert acme.emits(body) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: emitter `broken` of `acme-broken` 1.2.0 failed (")
    assert said in error
    if "map" not in body:
        assert acme.last_line() in error
    assert error.endswith(f"\n  = help: {HELP}\n")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return Artifact(PurePosixPath('a'), '')", "it must yield Artifacts, but returned Artifa"),
        ("return 'a.txt'", "it must yield Artifacts, but returned str"),
        ("return b''", "it must yield Artifacts, but returned bytes"),
        ("pass", "it must yield Artifacts, but returned NoneType"),
        ("return 7", "it must yield Artifacts, but returned int"),
        ("yield 'a.txt'", "what it yields must be Artifact, not str"),
        ("return [None]", "what it yields must be Artifact, not NoneType"),
        ("return {'a.txt': 'text'}", "what it yields must be Artifact, not str"),
        ("yield (PurePosixPath('a.txt'), 'text')", "what it yields must be Artifact, not tuple"),
    ],
)
@pytest.mark.parametrize("text", [EMITTER, EMITTER + INJECTOR], ids=["emit", "inject"])
def test_what_is_no_artifact_is_refused(acme, capsys, body, said, text):
    """One instead of several, nothing, text: the message has the line where it is defined."""
    assert acme.emits(body, text) == 2
    error = capsys.readouterr().err
    assert f"error: emitter `broken` of `acme-broken` 1.2.0 failed (TypeError: {said}" in error
    lines = acme.file.read_text().splitlines()
    assert acme.line(len(lines) - 1) in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("3, 'bad', None", "what is reported must be str, not int"),
        ("'ACME1', None, None", "what is reported must be str, not NoneType"),
        ("'ACME1', 'bad', None, help=['mend it']", "what is reported must be str, not list"),
        ("'ACME1', 'bad', 'a.md'", "`place` of Label must be Place, not str"),
        ("'ACME1', 'bad', None, secondary='x'", "`secondary` must be Label, not str"),
    ],
)
@pytest.mark.parametrize("method", ["error", "warning"])
def test_what_cannot_be_reported_is_refused(acme, capsys, arguments, said, method):
    """An emitter that fills pages is told in its own line that a finding cannot be shown."""
    assert acme.emits(f"report.{method}({arguments})", INJECTOR) == 2
    error = capsys.readouterr().err
    assert f"`acme-broken` 1.2.0 failed (TypeError: {said}){acme.last_line()}\n" in error


def test_an_emitter_that_cannot_be_called_so_is_named(acme, capsys):
    """Where no line of a plug-in was reached, the place is where what was called is defined."""
    assert acme.emits("return ()", EMITTER.replace(", target, /", "")) == 2
    error = capsys.readouterr().err
    assert (
        "failed (TypeError: Broken.emit() takes 2 positional arguments but 3 were given)" in error
    )
    assert acme.line(8) in error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Broken:\n    pass\n", "cannot be loaded (TypeError: it has no `emit`)"),
        ("class Broken:\n    emit = 3\n", "cannot be loaded (TypeError: it has no `emit`)"),
        ("Broken = None\n", "cannot be loaded (TypeError: it has no `emit`)"),
        ("", "cannot be loaded (AttributeError: module 'acme_broken' has no attribute 'Broken')"),
        ("\n1 / 0\n", "cannot be loaded (ZeroDivisionError: division by zero) in {file}, line 2"),
        (
            "class Broken:\n    def __init__(self):\n        1 / 0\n",
            "cannot be loaded (ZeroDivisionError: division by zero) in {file}, line 3",
        ),
    ],
)
def test_an_emitter_that_cannot_be_had_is_named(acme, capsys, text, said):
    """Without `emit`, failing while it is imported or made: the message has who, and the line."""
    assert acme.emits("", text) == 2
    expected = f"error: emitter `broken` of `acme-broken` 1.2.0 {said}"
    assert expected.replace("{file}", str(acme.file)) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero"),
        ("yield Finding(topic, place, ''); topic.nothing", "'Topic' object has no attribute"),
        ("yield Finding(topic, 'here', 'bad')", "`place` of Finding must be Place, not str"),
        ("yield Finding(topic, place, None)", "`message` of Finding must be str, not NoneType"),
        ("yield Finding(topic, place, 'bad', 3)", "`label` of Finding must be str, not int"),
        ("yield Finding(topic, place, 'bad', help=b'')", "`help` of Finding must be str, not byte"),
        ("yield Finding(None, place, 'bad')", "`on` of Finding must be Item, not NoneType"),
        ("yield Finding((topic, 'gym'), place, 'bad')", "`on` of Finding must be Item, not str"),
        ("yield Finding(topic, place, 'bad', secondary='x')", "`secondary` of Finding must be La"),
        (
            "yield Finding(topic, replace(place, line='3'), 'bad')",
            "`line` of Place must be int, not str",
        ),
        ("yield Label(None)", "`place` of Label must be Place, not NoneType"),
    ],
)
def test_a_rule_that_fails_is_named(acme, capsys, body, said):
    """Its code, its set, its distribution, the exception and its line."""
    assert acme.checks(body) == 2
    error = capsys.readouterr().err
    who = "rule `ACME101` (never-content) of rule set `broken` of `acme-broken` 1.2.0"
    assert error.startswith(f"error: {who} failed (")
    assert said in error
    assert acme.last_line() in error


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return Finding(topic, place, 'bad')", "it must yield Findings, but returned Finding"),
        ("pass", "it must yield Findings, but returned NoneType"),
        ("return ''", "it must yield Findings, but returned str"),
        ("yield 'bad'", "what it yields must be Finding, not str"),
    ],
)
def test_what_is_no_finding_is_refused(acme, capsys, body, said):
    """One instead of several, nothing, text."""
    assert acme.checks(body) == 2
    assert f" failed (TypeError: {said}) in {acme.file}, line 6\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no rule, no function marked with `@rule`"),
        (RULES.replace('"ACME101"', '""'), "cannot be loaded (ValueError: a rule needs a code"),
        (RULES.replace('"never-content"', '""'), "cannot be loaded (ValueError: a rule needs a co"),
        (RULES.replace('"never-content"', "3"), "`name` of Rule must be str, not int"),
        (RULES.replace('ent")', 'ent", severity="error")'), "`severity` of Rule must be Severity"),
        (RULES.replace("ACME101", "TW999"), "has a code that is taken"),
    ],
)
def test_a_rule_set_that_cannot_be_used_is_named(acme, capsys, text, said):
    """Nothing in it, or what no rule can be."""
    assert acme.checks("return ()", text) == 2
    error = capsys.readouterr().err
    assert "rule set `broken` of `acme-broken` 1.2.0 " in error
    assert said in error


def test_a_registry_whose_package_fails_is_named(acme):
    """What is raised while a registry is looked for is the plug-in's, whatever it is."""
    acme.brings("registries", "acme_broken.specs", "raise RuntimeError('no licence')\n")
    with pytest.raises(PluginError) as caught:
        plugins.registry("broken")
    assert str(caught.value) == (
        "registry `broken` of `acme-broken` 1.2.0 cannot be loaded (RuntimeError: no licence)"
        + acme.line(1)
    )


@pytest.mark.parametrize("kind", ["emitter", "rule"])
@pytest.mark.parametrize(
    ("raised", "code"), [("KeyboardInterrupt", 130), ("SystemExit(0)", 2), ("GeneratorExit", 2)]
)
def test_an_interrupt_passes_and_no_plug_in_ends_the_run(acme, capsys, kind, raised, code):
    """A plug-in that says `sys.exit(0)` makes no mistake in a spec go by."""
    run = acme.emits if kind == "emitter" else acme.checks
    assert run(f"raise {raised}") == code
    assert ("SystemExit: 0" in capsys.readouterr().err) is (raised == "SystemExit(0)")


def test_a_traceback_is_printed_where_it_is_asked_for(acme, monkeypatch):
    """With TELEWRIGHT_TRACEBACK the error arrives with the plug-in's own as its cause."""
    monkeypatch.setenv("TELEWRIGHT_TRACEBACK", "1")
    with pytest.raises(PluginError) as caught:
        acme.emits("return 1 / 0")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_exception_that_cannot_be_told_is_named(acme, capsys):
    """An exception whose text fails as well is called by its type."""
    body = "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})"
    assert acme.emits(body) == 2
    assert " failed (Odd) in " in capsys.readouterr().err


def test_built_in_emitters_and_rules_are_called_directly():
    """Nothing stands between the generator and what is its own."""
    for name, place in plugins.BUILT_IN.items():
        assert type(plugins.emitter(name)).__qualname__ == place.partition(":")[2]
