"""How the many servers that speak OpenAI's chat protocol differ, as a table with one reader."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from pi_agent.base.wire import Field, JsonObject, WireModel
from pi_agent.llm.model import Model

ThinkingFormat = Literal[
    "openai",
    "openrouter",
    "deepseek",
    "zai",
    "qwen",
    "qwen-chat-template",
    "chat-template",
    "baseten",
    "together",
    "string-thinking",
    "ant-ling",
]


class ChatCompat(WireModel):
    """What a server takes and needs: `compat` in `models.json`. The defaults fit servers nobody has described.

    `prompt_cache_key`: `auto` sends it where it is known to help. `chat_template_kwargs` may have
    `{"$var": "thinking.enabled"}`, `thinking.effort` and `thinking.budget` in it. The routing fields go out as
    they are.
    """

    supports_store: bool = True
    supports_developer_role: bool = False
    supports_mid_convo_system_messages: bool = False
    supports_reasoning_effort: bool = True
    supports_usage_in_streaming: bool = True
    supports_strict_mode: bool = False
    supports_finish_reason: bool = True
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    thinking_format: ThinkingFormat = "openai"
    thinking_token_budget_field: str | None = None
    chat_template_kwargs: JsonObject = Field(default_factory=dict)
    requires_tool_result_name: bool = False
    requires_assistant_after_tool_result: bool = False
    requires_thinking_as_text: bool = False
    requires_reasoning_content_on_assistant_messages: bool = False
    requires_non_null_assistant_content: bool = False
    requires_tools_with_tool_history: bool = False
    prompt_cache_key: Literal["auto", "enabled", "disabled"] = "auto"
    supports_long_cache_retention: bool = True
    cache_control_format: Literal["anthropic"] | None = None
    send_session_affinity_headers: bool = False
    session_affinity_format: Literal["openai", "openai-nosession", "openrouter"] = "openai"
    open_router_routing: JsonObject | None = None
    vercel_gateway_routing: JsonObject | None = None
    priority: int | None = None
    zai_tool_stream: bool = False
    short_tool_call_ids: bool = False


_NO_STORE: JsonObject = {"supportsStore": False}
_PLAIN: JsonObject = {
    "supportsStore": False,
    "supportsReasoningEffort": False,
    "maxTokensField": "max_tokens",
}

_SHORT_CACHE: JsonObject = {"supportsLongCacheRetention": False}
_CLAUDE_CACHE: JsonObject = {"cacheControlFormat": "anthropic"}

# By the end of the host's name; what is not listed gets the defaults.
_ENDPOINTS: dict[str, JsonObject] = {
    "api.openai.com": {"supportsDeveloperRole": True},
    "x.ai": {"supportsStore": False, "supportsReasoningEffort": False},
    "z.ai": _PLAIN | {"thinkingFormat": "zai"},
    "bigmodel.cn": _PLAIN | {"thinkingFormat": "zai"},
    "deepseek.com": {
        "supportsStore": False,
        "maxTokensField": "max_tokens",
        "thinkingFormat": "deepseek",
        "requiresReasoningContentOnAssistantMessages": True,
    },
    "moonshot.ai": _PLAIN,
    "moonshot.cn": _PLAIN,
    "together.xyz": _PLAIN | _SHORT_CACHE | {"thinkingFormat": "together"},
    "openrouter.ai": {
        "thinkingFormat": "openrouter",
        "sendSessionAffinityHeaders": True,
        "sessionAffinityFormat": "openrouter",
    },
    "cerebras.ai": _NO_STORE,
    "opencode.ai": _NO_STORE,
    "chutes.ai": _NO_STORE | {"maxTokensField": "max_tokens"},
    "nvidia.com": _PLAIN | _SHORT_CACHE,
    "gateway.ai.cloudflare.com": _PLAIN | _SHORT_CACHE,
    "ant-ling.com": _PLAIN | _SHORT_CACHE | {"thinkingFormat": "ant-ling"},
    # Refuses fields it does not know; usage comes unasked, ids are nine letters or digits.
    "mistral.ai": _PLAIN | {"supportsUsageInStreaming": False, "shortToolCallIds": True},
}


def compat_of(model: Model) -> ChatCompat:
    """Return the differences for the model's server; what the model itself says always wins."""
    host = _host(model)
    differences: JsonObject = {}
    for ending, changes in _ENDPOINTS.items():
        if host == ending or host.endswith(f".{ending}"):
            differences = changes
    if host == "openrouter.ai" and model.id.startswith("anthropic/"):
        differences = differences | _CLAUDE_CACHE
    return ChatCompat.from_wire(differences | model.compat)


def takes_cache_key(model: Model, compat: ChatCompat, *, is_long: bool) -> bool:
    """Return whether the session's name may go along; `is_long`: the cache is to be kept for long."""
    if compat.prompt_cache_key == "auto":
        helps = _host(model) == "api.openai.com"
        return helps or (is_long and compat.supports_long_cache_retention)
    return compat.prompt_cache_key == "enabled"


def _host(model: Model) -> str:
    return urlsplit(model.base_url).hostname or ""
