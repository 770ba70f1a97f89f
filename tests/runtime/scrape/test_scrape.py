"""Instruments that are read from pages of other programs: what becomes of the numbers, and when."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Gauge, start_http_server

import telewright
from telewright import _guard, _scrape_read, pages
from telewright._scrape import SCRAPER
from telewright._scrape_read import Reading
from telewright.base import ObservableCounter, ObservableGauge, ObservableUpDownCounter
from tests.runtime.scrape.page import rounds, until, values
from tests.runtime.written import points

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.behaviour("B148")
def test_a_series_becomes_points_of_a_gauge(make, start, tmp_path):
    """Read from prometheus_client's own page, labels and all, and exported under our name."""
    registry = CollectorRegistry()
    fuel = Gauge("fuel", "Fuel.", ["burner", "other"], registry=registry)
    fuel.labels("left", "x").set(2)
    fuel.labels("right", "y").set(3.5)
    server, thread = start_http_server(0, "127.0.0.1", registry)
    try:
        url = f"http://127.0.0.1:{server.server_port}/metrics"
        gauge = make(
            ObservableGauge, source={"page": url, "labels": {"burner": "kiln.burner"}, "scale": 10}
        )
        with start():
            assert until(lambda: values(gauge) == {("left",): 20.0, ("right",): 35.0})
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    read = {
        point["attributes"][0]["value"]["stringValue"]: point["asDouble"]
        for point in points(tmp_path / "f.jsonl", "kiln.read")
    }
    assert read == {"left": 20.0, "right": 35.0}


def test_whole_numbers_stay_whole(make, start, page):
    """A page writes floats; an instrument of whole numbers has none."""
    page.show("fuel 1.2345678e+09\n")
    gauge = make(ObservableGauge, source={"page": page.url}, integer=True)
    with start():
        assert until(lambda: values(gauge) == {(): 1_234_567_800})
        assert type(gauge._collect(None)[0].value) is int


def test_a_finder_says_where_and_whose_pages_are(make, start, page):
    """Its attributes are on what is read, labels win, and only what is declared stays."""
    pages.found_by("ovens", lambda: [pages.Page(page.url, {"kiln.burner": "a", "kiln.room": "r"})])
    page.show('fuel 1\nfuel{b="b"} 2\n')
    gauge = make(ObservableGauge, source={"page": "ovens", "labels": {"b": "kiln.burner"}})
    with start():
        assert until(lambda: values(gauge) == {("a",): 1.0, ("b",): 2.0})


def test_what_nobody_says_is_as_the_spec_says(make, start, page):
    """`attributes:` of a source are the values of last resort."""
    page.show("fuel 1\n")
    gauge = make(ObservableGauge, source={"page": page.url, "attributes": {"kiln.burner": "none"}})
    with start():
        assert until(lambda: values(gauge) == {("none",): 1.0})


@pytest.mark.behaviour("B150")
def test_a_total_that_falls_is_left_out_for_that_interval(make, start, page):
    """What began anew counts nothing until it is read again; the sum of ours never falls."""
    counter = make(ObservableCounter, source={"page": page.url})
    seen = []
    with start():
        for total, expected in ((100, {(): 100}), (130, {(): 130}), (5, {}), (25, {(): 150})):
            page.show(f"fuel {total}\n")
            rounds(page)
            if expected:
                assert until(lambda expected=expected: values(counter) == expected)
            seen.append(values(counter))
            if total == 5:
                assert _guard.VALUES["total_fell"] == 1
    assert seen[0] == {(): 100}
    assert seen[3] == {(): 150}


@pytest.mark.behaviour("B150")
def test_the_interval_in_which_it_fell_has_no_point(make):
    """Exactly one reading is empty, whatever is exported in between."""
    counter = make(ObservableCounter, source={"page": "nowhere"})
    reading = Reading(counter, counter.source)
    seen = []
    for total in (100, 130, 5, 25):
        reading.take("u", {}, [({}, total)])
        seen.append(reading())
    assert seen == [[(100.0, {})], [(130.0, {})], [], [(150.0, {})]]


@pytest.mark.behaviour("B216")
def test_a_run_counts_what_has_risen_since_it_began(make):
    """`window: run` leaves out what the other program had counted before, not what came after."""
    counter = make(
        ObservableCounter, source={"page": "p", "window": "run", "labels": {"b": "kiln.burner"}}
    )
    reading = Reading(counter, counter.source)
    for first, second in ((1000, None), (1010, 5), (1040, 6)):
        late = [] if second is None else [({"b": "late"}, second)]
        reading.take("u", {}, [({}, first), *late])
    assert reading() == [(40.0, {}), (6.0, {"kiln.burner": "late"})]


@pytest.mark.behaviour("B216")
def test_a_step_counts_what_has_risen_since_it_began(make, start, page):
    """`window: step` begins anew when the program says that a step begins; a run's does not ask."""
    page.show("fuel 70\n")
    gauge = make(ObservableGauge, source={"page": page.url, "window": "step"})
    with start():
        assert until(lambda: values(gauge) == {(): 0.0})
        page.show("fuel 100\n")
        assert until(lambda: values(gauge) == {(): 30.0})
        gauge.begin_window()
        assert values(gauge) == {(): 0.0}
        page.show("fuel 101\n")
        assert until(lambda: values(gauge) == {(): 1.0})


def test_sums_of_one_series_are_added_up(make, start, page):
    """Lines that are one series here are a sum where sums are meant."""
    page.show('fuel{x="1"} 1\nfuel{x="2"} 2\n')
    queue = make(ObservableUpDownCounter, source={"page": page.url})
    with start():
        assert until(lambda: values(queue) == {(): 3.0})


@pytest.mark.behaviour("B147")
@pytest.mark.parametrize("process", ["apprentice", "master", None])
def test_only_the_writer_reads(make, start, page, process):
    """Another role asks no page at all, nor does a process without one: there are too many."""
    page.show("fuel 1\n")
    gauge = make(ObservableGauge, source={"page": page.url}, writer="master")
    other = make(ObservableGauge, "kiln.other", source={"page": page.url})
    with start(process=process):
        assert until(lambda: values(other))
        writes = process == "master"
        assert until(lambda: bool(values(gauge)) is writes)
        assert (gauge in SCRAPER._places[page.url].readings) is writes


@pytest.mark.behaviour("B147")
def test_an_instrument_that_is_declared_later_has_its_writer_too(make, start):
    """A topic that is imported after the start is made where it belongs, and only there."""
    with start(process="apprentice"):
        gauge = make(ObservableGauge, source={"page": "nowhere"}, writer="master")
        ours = make(ObservableGauge, "kiln.ours", source={"page": "nowhere"}, writer="apprentice")
        known = SCRAPER._places["nowhere"].readings
        assert (gauge in known, ours in known) == (False, True)


def test_old_values_are_no_values(make, monkeypatch):
    """What could not be read for three intervals is not reported as if it were now."""
    now = [0.0]
    monkeypatch.setattr(_scrape_read, "monotonic", lambda: now[0])
    gauge = make(ObservableGauge, source={"page": "p", "every": 10})
    reading = Reading(gauge, gauge.source)
    reading.take("u", {}, [({}, 1.0)])
    now[0] = 30.0
    assert reading() == [(1.0, {})]
    now[0] = 30.1
    assert reading() == []


def test_a_node_that_left_leaves(make):
    """The values of a page that is not found any more are gone at the next reading."""
    gauge = make(ObservableGauge, source={"page": "p"})
    reading = Reading(gauge, gauge.source)
    reading.take("a", {"kiln.burner": "a"}, [({}, 1.0)])
    reading.take("b", {"kiln.burner": "b"}, [({}, 2.0)])
    reading.keep(["b"])
    assert reading() == [(2.0, {"kiln.burner": "b"})]


def test_counters_count_however_many_pages_have_gone(make, start, page):
    """Programs come at ever new addresses, thousands of series each: every one counts in full."""
    at = [0]
    pages.found_by("ovens", lambda: [f"{page.url}?{at[0]}"])
    counter = make(ObservableCounter, source={"page": "ovens", "every": 0.2})
    with start():
        for at[0] in range(4):
            page.show("".join(f'fuel{{pot="{number}"}} 1\n' for number in range(3_000)))
            assert until(lambda: values(counter) == {(): 3_000 * (at[0] + 1)}, 60)
    assert not _guard.VALUES


@pytest.fixture
def no_time_passes(monkeypatch):
    """Have nothing grow old, however long the machine takes."""
    monkeypatch.setattr(_scrape_read, "monotonic", lambda: 1000.0)


@pytest.mark.usefixtures("no_time_passes")
def test_series_come_and_go_on_one_page_for_ever(make):
    """Each counts; who has gone takes no room that those need who come, and memory is bounded."""
    counter = make(ObservableCounter, source={"page": "p", "labels": {"b": "kiln.burner"}})
    reading = Reading(counter, counter.source)
    for round_ in range(200):
        found = [({"b": f"{round_}-{number}"}, 1.0) for number in range(200)]
        reading.take("u", {}, [*found, ({"b": "lasting"}, round_)])
        assert sum(value for value, _ in reading()) == 200 + round_
    assert len(reading._pages["u"].totals) == 201
    assert len(reading._gone) == _scrape_read._MOST_SERIES
    assert len(reading._sums) == 2 * _scrape_read._MOST_SERIES
    assert not _guard.VALUES


@pytest.mark.usefixtures("no_time_passes")
def test_a_page_that_comes_back_is_compared_with_what_it_was(make):
    """It counts what it has risen by meanwhile; if it fell, it began anew, as one that stayed."""
    counter = make(ObservableCounter, source={"page": "p"})
    reading = Reading(counter, counter.source)
    seen = []
    for total in (100, 130, 5, 25):
        reading.keep(["u"])
        reading.take("u", {}, [({}, total)])
        seen.append(reading())
        reading.keep([])
        assert reading() == []
    assert seen == [[(100.0, {})], [(130.0, {})], [], [(150.0, {})]]


@pytest.mark.usefixtures("no_time_passes")
def test_series_that_are_there_at_once_are_limited(make):
    """Those beyond the limit are left out and counted, until others have gone."""
    counter = make(ObservableCounter, source={"page": "p"})
    reading = Reading(counter, counter.source)
    many = [({"pot": str(number)}, 1.0) for number in range(_scrape_read._MOST_SERIES)]
    reading.take("a", {}, many)
    reading.take("b", {}, [({}, 1.0)])
    assert _guard.VALUES["series_limit"] == 1
    assert reading() == [(len(many), {})]
    reading.keep(["b"])
    reading.take("b", {}, [({}, 1.0)])
    assert reading() == [(len(many) + 1, {})]


def test_stopping_stops_reading(make, start, page):
    """After `stop` no thread reads, no page is asked, and a page that hangs is not waited for."""
    page.show("fuel 1\n")
    gauge = make(ObservableGauge, source={"page": page.url})
    start()
    assert until(lambda: values(gauge))
    page.says = page.hang
    rounds(page, 1)
    assert telewright.stop(5)
    assert gauge._sources == []
    asked = page.asked
    start()
    assert until(lambda: page.asked > asked)


FORK = """
import os, sys, telewright, threading, time
from telewright.base import ObservableGauge, Source
from tests.runtime.sample import groups, kiln
gauge = ObservableGauge(groups.REGISTRY, "kiln.read", unit="1", brief="x",
    source=Source("fuel", page=sys.argv[1], every=0.01))
telewright.start("all", exporter="file", path=sys.argv[2])
def read(patience=30):  # a reading that takes long leaves nothing for as long
    end = time.monotonic() + patience
    while not (found := gauge._collect(None)) and time.monotonic() < end: time.sleep(0.01)
    return len(found)
read()
child = os.fork()
if not child:
    with kiln.pot(potter="child"): kiln.loaded.add(1)
    time.sleep(0.2)
    names = [thread.name for thread in threading.enumerate()]
    reads, exports = "telewright-pages" in names, "telewright-metrics" in names
    print(gauge._collect(None), reads, exports, flush=True)
    telewright.stop(2)
    os._exit(0)
os.waitpid(child, 0)
print(read())
telewright.stop(2)
"""


@pytest.mark.behaviour("B147", "B092")
def test_a_forked_child_reads_no_pages(page, tmp_path):
    """It has telemetry of its own, and no reader and no reading; its parent goes on reading."""
    page.show("fuel 1\n")
    said = subprocess.run(
        [sys.executable, "-c", FORK, page.url, tmp_path / "{pid}.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said.stdout.splitlines() == ["[] False True", "1"], said.stderr


def test_nothing_is_loaded_while_telemetry_is_off():
    """Instruments that are read from pages cost a process that reads none nothing."""
    code = (
        "import sys, telewright.rl.host\n"
        "print([name for name in sys.modules if re.search(r'_scrape|pages|opentelemetry', name)])"
    )
    said = subprocess.run(
        [sys.executable, "-c", f"import re\n{code}"], capture_output=True, text=True, check=True
    )
    assert said.stdout == "[]\n"


@pytest.mark.behaviour("B148")
def test_the_last_reading_is_exported(make, tmp_path):
    """An observable total is read once more as telemetry stops, and never after that."""
    counter = make(ObservableCounter, source={"page": "nowhere"})
    total = [0]
    counter.observe(lambda: [(total[0], {})])
    file = tmp_path / "f.jsonl"
    telewright.start("none", exporter="file", path=file)
    total[0] = 41
    assert telewright.stop(5)
    assert re.search(r'"asDouble": ?41', file.read_text())
    assert counter._collect(None) == []


def test_ray_pages_are_found_by_its_nodes(monkeypatch):
    """One for each node that lives and has a port, with its name; none where Ray does not run."""

    class Ray:
        """As much of Ray as is asked."""

        running = True
        is_initialized = staticmethod(lambda: Ray.running)

        @staticmethod
        def nodes():
            """Return what `ray.nodes()` does."""
            node = {"Alive": True, "NodeManagerAddress": "10.0.0.1", "MetricsExportPort": 8080}
            return [
                {**node, "NodeManagerHostname": "n1", "NodeID": "1"},
                {**node, "Alive": False},
                {**node, "MetricsExportPort": -1},
                {**node, "NodeManagerAddress": "fd00::1", "NodeID": "2"},
            ]

    monkeypatch.setitem(sys.modules, "ray", Ray)
    find = pages.on_ray(lambda node: {"rl.worker_groups": f"g{node['NodeID']}"})
    assert list(find()) == [
        pages.Page("http://10.0.0.1:8080/metrics", {"host.name": "n1", "rl.worker_groups": "g1"}),
        pages.Page(
            "http://[fd00::1]:8080/metrics", {"host.name": "fd00::1", "rl.worker_groups": "g2"}
        ),
    ]
    Ray.running = False
    assert list(find()) == []
    monkeypatch.delitem(sys.modules, "ray")
    assert list(find()) == []


def test_starting_and_stopping_while_pages_are_read(make, start, page):
    """Threads that start and stop telemetry meet the reader at any point, and nothing fails."""
    page.show("fuel 1\n")
    make(ObservableGauge, source={"page": page.url})
    for _ in range(20):
        start()
        rounds(page, 1)
        telewright.stop(1)
    assert until(lambda: all(one.name != "telewright-pages" for one in threading.enumerate()))
    assert not _guard.FAILURES
