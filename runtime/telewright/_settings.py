"""What `start` was asked for: arguments, then the environment, in one frozen place.

Our own variables (``<PREFIX>_GROUPS`` and so on) win over arguments, since who runs a program
knows what for; arguments win over OpenTelemetry's variables where they say more than the default.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from telewright._environment import Environment
from telewright._group import Resource
from telewright._values import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TypeVar

    from opentelemetry.util.types import AttributeValue

    T = TypeVar("T")
    Given = Mapping[str, AttributeValue | None] | Resource

EXPORTERS: Final = ("otlp", "console", "file", "none")
"""The exporters that are built in; others are found through OpenTelemetry's entry points."""

PROFILES: Final = ("default", "strict", "off")
"""How much values are scanned for: secrets; what points to people too; nothing, in tests alone."""

PROTOCOLS: Final = ("http/protobuf", "grpc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """How spans wait for export; times in seconds."""

    delay: float = 5.0
    queue: int = 8192
    size: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a process needs to know to start its telemetry, in a child also again."""

    groups: str
    process: str | None
    service: str | None
    run_id: str
    resource: tuple[tuple[str, AttributeValue], ...]
    traces_exporter: str
    metrics_exporter: str
    logs_exporter: str
    traces_protocol: str
    metrics_protocol: str
    logs_protocol: str
    path: str | None
    prefix: str
    traces: bool
    metrics: bool
    logs: bool
    content: bool
    hash_key: bytes | None
    redaction: str
    exception_text: bool
    fast: bool
    guard: bool
    self_metrics: bool
    sigterm: bool
    books: str | None
    propagate_to: tuple[str, ...]
    batching: Batching
    interval: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The arguments of `start`, as given."""

    groups: str = "default"
    process: str | None = None
    service: str | None = None
    run_id: str | None = None
    resource: Iterable[Given] | Given = ()
    exporter: str = "otlp"
    path: str | os.PathLike[str] | None = None
    prefix: str = "TELEWRIGHT"
    fallback_prefix: str | None = None
    metrics: bool = True
    traces: bool = True
    logs: bool = False
    content: bool = False
    hash_key: str | bytes | None = None
    strict: bool = False
    fast: bool = False
    sigterm: bool = False
    books: str | os.PathLike[str] | None = None
    guard: bool = False

    @property
    def environment(self) -> Environment:
        """The variables that these arguments may be overridden by."""
        return Environment(self.prefix, self.fallback_prefix)


def switched_off(environment: Environment) -> bool:
    """Say whether the environment forbids telemetry altogether."""
    return bool(environment.flag("OFF") or environment.flag("", "OTEL_SDK_DISABLED"))


def plain(given: Arguments) -> Arguments:
    """Return *given* with plain values, which can be read again and compared.

    How a mistake is told is not among them: that is no setting of what runs.
    """
    _check(given)
    groups = ",".join(map(str.strip, given.groups.split(",")))
    return replace(given, groups=groups, resource=clean(_flat(given.resource)), strict=False)


def read(given: Arguments, run_id: str) -> Settings:
    """Bring arguments and environment together.

    Raises:
        ValueError: For a setting that cannot be; it names the variable or the argument.
    """
    _check(given)
    env = given.environment
    exporter = env.text("EXPORTER") or given.exporter.strip()
    metrics_exporter = _exporter(env, exporter, "METRICS")
    resource = {**_flat(given.resource), **env.pairs("RESOURCE")}
    key = env.text("HASH_KEY") or _stripped(given.hash_key)
    size = env.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", default=512)
    path = env.text("PATH") or _stripped(given.path)
    books = env.text("BOOKS") or _stripped(given.books)
    return Settings(
        groups=env.text("GROUPS") or given.groups,
        process=env.text("PROCESS") or _stripped(given.process),
        service=env.text("SERVICE") or _stripped(given.service),
        run_id=run_id,
        resource=tuple(resource.items()),
        traces_exporter=_exporter(env, exporter, "TRACES"),
        metrics_exporter=metrics_exporter,
        logs_exporter=_exporter(env, exporter, "LOGS"),
        traces_protocol=_protocol(env, "TRACES"),
        metrics_protocol=_protocol(env, "METRICS"),
        logs_protocol=_protocol(env, "LOGS"),
        path=None if path is None else os.fspath(path),
        prefix=given.prefix,
        traces=_flag(env, "TRACES", given=given.traces),
        metrics=_flag(env, "METRICS", given=given.metrics),
        logs=_flag(env, "LOGS", given=given.logs),
        content=_flag(env, "CONTENT", given=given.content),
        hash_key=key.encode() if isinstance(key, str) else key,
        redaction=_profile(env),
        exception_text=env.flag("EXCEPTION_TEXT") is True,
        fast=_flag(env, "FAST", given=given.fast),
        guard=_flag(env, "GUARD", given=given.guard),
        books=None if books is None else os.path.abspath(books),  # noqa: PTH100 - resolve() would follow links
        sigterm=_flag(env, "SIGTERM", given=given.sigterm),
        self_metrics=_flag(env, "SELF_METRICS", given=metrics_exporter != "console"),
        propagate_to=tuple(
            filter(None, (part.strip() for part in (env.text("PROPAGATE_TO") or "").split(",")))
        ),
        batching=Batching(
            delay=env.number("OTEL_BSP_SCHEDULE_DELAY", default=5000) / 1000,
            queue=max(env.number("OTEL_BSP_MAX_QUEUE_SIZE", default=8192), size),
            size=size,
        ),
        interval=env.number("OTEL_METRIC_EXPORT_INTERVAL", default=60_000) / 1000,
    )


_TEXTS: Final = ("process", "service", "prefix", "fallback_prefix")


def _check(given: Arguments) -> None:
    """Hold arguments that are texts to that, which a program that is not type-checked may miss.

    Raises:
        ValueError: For one that is of another type; it names the argument.
    """
    kinds: dict[str, tuple[type, ...]] = {
        "groups": (str,),
        "exporter": (str,),
        "hash_key": (str, bytes, type(None)),
        "path": (str, os.PathLike, type(None)),
        "books": (str, os.PathLike, type(None)),
        **dict.fromkeys(_TEXTS, (str, type(None))),
    }
    for name, fit in kinds.items():
        value: object = getattr(given, name)
        if not isinstance(value, fit):
            raise ValueError(  # noqa: TRY004 - as of any setting that cannot be
                f"{name} must be a text, not {type(value).__name__}"
            )


def _stripped(given: T) -> T | None:
    """Return a text as a variable would say it; a key of bytes and a path are what they are."""
    if isinstance(given, str):
        return cast("T", given.strip()) or None
    return None if given == b"" else given


def _profile(environment: Environment) -> str:
    found = environment.find("REDACTION")
    if found is None:
        return PROFILES[0]
    variable, text = found
    if text.lower() not in PROFILES:
        raise ValueError(f"{variable} must be one of {', '.join(PROFILES)}, not {text!r}")
    return text.lower()


def _flag(environment: Environment, name: str, *, given: bool) -> bool:
    told = environment.flag(name)
    return given is True if told is None else told


def _exporter(environment: Environment, exporter: str, signal: str) -> str:
    """Return the exporter of one signal; OpenTelemetry's variable decides unless we were told."""
    told = environment.text("EXPORTER") is not None or exporter != EXPORTERS[0]
    chosen = exporter if told else environment.text("", f"OTEL_{signal}_EXPORTER") or exporter
    if "," in chosen:
        raise ValueError(f"OTEL_{signal}_EXPORTER must name one exporter, not {chosen!r}")
    return chosen.strip().lower()


def _protocol(environment: Environment, signal: str) -> str:
    return environment.word(
        f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL",
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        among=PROTOCOLS,
        default=PROTOCOLS[0],
    )


def _flat(given: Iterable[Given] | Given) -> dict[str, AttributeValue]:
    """Merge resources and mappings, later ones winning; what is None was not given."""
    flat: dict[str, AttributeValue] = {}
    if isinstance(given, Resource):
        return dict(given.attributes)
    if isinstance(given, Mapping):
        pairs = cast("Mapping[str, AttributeValue | None]", given)
        return {key: value for key, value in pairs.items() if value is not None}
    for one in given:
        flat.update(_flat(one))
    return flat
