"""One conversation: who may say what when, what the model is told, what is kept, and how it is broken off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.clock import ManualClock
from pi_agent.base.errors import PiError
from pi_agent.base.paths import SessionFolder
from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.run_start import Input, RunStart
from pi_agent.llm.messages import (
    AssistantMessage,
    ImageContent,
    Message,
    TextContent,
    UserMessage,
)
from pi_agent.llm.model import Model
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.script import Step
from pi_agent.llm.scripted import DEMO_API, FauxProvider, Response, ScriptState
from pi_agent.llm.stream import Context, StreamOptions
from pi_agent.loop.events import AgentEvent, AgentSettled, MessageUpdate, QueueUpdate, TurnEnd
from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.models_file import read_models_text
from pi_agent.session.store import SessionManager
from tests.pi_agent.loop.script import answer, call, described, done, said, tool

pytestmark = pytest.mark.anyio


class Talk:
    """A conversation with a scripted model, and all that it tells."""

    def __init__(
        self,
        *responses: Response,
        tools: Sequence[ToolDefinition] = (),
        session: SessionManager | None = None,
        **setup: Any,
    ) -> None:
        self.clock = ManualClock()
        self.model_clock = ManualClock()
        self.model = FauxProvider(responses, clock=self.model_clock)
        self.tools = list(tools)
        self.reports: list[str] = []
        self.lines: list[str] = []
        self._awaited: dict[str, asyncio.Event] = {}
        self.session = session or SessionManager.in_memory()
        registry = ModelRegistry(
            {}, read_models_text(MODELS, "models.json"), stream_functions={DEMO_API: self.model}
        )
        given = {"model": registry.find("demo", "echo"), "tools": lambda: self.tools} | setup
        self.conversation = Conversation(
            ConversationSetup(
                session=self.session,
                registry=registry,
                report=self.reports.append,
                clock=self.clock,
                **given,
            )
        )
        self.conversation.subscribe(self._note)

    def _note(self, event: AgentEvent) -> None:
        line = described(event)
        if isinstance(event, QueueUpdate):
            line += f" {event.steering} {event.follow_up}"
        if isinstance(event, AgentSettled):
            line += f" {event.aborted}"
        self.lines.append(line)
        self._awaited.setdefault(line, asyncio.Event()).set()

    def find(self, provider: str, model_id: str) -> Model:
        model = self.conversation.registry.find(provider, model_id)
        assert model is not None
        return model

    def start(self, text: str = "go") -> asyncio.Task[Any]:
        return asyncio.create_task(self.conversation.prompt(text))

    async def until(self, line: str) -> None:
        """Wait until this is told."""
        await self._awaited.setdefault(line, asyncio.Event()).wait()

    def asked(self, number: int) -> list[tuple[str, str]]:
        """Return role and text of the messages of a request."""
        return told(self.model.state.requests[number].messages)

    def kept(self) -> list[tuple[str, str]]:
        """Return role and text of the messages in the session."""
        return told(self.conversation.messages)

    def told_of(self, *kinds: str) -> list[str]:
        return [line for line in self.lines if line.split()[0] in kinds]


MODELS = json.dumps(
    {
        "providers": {
            "acme": {
                "api": DEMO_API,
                "baseUrl": "http://127.0.0.1:1",
                "models": [{"id": "thinks", "reasoning": True, "maxTokens": 700}],
            },
            "locked": {
                "api": DEMO_API,
                "baseUrl": "http://127.0.0.1:1",
                "apiKey": "$NO_SUCH_VARIABLE",
                "models": [{"id": "m"}],
            },
        }
    }
)


def told(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(message.role, said(message)) for message in messages]


class Gate:
    """A tool that tells when it runs and waits until it may go on, or until the run is aborted."""

    def __init__(self, name: str = "gate", *, output: str = "opened") -> None:
        self.running = asyncio.Event()
        self.open = asyncio.Event()
        self._output = output
        self.tool = ToolDefinition(name=name, description=name, execute=self._execute)

    async def _execute(
        self, tool_call_id: str, params: object, signal: Any, on_update: object, ctx: object
    ) -> Any:
        self.running.set()
        either = {asyncio.create_task(self.open.wait()), asyncio.create_task(signal.wait())}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        for task in either:
            task.cancel()
        signal.raise_if_aborted()
        return done(self._output)


# Talking


async def test_what_is_said_is_answered_and_both_are_kept() -> None:
    talk = Talk("hi there")
    assert await talk.conversation.prompt("hello") == "started"
    assert talk.kept() == [("user", "hello"), ("assistant", "hi there")]
    assert talk.conversation.get_last_assistant_text() == "hi there"
    assert talk.lines[-1] == "agent_settled False"
    assert not talk.conversation.is_streaming


async def test_the_history_goes_along_and_a_failed_answer_stays_in_it() -> None:
    talk = Talk("one", Step(text="half", error="418: tea"), "three")
    for text in ("a", "b", "c"):
        assert await talk.conversation.prompt(text) == "started"
    assert talk.asked(2) == [
        ("user", "a"),
        ("assistant", "one"),
        ("user", "b"),
        ("assistant", "half"),
        ("user", "c"),
    ]
    failed = talk.conversation.messages[3]
    assert isinstance(failed, AssistantMessage)
    assert (failed.stop_reason, failed.error_message) == ("error", "418: tea")


async def test_pictures_go_along_with_the_text() -> None:
    talk = Talk("I see")
    picture = ImageContent(data="AAAA", mime_type="image/png")
    await talk.conversation.prompt("look", [picture])
    (message,) = talk.model.state.requests[0].messages
    assert isinstance(message, UserMessage)
    assert message.content == [TextContent(text="look"), picture]


async def test_without_a_model_nothing_starts() -> None:
    talk = Talk(model=None)
    with pytest.raises(PiError) as caught:
        await talk.conversation.prompt("hello")
    assert caught.value.hint is not None and "--model" in caught.value.hint
    assert not talk.conversation.is_streaming
    assert talk.session.get_entries() == []


async def test_without_a_key_nothing_starts_and_the_model_is_named() -> None:
    talk = Talk()
    locked = talk.find("locked", "m")
    with pytest.raises(PiError, match="locked/m"):
        await talk.conversation.set_model(locked)
    without_key = Talk(model=locked)
    with pytest.raises(PiError, match="locked/m"):
        await without_key.conversation.prompt("hello")
    assert without_key.session.get_entries() == []


# While a run goes on


async def test_steering_during_a_call_comes_after_all_results_and_before_the_next_request() -> None:
    first, second = Gate("first"), Gate("second", output="second opened")
    second.open.set()
    talk = Talk(
        answer(call("first", "1"), call("second", "2")), "done", tools=[first.tool, second.tool]
    )
    run = talk.start()
    await first.running.wait()
    await talk.conversation.steer("this way")
    first.open.set()
    assert await run == "started"
    assert talk.asked(1) == [
        ("user", "go"),
        ("assistant", ""),
        ("toolResult", "opened"),
        ("toolResult", "second opened"),
        ("user", "this way"),
    ]
    assert talk.kept()[1:] == [*talk.asked(1), ("assistant", "done")]


async def test_steering_is_delivered_one_message_a_turn() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "to one", "to two", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.steer("one")
    await talk.conversation.steer("two")
    gate.open.set()
    await run
    assert talk.asked(1)[-1] == ("user", "one")
    assert talk.asked(2)[-2:] == [("assistant", "to one"), ("user", "two")]


async def test_what_waits_is_told_until_it_starts() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "to one", "to two", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.follow_up("later")
    await talk.conversation.steer("now")
    gate.open.set()
    await run
    assert talk.told_of("queue_update") == [
        "queue_update [] ['later']",
        "queue_update ['now'] ['later']",
        "queue_update [] ['later']",
        "queue_update [] []",
    ]
    gone = talk.lines.index("queue_update [] ['later']", talk.lines.index("turn_end 1"))
    assert talk.lines[gone + 1] == "message_start user"


async def test_a_follow_up_waits_until_the_run_would_end() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "first", "second", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.follow_up("and then?")
    gate.open.set()
    await run
    assert talk.asked(1)[-1][0] == "toolResult"
    assert talk.asked(2)[-2:] == [("assistant", "first"), ("user", "and then?")]
    assert talk.told_of("agent_settled") == ["agent_settled False"]


async def test_a_prompt_while_busy_says_how_it_is_meant_or_is_refused() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "one", "two", tools=[gate.tool])
    prompt = talk.conversation.prompt
    run = talk.start()
    await gate.running.wait()
    with pytest.raises(PiError, match="busy"):
        await prompt("what now?")
    assert await prompt("later", streaming_behavior="follow_up") == "queued"
    assert await prompt("now", streaming_behavior="steer") == "queued"
    gate.open.set()
    await run
    assert [text for role, text in talk.kept() if role == "user"] == ["go", "now", "later"]


async def test_of_two_prompts_at_once_the_second_finds_it_busy() -> None:
    talk = Talk("one")
    first, second = talk.start("a"), talk.start("b")
    assert await first == "started"
    with pytest.raises(PiError, match="busy"):
        await second
    assert talk.model.state.call_count == 1


@pytest.mark.parametrize("behavior", ["steer", "follow_up"])
async def test_what_should_be_queued_starts_a_run_when_none_goes_on(behavior: str) -> None:
    talk = Talk("one")
    assert await getattr(talk.conversation, behavior)("now then") == "started"
    assert talk.asked(0) == [("user", "now then")]


@pytest.mark.parametrize("behavior", ["steer", "follow_up"])
async def test_what_is_said_while_all_settles_is_answered_before_it_is_idle(behavior: Any) -> None:
    talk = Talk("one", "two")
    dispositions: list[str] = []

    async def add_more(event: AgentEvent) -> None:
        if isinstance(event, AgentSettled) and not dispositions:
            dispositions.append(
                await talk.conversation.prompt("one more", streaming_behavior=behavior)
            )

    talk.conversation.subscribe(add_more)
    talk.start()
    await talk.until("agent_settled False")
    await talk.conversation.wait_for_idle()
    assert dispositions == ["queued"]
    assert [text for _, text in talk.kept() if text] == ["go", "one", "one more", "two"]
    assert talk.told_of("queue_update")[-1] == "queue_update [] []"
    assert talk.told_of("agent_settled") == ["agent_settled False"] * 2


async def test_what_is_said_while_an_abort_settles_is_answered() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "two", tools=[gate.tool])

    async def add_more(event: AgentEvent) -> None:
        if isinstance(event, AgentSettled) and event.aborted:
            await talk.conversation.prompt("something else", streaming_behavior="steer")

    talk.conversation.subscribe(add_more)
    talk.start()
    await gate.running.wait()
    await talk.conversation.abort()
    assert [text for _, text in talk.kept()][-2:] == ["something else", "two"]
    assert talk.told_of("agent_settled") == ["agent_settled True", "agent_settled False"]


async def test_a_run_that_fails_settles_too() -> None:
    tools: list[ToolDefinition] = []

    def broken() -> list[ToolDefinition]:
        raise LookupError("the tools are gone")

    talk = Talk("fine", tools=tools)
    talk.conversation = Conversation(
        ConversationSetup(
            session=talk.session,
            registry=talk.conversation.registry,
            model=talk.conversation.model,
            tools=broken,
            clock=ManualClock(),
        )
    )
    events: list[str] = []
    talk.conversation.subscribe(lambda event: events.append(event.type))
    with pytest.raises(LookupError):
        await talk.conversation.prompt("go")
    assert events[-1] == "agent_settled"
    assert not talk.conversation.is_streaming


async def test_what_waits_can_be_taken_back() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "done", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.steer("a")
    await talk.conversation.follow_up("b")
    taken = await talk.conversation.clear_queue()
    assert (taken.steering, taken.follow_up) == (["a"], ["b"])
    assert talk.lines[-1] == "queue_update [] []"
    gate.open.set()
    await run
    assert talk.model.state.call_count == 2
    assert [text for role, text in talk.kept() if role == "user"] == ["go"]


# Commands of extensions


class Commands:
    """An extension with the command `/tea`."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def knows(self, text: str) -> bool:
        return text.split()[0] == "/tea"

    async def run(self, text: str) -> bool:
        if self.knows(text):
            self.ran.append(text)
        return self.knows(text)


async def test_a_command_is_run_at_once_also_while_busy() -> None:
    gate, commands = Gate(), Commands()
    talk = Talk(
        answer(call("gate")),
        "done",
        tools=[gate.tool],
        run_command=commands.run,
        is_command=commands.knows,
    )
    assert await talk.conversation.prompt("/tea green") == "handled"
    assert talk.session.get_entries() == []
    run = talk.start()
    await gate.running.wait()
    assert await talk.conversation.prompt("/tea black") == "handled"
    assert commands.ran == ["/tea green", "/tea black"]
    gate.open.set()
    await run


async def test_a_command_cannot_be_queued() -> None:
    commands = Commands()
    talk = Talk(run_command=commands.run, is_command=commands.knows)
    for queue in (talk.conversation.steer, talk.conversation.follow_up):
        with pytest.raises(PiError) as caught:
            await queue("/tea green")
        assert caught.value.message == 'Extension command "/tea" cannot be queued; use prompt'
    await talk.conversation.steer("/other is no command")
    assert commands.ran == []


# Abort


async def test_an_abort_while_tools_run_gives_each_call_a_result_and_asks_nobody() -> None:
    first, second = Gate("first"), Gate("second")
    talk = Talk(answer(call("first", "1"), call("second", "2")), tools=[first.tool, second.tool])
    run = talk.start()
    await first.running.wait()
    await second.running.wait()
    await talk.conversation.abort()
    assert run.done()
    begin = talk.lines.index("tool_execution_end 1")
    assert sorted(talk.lines[begin : begin + 2]) == ["tool_execution_end 1", "tool_execution_end 2"]
    assert talk.lines[begin + 2 :] == [
        "message_start toolResult 1",
        "message_end toolResult 1",
        "message_start toolResult 2",
        "message_end toolResult 2",
        "turn_end 2",
        "turn_start",
        "message_start assistant aborted",
        "message_end assistant aborted",
        "turn_end 0",
        "agent_end 6",
        "agent_settled True",
    ]
    assert talk.model.state.call_count == 1
    last = talk.conversation.messages[-1]
    assert isinstance(last, AssistantMessage)
    assert (last.content, last.error_message) == ([], "Request was aborted")


async def test_steering_that_waits_is_part_of_what_is_aborted() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "never", tools=[gate.tool])
    talk.start()
    await gate.running.wait()
    await talk.conversation.steer("this way")
    await talk.conversation.abort()
    assert [role for role, _ in talk.kept()[-3:]] == ["toolResult", "user", "assistant"]
    assert talk.kept()[-2] == ("user", "this way")
    assert talk.model.state.call_count == 1


async def test_a_follow_up_survives_an_abort_and_goes_along_later() -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "one", "two", tools=[gate.tool])
    talk.start()
    await gate.running.wait()
    await talk.conversation.follow_up("and then?")
    await talk.conversation.abort()
    assert talk.told_of("queue_update")[-1] == "queue_update [] ['and then?']"
    await talk.conversation.prompt("again")
    assert [text for role, text in talk.kept() if role == "user"] == ["go", "again", "and then?"]


async def test_an_abort_while_streaming_keeps_what_came_and_closes_nothing() -> None:
    talk = Talk(Step(text="word " * 50, tool_calls=[], tokens_per_second=1.0), "later")
    run = talk.start()
    await talk.until("message_update text_delta")
    await talk.conversation.abort()
    await run
    updates = [line for line in talk.lines if line.startswith("message_update")]
    assert updates[-1] == "message_update text_delta"
    assert talk.lines[talk.lines.index("message_end assistant aborted") :] == [
        "message_end assistant aborted",
        "turn_end 0",
        "agent_end 2",
        "agent_settled True",
    ]
    role, text = talk.kept()[-1]
    assert role == "assistant" and text and text < "word " * 50


async def test_an_abort_while_idle_does_nothing() -> None:
    talk = Talk("fine")
    await talk.conversation.abort()
    assert talk.lines == []
    assert await talk.conversation.prompt("hello") == "started"
    assert talk.lines[-1] == "agent_settled False"


async def test_idle_is_after_everybody_has_heard_that_it_settled() -> None:
    talk = Talk("hi")
    heard: list[str] = []

    async def slow(event: AgentEvent) -> None:
        if isinstance(event, AgentSettled):
            await asyncio.sleep(0)
            heard.append("settled")

    talk.conversation.subscribe(slow)
    talk.start()
    await talk.until("agent_start")
    await talk.conversation.wait_for_idle()
    assert heard == ["settled"]
    await talk.conversation.wait_for_idle()


async def test_disposing_ends_the_run_and_gives_the_session_free(tmp_path: Path) -> None:
    gate = Gate()
    folder = SessionFolder(tmp_path)
    talk = Talk(
        answer(call("gate")), tools=[gate.tool], session=SessionManager.create(folder=folder)
    )
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.follow_up("never")
    await talk.conversation.dispose()
    assert run.done()
    assert talk.kept()[-1][0] == "assistant"
    (file,) = tmp_path.iterdir()  # nothing beside it that says it is in use
    assert SessionManager.open(file).notices == []


async def test_after_its_end_nothing_can_be_said(tmp_path: Path) -> None:
    talk = Talk("never", session=SessionManager.create(folder=SessionFolder(tmp_path)))
    await talk.conversation.dispose()
    says: list[Callable[[str], Any]] = [
        talk.conversation.prompt,
        talk.conversation.steer,
        talk.conversation.follow_up,
    ]
    for say in says:
        with pytest.raises(PiError, match="ended"):
            await say("still there?")
    assert talk.model.state.call_count == 0
    assert talk.kept() == []


# Subscribers


async def test_a_subscriber_that_fails_is_told_of_once_and_stops_nothing() -> None:
    talk = Talk("one", "two")
    heard: list[str] = []

    def fails(event: AgentEvent) -> None:
        raise LookupError("the third drawer")

    async def fails_later(event: AgentEvent) -> None:
        await asyncio.sleep(0)
        raise LookupError("the fourth drawer")

    talk.conversation.subscribe(fails)
    talk.conversation.subscribe(fails_later)
    talk.conversation.subscribe(lambda event: heard.append(event.type))
    await talk.conversation.prompt("a")
    await talk.conversation.prompt("b")
    assert talk.kept()[-1] == ("assistant", "two")
    assert heard.count("agent_settled") == 2
    assert talk.reports == [
        "LookupError: the third drawer",
        "LookupError: the fourth drawer",
    ]


async def test_subscribers_hear_one_after_another_and_are_waited_for() -> None:
    talk = Talk("hi")
    order: list[str] = []

    async def slow(event: AgentEvent) -> None:
        order.append(f"slow begins {event.type}")
        await asyncio.sleep(0)
        order.append(f"slow ends {event.type}")

    talk.conversation.subscribe(slow)
    talk.conversation.subscribe(lambda event: order.append(f"fast {event.type}"))
    await talk.conversation.prompt("hello")
    kinds = [line.split()[-1] for line in order[::3]]
    assert order == [
        line
        for kind in kinds
        for line in (f"slow begins {kind}", f"slow ends {kind}", f"fast {kind}")
    ]


async def test_a_subscriber_that_leaves_takes_no_other_along() -> None:
    talk = Talk("hi")
    first: list[str] = []
    second: list[str] = []

    def once(event: AgentEvent) -> None:
        first.append(event.type)
        leave()
        leave()

    leave: Callable[[], None] = talk.conversation.subscribe(once)
    talk.conversation.subscribe(lambda event: second.append(event.type))
    await talk.conversation.prompt("hello")
    assert first == ["agent_start"]
    assert second == [line.split()[0] for line in talk.lines]


# What the model is told besides


async def _begin(said: Input, tools: Sequence[ToolDefinition]) -> RunStart:
    names = ", ".join(each.name for each in tools)
    return RunStart(sections={"preamble": "You are pi.", "tools": names})


async def test_prompt_and_tools_are_told_once_and_then_what_changes() -> None:
    read, bash = tool("read", lambda: "x"), tool("bash", lambda: "x")
    talk = Talk("one", "two", "three", tools=[read, bash], begin_run=_begin)
    await talk.conversation.prompt("a")
    await talk.conversation.prompt("b")
    assert talk.told_of("message_end").count("message_end system") == 1
    talk.tools = [read]
    await talk.conversation.prompt("c")
    first, patch = [message for message in talk.conversation.messages if message.role == "system"]
    assert first.sections == {"preamble": "You are pi.", "tools": "read, bash"}
    assert patch.sections == {"tools": "read"}
    assert [removed.name for removed in patch.tools_removed or ()] == ["bash"]
    assert not patch.tools_added
    prompts = [request.system_prompt for request in talk.model.state.requests]
    assert prompts == ["You are pi.\n\nread, bash"] * 2 + ["You are pi.\n\nread"]
    assert [each.name for each in talk.model.state.requests[2].tools] == ["read"]


async def test_requests_carry_the_session_and_a_limit() -> None:
    seen: list[StreamOptions] = []

    def look(context: Context, options: StreamOptions, state: ScriptState, model: Model) -> Step:
        seen.append(options)
        return Step(text="fine")

    talk = Talk(look)
    await talk.conversation.set_model(talk.find("acme", "thinks"))
    await talk.conversation.prompt("hello")
    assert seen[0].session_id == talk.session.get_session_id()
    assert seen[0].max_tokens == 700


async def test_a_model_chosen_during_a_run_answers_the_next_request() -> None:
    gate = Gate()
    answered: list[str] = []

    def who(context: Context, options: StreamOptions, state: ScriptState, model: Model) -> Step:
        answered.append(f"{model.reference} {options.reasoning}")
        return Step(text="fine")

    talk = Talk(answer(call("gate")), who, tools=[gate.tool], thinking_level="high")
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.set_model(talk.find("acme", "thinks"))
    gate.open.set()
    await run
    assert answered == ["acme/thinks high"]


async def test_the_wanted_level_outlasts_a_model_that_cannot_think() -> None:
    talk = Talk(thinking_level="high")
    conversation = talk.conversation
    levels = [conversation.thinking_level]
    await conversation.set_model(talk.find("acme", "thinks"))
    levels.append(conversation.thinking_level)
    await conversation.set_model(talk.find("demo", "echo"))
    await conversation.set_thinking_level("low")
    levels.append(conversation.thinking_level)
    await conversation.set_model(talk.find("acme", "thinks"))
    levels.append(conversation.thinking_level)
    await conversation.set_model(talk.find("acme", "thinks"), "minimal")
    levels.append(conversation.thinking_level)
    assert levels == ["off", "high", "off", "low", "minimal"]
    recorded = [
        entry.raw.get("modelId") or entry.raw.get("thinkingLevel")
        for entry in talk.session.get_entries()
    ]
    assert recorded == ["thinks", "high", "echo", "off", "thinks", "low", "minimal"]


# What is kept


async def test_everything_is_on_disk_before_the_next_request_and_at_the_end_of_a_turn(
    tmp_path: Path,
) -> None:
    session = SessionManager.create(folder=SessionFolder(tmp_path))
    file = session.get_session_file()
    assert file is not None

    def on_disk() -> list[str]:
        entries = [json.loads(line) for line in file.read_text().splitlines()[1:]]
        return [entry["message"]["role"] for entry in entries if entry["type"] == "message"]

    def look(context: Context, options: StreamOptions, state: ScriptState, model: Model) -> Any:
        before_request.append(on_disk())
        return answer(call("tea")) if state.call_count == 1 else Step(text="done")

    def note(event: AgentEvent) -> None:
        if isinstance(event, TurnEnd):
            at_turn_end.append(on_disk())

    before_request: list[list[str]] = []
    at_turn_end: list[list[str]] = []
    talk = Talk(look, look, tools=[tool("tea", lambda: "green")], session=session)
    talk.conversation.subscribe(note)
    await talk.conversation.prompt("hello")
    assert before_request == [
        ["system", "user"],
        ["system", "user", "assistant", "toolResult"],
    ]
    assert at_turn_end == [before_request[1], [*before_request[1], "assistant"]]


async def test_a_file_that_cannot_be_written_is_told_once_and_the_conversation_goes_on(
    tmp_path: Path,
) -> None:
    in_the_way = tmp_path / "sessions"
    in_the_way.write_text("not a folder")
    session = SessionManager.create(folder=SessionFolder(in_the_way))
    talk = Talk("one", "two", "three", session=session, tools=[tool("tea", lambda: "green")])
    await talk.conversation.prompt("a")
    await talk.conversation.prompt("b")
    assert talk.told_of("message_end").count("message_end assistant stop") == 2
    (report,) = talk.reports
    assert str(session.get_session_file()) in report
    assert "will not remember" in report
    # Once it can be written it is, and holds nothing that was not said after all.
    in_the_way.unlink()
    await talk.conversation.prompt("c")
    assert talk.kept()[-2:] == [("user", "c"), ("assistant", "three")]
    file = session.get_session_file()
    assert file is not None
    assert told(SessionManager.open(file).build_session_projection()) == talk.kept()


async def test_a_choice_that_cannot_be_written_down_still_holds(tmp_path: Path) -> None:
    session = SessionManager.create(folder=SessionFolder(tmp_path / "sessions"))
    talk = Talk("one", session=session, thinking_level="high")
    await talk.conversation.prompt("a")
    file = session.get_session_file()
    assert file is not None
    file.unlink()
    await talk.conversation.set_model(talk.find("acme", "thinks"))
    assert talk.conversation.model is not None
    assert talk.conversation.model.reference == "acme/thinks"
    assert talk.conversation.thinking_level == "high"
    (report,) = talk.reports
    assert "Start a new session." in report


async def test_an_update_shows_the_answer_as_it_grows() -> None:
    talk = Talk("a long answer, in more than one piece")
    seen: list[str] = []

    def note(event: AgentEvent) -> None:
        if isinstance(event, MessageUpdate):
            seen.append(said(event.message))

    talk.conversation.subscribe(note)
    await talk.conversation.prompt("hello")
    assert len(set(seen)) > 2
    assert all("a long answer, in more than one piece".startswith(text) for text in seen)
    assert seen == sorted(seen, key=len)


async def test_a_level_that_is_none_is_refused_and_changes_nothing() -> None:
    talk = Talk("fine")
    level: Any = "bogus"
    with pytest.raises(PiError, match="Unknown thinking level: bogus"):
        await talk.conversation.set_thinking_level(level)
    assert talk.conversation.thinking_level == "off"
    assert await talk.conversation.prompt("hello") == "started"
