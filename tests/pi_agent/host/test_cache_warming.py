"""A prompt is kept in the provider's cache while that pays, and not a moment longer. The test owns the time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pi_agent.extensions.events import CacheWarmingDecisionEvent, WarmingAction
from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.model import Model, Price
from pi_agent.llm.scripted import DEMO_API, ScriptState
from pi_agent.llm.stream import Context, StreamOptions
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import AgentEvent, EntryAppended
from tests.pi_agent.host.test_conversation import Gate, Talk
from tests.pi_agent.loop.script import answer, call
from tests.wire_server import WireServer, sse_bytes, sse_reply

pytestmark = pytest.mark.anyio

# Kept for 300 s: asked again after 270 s, at the latest after 285 s.
DEAR = Price(input=10, output=10, cache_read=0.1)
CACHING = Model(
    id="caching",
    provider="acme",
    api=DEMO_API,
    base_url="http://127.0.0.1:1",
    context_window=1_000_000,
    prompt_cache={"short": 300, "long": 3600},
    cost=DEAR,
)
CACHED = Usage(input=1000, output=5, cache_read=399_000, total_tokens=400_005)


class Warming(Talk):
    """A conversation with a model whose prompts are cached, and the requests that it makes."""

    def __init__(self, *answers: AssistantMessage, usage: Usage = CACHED, **setup: Any) -> None:
        self.options: list[StreamOptions] = []
        self.recorded: list[Any] = []
        model = setup.pop("model", CACHING)
        told = {"cache_warming": lambda: "idle"} | setup
        super().__init__(*[self._play] * 60, model=model, **told)
        self._answers = list(answers)
        self._usage = usage
        self.conversation.subscribe(self._note_entry)

    def _play(
        self, context: Context, options: StreamOptions, state: ScriptState, model: Model
    ) -> AssistantMessage:
        self.options.append(options)
        message = answer("warm") if options.max_tokens == 1 else self._answers.pop(0)
        return message.model_copy(update={"usage": self._usage.model_copy()})

    def _note_entry(self, event: AgentEvent) -> None:
        if isinstance(event, EntryAppended):
            self.recorded.append(event.entry)

    async def after(self, *seconds: float) -> int:
        """Let time go by and return how many requests were made meanwhile."""
        before = len(self.options)
        for each in seconds:
            self.clock.advance(each)
            await settled()
        return len(self.options) - before


async def settled() -> None:
    """Let everything run that needs no time."""
    for _ in range(40):
        await asyncio.sleep(0)


async def test_the_last_request_is_sent_again_for_one_token_and_what_it_took_is_kept() -> None:
    talk = Warming(answer("fine"))
    await talk.conversation.prompt("hello")
    assert await talk.after(269.9) == 0
    assert await talk.after(0.2) == 1
    first, again = talk.model.state.requests
    assert (again.system_prompt, again.messages) == (first.system_prompt, first.messages)
    assert (talk.options[1].max_tokens, talk.options[1].max_retries) == (1, 0)
    (entry,) = talk.recorded
    assert (entry["type"], entry["kind"]) == ("usage", "cache_warm")
    assert (entry["provider"], entry["model"]) == ("acme", "caching")
    assert entry["usage"]["cacheRead"] == 399_000
    assert talk.kept()[-1] == ("assistant", "fine")
    assert talk.session.get_stats().cache_read == 2 * 399_000
    # The next one is due that long after this one.
    assert await talk.after(269.8) == 0
    assert await talk.after(0.3) == 1


async def test_half_an_hour_without_a_word_is_enough() -> None:
    talk = Warming(answer("fine"))
    await talk.conversation.prompt("hello")
    assert await talk.after(*[270.0] * 20) == 6
    assert talk.clock.sleeping == 0


@pytest.mark.parametrize("mode", ["streaming", "idle"])
async def test_while_tools_run_it_is_an_hour(mode: str) -> None:
    gate = Gate()
    talk = Warming(
        answer(call("gate"), stop="toolUse"),
        answer("done"),
        tools=[gate.tool],
        cache_warming=lambda: mode,
    )
    run = talk.start()
    await gate.running.wait()
    assert await talk.after(*[270.0] * 20) == 13
    gate.open.set()
    await run
    assert talk.kept()[-1] == ("assistant", "done")


@pytest.mark.parametrize(
    ("changes", "usage"),
    [
        ({"cache_warming": lambda: "off"}, CACHED),
        ({"cache_warming": lambda: "streaming"}, CACHED),
        ({"model": CACHING.model_copy(update={"prompt_cache": None})}, CACHED),
        ({"model": CACHING.model_copy(update={"prompt_cache": {"long": 3600}})}, CACHED),
        ({"model": CACHING.model_copy(update={"prompt_cache": {"short": 10}})}, CACHED),
        ({"model": CACHING.model_copy(update={"cost": Price()})}, CACHED),
        ({}, Usage(input=400_000, output=5, total_tokens=400_005)),
        ({}, Usage(input=100, cache_read=30_000, output=5, total_tokens=30_105)),
    ],
    ids=["off", "only in runs", "unknown", "other kind", "10 s", "free", "not cached", "too small"],
)
async def test_without_a_reason_nothing_is_sent(changes: dict[str, Any], usage: Usage) -> None:
    talk = Warming(answer("fine"), usage=usage, **changes)
    await talk.conversation.prompt("hello")
    assert await talk.after(*[5.0] * 60) == 0
    assert talk.clock.sleeping == 0


@pytest.mark.parametrize(
    ("usage", "pi_says", "wanted", "sent"),
    [
        (CACHED, "warm", None, 1),
        (CACHED, "warm", "stop", 0),
        (Usage(cache_read=1000, output=1, total_tokens=1001), "stop", "warm", 1),
        (Usage(cache_read=1000, output=1, total_tokens=1001), "stop", None, 0),
    ],
)
async def test_extensions_have_the_last_word(
    usage: Usage, pi_says: str, wanted: WarmingAction | None, sent: int
) -> None:
    asked: list[CacheWarmingDecisionEvent] = []

    async def decide(event: CacheWarmingDecisionEvent) -> WarmingAction:
        asked.append(event)
        return wanted or event.action

    talk = Warming(answer("fine"), usage=usage, decide_warming=decide)
    await talk.conversation.prompt("hello")
    assert await talk.after(270) == sent
    (event,) = asked
    tokens = usage.input + usage.cache_read
    assert event.action == pi_says
    assert event.continuation_probability == 0.15
    assert event.miss_cost == pytest.approx(tokens * 9.9e-6)
    assert event.warm_cost == pytest.approx(tokens * 0.1e-6 + 10e-6)


async def test_a_refresh_that_would_come_too_late_is_none() -> None:
    talk = Warming(answer("fine"))
    await talk.conversation.prompt("hello")
    assert await talk.after(285.1, 300, 300) == 0  # the machine slept

    async def thinks_long(event: CacheWarmingDecisionEvent) -> WarmingAction:
        slow.clock.advance(15.1)
        return event.action

    slow = Warming(answer("fine"), decide_warming=thinks_long)
    await slow.conversation.prompt("hello")
    assert await slow.after(270, 300, 300) == 0


@pytest.mark.parametrize("what", ["model", "tree", "end", "question"])
async def test_what_is_no_longer_asked_is_not_kept(what: str) -> None:
    talk = Warming(answer("fine"), answer("and this"))
    await talk.conversation.prompt("hello")
    conversation = talk.conversation
    if what == "model":
        await conversation.set_model(talk.find("demo", "echo"))
    elif what == "tree":
        (first,) = [
            e for e in talk.session.get_branch() if e.raw.get("message", {}).get("role") == "user"
        ]
        await conversation.navigate_tree(first.id)
    elif what == "end":
        await conversation.dispose()
    else:
        await talk.after(200)
        await conversation.prompt("and now?")
        assert await talk.after(100) == 0
        assert await talk.after(170) == 1
        return
    assert await talk.after(*[100.0] * 6) == 0
    assert talk.clock.sleeping == 0


async def test_a_refresh_that_fails_is_the_last_and_nobody_hears_of_it() -> None:
    talk = Warming(answer("fine"))
    await talk.conversation.prompt("hello")
    talk.model._responses.clear()
    assert await talk.after(270) == 0
    assert len(talk.model.state.requests) == 2
    assert await talk.after(270, 270) == 0
    assert len(talk.model.state.requests) == 2
    assert (talk.recorded, talk.reports) == ([], [])


async def test_a_decision_that_fails_is_logged_and_ends_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(event: CacheWarmingDecisionEvent) -> WarmingAction:
        raise RuntimeError("no idea")

    talk = Warming(answer("fine"), decide_warming=fail)
    await talk.conversation.prompt("hello")
    assert await talk.after(270, 270) == 0
    assert "no idea" in caplog.text
    assert talk.reports == []


async def test_long_retention_is_kept_for_long() -> None:
    def keep_long(options: StreamOptions) -> None:
        options.cache_retention = "long"

    gate = Gate()
    calls = answer(call("gate"), stop="toolUse")
    talk = Warming(calls, answer("done"), tools=[gate.tool], set_options=keep_long)
    run = talk.start()
    await gate.running.wait()
    assert await talk.after(3239) == 0
    assert await talk.after(1) == 1
    gate.open.set()
    await run


async def test_on_the_wire_it_is_the_same_request_but_for_its_limit() -> None:
    usage = {
        "prompt_tokens": 400_000,
        "completion_tokens": 1,
        "prompt_tokens_details": {"cached_tokens": 399_000},
    }
    chunk = {"choices": [{"delta": {"content": "fine"}, "finish_reason": "stop"}], "usage": usage}
    with WireServer() as server:
        server.queue(*[sse_reply(sse_bytes(chunk))] * 2)
        model = CACHING.model_copy(
            update={"api": "openai-completions", "base_url": f"{server.url}/v1", "max_tokens": 900}
        )
        talk = Warming(model=model)
        warmed = asyncio.Event()
        talk.conversation.subscribe(
            lambda event: warmed.set() if isinstance(event, EntryAppended) else None
        )
        await talk.conversation.prompt("hello")
        talk.clock.advance(270)
        await asyncio.wait_for(warmed.wait(), 20)
        first, again = (request.json() for request in server.requests)
        await talk.conversation.dispose()
        await talk.conversation.registry.aclose()
    assert (first.pop("max_completion_tokens"), again.pop("max_completion_tokens")) == (900, 1)
    assert first == again
    (entry,) = talk.recorded
    assert entry["usage"]["cost"]["total"] == pytest.approx(0.01 + 0.0399 + 0.00001)
