"""What an application of this release does with its package, and what must come of it."""

from shop import groups, order
from shop.order import Channel, End, Reason, Step

import telewright
from telewright.testing import captured


def work() -> None:
    """Call every kind of helper once."""
    with order.day(), order.take(order_id="o-1", channel=Channel.WEB, items=2, card="4111") as span:
        span.paid(total=3.5)
        span.set(total=3.5)
    with order.take(order_id="o-2", channel=Channel.PHONE, message="secret") as span:
        span.set(outcome=End.GIVEN_UP)
    with order.count() as counted:
        counted.fail(Reason.NO_STOCK)
    with order.shift(3), order.work(Step.PACK) as packing, order.idle():
        packing.set(header={"late": "yes"})
    later = order.glance(Step.PICK).open()
    with later.current(), order.idle():
        later.close()
    for _ in range(2):
        order.orders.add(channel=Channel.WEB, order_id="o-1", reason="printer:jam")
        order.parcels.add(step=Step.PACK, order_id="o-1")
        order.parcels.add(step=Step.PICK)
    order.money.add(2.5)
    order.waiting.add(-1)
    order.temperature.set(4.0)
    order.duration.record(1.5, channel=Channel.OLD_APP, end=End.DONE)


@order.stock.observe
def stock():
    """Read the stock."""
    yield order.stock.point(7, channel=Channel.WEB)


@telewright.traced(order.idle)
def decorated() -> int:
    """Run inside a span."""
    return 1


work()
assert not groups.ORDER.on

with captured() as telemetry:
    work()
    assert decorated() == 1
    names = [span.name for span in telemetry.spans]
    assert names == [
        "shop.order.take",
        "shop.day",
        "shop.order.take",
        "shop.order.count",
        "shop.order.idle",
        "shop.pack.work",
        "shop.order.pick",
        "shop.order.idle",
        "shop.order.idle",
    ], names
    taken, day, second = telemetry.spans[:3]
    assert taken.attributes == {
        "shop.order.id": "o-1",
        "shop.order.channel": "web",
        "shop.order.items": 2,
        "shop.order.card": taken.attributes["shop.order.card"],
        "shop.order.total": 3.5,
        "shop.order.end": "done",
    }
    assert taken.attributes["shop.order.card"] != "4111"
    assert taken.links[0].span_id == day.span_id
    assert taken.trace_id != day.trace_id
    assert taken.kind == "server"
    assert taken.events[0].name == "shop.order.paid"
    assert second.attributes["shop.order.end"] == "given_up"
    assert "shop.order.message" not in second.attributes
    assert telemetry.span("shop.order.count").attributes == {"shop.order.reason": "no_stock"}
    assert telemetry.span("shop.order.count").status == "error"
    assert telemetry.span("shop.pack.work").attributes == {
        "shop.order.items": 3,
        "shop.order.step": "pack",
        "shop.order.header.late": "yes",
    }
    assert telemetry.value("shop.order.orders_total", reason="unknown") == 1
    assert telemetry.value("shop.order.parcels_total", step="pack") == 1
    assert telemetry.value("shop.order.parcels_total", step="pick") == 2
    assert telemetry.value("shop.order.money_total") == 2.5
    assert telemetry.value("shop.order.waiting") == -1
    assert telemetry.value("shop.order.temperature") == 4.0
    assert telemetry.value("shop.order.duration", channel="app") == 1.5
    assert telemetry.value("shop.order.stock") == 7
    assert telemetry.points("shop.order.work_seconds")[0].count == 1

assert order.till(items=1).attributes == {"shop.order.items": 1}
assert Reason("never heard of") is Reason.UNKNOWN
