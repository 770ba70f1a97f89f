"""Judging attributes: what may leave is what the specs declare, in the form they say."""

from __future__ import annotations

from typing import cast

from telewright._declared import SCOPE, Declared
from telewright._guard import lost, say
from telewright._redact_stack import description, exception_text
from telewright._scanning import LEFT_OUT, PROFILE, scan_text, scan_value
from telewright._values import clean_text, clean_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

TRUNCATED: Final = "nemo.span.truncated"
"""The attribute, and the event, of a span that its process did not live to end."""

_MOST_TOLD: Final = 1024

_RUNTIME_KEYS: Final = frozenset(
    {
        TRUNCATED,
        "nemo.span.started",
        "inverted.skew",
        "inverted.start_epoch_seconds",
        "inverted.end_epoch_seconds",
        "inverted.delta_seconds",
        "exception.escaped",
        "exception.message",
        "exception.stacktrace",
        "exception.type",
        "otel.metric.overflow",
        "reason",
    }
)
"""What the runtime and the SDK write by themselves, whatever the specs declare."""

_EXCEPTION_TEXTS: Final = frozenset({"exception.message", "exception.stacktrace"})


class Judge:
    """Judges attributes and texts against the specs."""

    def __init__(self) -> None:
        self._declared = Declared()
        self._told: Final[set[tuple[str, str]]] = set()

    def attributes(
        self,
        attributes: Mapping[str, Any],
        scope: str,
        *,
        metric: bool = False,
        where: str = "attribute",
    ) -> dict[str, AttributeValue]:
        """Return what of *attributes* may leave under *scope*."""
        attributes = _named(attributes)
        if PROFILE[0] == "off":
            return {
                key: fit for key, one in attributes.items() if (fit := clean_value(one)) is not None
            }
        self._declared = self._declared.newest()
        ours = scope.startswith(SCOPE) and self._knows(scope)
        kept: dict[str, AttributeValue] = {}
        for key, given in attributes.items():
            rule = self._declared.own(scope, key) if ours else self._declared.foreign(key)
            value: AttributeValue | None = clean_value(given)
            if value is None:
                continue
            if rule is not None:
                value = rule.apply(value)
                if metric and ours:
                    value = rule.label(value)
            elif ours and key not in _RUNTIME_KEYS:
                self._undeclared(key, scope)
                value = None
            if key in _EXCEPTION_TEXTS:
                value = exception_text(value)
            elif value is not None and not (rule is not None and rule.harmless(value)):
                value = scan_value(key, value, "metric_attr" if metric else where)
            if value is not None:
                named = rule is not None or ours or key in _RUNTIME_KEYS
                kept[key if named else scan_text(key)] = value
        return kept

    @staticmethod
    def extras(attributes: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of a log record's *attributes* may leave: all of it is scanned."""
        kept: dict[str, Any] = {}
        for key, given in attributes.items():
            texts = key in _EXCEPTION_TEXTS
            value = exception_text(given) if texts else scan_value(key, given, "log")
            if value is not None:
                kept[scan_text(key)] = value
        return kept

    @staticmethod
    def text(text: object, where: str = "span_name") -> str:
        """Return what of a text that is no attribute's may leave."""
        fit = _text(text)
        return LEFT_OUT if fit is None else scan_text(fit, where)

    @staticmethod
    def description(text: object) -> str | None:
        """Return what of a status' description may leave: of an exception its type alone."""
        fit = _text(text)
        return fit and description(fit)

    def _knows(self, scope: str) -> bool:
        if self._declared.knows(scope):
            return True
        if (scope, "") not in self._told:
            self._told.add((scope, ""))
            say(f"{scope}: no _registry.json was found, so its keys cannot be checked")
        return False

    def _undeclared(self, key: str, scope: str) -> None:
        lost("undeclared")
        if (scope, key) not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add((scope, key))
            say(
                f"{scope.removeprefix(SCOPE)} does not declare {key!r}, so it was left out; "
                f"to send it, write in the specs:  - {{id: {key}, type: string, brief: …}}"
            )


def _named(attributes: Mapping[Any, Any]) -> Mapping[str, Any]:
    """Return *attributes* without those whose key is no text."""
    for key in attributes:
        if not isinstance(key, str):
            named = {key: one for key, one in attributes.items() if isinstance(key, str)}
            lost("unfit_type", len(attributes) - len(named))
            return named
    return attributes


def _text(given: object) -> str | None:
    """Return a text that can be encoded; None for what is none."""
    if not issubclass(type(given), str):  # what its class says of itself may raise
        return None
    return clean_text(str.__str__(cast("str", given)))
