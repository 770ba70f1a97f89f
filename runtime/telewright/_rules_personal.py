"""The shapes by which people are known: addresses, numbers, and, if strict, paths and networks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from telewright._rules import Rule
from telewright._scan_shapes import iban, luhn

_FILES: Final = frozenset(
    [
        "yaml",
        "yml",
        "json",
        "py",
        "txt",
        "md",
        "pt",
        "sh",
        "cfg",
        "conf",
        "ini",
        "toml",
        "csv",
        "jsonl",
        "parquet",
        "log",
        "bin",
        "safetensors",
        "ckpt",
        "xml",
        "html",
        "js",
        "ts",
        "lock",
        "whl",
        "tar",
        "gz",
        "zip",
        "npy",
        "npz",
        "so",
        "pth",
        "onnx",
        "gguf",
        "local",
        "remote",
        "svc",
    ]
)
_ROLES: Final = frozenset({"git", "hg", "svn", "root", "ubuntu", "ec2-user"})


_FEWEST: Final = 9
_MOST: Final = 15


def _mail(text: str) -> bool:
    local, _, host = text.rpartition("@")
    return local not in _ROLES and host.rpartition(".")[2].lower() not in _FILES


@lru_cache(maxsize=1024)
def _card(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return luhn(digits) and len(set(digits)) > 1


def _public(text: str) -> bool:
    import ipaddress  # the strict profile alone needs it

    try:
        return not ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _dialled(text: str) -> bool:
    return _FEWEST <= sum(map(str.isdigit, text)) <= _MOST


def _named(text: str) -> bool:
    return text not in _ROLES


def _folder(text: str) -> bool:
    name = text.rstrip(".")
    return bool(name) and name.rpartition(".")[2] not in _FILES


def _bank(text: str) -> bool:
    return iban(text)


PERSONAL: Final = (
    Rule(
        "email",
        ("@",),
        (
            r"(?<![\w.%+@\\-])(?<!//)[\w%+][\w.%+-]{0,63}@"
            r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]"
            r"{2,24}(?![A-Za-z0-9_@=(-])"
        ),
        hits=(
            "user «jane.fake@example.com» logged in",
            "<«j+x@mail.example.org»>",
            "mail=«a_b@x.co».",
            "«jäne@exämple.com» wrote",
        ),
        misses=(
            "pass@1",
            "recall@10",
            "@ray.remote(num_gpus=1)",
            "git@github.com:example/repo.git",
            "pkg@1.2.3",
            "model@sha256:00",
            "b@r",
            "cfg@prod.yaml",
        ),
        check=_mail,
    ),
    Rule(
        "ssn",
        ("-",),
        r"\d(?<![\w.-].)\d\d-\d{2}-\d{4}(?![\w-])",
        hits=("ssn «000-00-0000»",),
        misses=("2026-01-02", "1000-00-00000", "550e8400-00-0000"),
    ),
    Rule(
        "card",
        ("4", "5", "2", "3", "6"),
        (
            r"[2-6](?<![\w.-].)(?:(?<=[46])\d{3}|(?<=5)[1-5]\d\d|(?<=2)[2-7]\d\d"
            r"|(?<=3)[47]\d\d)(?:[ -]?\d{4}){2}(?:[ -]?\d{4}|[ -]?\d{3}|\d)(?![\w-]|\.\d)"
        ),
        hits=(
            "paid with «4111 1111 1111 1111».",
            "«4111111111111111»",
            "«5500-0000-0000-0004»",
            "«378282246310005»",
        ),
        misses=("4111111111111112", "1789000000123456789", "4921837", "4111 4111 4111"),
        check=_card,
    ),
    Rule(
        "iban",
        ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        r"[A-Z](?<![\w-].)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])",
        hits=("to «GB82 WEST 1234 5698 7654 32»", "«DE89370400440532013000»"),
        misses=("AB12CDEF34567890", "GB82 WEST 1234 5698 7654 33"),
        check=_bank,
    ),
    Rule(
        "phone",
        ("+",),
        (
            r"\+(?<![\w+.-].)\d{1,3}(?:\d{9,12}|(?:[ .-]\(?\d{2,8}\)?){2,5}"
            r"|[ .-]?\(\d{2,4}\)[ .-]?\d{2,4}(?:[ .-]\d{2,4}){1,3})(?![\w-]|\.\d)"
        ),
        hits=("call «+1 555 010 9999»", "«+15550109999»", "«+44 20 7946 0000»", "«+49 30 901820»"),
        misses=("+1e-6", "+20.5", "++policy.lr=3", "+12 -5", "+10 20 30"),
        check=_dialled,
    ),
    Rule(
        "phone",
        ("phone", "tel", "call", "mobile"),
        (
            r"(?:phone|tel|call|mobile)\w{0,6}[:.=]?[ \"']{1,3}(\(?\d{3}\)?[ .-]\d{3}[ .-]"
            r"\d{4})(?!\d)"
        ),
        hits=("phone: «555-010-9999»", "call «(555) 010-9999»"),
        misses=("call 555-0100 times", "tel 10"),
        group=1,
        folds=True,
    ),
    Rule(
        "passport",
        ("passport",),
        r"passport(?:[ _](?:no|number|nr|id))?\.?[ #:=\"']{1,4}([a-z]{0,2}\d{6,9})(?!\w)",
        hits=("passport no. «123456789»", "passport: «AB1234567»"),
        misses=("passport 12", "passport_check=1"),
        group=1,
        folds=True,
    ),
    Rule(
        "birthday",
        ("birth", "dob"),
        (
            r"(?:\bdob|date[ _]of[ _]birth|birth[ _]?(?:date|day))[\"']?[ :=\"']{1,4}"
            r"(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})(?!\w)"
        ),
        hits=("date of birth: «1980-02-03»", "DOB «3/2/1980»"),
        misses=("date of birth: unknown", "adob 1-2-3"),
        group=1,
        folds=True,
    ),
    Rule(
        "home_path",
        (
            "/home/",
            "/Users/",
            "/users/",
            "/user/",
            "\\Users\\",
            "\\users\\",
            "\\home\\",
            "/scratch/",
            "/homes/",
        ),
        (
            r"(?:(?:/(?:home|homes|Users|users|user|scratch)(?=/))+/|\\{1,4}(?:Users|users"
            r"|home)\\{1,4})([^/\\\s:\"'<>,;)\]]{1,64})"
        ),
        hits=(
            "/home/«jfake»/x",
            "C:\\Users\\«jfake»\\cfg.yaml",
            "/lustre/fsw/portfolios/x/users/«jfake»/ckpt",
            "/scratch/users/«jfake»/r",
        ),
        misses=("/lustre/fsw/shared/ckpt", "/home/", "nemo_rl/users/model.py"),
        group=1,
        check=_folder,
        strict=True,
    ),
    Rule(
        "home_path",
        ("~",),
        r"(?<![\w~])~([A-Za-z_][\w.-]{0,31})(?=/)",
        hits=("~«jfake»/x",),
        misses=("~/x", "a~b"),
        group=1,
        strict=True,
    ),
    Rule(
        "address",
        (".",),
        r"\d(?<![\w.-].)\d{0,2}\.(?:\d{1,3}\.){2}\d{1,3}(?![\w-]|\.\d)",
        hits=("from «203.0.113.7»:80",),
        misses=("1.2.3", "127.0.0.1", "v1.2.3.4"),
        check=_public,
        strict=True,
    ),
    Rule(
        "address",
        (":",),
        r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){0,6}(?![\w:])",
        hits=("from «2001:db8::7»",),
        misses=("10:20:30", "00000000:3B:00.0"),
        check=_public,
        strict=True,
    ),
    Rule(
        "user",
        ("ssh", "scp", "sftp", "rsync"),
        r"\b(?:ssh|scp|sftp|rsync)\b[^\n|;@]{0,80}?[ \"']([A-Za-z_][\w-]{0,31})@[\w.-]",
        hits=("ssh «jfake»@node01", "rsync -a x «jfake»@h:y"),
        misses=("git@github.com:a/b", "ssh root@node01", "ssh node01"),
        group=1,
        check=_named,
        strict=True,
    ),
    Rule(
        "user",
        ("@",),
        r"(?<![\w.@/:-])([A-Za-z_][\w-]{0,31}+)@(?=[\w.-]{1,64}:[/~])",
        hits=("from «jfake»@node01:/data",),
        misses=("git@github.com:/a/b", "x@y", "pip install a@b"),
        group=1,
        check=_named,
        strict=True,
    ),
    Rule(
        "user",
        ("user",),
        (
            r"(?:\buser(?:name)?(?: ?[=:] ?[\"']?| [\"'])|\b(?:for|as|by) user )"
            r"([A-Za-z_][\w.-]{1,31})(?=\\{0,4}[\"']?(?:[,;)}\]\s]|\Z))"
        ),
        hits=("user=«jfake», group=x",),
        misses=("users 3", "user", "2 user defaults", "user asked twice"),
        group=1,
        check=_named,
        folds=True,
        strict=True,
    ),
)
