"""The summary of a branch that is left behind, as a conversation asks for it."""

from __future__ import annotations

import asyncio

import pytest

from pi_agent.extensions.results import TreeSummary
from pi_agent.host.retry import RetryPolicy
from pi_agent.host.summarizer import SummaryError
from pi_agent.llm.messages import AssistantMessage, ToolCall, UserMessage, text_of
from pi_agent.llm.model import Model
from pi_agent.llm.script import ScriptedCall, Step
from pi_agent.llm.scripted import Response, ScriptState
from pi_agent.llm.stream import Context, StreamOptions
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController, AbortError
from tests.pi_agent.host.test_conversation import Talk

pytestmark = pytest.mark.anyio


def left_behind() -> SessionManager:
    session = SessionManager.in_memory()
    session.append_message(UserMessage(content="try the other parser"))
    call = ToolCall(id="c1", name="edit", arguments={"path": "b.py"})
    session.append_message(AssistantMessage(content=[call]))
    return session


class Asked:
    """A step that keeps the options it was asked with."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self.options: list[StreamOptions] = []

    def __call__(
        self, context: Context, options: StreamOptions, state: ScriptState, model: Model
    ) -> Step:
        self.options.append(options)
        return self._step


async def summarize(talk: Talk, focus: str | None = None, **options: bool) -> TreeSummary | None:
    entries = left_behind().get_branch()
    return await talk.conversation.summarize_branch(
        entries, AbortController().signal, custom_instructions=focus, **options
    )


def prompt_of(talk: Talk, number: int = 0) -> str:
    message = talk.model.state.requests[number].messages[0]
    assert isinstance(message, UserMessage)
    return text_of(message.content)


async def test_the_summary_says_where_it_comes_from_and_names_the_files() -> None:
    asked = Asked(Step(text="## Goal\nAnother parser."))
    talk = Talk(asked)
    made = await summarize(talk)
    assert made is not None
    preamble, rest = made.summary.split("\n\n", 1)
    assert "another branch" in preamble
    assert rest == "## Goal\nAnother parser.\n\n<modified-files>\nb.py\n</modified-files>"
    assert made.details == {"readFiles": [], "modifiedFiles": ["b.py"]}
    assert made.usage is not None and made.usage.output > 0
    [request] = talk.model.state.requests
    assert request.tools == [] and "do not continue it" in request.system_prompt
    assert prompt_of(talk).startswith(
        "<conversation>\n[User]: try the other parser\n\n"
        '[Assistant tool calls]: edit(path="b.py")\n</conversation>\n\n'
    )
    assert "## Next Steps" in prompt_of(talk) and "## Critical Context" not in prompt_of(talk)
    [options] = asked.options
    assert options.cache_retention == "none"
    assert options.session_id not in (None, talk.session.get_session_id())
    assert talk.lines == [] and talk.session.get_entries() == []


async def test_instructions_are_added_or_take_the_place_of_the_usual_ones() -> None:
    talk = Talk("one", "two")
    await summarize(talk, "names only")
    await summarize(talk, "names only", replace_instructions=True)
    assert prompt_of(talk).endswith("\n\nAdditional focus: names only")
    assert prompt_of(talk, 1).endswith("</conversation>\n\nnames only")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (Step(error="400: no"), "Summarization failed: 400: no"),
        (
            Step(text="cut he", stop_reason="length"),
            "Summarization failed: the summary was cut off at the output limit",
        ),
        (Step(text=" \n"), "Summarization failed: the model wrote nothing"),
        (
            Step(text="ok", tool_calls=[ScriptedCall(name="read")]),
            "Summarization attempted to call a tool",
        ),
    ],
)
async def test_what_is_no_whole_summary_is_none(response: Response, reason: str) -> None:
    with pytest.raises(SummaryError) as refused:
        await summarize(Talk(response))
    assert refused.value.message == reason


async def test_nothing_said_nothing_asked() -> None:
    talk = Talk()
    assert await talk.conversation.summarize_branch([], AbortController().signal) is None
    assert talk.model.state.requests == []


async def test_a_failure_that_may_pass_is_tried_again() -> None:
    talk = Talk(Step(error="503: busy"), "done", retry_policy=RetryPolicy)
    work = asyncio.create_task(summarize(talk))
    await talk.clock.until_sleeping()
    assert talk.lines == ["summarization_retry_scheduled"]
    talk.clock.advance(2)
    made = await work
    assert made is not None and "done" in made.summary
    assert talk.lines[1:] == ["summarization_retry_attempt_start", "summarization_retry_finished"]


async def test_an_abort_ends_the_wait_for_another_try() -> None:
    talk = Talk(Step(error="503: busy"), "done")
    abort = AbortController()
    entries = left_behind().get_branch()
    work = asyncio.create_task(talk.conversation.summarize_branch(entries, abort.signal))
    await talk.clock.until_sleeping()
    abort.abort()
    with pytest.raises(AbortError):
        await work
    assert len(talk.model.state.requests) == 1
