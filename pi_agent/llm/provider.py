"""What a provider is: where its models are, and which key opens it. The table of those pi knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pi_agent.base.wire import JsonObject
from pi_agent.llm.model import Model
from pi_tui.frozen import frozen

OPENAI_CHAT_API = "openai-completions"


@frozen
class StoredKey:
    """A key of `auth.json`, as it is written there, and variables that hold for its provider alone."""

    key: str | None = field(default=None, repr=False)
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)


@frozen
class AuthFile:
    """What `auth.json` says: keys by provider, what is wrong with it, and who has an account of another kind."""

    keys: Mapping[str, StoredKey] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    accounts: frozenset[str] = frozenset()


@frozen
class Provider:
    """A provider of this run.

    `lists_models`: its models are asked for with `GET {base_url}/models`. `on_request`: its models are never chosen
    on their own. `stored` wins over `key`, which is
    written as in `models.json` and wins over `key_variables`. `needs_key` false: requests go out without one,
    too. `takes_key` false: none is ever sent.
    """

    id: str
    name: str
    base_url: str
    api: str = OPENAI_CHAT_API
    stored: StoredKey = field(default_factory=StoredKey)
    key: str | None = None
    key_variables: tuple[str, ...] = ()
    needs_key: bool = True
    takes_key: bool = True
    lists_models: bool = True
    on_request: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    compat: JsonObject = field(default_factory=dict)
    models: tuple[Model, ...] = ()
    overrides: dict[str, JsonObject] = field(default_factory=dict)


@frozen
class KnownProvider:
    """A provider that only needs a key or an address in the environment."""

    id: str
    name: str
    base_url: str
    key_variable: str
    base_url_variable: str | None = None
    needs_key: bool = True


KNOWN_PROVIDERS = (
    KnownProvider(
        "openai", "OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL"
    ),
    KnownProvider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    KnownProvider("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    KnownProvider("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    KnownProvider("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    KnownProvider("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY"),
    KnownProvider("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    KnownProvider("together", "Together AI", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    KnownProvider(
        "fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"
    ),
    KnownProvider("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HF_TOKEN"),
    KnownProvider("moonshotai", "Moonshot AI", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
    KnownProvider(
        "moonshotai-cn", "Moonshot AI (China)", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY"
    ),
    KnownProvider("zai", "Z.AI", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY"),
    KnownProvider(
        "zai-coding-cn",
        "Z.AI coding plan (China)",
        "https://open.bigmodel.cn/api/coding/paas/v4",
        "ZAI_CODING_CN_API_KEY",
    ),
    KnownProvider("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
    KnownProvider(
        "vercel-ai-gateway",
        "Vercel AI Gateway",
        "https://ai-gateway.vercel.sh/v1",
        "AI_GATEWAY_API_KEY",
    ),
    KnownProvider(
        "llama.cpp",
        "llama.cpp",
        "http://127.0.0.1:9931",
        "LLAMA_API_KEY",
        "LLAMA_BASE_URL",
        needs_key=False,
    ),
)

# Providers whose own protocol is another one: their entries in `models.json` mean that one.
OTHER_APIS = {"anthropic": "anthropic-messages", "google": "google-generative-ai"}


def known_provider(provider_id: str) -> KnownProvider | None:
    """Return the known provider with this id."""
    return next((known for known in KNOWN_PROVIDERS if known.id == provider_id), None)
