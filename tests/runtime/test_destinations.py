"""Where scopes go: to hosts of one's own, whatever a client makes of an address."""

from __future__ import annotations

from ipaddress import ip_address
from socket import inet_aton

import httpx
import pytest
import requests
import urllib3
import yarl
from hypothesis import given, settings
from hypothesis import strategies as st

import telewright
from telewright import _destinations
from telewright.testing import captured
from tests.runtime.sample import kiln

_HOSTS = (
    *("evil.com", "EVIL", "agent-7", "localhost", "api.internal", "8.8.8.8", "10.0.0.1", "[::1]"),
    *("134744072", "3232235777", "0x08080808", "0x7f.1", "010.0.0.1", "[fd00::1]", "xn--9ca"),
    *("[::ffff:8.8.8.8]", "[::ffff:10.0.0.1]", "[2001:0:808:808::1]", "[fe80::1%25eth0]"),
)
_TRICKS = (
    *(".", "\u3002", "\uff0e", "\uff61", "%2e", "%2E", "%2f", "%5c", "%40", "%00", "%", "\\"),
    *("@", ":", ":80", "/", "//", "#", "?", "\t", "\n", " ", "\xa0", "\xad", "\u200b", "\u2044"),
    *("user:pw@", ".internal", ".local", ".svc", "com", "-", "_", "\u2100", "\u212a", "\u017f"),
    *("\uff11", "\uff18", "\xdf", "\u24d4", "\ufe55", "\uff0f", "\uff3c", "[", "]", ";", "&"),
)
_ADDRESSES = st.builds(
    "{}{}{}".format,
    st.sampled_from(
        ["http://", "https://", "HTTP://", "//", "http:", "http:/", "http:///", " ws://"]
    ),
    st.lists(st.sampled_from(_HOSTS) | st.sampled_from(_TRICKS), min_size=1, max_size=6).map(
        "".join
    ),
    st.sampled_from(
        ["", "/", "/run?a=b", "?@evil.com", "#@evil.com", "\\@evil.com", "/\\@evil.com"]
    ),
)


def reached(url):
    """Return the hosts to which those clients connect that take *url* at all."""
    hosts = []
    for read in (
        lambda: urllib3.util.parse_url(requests.Request("GET", url).prepare().url).host,
        lambda: str(httpx.URL(url).raw_host, "ascii"),
        lambda: yarl.URL(url).raw_host,
    ):
        try:
            hosts.append(read())
        except Exception:  # noqa: S112 - a client that refuses connects to nobody
            continue
    return [host for host in hosts if host]


def own(host):
    """Say whether *host*, as a resolver takes it, is one's own."""
    host = host.strip("[]").partition("%")[0].lower().removesuffix(".")
    for read in (str, inet_aton):
        try:
            address = ip_address(read(host))
        except (OSError, ValueError):
            continue
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_private or address.is_loopback
    return host.isascii() and ("." not in host or host.endswith((".internal", ".local", ".svc")))


def told(url):
    """Say whether a scope goes along to *url*."""
    return "baggage" in telewright.inject({}, url)


@pytest.mark.parametrize("examples", [1_000, pytest.param(20_000, marks=pytest.mark.soak)])
def test_no_client_takes_a_scope_to_a_stranger(examples):
    """Wherever a client connects that is given the address, it is a host of one's own."""
    hits = []

    @settings(max_examples=examples, deadline=None, database=None)
    @given(_ADDRESSES)
    def holds(url):
        if told(url):
            hits.append(url)
            assert all(map(own, reached(url)))

    with captured("all"), kiln.round_(4):
        holds()
    assert hits


@pytest.mark.parametrize(
    ("url", "goes"),
    [
        ("http://evil\u3002com/", False),
        ("http://evil\uff0ecom/", False),
        ("http://evil\uff61com/", False),
        ("http://evil%2ecom/", False),
        ("http://evil.com%2f.internal/", False),
        ("http://agent-7@evil.com/", False),
        ("http://evil.com@agent-7/", True),
        ("http://evil.com\\@agent-7/", False),
        ("http://agent-7\t/", False),
        ("http://agent-7\n.evil.com/", False),
        (" http://agent-7/", False),
        ("http://agent-7/a\\b?c\n", True),
        ("//agent-7:8000", True),
        ("HTTP://AGENT-7:8000?x", True),
        ("agent-7:8000", False),
        ("http:///agent-7", False),
        ("http://localhost./", True),
        ("http://evil.com./", False),
        ("http://.internal/", False),
        ("http://api.internal./", True),
        ("http://3232235777/", False),
        ("http://0x7f.1/", False),
        ("http://127.1/", False),
        ("http://0177.0.0.1/", False),
        ("http://1.2.3.4.5/", False),
        ("http://node-7f:80/", True),
        ("http://0.0.0.0:8000/", True),
        ("http://169.254.1.1/", True),
        ("http://192.0.2.1/", False),
        ("http://[::1]:80/", True),
        ("http://[fd00::7]/", True),
        ("http://[::ffff:10.0.0.1]/", True),
        ("http://[::ffff:8.8.8.8]/", False),
        ("http://[::8.8.8.8]/", False),
        ("http://[64:ff9b:1::808:808]/", False),
        ("http://[2001:0:808:808::1]/", False),
        ("http://[fe80::1%25eth0]/", False),
        ("http://\u212ailn/", False),
    ],
)
def test_only_an_address_that_can_be_read_in_one_way_is_judged(probe, url, goes):
    """What clients read in more than one way is a stranger's; what is plain goes by rule."""
    probe.start("all")
    with kiln.round_(4):
        assert told(url) is goes


def test_a_pattern_is_of_plain_hosts(monkeypatch, tmp_path):
    """It reaches no host that is written so that its end may not be its end."""
    monkeypatch.setenv("TELEWRIGHT_PROPAGATE_TO", "*.example,EVIL.com")
    with telewright.start("all", path=tmp_path / "spans.jsonl"), kiln.round_(4):
        assert told("http://Api.Example:80/")
        assert told("http://evil.com./")
        assert not told("http://evil\u3002com/")
        assert not told("http://evil.com%2f.example/")
        assert not told("http://evil.com\\.example/")
    _destinations.PATTERNS.clear()
