"""Dependencies of a manifest: where they are, in which version, how deep, and what they share."""

from __future__ import annotations

from tests.codegen.otel.test_reading import ALONE, DEPENDS, MANIFEST, acme, model

BASE = "https://example.com/schemas"


def manifest(name, *dependencies, version="1.0.0"):
    """Return a manifest of *name* that depends on others, each a folder beside it."""
    lines = [f"schema_url: {BASE}/{name}/{version}"]
    if dependencies:
        lines.append("dependencies:")
    for said in dependencies:
        other, _, wanted = said.partition("==")
        lines.append(
            f"  - {{schema_url: {BASE}/{other}/{wanted or '1.0.0'}, registry_path: ../{other}}}"
        )
    return "\n".join(lines) + "\n"


def group(name, *entries, **fields):
    """Return a file with one group of attributes."""
    more = "".join(f", {field}: {value}" for field, value in fields.items())
    return (
        f"groups:\n  - {{id: registry.{name}, brief: Of {name}.{more}, "
        f"attributes: [{', '.join(entries)}]}}\n"
    )


def declared(key):
    """Return the declaration of an attribute."""
    return f"{{id: {key}, type: string, brief: It is {key}.}}"


def chain(length):
    """Return registries that depend on each other in a row; the first refers to the last."""
    files = {}
    for index in range(length):
        name = f"r{index}"
        files[f"{name}/manifest.yaml"] = manifest(name, *([f"r{index + 1}"] * (index < length - 1)))
        files[f"{name}/a.yaml"] = group(name, declared(f"{name}.one"))
    files["r0/a.yaml"] = group("r0", f"{{ref: r{length - 1}.one}}")
    return files


def test_dependencies_of_dependencies_are_read(tmp_path):
    """Ten registries may depend on each other in a row; the first may refer to the last."""
    made, report = model(tmp_path, chain(10))
    assert [str(one) for one in report] == []
    (signal,) = made.registry("r0").conventions().signals
    assert [(one.name, one.brief) for one in signal.keys] == [("r9.one", "It is r9.one.")]


def test_more_than_ten_in_a_row(tmp_path):
    """The eleventh is refused where it is asked for."""
    _, report = model(tmp_path, chain(11))
    (found,) = [one for one in report if one.code == "TW802"]
    assert found.message == "more than 10 registries depend on each other in a row"
    assert found.primary.place.file == "specs/r9/manifest.yaml"


def test_a_circle_names_where_it_closes(tmp_path):
    """Three manifests in a circle are an error, at the dependency that closes it."""
    files = {
        "a/manifest.yaml": manifest("a", "b"),
        "b/manifest.yaml": manifest("b", "c"),
        "c/manifest.yaml": manifest("c", "a"),
    } | {f"{name}/x.yaml": group(name, declared(f"{name}.one")) for name in "abc"}
    _, report = model(tmp_path, files)
    found = [one for one in report if one.code == "TW802"]
    assert {one.primary.place.file for one in found} == {
        f"specs/{name}/manifest.yaml" for name in "abc"
    }
    assert {one.code for one in report} == {"TW802"}


def test_one_registry_by_two_ways(tmp_path):
    """What two dependencies both depend on is read once, and is no conflict with itself."""
    files = {
        "top/manifest.yaml": manifest("top", "left", "right"),
        "top/x.yaml": group("top", "{ref: core.one}", "{ref: left.one}", "{ref: right.one}"),
        "left/manifest.yaml": manifest("left", "core"),
        "left/x.yaml": group("left", declared("left.one"), extends="registry.core"),
        "right/manifest.yaml": manifest("right", "core"),
        "right/x.yaml": group("right", declared("right.one"), extends="registry.core"),
        "core/manifest.yaml": manifest("core"),
        "core/x.yaml": group("core", declared("core.one")),
    }
    _, report = model(tmp_path, files)
    assert [str(one) for one in report] == []


def test_two_versions_through_others(tmp_path):
    """Two dependencies that want two versions of a third one are an error with both places."""
    files = {
        "top/manifest.yaml": manifest("top", "left", "right"),
        "top/x.yaml": group("top", "{ref: core.one}"),
        "left/manifest.yaml": manifest("left", "core==1.0.0"),
        "right/manifest.yaml": manifest("right", "core==2.0.0"),
        "core/manifest.yaml": manifest("core"),
        "core/x.yaml": group("core", declared("core.one")),
    }
    _, report = model(tmp_path, files)
    (found,) = [one for one in report if one.message.startswith("two versions")]
    assert (found.code, found.primary.place.file) == ("TW810", "specs/right/manifest.yaml")
    assert found.secondary[0].place.file == "specs/left/manifest.yaml"


def test_a_folder_with_another_version(tmp_path):
    """A folder whose own manifest says another version than the one that is wanted is an error."""
    files = acme() | {
        "site/site.yaml": ALONE,
        "site/manifest.yaml": DEPENDS.replace("1.2.0", "1.4.0"),
    }
    _, report = model(tmp_path, files)
    (found,) = report
    assert found.code == "TW810"
    assert found.message == f"`../acme` is `{BASE}/acme/1.2.0`, not `{BASE}/acme/1.4.0`"
    assert found.primary.place.file == "specs/site/manifest.yaml"
    assert found.secondary[0].place.file == "specs/acme/manifest.yaml"


def test_an_attribute_of_two_registries(tmp_path):
    """Two that declare one key are a warning with both places; the one that is nearer is meant."""
    files = {
        "top/manifest.yaml": manifest("top", "core"),
        "top/x.yaml": group("top", declared("core.one").replace("It is", "Mine is")),
        "core/manifest.yaml": manifest("core"),
        "core/x.yaml": group("core", declared("core.one")),
    }
    made, report = model(tmp_path, files)
    (found,) = report
    assert (found.code, found.severity) == ("TW811", "warning")
    assert found.primary.place.file == "specs/top/x.yaml"
    assert found.secondary[0].place.file == "specs/core/x.yaml"
    (key,) = made.registry("top").conventions().keys
    assert key.brief == "Mine is core.one."


def test_what_is_hidden_may_be_declared_again(tmp_path):
    """An attribute that `dependency_resolution` excludes is in nobody's way."""
    hidden = declared("core.one").replace(
        "}", ", annotations: {dependency_resolution: {exclude: true}}}"
    )
    files = {
        "top/manifest.yaml": manifest("top", "core"),
        "top/x.yaml": group("top", declared("core.one")),
        "core/manifest.yaml": manifest("core"),
        "core/x.yaml": group("core", hidden),
    }
    _, report = model(tmp_path, files)
    assert [str(one) for one in report] == []


def test_older_manifests(tmp_path):
    """`registry_manifest.yaml` with a name, a version and a base URL is a manifest as well."""
    older = (
        "name: acme\nsemconv_version: 1.2.0\nschema_base_url: https://example.com/schemas/acme\n"
    )
    files = {
        "acme/registry_manifest.yaml": older,
        "acme/a.yaml": group("acme", declared("acme.one")),
        "site/registry_manifest.yaml": (
            "name: site\nsemconv_version: 0.1.0\nschema_base_url: https://example.com/site/\n"
            "dependencies: [{name: acme, registry_path: ../acme}]\n"
        ),
        "site/a.yaml": group("site", "{ref: acme.one}"),
    }
    made, report = model(tmp_path, files)
    assert [str(one) for one in report] == []
    assert {one.name: one.version for one in made.registries} == {"acme": "1.2.0", "site": "0.1.0"}


def test_a_dependency_without_a_manifest(tmp_path):
    """A folder of definitions alone is read, files in folders below it included."""
    files = {
        "site/manifest.yaml": DEPENDS.replace("../acme", "../../vendor/acme"),
        "site/site.yaml": group("site", "{ref: acme.one}"),
        "../vendor/acme/deep/er/a.yaml": group("acme", declared("acme.one")),
    }
    _, report = model(tmp_path, files)
    assert [str(one) for one in report] == []


def test_a_registry_of_ours_in_the_other_dialect(tmp_path):
    """What our own emitter wrote may be depended on like any other registry."""
    ours = """
    file_format: definition/2
    attribute_groups:
      - {id: registry.acme.names, visibility: public, brief: Names.,
         annotations: {telewright: {topic: names}}}
    attributes:
      - {key: acme.one, type: string, brief: One., stability: development}
    """
    files = {
        "site/manifest.yaml": DEPENDS,
        "site/site.yaml": group("site", "{ref: acme.one}"),
        "acme/manifest.yaml": MANIFEST,
        "acme/names.yaml": ours,
        "acme/registry.yaml": "registry: acme\nversion: 1.2.0\nbrief: Acme.\nnamespaces: [acme]\n",
    }
    _, report = model(tmp_path, files)
    assert [str(one) for one in report] == []
