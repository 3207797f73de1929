"""How a model is asked to think over OpenAI's chat protocol: every server has its own fields for it."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.model import Model, ThinkingLevel, thinking_budget
from pi_agent.llm.providers.openai_compat import ChatCompat
from pi_tui.frozen import frozen

_LEAST_ANSWER = 1024
_TEMPLATE_FIELDS = {"chat-template": "chat_template_kwargs", "baseten": "chat_template_args"}


@frozen
class Thinking:
    """What one request asks for. `effort` is the level in the model's words; `None` where there are none."""

    is_on: bool
    effort: str | None
    cannot_be_off: bool
    budget: int | None


def thinking_fields(
    model: Model,
    level: ThinkingLevel,
    compat: ChatCompat,
    *,
    budgets: Mapping[ThinkingLevel, int] | None = None,
    max_tokens: int | None = None,
) -> JsonObject:
    """Return the fields that ask for thinking at `level`, or for none; `max_tokens` is the output limit."""
    if not model.reasoning:
        return {}
    levels = model.thinking_level_map or {}
    is_on = level != "off"
    asked = Thinking(
        is_on=is_on,
        effort=(levels.get(level) or level) if is_on else levels.get("off"),
        cannot_be_off="off" in levels and levels["off"] is None,
        budget=_budget(level, budgets or {}, max_tokens),
    )
    fields = _fields(asked, level in levels, compat)
    if compat.thinking_token_budget_field and asked.budget is not None:
        fields[compat.thinking_token_budget_field] = asked.budget
    return fields


def _fields(asked: Thinking, is_mapped: bool, compat: ChatCompat) -> JsonObject:
    switched = {"type": "enabled" if asked.is_on else "disabled"}
    has_effort = asked.is_on and compat.supports_reasoning_effort
    effort: JsonObject = {"reasoning_effort": asked.effort} if has_effort else {}
    stays_on = asked.cannot_be_off and not asked.is_on
    match compat.thinking_format:
        case "openai":
            return effort if asked.is_on or not asked.effort else {"reasoning_effort": asked.effort}
        case "openrouter":
            return {} if stays_on else {"reasoning": {"effort": asked.effort or "none"}}
        case "deepseek":
            return {} if stays_on else {"thinking": switched} | effort
        case "zai":
            return {
                "thinking": switched | ({"clear_thinking": False} if asked.is_on else {})
            } | effort
        case "qwen":
            return {"enable_thinking": asked.is_on} | effort
        case "qwen-chat-template":
            return {
                "chat_template_kwargs": {"enable_thinking": asked.is_on, "preserve_thinking": True}
            }
        case "chat-template" | "baseten" as template:
            filled = _filled(compat.chat_template_kwargs, asked)
            return {_TEMPLATE_FIELDS[template]: filled} if filled else {}
        case "together":
            return {"reasoning": {"enabled": asked.is_on}} | effort
        case "string-thinking":
            return {"thinking": asked.effort or "none"}
        case "ant-ling":
            return {"reasoning": {"effort": asked.effort}} if asked.is_on and is_mapped else {}


def _filled(value: JsonValue, asked: Thinking) -> JsonValue:
    """Put what is asked for in place of `{"$var": …}`."""
    if not isinstance(value, dict):
        return value
    match value.get("$var"):
        case "thinking.enabled":
            return asked.is_on
        case "thinking.effort":
            return asked.effort
        case "thinking.budget":
            return asked.budget
        case _:
            return {key: _filled(each, asked) for key, each in value.items()}


def _budget(
    level: ThinkingLevel, budgets: Mapping[ThinkingLevel, int], max_tokens: int | None
) -> int | None:
    """Return the tokens to think with; some are left for the answer. `None` when not thinking."""
    if level == "off":
        return None
    budget = thinking_budget(level, budgets)
    return budget if max_tokens is None else max(1, min(budget, max_tokens - _LEAST_ANSWER))
