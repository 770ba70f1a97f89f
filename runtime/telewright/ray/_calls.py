"""The two sides of a call: the caller adds a carrier, and the callable runs in what it brings.

Ray asks a callable for two things: the signature that calls must fit, and a decorator of its calls.
Both are attributes of the callable, so that `carried` wires both sides, and Ray is not imported.
"""

from __future__ import annotations

import functools
import inspect
import sys

from telewright._carry import carrier
from telewright._guard import failed, say
from telewright._handover import cluster_variables
from telewright.ray._kinds import like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final, ParamSpec, Protocol, TypeVar

    F = TypeVar("F", bound=Callable[..., object])
    P = ParamSpec("P")
    R_co = TypeVar("R_co", covariant=True)
    Invoke = Callable[[Sequence[Any], Mapping[str, Any]], object]

    class Remote(Protocol[P, R_co]):
        """What has a ``remote``: a task, an actor's method or class, with options or without."""

        @property
        def remote(self) -> Callable[P, R_co]:
            """Call it."""
            ...

    _Static = staticmethod[..., Any]
else:
    _Static = staticmethod


KEYWORD: Final = "_telewright"
"""The keyword that carriers travel in."""

_DECORATOR: Final = "__ray_invocation_decorator__"
"""Where Ray looks for a decorator of the calls of a callable."""

_WARNED: Final[set[str]] = set()


def carried(target: F) -> F:
    """Have calls of *target* through Ray continue the span and the scopes of their caller.

    For a function, an actor's method, or an actor's class and thereby all its methods, inherited
    ones too. It stands directly below ``@ray.remote`` and ``@ray.method``. Callables stay of their
    kind, and get the keyword ``_telewright``, which only calls from inside a span or a scope have.
    Twice is as good as once.
    """
    prepared: Any = target
    try:
        if inspect.isclass(target):
            _carry_methods(target)
        elif inspect.isfunction(target):
            prepared = target if accepts(target) else _wrap(target)
        else:
            say(f"cannot carry to a {type(target).__name__}: put it below @ray.remote")
    except Exception:
        failed("prepare a callable for Ray")
    return prepared  # type: ignore[no-any-return]  # the same but for the keyword


def accepts(function: object) -> bool:
    """Say whether *function* itself takes a carrier."""
    return KEYWORD in (getattr(function, "__kwdefaults__", None) or {})


_SORTS: Final[tuple[type, ...]] = (classmethod, staticmethod)
"""What stands around a function in a class that is no method of its instances."""


def _carry_methods(kind: type) -> None:
    for name, member in inspect.getmembers_static(kind):
        free, bound = isinstance(member, staticmethod), isinstance(member, classmethod)
        method: Any = member.__func__ if free or bound else member  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - of whatever type
        dunder = name.startswith("__") and name not in {"__init__", "__call__"}
        if dunder or not inspect.isfunction(method) or accepts(method):
            continue
        own = name in vars(kind)
        if not own and _is_for_heirs(method):
            continue
        if free:
            setattr(kind, name, staticmethod(_wrap(method)) if own else _Free(kind, name, method))
            continue
        wrapped = _wrap(method, None if own else _inherited(kind, name))
        setattr(kind, name, classmethod(wrapped) if bound else wrapped)


def _is_for_heirs(method: Callable[..., object]) -> bool:
    """Say whether *method* only stands for others: an abstract one, a protocol's constructor."""
    typing = method.__name__ == "_no_init_or_replace_init"
    return typing or bool(getattr(method, "__isabstractmethod__", False))


def _inherited(kind: type, name: str) -> Callable[..., Any]:
    """Return what calls the method that *kind* inherits: which, its heirs may decide."""

    def inherited(self: object, /, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it is
        return getattr(super(kind, self), name)(*args, **kwargs)  # pyright: ignore[reportUnknownArgumentType] - of whatever type

    return inherited


class _Free(_Static):
    """A static method that *kind* inherits; a call says nothing of heirs, but a look-up does."""

    def __init__(self, kind: type, name: str, method: Callable[..., Any]) -> None:
        super().__init__(_wrap(method))
        self._made = kind, name, method

    def __get__(self, instance: object, owner: type | None = None) -> Any:  # noqa: ANN401 - as above
        kind, name, method = self._made
        found: Any = getattr(super(kind, owner or type(instance)), name)  # pyright: ignore[reportUnknownArgumentType] - as above
        if found is method:
            return self.__func__
        return _wrap(found) if inspect.isfunction(found) and not accepts(found) else found

    def __reduce__(self) -> tuple[object, ...]:
        return _Free, self._made


def _wrap(function: Callable[..., Any], called: Callable[..., Any] | None = None) -> Any:  # noqa: ANN401 - of the same kind
    """Return *function* with the keyword, of the same kind, and without a way around it."""
    wrapper = functools.wraps(function)(like(function, called or function))
    del wrapper.__wrapped__  # Ray would look there for the signature
    signature = inspect.signature(function)
    setattr(wrapper, "__signature__", _extended(signature))  # noqa: B010 - functions have it
    setattr(wrapper, _DECORATOR, _with_carrier)
    return wrapper


def _extended(signature: inspect.Signature) -> inspect.Signature:
    keyword = inspect.Parameter(KEYWORD, inspect.Parameter.KEYWORD_ONLY, default=None)
    parameters = list(signature.parameters.values())
    rest = bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD
    parameters.insert(len(parameters) - rest, keyword)
    return signature.replace(parameters=parameters)


def _with_carrier(invoke: Invoke) -> Invoke:
    """Wrap what Ray calls with the arguments of a call."""

    def invoke_inside(args: Sequence[Any], kwargs: Mapping[str, Any] | None) -> object:
        return invoke(args, {**keywords(), **(kwargs or {})})

    return invoke_inside


def keywords() -> dict[str, Any]:
    """Return the keyword that carries what is current; nothing if there is nothing.

    Calls of methods and tasks have it by themselves. A constructor needs it where it opens spans:
    ``Worker.remote(model, **telewright.ray.keywords())``.
    """
    try:
        here = carrier()
        return {KEYWORD: {**cluster_variables(), **here}} if here else {}
    except Exception:
        failed("carry to Ray")
        return {}


def call(remote: Remote[P, R_co], /, *args: P.args, **kwargs: P.kwargs) -> R_co:
    """Call *remote*, whatever it is: with a carrier where it takes one, and without where not.

    It is for code that dispatches to methods that others wrote, and for drivers that reach Ray
    through Ray Client, which knows no decorators of calls. What takes no carrier is called as it
    is, and named once in the log.
    """
    if _through_client():
        return _call_through_client(remote, args, kwargs)  # type: ignore[no-any-return]  # the same
    try:
        kind = getattr(remote, "__ray_actor_class__", None)
        constructor = None if kind is None else kind.__init__
        if constructor is None:
            if getattr(remote, "_decorator", _with_carrier) is not _with_carrier:
                _warn(remote)
        elif accepts(constructor):
            kwargs.update(keywords())
        elif inspect.isfunction(constructor):
            _warn(remote)
    except Exception:
        failed("prepare a call through Ray")
    return remote.remote(*args, **kwargs)


def _through_client() -> bool:
    """Say whether Ray is somewhere else, behind ``ray://``."""
    try:
        client: Any = sys.modules.get("ray.util.client")
        return client is not None and bool(client.ray.is_connected())
    except Exception:
        failed("look for Ray Client")
        return False


def _call_through_client(
    remote: Any,  # noqa: ANN401 - as for `call`
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:  # noqa: ANN401 - what it returns
    """Call *remote* with the keyword; its signature is held against that before anything is sent.

    A call that does not fit is made without, and may be as wrong as before.
    """
    brought = keywords()
    if brought:
        try:
            return remote.remote(*args, **{**brought, **kwargs})
        except TypeError:
            pass
    answer = remote.remote(*args, **kwargs)
    if brought:
        _warn(remote)
    return answer


def _warn(remote: object) -> None:
    name = getattr(remote, "_method_name", None) or getattr(remote, "_function_name", None)
    name = str(name or getattr(remote, "__name__", type(remote).__name__))
    if name not in _WARNED and carrier():
        _WARNED.add(name)
        say(f"{name} takes no carrier: what it does joins no trace. Decorate it with carried")
