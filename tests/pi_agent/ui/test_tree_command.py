"""`/tree`, `/fork`, `/clone` and `/import` in the interactive program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pi_agent.session.saved import save_session
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, script
from tests.pi_agent.ui.test_session_commands import saved

pytestmark = pytest.mark.anyio

PICTURES = SNAPSHOTS / "test_tree_command"
ECHO = ("--model", "demo/echo")


def session_files(folder: Path) -> list[Path]:
    return sorted((folder / "agent").glob("sessions/*/*.jsonl"))


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


async def say(program: Program, *texts: str) -> None:
    """Say something, and wait for the answer of the model that repeats it."""
    for text in texts:
        program.say(text)
        await program.settled(text)
        await program.pilot.wait_for(lambda text=text: program.pilot.screen().count(text) >= 2)  # type: ignore[misc]  # mypy can't infer the default of a lambda argument


async def open_tree(program: Program) -> None:
    program.say("/tree")
    await program.pilot.wait_for("→ ")


async def test_one_goes_on_behind_another_answer_and_the_first_branch_is_still_there(
    tmp_path: Path,
) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        await open_tree(program)
        program.pilot.press("up", "up", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: "second thing" not in program.pilot.screen())
        assert "first thing" in program.pilot.screen()
        assert program.app.composer.get_text() == ""
        await say(program, "third thing")
        await open_tree(program)
        await program.pilot.wait_for("└─ user: second thing")
    (file,) = session_files(tmp_path)
    said = [line for line in lines_of(file) if line.get("message", {}).get("role") == "user"]
    assert len({line["parentId"] for line in said[1:]}) == 1


async def test_a_message_comes_back_to_be_said_otherwise_but_never_over_a_draft(
    tmp_path: Path,
) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "keybindings.json").write_text('{"app.session.tree": "ctrl+q"}')
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        await open_tree(program)
        program.pilot.press("up", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "second thing")
        program.pilot.press("ctrl+q")
        await program.pilot.wait_for("→ ")
        program.pilot.press("home", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: "first thing" not in program.pilot.screen())
        assert program.app.composer.get_text() == "second thing"


async def test_where_it_is_already_nothing_happens(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/tree")
        await program.pilot.wait_for("Nothing has been said yet.")
        await say(program, "first thing")
        await open_tree(program)
        program.pilot.press("L")
        await program.pilot.wait_for("Label")
        program.pilot.type("here")
        program.pilot.press("enter")
        await program.pilot.wait_for("→ • [here] assistant: first thing")
        program.pilot.press("enter")
        await program.pilot.wait_for("Already at this point.")
        assert "first thing" in program.pilot.screen()


async def test_escape_leads_back_from_the_question_to_the_tree_and_from_there_to_the_draft(
    tmp_path: Path,
) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "keybindings.json").write_text('{"app.session.tree": "ctrl+q"}')
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        program.pilot.type("half a tho")
        program.pilot.press("ctrl+q")
        await program.pilot.wait_for("→ • assistant: second thing")
        program.pilot.type("first")
        await program.pilot.wait_for(lambda: "user: second" not in program.pilot.screen())
        program.pilot.press("enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("down", "down", "enter")
        await program.pilot.wait_for("What is the summary to be about?")
        program.pilot.press("escape")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("escape")
        await program.pilot.wait_for("> first")
        program.pilot.press("escape")
        await program.pilot.wait_for("user: second thing")
        program.pilot.press("escape")
        await program.pilot.wait_for("half a tho")
        program.pilot.type("ught")
        assert program.app.composer.get_text() == "half a thought"


async def test_a_summary_stands_for_what_was_left_and_expands(tmp_path: Path) -> None:
    plays = script(
        tmp_path,
        {"text": "one"},
        {"text": "two"},
        {"text": "## Goal\nThe lexer was **not** it."},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=plays) as program:
        program.say("first thing")
        await program.settled("one")
        program.say("second thing")
        await program.settled("two")
        await open_tree(program)
        program.pilot.press("up", "up", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("down", "enter")
        await program.settled("[branch]")
        assert "second thing" not in program.pilot.screen()
        assert "lexer" not in program.pilot.screen()
        program.pilot.press("ctrl+o")
        await program.pilot.wait_for("The lexer was not it.")
    (file,) = session_files(tmp_path)
    assert lines_of(file)[-1]["type"] == "branch_summary"


async def test_escape_gives_a_summary_up_and_nothing_has_moved(tmp_path: Path) -> None:
    plays = script(
        tmp_path, {"text": "one"}, {"text": "two"}, {"text": "word " * 200, "tokensPerSecond": 5}
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=plays) as program:
        program.say("first thing")
        await program.settled("one")
        program.say("second thing")
        await program.settled("two")
        await open_tree(program)
        program.pilot.press("up", "up", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("down", "enter")
        await program.pilot.wait_for("Summarizing branch… (esc to cancel)")
        program.pilot.press("escape")
        await program.settled("Cancelled: the conversation stays where it was.")
        assert "second thing" in program.pilot.screen()
    (file,) = session_files(tmp_path)
    assert lines_of(file)[-1]["message"]["role"] == "assistant"


async def test_without_the_question_there_is_no_summary(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    settings = {"branchSummary": {"skipPrompt": True}, "treeFilterMode": "user-only"}
    (tmp_path / "agent" / "settings.json").write_text(json.dumps(settings))
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        await open_tree(program)
        assert "assistant:" not in program.pilot.screen()
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "second thing")


async def test_what_goes_on_is_stopped_before_a_move(tmp_path: Path) -> None:
    plays = script(
        tmp_path, {"text": "one"}, {"text": "a long answer " * 200, "tokensPerSecond": 5}
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=plays) as program:
        program.say("first thing")
        await program.settled("one")
        program.say("second thing")
        await program.pilot.wait_for("a long")
        program.say("and this")
        await program.pilot.wait_for("Steering: and this")
        await open_tree(program)
        program.pilot.press("home", "enter")
        await program.pilot.wait_for("→ No summary")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: "first thing" not in program.pilot.screen())
        # What was queued is there again, and so the message is not put over it.
        assert program.app.composer.get_text() == "and this"
        assert program.app.screen.status.message is None
        assert "Steering" not in program.pilot.screen()
    (file,) = session_files(tmp_path)
    stops = [line["message"].get("stopReason") for line in lines_of(file) if "message" in line]
    assert "aborted" in stops


async def test_what_is_said_while_the_tree_is_open_shows_in_it(tmp_path: Path) -> None:
    plays = script(tmp_path, {"text": "one"}, {"text": "two " * 8, "tokensPerSecond": 20})
    async with interactive(tmp_path, "--model", "demo/script", environ=plays) as program:
        program.say("first thing")
        await program.settled("one")
        program.say("second thing")
        await program.pilot.wait_for(" two")
        program.say("/tree")
        await program.pilot.wait_for("→ • user: second thing")
        assert "assistant: two" not in program.pilot.screen()
        await program.pilot.wait_for("  • assistant: two two")
        assert "→ • user: second thing" in program.pilot.screen()


async def test_the_mouse_chooses_a_row_and_the_text_is_copied(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        await open_tree(program)
        program.pilot.press("up", "ctrl+x")
        await program.pilot.wait_for(
            lambda: program.pilot.terminal.grid.clipboard == "second thing"
        )
        row = next(n for n, line in enumerate(program.pilot.lines()) if "user: first" in line)
        program.pilot.click(6, row)
        await program.pilot.wait_for("→ No summary")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "No summary" in line)
        program.pilot.click(6, row)
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "first thing")


@pytest.mark.parametrize(("action", "shown"), [("tree", "Tree"), ("fork", "Fork from")])
async def test_two_escapes_in_an_empty_editor_open_what_is_chosen(
    tmp_path: Path, action: str, shown: str
) -> None:
    (tmp_path / "agent").mkdir()
    settings = {"doubleEscapeAction": action}
    (tmp_path / "agent" / "settings.json").write_text(json.dumps(settings))
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing")
        program.pilot.type("x")
        program.pilot.press("escape", "escape")
        program.pilot.press("backspace")
        assert not program.app.screen.has_dialog
        program.pilot.press("escape", "escape")
        await program.pilot.wait_for(shown)


async def test_a_fork_begins_before_the_message_with_its_text(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        await say(program, "first thing", "second thing")
        program.say("/fork")
        await program.pilot.wait_for("→ second thing")
        assert "Message 2 of 2" in program.pilot.screen()
        program.pilot.press("enter")
        await program.settled("Forked: a new session.")
        assert program.app.composer.get_text() == "second thing"
        program.pilot.press("home", *["delete"] * 6)
        program.pilot.type("another")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("another thing") >= 2)
    first, second = session_files(tmp_path)
    header, *lines = lines_of(second)
    assert header["parentSession"] == str(first)
    said = [x["message"]["content"][0]["text"] for x in lines if _is_users(x)]
    assert said == ["first thing", "another thing"]
    assert [x["message"]["content"][0]["text"] for x in lines_of(first) if _is_users(x)] == [
        "first thing",
        "second thing",
    ]


def _is_users(line: dict[str, Any]) -> bool:
    return bool(line.get("message", {}).get("role") == "user")


async def test_a_clone_goes_on_in_a_file_of_its_own(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/clone")
        await program.told("Cannot clone session: no current entry selected")
        await say(program, "first thing")
        program.say("/clone")
        await program.settled("Cloned: a new session.")
        assert "first thing" in program.pilot.screen()
        await say(program, "second thing")
    first, second = session_files(tmp_path)
    assert sum(map(_is_users, lines_of(first))) == 1
    assert sum(map(_is_users, lines_of(second))) == 2


async def test_what_is_not_saved_is_not_forked(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO, "--no-session") as program:
        await say(program, "first thing")
        program.say("/clone")
        await program.told("This session is not kept in a file")
        assert "first thing" in program.pilot.screen()


async def test_a_file_is_imported_after_a_question(tmp_path: Path) -> None:
    save_session(tmp_path / "else where", "mine", ["what is a parser"], cwd=str(tmp_path))
    async with interactive(tmp_path, *ECHO, columns=120) as program:
        program.say("/import")
        await program.told("Name the session's file: /import PATH.jsonl")
        program.say('/import "../else where/none.jsonl"')
        await _yes(program)
        await program.told("File not found:")
        program.say('/import "../else where/mine.jsonl"')
        await _yes(program)
        await program.settled("Session imported.")
        assert "re: what is a parser" in program.pilot.screen()
        await say(program, "go on")
    (file,) = session_files(tmp_path)
    assert file.name == "mine.jsonl"
    assert lines_of(file)[0]["id"] == "mine"


async def _yes(program: Program) -> None:
    await program.pilot.wait_for("Import this session?")
    program.pilot.press("down", "up", "enter")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_pictures(tmp_path: Path, columns: int, rows: int) -> None:
    path = saved(tmp_path, "a", "find the bug in the lexer", "and now in 日本語のテキスト")
    lines = lines_of(path)
    other = {**lines[1], "id": "000000ff", "parentId": lines[2]["id"]}
    label = {"type": "label", "id": "000000fe", "targetId": lines[3]["id"], "label": "try"}
    label |= {"parentId": lines[-1]["id"], "timestamp": lines[-1]["timestamp"]}
    with path.open("a") as file:
        file.write(json.dumps(other) + "\n" + json.dumps(label) + "\n")
    async with interactive(tmp_path, *ECHO, "-c", columns=columns, rows=rows) as program:
        await program.told("re: and now in")
        await open_tree(program)
        program.check_picture(PICTURES / "tree")
        program.pilot.press("home", "enter")
        await program.pilot.wait_for("→ No summary")
        program.check_picture(PICTURES / "question")
        program.pilot.press("escape", "escape")
        program.say("/fork")
        await program.pilot.wait_for("Fork from")
        program.check_picture(PICTURES / "fork")


def begun_elsewhere(folder: Path) -> Path:
    return save_session(folder / "old", "theirs", ["what is a parser"], cwd=str(folder / "gone"))


@pytest.mark.parametrize("answer", ["here", "fork", "cancel"])
async def test_it_asks_about_a_session_whose_folder_is_gone(tmp_path: Path, answer: str) -> None:
    path = begun_elsewhere(tmp_path)
    async with interactive(
        tmp_path, *ECHO, "--session", str(path), asks="Continue here", columns=120
    ) as program:
        assert f"is gone: {tmp_path / 'gone'}" in program.flat()
        program.pilot.press(*["down"] * ("here", "fork", "cancel").index(answer))
        program.pilot.press("up", "down", "enter")
        if answer == "cancel":
            assert await program.ended() == 0
            return
        await program.pilot.wait_for(lambda: program.app.is_ready)
        await say(program, "go on")
    files = session_files(tmp_path)
    assert len(files) == (answer == "fork")
    said = [_is_users(line) for line in lines_of(files[0] if files else path)]
    assert sum(said) == 2


async def test_a_move_by_an_extension_is_shown(tmp_path: Path) -> None:
    source = """
def setup(pi):
    first = []
    @pi.on("turn_end")
    def note(event):
        first.append(event.message_entry_id)
    @pi.command("back")
    async def back(args, ctx):
        await ctx.navigate_tree(first[0])
"""
    (tmp_path / "back.py").write_text(source)
    async with interactive(tmp_path, *ECHO, "-e", str(tmp_path / "back.py")) as program:
        await say(program, "first thing", "second thing")
        program.say("/back")
        await program.pilot.wait_for(lambda: "second thing" not in program.pilot.screen())
        assert program.pilot.screen().count("first thing") == 2
