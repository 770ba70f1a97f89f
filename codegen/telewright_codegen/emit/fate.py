"""What becomes of the values of an attribute, as every output says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.spec.common import Sensitivity

if TYPE_CHECKING:
    from telewright_codegen.model.signals import Attribute, Redact


def redaction(attribute: Attribute) -> Redact | int:
    """Return what is done to a value besides what its sensitivity asks for.

    Content is dropped unless a switch is on, which is not the same as an attribute whose spec
    says that it is always dropped.
    """
    if attribute.sensitivity is Sensitivity.CONTENT and attribute.spec.redact is None:
        return "keep"
    return attribute.redact
