"""Twenty secrets on twenty surfaces of a real run: redacted, none leaves; not redacted, most do."""

from __future__ import annotations

import pytest

from tests.runtime.redaction.canaries import KINDS, SURFACES, body, canary
from tests.runtime.redaction.runs import left, readable, texts

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("aiohttp")

_LEAST = 380
_EXPORTERS = pytest.mark.parametrize("exporter", ["file", "otlp"])
_DETECTORS = (
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "JwtTokenDetector",
    "KeywordDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "StripeDetector",
    "TwilioKeyDetector",
)
"""Those that look for shapes: entropy alone cannot tell an id from a secret."""


def _seen(text):
    """Return the pairs of kind and surface of which some part is in *text*."""
    read = readable(text).lower()
    return {
        (kind, surface)
        for kind in KINDS
        for surface in SURFACES
        if body(kind, surface).lower() in read
    }


@_EXPORTERS
def test_no_canary_leaves(exporter):
    """Of 400 secrets no part is in any exported byte, log line or file, decoded or not."""
    everything = left(exporter, "default")
    assert "kiln.pot" in everything
    assert "HTTP GET" in everything
    assert sorted(_seen(everything)) == []


@_EXPORTERS
def test_the_canaries_were_there(exporter):
    """With redaction off the same run shows at least 380 of them."""
    seen = _seen(left(exporter, "off"))
    missing = {surface for kind in KINDS for surface in SURFACES if (kind, surface) not in seen}
    assert len(seen) >= _LEAST, missing


def test_canaries_share_nothing():
    """The parts by which canaries are told apart are their own."""
    bodies = [body(kind, surface) for kind in KINDS for surface in SURFACES]
    assert len(set(bodies)) == len(KINDS) * len(SURFACES) == 400
    assert all(body(kind, 1) in canary(kind, 1) for kind in KINDS)


@pytest.mark.long
def test_kingfisher_agrees():
    """A scanner of others finds hundreds of secrets in the export, and none once redacted."""
    scanner = pytest.importorskip("kingfisher_sdk").Scanner()

    def found(redaction):
        return [one.rule_id for one in scanner.scan("\n".join(texts(left("file", redaction))))]

    assert len(found("off")) >= 200
    assert found("default") == []


def test_detect_secrets_agrees():
    """So does another."""
    pytest.importorskip("detect_secrets")
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import transient_settings

    def found(redaction):
        return [one.type for text in texts(left("file", redaction)) for one in scan_line(text)]

    with transient_settings({"plugins_used": [{"name": name} for name in _DETECTORS]}):
        assert len(found("off")) >= 100
        assert found("default") == []
