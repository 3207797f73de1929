"""The conversation in this process: events of an answer through to its listeners, and a request over a long history."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

from benchmarks.figures import Figure
from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.llm.messages import AssistantMessage, TextContent, UserMessage
from pi_agent.llm.model import Model
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.scripted import DEMO_API
from pi_agent.llm.stream import Context, MessageBuilder, StreamEvent, StreamOptions
from pi_agent.loop.events import AgentEvent
from pi_agent.session.store import SessionManager

_SUBJECT: Final = "Conversation, CPU in one process"
_WORDS: Final = 5000
_HISTORY: Final = 10_000
_COMPACTIONS: Final = 50
_TURNS_BETWEEN: Final = 40
_PROJECTIONS: Final = 20


def measure(runs: int) -> list[Figure]:
    """Measure events and requests."""
    return asyncio.run(_measure(runs))


async def _measure(runs: int) -> list[Figure]:
    events = [
        (Figure(_SUBJECT, "events a second, no listeners", "thousands"), 0),
        (Figure(_SUBJECT, "events a second, ten listeners", "thousands"), 10),
    ]
    context = Figure(_SUBJECT, f"the context after {_COMPACTIONS} compactions", "ms")
    context_ratio = Figure(_SUBJECT, "the same, divided by that after one", "times")
    request = Figure(_SUBJECT, f"a question and a word after {_HISTORY:,} messages", "ms")
    ratio = Figure(_SUBJECT, "the same, divided by that after 1,000", "times")
    for _ in range(runs):
        for figure, listeners in events:
            figure.values.append(await _events_a_second(listeners) / 1000)
        long, short = await _question_after(_HISTORY), await _question_after(_HISTORY // 10)
        many, one = _context_after(_COMPACTIONS), _context_after(1)
        context.values.append(many * 1000)
        context_ratio.values.append(many / one)
        request.values.append(long * 1000)
        ratio.values.append(long / short)
    return [figure for figure, _ in events] + [request, ratio, context, context_ratio]


async def _events_a_second(listeners: int) -> float:
    talk, told = _conversation(_WORDS), 0

    def count(event: AgentEvent) -> None:
        nonlocal told
        told += 1

    for _ in range(listeners):
        talk.subscribe(count)
    begun = time.process_time()
    await talk.prompt("go")
    seconds = time.process_time() - begun
    # A start and an end of run, turn, question, answer and text, the words, and that all has settled.
    number = told // listeners if listeners else _WORDS + 11
    return number / seconds


def _context_after(compactions: int) -> float:
    """Return the seconds in which the context of a session is worked out that was compacted so often."""
    session = SessionManager.in_memory()
    for _ in range(compactions):
        kept = [_append_turn(session, number) for number in range(_TURNS_BETWEEN)][-10]
        session.append_compaction("so far", first_kept_entry_id=kept, tokens_before=1)
    session.build_session_projection()
    begun = time.process_time()
    for _ in range(_PROJECTIONS):
        session.build_session_projection()
    return (time.process_time() - begun) / _PROJECTIONS


def _append_turn(session: SessionManager, number: int) -> str:
    """Add a question with its answer; returns the question's id."""
    entry = session.append_message(UserMessage(content=f"question {number}", timestamp=1))
    answer = AssistantMessage(content=[TextContent(text="yes")], timestamp=1)
    session.append_message(answer)
    return entry.id


async def _question_after(messages: int) -> float:
    talk = _conversation(1)
    for number in range(messages // 2):
        _append_turn(talk.session, number)
    await talk.prompt("go")
    begun = time.process_time()
    await talk.prompt("and on")
    return time.process_time() - begun


def _conversation(words: int) -> Conversation:
    async def stream(
        model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        builder = MessageBuilder(model, 1)
        for event in builder.start():
            yield event
        for _ in range(words):
            for event in builder.text("word "):
                yield event
        for event in builder.finish("stop"):
            yield event

    registry = ModelRegistry({}, stream_functions={DEMO_API: stream})
    model = registry.find("demo", "echo")
    setup = ConversationSetup(
        session=SessionManager.in_memory(), registry=registry, model=model, report=print
    )
    return Conversation(setup)
