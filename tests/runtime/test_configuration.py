"""Settings as Gym and RL read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import telewright
from telewright.base import Configuration, Setting
from telewright.gym import configuration, startup
from telewright.nv import environment
from telewright.rl import configuration as training_configuration
from telewright.rl.training import Algorithm, job


def read(mapping=None, environ=None, **options):
    """Read Gym's settings from nothing but what is given."""
    return configuration.read(mapping, environ=environ or {}, **options)


def block(**fields):
    """Return a configuration with Gym's block."""
    return {"telemetry": fields, "agents": ["others'"]}


def test_defaults_hold_where_nobody_says_anything():
    """Telemetry is off, and every other setting is as documented."""
    found = read()
    assert (found.enabled, found.span_groups, found.exporter) == (False, "default", "otlp")
    assert (found.traces_enabled, found.logs_enabled, found.otlp_endpoint) == (True, False, None)
    assert found.memory_profiling_interval == 1.0
    assert found.reported == ()


@pytest.mark.behaviour("B200")
def test_the_environment_wins_over_the_block():
    """Gym's variable, then the shared one, then the block, then the default."""
    own, shared = "NEMO_GYM_OTEL_SPAN_GROUPS", "NEMO_LENS_SPAN_GROUPS"
    mapping = block(span_groups="verify")
    assert read(mapping).span_groups == "verify"
    assert read(mapping, {shared: "agent"}).span_groups == "agent"
    assert read(mapping, {shared: "agent", own: "job"}).span_groups == "job"
    assert read(mapping, {own: "", shared: " "}).span_groups == "verify"


def test_the_process_environment_is_read_where_none_is_given(monkeypatch):
    """What a launcher exported is found."""
    monkeypatch.setenv("NEMO_GYM_OTEL_ENABLED", "yes")
    assert configuration.read().enabled is True


@pytest.mark.parametrize("text", ["1", "true", "YES", "On"])
def test_true_has_four_words(text):
    """Truth is said by 1, true, yes and on, in any case, in variables and in files."""
    assert read(environ={"NEMO_GYM_OTEL_ENABLED": text}).enabled is True
    assert read(block(enabled=text)).enabled is True


@pytest.mark.behaviour("B205")
@pytest.mark.parametrize(
    ("environ", "fields", "named"),
    [
        ({"NEMO_GYM_OTEL_ENABLED": "maybe"}, {}, "NEMO_GYM_OTEL_ENABLED must be true or false"),
        ({"NEMO_LENS_LOGS_ENABLED": "2"}, {}, "NEMO_LENS_LOGS_ENABLED must be true or false"),
        ({}, {"enabled": 1}, "telemetry.enabled must be true or false, not 1"),
        ({}, {"span_groups": ["job"]}, "telemetry.span_groups must be text"),
        (
            {"NEMO_GYM_OTEL_MEMORY_PROFILING_INTERVAL_SECONDS": "soon"},
            {},
            "NEMO_GYM_OTEL_MEMORY_PROFILING_INTERVAL_SECONDS must be a number of seconds",
        ),
        (
            {},
            {"memory_profiling": {"interval_seconds": -1}},
            "telemetry.memory_profiling.interval_seconds must be a number of seconds, not -1",
        ),
        ({}, {"memory_profiling": True}, "telemetry.memory_profiling must be a mapping"),
    ],
)
def test_a_wrong_value_names_its_place(environ, fields, named):
    """Invalid booleans, numbers and texts name the variable or the field."""
    with pytest.raises(ValueError, match=re.escape(named)):
        read(block(**fields), environ)


def test_all_mistakes_are_told_at_once():
    """Two wrong values are two parts of one message."""
    with pytest.raises(ValueError, match=r"LOGS_ENABLED.*; .*EXPORTER|ENABLED.*; .*LOGS"):
        read(environ={"NEMO_GYM_OTEL_ENABLED": "x", "NEMO_GYM_OTEL_LOGS_ENABLED": "y"})


def test_a_value_that_wins_hides_a_wrong_one():
    """Only what counts is read: a broken field behind a good variable is not."""
    assert read(block(enabled="x"), {"NEMO_GYM_OTEL_ENABLED": "1"}).enabled is True


@pytest.mark.behaviour("B203")
def test_removed_fields_parse_and_are_reported(caplog):
    """Settings of ranks still parse, do nothing, and are told once."""
    found = training_configuration.read(
        {"telemetry": {"export_strategy": "all_ranks", "export_rank": "last"}},
        environ={"NEMO_LENS_SAMPLER_ENABLED": "1"},
    )
    assert found.enabled is False
    assert [line.split(" ")[0] for line in found.reported] == [
        "telemetry.export_strategy",
        "NEMO_LENS_SAMPLER_ENABLED",
        "telemetry.export_rank",
    ]
    assert "filter by `nv.dl.rank`" in caplog.text


def test_fields_that_nobody_declares_are_reported(caplog):
    """A misspelt field of the block is told, with what was meant; other blocks are not ours."""
    mapping = {**block(span_group="job", memory_profiling={"enable": True}), "telemetri": {}}
    assert read(mapping).reported == (
        "telemetry.span_group is no setting; did you mean span_groups?",
        "telemetry.memory_profiling.enable is no setting; did you mean enabled?",
    )
    assert "did you mean span_groups?" in caplog.text
    with pytest.raises(ValueError, match=r"telemetry\.span_group is no setting"):
        read(mapping, strict=True)


@pytest.mark.behaviour("B124")
def test_what_programs_set_never_stops_one():
    """Garbage in a variable of a launcher is reported and left out, not raised."""
    stamps = startup.read(environ={"NEMO_GYM_STARTUP_SPAWN_NS": "never"})
    assert stamps.startup_spawned is None
    assert stamps.reported == ("NEMO_GYM_STARTUP_SPAWN_NS must be a whole number",)
    assert environment.read(environ={"RANK": "7", "WORLD_SIZE": "x"}).rank == 7


def test_settings_are_started_with(tmp_path):
    """What was configured are arguments of `start`, and the whole way leads to a file."""
    found = read(
        block(enabled=True, span_groups="job", service_name="gym", exporter="file"),
        {"NEMO_LENS_RUN_ID": "r-7", "NEMO_GYM_OTEL_METRICS_ENABLED": "0"},
    )
    assert found.arguments() == {
        "groups": "job",
        "service": "gym",
        "run_id": "r-7",
        "traces": True,
        "metrics": False,
        "logs": False,
        "exporter": "file",
    }
    path = tmp_path / "spans.jsonl"
    with telewright.start(**found.arguments(), path=path) as telemetry:
        assert telemetry.on
    assert telewright.stats().dropped == {}


@pytest.mark.behaviour("B200")
def test_children_read_what_the_parent_has_read():
    """What a file says reaches other processes, and shadows no variable that says more."""
    environ = {"NEMO_LENS_ENABLED": "1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://theirs"}
    fields = {"span_groups": "job", "otlp_endpoint": "http://ours", "enabled": False}
    found = read(block(**fields), environ)
    assert found.enabled is True
    found.export(environ)
    assert environ == {
        "NEMO_LENS_ENABLED": "1",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://theirs",
        "NEMO_GYM_OTEL_SPAN_GROUPS": "job",
    }
    assert read(environ=environ).span_groups == "job"
    busy = {"NEMO_GYM_OTEL_SPAN_GROUPS": "theirs"}
    read(block(enabled=True, span_groups="job")).export(busy)
    assert busy["NEMO_GYM_OTEL_SPAN_GROUPS"] == "theirs"


def test_a_truth_value_crosses_the_environment():
    """What a file says as true or false is read as the same by a child."""
    environ = {}
    mapping = block(enabled=True, logs_enabled=True, instrument_aiohttp=False)
    read(mapping, environ).export(environ)
    child = read(environ=environ)
    assert (child.enabled, child.logs_enabled, child.instrument_aiohttp) == (True, True, False)


@pytest.mark.behaviour("B201")
def test_nothing_is_written_while_telemetry_is_off():
    """The environment stays as it is."""
    environ = {}
    read(block(span_groups="job"), environ).export(environ)
    assert environ == {}


def test_settings_do_not_change():
    """What was read stays read."""
    found = read()
    with pytest.raises(AttributeError):
        found.enabled = True
    with pytest.raises(AttributeError):
        found.colour = "blue"


def test_secret_values_are_not_shown():
    """What is internal, as headers with a credential, is in no representation and no message."""
    found = read(environ={"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer abc"})
    assert found.otlp_headers == "authorization=Bearer abc"
    assert "abc" not in repr(found)
    assert "span_groups='default'" in repr(found)
    wrong = read(block(otlp_headers={"authorization": "abc"}))
    assert wrong.otlp_headers is None
    assert "abc" not in "".join(wrong.reported)


class Renamed(Configuration):
    """Settings of which one has another name now."""

    __slots__ = ("colours", "limit", "paints", "where")

    declared = (
        Setting("colours", "string[]", env=("COLOURS",), config="a.colours", default=()),
        Setting(
            "paints",
            "string[]",
            config="a.paints",
            deprecated="It is colours.",
            renamed_to="colours",
        ),
        Setting("limit", "double", env=("LIMIT",), default=0.5),
        Setting("where", "path", config="a.where"),
    )


def test_a_renamed_field_still_counts():
    """The value under an old name is the new setting's, unless that has one; it is reported."""
    found = Renamed({"a": {"paints": ["red", 7]}}, environ={})
    assert found.colours == ("red", "7")
    assert found.reported == ("a.paints has another name now: It is colours.",)
    both = Renamed({"a": {"paints": ["red"], "colours": "blue, green,"}}, environ={})
    assert both.colours == ("blue", "green")


def test_every_type_has_its_words():
    """Numbers are finite, paths are paths, lists are lists of texts."""
    found = Renamed({"a": {"where": Path("x/y")}}, environ={"LIMIT": "1e3"})
    assert (found.where, found.limit, found.colours) == ("x/y", 1000.0, ())
    for text in ("nan", "inf", "1e999", "1,5"):
        with pytest.raises(ValueError, match="LIMIT must be a number"):
            Renamed(environ={"LIMIT": text})
    with pytest.raises(ValueError, match=r"a\.colours must be texts separated by commas"):
        Renamed({"a": {"colours": [["nested"]]}}, environ={})
    with pytest.raises(ValueError, match="a must be a mapping"):
        Renamed({"a": "b"}, environ={})
    assert Renamed({"a": None}, environ={}).colours == ()


@pytest.mark.behaviour("B207")
@pytest.mark.parametrize("rank", ["0", "7"])
def test_no_process_is_muted_by_its_rank(monkeypatch, tmp_path, rank):
    """Every process that starts telemetry exports, whatever its rank is."""
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("NEMO_RL_OTEL_EXPORT_RANK", "3")
    path = tmp_path / "out.jsonl"
    with telewright.start("rl.job", exporter="file", path=path, metrics=False), job(Algorithm.SFT):
        pass
    assert "rl.sft.job" in path.read_text()
