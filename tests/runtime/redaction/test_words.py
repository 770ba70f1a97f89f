"""What names say about values."""

from __future__ import annotations

import pytest

from telewright._words import judge, words

_SAYS = {
    "secret": (
        "api_key apiKey APIKey API-KEY x-api-key X-Api-Key hfToken HF_TOKEN NGC_API_KEY HFTOKEN"
        " AWSSecretAccessKey aws_access_key_id oauth.clientSecret db_pass password2 pass_word"
        " userPassword redis.passwd JWT csrf-token webhook_secret vault.secret_id otp"
        " http.request.header.authorization credentials_json signing.key wandb.key account-key"
        " mypassword newclientsecret rootpasswd secret_value refresh_tokens GITHUB_PAT kennwort"
        " WANDBTOKEN openaikey rootpass"
        " privkey wifi_psk storepass become_pass security_answer snmp.community пароль пapoль"
    ),
    "": (
        "gen_ai.usage.output_tokens max_tokens tokens_per_second tokenizer tokenizer.pad_token"
        " gen_ai.token.type rl.data_plane.keys nemo.gym.token_capture.digest author authority"
        " keyboard monkey_patch compass passed bypass secretary sort_key primary_key cache.key"
        " session_id rl.num_sessions token_count auth.mode password.policy secret_name"
        " k8s.secret.mount key_padding_mask object_key public_key page_token stop_token api_key_id"
        " ssn_env mnemonic_count password_hash_count prompt_hash pw.mode größe group_by"
        " submitted_job"
    ),
    "maybe": (
        "key some.key session signature token encryption_thing.key api_key_env password_hash pw"
    ),
    "cookie": "cookie http.response.header.set-cookie Set-Cookie",
    "content": (
        "gen_ai.tool.call.arguments gen_ai.tool.definitions prompt gen_ai.prompt completion"
        " gen_ai.input.messages gen_ai.system_instructions chain_of_thought"
    ),
    "prose": (
        "tool.call.arguments tool.output rl.sample.decoded gym.env.observation message.content"
        " sandbox.command gym.reward.rationale gen_ai.event.content"
    ),
    "person": "user.email client.address ssn phone_number",
    "card": "card.number creditCard.cardNumber",
    "user": "user.name slurm.user username ray.submitted_by",
}


@pytest.mark.parametrize(
    ("verdict", "name"),
    [(verdict, name) for verdict, names in _SAYS.items() for name in names.split()],
)
def test_judge(verdict, name):
    """A name is judged by its words, and by the last ones before all."""
    assert judge(name) == verdict


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("HTTPServerKey", "http server key"),
        ("gen_ai.usage-total", "gen ai usage total"),
        ("apiKEY2", "api key 2"),
        ("OAuthToken", "o auth token"),
        ("", ""),
        ("ключ.токен", "ключ токен"),
    ],
)
def test_words(name, split):
    """Case, digits, underscores, dots and dashes split a name; acronyms stay together."""
    assert words(name) == tuple(split.split())
