"""What plug-ins make, and what they are given, are frozen dataclasses."""

from __future__ import annotations

import copy
import re
from dataclasses import FrozenInstanceError, asdict, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path, PurePosixPath

import pytest

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.emit.emitter import Artifact, Pages, Target
from telewright_codegen.lint.rule import Finding, Rule, Subject
from telewright_codegen.source import Place

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "plugins.md"
PLACE = Place("a.yaml", 1, 1)
RULE = Rule("ACME1", "one", Severity.ERROR, liftable=True, on_deprecated=True, check=len)


@pytest.mark.parametrize(
    ("made", "change"),
    [
        (Artifact(PurePosixPath("a.txt"), "text\n"), {"text": "other\n"}),
        (Target(("gym",)), {"registries": ()}),
        (Pages(Path("docs"), Path()), {"only": "a.md"}),
        (Label(PLACE), {"text": "here"}),
        (Finding((), PLACE, "bad"), {"help": "mend it"}),
        (RULE, {"name": "another"}),
        (Subject(None, None, None), {"today": 1}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_of_plug_ins_are_dataclasses(made, change):
    """They can be changed with `replace`, copied and compared; none is a tuple or has a dict."""
    assert is_dataclass(made)
    changed = replace(made, **change)
    assert changed != made
    assert asdict(changed) == {**asdict(made), **change}
    assert copy.copy(made) == made
    assert not isinstance(made, tuple)
    assert not hasattr(made, "__dict__")
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(made)[0].name, None)


def test_the_guide_imports_no_tuples():
    """No class that the guide takes into a plug-in can be taken for several of its kind."""
    found = [
        getattr(import_module(module), name)
        for module, names in re.findall(
            r"(?m)^from (telewright\S+) import (.+)$", GUIDE.read_text()
        )
        for name in names.split(", ")
    ]
    classes = [one for one in found if isinstance(one, type)]
    assert {Artifact, Finding, Subject, Target} <= set(classes)
    assert not [one for one in classes if issubclass(one, tuple)]


def test_a_change_is_checked_like_what_is_new():
    """`replace` makes nothing that could not have been made at once."""
    with pytest.raises(TypeError, match="`path` of Artifact must be PurePosixPath, not str"):
        replace(Artifact(PurePosixPath("a.txt"), ""), path="b.txt")
