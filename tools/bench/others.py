"""What the alternatives cost for the same things, on this machine and this Python."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, Final

from harness import Bench
from opentelemetry import trace
from result import Result, report, rounds

_PLAIN: Final = "f()"

THREE: Final = "a='x', b='y', c='z'"


def opentelemetry(names: dict[str, Any]) -> dict[str, str]:
    """Return what calls cost that only the API of OpenTelemetry answers."""
    names["tracer"] = trace.get_tracer("bench")
    return {
        "OpenTelemetry API without SDK: start_as_current_span, three attributes": (
            "with tracer.start_as_current_span('op') as s:\n"
            "    s.set_attribute('a', 'x')\n"
            "    s.set_attribute('b', 'y')\n"
            "    s.set_attribute('c', 'z')"
        ),
    }


def nemo_lens(names: dict[str, Any]) -> dict[str, str]:
    """Return what nemo-lens does with its groups off."""
    from nemo.lens.helpers import managed_span, trace_fn  # noqa: PLC0415 - not on every Python
    from nemo.lens.state import is_span_group_enabled  # noqa: PLC0415 - the same

    def plain() -> None:
        """Do nothing."""

    names |= {
        "managed_span": managed_span,
        "is_enabled": is_span_group_enabled,
        "traced": trace_fn("rollout", "op")(plain),
    }
    return {
        "nemo-lens, off: if is_span_group_enabled(...)": "if is_enabled('rollout'): pass",
        "nemo-lens, off: managed_span, three attributes": (
            f"with managed_span('rollout', 'op', {THREE}): pass"
        ),
        "nemo-lens, off: trace_fn": "traced()",
    }


def logfire(names: dict[str, Any]) -> dict[str, str]:
    """Return what logfire does when it sends nothing."""
    import logfire as library  # noqa: PLC0415 - it takes a while

    library.configure(send_to_logfire=False, console=False)
    names["logfire"] = library
    return {
        "logfire, nothing sent: span, three attributes": f"with logfire.span('op', {THREE}): pass",
    }


OTHERS: Final[tuple[Callable[[dict[str, Any]], dict[str, str]], ...]] = (
    opentelemetry,
    nemo_lens,
    logfire,
)


def measure() -> Iterator[Result]:
    """Time each alternative that is installed, beside a bare call."""
    logging.disable()
    for other in OTHERS:
        names: dict[str, Any] = {"f": lambda: None}
        try:
            cases = other(names)
        except ImportError:
            continue
        bench = Bench(rounds=rounds(21), names=names)
        bench.add(_PLAIN, "f()")
        for name, statement in cases.items():
            bench.add(name, statement)
        bench.run()
        for name in cases:
            detail = f"{bench.ns(name):,.0f} ns"
            yield Result("", name, bench.ratio(name, _PLAIN), unit="x f()", detail=detail)


if __name__ == "__main__":
    report(measure())
