"""A generated package and a runtime that do not fit say so in one line."""

from __future__ import annotations

import re
from importlib.metadata import version

import pytest

import telewright
from telewright import _group
from telewright._group import VERSION
from telewright.base import requires


def test_the_version_is_that_of_the_distribution():
    """One number, whether asked of the package or of its metadata."""
    assert telewright.__version__ == VERSION == version("telewright")


@pytest.mark.parametrize("wanted", ["0", "0.0", "0.1", "0.1.0"])
def test_an_older_or_equal_version_fits(wanted):
    """What a package needs is the least."""
    requires(wanted, "acme.telemetry")
    _group.PACKAGES.remove("acme.telemetry")


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ("0.2", "pip install -U 'telewright>=0.2'"),
        ("0.1.1", "pip install -U 'telewright>=0.1.1'"),
        ("1.0", "pip install -U 'telewright>=1.0'"),
    ],
)
def test_a_newer_version_is_asked_for(wanted, advice):
    """The message names the package, the runtime found, and the command."""
    line = f"acme.telemetry needs telewright {wanted}.*found {VERSION}: {re.escape(advice)}"
    with pytest.raises(ImportError, match=line):
        requires(wanted, "acme.telemetry")


def test_another_major_version_does_not_fit(monkeypatch):
    """A newer runtime may have removed what the package imports."""
    monkeypatch.setattr(_group, "VERSION", "2.3.1")
    with pytest.raises(ImportError, match=re.escape("'telewright>=1.4,<2'")):
        requires("1.4", "acme.telemetry")
    requires("2.3", "acme.telemetry")
    _group.PACKAGES.remove("acme.telemetry")


def test_a_pre_release_counts_as_its_release(monkeypatch):
    """`1.2.0rc1` has what 1.2 has."""
    monkeypatch.setattr(_group, "VERSION", "1.2.0rc1")
    requires("1.2", "acme.telemetry")
    _group.PACKAGES.remove("acme.telemetry")
