"""What a name says about its value: a secret, content, a person, or nothing.

A name is split into words (case, `_`, `.`, `-`) and judged by its last words. Nothing here looks
for substrings, so `tokenizer`, `author`, `monkey` and `compass` are words like any other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Verdict = Literal["", "maybe", "secret", "cookie", "content", "prose", "person", "card", "user"]
"""`maybe`: a secret if the value is shaped like one. `prose`: content if the value is text.

`user` is a person only under the strict profile.
"""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_LONGEST: Final = 256

_SECRET: Final = _set(
    "password passwords passwd passwds pwd passphrase passphrases passcode passwort kennwort senha"
    " contrasena secret secrets credential credentials creds cred apikey apikeys apitoken authtoken"
    " accesstoken refreshtoken idtoken csrftoken xsrftoken sessiontoken bearertoken secretkey"
    " privatekey signingkey encryptionkey accesskey masterkey accountkey sharedkey authkey"
    " clientsecret csrf xsrf jwt authorization mnemonic otp totp hotp cvv cvc userpass dbpass"
    " sshkey hftoken githubtoken mysqlpwd pgpassword"
    " csrfmiddlewaretoken xapikey awssecretaccesskey sharedaccesskey"
    " sharedaccesssignature accountsas accesskeyid privkey psk storepass keypass wachtwoord heslo"
    " salasana lozinka",
)
_FOREIGN: Final = frozenset(
    [
        "contraseña",
        "hasło",
        "lösenord",
        "пароль",
        "\u043fapo\u043b\u044c",  # as it reads once lookalikes are Latin
        "密码",
        "密碼",
        "パスワード",
        "비밀번호",
    ]
)
_COOKIE: Final = _set("cookie cookies setcookie")
_MAYBE: Final = _set(
    "token key keys auth bearer signature sig hmac session sid sessionid jsessionid phpsessid"
    " sessid sess pass pw salt nonce ticket assertion pat pin sas license licence authentication",
)
_ACCESS: Final = _set(
    "access refresh auth authn oauth oauth2 id identity bearer api session security sts hf hub"
    " huggingface github gh gitlab gl bitbucket slack discord telegram twilio wandb comet neptune"
    " mlflow tracking ngc nvapi nvidia openai anthropic cohere mistral groq replicate together"
    " databricks snowflake dagster prefect airflow csrf xsrf sas jwt bot app application deploy"
    " deployment personal private secret service admin device push registration join cluster"
    " registry docker npm pypi vault consul nomad k8s kube kubernetes s aws gcp google azure"
    " cloudflare login sso saml web client root invite reset verification magic upload download"
    " webhook hook ray jupyter notebook dashboard sentry datadog dd honeycomb grafana lightstep"
    " otel exporter otlp newrelic splunk tailscale ngrok x account impersonation delegation"
    " provider git ci cd runner pages artifactory jfrog nexus sonar codecov stripe paypal square"
    " remember activation confirmation unsubscribe job",
)
_KEYED: Final = _ACCESS | _set(
    "signing sign encryption encrypt decryption decrypt master shared ssh rsa dsa ecdsa gpg pgp"
    " storage subscription hmac tls ssl sendgrid mailgun ingest ingestion write read fernet kms"
    " symmetric aes cipher crypto wallet ed25519 pem consumer functions integration cookie"
    " django flask passwd password logger langsmith langfuse langchain pinecone serper tavily"
    " deepseek fireworks openrouter perplexity xai gemini vertex bedrock sagemaker elastic"
    " algolia maps license licence product activation",
)
_PASS: Final = _set(
    "db database smtp mysql pg postgres postgresql redis mongo ftp sftp ldap root admin user login"
    " basic proxy http mail imap rabbitmq amqp kafka sudo ssh vpn wifi app bind keystore"
    " truststore key auth service account client bot wallet email deploy system os bios ipmi bmc"
    " registry repo become vault store net smb cifs samba snmp radius wpa pgp gpg sql mssql oracle"
    " broker cluster master",
)
_PLAIN_KEY: Final = _set(
    "sort primary foreign partition cache group row hash shard routing dict map join bucket object"
    " index dedup idempotency lookup column kv public config attribute metric label event record"
    " tensor param parameter weight block prefix store composite natural surrogate unique candidate"
    " search filter field json state span resource reward batch sample feature order ordering"
    " translation i18n message hot arrow keyboard function any home end enter shift control query"
    " rate limit quota scope attention registry_key",
)
_MODEL_TOKEN: Final = _set(
    "pad eos bos unk mask sep cls image audio video special stop start end begin first last next"
    " previous prev max min num number per each prompt output input completion reasoning cached"
    " cache generated new total draft think thinking bonus accepted sampled target forced decoder"
    " encoder page continuation text placeholder extra additional ignore blank null space word sub"
    " byte tool role header turn eot eom fim prefix suffix middle vocab nl newline response chosen"
    " rejected nth current chunk marker language lang boundary separator usage valid",
)
_CARRIER: Final = _set(
    "value values string str raw plain plaintext text b64 base64 base json header headers data pem"
    " material blob hex enc encoded old new prev previous current backup prod production dev test"
    " staging default main primary secondary input bytes ascii der content contents",
)
_ABOUT: Final = _set(
    "count counts total type types kind name names id ids length len size level mode enabled"
    " disabled configured valid invalid present required expired expires expiry expiration ttl age"
    " created updated at ms s seconds rate ratio score file files filename path paths dir directory"
    " folder mount hash digest fingerprint checksum sha sha256 md5 version provider source method"
    " scheme algorithm status result outcome error errors reason class format index position mask"
    " budget limit max min mean sum avg usage policy manager var hint help description field"
    " fields label labels column strategy hits bytes num number template role language lang std"
    " median p50 p95 p99 per sec second set is has capture kl prob logprob logprobs entropy url uri"
    " endpoint host port rotation rotated strength complexity attempts retries duration latency"
    " time timestamp date exists missing changed loaded cached bits store backend engine vault arn"
    " ref reference schema",
)
_HASHES: Final = _set("hash digest")
_HASHED: Final = _set("password passwd pwd ntlm nt lm pw passphrase pin")
_CONTENT: Final = _set(
    "prompt prompts completion completions messages transcript conversation instructions"
    " generation_text input_text output_text chat_history dialogue dialog",
)
_PROSE: Final = _set(
    "response responses output outputs input inputs result results text texts content contents"
    " decoded observation observations answer answers question questions body thought thoughts"
    " reasoning arguments args definitions stdout stderr instruction completion_text trajectory"
    " utterance history query action actions command commands cmd argument snippet solution code"
    " value message summary truth explanation problem context document documents passage"
    " rationale rationales critique feedback",
)
_SPOKEN: Final = _set(
    "tool model llm agent env environment sample user assistant system policy generated generation"
    " decoded raw entity prompt completion message messages chat conversation rollout trajectory"
    " request response verifier judge sandbox shell bash exec call human turn dialogue instruction"
    " question answer retrieval document reasoning thinking thought chain ai gen llama input"
    " output traceloop openinference langchain function reference expected ground truth gold"
    " observation evaluation decode predicted prediction teacher student critic reward episode"
    " step event",
)
_ALONE: Final = _set(
    "observation observations decoded answer question stdout stderr utterance trajectory rationale"
    " rationales"
)
_PERSON: Final = _set(
    "email emails mail mails ssn phone telephone mobile iban passport dob birthday birthdate"
    " surname lastname firstname fullname forename",
)
_PERSON_PAIRS: Final = frozenset(
    tuple(pair.split("."))
    for pair in (
        "e.mail", "client.address", "client.ip", "client.addr", "remote.addr", "remote.address",
        "remote.ip", "user.ip", "peer.ip", "forwarded.for", "source.ip", "social.security",
        "security.number", "tax.id", "birth.date", "of.birth", "full.name", "first.name",
        "last.name", "real.name", "street.address", "home.address", "postal.address",
        "phone.number", "real.ip", "connecting.ip", "user.address", "customer.address",
        "billing.address", "shipping.address", "passport.number", "passport.no",
    )
)  # fmt: skip
_CARD: Final = frozenset({("card", "number"), ("card", "num"), ("card", "no"), ("pan", "number")})
_CARD_WORDS: Final = _set("creditcard debitcard cardnumber ccnumber")
_USER: Final = _set("user username owner login committer logname operator whoami")
_DONE: Final = _set("submitted created owned started launched approved requested run updated")
_SECRET_PAIRS: Final = frozenset(
    tuple(pair.split("."))
    for pair in (
        "secret.id", "access.id", "seed.phrase", "recovery.phrase", "secret.phrase", "backup.codes",
        "recovery.codes", "recovery.code", "backup.code", "auth.code", "authorization.code",
        "verification.code", "reset.code", "access.code", "pin.code", "otp.code", "mfa.code",
        "device.code", "basic.auth", "proxy.auth", "http.auth", "auth.header", "docker.auth",
        "service.account", "github.pat", "gitlab.pat", "azure.pat", "gh.pat", "amz.signature",
        "goog.signature", "amz.credential", "goog.credential", "shared.access", "client.assertion",
        "connection.string", "key.material", "signed.url", "presigned.url", "code.verifier",
        "snmp.community", "security.answer", "activation.code", "totp.seed", "otp.seed",
        "wallet.seed", "admin.pw", "root.pw", "db.pw", "user.pw", "dn.pw", "bind.pw", "login.pw",
        "time.code", "honeycomb.team", "verification.pin", "backup.key",
    )
)  # fmt: skip


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """Return *name* split where its case or its separators say so, in lower case.

    >>> words("NGC_API_KEY"), words("hfToken"), words("gen_ai.usage.output_tokens")
    (('ngc', 'api', 'key'), ('hf', 'token'), ('gen', 'ai', 'usage', 'output', 'tokens'))
    """
    return tuple(word.lower() for word in _WORD.findall(name[-_LONGEST:]))


def _numbered(parts: tuple[str, ...]) -> tuple[str, ...]:
    while parts and parts[-1].isdigit():
        parts = parts[:-1]
    return parts


def _bare(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return *parts* without the trailing words that only say how the value is carried."""
    end = len(parts)
    while end > 1 and (parts[end - 1] in _CARRIER or parts[end - 1].isdigit()):
        end -= 1
    return parts[:end]


_GLUED: Final = (
    "apikey", "password", "passwd", "passphrase", "secretkey", "privatekey", "clientsecret",
)  # fmt: skip


def _glued(word: str) -> bool:
    """Say whether *word* is a name that is written together with what qualifies it (`HFTOKEN`)."""
    pairs = (("token", _ACCESS), ("key", _KEYED), ("pass", _PASS))
    return word.endswith(_GLUED) or any(
        word.endswith(last) and word.removesuffix(last) in qualifiers for last, qualifiers in pairs
    )


def _secret(parts: tuple[str, ...]) -> Verdict:  # noqa: PLR0911 - a list of rules
    """Judge names of secrets by their last word, and by the word before it."""
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    pair = before + last
    if last in _SECRET or pair in _SECRET or (before, last) in _SECRET_PAIRS:
        return "secret"
    if len(last) > len("token") and _glued(last):
        return "secret"
    if last in _COOKIE:
        return "cookie"
    if last == "id" and before == "key" and "access" in parts:
        return "secret"
    if last in {"token", "tokens"}:
        if before in _MODEL_TOKEN and not {"api", "auth", "oauth"} & set(parts[:-1]):
            return ""
        return "secret" if before in _ACCESS else ("maybe" if last == "token" else "")
    if last in {"key", "keys"}:
        if before in _PLAIN_KEY:
            return ""
        return "secret" if before in _KEYED else ("maybe" if last == "key" else "")
    if last == "pass" and before in _PASS:
        return "secret"
    return "maybe" if last in _MAYBE else ""


def _content(parts: tuple[str, ...]) -> Verdict:
    """Judge names of what models and people say to each other."""
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    if last in _CONTENT or f"{before}_{last}" in _CONTENT or (before, last) == ("of", "thought"):
        return "content"
    if "gen" in parts and "ai" in parts and last in {"arguments", "result", "definitions"}:
        return "content"
    if len(parts) == 1 and last in {"text", "content", "input", "output", "response"}:
        return "prose"
    if last in _PROSE and (before in _SPOKEN or (last in _ALONE and last not in _ABOUT)):
        return "prose"
    return ""


def _person(parts: tuple[str, ...]) -> Verdict:
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    if (before, last) in _CARD or last in _CARD_WORDS:
        return "card"
    if last in _PERSON or (before, last) in _PERSON_PAIRS:
        return "person"
    if (
        last in _USER
        or (last == "by" and before in _DONE)
        or (before in _USER and last in {"name", "id", "uid"})
    ):
        return "user"
    return ""


def _strong(parts: tuple[str, ...]) -> bool:
    return any(
        word in _SECRET or before + word in _SECRET
        for before, word in zip(("", *parts), parts, strict=False)
    )


@lru_cache(maxsize=4096)
def judge(name: str) -> Verdict:
    """Return what *name* alone says about a text that stands under it."""
    parts = _numbered(words(name))
    foreign = not name.isascii() and name.lower() in _FOREIGN
    if foreign or not parts:
        return "secret" if foreign else ""
    verdict = _secret(parts) or _content(parts) or _person(parts)
    if verdict:
        return verdict
    bare = _bare(parts)
    if len(bare) < len(parts):
        verdict = _secret(bare) or _content(bare) or _person(bare)
        if verdict:
            return verdict
    if parts[-1] in _HASHES and parts[-2:-1] and parts[-2] in _HASHED:
        return "maybe"
    if parts[-1] in _ABOUT:
        return ""
    return "maybe" if _strong(parts[:-1]) else ""
