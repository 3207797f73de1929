"""What system messages add up to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.llm.messages import Message, SystemMessage, ToolDeclaration, ToolName, UserMessage
from pi_agent.llm.system_state import SystemState, render_system, replay_system, system_patch


def declared(name: str, description: str = "") -> ToolDeclaration:
    return ToolDeclaration(name=name, description=description, parameters={"type": "object"})


names = st.sampled_from("abcd")
states = st.builds(
    SystemState,
    st.just(""),
    st.dictionaries(names, st.sampled_from(["one", "two"])),
    st.lists(
        st.builds(declared, names, st.sampled_from(["old", "new"])),
        unique_by=lambda tool: tool.name,
    ).map(tuple),
)


@given(states, states)
@settings(max_examples=150)
def test_a_patch_leads_from_one_state_to_the_other(old: SystemState, new: SystemState) -> None:
    first = system_patch(SystemState(), old)
    second = system_patch(old, new)
    replayed = replay_system([message for message in (first, second) if message is not None])
    assert dict(replayed.sections) == dict(new.sections)
    assert {tool.name: tool for tool in replayed.tools} == {tool.name: tool for tool in new.tools}


def test_no_change_is_no_message() -> None:
    state = SystemState("text", {"a": "one"}, (declared("x"), declared("y")))
    same = SystemState("text", {"a": "one"}, (declared("y"), declared("x")))
    assert system_patch(state, same) is None


def test_only_what_changed_is_said() -> None:
    old = SystemState("", {"a": "one", "b": "two"}, (declared("x"), declared("y")))
    new = SystemState("", {"a": "one", "b": "three"}, (declared("x"), declared("y", "better")))
    patch = system_patch(old, new, 5)
    assert patch == SystemMessage(
        sections={"b": "three"},
        tools_removed=[ToolName(name="y")],
        tools_added=[declared("y", "better")],
        timestamp=5,
    )


def test_a_section_that_left_comes_back_at_the_end_and_one_that_stayed_keeps_its_place() -> None:
    messages: list[Message] = [
        SystemMessage(sections={"a": "1", "b": "2", "c": "3"}),
        UserMessage(content="hi"),
        SystemMessage(sections={"a": None, "b": "new"}),
        SystemMessage(sections={"a": "back"}),
    ]
    assert list(replay_system(messages).sections.items()) == [
        ("b", "new"),
        ("c", "3"),
        ("a", "back"),
    ]


def test_rendering_joins_what_is_not_empty_with_blank_lines() -> None:
    messages = [
        SystemMessage(content="first", sections={"a": "one", "b": ""}),
        SystemMessage(content="second", sections={"c": "three"}),
    ]
    assert render_system(replay_system(messages)) == "first\n\nsecond\n\none\n\nthree"
