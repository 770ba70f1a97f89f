"""Generated code runs: what it opens and records is what its specs say."""

from __future__ import annotations

import pytest

from telewright import _guard
from tests.golden.crowded.expected import names
from tests.golden.everything.expected import groups, order
from tests.golden.everything.expected.order import Channel, Colour, End, Reason, Step
from tests.golden.hostile.expected import texts
from tests.golden.smallest.expected.words import Answer
from tests.golden.two.expected.common_words import common
from tests.golden.two.expected.kiosk import order as kiosk_order
from tests.runtime.probes import SdkProbe


@pytest.fixture
def probe():
    """Record all groups with the real SDK, in memory."""
    made = SdkProbe()
    made.start("all")
    yield made
    made.close()


def test_a_span_carries_what_it_was_given(probe):
    """Required and recommended attributes are on the span, what was not given is not."""
    with order.take(order_id="o-1", channel=Channel.WEB, items=2, gift=False, tags=["a", "b"]):
        pass
    span = probe.span("shop.order.take")
    assert span.kind == "server"
    assert span.scope == "telewright.shop"
    assert span.attributes == {
        "shop.order.id": "o-1",
        "shop.order.channel": "web",
        "shop.order.items": 2,
        "shop.order.gift": False,
        "shop.order.tags": ("a", "b"),
        "shop.order.end": "done",
    }


@pytest.mark.parametrize("step", [Step.PACK, "another"])
def test_a_root_is_linked_to_an_owner_whose_name_is_a_pattern(probe, step):
    """Whichever of its names the owner has, what begins inside is a trace of its own, linked."""
    with order.glance(step), order.idle():
        pass
    (glance,) = [span for span in probe.spans if span.name != "shop.order.idle"]
    idle = probe.span("shop.order.idle")
    assert idle.parent_id is None
    (link,) = idle.links
    assert (link.trace_id, link.span_id) == (glance.trace_id, glance.span_id)


def test_sensitive_values_do_not_leave(probe):
    """Content, personal, masked and dropped values are gone or made harmless; the rest is cut."""
    with order.take(
        order_id="o-1",
        channel=Channel.WEB,
        customer="Ada",
        message="secret words",
        card="4111 1111 1111 1111",
        note="behind the door",
        address="1 Long Street, Far Away",
        private_header={"from": ["ada"]},
        header={"language": "en", "agent": "x"},
    ):
        pass
    attributes = probe.span("shop.order.take").attributes
    assert attributes["shop.order.address"] == "1 Long Stree"
    assert attributes["shop.order.header.language"] == "en"
    assert attributes["shop.order.card"] != "4111 1111 1111 1111"
    gone = {"shop.order.customer", "shop.order.message", "shop.order.note"}
    assert not gone & attributes.keys()
    assert not [key for key in attributes if key.startswith("shop.order.private_header")]


def test_the_end_of_a_block_is_its_outcome(probe):
    """An exception is the error member and its code; its duration is recorded with both."""

    def fail():
        with order.take(order_id="o-1", channel=Channel.PHONE) as span:
            span.paid(total=3.5)
            span.set(total=3.5)
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    ended = probe.span("shop.order.take")
    assert ended.attributes["shop.order.end"] == "broken"
    assert ended.attributes["shop.order.reason"] == "no_stock"
    assert ended.attributes["shop.order.total"] == 3.5
    assert ended.status == "error"
    assert ended.events[0].name == "shop.order.paid"
    assert ended.events[0].attributes == {"shop.order.total": 3.5}
    assert probe.counts("shop.order.duration") == {("phone", "broken"): 1}


def test_a_block_can_say_that_it_failed(probe):
    """`fail` fills the error code, with a member or, the enumeration being open, with text."""
    with order.take(order_id="o-1", channel=Channel.WEB) as span:
        span.fail("printer:jam")
    ended = probe.span("shop.order.take")
    assert (ended.status, ended.attributes["shop.order.reason"]) == ("error", "printer:jam")
    with order.count() as counted:
        counted.fail(Reason.NO_MONEY)
    assert probe.span("shop.order.count").attributes == {"shop.order.reason": "no_money"}


def test_a_linked_root_is_linked_to_its_owner(probe):
    """Under the owner it begins a trace of its own with a link; `always` needs no owner."""
    with order.day(), order.take(order_id="o-1", channel=Channel.WEB), order.count():
        pass
    day, take, count = (
        probe.span(name) for name in ("shop.day", "shop.order.take", "shop.order.count")
    )
    assert take.trace_id != day.trace_id
    assert [link.span_id for link in take.links] == [day.span_id]
    assert count.parent_id is None


def test_a_pattern_has_one_name_for_each_member(probe):
    """Each member gives the span its own name; a stranger gets the one for all the rest."""
    for step in Step:
        with order.work(step) as span:
            span.set(header={"late": "yes"})
    with order.glance("nothing"):
        pass
    assert [span.name for span in probe.spans] == [
        "shop.pick.work",
        "shop.pack.work",
        "shop.send.work",
        "shop.order._OTHER",
    ]
    assert probe.spans[0].attributes == {
        "shop.order.step": "pick",
        "shop.order.header.late": "yes",
    }
    assert probe.counts("shop.order.work_seconds") == {("pick",): 1, ("pack",): 1, ("send",): 1}


def test_an_order_counts_once(probe):
    """`once_per` counts an id once with the same labels, and never exports it."""
    for identity in ("o-1", "o-1", "o-2"):
        order.orders.add(channel=Channel.WEB, order_id=identity)
    order.orders.add(channel=Channel.PHONE, order_id="o-1", reason="printer:jam")
    assert probe.points("shop.order.orders_total") == {("web",): 2, ("phone", "unknown"): 1}


def test_members_count_once_and_others_each_time(probe):
    """A mapping in `once_per` holds for its members alone; a missing id loses no event."""
    for _ in range(2):
        order.parcels.add(step=Step.PACK, order_id="o-1")
        order.parcels.add(step=Step.SEND, order_id="o-1", items=2)
        order.parcels.add(step=Step.PICK)
    order.parcels.add(step=Step.SEND)
    assert probe.points("shop.order.parcels_total") == {("pack",): 1, ("send",): 2, ("pick",): 2}


def test_every_instrument_records(probe):
    """Counters, up-down counters and gauges; observables are read when metrics are exported."""

    @order.stock.observe
    def stock():
        yield order.stock.point(7, channel=Channel.OLD_APP, tags=None)

    @order.steps.observe
    def steps():
        yield order.steps.point(1000)

    order.money.add(2.5)
    order.waiting.add(3)
    order.waiting.add(-1)
    order.temperature.set(4.0)
    assert probe.points("shop.order.money_total") == {(): 2.5}
    assert probe.points("shop.order.waiting") == {(): 2}
    assert probe.points("shop.order.stock") == {("app",): 7}
    assert probe.points("shop.order.steps") == {(): 1000}
    order.stock.forget(stock)
    order.steps.forget(steps)


def test_a_scope_is_on_every_span_inside(probe):
    """Its first attribute is positional, the others are named."""
    with order.shift(3, channel=Channel.WEB), order.rush(), order.idle():
        pass
    assert probe.span("shop.order.idle").attributes == {
        "shop.order.items": 3,
        "shop.order.channel": "web",
    }


def test_a_resource_is_a_set_of_attributes():
    """What was not given is not in it; what is personal goes hashed, without a key not at all."""
    made = order.till(items=3, weights=[1.5], customer="Ada")
    assert made.name == "shop.till"
    assert made.attributes == {"shop.order.items": 3, "shop.order.weights": [1.5]}


def test_an_open_enumeration_has_an_overflow_member():
    """Any value is a member of it, and most are the overflow; a closed one raises."""
    assert Reason("printer:jam") is Reason.UNKNOWN
    assert Reason("no_money") is Reason.NO_MONEY
    assert [str(end) for end in End] == ["done", "broken", "given_up"]
    assert Colour("red") is Colour.RED
    with pytest.raises(ValueError, match="green"):
        Colour("green")


def test_words_of_other_languages_stay_words():
    """A member called `no` is the text ``no``, in YAML as in Python."""
    assert [member.value for member in Answer] == ["yes", "no"]


def test_an_enumeration_is_one_class_everywhere(probe):
    """A module exports the enumerations that its helpers take, wherever they are declared."""
    assert kiosk_order.Outcome is common.Outcome
    with kiosk_order.take(common_words_host="h"):
        pass
    assert probe.span("kiosk.order.take").attributes == {
        "common_words.host": "h",
        "kiosk.order.outcome": "ok",
    }


def test_crowded_names_do_what_they_say(probe):
    """A parameter called like a function of the runtime hides nothing."""
    with names.open_it(content="text", given="x", member=names.Kind.ONE) as span:
        span.set(key={"a": "b"}, item="thing")
    assert probe.span("crowd.names.open_it").attributes == {
        "crowd.names.member": "one",
        "crowd.names.key.a": "b",
        "crowd.names.item": "thing",
    }
    for _ in range(2):
        names.kinds.add(member=names.Kind.ONE, mask="m", labels="x")
        names.kinds.add(member=names.Kind.TWO)
    assert probe.points("crowd.names.kinds") == {("one", "m"): 1, ("two",): 2}


class Grudge:
    """Compares with nothing: an array does the same, once somebody asks whether it is equal."""

    __hash__ = None

    def __eq__(self, other):
        raise ZeroDivisionError


def test_what_is_counted_once_for_some_members_takes_any_value(probe):
    """A member's own text is that member; what cannot even be compared is none of them."""
    names.kinds.add(member="one", mask="m", labels="x")
    names.kinds.add(member=names.Kind.ONE, mask="m", labels="x")
    names.kinds.add(member=Grudge())
    assert probe.points("crowd.names.kinds") == {("one", "m"): 1, ("_OTHER",): 1}


def test_hostile_texts_have_become_nothing_but_text(probe):
    """They are where briefs are, and the module around them works."""
    assert "import os" in texts.__doc__
    assert ">>> import os" in " ".join(texts.run.__doc__.split())
    with texts.run(quotes='"""'):
        texts.counted.add()
    assert probe.points("bad.texts.counted") == {(): 1}


def test_what_is_deprecated_says_so():
    """A mark for tools, as PEP 702 has it, and a sentence for people."""
    assert order.shelve.__deprecated__ == "Use shop.order.take."
    assert "Deprecated since 1.0: use ``shop.order.take``." in order.shelve.__doc__


def test_off_is_off():
    """With telemetry off every call is accepted and nothing is kept."""
    _guard.FAILURES.clear()
    with order.take(order_id="o-1", channel=Channel.WEB) as span:
        assert not span.on
        span.set(total=1.0, outcome=End.BROKEN)
        span.fail(Reason.NO_STOCK)
        span.paid(total=1.0)
    order.orders.add(channel=Channel.WEB, order_id="o-1")
    assert not groups.ORDER.on
    assert not groups.ORDER.timed
    assert not _guard.FAILURES


def test_settings_are_read_as_their_specs_say():
    """Variables win over fields, fields over defaults; a renamed field still counts."""
    found = order.read(
        {"shop": {"open": True, "wait": 5, "tables": "three"}}, environ={"OPEN": "no"}
    )
    assert (found.shop_open, found.shop_wait, found.shop_counters) == (False, 5.0, ("three",))
    assert found.shop_till is None
    assert found.reported[0].startswith("shop.tables has another name now: A table is served")
