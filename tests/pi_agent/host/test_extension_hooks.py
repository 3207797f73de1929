"""What extensions hear of a conversation and change in it, with everything else real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.extensions.events import CacheWarmingDecisionEvent
from pi_agent.host.extension_hooks import ExtensionHooks
from pi_agent.host.services import Services
from pi_agent.host.system_prompt import SystemPrompt
from pi_agent.llm.messages import CustomMessage, Message, SystemMessage, UserMessage, text_of
from pi_agent.llm.model import Model
from pi_agent.llm.resolve import ModelChoice
from pi_agent.resources.context_files import ContextFiles
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.entries import CustomMessageEntry, MessageEntry
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_services import Run

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def noted(run: Run) -> list[str]:
    return (run.project / "noted").read_text().splitlines()


NOTE = """
    def note(text):
        with open("noted", "a") as file:
            file.write(text + "\\n")
"""


async def prompt(run: Run, source: str, *texts: str) -> list[Message]:
    """Say the texts to a run with an extension; returns the conversation's messages."""
    path = run.extension(source.replace('open("noted"', f"open({str(run.project / 'noted')!r}"))
    async with run.services(extensions=(path,)) as services:
        await services.start_extensions()
        for text in texts:
            await services.conversation.prompt(text)
        return services.conversation.messages


def said(messages: list[Message]) -> list[str]:
    return [text_of(each.content) for each in messages if isinstance(each, UserMessage)]


async def test_the_events_of_a_run_come_in_order_and_after_what_they_tell_of(run: Run) -> None:
    """Two turns with a call; when it has settled nothing runs any more."""
    run.calls("bash", command="echo hi")
    source = (
        NOTE
        + """
    def setup(pi):
        for name in ("input", "before_agent_start", "agent_start", "turn_start", "tool_call",
                     "tool_result", "turn_end", "agent_end", "agent_settled"):
            pi.on(name, lambda event, ctx: note(
                f"{event.type} {ctx.is_idle()} {ctx.signal is not None}"))
        pi.on("turn_end", lambda event: note(
            f"{event.turn_index} {event.outcome} {len(event.tool_results)}"
            f" {event.message_entry_id is not None} {len(event.tool_result_entry_ids)}"))
        pi.on("agent_end", lambda event: note(str([each.role for each in event.messages])))
        pi.on("agent_settled", lambda event: note(f"aborted {event.aborted}"))
    """
    )
    await prompt(run, source, "go")
    assert [line for line in noted(run) if not line.startswith("before")] == [
        "input True False",
        "agent_start False True",
        "turn_start False True",
        "tool_call False True",
        "tool_result False True",
        "turn_end False True",
        "0 completed 1 True 1",
        "turn_start False True",
        "turn_end False True",
        "1 completed 0 True 0",
        "agent_end False True",
        "['system', 'user', 'assistant', 'toolResult', 'assistant']",
        "agent_settled True False",
        "aborted False",
    ]
    assert "before_agent_start False False" in noted(run)


async def test_the_ids_of_a_turn_are_those_of_its_entries(run: Run) -> None:
    run.calls("bash", command="echo hi")
    source = (
        NOTE
        + """
    import json
    def setup(pi):
        pi.on("turn_end", lambda event: note(json.dumps(
            [event.message_entry_id, *event.tool_result_entry_ids])))
    """
    )
    path = run.extension(source.replace('open("noted"', f"open({str(run.project / 'noted')!r}"))
    async with run.services(extensions=(path,)) as services:
        await services.conversation.prompt("go")
        entries = services.conversation.session.get_branch()
    ids = [
        entry.id
        for entry in entries
        if isinstance(entry, MessageEntry) and entry.role in ("assistant", "toolResult")
    ]
    assert [json.loads(line) for line in noted(run)] == [ids[:2], ids[2:]]


async def test_what_is_typed_can_be_rewritten_or_dealt_with(run: Run) -> None:
    """A command of an extension does not come by here; what was dealt with leaves no trace."""
    run.plays({"text": "one"}, {"text": "two"})
    source = (
        NOTE
        + """
    def setup(pi):
        pi.command("now")(lambda args: note("command " + args))
        @pi.on("input")
        def take(event):
            note(f"{event.text} {event.source} {event.streaming_behavior}")
            if event.text == "ping":
                return {"action": "handled"}
            if event.text.startswith("?"):
                return {"action": "transform", "text": "Be brief: " + event.text[1:]}
    """
    )
    messages = await prompt(run, source, "?why", "ping", "/now x", "plain")
    assert said(messages) == ["Be brief: why", "plain"]
    assert noted(run) == [
        "?why interactive None",
        "ping interactive None",
        "command x",
        "plain interactive None",
    ]
    assert run.failures == []


STEERS = """
    import asyncio
    def setup(pi):
        reached, go_on = asyncio.Event(), asyncio.Event()
        pi.reached, pi.go_on = reached, go_on
        @pi.on("tool_call")
        async def wait(event):
            await asyncio.sleep(0.05)
        pi.on("input", lambda event: note(f"{event.text} {event.streaming_behavior}"))
"""


async def test_a_text_in_the_middle_of_a_run_says_how_it_will_arrive(run: Run) -> None:
    run.calls("bash", command="true")
    path = run.extension(
        (NOTE + STEERS).replace('open("noted"', f"open({str(run.project / 'noted')!r}")
    )
    async with run.services(extensions=(path,)) as services:
        talk = services.conversation
        talk.subscribe(lambda event: None)

        async def steer() -> None:
            await talk.prompt("left", streaming_behavior="steer")
            await talk.prompt("then", streaming_behavior="follow_up")

        steered: list[object] = []

        async def at_the_call(event: object) -> None:
            if getattr(event, "type", "") == "tool_execution_start" and not steered:
                steered.append(event)
                await steer()

        talk.subscribe(at_the_call)
        await talk.prompt("go")
        assert said(talk.messages) == ["go", "left", "then"]
    assert noted(run) == ["go None", "left steer", "then follow_up"]


async def test_a_result_can_be_changed_before_anybody_sees_it(run: Run) -> None:
    """Of a call that failed as well; it is what is kept."""
    run.calls("bash", command="echo secret; exit 3")
    source = """
    def setup(pi):
        @pi.on("tool_result")
        def redact(event):
            assert event.is_error and event.input == {"command": "echo secret; exit 3"}
            text = event.content[0].text.replace("secret", "***")
            return {"content": [{"type": "text", "text": text}], "details": {"redacted": True}}
    """
    messages = await prompt(run, source, "go")
    assert run.failures == []
    (result,) = [message for message in messages if message.role == "toolResult"]
    assert "***" in text_of(result.content)
    assert "secret" not in result.model_dump_json()
    assert result.details == {"redacted": True}
    assert result.is_error


def requests(services: Services) -> list[tuple[str, list[str]]]:
    """Return the prompt and the tools of every request, as the file of the session tells."""
    states = [m for m in services.conversation.messages if isinstance(m, SystemMessage)]
    return [(str(m.sections), [tool.name for tool in m.tools_added or ()]) for m in states]


async def test_sections_and_tools_of_a_run_are_told_as_differences(run: Run) -> None:
    """The second run has another mood and no bash; the third is as if nobody had asked for anything."""
    run.plays({"text": "1"}, {"text": "2"}, {"text": "3"})
    source = """
    def setup(pi):
        @pi.on("before_agent_start")
        def start(event, ctx):
            options = event.system_prompt_options
            if event.prompt == "two":
                options.sections["mood"] = "kind"
                options.selected_tools.remove("bash")
    """
    messages = await prompt(run, source, "one", "two", "three")
    first, second, third = [m for m in messages if isinstance(m, SystemMessage)]
    assert {"bash", "read"} <= {tool.name for tool in first.tools_added or ()}
    assert (second.sections or {})["mood"] == "<mood>\nkind\n</mood>"
    assert [tool.name for tool in second.tools_removed or ()] == ["bash"]
    assert not second.tools_added
    assert (third.sections or {})["mood"] is None
    assert [tool.name for tool in third.tools_added or ()] == ["bash"]
    assert run.failures == []


async def test_a_tool_that_is_left_out_of_a_run_cannot_be_called_in_it(run: Run) -> None:
    run.calls("bash", command="echo hi")
    source = """
    def setup(pi):
        pi.on("before_agent_start",
              lambda event: event.system_prompt_options.selected_tools.remove("bash"))
    """
    await prompt(run, source, "go")
    assert run.results == ["Tool bash not found"]


async def test_messages_of_extensions_follow_the_prompt_and_are_kept(run: Run) -> None:
    """In load order; a resumed session has them still."""
    run.plays({"text": "1"})
    source = """
    from pi_agent import BeforeAgentStartResult, ExtensionMessage
    def setup(pi):
        pi.on("before_agent_start", lambda event: {
            "message": {"customType": "note", "content": "first", "details": {"n": 1}}})
        pi.on("before_agent_start", lambda event: BeforeAgentStartResult(
            ExtensionMessage("note", "second", display=False)))
    """
    messages = await prompt(run, source, "go")
    assert [m.role for m in messages] == ["system", "user", "custom", "custom", "assistant"]
    custom = [m for m in messages if isinstance(m, CustomMessage)]
    assert [(m.content, m.display, m.details) for m in custom] == [
        ("first", True, {"n": 1}),
        ("second", False, None),
    ]
    (file,) = (run.agent_dir / "sessions").glob("*/*.jsonl")
    kept = SessionManager.open(file).get_branch()
    assert [e.content for e in kept if isinstance(e, CustomMessageEntry)] == ["first", "second"]


async def test_a_forced_prompt_is_sent_but_the_sections_are_kept(run: Run) -> None:
    """`demo/script` says what it was sent."""
    run.plays({"text": "1"})
    sent: list[str] = []
    source = """
    def setup(pi):
        pi.on("before_agent_start", lambda event: {"system_prompt": "Be " + "brief."})
        pi.on("before_agent_start", lambda event: {
            "system_prompt": event.system_prompt + " And kind."})
    """
    path = run.extension(source)
    async with run.services(extensions=(path,)) as services:
        stream = services.registry.stream

        def listening(model: object, context: object, options: object) -> object:
            sent.append(str(getattr(context, "system_prompt", "")))
            return stream(model, context, options)  # type: ignore[arg-type]  # passed on as they came

        services.registry.stream = listening  # type: ignore[method-assign, assignment]  # what goes out is looked at
        await services.conversation.prompt("go")
        (system,) = [m for m in services.conversation.messages if isinstance(m, SystemMessage)]
    assert sent == ["Be brief. And kind."]
    assert "preamble" in (system.sections or {})


ONE_MORE = """
    from pi_agent import ExtensionEntry, ExtensionMessage, TurnEndResult
    def setup(pi):
        asked = []
        @pi.on("turn_end")
        def review(event):
            if asked or event.tool_results:
                return None
            asked.append(1)
            return TurnEndResult(
                [ExtensionEntry("log", {"turn": event.turn_index}),
                 ExtensionMessage("review", "Check it once more.")], continue_=True)
        @pi.on("turn_end")
        def add(event):
            if event.entries:
                assert event.continue_
                return {"entries": [*event.entries, {"type": "custom", "customType": "more"}]}
"""


async def test_a_turn_can_be_followed_by_entries_and_one_more_request(run: Run) -> None:
    """In the order of the proposal; the model reads the message, and the data stay with the extension."""
    run.plays({"text": "first"}, {"text": "second"}, {"text": "never asked for"})
    path = run.extension(ONE_MORE)
    async with run.services(extensions=(path,)) as services:
        await services.conversation.prompt("go")
        talk = [(m.role, text_of(m.content)) for m in services.conversation.messages[1:]]  # type: ignore[union-attr]  # those with a content
        kinds = [entry.type_name for entry in services.conversation.session.get_branch()]
    assert talk == [
        ("user", "go"),
        ("assistant", "first"),
        ("custom", "Check it once more."),
        ("assistant", "second"),
    ]
    assert kinds[-5:] == ["message", "custom", "custom_message", "custom", "message"]
    assert (run.failures, run.reports) == ([], [])


async def test_the_next_request_has_what_was_added(run: Run) -> None:
    """`demo/script` answers with what it was told last."""
    run.plays({"text": "first"}, {"text": "told: {{lastUserText}}"})
    seen: list[list[str]] = []
    path = run.extension(ONE_MORE)
    async with run.services(extensions=(path,)) as services:
        stream = services.registry.stream

        def listening(model: object, context: object, options: object) -> object:
            seen.append([m.role for m in getattr(context, "messages", [])])
            return stream(model, context, options)  # type: ignore[arg-type]  # passed on as they came

        services.registry.stream = listening  # type: ignore[method-assign, assignment]  # what goes out is looked at
        await services.conversation.prompt("go")
    assert seen == [["user"], ["user", "assistant", "user"]]


async def test_one_more_request_without_anything_to_answer_is_dropped(run: Run) -> None:
    run.plays({"text": "first"}, {"text": "never asked for"})
    source = "def setup(pi): pi.on('turn_end', lambda event: {'continue': True})"
    await prompt(run, source, "go")
    assert run.reports == ["turn_end requested continuation without runnable model context"]


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        ("{'entries': 'x'}", "entries should be a list of entries and messages, got str"),
        ("{'entries': [{'type': 'compaction'}]}", "entries should be a list"),
        ("{'entries': [{'type': 'custom'}]}", "missing 1 required positional argument"),
        ("{'continue': 'yes'}", "continue_ should be true or false, got str"),
    ],
)
async def test_a_wrong_proposal_is_reported_and_adds_nothing(
    run: Run, returned: str, problem: str
) -> None:
    run.plays({"text": "first"})
    messages = await prompt(run, f"def setup(pi): pi.on('turn_end', lambda: {returned})", "go")
    assert [m.role for m in messages] == ["system", "user", "assistant"]
    (failure,) = run.failures
    assert problem in failure.error


async def test_another_model_is_told_with_the_one_before_and_once(run: Run) -> None:
    """Not the one it begins with, nor the same one again, nor one that cannot be asked."""
    source = (
        NOTE
        + """
    def setup(pi):
        @pi.on("model_select")
        async def selected(event, ctx):
            before = event.previous_model.id if event.previous_model else None
            note(f"{event.source} {before} {event.model.id} {ctx.model.id} {ctx.thinking_level}")
    """
    )
    path = run.extension(source.replace('open("noted"', f"open({str(run.project / 'noted')!r}"))
    run.environ["OPENAI_API_KEY"] = ""
    async with run.services(extensions=(path,), model="demo/echo") as services:
        await services.start_extensions()
        conversation, models = services.conversation, services.registry.available()
        assert not (run.project / "noted").exists()
        tour = next(model for model in models if model.id == "tour")
        await conversation.set_model(tour)
        await conversation.set_model(tour, "low")
        conversation.scoped_models = [ModelChoice(model) for model in models]
        await conversation.cycle_model()
        with pytest.raises(PiError):
            await conversation.set_model(Model(id="x", provider="none", api="none"))
    assert noted(run) == ["set echo tour tour medium", "cycle tour echo echo off"]


async def test_what_ships_with_pi_comes_last_and_can_be_left_out(run: Run) -> None:
    own = run.extension("def setup(pi): pi.command('own')(lambda: None)")
    for options, commands, names in (
        ({}, ["own", "tour"], ["own"]),
        ({"no_extensions": True}, ["own"], ["own"]),
    ):
        async with run.services(extensions=(own,), **options) as services:
            assert list(services.runner.commands()) == commands
            assert services.extensions.names == names
    named = (own, "builtin:tour")
    async with run.services(extensions=named, no_extensions=True) as services:
        assert list(services.runner.commands()) == ["own", "tour"]
        assert services.extensions.names == ["own", "tour"]
    async with run.services(extensions=named[::-1]) as services:
        assert list(services.runner.commands()) == ["tour", "own"]


async def test_one_that_does_not_ship_with_pi_is_no_choice(run: Run) -> None:
    async with run.services(extensions=("builtin:nope",)) as services:
        (problem,) = services.problems
    assert (problem.kind, problem.text) == (
        "extension",
        "Unknown built-in extension: builtin:nope\nThere are: builtin:tour.",
    )


async def test_settings_leave_it_out_and_say_what_they_cannot_mean(run: Run) -> None:
    file = run.agent_dir / "settings.json"
    file.write_text('{"extensions": ["-builtin:tour", "mine.py"]}')
    async with run.services(settings=SettingsStore(file)) as services:
        assert list(services.runner.commands()) == []
        (problem,) = services.problems
    assert (problem.kind, problem.text) == (
        "warning",
        'settings.json: extensions: "mine.py" leaves out nothing. It may be: "-builtin:tour".',
    )
    async with run.services(settings=SettingsStore(file), extensions=("builtin:tour",)) as services:
        assert list(services.runner.commands()) == ["tour"]


async def test_the_last_extension_with_an_opinion_decides_whether_a_prompt_is_kept(
    run: Run,
) -> None:
    source = """
    def setup(pi):
        pi.on("cache_warming_decision", lambda event: {"action": "warm"})
        pi.on("cache_warming_decision", lambda event: {"action": "later"})
        pi.on("cache_warming_decision", lambda event: {"action": "stop"}
              if event.action == "warm" and event.miss_cost > 1 else None)
        pi.on("cache_warming_decision", lambda event: 1 / 0)
    """
    async with run.services(extensions=(run.extension(source),)) as services:
        hooks = ExtensionHooks(
            services.extensions,
            SystemPrompt(services.options, ContextFiles(), []),
            services.conversation.session,
        )
        cheap = CacheWarmingDecisionEvent(0.01, 0.02, 0.15, "stop")
        dear = CacheWarmingDecisionEvent(0.01, 2.0, 1.0, "warm")
        assert await hooks.decide_warming(cheap) == "warm"
        assert await hooks.decide_warming(dear) == "stop"
    assert ["action" in str(each.error) for each in run.failures] == [True, False]
