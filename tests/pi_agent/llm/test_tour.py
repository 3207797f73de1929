"""What the model of the tour answers: stop after stop, by name, and to what it does not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.messages import (
    AssistantMessage,
    CustomMessage,
    Message,
    TextContent,
    ToolDeclaration,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.llm.script import Step
from pi_agent.llm.stream import Context
from pi_agent.llm.tour import DRAWN_BY_EXTENSION, STOPS, tour_step

TOOLS = [ToolDeclaration(name=name, description="x", parameters={}) for name in ("read", "bash")]


def user(text: str) -> UserMessage:
    return UserMessage(content=text)


def answer(*messages: Message, prompt: str = "", tools: list[ToolDeclaration] = TOOLS) -> Step:
    return tour_step(Context(prompt, list(messages), tools))


def stop_after(*texts: str) -> str | None:
    """Return the heading of the answer to the last of these texts; `None` if it names no stop."""
    heading = re.match(r"## (\d/\d)", answer(*map(user, texts)).text or "")
    return heading[1] if heading else None


def test_next_goes_through_all_stops_and_says_when_it_was_the_last() -> None:
    said = ["hi"]
    for number in range(1, len(STOPS) + 1):
        assert stop_after(*said) == f"{number}/7"
        said.append("next")
    assert "That was the last stop" in (answer(*map(user, said)).text or "")
    assert stop_after(*said, "back") == "6/7"


@pytest.mark.parametrize(
    ("texts", "stop"),
    [
        (["what is this?"], "1/7"),
        (["What about Markdown?"], "3/7"),
        (["5"], "5/7"),
        (["hi", "Read a file", "again"], "4/7"),
        (["hi", "back"], "1/7"),
        (["hi", "who are you?", "next"], "2/7"),
        (["hi", "next", "2", "CONTINUE!"], "3/7"),
        (["hi", "who are you?"], None),
        (["hi", "99"], None),
        (["hi", ""], None),
    ],
)
def test_where_an_answer_stands_follows_from_what_was_said(
    texts: list[str], stop: str | None
) -> None:
    assert stop_after(*texts) == stop


def test_what_it_does_not_know_is_answered_with_the_ways_on_and_out() -> None:
    text = answer(user("hi"), user("Write me a poem")).text or ""
    for way in ("`next`", "`markdown`", "`/model`", "`/login`", "**Esc**", "**Ctrl+D**"):
        assert way in text


def test_messages_of_extensions_are_nothing_that_was_said() -> None:
    card = CustomMessage(custom_type="tour", content="next next again markdown")
    assert (answer(user("hi"), card).text or "").startswith("## 1/7")


@pytest.mark.parametrize(("stop", "tool"), [("reading", "read"), ("commands", "bash")])
def test_a_call_is_followed_by_what_came_of_it(stop: str, tool: str) -> None:
    asked = user(stop)
    first = answer(asked)
    assert [call.name for call in first.tool_calls] == [tool]
    said = AssistantMessage(content=[TextContent(text="x")], api="demo", provider="demo", model="m")
    for is_error, expected in ((False, "**"), (True, "That did not work here")):
        result = ToolResultMessage(
            tool_call_id="1", tool_name=tool, content=[TextContent(text="y")], is_error=is_error
        )
        after = answer(asked, said, result)
        assert not after.tool_calls
        assert expected in (after.text or "")
    without = answer(asked, tools=[])
    assert not without.tool_calls
    assert f"`{tool}`, which is switched off" in (without.text or "")


def test_what_it_reads_ships_with_pi_and_what_it_runs_changes_nothing() -> None:
    calls = {stop.call.name: stop.call.arguments for stop in STOPS if stop.call is not None}
    read = calls["read"]
    assert isinstance(read, dict)
    assert Path(str(read["path"])).read_text(encoding="utf-8").startswith("# Using pi")
    bash = calls["bash"]
    assert isinstance(bash, dict)
    assert set(re.findall(r"[a-z]{3,}", str(bash["command"]))) == {
        "for",
        "echo",
        "sleep",
        "done",
        "pwd",
    }


def test_it_promises_drawings_only_where_something_draws() -> None:
    assert "does not draw here" in (answer(user("extensions")).text or "")
    drawn = answer(user("extensions"), prompt=f"You are.\n\n{DRAWN_BY_EXTENSION}").text or ""
    assert "panel over the screen" in drawn


@given(st.lists(st.text(), min_size=1, max_size=8))
def test_whatever_is_said_there_is_an_answer_that_streams(texts: list[str]) -> None:
    step = answer(*map(user, texts))
    assert step.text
    assert step.error is None
    assert step.tokens_per_second
