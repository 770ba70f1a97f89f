"""Names that are nearly the same, and probably mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import declared
from telewright_codegen.resolve.names import without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.lint.walk import Named
    from telewright_codegen.model.registry import Registry

_SHORT: Final = {
    "attr": "attribute",
    "cfg": "config",
    "chkpt": "checkpoint",
    "ckpt": "checkpoint",
    "cnt": "count",
    "config": "configuration",
    "dur": "duration",
    "env": "environment",
    "err": "error",
    "exec": "execution",
    "gen": "generation",
    "gens": "generation",
    "iter": "iteration",
    "iters": "iteration",
    "len": "length",
    "mem": "memory",
    "msg": "message",
    "num": "count",
    "req": "request",
    "resp": "response",
    "srv": "server",
    "usage": "used",
}
"""Two spellings of one word."""


@rule("TW223", "same-words", severity=Severity.WARNING)
def same_words(subject: Subject) -> Iterator[Finding]:
    """Two names of one kind are not made of the same words in another order or spelling."""
    seen: dict[tuple[str, tuple[str, ...]], Named] = {}
    for registry in reversed(subject.visible()):
        for named in declared(registry):
            key = (named.kind, _key(_bare(named, registry)))
            former = seen.setdefault(key, named)
            if former.name == named.name or registry is not subject.registry:
                continue
            if _folded(former.name) == _folded(named.name):
                continue
            yield Finding(
                (named.item, former.item),
                named.place,
                f"{named.kind}s `{former.name}` and `{named.name}` are made of the same words",
                "easily taken for the other",
                help="use one of them for both, or name what differs",
                secondary=(Label(former.place, "the other one"),),
            )


def _bare(named: Named, registry: Registry) -> str:
    """Return the name of an attribute below the shortest of its registry's namespaces.

    Where `gym` and `nemo.gym` are both namespaces of `gym`, what is in one is as in the other.
    """
    for space in registry.spec.namespaces:
        if named.kind == "attribute" and space.endswith(f".{registry.name}"):
            rest = without(named.name, [space])
            if rest != named.name:
                return f"{registry.name}.{rest}"
    return named.name


def _key(name: str) -> tuple[str, ...]:
    words = name.replace(".", "_").replace("{", "").replace("}", "").split("_")
    return tuple(sorted(_stem(word) for word in words))


def _stem(word: str) -> str:
    word = _SHORT.get(word, word)
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")  # noqa: PLR2004  "gas" is none
    return word[:-1] if is_plural else word


def _folded(name: str) -> str:
    return name.replace(".", "").replace("_", "")
