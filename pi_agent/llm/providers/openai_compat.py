"""How the many servers that speak OpenAI's chat protocol differ, as a table with one reader."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from pi_agent.base.wire import JsonObject, WireModel
from pi_agent.llm.model import Model, ThinkingLevel

ThinkingFormat = Literal[
    "openai", "openrouter", "deepseek", "zai", "qwen", "together", "string-thinking"
]


class ChatCompat(WireModel):
    """What a server takes and needs. The defaults fit servers nobody has described."""

    supports_store: bool = True
    supports_developer_role: bool = False
    supports_reasoning_effort: bool = True
    supports_usage_in_streaming: bool = True
    supports_strict_mode: bool = False
    supports_finish_reason: bool = True
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    thinking_format: ThinkingFormat = "openai"
    requires_tool_result_name: bool = False
    requires_assistant_after_tool_result: bool = False
    requires_thinking_as_text: bool = False
    requires_reasoning_content_on_assistant_messages: bool = False
    requires_non_null_assistant_content: bool = False
    requires_tools_with_tool_history: bool = False
    sends_prompt_cache_key: bool = False
    sends_session_id: bool = False
    short_tool_call_ids: bool = False


_NO_STORE: JsonObject = {"supportsStore": False}
_PLAIN: JsonObject = {
    "supportsStore": False,
    "supportsReasoningEffort": False,
    "maxTokensField": "max_tokens",
}

# By the end of the host's name; what is not listed gets the defaults.
_ENDPOINTS: dict[str, JsonObject] = {
    "api.openai.com": {"supportsDeveloperRole": True, "sendsPromptCacheKey": True},
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
    "together.xyz": _PLAIN | {"thinkingFormat": "together"},
    "openrouter.ai": {"thinkingFormat": "openrouter", "sendsSessionId": True},
    "cerebras.ai": _NO_STORE,
    "opencode.ai": _NO_STORE,
    "chutes.ai": _NO_STORE | {"maxTokensField": "max_tokens"},
    "nvidia.com": _PLAIN,
    "gateway.ai.cloudflare.com": _PLAIN,
    # Refuses fields it does not know; usage comes unasked, ids are nine letters or digits.
    "mistral.ai": _PLAIN | {"supportsUsageInStreaming": False, "shortToolCallIds": True},
}


def compat_of(model: Model) -> ChatCompat:
    """Return the differences for the model's server; what the model itself says always wins."""
    host = urlsplit(model.base_url).hostname or ""
    differences: JsonObject = {}
    for ending, changes in _ENDPOINTS.items():
        if host == ending or host.endswith(f".{ending}"):
            differences = changes
    return ChatCompat.from_wire(differences | model.compat)


def thinking_fields(model: Model, level: ThinkingLevel, compat: ChatCompat) -> JsonObject:
    """Return the fields that ask for thinking at `level`, or for none."""
    if not model.reasoning:
        return {}
    levels = model.thinking_level_map or {}
    if level == "off":
        return _without_thinking(levels.get("off", ""), "off" in levels, compat)
    return _with_thinking(levels.get(level) or level, compat)


def _with_thinking(effort: str, compat: ChatCompat) -> JsonObject:
    with_effort: JsonObject = (
        {"reasoning_effort": effort} if compat.supports_reasoning_effort else {}
    )
    match compat.thinking_format:
        case "openai":
            return with_effort
        case "openrouter":
            return {"reasoning": {"effort": effort}}
        case "deepseek":
            return {"thinking": {"type": "enabled"}} | with_effort
        case "zai":
            return {"thinking": {"type": "enabled", "clear_thinking": False}} | with_effort
        case "qwen":
            return {"enable_thinking": True} | with_effort
        case "together":
            return {"reasoning": {"enabled": True}} | with_effort
        case "string-thinking":
            return {"thinking": effort}


def _without_thinking(off: str | None, is_mapped: bool, compat: ChatCompat) -> JsonObject:
    cannot_be_off = is_mapped and off is None
    match compat.thinking_format:
        case "openai":
            return {"reasoning_effort": off} if off else {}
        case "openrouter":
            return {} if cannot_be_off else {"reasoning": {"effort": off or "none"}}
        case "deepseek":
            return {} if cannot_be_off else {"thinking": {"type": "disabled"}}
        case "zai":
            return {"thinking": {"type": "disabled"}}
        case "qwen":
            return {"enable_thinking": False}
        case "together":
            return {"reasoning": {"enabled": False}}
        case "string-thinking":
            return {"thinking": off or "none"}
