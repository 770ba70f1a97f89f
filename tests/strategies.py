"""Hypothesis strategies: whole registries that are valid, of names and texts that are not nice."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

WORDS = [
    *(
        "a",
        "id",
        "item",
        "key",
        "kind",
        "name",
        "given",
        "member",
        "content",
        "mask",
        "off",
        "pick",
    ),
    *("labels", "duration", "value", "order", "class", "import", "str", "bytes", "int", "list"),
    *("self", "events", "set_up", "total", "x1", "temperature", "outcome", "personal", "expand"),
    "very_long_name_of_a_thing_that_people_would_not_write_but_generators_do",
]
"""Parts of names: keywords, builtins, names of the runtime, and ordinary ones."""

TEXT = st.one_of(
    st.sampled_from(
        [
            "An ordinary brief.",
            "How long it took, failed ones included",
            'Says """ and goes on',
            "Ends with a backslash \\",
            '"Quoted" at the start',
            "{{ braces }} {% and %} ${more} %s {0}",
            ">>> import os",
            ".. include:: /etc/passwd",
            "# noqa: type: ignore # fmt: off",
            "Two sentences. They are short.",
            "A question? Yes!",
            "https://example.com/" + "path/" * 20,
        ]
    ),
    st.text(
        st.characters(
            codec="utf-8",
            exclude_categories=["Cs", "Cc", "Cf", "Co", "Cn", "Zl", "Zp"],
        ),
        min_size=1,
        max_size=160,
    ).filter(str.strip),
)

UNITS = ["1", "s", "ms", "By", "{thing}", "%", "Cel"]
SCALARS = ["string", "int", "double", "boolean"]


@st.composite
def members(draw: Any) -> dict[str, str]:
    """Return members of an enumeration."""
    names = draw(
        st.lists(
            st.sampled_from(["ok", "error", "other", "cancelled", "no", "a_b", "class", "x9"]),
            min_size=1,
            max_size=5,
            unique=True,
        )
    )
    return {name: draw(TEXT) for name in names}


@st.composite
def attributes(draw: Any, topic: str) -> list[dict[str, Any]]:
    """Return attributes of a topic, with keys of one or two words after it."""
    keys = draw(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True).map(
            lambda words: [f"zoo.{topic}.{word}" for word in words]
        )
    )
    made: list[dict[str, Any]] = []
    for number, key in enumerate(keys):
        one: dict[str, Any] = {"id": key, "brief": draw(TEXT)}
        shape = draw(st.sampled_from(["scalar", "list", "template", "enum", "open"]))
        if shape in {"enum", "open"}:
            one |= {"enum": f"{topic.title()}Kind{number}", "members": draw(members())}
            if shape == "open":
                one["open"] = True
                one["members"]["other"] = "Anything else."
        else:
            scalar = draw(st.sampled_from(SCALARS))
            one["type"] = {
                "scalar": scalar,
                "list": f"{scalar}[]",
                "template": f"template[{scalar}]",
            }[shape]
            if scalar == "string":
                fate = draw(st.sampled_from([None, "personal", "content", "drop", "mask", 5]))
                if fate in {"personal", "content"}:
                    one["sensitivity"] = fate
                elif fate is not None:
                    one["redact"] = {"truncate": fate} if isinstance(fate, int) else fate
        if draw(st.booleans()):
            one["note"] = draw(TEXT)
        if draw(st.integers(0, 9)) == 0:
            one["deprecated"] = {"since": "0.1", "note": draw(TEXT)}
        made.append(one)
    return made


@st.composite
def spans(draw: Any, topic: str, declared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return spans that carry some of the attributes."""
    made: list[dict[str, Any]] = []
    closed = [one["id"] for one in declared if "enum" in one and not one.get("open")]
    for number in range(draw(st.integers(0, 3))):
        name = f"zoo.{topic}.span_{number}"
        one: dict[str, Any] = {"brief": draw(TEXT), "attributes": {}}
        if closed and draw(st.booleans()):
            name = f"zoo.{topic}.span_{number}.{{{draw(st.sampled_from(closed))}}}"
            one["as"] = f"opened_{number}"
        one["name"] = name
        for attribute in declared:
            level = draw(
                st.sampled_from([None, "required", "recommended", "opt_in", "at_end", "it is so"])
            )
            if level is not None and f"{{{attribute['id']}}}" not in name:
                one["attributes"][attribute["id"]] = level
        if draw(st.booleans()):
            one["kind"] = draw(st.sampled_from(["client", "server", "internal"]))
        if draw(st.booleans()):
            one["root"] = draw(st.sampled_from(["owner", "always"]))
        one["group"] = draw(st.sampled_from(["main", "rare"]))
        made.append(one)
    return made


@st.composite
def metrics(draw: Any, topic: str, declared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return instruments of every kind, labelled by what may label them."""
    fit = [
        one["id"]
        for one in declared
        if "sensitivity" not in one and "redact" not in one and one.get("type") in {None, *SCALARS}
    ]
    made: list[dict[str, Any]] = []
    for number in range(draw(st.integers(0, 3))):
        kind = draw(
            st.sampled_from(
                [
                    "counter",
                    "up_down_counter",
                    "gauge",
                    "histogram",
                    "observable_gauge",
                    "observable_counter",
                ]
            )
        )
        one: dict[str, Any] = {
            kind: f"zoo.{topic}.metric_{number}",
            "unit": draw(st.sampled_from(UNITS)),
            "brief": draw(TEXT),
            "attributes": {
                key: draw(st.sampled_from(["required", "recommended"]))
                for key in fit
                if draw(st.booleans())
            },
        }
        if kind == "histogram":
            one["boundaries"] = sorted(
                draw(
                    st.lists(
                        st.one_of(
                            st.integers(-(10**6), 10**12),
                            st.floats(-1e9, 1e9, allow_nan=False, width=32),
                        ),
                        min_size=1,
                        max_size=20,
                        unique=True,
                    )
                )
            )
        made.append(one)
    return made


@st.composite
def registries(draw: Any) -> dict[str, dict[str, Any]]:
    """Return the files of one registry, each as data that YAML can hold."""
    files: dict[str, dict[str, Any]] = {
        "registry.yaml": {
            "registry": "zoo",
            "version": "0.1.0",
            "brief": draw(TEXT),
            "namespaces": ["zoo"],
            "groups": {"main": {"brief": draw(TEXT)}, "rare": {"brief": draw(TEXT)}},
            "presets": {"default": ["main"]},
        }
    }
    topics = draw(st.lists(st.sampled_from(["cage", "keeper", "feeding"]), min_size=1, unique=True))
    for topic in topics:
        declared = draw(attributes(topic))
        files[f"{topic}.yaml"] = {
            "topic": topic,
            "brief": draw(TEXT),
            **({"group": "main"} if draw(st.booleans()) else {}),
            "attributes": declared,
            "spans": draw(spans(topic, declared)),
            "metrics": draw(metrics(topic, declared)),
        }
    return files
