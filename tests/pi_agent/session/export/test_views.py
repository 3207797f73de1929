"""What is read for the page: Markdown, code, and the colours that programs write."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.session.export.markdown import markdown_nodes
from pi_agent.session.export.nodes import Node
from pi_agent.session.export.terminal_text import terminal_nodes
from pi_agent.session.export.views import EntryViews
from pi_agent.session.store import SessionManager


def text_of(node: Node) -> str:
    """Return all text in a node."""
    if isinstance(node, str):
        return node
    assert isinstance(node, list)
    return "".join(text_of(child) for child in node[1:] if not isinstance(child, dict))


def elements(nodes: list[Node]) -> Iterator[tuple[str, dict[str, object]]]:
    for node in nodes:
        if isinstance(node, list):
            has_attributes = len(node) > 1 and isinstance(node[1], dict)
            yield str(node[0]), node[1] if has_attributes else {}
            yield from elements(node[1:])


PICTURE = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b `c`**", [["p", "a ", ["strong", "b "], ["strong", ["code", "c"]]]]),
        ("# Title", [["h1", "Title"]]),
        ("one\ntwo", [["p", "one", ["br"], "two"]]),
        ("- a\n- b", [["ul", ["li", "a"], ["li", "b"]]]),
        ("- a\n\n- b", [["ul", ["li", ["p", "a"]], ["li", ["p", "b"]]]]),
        ("3. a", [["ol", {"start": 3}, ["li", "a"]]]),
        ("- [x] a", [["ul", ["li.task", ["span.box", "☑ "], "a"]]]),
        ("> q", [["blockquote", ["p", "q"]]]),
        ("---", [["hr"]]),
        ("```nope\nx < 1\n```", [["pre.code", "x < 1"]]),
        ("```python\nreturn 1\n```", [["pre.code", ["span.syntaxKeyword", "return"], " ", ["span.syntaxNumber", "1"]]]),
        ("|a|\n|-|\n|b|", [["table", ["thead", ["tr", ["th", "a"]]], ["tbody", ["tr", ["td", "b"]]]]]),
        ("<b>x</b>", [["p", "<b>", "x", "</b>"]]),
        ("<div>\nx\n</div>", [["p.written", "<div>\nx\n</div>"]]),
        ("[a](https://b.c)", [["p", ["a", {"href": "https://b.c"}, "a"]]]),
        ("见https://b.c/a。谢谢", [["p", "见", ["a", {"href": "https://b.c/a"}, "https://b.c/a"], "。谢谢"]]),
        ("a@b.de", [["p", ["a", {"href": "mailto:a@b.de"}, "a@b.de"]]]),
        ("[a](ftp://b.c)", [["p", "a"]]),
        ("[a](/etc/passwd)", [["p", "a"]]),
        ("[a](vbscript:x)", [["p", "[a](vbscript:x)"]]),
        (f"![a]({PICTURE})", [["p", ["img", {"src": PICTURE, "alt": "a"}]]]),
        ("![a](https://b.c/d.png)", [["p", ["a", {"href": "https://b.c/d.png"}, "🖼 a"]]]),
        ("![a](data:image/svg+xml;base64,PHN2Zz4=)", [["p", "![a](data:image/svg+xml;base64,PHN2Zz4=)"]]),
        ("$\\alpha$", [["p", "α"]]),
        ("a \x1b[31mred\x1b[0m\x07", [["p", "a red"]]),
        ("\u202egnp.exe", [["p", "\ufffdgnp.exe"]]),
    ],
)  # fmt: skip
def test_markdown(text: str, expected: list[Node]) -> None:
    assert markdown_nodes(text) == expected


@given(st.text(alphabet="ab*_`[]()!<>#-+1.|\n \t:/$\\&;\u202e\x1b", max_size=80))
def test_markdown_of_any_text_links_to_addresses_only(text: str) -> None:
    for name, attributes in elements(markdown_nodes(text)):
        assert set(attributes) <= {"href", "src", "alt", "start"}
        assert str(attributes.get("href", "http:")).startswith(("http:", "https:", "mailto:"))
        assert name.partition(".")[0] != "script"


def test_a_very_long_text_is_not_taken_for_markdown() -> None:
    [node] = markdown_nodes("**a** " * 100_000)
    assert node == ["pre", "**a** " * 100_000]


def test_colors_of_programs_stay_and_all_else_goes() -> None:
    assert terminal_nodes("just text") is None
    written = "a\x1b[1;31mb\x1b[0m\x1b]0;title\x07c\x1b[38;2;1;2;3md\x1b[48;5;196me\x1b[2J\x1b[0mf\x1b[7mg"
    assert terminal_nodes(written) == [
        "a",
        ["span.bold", {"color": "ansi-1"}, "b"],
        "c",
        ["span", {"color": "#010203"}, "d"],
        ["span", {"color": "#010203", "background": "#ff0000"}, "e"],
        "f",
        ["span.inverse", "g"],
    ]


@given(st.text(alphabet="\x1b[];0123456789m:a\x07\\ \n", max_size=60))
def test_terminal_text_of_any_kind_is_text_and_known_colors(text: str) -> None:
    nodes = terminal_nodes(text) or []
    assert "\x1b" not in "".join(map(text_of, nodes))
    for name, attributes in elements(nodes):
        assert name.partition(".")[0] == "span"
        assert set(attributes) <= {"color", "background"}


def test_each_block_has_its_view_and_what_needs_none_has_none() -> None:
    session, views = SessionManager.in_memory(), EntryViews()

    def view(
        message: AssistantMessage | UserMessage | ToolResultMessage | BashExecutionMessage,
    ) -> object:
        return views.of(session.append_message(message))

    def result(call_id: str, text: str) -> ToolResultMessage:
        return ToolResultMessage(
            tool_call_id=call_id, tool_name="t", content=[TextContent(text=text)]
        )

    assert view(UserMessage(content="hi")) == [[["p", "hi"]]]
    answer = AssistantMessage(
        content=[
            ThinkingContent(thinking="*so*"),
            TextContent(text=""),
            ToolCall(id="1", name="read", arguments={"path": "a.py"}),
            ToolCall(id="2", name="bash", arguments={"command": "if true"}),
            ToolCall(id="3", name="read", arguments={"path": "a.unknown"}),
            ToolCall(id="4", name="read", arguments={"path": 7}),
        ]
    )
    assert view(answer) == [
        [["p", ["em", "so"]]],
        None,
        None,
        [["span.syntaxKeyword", "if"], " ", ["span.syntaxType", "true"]],
        None,
        None,
    ]
    assert view(result("1", "pass\n")) == [[["span.syntaxKeyword", "pass"]]]
    assert view(result("2", "\x1b[32mok")) == [[["span", {"color": "ansi-2"}, "ok"]]]
    assert view(result("2", "plain")) is None
    assert view(result("3", "pass")) is None
    assert view(result("4", "pass")) is None
    assert view(result("?", "pass")) is None
    summary = session.append_compaction("# Goal", first_kept_entry_id="x", tokens_before=1)
    assert views.of(summary) == [[["h1", "Goal"]]]
    assert views.of(session.append_custom_message("note", "*n*")) == [[["p", ["em", "n"]]]]
    assert views.of(session.append_model_change("a", "b")) is None


@pytest.mark.parametrize("content", [None, 7, "", [], [None, "x", {}], {"type": "text"}])
def test_messages_of_any_form_have_a_view_or_none(content: object) -> None:
    session = SessionManager.in_memory()
    entry = session.append_message(UserMessage(content="x"))
    entry.raw["message"]["content"] = content
    for role in ("user", "assistant", "toolResult", "system", 7):
        entry.raw["message"]["role"] = role
        assert EntryViews().of(entry) is None
