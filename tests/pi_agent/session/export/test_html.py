"""The page of a session: what is in it, and that nothing of it is markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_agent.llm.messages import SystemMessage, ToolDeclaration
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.entries import ENTRY_TYPES
from pi_agent.session.export.colors import color_rules
from pi_agent.session.export.html import export_html, is_page_of
from pi_agent.session.export.source import source_of_file, source_of_session
from pi_agent.session.file import SessionError
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController, AbortError
from pi_tui.colors import color_to_hex, contrast_ratio, parse_color
from pi_tui.theme import Theme
from pi_tui.theme_tokens import THEME_TOKENS
from tests.pi_agent.session.export.pages import DARK, page_of, read_page
from tests.pi_agent.session.grown import answered, begun, said

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "--><!-- <base href=//evil.example>",
    '"><meta http-equiv=refresh content=0>',
    "[a](javascript:alert(1)) [b](data:text/html,x) ![c](https://evil.example/c.png)",
    "\x1b]0;title\x07\x1b[31mred\x00\x9b",
    "\u202egnp.exe\u2066",
    "\ud800 half",
    "x" * 20_000,
    "{{data}} {{script}}",
]


def test_it_holds_every_entry_the_place_and_what_the_model_was_told(tmp_path: Path) -> None:
    session = begun(tmp_path)
    tool = ToolDeclaration(name="read", description="Reads.", parameters={"type": "object"})
    session.append_message(SystemMessage(sections={"preamble": "You are pi."}, tools_added=[tool]))
    first = session.append_message(said("first"))
    session.append_message(answered("one"))
    session.branch(first.id)
    session.append_message(answered("two"))
    session.append_label(first.id, "start")
    session.append_session_info("My session")
    page = page_of(session, tmp_path)
    data = page.data
    assert data["header"] == session.get_header().raw
    assert data["entries"] == [entry.raw for entry in session.get_entries()]
    assert data["leafId"] == session.get_leaf_id()
    assert data["systemPrompt"] == "You are pi."
    assert [each["name"] for each in data["tools"]] == ["read"]
    assert page.texts["title"] == ["My session"]
    assert data["views"][first.id] == [[["p", "first"]]]


def test_it_is_one_file_that_forbids_the_page_everything_but_its_own_code(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(said("hello"))
    page = page_of(session, tmp_path)
    assert not [each for each in page.named("script") if "src" in each]
    assert page.named("link") == page.named("iframe") == page.named("img") == []
    [policy] = [
        str(each["content"]) for each in page.named("meta") if each.get("http-equiv") is not None
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    assert rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == hash_of(page.texts["script"][1])
    assert rules["style-src"] == hash_of(page.texts["style"][0])
    code = page.texts["script"][1] + page.texts["style"][0]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|url\(", code)
    assert not re.search(r"https?://", code)


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)), min_size=1))
def test_whatever_is_said_the_elements_of_the_page_are_its_own(
    tmp_path: Path, texts: list[str]
) -> None:
    plain = begun(tmp_path)
    plain.append_message(said("hello"))
    usual = [tag for tag, _ in page_of(plain, tmp_path).elements]
    session = SessionManager.in_memory()
    session = begun(tmp_path)
    for text in texts:
        session.append_message(said(text))
        session.append_message(answered(text))
    session.append_session_info(texts[0])
    page = page_of(session, tmp_path)
    assert [tag for tag, _ in page.elements] == usual
    assert len(page.data["entries"]) == 2 * len(texts) + 1


def test_what_cannot_be_a_page_is_told(tmp_path: Path) -> None:
    memory = SessionManager.in_memory()
    memory.append_message(said("hello"))
    with pytest.raises(SessionError, match="Cannot export in-memory session to HTML"):
        export_html(source_of_session(memory), tmp_path / "x.html", DARK)
    with pytest.raises(SessionError, match="Nothing to export yet - start a conversation first"):
        export_html(source_of_session(begun(tmp_path)), tmp_path / "x.html", DARK)
    with pytest.raises(SessionError, match=r"File not found: .*none\.jsonl"):
        source_of_file(tmp_path / "none.jsonl")
    assert not (tmp_path / "x.html").exists()


def test_an_export_that_is_cancelled_leaves_what_was_there(tmp_path: Path) -> None:
    session = begun(tmp_path)
    for number in range(100):
        session.append_message(said(f"text {number}"))
    path, stop = tmp_path / "page.html", AbortController()
    path.write_text("older")
    told: list[int] = []

    def tell(done: int, total: int) -> None:
        told.append(done)
        if done >= 50:
            stop.abort()
        stop.signal.raise_if_aborted()

    with pytest.raises(AbortError):
        export_html(source_of_session(session), path, DARK, progress=tell)
    assert told == [0, 10, 20, 30, 40, 50]
    assert path.read_text() == "older"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_a_large_session_is_written_in_memory_that_does_not_grow_with_it(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        session = begun(tmp_path)
        for _ in range(count):
            session.append_message(said("x" * 20_000))
        source = source_of_session(session)
        export_html(source, tmp_path / "warm.html", DARK)
        tracemalloc.start()
        export_html(source, tmp_path / "page.html", DARK)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(80) < 1.2 * peak(10)


def test_only_a_page_of_the_same_session_is_one(tmp_path: Path) -> None:
    session, other = begun(tmp_path), begun(tmp_path)
    session.append_message(said("hello"))
    page_of(session, tmp_path)
    assert is_page_of(tmp_path / "page.html", session.get_session_id())
    assert not is_page_of(tmp_path / "page.html", other.get_session_id())
    assert not is_page_of(tmp_path / "none.html", session.get_session_id())


def variables(theme: Theme, place: int = 0) -> dict[str, str]:
    """Return the colours of the page; with 1 as the place those on paper."""
    rules = re.findall(r":root\{([^}]*)\}", color_rules(theme))[place]
    return dict(each.split(":") for each in rules.split(";") if each)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_colors_are_those_of_the_theme_and_of_its_export_block(name: str) -> None:
    theme = load_bundled_theme(name, color_mode="truecolor")
    found = variables(theme)
    assert found["color-scheme"] == name
    assert found["--accent"] == color_to_hex(theme.colors["accent"])
    block = {f"--{key}": color_to_hex(color) for key, color in theme.export.items()}
    assert block.items() <= found.items()


def test_without_an_export_block_the_page_is_derived_from_the_messages() -> None:
    tokens = {name: DARK.colors[name] for name in DARK.colors}
    found = variables(Theme("bare", "dark", tokens, "truecolor"))
    page, card, message = (
        int(found[f"--{name}"][1:3], 16) for name in ("pageBg", "cardBg", "userMessageBg")
    )
    assert page < card < message


@pytest.mark.parametrize("name", ["dark", "light"])
def test_on_paper_every_text_can_be_read(name: str) -> None:
    found = variables(load_bundled_theme(name, color_mode="truecolor"), 1)
    white = parse_color("#ffffff")
    for token in THEME_TOKENS.values():
        contrast = contrast_ratio(parse_color(found[f"--{token.name}"]), white)
        assert contrast >= 4.4 if token.slot == "fg" else contrast < 1.6, token.name


def test_a_damaged_file_has_a_page_of_what_can_be_read(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(said("hello"))
    file = session.get_session_file()
    assert file is not None
    with file.open("a") as added:
        added.write('nonsense\n{"type":"from-the-future","id":"f","parentId":"?"}\n{"type":"mess')
    export_html(source_of_file(file), tmp_path / "page.html", DARK)
    types = [entry["type"] for entry in read_page(tmp_path / "page.html").data["entries"]]
    assert types == ["message", "from-the-future"]


_TYPES = st.sampled_from([*ENTRY_TYPES, "other"])
_ROLES = st.sampled_from(
    ["user", "assistant", "toolResult", "bashExecution", "system", "custom", "x"]
)
_KEYS = st.sampled_from(
    ["id", "content", "text", "type", "arguments", "name", "summary", "output", "systemMessage"]
)
_WORDS = st.sampled_from(["text", "toolCall", "thinking", "read", "bash", "write", "a.py", "x"])
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), _WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=4)),
    max_leaves=5,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(
        st.tuples(_TYPES, _ROLES, st.dictionaries(_KEYS, _JSON), st.dictionaries(_KEYS, _JSON)),
        max_size=6,
    )
)
def test_whatever_somebody_wrote_into_a_file_it_has_a_page(
    tmp_path: Path, lines: list[tuple[str, str, dict[str, object], dict[str, object]]]
) -> None:
    session = begun(tmp_path)
    session.append_message(said("hello"))
    session.close()
    file = session.get_session_file()
    assert file is not None
    with file.open("a") as added:
        for kind, role, fields, message in lines:
            entry = {**fields, "type": kind, "message": {**message, "role": role}}
            added.write(json.dumps(entry) + "\n")
    export_html(source_of_file(file), tmp_path / "page.html", DARK)
    assert len(read_page(tmp_path / "page.html").data["entries"]) == len(lines) + 1
