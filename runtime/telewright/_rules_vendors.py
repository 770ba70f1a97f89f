"""The shapes by which vendors' secrets are known, each with what it must and must not hit.

In the examples the secret stands between `«` and `»`; they are fakes, and the tests read them.
"""

from __future__ import annotations

import base64
from typing import Final

from telewright._rules import Rule, drawn, generated

_FAKE: Final = "Fake0" * 12
_HEX: Final = "fa4e" * 16
_NGC: Final = b"fake" * 6 + b"fa:00000000-0000-4000-8000-000000000000"
_UPPER: Final = "FAKE0" * 12


def _hints(words: str) -> tuple[str, ...]:
    return tuple(words.split())


VENDORS: Final = (
    Rule(
        "huggingface",
        ("hf_", "api_org_"),
        r"(?<![A-Za-z0-9])(?:hf|api_org)_(?:[A-Za-z0-9]{16,}|[A-Za-z0-9]{6,}\Z)",
        hits=(
            f"login with «hf_{_FAKE[:34]}» now",
            f"HF_TOKEN=«hf_{_FAKE[:34]}»",
            f"cut «hf_{_FAKE[:9]}»",
            "«hf_FakeFakeFakeFake» has no digits",
        ),
        misses=("hf_hub_download", "hf_transfer", "use hf_datasets", "hf_HUBDOWNLOADTRANSFER x"),
        check=generated,
    ),
    Rule(
        "nvidia",
        ("nvapi-", "nvapi_"),
        r"(?<![A-Za-z0-9])nvapi[-_][A-Za-z0-9_-]{10,}",
        hits=(f"key «nvapi-{_FAKE}»",),
        misses=("nvapi-docs", "nvapi-", "nvapi-documentation"),
        check=generated,
    ),
    Rule(
        "ngc",
        (":",),
        (
            r"[a-z0-9](?<![A-Za-z0-9].)[a-z0-9]{25}:[a-z0-9]{8}"
            r"(?:-[a-z0-9]{4}){3}-[a-z0-9]{12}(?![A-Za-z0-9])"
        ),
        hits=(f"«{base64.b64encode(_NGC).decode()}»",),
        misses=("QUJD" * 21, _HEX),
    ),
    Rule(
        "wandb",
        ("wandb_v1_",),
        r"(?<![A-Za-z0-9])wandb_v1_[A-Za-z0-9_]{20,}",
        hits=(f"«wandb_v1_{_FAKE}»",),
        misses=("wandb.project", "wandb_v1_x"),
    ),
    Rule(
        "wandb",
        ("wandb",),
        r"\bwandb[\w .:=/,\"'-]{1,60}?(?<![0-9a-f])([0-9a-f]{40})(?![0-9a-f])",
        hits=(f"wandb login «{_HEX[:40]}»",),
        misses=(f"git {_HEX[:40]}", f"wandb {_HEX}"),
        group=1,
        folds=True,
    ),
    Rule(
        "aws_pair",
        ("AKIA", "ASIA"),
        r"(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}[\s:/,;|\"']{1,4}[A-Za-z0-9+/]{38,}={0,2}",
        hits=(f"creds «AKIA{_UPPER[:16]}:{_FAKE[:40]}»",),
        misses=(f"AKIA{_UPPER[:4]} {_FAKE[:40]}",),
    ),
    Rule(
        "aws_key_id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"(?<![A-Za-z0-9])(?:AKIA[A-Z0-9]{8,16}|(?:ASIA|ABIA|ACCA)[A-Z0-9]{16})(?![A-Za-z0-9])",
        hits=(f"as «AKIA{_UPPER[:16]}»", f"«ASIA{_UPPER[:16]}»/20260101/eu"),
        misses=("AKIAvellir", "ASIAN_ELEPHANT"),
    ),
    Rule(
        "github",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{20,})",
        hits=(
            f"«ghp_{_FAKE[:36]}»",
            f"git «ghs_{_FAKE[:36]}», then",
            f"«github_pat_{_FAKE[:22]}_{_FAKE}»",
        ),
        misses=("ghp_token", "github_path", "ghs_", "ghs_repository"),
        check=generated,
    ),
    Rule(
        "gitlab",
        ("gl",),
        (
            r"(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct"
            r"|trt)-[A-Za-z0-9_.-]{16,}"
        ),
        hits=(f"«glpat-{_FAKE[:20]}»", f"«glrt-{_FAKE[:20]}»"),
        misses=("glpat-", "gl-render"),
    ),
    Rule(
        "slack",
        ("xox", "xapp-"),
        r"(?<![A-Za-z0-9])x(?:ox[a-z](?:\.xox[a-z])?|app)-[A-Za-z0-9-]{10,}",
        hits=(
            f"token «xoxb-000000000000-000000000000-{_FAKE[:24]}»",
            f"«xapp-1-{_UPPER[:11]}-{_FAKE[:30]}»",
        ),
        misses=("xox-game", "xapp-"),
    ),
    Rule(
        "webhook",
        ("hooks.slack.com/", "/api/webhooks/", "webhook.office.com/", "hooks.zapier.com/"),
        (
            r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|/api/webhooks"
            r"|webhook\.office\.com/webhookb2|hooks\.zapier\.com/hooks/catch)/([\w@/.-]{8,})"
        ),
        hits=(
            f"https://hooks.slack.com/services/«T00000000/B00000000/{_FAKE[:24]}»",
            f"https://discord.com/api/webhooks/«1234567890/{_FAKE}»",
        ),
        misses=("https://hooks.slack.com/services/", "https://api.slack.com/messaging/webhooks"),
        group=1,
    ),
    Rule(
        "openai",
        ("sk-",),
        (
            r"(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|ant|or|lf|None"
            r"|service)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,})"
        ),
        hits=(
            f"Incorrect API key provided: «sk-proj-{_FAKE}».",
            f"«sk-{_FAKE[:48]}»",
            f"«sk-ant-api03-{_FAKE}»",
            f"«sk-or-v1-{_HEX}»",
        ),
        misses=("sk-learn", "sk-learn-pipeline-for-classification", "task-sk-1"),
    ),
    Rule(
        "model_key",
        _hints("gsk_ xai- pplx- r8_ fw_ lsv2_ tvly- pcsk_ csk- jina_ cpk_ tgp_v1_ e2b_ fc-"),
        (
            r"(?<![A-Za-z0-9])(?:gsk_|xai-|pplx-|r8_|fw_|lsv2_(?:pt|sk)_|tvly-(?:dev-"
            r"|prod-)?|pcsk_|csk-|jina_|cpk_|tgp_v1_)[A-Za-z0-9_]{20,}"
            r"|(?<![A-Za-z0-9])(?:e2b_[0-9a-f]{40}|fc-[0-9a-f]{32})(?![A-Za-z0-9])"
        ),
        hits=(
            f"«gsk_{_FAKE[:52]}»",
            f"«r8_{_FAKE[:37]}»",
            f"«lsv2_pt_{_HEX[:32]}_{_HEX[:10]}»",
            f"«xai-{_FAKE}»",
        ),
        misses=("fw_update_rate", "r8_tensor", "xai-explanations"),
    ),
    Rule(
        "google",
        ("AIza", "ya29.", "GOCSPX-", "1//0"),
        (
            r"(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}"
            r"|GOCSPX-[A-Za-z0-9_-]{16,}|1//0[A-Za-z0-9_-]{20,})"
        ),
        hits=(f"?key=«AIza{_FAKE[:35]}»&x=1", f"«ya29.{_FAKE}»", f"«GOCSPX-{_FAKE[:28]}»"),
        misses=("AIza", "1//0.5", "ya29"),
    ),
    Rule(
        "stripe",
        ("_live_", "_test_", "whsec_", "FLWSECK", "access_token$"),
        (
            r"(?<![A-Za-z0-9])(?:(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}"
            r"|rzp_(?:live|test)_[A-Za-z0-9]{14,}|FLWSECK(?:_TEST)?-[A-Za-z0-9-]{16,}"
            r"|access_token\$\w{4,12}\$\w{16}\$[0-9a-f]{32})"
        ),
        hits=(f"«sk_live_{_FAKE[:24]}»", f"«rk_test_{_FAKE[:24]}»", f"«whsec_{_FAKE[:32]}»"),
        misses=("task_test_case", "pk_live_"),
    ),
    Rule(
        "twilio",
        ("SK",),
        r"(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])",
        hits=(f"«SK{_HEX[:32]}»",),
        misses=("SKU0001", f"SK{_HEX[:8]}"),
    ),
    Rule(
        "mail_service",
        ("SG.", "key-", "-us", "xkeysib-"),
        (
            r"(?<![A-Za-z0-9])(?:xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}"
            r"|key-[0-9a-f]{32}(?![0-9a-f])|[0-9a-f]{32}-us\d{1,2}\b)"
        ),
        hits=(f"«SG.{_FAKE[:22]}.{_FAKE[:43]}»", f"«key-{_HEX[:32]}»", f"«{_HEX[:32]}-us12»"),
        misses=("SG.size", "key-value", "eu-us1"),
    ),
    Rule(
        "package_index",
        ("npm_", "pypi-", "rubygems_", "dckr_"),
        (
            r"(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{32,}"
            r"|rubygems_[0-9a-f]{32,}|dckr_[po]at_[A-Za-z0-9_-]{16,})"
        ),
        hits=(f"«npm_{_FAKE[:36]}»", f"«pypi-AgEI{_FAKE}»", f"«dckr_pat_{_FAKE[:27]}»"),
        misses=("npm_config_cache", "pypi-mirror"),
    ),
    Rule(
        "databricks",
        ("dapi", "dose"),
        r"(?<![A-Za-z0-9])(?:dapi|dose)[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])",
        hits=(f"«dapi{_HEX[:32]}»",),
        misses=("dapi", "dose_response"),
    ),
    Rule(
        "vault",
        ("hv", ".atlasv1."),
        (
            r"(?<![A-Za-z0-9.])(?:hv[sbr]\.[A-Za-z0-9_-]{16,}"
            r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{30,})"
        ),
        hits=(f"«hvs.{_FAKE}»", f"«{_FAKE[:14]}.atlasv1.{_FAKE}»"),
        misses=("hvs.size", "model.atlasv1.x"),
    ),
    Rule(
        "vault",
        ("s.",),
        r"s\.(?<![A-Za-z0-9._/-]..)[A-Za-z0-9]{24}(?![A-Za-z0-9._(])",
        hits=(f"token «s.{_FAKE[:24]}»",),
        misses=("s.PreTrainedTokenizerFastX", "args.PreTrainedTokenizerFast1"),
        check=drawn,
    ),
    Rule(
        "chat_bot",
        ("bot",),
        r"(?<=/bot)[0-9]{5,12}:[A-Za-z0-9_-]{20,}",
        hits=(f"https://api.telegram.org/bot«12345:{_FAKE[:24]}»/getMe",),
        misses=("/bot12:30", "/robot12345:x"),
    ),
    Rule(
        "chat_bot",
        (":",),
        r"[0-9](?<![0-9].)[0-9]{7,9}:[A-Za-z0-9_-]{33,40}(?![A-Za-z0-9_-])",
        hits=(f"https://api.telegram.org/bot«123456789:{_FAKE[:35]}»/getMe",),
        misses=("bot 12345678:00", "robot at 10:30"),
    ),
    Rule(
        "discord",
        (".",),
        (
            r"[MNO](?<![A-Za-z0-9_.-].)[A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]"
            r"{27,40}(?![A-Za-z0-9_-])"
        ),
        hits=(f"«M{_FAKE[:23]}.{_FAKE[:6]}.{_FAKE[:38]}»",),
        misses=("Model.layers.weight", "Mixtral8x7BInstructv01xxxx.config.json"),
    ),
    Rule(
        "monitoring",
        ("glsa_", "glc_", "eyJrIjoi", "NRAK-", "NRII-", "sntry", "hcaik_", "hcbik_", "dt0c01."),
        (
            r"(?<![A-Za-z0-9])(?:glsa_[A-Za-z0-9_]{20,}|(?:glc_|eyJrIjoi)[A-Za-z0-9+/=]{20,}|NR(?:AK"
            r"|II)-[A-Za-z0-9_-]{16,}|sntry[su]_[A-Za-z0-9+/=_-]{20,}"
            r"|hc[ab]ik_[a-z0-9]{24,}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{32,})"
        ),
        hits=(f"«glsa_{_FAKE[:32]}_fa4e0000»", f"«NRAK-{_UPPER[:27]}»"),
        misses=("glc_total", "NRAK-"),
    ),
    Rule(
        "cloud",
        (
            "dop_v1_",
            "doo_v1_",
            "LTAI",
            "tskey-",
            "pscale_",
            "sbp_",
            "sb_secret_",
            "cfat_",
            "FlyV1 ",
            "rnd_",
            "hrku-",
            "HRKU-",
            "AKID",
            "SCW",
            "EXO",
            "v1.0-",
            "vc",
            "dtn_",
        ),
        (
            r"(?<![A-Za-z0-9])(?:do[opr]_v1_[0-9a-f]{32,}|LTAI[A-Za-z0-9]{16,}"
            r"|tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}|pscale_(?:tkn|pw"
            r"|oauth)_[A-Za-z0-9_.-]{16,}|sbp_(?:v0_)?[0-9a-f]{32,}|sb_secret_[A-Za-z0-9_-]{16,}"
            r"|cfat_[A-Za-z0-9_-]{20,}|rnd_[A-Za-z0-9]{28,}|(?:hrku|HRKU)-[A-Za-z0-9_-]{30,}"
            r"|(?:AKID[A-Za-z0-9]{32}|SCW[A-Z0-9]{17}|EXO[0-9a-f]{24})(?![A-Za-z0-9])|v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"
            r"|vc[pairk]_[A-Za-z0-9]{24,}|dtn_[A-Za-z0-9]{40,})"
        ),
        hits=(f"«dop_v1_{_HEX}»", f"«tskey-auth-{_FAKE[:30]}»", f"«LTAI{_FAKE[:20]}»"),
        misses=("rnd_seed", "LTAI", "tskey-auth", "v1.0-rc", "vci_size", "AKIDS"),
    ),
    Rule(
        "work_tool",
        _hints(
            "ATATT3 ATCTT3 figd_ lin_api_ ntn_ PMAK- shp secret_ EAA sq0 dp. phx_ phc_ "
            "AGE-SECRET sgp_ ATBB amzn AAAA CLOJARS_"
        ),
        (
            r"(?<![A-Za-z0-9])(?:AT[AC]TT3[A-Za-z0-9_=-]{20,}|figd_[A-Za-z0-9_-]{20,}"
            r"|lin_api_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{40,}"
            r"|PMAK-[0-9a-f]{24}-[0-9a-f]{30,}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{24,}"
            r"|EAA[B-Z][A-Za-z0-9]{40,}|EAAA[A-Za-z0-9_-]{60,}"
            r"|ATBB[A-Za-z0-9]{28}[A-F0-9]{8}|amzn\.mws\.[0-9a-f-]{36}|CLOJARS_[0-9a-f]{60}"
            r"|amzn1\.oa2-cs\.v1\.[0-9a-f]{32,}|AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,}"
            r"|sgp_(?:[0-9a-z]{5,16}_)?[0-9a-f]{40}|sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}|dp\.(?:pt|st|ct"
            r"|sa)\.[A-Za-z0-9_.-]{30,}|ph[xc]_[A-Za-z0-9]{30,}"
            r"|AGE-SECRET-KEY-1[A-Z0-9]{40,})"
        ),
        hits=(
            f"«ATATT3{_FAKE}»",
            f"«figd_{_FAKE[:40]}»",
            f"«shpat_{_HEX[:32]}»",
            f"«lin_api_{_FAKE[:40]}»",
        ),
        misses=("secret_santa", "shp_file", "sq0"),
    ),
    Rule(
        "build_tool",
        _hints(
            "pul- oy2 bkua_ bkat_ CCIPAT_ CCIPRJ_ sqp_ squ_ sqa_ pnu_ pnb_ AKCp cmVmdGtuOj "
            "nfp_ fo1_ fm1 fm2_ rpa_ cio"
        ),
        (
            r"(?<![A-Za-z0-9])(?:pul-[0-9a-f]{40}|oy2[a-z0-9]{43}|bk(?:ua|at)_[0-9a-f]{32,}"
            r"|CCIP(?:AT|RJ)_[A-Za-z0-9_]{20,}|sq[pua]_[0-9a-f]{40}|pn[ub]_[A-Za-z0-9]{36}"
            r"|(?:AKCp[0-9]|cmVmdGtuOj)[A-Za-z0-9]{50,}|nfp_[A-Za-z0-9]{36,}|fo1_[A-Za-z0-9_-]{40,}"
            r"|fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}|rpa_[A-Z0-9]{40,}|cio[A-Za-z0-9]{32}(?![A-Za-z0-9]))"
        ),
        hits=(
            f"«pul-{_HEX[:40]}»",
            f"«bkua_{_HEX[:40]}»",
            f"«sqp_{_HEX[:40]}»",
            f"«nfp_{_FAKE[:40]}»",
        ),
        misses=("pul-request", "oy2", "sqp_total", "fm2_layer", "ciolkovski"),
    ),
    Rule(
        "app_key",
        ("CFPAT-", "pat", "ABSK", "Q~", "sk_", "re_", "sl.", "AQ.Ab", "pa-"),
        (
            r"(?<![A-Za-z0-9])(?:CFPAT-[A-Za-z0-9_-]{40,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"
            r"|pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ABSK[A-Za-z0-9+/]{90,}={0,2}"
            r"|[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}|sk_[0-9a-f]{48}|pa-[A-Za-z0-9_-]{43}"
            r"|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|sl\.[A-Za-z0-9_.-]{60,}|AQ\.Ab[A-Za-z0-9_-]{30,})"
            r"(?![A-Za-z0-9])"
        ),
        hits=(
            f"«CFPAT-{_FAKE[:43]}»",
            f"«pat{_FAKE[:14]}.{_HEX}»",
            f"«pat-na1-{_HEX[:8]}-{_HEX[:4]}-{_HEX[:4]}-{_HEX[:4]}-{_HEX[:12]}»",
            f"«Fak8Q~{_FAKE[:34]}»",
            f"«sk_{_HEX[:48]}»",
        ),
        misses=("patience.0", "sk_learn", "re_run_all", "sl.json", "pa-11y"),
    ),
)
"""Of two that overlap, the one that begins first names the marker."""
