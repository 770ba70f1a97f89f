"""Pages that hang, lie, flood or are none: bounded, told once, and in nobody's way."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time

import pytest
from opentelemetry.instrumentation.utils import is_instrumentation_enabled

from telewright import _guard, _scrape_fetch, pages
from telewright._scrape import SCRAPER
from telewright._scrape_fetch import Unreadable, fetch, samples
from telewright.base import ObservableCounter, ObservableGauge, ObservableUpDownCounter
from tests.runtime.scrape.page import OK, answer, rounds, until, values


def garbage():
    """Return pages that are none, each with what it is."""
    return {
        "binary": answer(os.urandom(5000) + b"\nfuel 7\n"),
        "no number": answer("fuel much\nfuel{a=} 1\nfuel{ 1\nfuel 7\n"),
        "html": answer("<html><body>fuel 3</body></html>\n"),
        "no http": b"\x16\x03\x01 what\r\n\r\n",
        "an error": b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
        "elsewhere": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
        "nothing": b"",
        "shorter than said": answer("fuel 1\nfuel 22\n", length=500),
        "cut in a line": OK + b"\r\nfuel 1\nfuel 123",
        "not finite": answer("fuel NaN\nfuel +Inf\n"),
        "endless header": OK + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    }


@pytest.mark.parametrize("what", list(garbage()))
@pytest.mark.behaviour("B149", "B132")
def test_a_page_that_is_none_costs_itself(make, start, page, what):
    """Garbage gives no point, or those of the lines that are well; a good page is read again."""
    page.says = lambda: garbage()[what]
    gauge = make(ObservableGauge, source={"page": page.url})
    with start():
        rounds(page, 1)
        assert until(lambda: _guard.VALUES or values(gauge) or what in {"html", "not finite"})
        assert values(gauge) in ({}, {(): 7.0})
        page.show("fuel 42\n")
        assert until(lambda: values(gauge) == {(): 42.0})
        assert not _guard.FAILURES


@pytest.mark.behaviour("B149", "B132")
@pytest.mark.parametrize("integer", [True, False])
@pytest.mark.parametrize("kind", [ObservableGauge, ObservableCounter, ObservableUpDownCounter])
def test_a_number_that_is_too_large_costs_itself(make, start, page, kind, integer):
    """Scaled it is infinite: the other series are read as before, and it too once it is well."""
    source = {"page": page.url, "labels": {"b": "kiln.burner"}, "scale": 1024}
    read = make(kind, source=source, integer=integer)
    with start():
        for odd, expected in (("1", {"odd": 1024.0}), ("1e308", {}), ("3", {"odd": 3072.0})):
            page.show(f'fuel{{b="well"}} 5\nfuel{{b="odd"}} {odd}\n')
            rounds(page)
            wanted = {(burner,): value for burner, value in {"well": 5120.0, **expected}.items()}
            assert until(lambda wanted=wanted: values(read) == wanted)
            assert expected.get("odd") == 1024.0 or _guard.VALUES["page_line"]
        assert not _guard.FAILURES


@pytest.mark.behaviour("B149", "B132")
@pytest.mark.parametrize("integer", [True, False])
@pytest.mark.parametrize("kind", [ObservableCounter, ObservableUpDownCounter])
def test_numbers_that_are_too_large_together_cost_themselves(make, start, page, kind, integer):
    """Each can be held, their sum cannot: other series are read, and sums rise again later."""
    source = {"page": page.url, "labels": {"b": "kiln.burner"}}
    read = make(kind, source=source, integer=integer)
    large = "9e18" if integer else "1e308"
    well = 'fuel{b="well"} 5\n'
    page.show(f'{well}fuel{{b="odd",pot="1"}} {large}\nfuel{{b="odd",pot="2"}} {large}\n')
    with start():
        assert until(lambda: values(read).get(("well",)) == 5.0)
        assert until(lambda: _guard.VALUES.get("page_line", 0) > 0)
        assert values(read).get(("odd",), 0.0) in {0.0, float(large)}
        page.show(well.replace("5", "6"))
        assert until(lambda: values(read) == {("well",): 6.0})
        assert not _guard.FAILURES


def trickle():
    """Send one byte now and then, for ever."""
    yield OK + b"Content-Length: 1000000\r\n\r\n"
    for _ in range(1000):
        time.sleep(0.02)
        yield b"f"


def flood():
    """Send without end."""
    yield OK + b"\r\n"
    while True:
        yield b"# nothing\n" * 10_000


def announced():
    """Say at once that a lot will come, and send nothing."""
    yield OK + b"Content-Length: 1000000000000\r\n\r\n"
    time.sleep(20)


@pytest.mark.behaviour("B149")
def test_time_and_size_of_a_page_are_bounded(page, monkeypatch):
    """Whoever hangs, trickles or floods is left; the same limits let a large page pass."""
    page.says = page.hang
    with pytest.raises(Unreadable, match="too long"):
        fetch(page.url, 0.2)
    page.says = trickle
    with pytest.raises(Unreadable, match="too long"):
        fetch(page.url, 0.2)
    monkeypatch.setattr(_scrape_fetch, "LARGEST", 2**20)
    page.says = flood
    with pytest.raises(Unreadable, match="larger"):
        fetch(page.url, 10)
    page.says = announced  # it is not waited for
    with pytest.raises(Unreadable, match="larger"):
        fetch(page.url, 10)
    page.show("# nothing\n" * 90_000 + "fuel 1\n")
    assert samples(fetch(page.url, 10), ["fuel"]) == {"fuel": [({}, 1.0)]}


def moved(status, place):
    """Return an answer that leads to *place*."""
    return f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()


@pytest.mark.behaviour("B149")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("whole", [False, True])
def test_a_page_may_be_at_another_address_of_its_server(page, status, whole):
    """An application that is mounted answers so; the address is whole, or a part."""
    place = f"{page.url}/?a=1" if whole else "/metrics/?a=1"
    answers = [moved(status, place), answer("fuel 1\n")]
    page.says = lambda: answers.pop(0)
    assert fetch(page.url, 10) == "fuel 1\n"
    assert page.asked == 2


@pytest.mark.behaviour("B149")
def test_what_leads_elsewhere_is_not_followed(page):
    """To another server, in a circle, to what is none, nowhere, or until the time is over."""
    began = time.monotonic()
    for place, why in (
        ("http://127.0.0.1:1/metrics", "302, and leads to another server"),
        ("https://127.0.0.1/", "another server"),
        ("//elsewhere.example/metrics", "another server"),
        ("file:///etc/passwd", "another server"),
        ("http://h:odd/", "ValueError"),
        ("/a b", "spaces"),
        ("/metrics", "from one address to the next"),
        ("", "it answers 302"),
    ):
        page.says = lambda place=place: moved(302, place)
        with pytest.raises(Unreadable, match=why):
            fetch(page.url, 10)
    slow = [moved(307, "/metrics/")]
    page.says = lambda: slow.pop() if slow else page.hang()
    with pytest.raises(Unreadable, match="too long"):
        fetch(page.url, 0.3)
    assert time.monotonic() - began < 9


@pytest.mark.behaviour("B149")
def test_a_last_line_without_its_end_is_whole_where_that_is_said(page):
    """By the length, or by the last chunk; without either it may be cut."""
    chunks = OK + b"Transfer-Encoding: chunked\r\n\r\n6\r\nfuel 7\r\n"
    for said in (answer("fuel 7"), chunks + b"0\r\n\r\n"):
        page.says = lambda said=said: said
        assert fetch(page.url, 10) == "fuel 7"
    for said in (answer("fuel 7", length=7), chunks, OK + b"\r\nfuel 7"):
        page.says = lambda said=said: said
        with pytest.raises(Unreadable):
            fetch(page.url, 10)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://h/x", "http:///x", "http://h/a b", "http://h/\r\nX: y"]
)
def test_an_address_is_one_of_http(url):
    """Nothing else is opened, and nothing is put into the request."""
    with pytest.raises(Unreadable):
        fetch(url, 0.2)


def test_what_finds_pages_is_not_recorded(make, start):
    """Whatever it asks is asked by telemetry, on a thread of its own."""
    asked = []
    pages.found_by("quiet", lambda: asked.append(is_instrumentation_enabled()) or [])
    make(ObservableGauge, source={"page": "quiet"})
    with start():
        assert until(lambda: asked)
    assert not any(asked)


@pytest.mark.behaviour("B135")
def test_what_cannot_be_read_is_said_once_and_left_alone_longer(make, start, caplog):
    """A page that refuses is one line in the log, and is tried again later and later."""
    refused = "http://127.0.0.1:1/metrics"
    make(ObservableGauge, source={"page": refused})
    with start():
        place = SCRAPER._places[refused]
        assert until(lambda: place.failures.get(refused, (0, 0))[0] >= 3)
    said = [record for record in caplog.records if f"{refused} cannot" in record.getMessage()]
    warned = [record for record in said if record.levelname == "WARNING"]
    assert len(warned) == 1
    assert refused in warned[0].getMessage()
    assert until(lambda: all(one.name != "telewright-pages" for one in threading.enumerate()))
    tries, again = place.failures[refused]
    assert again - place.visited[refused] >= 0.01 * 2**tries
    assert _guard.VALUES["page_unreadable"] == tries


@pytest.mark.behaviour("B149")
def test_without_a_page_there_are_no_points(make, start, caplog):
    """A name that finds nothing, and a finder that raises: nothing is read, nothing raises."""

    def broken():
        raise OSError

    pages.found_by("broken", broken)
    pages.found_by("empty", list)
    gauges = [
        make(ObservableGauge, f"kiln.{name}", source={"page": name})
        for name in ("broken", "empty", "unknown")
    ]
    with start():
        assert until(lambda: caplog.text.count("there is no page called") == 2)
        assert until(lambda: _guard.FAILURES.get("find pages", 0) >= 2)
        assert [values(gauge) for gauge in gauges] == [{}, {}, {}]


def test_without_the_parser_there_is_a_line(make, start, page, caplog, monkeypatch):
    """`prometheus_client` missing: said once, with the extra that has it, and not asked again."""
    monkeypatch.setitem(sys.modules, "prometheus_client.parser", None)
    page.show("fuel 1\n")
    gauge = make(ObservableGauge, source={"page": page.url})
    with start():
        assert until(lambda: "telewright[prometheus]" in caplog.text)
        assert values(gauge) == {}
        assert SCRAPER._places[page.url].due == float("inf")


class Hostile:
    """Raises at whatever is done with it."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __hash__ = __eq__ = __bool__ = __str__


@pytest.mark.behaviour("B132", "B149")
@pytest.mark.parametrize("error", [SystemExit, asyncio.CancelledError, ImportError, OSError])
def test_what_a_finder_raises_costs_nobody_else(make, start, page, caplog, error):
    """Whatever it is; and it is asked again, since it may know better then."""
    asked = []

    def finder():
        asked.append(1)
        raise error("engine")

    pages.found_by("odd", finder)
    pages.found_by("good", page.url)
    page.show("fuel 5\n")
    make(ObservableGauge, "kiln.other", source={"page": "odd"})
    gauge = make(ObservableGauge, source={"page": "good"})
    with start():
        assert until(lambda: values(gauge) == {(): 5.0})
        assert until(lambda: len(asked) > 1)
        page.show("fuel 6\n")
        assert until(lambda: values(gauge) == {(): 6.0})
    assert f"could not find pages ({error.__name__})" in caplog.text
    assert "is not installed" not in caplog.text


@pytest.mark.behaviour("B132", "B149")
def test_what_finders_say_may_be_anything(make, start, page):
    """Pages that are none cost themselves, attributes too; those that are well are read."""
    pages.found_by(Hostile(), "http://127.0.0.1:1/")
    odd = [None, 7, Hostile(), pages.Page(Hostile()), pages.Page(page.url + "?b", Hostile())]
    pages.found_by("odd", lambda: [*odd, pages.Page(page.url, {"kiln.burner": Hostile(), 3: 4})])
    pages.found_by("none", lambda: None)
    page.show("fuel 5\n")
    gauge = make(ObservableGauge, source={"page": "odd"})
    other = make(ObservableGauge, "kiln.other", source={"page": "none"})
    with start():
        assert until(lambda: values(gauge) == {(): 5.0})
        assert values(other) == {}


@pytest.mark.behaviour("B149")
def test_a_finder_that_hangs_keeps_nobody_else_from_being_read(make, start, page, caplog):
    """Nor the end; it is not called again meanwhile, and what it answers in the end is used."""
    over, asked = threading.Event(), []

    def finder():
        asked.append(1)
        over.wait(60)
        return [page.url + "?late"]

    pages.found_by("stuck", finder)
    page.show("fuel 1\n")
    other = make(ObservableGauge, "kiln.other", source={"page": "stuck", "every": 0.2})
    gauge = make(ObservableGauge, source={"page": page.url, "every": 0.2})
    with start():
        assert until(lambda: "what finds 'stuck' takes long" in caplog.text)
        for number in range(3):
            page.show(f"fuel {number}\n")
            assert until(lambda number=number: values(gauge) == {(): float(number)})
        assert (len(asked), values(other)) == (1, {})
        over.set()
        assert until(lambda: values(other) == {(): 2.0})
        over.clear()
        assert until(lambda: caplog.text.count("what finds 'stuck' takes long") > 1)
        began = time.monotonic()
    assert time.monotonic() - began < 30
    over.set()


@pytest.mark.behaviour("B149")
def test_a_name_that_takes_long_to_look_up_has_the_time_of_its_page(monkeypatch, page):
    """It is looked up once at a time, on a thread of its own, and known when that ends."""
    over, asked, real = threading.Event(), [], socket.getaddrinfo

    def slowly(host, *arguments, **keywords):
        if host != "oven.example":
            return real(host, *arguments, **keywords)
        asked.append(threading.current_thread())
        over.wait(60)
        return real("127.0.0.1", *arguments, **keywords)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)
    page.show("fuel 1\n")
    url = page.url.replace("127.0.0.1", "oven.example")
    began = time.monotonic()
    for patience in (0.1, 40):
        with pytest.raises(Unreadable, match="looking up its name takes too long"):
            fetch(url, patience)
    assert time.monotonic() - began < 30
    assert len(asked) == 1
    over.set()
    asked[0].join(30)
    assert fetch(url, 10) == "fuel 1\n"
    assert len(asked) == 1


@pytest.mark.behaviour("B149")
def test_all_addresses_of_a_page_have_its_time_together(monkeypatch):
    """Each hangs; the first that answers is read, if there is time left."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        at = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)  # noqa: FBT003 - the library's signature
            one.connect_ex(at)
        address = (socket.AF_INET, socket.SOCK_STREAM, 0, "", at)
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [address] * 40)
        began = time.monotonic()
        with pytest.raises(Unreadable):
            fetch(f"http://127.0.0.1:{at[1]}/", 1)
        assert time.monotonic() - began < 20
        for one in waiting:
            one.close()
