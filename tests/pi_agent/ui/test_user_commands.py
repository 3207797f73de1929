"""`!` and `!!` on the screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.host.user_bash import UserCommand
from pi_agent.llm.messages import BashExecutionMessage
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.messages.user_command import UserCommandRow
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.components.container import Container
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SNAPSHOTS, interactive, script

DARK = load_bundled_theme("dark", color_mode=get_terminal_color_mode({"COLORTERM": "truecolor"}))


def row(
    command: str, output: str, *, private: bool = False, compact: bool = False, **result: object
) -> UserCommandRow:
    made = UserCommandRow(UserCommand(command, private), DARK, "Ctrl+O")
    made.set_compact(compact)
    made.set_elapsed(3)
    made.set_output(output)
    if result:
        made.finish(
            BashExecutionMessage.model_validate({"command": command, "output": output, **result})
        )
    return made


def rows(text: str = "") -> list[UserCommandRow]:
    numbers = "\n".join(f"{number}{text}" for number in range(1, 30))
    return [
        row(f"make test{text}", f"one\ntwo{text}\n"),
        row("seq 29", numbers, exit_code=0),
        row("false", text, private=True, exit_code=1),
        row(
            "yes",
            "y\ny",
            cancelled=True,
            truncated=True,
            full_output_path=f"/tmp/pi-bash-1{text}.log",
        ),
        row(f"make test{text}", f"one\ntwo\nthree\nfour{text}", compact=True),
        row("git push", "ok", compact=True, exit_code=128),
    ]


def test_the_picture() -> None:
    all_rows = Container()
    for each in rows():
        all_rows.add_child(each)
    check_snapshot(
        SNAPSHOTS / "test_user_commands" / "rows.txt", snapshot_component(all_rows.render)
    )


@settings(max_examples=60)
@given(
    text=st.text(st.sampled_from("ab \n\t\r日👍🏽é\x1b[31m\x07\x9b\ud800x0m]8;"), max_size=30),
    width=st.integers(1, 50),
    expanded=st.booleans(),
)
def test_no_row_is_too_wide_or_has_a_control_byte(text: str, width: int, expanded: bool) -> None:
    for made in rows(text):
        made.set_expanded(expanded)
        for line in made.render(width):
            assert visible_width(line) <= width
            assert not set(line) & set("\n\r\t\x07\x9b\x9d\ud800")
            assert "\x1b]" not in line


@pytest.mark.anyio
async def test_a_command_runs_is_shown_and_is_there_again(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("!echo $((40 + 2)); exit 3")
        await program.pilot.wait_for("(exit 3)")
        program.say("!!echo quiet $((40 + 3))")
        await program.pilot.wait_for("quiet 43")
        program.say("hello")
        await program.settled("hello")
        program.pilot.press("up", "up")
        assert program.app.composer.get_text() == "!!echo quiet $((40 + 3))"
    async with interactive(tmp_path, "-c", "--model", "demo/echo") as program:
        await program.pilot.wait_for("quiet 43")
        screen = program.pilot.screen()
        assert "$ echo $((40 + 2)); exit 3" in screen
        assert "42" in screen and "(exit 3)" in screen
        program.pilot.press("up", "up", "up")
        assert program.app.composer.get_text() == "!echo $((40 + 2)); exit 3"


@pytest.mark.anyio
async def test_escape_cancels_it_and_a_second_one_waits_in_the_editor(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("!echo first; sleep 60")
        await program.pilot.wait_for("Running...")
        program.say("!echo second")
        await program.pilot.wait_for("Another command is running.")
        assert program.app.composer.get_text() == "!echo second"
        program.pilot.press("escape")
        await program.pilot.wait_for("(cancelled)")
        assert "Running..." not in program.pilot.screen()
        program.pilot.press("enter")
        await program.pilot.wait_for("second\n")


@pytest.mark.anyio
async def test_beside_a_run_it_stands_above_the_editor_until_that_has_settled(
    tmp_path: Path,
) -> None:
    fifo = tmp_path / "fifo"
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": f"mkfifo {fifo}; cat {fifo}"}}]},
        {"text": "All is said."},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.pilot.wait_for("$ mkfifo")
        program.say(f"!echo beside; echo opened > {fifo}")
        await program.settled("All is said.")
        screen = program.pilot.screen()
        assert screen.index("All is said.") < screen.index("$ echo beside")


@pytest.mark.anyio
async def test_another_session_ends_it_and_the_old_one_keeps_what_it_printed(
    tmp_path: Path,
) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("hello")
        await program.settled("hello")
        program.say("!echo started; sleep 60")
        await program.pilot.wait_for("started\n")
        program.say("/new")
        await program.pilot.wait_for("New session.")
        assert "started" not in program.pilot.screen()
    (session,) = (tmp_path / "agent" / "sessions").rglob("*.jsonl")
    last = json.loads(session.read_text().splitlines()[-1])
    assert (last["message"]["output"], last["message"]["cancelled"]) == ("started\n", True)


@pytest.mark.anyio
async def test_it_stays_on_the_screen_where_one_goes_on_elsewhere_in_the_tree(
    tmp_path: Path,
) -> None:
    fifo = tmp_path / "fifo"
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("hello")
        await program.settled("hello")
        program.say(f"!mkfifo {fifo}; echo started; cat {fifo}")
        await program.pilot.wait_for("started\n")
        for _ in range(2):
            program.say("/tree")
            await program.pilot.wait_for("Enter go on there")
            program.pilot.press("home", "enter")
            await program.pilot.wait_for("→ No summary")
            program.pilot.press("enter")
            await program.pilot.wait_for(lambda: program.app.composer.get_text() == "hello")
            assert "Running..." in program.pilot.screen()
            program.app.composer.set_text("")
            program.say("hello")
            await program.settled("hello")
        fifo.write_text("ended\n")
        await program.pilot.wait_for(" ended\n")
        assert program.pilot.screen().count("$ mkfifo") == 1


@pytest.mark.anyio
async def test_the_border_tells_that_it_is_for_the_shell(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:

        def border() -> str:
            return program.app.composer.render(20)[0]

        plain = border()
        program.pilot.type("!ls")
        assert border() == DARK.fg("bashMode", "─" * 20)
        assert strip_terminal_sequences(border()) == strip_terminal_sequences(plain)
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.composer.get_text())
        assert border() == plain
