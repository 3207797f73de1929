"""A request of OpenAI's chat protocol: its body and its headers, as the server wants them."""

from __future__ import annotations

import hashlib

from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import Message, ToolDeclaration, ToolResultMessage
from pi_agent.llm.model import Model
from pi_agent.llm.providers.openai_cache import mark_cache
from pi_agent.llm.providers.openai_compat import ChatCompat, takes_cache_key
from pi_agent.llm.providers.openai_messages import chat_messages
from pi_agent.llm.providers.openai_thinking import thinking_fields
from pi_agent.llm.stream import Context, StreamOptions

_MAX_CACHE_KEY_CHARS = 64
# The headers that lead the requests of a session to the same machine.
_AFFINITY_HEADERS = {
    "openai": ("session_id", "x-client-request-id", "x-session-affinity"),
    "openai-nosession": ("x-client-request-id", "x-session-affinity"),
    "openrouter": ("x-session-id",),
}


def request_body(
    model: Model, context: Context, options: StreamOptions, compat: ChatCompat
) -> JsonObject:
    """Return the body of the request."""
    body: JsonObject = {
        "model": model.id,
        "messages": chat_messages(model, context, compat),
        "stream": True,
    }
    body |= _plain_fields(options, compat) | _tool_fields(context, options, compat)
    body |= _cache_fields(model, options, compat)
    if compat.cache_control_format and options.cache_retention != "none":
        mark_cache(body, is_long=_is_long(options, compat))
    body |= _routing_fields(compat)
    body |= thinking_fields(
        model,
        options.reasoning,
        compat,
        budgets=options.thinking_budgets,
        max_tokens=options.max_tokens,
    )
    by_level = (model.sampling_params_by_thinking_level or {}).get(options.reasoning, {})
    return body | (model.sampling_params or {}) | by_level | options.sampling_params


def request_headers(model: Model, options: StreamOptions, compat: ChatCompat) -> dict[str, str]:
    """Return the headers of the request, names in lower case."""
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    if options.api_key:
        headers["authorization"] = f"Bearer {options.api_key}"
    if options.session_id and compat.send_session_affinity_headers:
        names = _AFFINITY_HEADERS[compat.session_affinity_format]
        headers |= dict.fromkeys(names, options.session_id)
    for given in (model.headers or {}, options.headers):
        headers |= {name.lower(): value for name, value in given.items()}
    return headers


def _plain_fields(options: StreamOptions, compat: ChatCompat) -> JsonObject:
    fields: JsonObject = {}
    if compat.supports_usage_in_streaming:
        fields["stream_options"] = {"include_usage": True}
    if compat.supports_store:
        fields["store"] = False
    if options.max_tokens is not None:
        fields[compat.max_tokens_field] = options.max_tokens
    if options.temperature is not None:
        fields["temperature"] = options.temperature
    return fields


def _tool_fields(context: Context, options: StreamOptions, compat: ChatCompat) -> JsonObject:
    if not context.tools:
        needs_empty = compat.requires_tools_with_tool_history
        return {"tools": []} if needs_empty and _has_tool_history(context.messages) else {}
    fields: JsonObject = {"tools": [_tool(tool, compat) for tool in context.tools]}
    if options.tool_choice is not None:
        fields["tool_choice"] = options.tool_choice
    return fields


def _cache_fields(model: Model, options: StreamOptions, compat: ChatCompat) -> JsonObject:
    """Return what helps a server to find the prompt of the request before."""
    is_long = _is_long(options, compat)
    if options.cache_retention == "none":
        return {}
    fields: JsonObject = {}
    if options.session_id and takes_cache_key(model, compat, is_long=is_long):
        fields["prompt_cache_key"] = _cache_key(options.session_id)
    if is_long:
        fields["prompt_cache_retention"] = "24h"
    return fields


def _is_long(options: StreamOptions, compat: ChatCompat) -> bool:
    return options.cache_retention == "long" and compat.supports_long_cache_retention


def _routing_fields(compat: ChatCompat) -> JsonObject:
    fields: JsonObject = {}
    if compat.open_router_routing is not None:
        fields["provider"] = compat.open_router_routing
    if compat.vercel_gateway_routing is not None:
        fields["providerOptions"] = {"gateway": compat.vercel_gateway_routing}
    if compat.priority is not None:
        fields["priority"] = compat.priority
    if compat.zai_tool_stream:
        fields["tool_stream"] = True
    return fields


def _tool(tool: ToolDeclaration, compat: ChatCompat) -> JsonObject:
    function: JsonObject = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    if compat.supports_strict_mode:
        function["strict"] = False
    return {"type": "function", "function": function}


def _has_tool_history(messages: list[Message]) -> bool:
    return any(isinstance(message, ToolResultMessage) for message in messages)


def _cache_key(session_id: str) -> str:
    if len(session_id) <= _MAX_CACHE_KEY_CHARS:
        return session_id
    return hashlib.sha256(session_id.encode()).hexdigest()
