"""The note about tools: one row, opened by a click or with the key, drawn again when the session is resumed."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.extensions.message_renderer import MessageRenderOptions
from pi_agent.llm.messages import CustomMessage
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import ROOT, SIZES, Program, interactive, script

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "message_renderer.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_message_renderer"
NAMES = runpy.run_path(str(EXAMPLE))
THEME = load_bundled_theme("dark", color_mode="truecolor")
WORDS = ("-e", str(EXAMPLE), "--model", "demo/script")


def plays(folder: Path) -> dict[str, str]:
    """Let the model call two tools, and then be done."""
    calls = [{"name": "bash", "arguments": {"command": f"echo {number}"}} for number in (1, 2)]
    read = {"name": "read", "arguments": {"path": "missing"}}
    return script(folder, {"toolCalls": [*calls, read]}, {"text": "Done."})


async def worked(program: Program) -> None:
    program.say("go")
    await program.settled("3 tool calls")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_note_follows_the_answer_and_opens(tmp_path: Path, columns: int, rows: int) -> None:
    environ = plays(tmp_path)
    async with interactive(
        tmp_path, *WORDS, columns=columns, rows=rows, environ=environ
    ) as program:
        await worked(program)
        program.check_picture(SNAPSHOTS / "closed")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "◆ 3" in line)
        program.pilot.click(3, row)
        await program.pilot.wait_for("2 × bash")
        program.check_picture(SNAPSHOTS / "open")


async def test_the_key_opens_it_and_a_resumed_session_has_it(tmp_path: Path) -> None:
    async with interactive(tmp_path, *WORDS, environ=plays(tmp_path)) as program:
        await worked(program)
        program.pilot.press("ctrl+o")
        await program.pilot.wait_for("1 × read")
    async with interactive(tmp_path, *WORDS, "-c") as program:
        await program.pilot.wait_for("◆ 3 tool calls")


@pytest.mark.parametrize("details", [None, [], "x", {"bash": "many"}])
def test_what_it_cannot_read_is_left_to_pi(details: object) -> None:
    message = CustomMessage.from_wire({"role": "custom", "customType": "calls", "details": details})
    assert NAMES["counts_of"](message) == {}


@given(
    st.dictionaries(st.text().map(str), st.integers(0), min_size=1),
    st.integers(1, 120),
    st.booleans(),
)
def test_its_rows_fit(counts: dict[str, int], width: int, expanded: bool) -> None:
    message = CustomMessage(custom_type="calls", details={**counts})
    options = MessageRenderOptions(expanded=expanded)
    note = NAMES["Note"](NAMES["counts_of"](message), options, THEME)
    assert all(visible_width(row) <= width for row in note.render(width))
