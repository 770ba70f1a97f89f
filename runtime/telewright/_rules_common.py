"""The shapes of secrets that no vendor owns: hashes of passwords, key files, headers.

In the examples the secret stands between `«` and `»`; they are fakes, and the tests read them.
"""

from __future__ import annotations

import base64
from typing import Final

from telewright._rules import Rule, basic, bearer, cut

_FAKE: Final = "Fake0" * 20
_HEX: Final = "fa4e" * 20
_LOGIN: Final = base64.b64encode(b"user:" + _FAKE[:12].encode()).decode()

COMMON: Final = (
    Rule(
        "password_hash",
        ("$",),
        (
            r"\$(?<![A-Za-z0-9$].)(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{20,53}|argon2(?:id|i"
            r"|d)\$[\w=,$+/.-]{20,}|[1567y]\$[\w=,$./-]{20,}|scrypt\$[\w=,$+/.-]{20,}"
            r"|apr1\$[\w./]{1,16}\$[\w./]{20,}|pbkdf2(?:-\w{1,8})?\$[\w=,$+/.-]{20,})"
        ),
        hits=(
            f"hash «$2b$12${_FAKE[:53]}»",
            f"«$6$salt0000${_FAKE[:60]}»",
            f"bob:«$apr1$abcd${_FAKE[:22]}»",
        ),
        misses=("$1.50", "cost $2,000", "$5 off", "$apr1$"),
    ),
    Rule(
        "password_hash",
        ("pbkdf2", "scrypt:", "bcrypt_sha256$", "SCRAM-SHA-"),
        (
            r"(?<![A-Za-z0-9$])(?:pbkdf2[_:][\w:]{3,24}\$[\w=$+/.]{20,}|scrypt:[\d:]{3,24}\$[\w$+/.]{20,}"
            r"|bcrypt_sha256\$\$[\w$./]{20,}|SCRAM-SHA-\d{1,3}\$\d{3,7}:[\w+/=$:]{20,})"
        ),
        hits=(
            f"«pbkdf2_sha256$260000$salt${_FAKE[:43]}=»",
            f"«pbkdf2:sha256:600000$salt${_HEX[:64]}»",
            f"«scrypt:32768:8:1$salt${_HEX[:64]}»",
            f"«SCRAM-SHA-256$4096:c2FsdA==${_FAKE[:43]}=:{_FAKE[:43]}=»",
        ),
        misses=("pbkdf2_sha256", "scrypt:32768:8:1", "SCRAM-SHA-256 is on"),
    ),
    Rule(
        "password_hash",
        ("{S", "{M", "{C", "{P"),
        r"\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2(?:-SHA\d{1,3})?)\}[A-Za-z0-9+/=$.]{16,}",
        hits=(f"userPassword: «{{SSHA}}{_FAKE[:32]}»", f"bob:«{{SHA}}{_FAKE[:27]}=»"),
        misses=("{SHA}", "{MODEL}", "{SHA}short"),
    ),
    Rule(
        "private_key",
        ("Private-Lines:",),
        (
            r"Private-Lines: \d{1,3}(?:\\[rn]|\s)+"
            r"((?:[A-Za-z0-9+/=]{16,80}(?:(?:\\[rn]|[\r\n])+|\Z))+)"
        ),
        hits=(f"Private-Lines: 1\n«{_FAKE[:64]}\n{_FAKE[:20]}»",),
        misses=("Private-Lines: 3", "Private-Lines: 3\nshort"),
        group=1,
    ),
    Rule(
        "fernet_key",
        ("fernet", "Fernet", "FERNET"),
        r"(?:fernet|Fernet|FERNET)[\w .\[\]()>-]{0,24}[(=:'\"\sb]{1,8}([A-Za-z0-9_-]{43}=)",
        hits=(f"Fernet(b'«{_FAKE[:43]}=»')", f"fernet: «{_FAKE[:43]}=»"),
        misses=("Fernet(key)", "from cryptography.fernet import Fernet", "fernet: abc="),
        group=1,
    ),
    Rule(
        "cut_token",
        ("gh", "sk-", "nvapi-", "glpat-", "xox", "AKIA", "ASIA", "hvs."),
        (
            r"(?<![A-Za-z0-9])(?:gh[opsur]_|github_pat_|sk-(?:proj|ant|or|svcacct)-|nvapi-|glpat-"
            r"|xox[a-z]-|A[KS]IA(?=[A-Z0-9]+\Z)|hvs\.)([A-Za-z0-9_-]{6,})\Z"
        ),
        hits=(
            f"cut «ghp_{_FAKE[:9]}»",
            f"cut «sk-proj-{_FAKE[:7]}»",
            "cut «AKIAFAKEFAKE»",
            "cut «glpat-fakeFake»",
            "cut «ghp_fake12ab»",
        ),
        misses=("ghp_pages_index", "nvapi-documents", "sk-proj-example", "AKIAvellir"),
        check=cut,
    ),
    Rule(
        "bearer",
        ("bearer",),
        r"(?<![A-Za-z0-9_])bearer[\s:,]{1,4}[\"']?([A-Za-z0-9._~+/=:-]{6,})",
        hits=(f"Bearer «{_FAKE[:40]}»", f"header: bearer «{_HEX[:32]}»"),
        misses=("Bearer token is missing", "kind=bearer", "the bearer of news"),
        group=1,
        check=bearer,
        folds=True,
    ),
    Rule(
        "basic_auth",
        ("basic",),
        r"(?<![A-Za-z0-9_])basic[ \t]{1,4}([A-Za-z0-9+/_-]{6,}={0,2})",
        hits=(f"Basic «{_LOGIN}»", f"cut: Basic «{_LOGIN[:21]}»"),
        misses=("basic training", "Basic authentication failed"),
        group=1,
        check=basic,
        folds=True,
    ),
)
"""Of two that overlap, the one that begins first names the marker."""
