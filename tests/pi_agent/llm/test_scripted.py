"""Scripted models stream what they are told, the same every time, at the pace of the clock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pi_agent.base.clock import ManualClock, SystemClock
from pi_agent.base.errors import PiError
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import (
    AssistantMessage,
    CustomMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    UserMessage,
    text,
    text_of,
    tool_calls_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.script import Step, read_script
from pi_agent.llm.scripted import DemoProvider, FauxProvider, ScriptState
from pi_agent.llm.stream import (
    BlockDelta,
    Context,
    StreamEvent,
    StreamFunction,
    StreamOptions,
    answer_of,
)
from pi_agent.llm.usage import Usage
from pi_tui.abort import AbortController
from tests.pi_agent.llm.chat import asking, final

pytestmark = pytest.mark.anyio

MODEL = Model(id="m", provider="p", api="demo")


async def play(speak: StreamFunction, said: str = "hello", **options: object) -> list[StreamEvent]:
    context = asking(UserMessage(content=said))
    return [event async for event in speak(MODEL, context, StreamOptions(**options))]  # type: ignore[arg-type]  # the options of each test


async def test_a_step_streams_thinking_text_and_calls_in_this_order() -> None:
    step = Step.from_wire(
        {
            "toolCalls": [{"name": "ls", "arguments": {"path": "a" * 50}, "id": "c1"}],
            "text": "I will list the folder, and then I will see.",
            "thinking": "look first",
        }
    )
    events = await play(FauxProvider([step]))
    message = final(events)
    assert message.stop_reason == "toolUse"
    assert message.content == [
        ThinkingContent(thinking="look first"),
        TextContent(text="I will list the folder, and then I will see."),
        ToolCall(id="c1", name="ls", arguments={"path": "a" * 50}),
    ]
    deltas = [event for event in events if isinstance(event, BlockDelta)]
    assert "".join(d.delta for d in deltas if d.type == "text_delta") == text_of(message.content)
    whole = [len(d.delta) for d in deltas if d.type == "text_delta"][:-1]
    assert whole
    assert all(12 <= length <= 20 for length in whole)
    assert [event.type for event in events][-4:] == [
        "thinking_end",
        "text_end",
        "toolcall_end",
        "done",
    ]


async def test_the_cuts_are_the_same_in_every_run() -> None:
    async def cuts(seed: int) -> list[str]:
        faux = FauxProvider(["word " * 100] * 2, seed=seed)
        events = await play(faux) + await play(faux)
        return [event.delta for event in events if isinstance(event, BlockDelta)]

    assert await cuts(1) == await cuts(1)
    assert await cuts(1) != await cuts(2)


async def test_an_explicit_list_gives_blocks_in_its_own_order() -> None:
    content = [
        {"type": "text", "text": "one"},
        {"type": "toolCall", "name": "ls"},
        {"type": "text", "text": "two"},
    ]
    message = final(await play(FauxProvider([Step.from_wire({"content": content})])))
    assert [block.type for block in message.content] == ["text", "toolCall", "text"]
    assert tool_calls_of(message)[0].id


async def test_failures_come_after_what_was_said() -> None:
    faux = FauxProvider([Step(text="so far", error="503 overloaded"), Step(aborted="stopped")])
    first = final(await play(faux))
    assert (first.stop_reason, first.error_message) == ("error", "503 overloaded")
    assert text_of(first.content) == "so far"
    second = final(await play(faux))
    assert (second.stop_reason, second.error_message) == ("aborted", "stopped")


async def test_a_step_that_does_not_match_is_kept_for_later() -> None:
    faux = FauxProvider([Step(match="hello", text="Hi!"), Step(text="other")])
    said = [text_of(final(await play(faux, s)).content) for s in ("bye", "oh hello you")]
    assert said == ["other", "Hi!"]
    last = final(await play(faux))
    assert last.error_message == "No more demo responses queued"


async def test_a_repeating_step_stays() -> None:
    faux = FauxProvider([Step(text="again", repeat=True)])
    assert [text_of(final(await play(faux)).content) for _ in range(3)] == ["again"] * 3
    assert faux.remaining == 1


async def test_a_function_sees_the_request_and_what_came_before() -> None:
    def respond(
        context: Context, options: StreamOptions, state: ScriptState, model: Model
    ) -> AssistantMessage:
        assert options.session_id == "s"
        said = f"{model.id} {state.call_count} {len(context.messages)}"
        return AssistantMessage(
            content=[text(said)], stop_reason="length", usage=Usage(input=7, total_tokens=7)
        )

    faux = FauxProvider(["first", respond])
    await play(faux, session_id="s")
    message = final(await play(faux, session_id="s"))
    assert (text_of(message.content), message.stop_reason) == ("m 2 1", "length")
    assert message.usage.input == 7
    assert len(faux.state.requests) == 2


async def test_requests_are_kept_as_they_were() -> None:
    faux = FauxProvider(["a"])
    context = asking(UserMessage(content="x"))
    await answer_of(faux(MODEL, context, StreamOptions()))
    context.messages.append(UserMessage(content="later"))
    assert len(faux.state.requests[0].messages) == 1


async def test_raw_arguments_are_sent_as_they_are() -> None:
    step = Step.from_wire({"toolCalls": [{"name": "ls", "arguments": '{"a": '}]})
    [call] = tool_calls_of(final(await play(FauxProvider([step]))))
    assert call.arguments == {}
    assert call.arguments_error


async def test_usage_counts_characters_and_plays_a_cache_for_a_session() -> None:
    faux = FauxProvider(["x" * 40] * 4)
    alone = final(await play(faux, "u" * 400)).usage
    assert alone.input > 100
    assert (alone.output, alone.cache_read) == (10, 0)
    assert alone.total_tokens == alone.input + 10

    def context(*texts: str) -> Context:
        return Context("s" * 400, [UserMessage(content=t) for t in texts])

    options = StreamOptions(session_id="s")
    first = await answer_of(faux(MODEL, context("one"), options))
    second = await answer_of(faux(MODEL, context("one", "two" * 40), options))
    assert (first.usage.input, first.usage.cache_read) == (0, 0)
    assert second.usage.cache_read in (first.usage.cache_write, first.usage.cache_write - 1)
    assert second.usage.cache_write >= 30


async def next_event(events: AsyncIterator[StreamEvent]) -> asyncio.Task[StreamEvent]:
    """Ask for the next event and let it get as far as it can."""

    async def ask() -> StreamEvent:
        return await anext(events)

    task = asyncio.create_task(ask())
    for _ in range(10):
        await asyncio.sleep(0)
    return task


async def test_the_clock_sets_the_pace() -> None:
    clock = ManualClock()
    step = Step(text="x" * 60, delay_ms=50, tokens_per_second=10)
    events = FauxProvider([step], clock=clock)(MODEL, asking(), StreamOptions())
    waiting = await next_event(events)
    assert not waiting.done()
    clock.advance(0.05)
    assert (await waiting).type == "start"
    assert (await anext(events)).type == "text_start"
    first = await anext(events)
    assert isinstance(first, BlockDelta)
    tokens = len(first.delta) // 4
    waiting = await next_event(events)
    clock.advance(tokens / 10 - 0.001)
    await asyncio.sleep(0)
    assert not waiting.done()
    clock.advance(0.002)
    assert (await waiting).type == "text_delta"


async def test_an_abort_ends_any_wait() -> None:
    clock = ManualClock()
    controller = AbortController()
    options = StreamOptions(signal=controller.signal)
    faux = FauxProvider([Step(text="x", delay_ms=1e9), "kept"], clock=clock)
    waiting = asyncio.create_task(answer_of(faux(MODEL, asking(), options)))
    for _ in range(10):
        await asyncio.sleep(0)
    assert clock.sleeping == 1
    controller.abort()
    message = await waiting
    assert (message.stop_reason, message.error_message) == ("aborted", "Request was aborted")
    late = await answer_of(faux(MODEL, asking(), options))
    assert late.stop_reason == "aborted"
    assert faux.remaining == 1


def demo(script: Path | None = None) -> DemoProvider:
    return DemoProvider({"PI_DEMO_SCRIPT": str(script)} if script else {}, SystemClock())


async def told(
    provider: DemoProvider, model_id: str, *said: UserMessage | CustomMessage
) -> AssistantMessage:
    model = Model(id=model_id, provider="demo", api="demo")
    return await answer_of(provider(model, asking(*said), StreamOptions()))


async def test_echo_answers_with_the_last_user_text_as_the_model_gets_it() -> None:
    user = UserMessage(content=[text("one "), text("two")])
    assert text_of((await told(demo(), "echo", user)).content) == "one two"
    custom = CustomMessage(custom_type="t", content="from an extension")
    assert text_of((await told(demo(), "echo", user, custom)).content) == "from an extension"


def write_script(path: Path, *steps: JsonObject | str) -> Path:
    lines = [step if isinstance(step, str) else json.dumps(step) for step in steps]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


async def test_a_script_is_played_a_line_for_each_request(tmp_path: Path) -> None:
    provider = demo(write_script(tmp_path / "s", {"text": "one"}, "", {"error": "503 overloaded"}))
    user = UserMessage(content="x")
    assert text_of((await told(provider, "script", user)).content) == "one"
    assert (await told(provider, "script", user)).error_message == "503 overloaded"
    last = await told(provider, "script", user)
    assert last.error_message == "No more demo responses queued"


async def test_without_a_script_the_answer_says_how_to_name_one() -> None:
    message = await told(demo(), "script", UserMessage(content="x"))
    assert "PI_DEMO_SCRIPT" in (message.error_message or "")


async def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    message = await told(demo(tmp_path / "none"), "script", UserMessage(content="x"))
    assert message.error_message == f"{tmp_path / 'none'} cannot be read: No such file or directory"


@pytest.mark.parametrize("line", ['{"text": 1}', "{", '{"delayMs": -1}', "[]"])
async def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = write_script(tmp_path / "s", {"text": "ok"}, line)
    with pytest.raises(PiError, match=f"{path}, line 2: "):
        list(read_script(str(path)))
