"""Wrappers whose signature is the wrapped function's, parameter for parameter."""

from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FunctionType
    from typing import Final

_STAR: Final = 0x04  # inspect.CO_VARARGS, without importing it
_STARS: Final = 0x08  # inspect.CO_VARKEYWORDS


def wrap(function: FunctionType, body: str, names: dict[str, object]) -> FunctionType:
    """Compile *body* behind the signature of *function*.

    Args:
        function: What is wrapped.
        body: Source, in which ``{call}`` calls *function* with its own arguments.
        names: What else *body* may name.
    """
    parameters, arguments = _signature(function)
    names["_tw_call"] = function
    keyword, rest = ("async def", body[6:]) if body.startswith("async ") else ("def", body)
    call = f"_tw_call({arguments})"
    source = f"{keyword} wrapper({parameters}):{rest.replace('{call}', call)}"
    # Names of parameters are identifiers, and nothing else of the source is not ours.
    exec(compile(source, f"<traced {function.__qualname__}>", "exec"), names)  # noqa: S102 - see above
    made: FunctionType = functools.wraps(function)(names["wrapper"])  # type: ignore[arg-type, assignment]  # pyright: ignore[reportArgumentType, reportAssignmentType] - it is a function, as made above
    if function.__defaults__:  # assigning, even None, takes the call out of CPython's fast path
        made.__defaults__ = function.__defaults__
    if function.__kwdefaults__:
        made.__kwdefaults__ = function.__kwdefaults__
    return made


def _signature(function: FunctionType) -> tuple[str, str]:
    """Return parameters and arguments as source; a default is a placeholder for the real one."""
    code, optional = function.__code__, function.__kwdefaults__ or {}
    positional = code.co_varnames[: code.co_argcount]
    after = code.co_argcount + code.co_kwonlyargcount
    keywords, rest = code.co_varnames[code.co_argcount : after], list(code.co_varnames[after:])
    required = code.co_argcount - len(function.__defaults__ or ())
    parameters = [
        name if place < required else f"{name}=None" for place, name in enumerate(positional)
    ]
    arguments = list(positional)
    if code.co_posonlyargcount:
        parameters.insert(code.co_posonlyargcount, "/")
    if code.co_flags & _STAR:
        parameters.append(f"*{rest[0]}")
        arguments.append(f"*{rest.pop(0)}")
    elif keywords:
        parameters.append("*")
    parameters += [f"{name}=None" if name in optional else name for name in keywords]
    arguments += [f"{name}={name}" for name in keywords]
    if code.co_flags & _STARS:
        parameters.append(f"**{rest[0]}")
        arguments.append(f"**{rest[0]}")
    return ", ".join(parameters), ", ".join(arguments)
