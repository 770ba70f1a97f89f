"""Warnings about registries that are only used: silenced for each, with a reason, and no longer."""

from __future__ import annotations

import pytest
from tests.codegen.checking import REGISTRY, read
from tests.codegen.otel.test_reading import MANIFEST, acme, model

from telewright_codegen import pipeline
from telewright_codegen.cli import main
from telewright_codegen.diagnostics import Report

MISSING = f"{MANIFEST}dependencies: [{{schema_url: https://example.com/schemas/far/1.0.0}}]\n"
TOPIC = "topic: rollout\nbrief: Rollouts.\n"


def files(allow, where="../../vendor/acme", *, manifest=MISSING):
    """Return a registry of ours that uses Acme's, which depends on one that is not here."""
    use = f"{{registry: acme, path: {where}, allow: {allow}}}"
    vendored = {f"gym/{where}/{name[5:]}": text for name, text in acme().items()}
    vendored[f"gym/{where}/manifest.yaml"] = manifest
    return {"registry.yaml": f"{REGISTRY}    uses: [{use}]\n", "rollout.yaml": TOPIC, **vendored}


def about_uses(folder, **said):
    """Return the findings about used registries and silences, as code and file."""
    _, report = model(folder, files(**said))
    return [
        (one.code, one.primary.place.file.rpartition("/")[2])
        for one in report
        if one.code in {"TW809", "TW811", "TW190", "TW191"}
    ]


def test_a_warning_is_silenced_with_a_reason(tmp_path):
    """What the use of a registry allows is not reported; without that it is."""
    assert about_uses(tmp_path / "a", allow="{}") == [("TW809", "manifest.yaml")]
    assert about_uses(tmp_path / "b", allow="{TW809: It is on the network.}") == []


def test_a_registry_among_the_specs_too(tmp_path):
    """It makes no difference whether the used registry lies beside or elsewhere."""
    assert about_uses(tmp_path, allow="{TW809: Far away.}", where="../acme") == []


def test_a_silence_covers_what_the_registry_depends_on(tmp_path):
    """A warning about a dependency of the used registry is silenced with it, others are not."""
    near = f"{MANIFEST}dependencies: [{{name: near, registry_path: ../near}}]\n"
    found = files("{TW809: Far away.}", manifest=near)
    found["../vendor/near/manifest.yaml"] = MISSING.replace("acme", "near")
    _, report = model(tmp_path / "a", found)
    assert "TW809" not in {one.code for one in report}
    found["other/manifest.yaml"] = MISSING.replace("acme", "other")
    found["other/a.yaml"] = "groups: []\n"
    _, report = model(tmp_path / "b", found)
    (left,) = [one for one in report if one.code == "TW809"]
    assert left.primary.place.file == "specs/other/manifest.yaml"


def test_a_silence_for_nothing_is_a_finding(tmp_path):
    """One that finds nothing, or never could, is reported where it stands."""
    whole = {"allow": "{TW809: Was far away.}", "manifest": MANIFEST}
    assert about_uses(tmp_path / "a", **whole) == [("TW191", "registry.yaml")]
    unknown = {"allow": "{TW801: No.}", "manifest": MANIFEST}
    assert about_uses(tmp_path / "b", **unknown) == [("TW190", "registry.yaml")]


def test_errors_stay(tmp_path):
    """What is wrong with a used registry cannot be silenced."""
    found = files("{TW809: Far away.}", manifest=MANIFEST)
    found["../vendor/acme/more.yaml"] = (
        "groups: [{id: more, brief: M., attributes: [{ref: acme.no}]}]\n"
    )
    _, report = model(tmp_path, found)
    assert {"TW801", "TW191"} <= {one.code for one in report}


@pytest.mark.parametrize(("option", "codes"), [((), {"TW809"}), (("--ignore", "TW809"), set())])
def test_the_configuration_silences_too(tmp_path, option, codes, capsys):
    """`--ignore`, or `rules.ignore`, covers warnings of reading, for a folder with a manifest."""
    config = read(tmp_path, acme() | {"acme/manifest.yaml": MISSING})
    assert main(["check", "--specs", str(config.specs), "--output-format", "concise", *option]) == 0
    out = capsys.readouterr().out
    assert all(code in out for code in codes)
    assert ("TW809" in out) == bool(codes)
    report = Report()
    pipeline.model(config, report)
    assert {one.code for one in report} == {"TW809"}
