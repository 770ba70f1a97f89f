"""The topic `kiln` of the sample."""

from __future__ import annotations

from telewright.base import (
    METRICS,
    OFF,
    SCOPE_OFF,
    TRACES,
    Counter,
    ErrorCodes,
    Gauge,
    Histogram,
    LinkedRoot,
    Measured,
    ObservableCounter,
    ObservableGauge,
    ObservableUpDownCounter,
    OnceCounter,
    OpenEnum,
    Outcomes,
    Owner,
    Root,
    Scope,
    Span,
    StrEnum,
    UpDownCounter,
    content,
    given,
    mask,
    member,
    off,
    opens,
    personal,
    pick,
    propagated,
    truncate,
)
from tests.runtime.sample.groups import FIRING, POT, REGISTRY, SHIFT

GATE = FIRING


class Stage(StrEnum):
    """What the kiln is asked to do."""

    BISQUE = "bisque"
    GLAZE = "glaze"
    COOL = "cool"


class Outcome(StrEnum):
    """How a firing ended."""

    OK = "ok"
    ERROR = "error"


class PotOutcome(StrEnum):
    """What became of a pot."""

    SOLD = "sold"
    CRACKED = "cracked"
    LEFT = "left"


class Mishap(StrEnum):
    """What happened without failing a firing."""

    DOOR_OPENED = "door_opened"
    GAS_LOW = "gas_low"


class FaultCode(OpenEnum):
    """Why a firing failed."""

    TIMEOUT = "timeout"
    REFUSED = "refused"
    OTHER = "other"

    @classmethod
    def overflow(cls) -> FaultCode:
        return cls.OTHER


# Scopes

propagated("kiln.round", int)


def round_(round_: int) -> Scope:
    if TRACES.on:
        return Scope({"kiln.round": round_})
    return SCOPE_OFF


def site(site: str, *, note: str | None = None) -> Scope:
    if TRACES.on:
        return Scope(given({"kiln.site": site, "kiln.note": note}))
    return SCOPE_OFF


# Metrics


class _FiringMs(Histogram):
    __slots__ = ()

    def record(self, milliseconds: float, *, stage: Stage, outcome: Outcome) -> None:
        if METRICS.on:
            self._record(
                milliseconds,
                {
                    "kiln.stage": member(Stage, stage),
                    "kiln.outcome": member(Outcome, outcome),
                },
            )


firing_ms = _FiringMs(
    REGISTRY,
    "kiln.firing_ms",
    unit="ms",
    brief="How long a firing took.",
    boundaries=(1, 10, 100),
    members=True,
)


class _Pots(OnceCounter):
    __slots__ = ()

    def add(self, pots: int, *, stage: Stage, batch: str) -> None:
        if METRICS.on:
            self._record_once(pots, {"kiln.stage": member(Stage, stage)}, batch)


pots = _Pots(REGISTRY, "kiln.pots_total", unit="{pot}", brief="Pots fired.", integer=True)


class _Mishaps(OnceCounter):
    __slots__ = ()

    def add(self, mishaps: int = 1, *, mishap: Mishap, batch: str | None = None) -> None:
        if METRICS.on:
            attributes = {"kiln.mishap": member(Mishap, mishap)}
            if attributes["kiln.mishap"] == "door_opened":
                self._record_once(mishaps, attributes, batch)
            else:
                self._record(mishaps, attributes)


mishaps = _Mishaps(
    REGISTRY, "kiln.mishaps_total", unit="{mishap}", brief="Mishaps.", integer=True, remember=100
)


class _Faults(Counter):
    __slots__ = ()

    def add(self, faults: int = 1, *, code: FaultCode | str) -> None:
        if METRICS.on:
            self._record(faults, {"kiln.fault_code": member(FaultCode, code)})


faults = _Faults(
    REGISTRY,
    "kiln.faults_total",
    unit="{fault}",
    brief="Faults.",
    integer=True,
    members=True,
)


class _Visitors(Counter):
    __slots__ = ()

    def add(self, visitors: int = 1, *, town: str) -> None:
        if METRICS.on:
            self._record(visitors, {"kiln.town": town})


visitors = _Visitors(
    REGISTRY,
    "kiln.visitors_total",
    unit="{visitor}",
    brief="Visitors.",
    integer=True,
    max_series=3,
)


class _Temperature(Gauge):
    __slots__ = ()

    def set(self, value: float) -> None:
        if METRICS.on:
            self._record(value, {})


temperature = _Temperature(
    REGISTRY, "kiln.temperature", unit="Cel", brief="Temperature.", writer="master"
)


class _Loaded(UpDownCounter):
    __slots__ = ()

    def add(self, pots: int) -> None:
        if METRICS.on:
            self._record(pots, {})


loaded = _Loaded(REGISTRY, "kiln.loaded", unit="{pot}", brief="Pots inside.", integer=True)


class _GasUsed(ObservableCounter):
    __slots__ = ()

    def point(self, value: float, *, burner: str) -> tuple[float, dict[str, str]]:
        return value, {"kiln.burner": burner}


gas_used = _GasUsed(REGISTRY, "kiln.gas_used", unit="m3", brief="Gas used.")


class _Queue(ObservableUpDownCounter):
    __slots__ = ()

    def point(self, value: int) -> tuple[float, dict[str, str]]:
        return value, {}


queue = _Queue(REGISTRY, "kiln.queue", unit="{pot}", brief="Pots waiting.", integer=True)


class _Humidity(ObservableGauge):
    __slots__ = ()

    def point(self, value: float, *, room: str) -> tuple[float, dict[str, str]]:
        return value, {"kiln.room": room}


humidity = _Humidity(REGISTRY, "kiln.humidity", unit="1", brief="Humidity.", writer="master")


# Spans


class Firing(Measured):
    __slots__ = ()

    outcomes = Outcomes("kiln.outcome", ok=Outcome.OK, error=Outcome.ERROR)
    error_codes = ErrorCodes(
        "kiln.fault_code",
        kind=FaultCode,
        codes={".code": None, "TimeoutError": FaultCode.TIMEOUT},
        overflow=FaultCode.OTHER,
    )
    duration = firing_ms

    def set(self, *, shelves: int | None = None, outcome: Outcome | None = None) -> None:
        if self.live:
            self._set("kiln.shelves", shelves)
            self._say(outcome)

    def fail(self, code: FaultCode | str) -> None:
        self._fail(code)


_FIRING_OFF = off(Firing)
_FIRING_NAMES = {
    "bisque": "kiln.fire.bisque",
    "glaze": "kiln.fire.glaze",
    "cool": "kiln.fire.cool",
    "_OTHER": "kiln.fire._OTHER",
}


def fire(stage: Stage, *, batch: str, kind: str, shelf: str | None = None) -> Firing:
    if GATE.timed:
        return Firing(
            GATE,
            pick(_FIRING_NAMES, stage),
            given({"kiln.batch": batch, "kiln.kind": kind, "kiln.shelf": shelf}),
            {"kiln.stage": member(Stage, stage)},
        )
    return _FIRING_OFF


@opens(GATE)
def heat() -> Span:
    if GATE.on:
        return Span(GATE, "kiln.heat", {})
    return OFF


class Write(Span):
    __slots__ = ()

    def set(self, *, lines: int | None = None) -> None:
        if self.live:
            self._set("kiln.lines", lines)


_WRITE_OFF = off(Write)


@opens(GATE)
def write() -> Write:
    if GATE.on:
        return Write(GATE, "kiln.write", {})
    return _WRITE_OFF


@opens(SHIFT)
def shift() -> Span:
    if SHIFT.on:
        return Owner(SHIFT, "kiln.shift", {})
    return OFF


class Pot(LinkedRoot):
    __slots__ = ()

    kind = "client"
    linked_to = "kiln.shift"

    def set(self, *, outcome: PotOutcome | None = None) -> None:
        if self.live:
            self._set("kiln.pot.outcome", outcome)


_POT_OFF = off(Pot)


def pot(*, potter: str, pot_id: str | None = None) -> Pot:
    if POT.on:
        return Pot(POT, "kiln.pot", given({"kiln.potter": potter, "kiln.pot.id": pot_id}))
    return _POT_OFF


class Sale(LinkedRoot, Measured):
    __slots__ = ()

    linked_to = "kiln.shift"
    outcomes = Outcomes(
        "kiln.pot.outcome", ok=PotOutcome.SOLD, error=PotOutcome.CRACKED, cancelled=PotOutcome.LEFT
    )
    duration = firing_ms


_SALE_OFF = off(Sale)


@opens(POT)
def sale() -> Sale:
    if POT.timed:
        return Sale(POT, "kiln.sale", {}, {"kiln.stage": Stage.COOL})
    return _SALE_OFF


@opens(POT)
def inspection() -> Span:
    if POT.on:
        return Root(POT, "kiln.inspection", {})
    return OFF


def letter(
    *,
    author: str | None = None,
    text: str | None = None,
    stamp: str | None = None,
    address: str | None = None,
) -> Span:
    if POT.on:
        return Span(
            POT,
            "kiln.letter",
            given(
                {
                    "kiln.author": personal(author),
                    "kiln.text": content(text),
                    "kiln.stamp": mask(stamp),
                    "kiln.address": truncate(address, 5),
                }
            ),
        )
    return OFF
