"""What is sent: the body as JSON, the headers, and the differences between servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import (
    AssistantMessage,
    ImageContent,
    SystemMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolDeclaration,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.llm.model import Model
from pi_agent.llm.providers.openai_compat import compat_of
from pi_agent.llm.providers.openai_request import request_body
from pi_agent.llm.stream import Context, StreamOptions
from tests.pi_agent.llm.chat import ask, asking, chat_model
from tests.wire_server import WireServer, sse_bytes, sse_reply

pytestmark = pytest.mark.anyio

STOP = sse_bytes({"choices": [{"delta": {}, "finish_reason": "stop"}]})
PICTURE = ImageContent(data="aGk=", mime_type="image/png")
PICTURE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer(answer=lambda request: sse_reply(STOP)) as server:
        yield server


def model_at(base_url: str = "http://127.0.0.1:1/v1", **changes: Any) -> Model:
    wire = {"id": "m", "provider": "local", "api": "openai-completions", "baseUrl": base_url}
    return Model.from_wire(wire | changes)


def body_of(model: Model, context: Context | None = None, **options: Any) -> JsonObject:
    return request_body(model, context or asking(), StreamOptions(**options), compat_of(model))


def messages_of(*messages: Any, model: Model | None = None) -> list[Any]:
    body = body_of(model or model_at(input=["text", "image"]), Context("", list(messages)))
    return list(body["messages"])


def answer(*content: Any, **changes: Any) -> AssistantMessage:
    origin = {"api": "openai-completions", "provider": "local", "model": "m"}
    return AssistantMessage(content=list(content), **(origin | changes))


def result(call_id: str, *content: Any) -> ToolResultMessage:
    return ToolResultMessage(tool_call_id=call_id, tool_name="read", content=list(content))


async def test_a_request_on_the_wire(server: WireServer) -> None:
    tool = ToolDeclaration(
        name="read",
        description="Read a file",
        parameters={"type": "object", "properties": {"path": {"type": "string"}}},
    )
    context = Context("be brief", [UserMessage(content="hi \ud83d")], [tool])
    model = chat_model(server, headers={"X-Own": "model", "X-Both": "model"})
    options = StreamOptions(
        api_key="k-1",
        headers={"x-both": "request"},
        max_tokens=99,
        temperature=0.5,
        tool_choice="auto",
        sampling_params={"top_k": 3},
    )
    await ask(server, model, context, options)
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    sent = {name: request.headers[name] for name in ("authorization", "x-own", "x-both")}
    assert sent == {"authorization": "Bearer k-1", "x-own": "model", "x-both": "request"}
    assert request.headers["content-type"] == "application/json"
    assert request.json() == {
        "model": "smollm2",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "hi \ufffd"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "store": False,
        "max_completion_tokens": 99,
        "temperature": 0.5,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "read",
                    "description": "Read a file",
                    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
                },
            }
        ],
        "tool_choice": "auto",
        "top_k": 3,
    }


async def test_without_a_key_no_authorization_is_sent(server: WireServer) -> None:
    await ask(server)
    assert "authorization" not in server.requests[0].headers


async def test_a_hook_may_replace_the_body(server: WireServer) -> None:
    async def hook(payload: JsonObject, model: Model) -> JsonObject:
        return payload | {"model": f"{model.id}-patched"}

    await ask(server, options=StreamOptions(on_payload=hook))
    assert server.requests[0].json()["model"] == "smollm2-patched"


def test_without_tools_and_limits_their_fields_are_absent() -> None:
    body = body_of(model_at(), tool_choice="auto")
    assert not {"tools", "tool_choice", "max_tokens", "max_completion_tokens"} & set(body)


def test_users_send_strings_or_parts() -> None:
    assert messages_of(
        UserMessage(content="a"),
        UserMessage(content=[TextContent(text="b")]),
        UserMessage(content=[TextContent(text="c"), PICTURE]),
    ) == [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
        {"role": "user", "content": [{"type": "text", "text": "c"}, PICTURE_PART]},
    ]


def test_parallel_calls_and_their_results() -> None:
    assert messages_of(
        UserMessage(content="go"),
        answer(
            TextContent(text="I "),
            TextContent(text="will."),
            ToolCall(id="a", name="read", arguments={"path": "é"}),
            ToolCall(id="b", name="read"),
        ),
        result("b", TextContent(text="B")),
        result("a", TextContent(text="A1"), TextContent(text="A2")),
    ) == [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": "I will.",
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"path": "é"}'},
                },
                {"id": "b", "type": "function", "function": {"name": "read", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "b", "content": "B"},
        {"role": "tool", "tool_call_id": "a", "content": "A1A2"},
    ]


def test_pictures_of_results_follow_the_batch() -> None:
    messages = messages_of(
        answer(ToolCall(id="a", name="read"), ToolCall(id="b", name="read")),
        result("a", PICTURE),
        result("b", TextContent(text=" ")),
        UserMessage(content="and?"),
    )
    assert messages[0]["content"] is None
    assert messages[1] == {"role": "tool", "tool_call_id": "a", "content": "(see attached image)"}
    assert messages[2] == {"role": "tool", "tool_call_id": "b", "content": "(no tool output)"}
    assert messages[3]["role"] == "user"
    assert messages[3]["content"][0]["type"] == "text"
    assert messages[3]["content"][1:] == [PICTURE_PART]
    assert messages[4] == {"role": "user", "content": "and?"}


def test_a_model_without_eyes_gets_no_pictures() -> None:
    messages = messages_of(UserMessage(content=[PICTURE, PICTURE]), model=model_at())
    assert len(messages) == 1
    assert "image" in messages[0]["content"]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_text"])
def test_thinking_goes_back_under_the_name_it_came_with(field: str) -> None:
    thought = ThinkingContent(thinking="hm", thinking_signature=field)
    own = messages_of(answer(thought, TextContent(text="x")))
    assert own == [{"role": "assistant", "content": "x", field: "hm"}]
    foreign = messages_of(answer(thought, TextContent(text="x"), model="other"))
    assert foreign == [{"role": "assistant", "content": "x"}]


def test_empty_and_failed_answers_are_left_out() -> None:
    assert messages_of(
        answer(),
        answer(ThinkingContent(thinking="hm", thinking_signature="reasoning")),
        answer(TextContent(text="cut"), stop_reason="aborted", error_message="Request was aborted"),
        UserMessage(content="x"),
    ) == [{"role": "user", "content": "x"}]


def test_system_messages_of_the_history_are_part_of_the_one_in_front() -> None:
    context = Context("now", [SystemMessage(content="then"), UserMessage(content="x")])
    assert body_of(model_at(), context)["messages"] == [
        {"role": "system", "content": "now"},
        {"role": "user", "content": "x"},
    ]


def test_call_ids_of_other_protocols_become_valid_and_stay_in_pairs() -> None:
    long_ids = ["call_" + "x" * 60 + "1", "call_" + "x" * 60 + "2", "call_9|fc_123"]
    messages = messages_of(
        answer(*(ToolCall(id=i, name="read") for i in long_ids), api="openai-responses"),
        *(result(i, TextContent(text="r")) for i in long_ids),
    )
    sent = [call["id"] for call in messages[0]["tool_calls"]]
    assert [message["tool_call_id"] for message in messages[1:]] == sent
    assert len(set(sent)) == 3
    assert sent[2] == "call_9"
    assert all(len(call_id) <= 40 for call_id in sent)


THINKER = {"reasoning": True}
TEMPLATE = {
    "chatTemplateKwargs": {
        "think": {"$var": "thinking.enabled"},
        "how": {"long": {"$var": "thinking.budget"}, "hard": {"$var": "thinking.effort"}},
        "x": 1,
    }
}


@pytest.mark.parametrize(
    ("base_url", "changes", "level", "expected"),
    [
        ("http://h/v1", {}, "high", {}),
        ("http://h/v1", THINKER, "high", {"reasoning_effort": "high"}),
        ("http://h/v1", THINKER, "off", {}),
        (
            "http://h/v1",
            THINKER | {"thinkingLevelMap": {"off": "none", "high": "max"}},
            "off",
            {"reasoning_effort": "none"},
        ),
        (
            "http://h/v1",
            THINKER | {"thinkingLevelMap": {"high": "max"}},
            "high",
            {"reasoning_effort": "max"},
        ),
        ("https://openrouter.ai/api/v1", THINKER, "low", {"reasoning": {"effort": "low"}}),
        ("https://openrouter.ai/api/v1", THINKER, "off", {"reasoning": {"effort": "none"}}),
        (
            "https://openrouter.ai/api/v1",
            THINKER | {"thinkingLevelMap": {"off": None}},
            "off",
            {},
        ),
        (
            "https://api.deepseek.com",
            THINKER,
            "high",
            {"thinking": {"type": "enabled"}, "reasoning_effort": "high"},
        ),
        ("https://api.deepseek.com", THINKER, "off", {"thinking": {"type": "disabled"}}),
        (
            "https://api.z.ai/api/paas/v4",
            THINKER,
            "high",
            {"thinking": {"type": "enabled", "clear_thinking": False}},
        ),
        ("https://api.together.xyz/v1", THINKER, "off", {"reasoning": {"enabled": False}}),
        ("https://api.x.ai/v1", THINKER, "high", {}),
        (
            "http://h/v1",
            THINKER | {"compat": {"thinkingFormat": "qwen"}},
            "low",
            {"enable_thinking": True, "reasoning_effort": "low"},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": {"thinkingFormat": "string-thinking"}},
            "off",
            {"thinking": "none"},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": {"thinkingFormat": "qwen-chat-template"}},
            "off",
            {"chat_template_kwargs": {"enable_thinking": False, "preserve_thinking": True}},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": TEMPLATE | {"thinkingFormat": "chat-template"}},
            "low",
            {"chat_template_kwargs": {"think": True, "how": {"long": 2048, "hard": "low"}, "x": 1}},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": TEMPLATE | {"thinkingFormat": "baseten"}},
            "off",
            {"chat_template_args": {"think": False, "how": {"long": None, "hard": None}, "x": 1}},
        ),
        ("https://api.ant-ling.com/v1", THINKER, "high", {}),
        (
            "https://api.ant-ling.com/v1",
            THINKER | {"thinkingLevelMap": {"high": "deep"}},
            "high",
            {"reasoning": {"effort": "deep"}},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": {"thinkingTokenBudgetField": "thinking_budget"}},
            "high",
            {"reasoning_effort": "high", "thinking_budget": 16_384},
        ),
        (
            "http://h/v1",
            THINKER | {"compat": {"thinkingTokenBudgetField": "thinking_budget"}},
            "off",
            {},
        ),
    ],
)
def test_thinking_is_asked_for_in_the_servers_way(
    base_url: str, changes: JsonObject, level: Any, expected: JsonObject
) -> None:
    model = model_at(base_url, **changes)
    without = body_of(model.model_copy(update={"reasoning": False}), reasoning=level)
    body = body_of(model, reasoning=level)
    assert {name: value for name, value in body.items() if name not in without} == expected


@pytest.mark.parametrize(
    ("level", "limit", "budget"),
    [("minimal", None, 500), ("medium", None, 8192), ("max", None, 16_384), ("high", 3000, 1976)],
)
def test_a_budget_can_be_changed_and_leaves_room_for_the_answer(
    level: Any, limit: int | None, budget: int
) -> None:
    model = model_at(reasoning=True, compat={"thinkingTokenBudgetField": "budget"})
    body = body_of(model, reasoning=level, max_tokens=limit, thinking_budgets={"minimal": 500})
    assert body["budget"] == budget


@pytest.mark.parametrize(
    ("base_url", "stores", "limit_field", "role"),
    [
        ("https://api.openai.com/v1", True, "max_completion_tokens", "developer"),
        ("https://api.x.ai/v1", False, "max_completion_tokens", "system"),
        ("https://api.moonshot.ai/v1", False, "max_tokens", "system"),
        ("https://api.mistral.ai/v1", False, "max_tokens", "system"),
        ("https://integrate.api.nvidia.com/v1", False, "max_tokens", "system"),
        ("https://api.cerebras.ai/v1", False, "max_completion_tokens", "system"),
        ("https://notx.ai/v1", True, "max_completion_tokens", "system"),
        ("http://127.0.0.1:8080/v1", True, "max_completion_tokens", "system"),
    ],
)
def test_what_a_server_takes(base_url: str, stores: bool, limit_field: str, role: str) -> None:
    context = Context("be", [UserMessage(content="x")])
    body = body_of(model_at(base_url, reasoning=True), context, max_tokens=7)
    assert ("store" in body, body[limit_field], body["messages"][0]["role"]) == (stores, 7, role)


def test_the_models_own_compat_wins() -> None:
    compat = {"supportsStore": True, "maxTokensField": "max_completion_tokens"}
    body = body_of(model_at("https://api.moonshot.ai/v1", compat=compat), max_tokens=7)
    assert (body["store"], body["max_completion_tokens"]) == (False, 7)


def test_flags_that_change_messages() -> None:
    history = (
        answer(
            ThinkingContent(thinking="hm", thinking_signature="reasoning"),
            ToolCall(id="a", name="read"),
        ),
        result("a", TextContent(text="r")),
        UserMessage(content="x"),
        answer(TextContent(text="y")),
    )

    def sent(**compat: bool) -> list[Any]:
        return messages_of(*history, model=model_at(compat=compat))

    assert sent(requiresNonNullAssistantContent=True)[0]["content"] == ""
    assert sent(requiresToolResultName=True)[1]["name"] == "read"
    assert sent(requiresThinkingAsText=True)[0]["content"].startswith("hm")
    assert "reasoning" not in sent(requiresThinkingAsText=True)[0]
    between = sent(requiresAssistantAfterToolResult=True)
    assert [m["role"] for m in between] == ["assistant", "tool", "assistant", "user", "assistant"]
    filled = sent(requiresReasoningContentOnAssistantMessages=True)
    assert [filled[0]["reasoning_content"], filled[3]["reasoning_content"]] == ["", ""]
    model = model_at(compat={"requiresToolsWithToolHistory": True})
    assert body_of(model, Context("", list(history)))["tools"] == []


def test_later_parameters_win_over_earlier_ones() -> None:
    model = model_at(
        samplingParams={"top_p": 0.1, "temperature": 0.2, "top_k": 1},
        samplingParamsByThinkingLevel={"high": {"top_k": 2, "min_p": 0.1}, "low": {"top_k": 9}},
    )
    body = body_of(model, temperature=0.9, reasoning="high", sampling_params={"top_p": 0.5})
    sent = [body[name] for name in ("temperature", "top_k", "min_p", "top_p")]
    assert sent == [0.2, 2, 0.1, 0.5]


OPENAI = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("base_url", "compat", "retention", "key", "kept"),
    [
        (OPENAI, {}, "short", "s1", None),
        (OPENAI, {}, "long", "s1", "24h"),
        (OPENAI, {}, "none", None, None),
        (OPENAI, {"promptCacheKey": "disabled"}, "short", None, None),
        ("http://h/v1", {}, "short", None, None),
        ("http://h/v1", {}, "long", "s1", "24h"),
        ("http://h/v1", {"supportsLongCacheRetention": False}, "long", None, None),
        ("http://h/v1", {"promptCacheKey": "enabled"}, "short", "s1", None),
        ("http://h/v1", {"promptCacheKey": "enabled"}, "none", None, None),
        ("https://api.together.xyz/v1", {}, "long", None, None),
    ],
)
def test_the_session_helps_caching_where_it_is_known_to(
    base_url: str, compat: JsonObject, retention: Any, key: str | None, kept: str | None
) -> None:
    body = body_of(model_at(base_url, compat=compat), session_id="s1", cache_retention=retention)
    assert (body.get("prompt_cache_key"), body.get("prompt_cache_retention")) == (key, kept)


def test_a_long_name_of_a_session_is_shortened() -> None:
    assert len(body_of(model_at(OPENAI), session_id="s" * 100)["prompt_cache_key"]) == 64


@pytest.mark.parametrize(
    ("compat", "expected"),
    [
        ({}, set()),
        (
            {"sendSessionAffinityHeaders": True},
            {"session_id", "x-client-request-id", "x-session-affinity"},
        ),
        (
            {"sendSessionAffinityHeaders": True, "sessionAffinityFormat": "openai-nosession"},
            {"x-client-request-id", "x-session-affinity"},
        ),
        (
            {"sendSessionAffinityHeaders": True, "sessionAffinityFormat": "openrouter"},
            {"x-session-id"},
        ),
    ],
)
async def test_the_session_leads_to_the_same_machine(
    server: WireServer, compat: JsonObject, expected: set[str]
) -> None:
    await ask(server, chat_model(server, compat=compat), options=StreamOptions(session_id="s-77"))
    sent = {name for name, value in server.requests[0].headers.items() if value == "s-77"}
    assert sent == expected


def test_routing_goes_along_as_it_is() -> None:
    compat = {
        "openRouterRouting": {"order": ["a"]},
        "vercelGatewayRouting": {"only": ["b"]},
        "priority": 3,
        "zaiToolStream": True,
    }
    body = body_of(model_at(compat=compat))
    fields = ("provider", "providerOptions", "priority", "tool_stream")
    assert [body[name] for name in fields] == [
        {"order": ["a"]},
        {"gateway": {"only": ["b"]}},
        3,
        True,
    ]


def marked(body: JsonObject) -> list[str]:
    """Return the places that have a cache mark."""
    places = ["tools" for tool in body.get("tools", ()) if "cache_control" in tool]
    for message in body["messages"]:
        parts = message["content"] if isinstance(message["content"], list) else []
        places += [f"{message['role']} {p['text']}" for p in parts if "cache_control" in p]
    return places


def test_caches_are_marked_for_models_that_want_to_be_told() -> None:
    model = model_at("https://openrouter.ai/api/v1", id="anthropic/some-model")
    tools = [ToolDeclaration(name=n, description=n, parameters={}) for n in ("read", "bash")]
    history: list[Any] = [
        UserMessage(content="go"),
        answer(ToolCall(id="a", name="read"), provider="x"),
        result("a", TextContent(text="r")),
    ]
    body = body_of(model, Context("be", history, tools))
    assert marked(body) == ["tools", "system be", "tool r"]
    assert "cache_control" not in body["tools"][0]
    long = body_of(model, Context("be", history), cache_retention="long")
    assert long["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert marked(body_of(model, Context("be", history), cache_retention="none")) == []
    assert marked(body_of(model_at("https://openrouter.ai/api/v1"), Context("be", history))) == []


@pytest.mark.parametrize(
    ("is_developer", "role"),
    [(False, "system"), (True, "developer")],
)
def test_a_system_message_amid_a_conversation_keeps_its_place(
    is_developer: bool, role: str
) -> None:
    compat = {"supportsMidConvoSystemMessages": True, "supportsDeveloperRole": is_developer}
    said = [
        UserMessage(content="one"),
        SystemMessage(content="be brief"),
        UserMessage(content="two"),
    ]
    wire = messages_of(*said, model=model_at(reasoning=True, compat=compat))
    assert [message["role"] for message in wire] == ["user", role, "user"]
    assert wire[1]["content"] == "be brief"
