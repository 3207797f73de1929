"""Messages of extensions in the document: in pi's box, and as their extension draws them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.messages import CustomMessage
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.messages.custom import CustomMessageView
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive
from tests.pi_tui.strategies import plain_texts

pytestmark = pytest.mark.anyio

SAYS = """
from pi_agent import ExtensionMessage, TurnEndResult

TEXT = "**Look** at `build.log`:\\n\\n- two warnings\\n- 一つのエラー"

def setup(pi):
    @pi.on("turn_end")
    def say(event):
        return TurnEndResult([*event.entries, ExtensionMessage("note", TEXT, details={"n": 2})])
"""

DRAWS = """
from pi_tui import Component

class Row(Component):
    def __init__(self, text):
        self.text = text
    def render(self, width):
        return [self.text[:width]]
    def handle_mouse(self, event):
        if event.type == "click":
            self.text = "clicked"
            return True

def setup(pi):
    def draw(message, options, theme):
        size = "all" if options.expanded else "some"
        return Row(f"{NAME} {message.custom_type} {message.details['n']} {size} {theme.name}")
    pi.register_message_renderer("note", draw)
"""


def words(folder: Path, **files: str) -> list[str]:
    """Write the files and return the words that load them."""
    loaded: list[str] = []
    for name, source in files.items():
        file = folder / f"{name}.py"
        file.write_text(source.replace("NAME", f"'{name}'"), encoding="utf-8")
        loaded += ["-e", str(file)]
    return [*loaded, "--model", "demo/echo"]


def drawing(line: str) -> str:
    """Return an extension whose renderer is one line."""
    return f"def setup(pi):\n    pi.register_message_renderer('note', {line})\n"


async def say_hello(program: Program) -> None:
    program.say("hello")
    await program.settled("(demo) echo")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_without_a_renderer_it_has_a_box(tmp_path: Path, columns: int, rows: int) -> None:
    loaded = words(tmp_path, says=SAYS)
    async with interactive(tmp_path, *loaded, columns=columns, rows=rows) as program:
        await say_hello(program)
        await program.pilot.wait_for("一つ")
        program.check_picture(SNAPSHOTS / "test_custom_messages" / "box")


async def test_a_renderer_draws_it_expanded_collapsed_and_in_another_theme(tmp_path: Path) -> None:
    loaded = words(tmp_path, says=SAYS, draws=DRAWS)
    async with interactive(tmp_path, *loaded) as program:
        await say_hello(program)
        await program.pilot.wait_for("draws note 2 some dark")
        assert "[note]" not in program.pilot.screen()
        program.pilot.press("ctrl+o")
        await program.pilot.wait_for("draws note 2 all dark")
        await program.app.settings.save({"theme": "light"})
        await program.pilot.wait_for("draws note 2 all light")


async def test_what_it_made_gets_the_mouse(tmp_path: Path) -> None:
    async with interactive(tmp_path, *words(tmp_path, says=SAYS, draws=DRAWS)) as program:
        await say_hello(program)
        await program.pilot.wait_for("draws note")
        row = next(n for n, line in enumerate(program.pilot.lines()) if "draws note" in line)
        program.pilot.click(3, row)
        await program.pilot.wait_for("clicked")


async def test_the_first_extension_draws_and_a_resumed_session_is_drawn_again(
    tmp_path: Path,
) -> None:
    loaded = words(tmp_path, says=SAYS, one=DRAWS, two=DRAWS)
    async with interactive(tmp_path, *loaded) as program:
        await say_hello(program)
        await program.pilot.wait_for("one note 2")
    async with interactive(tmp_path, *words(tmp_path, two=DRAWS), "-c") as program:
        await program.pilot.wait_for("two note 2")
    async with interactive(tmp_path, "--model", "demo/echo", "-c") as program:
        await program.pilot.wait_for("[note]")


async def test_a_reload_draws_with_what_the_file_says_now(tmp_path: Path) -> None:
    async with interactive(tmp_path, *words(tmp_path, says=SAYS, draws=DRAWS)) as program:
        await say_hello(program)
        await program.pilot.wait_for("draws note 2")
        words(tmp_path, draws=DRAWS.replace("{NAME}", "anew"))
        program.say("/reload")
        await program.pilot.wait_for("anew note 2")
        words(tmp_path, draws="def setup(pi): pass\n")
        program.say("/reload")
        await program.pilot.wait_for("[note]")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("lambda message: 1 / 0", "division by zero"),
        ("lambda message: 'text'", "the factory returned str, which has no render(width)"),
        ("lambda message: type('X', (), {'render': lambda self, width: 1 / 0})()", "division"),
    ],
)
async def test_one_that_fails_is_named_once_and_the_box_is_there(
    tmp_path: Path, line: str, told: str
) -> None:
    loaded = words(tmp_path, says=SAYS, draws=drawing(line))
    async with interactive(tmp_path, *loaded, rows=40) as program:
        await say_hello(program)
        await program.pilot.wait_for("[note]")
        await program.told(told)
        await program.told('failed in component:message "note"')
        for _ in range(12):
            program.pilot.press("ctrl+o")
            program.pilot.tui.render_now()
        assert program.flat().count(told) == 1
        assert "[note]" in program.pilot.screen()


async def test_one_that_makes_nothing_leaves_the_message_to_pi(tmp_path: Path) -> None:
    loaded = words(tmp_path, says=SAYS, draws=drawing("lambda message, options: None"))
    async with interactive(tmp_path, *loaded) as program:
        await say_hello(program)
        await program.pilot.wait_for("[note]")


async def test_what_draws_no_rows_leaves_no_gap(tmp_path: Path) -> None:
    empty = drawing("lambda message: type('X', (), {'render': lambda self, width: []})()")
    gaps = []
    for number, loaded in enumerate((words(tmp_path), words(tmp_path, says=SAYS, draws=empty))):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with interactive(folder, *loaded) as program:
            await say_hello(program)
            gaps.append(len(program.app.screen.document.render(80)))
    assert gaps[1] == gaps[0] + 1  # the header names the extensions


@given(plain_texts, plain_texts, st.integers(1, 200))
def test_the_box_is_never_wider_than_there_is_room(kind: str, text: str, width: int) -> None:
    theme = load_bundled_theme("dark", color_mode="truecolor")
    message = CustomMessage(custom_type=kind, content=text)
    view = CustomMessageView(message, theme, lambda custom_type: None)
    rows = view.render(width)
    assert all(visible_width(row) <= width for row in rows)
    assert view.render(width) is rows


def test_what_a_terminal_would_act_on_is_not_in_the_box() -> None:
    theme = load_bundled_theme("dark", color_mode="truecolor")
    message = CustomMessage(custom_type="a\x1b]0;x\x07b", content="c\x1b[2Jd\x07\u202ee")
    rows = CustomMessageView(message, theme, lambda custom_type: None).render(40)
    shown = "".join(rows)
    assert not any(bad in shown for bad in ("\x1b]0", "\x1b[2J", "\x07", "\u202e"))
