"""`/export` in the interactive program."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.export.pages import read_page
from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio

ECHO = ("--model", "demo/echo")


async def exported(program: Program, path: str) -> None:
    """Wait until a path is told, wherever its rows are broken."""
    told = f"Exportedto{path}"
    await program.pilot.wait_for(lambda: told in "".join(program.pilot.screen().split()))


async def test_the_session_is_written_as_a_page_or_as_a_session_file(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/export")
        await program.told("Nothing to export yet - start a conversation first")
        program.say("hello there")
        await program.settled("hello there")
        program.say("/export ~/out.html")
        await exported(program, f"{tmp_path}/out.html")
        program.say("/export branch.jsonl")
        await exported(program, f"{tmp_path}/work/branch.jsonl")
        program.say("/export")
        await exported(program, f"{tmp_path}/work/pi-session-")
    page = read_page(tmp_path / "out.html")
    assert page.texts["title"] == ["hello there"]
    assert page.data["systemPrompt"]
    assert {tool["name"] for tool in page.data["tools"]} >= {"read", "bash"}
    branch = SessionManager.open(tmp_path / "work" / "branch.jsonl")
    assert [message.role for message in branch.build_session_projection()][1:] == [
        "user",
        "assistant",
    ]
    branch.close()
    assert len(list((tmp_path / "work").glob("pi-session-*.html"))) == 1


async def test_another_file_is_replaced_only_by_somebody_who_says_so(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("hello there")
        await program.settled("hello there")
        notes = tmp_path / "work" / "notes.html"
        notes.write_text("mine")
        program.say("/export notes.html")
        await program.pilot.wait_for("Replace this file?")
        program.pilot.press("escape")
        await program.pilot.wait_for("Cancelled: nothing was written.")
        assert notes.read_text() == "mine"
        program.say("/export notes.html")
        await program.pilot.wait_for("Replace this file?")
        program.pilot.press("down", "up", "enter")
        await program.told("Exported to")
        assert read_page(notes).texts["title"] == ["hello there"]


async def test_a_session_in_memory_has_no_page_but_a_file(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO, "--no-session") as program:
        program.say("hello there")
        await program.settled("hello there")
        program.say("/export")
        await program.told("Error: Cannot export in-memory session to HTML")
        program.say("/export no/such.html")
        await program.told("Error: Cannot export in-memory session to HTML")
        program.say("/export .jsonl")
        await program.told("Exported to")
    [written] = (tmp_path / "work").glob("session-*.jsonl")
    assert "hello there" in written.read_text()


async def test_a_long_export_tells_how_far_it_is_and_can_be_cancelled(tmp_path: Path) -> None:
    session = SessionManager.open(tmp_path / "long.jsonl")
    session.append_message(UserMessage(content="hello there"))
    for _ in range(60):
        session.append_custom_message("note", "**a** `b` [c](https://d.e)\n\n" * 500, display=False)
    session.close()
    async with interactive(tmp_path, *ECHO, "--session", str(tmp_path / "long.jsonl")) as program:
        await program.pilot.wait_for("hello there")
        program.say("/export ~/out.html")
        await program.pilot.wait_for("of 61 entries")
        program.pilot.press("escape")
        await program.told("Cancelled: nothing was written.")
        await program.pilot.wait_for(lambda: "of 61 entries" not in program.pilot.screen())
    assert not (tmp_path / "out.html").exists()
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".pi-export")] == []
