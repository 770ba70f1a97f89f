"""Passwords given to programs, servers and functions in the ways of their own.

Each way is a pattern whose first group is the secret. Between a flag and its value may stand what
stands there in a shell, in a list of arguments and in the text of such a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright._rules import Hints, compiled
from telewright._scan_pairs import Found
from telewright._scan_shapes import harmless, password_like, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_GAP: Final = r"[\s=\"',]{1,4}"
"""Between a flag and its value."""
_VALUE: Final = r"([^\s\"'-][^\s\"']{2,})"
_ANY: Final = r"([^\s\"']{2,256})"
_STRING: Final = r"b?[\"']([^\"'\n]{1,256})[\"']"


def _always(_text: str) -> bool:
    return True


def _chosen(text: str) -> bool:
    return password_like(text) or (any(map(str.isdigit, text)) and any(map(str.isalpha, text)))


def _signed(text: str) -> bool:
    return password_like(text) and not text.replace("-", "").replace("_", "").isalnum()


def _said(text: str) -> bool:
    return not status(text)


_COMMANDS: Final[tuple[tuple[tuple[str, ...], str, Callable[[str], bool]], ...]] = (
    (
        ("-u", "-user"),
        rf"(?:(?<!\w)-u|--user|--proxy-user){_GAP}[^\s:\"']{{0,64}}:(?!\d+\b)([^\s\"']{{3,}})",
        _chosen,
    ),
    (
        ("curl", "wget", "lftp"),
        (
            r"\b(?:curl|wget|lftp)\b[^\n|;]{0,96}?[\s\"'](?:-u|--user|--proxy-user)"
            r"[\s=\"',]{0,4}[^\s:\"']{0,64}:(?!\d+\b)([^\s\"']{3,})"
        ),
        _always,
    ),
    (
        ("mysql", "maria", "sshpass", "plink", "putty", "7z", "zip", "smbmap", "crackmap"),
        (
            r"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|sshpass|plink|putty|7z|7za|zip"
            r"|unzip|smbmap|crackmapexec)\b[^\n|;&]{0,160}?[\s\"']-(?:pw?|P(?!\s?\d{1,5}\b)) ?"
            rf"(?:[\"']{{1,2}}(?:, ?[\"'])?)?{_VALUE}"
        ),
        _always,
    ),
    (
        ("login",),
        (
            r"\b(?:docker|podman|nerdctl|helm|skopeo|oras|crane|buildah|az|oc|cf|argocd)"
            r"[\s\"',]{1,4}(?:registry[\s\"',]{1,4})?login\b"
            rf"[^\n|;]{{0,160}}?[\s\"']-p[\s=\"',]{{0,4}}{_VALUE}"
        ),
        _always,
    ),
    (
        ("auth", "Auth"),
        (
            r"(?:auth\s{0,4}[=:]\s{0,4}|Auth)\(\s{0,4}b?[\"'][^\"'\n]{0,128}[\"']"
            rf"\s{{0,4}},\s{{0,4}}{_STRING}"
        ),
        _always,
    ),
    (
        ("login(",),
        rf"\blogin\(\s{{0,4}}(?:[\"'][^\"'\n]{{1,128}}[\"']|[\w.]{{1,64}})\s{{0,4}},\s{{0,4}}{_STRING}",
        _always,
    ),
    (
        ("hmac", "jwt.", "AES.new(", "hashpw(", "checkpw("),
        (
            r"(?:\b(?:hmac|AES)\.new\(|(?:hash|check)pw\(|pbkdf2_hmac\([^,\n]{1,40},"
            rf"|\bjwt\.(?:en|de)code\([^()\"'\n]{{1,100}},)\s{{0,4}}{_STRING}"
        ),
        _always,
    ),
    (("-U",), r"(?<![\w-])-U ?[\w.\\@-]{1,64}%([^\s\"']{3,})", _always),
    (
        ("redis-cli", "valkey-cli"),
        rf"(?:redis|valkey)-cli\b[^\n|;]{{0,160}}?\s(?:-a|--pass)[ =]?[\"']?{_VALUE}",
        _always,
    ),
    (
        ("openssl", "ldap"),
        (
            r"\b(?:openssl|ldap\w+)\b[^\n|;]{0,160}?\s(?:-k|-w|-pass(?:in|out)? pass:) ?"
            rf"[\"']?{_VALUE}"
        ),
        _always,
    ),
    ((":5432:",), r"[\w.*-]{1,64}:5432:[\w*-]{1,64}:[\w*-]{1,64}:(\S{4,128})", _always),
    (("Secret",), r"Secret(?:Str|Bytes|Value)\(b?['\"]([^'\"*]{1,256})['\"]\)", _always),
    (
        ("AUTH",),
        r"AUTH(?<!\wAUTH)[ \t]+(?:[A-Za-z][\w-]{0,31}[ \t]+)?([^\s\"']{4,})",
        password_like,
    ),
    (("AUTH",), r"(?:\A|\n|HELLO \d )[ \t]*AUTH[ \t]+(?:default[ \t]+)?([^\s\"']{4,})", _chosen),
    (("AUTH default",), r"AUTH default[ \t]+([^\s\"']{2,})", _said),
    (("AUTH PLAIN",), r"AUTH PLAIN[ \t]+([A-Za-z0-9+/]{8,}={0,2})", _always),
    (("SETUSER",), r"SETUSER[ \t]+\S{1,64}[^\n>]{0,120}[ \t][>#]([^\s\"']{2,})", _always),
    (("requirepass", "masterauth"), rf"(?:requirepass|masterauth)[ \t]+[\"']?{_ANY}", _always),
    (
        ("login", "default"),
        (
            r"\b(?:login[ \t\n]{1,4}\S{1,64}|default)[ \t\n]{1,4}(?:account[ \t\n]{1,4}\S{1,64}"
            r"[ \t\n]{1,4})?password[ \t\n]{1,4}(\S{3,})"
        ),
        _said,
    ),
    (
        ("IDENTIFIED", "identified", "PASSWORD", "password", "Password"),
        (
            r"(?:(?i:identified)\s{1,4}(?i:by)|PASSWORD|password|Password)\s{1,4}"
            r"(?:as\s{1,4}|AS\s{1,4})?'([^']{1,256})'"
        ),
        _always,
    ),
    (("PASSWORD(", "password("), r"(?:PASSWORD|password)\(\s{0,4}'([^']{1,256})'", _always),
    (
        ("crypt(", "CRYPT(", "_sym_", "_SYM_"),
        (r"(?i:aes_(?:en|de)crypt|pgp_sym_(?:en|de)crypt)\([^()']{1,120},\s{0,4}'([^']{1,256})'"),
        _always,
    ),
    (("from-literal",), r"from-literal[ =][\"']?[\w.\-]{1,64}=([^\s\"']{1,1024})", _always),
    (
        ("chpasswd",),
        r"[\"'\s][\w.-]{1,32}:([^\s\"'|:]{2,128})[\"']?\s{0,2}\|\s{0,2}(?:sudo )?chpasswd",
        _always,
    ),
    (
        ("-stdin", "sudo -S", "with-token", "passphrase-fd"),
        (
            r"\b(?:echo|printf)\s{1,2}(?:-n\s{1,2}|[\"']?%s(?:\\n)?[\"']?\s{1,2})?[\"']?"
            r"([^\s\"'|$(]{2,256})[\"']?\s{0,2}\|[^\n|]{0,120}?"
            r"(?:password-stdin|sudo -S|with-token|passphrase-fd|token-stdin)"
        ),
        _always,
    ),
    (("net user ",), r"\bnet user \S{1,64} ([^\s/*][^\s]{2,127})(?= /add|\s*\Z|\n)", _always),
    (
        ("net use ",),
        r"\bnet use [^\n|;]{1,80}?\\\S{1,64} ([^\s/*:][^\s]{2,127}) /(?:user|USER):",
        _always,
    ),
    (
        (":thin:", "sqlplus", "expdp", "impdp"),
        (
            r"(?::thin:|\b(?:sqlplus|expdp|impdp)\s{1,2}(?:-\w{1,2}\s{1,2}){0,2}[\"']?)"
            r"[\w$#-]{1,64}/([^\s@/\"']{1,128})@"
        ),
        _always,
    ),
    (
        ("pass",),
        (
            r"(?<!\w)(?:user(?:name|id)?|login|usr|uid|account)[\"']?\s{0,2}[=:]\s{0,2}[\"']?"
            r"[^\s,;&\"'=:]{1,64}[\"']?[\s,;&|]{1,3}[\"']?pass[\"']?\s{0,2}[=:]\s{0,2}[\"']?"
            r"([^\s\"',;&]{2,128})"
        ),
        _said,
    ),
    (
        ("login", "Login", "redential", "logon", "Logon"),
        (
            r"\b(?:[Ll]ogin|[Ll]ogon|[Cc]redentials?)\b[^\n/:]{0,24}?\b[\w.@-]{1,64} ?[/:] ?"
            r"([^\s\"'/]{8,64})"
        ),
        _signed,
    ),
)
_HINTS: Final = Hints(hints for hints, _, _ in _COMMANDS)
_MOST_ARGUMENTS: Final = 256


def commands(text: str) -> Iterator[Found]:
    """Yield passwords given to programs and servers in the ways of their own."""
    for number in sorted(_HINTS.within(text)):
        _, pattern, check = _COMMANDS[number]
        for match in compiled(pattern, folds=False).finditer(text):
            value = match.group(1).rstrip(".")
            if check(value) and not harmless(value):
                yield Found(match.start(1), match.start(1) + len(value), "command_secret")


def arguments(values: Sequence[object]) -> dict[int, list[Found]]:
    """Return what `commands` finds in a list of arguments, in order, by the number of the element.

    >>> arguments(["mysql", "-phunter2", "db"])
    {1: [Found(start=2, end=9, rule='command_secret')]}
    """
    found: dict[int, list[Found]] = {}
    texts = [one if isinstance(one, str) else "" for one in values[:_MOST_ARGUMENTS]]
    done = 0
    for start, end, rule in sorted(commands(" ".join(texts))):
        begin, at = max(start, done), 0  # what two ways find is taken once
        done = max(end, done)
        for number, text in enumerate(texts):
            if at <= begin < end <= at + len(text):
                found.setdefault(number, []).append(Found(begin - at, end - at, rule))
            at += len(text) + 1
    return found
