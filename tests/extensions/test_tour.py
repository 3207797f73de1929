"""The tour on the screen, from the first question to the last, and how it leaves."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.base.clock import Clock
from pi_agent.extensions.built_in import built_in_extensions
from pi_agent.extensions.loader import load_extensions
from pi_agent.extensions.message_renderer import MessageRenderOptions
from pi_agent.extensions.modules import PREFIX, import_entry
from pi_agent.llm.messages import CustomMessage, Message, UserMessage
from pi_agent.llm.stream import Context
from pi_agent.llm.tour import DRAWN_BY_EXTENSION, tour_step
from pi_agent.llm.tour import STOPS as MODEL_STOPS
from pi_agent.resources.themes import load_bundled_theme
from pi_tui.app import TUI
from pi_tui.keybindings import get_keybindings
from pi_tui.testing import HeadlessTerminal
from pi_tui.width import visible_width
from tests.pi_agent.extensions.support import run
from tests.pi_agent.ui.support import ROOT, SIZES, HurriedClock, Program, interactive
from tests.pi_process import COMMAND, Pi
from tests.pi_screen import ScreenPi, editor_shows, is_working
from tests.pty_session import PtySession

pytestmark = pytest.mark.anyio

SNAPSHOTS = ROOT / "snapshots" / "extensions" / "test_tour"
# What the editor offers at each stop, and what the last lines there say.
WAY = (
    ("Show me around", "for one."),
    ("How do you think?", "of that."),
    ("What about Markdown?", "Hello, {name}"),
    ("Read a file", "only looks."),
    ("Run a command", "next message."),
    ("What are extensions?", "Stops of the t"),
    ("What comes last?", "for example."),
)


@asynccontextmanager
async def tour(
    folder: Path, *words: str, columns: int = 80, rows: int = 24, clock: Clock | None = None
) -> AsyncIterator[Program]:
    """Start the tour, by default with a model that talks as fast as it is drawn."""
    clock = clock or HurriedClock()
    started = interactive(folder, "--demo", *words, columns=columns, rows=rows, clock=clock)
    async with started as program:
        yield program


def suggested(program: Program) -> str:
    """Return what stands between the borders of the editor."""
    lines = program.pilot.lines()
    borders = [number for number, line in enumerate(lines) if line.startswith("───")]
    return " ".join(lines[borders[-2] + 1 : borders[-1]]).strip()


async def offered(program: Program, question: str) -> None:
    """Wait until the editor offers a question."""
    columns = program.pilot.terminal.columns
    wanted = question if len(question) <= columns else f"{question[: columns - 1]}…"
    await program.pilot.wait_for(lambda: suggested(program) == wanted)


async def rests(program: Program) -> None:
    """Wait until the model has ended, and for the screen that shows it."""
    await program.pilot.wait_for(lambda: program.app.screen.status.message is None)
    program.pilot.tui.render_now()


async def go_to(program: Program, stop: int) -> None:
    """Press Enter until the stop with this number has been seen."""
    for question, last_words in WAY[: stop + 1]:
        await offered(program, question)
        program.pilot.press("enter")
        await program.told(last_words)
        await rests(program)


class HaltingClock(HurriedClock):
    """A hurried clock that can be held: whoever sleeps then sleeps until it goes on."""

    def __init__(self) -> None:
        self._goes_on = asyncio.Event()
        self._goes_on.set()
        self.held = asyncio.Event()

    def hold(self) -> None:
        """Let nobody wake up any more."""
        self._goes_on.clear()
        self.held.clear()

    def go_on(self) -> None:
        """Let all go on."""
        self._goes_on.set()

    async def sleep(self, seconds: float) -> None:
        """Return at the loop's next step, or when it goes on."""
        if not self._goes_on.is_set():
            self.held.set()
        await self._goes_on.wait()
        await super().sleep(seconds)


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (40, 15), (20, 10)])
async def test_enter_is_enough_from_the_beginning_to_the_end(
    tmp_path: Path, columns: int, rows: int
) -> None:
    async with tour(tmp_path, columns=columns, rows=rows) as program:
        await go_to(program, 5)
        program.pilot.press("escape")
        await offered(program, WAY[6][0])
        program.pilot.press("enter")
        await program.told("for example.")
        await rests(program)
        assert suggested(program) == ""
        assert "○" not in program.pilot.screen()
        assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_how_it_looks(tmp_path: Path, columns: int, rows: int) -> None:
    async with tour(tmp_path, columns=columns, rows=rows) as program:
        await offered(program, WAY[0][0])
        program.check_picture(SNAPSHOTS / "start")
        await go_to(program, 2)
        program.check_picture(SNAPSHOTS / "markdown")
        program.say("extensions")
        await program.pilot.wait_for("Stops of the t")
        await rests(program)
        program.check_picture(SNAPSHOTS / "panel")
        program.pilot.press("escape")
        await offered(program, WAY[6][0])
        program.check_picture(SNAPSHOTS / "card")


async def test_escape_stops_each_answer_and_the_way_goes_on(tmp_path: Path) -> None:
    """What was begun counts as seen; of what was only thought nothing was."""
    clock = HaltingClock()
    async with tour(tmp_path, clock=clock) as program:
        for question, goes_on_with in (
            (WAY[0][0], WAY[1][0]),
            (WAY[1][0], WAY[1][0]),
            (WAY[1][0], WAY[1][0]),
        ):
            await offered(program, question)
            aborted = program.flat().count("Operation aborted")
            clock.hold()
            program.pilot.press("enter")
            await clock.held.wait()
            assert suggested(program) == ""
            program.pilot.press("escape")
            await program.pilot.wait_for(
                lambda before=aborted: program.flat().count("Operation aborted") > before  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
            )
            clock.go_on()
            await offered(program, goes_on_with)
        program.pilot.press("enter")
        await program.told(WAY[1][1])
        await offered(program, WAY[2][0])


async def test_escape_stops_the_command(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await offered(program, WAY[0][0])
        program.say("run a command")
        await program.pilot.wait_for("1 of 3")
        program.pilot.press("escape")
        await program.told("aborted")
        await offered(program, WAY[5][0])
        assert "3 of 3" not in program.pilot.screen()


async def test_a_stop_is_chosen_in_the_panel_with_keys(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await offered(program, WAY[0][0])
        program.say("/tour")
        await program.pilot.wait_for("→   Welcome")
        program.pilot.press("down", "down", "enter")
        await offered(program, WAY[2][0])
        assert "Stops of the tour" not in program.pilot.screen()
        program.say("/tour")
        await program.pilot.wait_for("→   Welcome")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: "Stops of the tour" not in program.pilot.screen())
        await offered(program, WAY[2][0])


async def test_the_mouse_opens_the_panel_and_chooses(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await go_to(program, 0)
        await offered(program, WAY[1][0])
        row = next(n for n, line in enumerate(program.pilot.lines()) if "●○" in line)
        program.pilot.click(5, row)
        await program.pilot.wait_for("✓ Welcome")
        lines = program.pilot.lines()
        row = next(n for n, line in enumerate(lines) if "  Commands " in line)
        program.pilot.click(lines[row].index("Commands"), row)
        await offered(program, WAY[4][0])
        assert "Stops of the tour" not in program.pilot.screen()


async def test_another_model_ends_it_and_its_own_brings_it_back(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await go_to(program, 1)
        await offered(program, WAY[2][0])
        program.say("/model demo/echo")
        await program.pilot.wait_for("(demo) echo")
        assert "○" not in program.pilot.screen()
        assert suggested(program) == ""
        program.say("hello")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("hello") == 2)
        assert suggested(program) == ""
        program.say("/tour")
        await program.told("choose it with /model demo/tour")
        await offered(program, "/model demo/tour")
        program.say("not now")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("not now") == 2)
        assert suggested(program) == ""
        program.say("/tour")
        await offered(program, "/model demo/tour")
        program.pilot.press("enter")
        await offered(program, WAY[0][0])
        await program.pilot.wait_for("○○○○○○○")


async def test_the_welcome_screen_leads_to_it(tmp_path: Path) -> None:
    async with interactive(tmp_path, clock=HurriedClock()) as program:
        await program.pilot.wait_for("Take the tour")
        lines = program.pilot.lines()
        row = next(n for n, line in enumerate(lines) if "Take the tour" in line)
        program.pilot.click(4, row)
        await offered(program, WAY[0][0])
        await program.told("This is the tour of pi.")
        program.pilot.press("enter")
        await program.told(WAY[0][1])


async def test_what_somebody_types_is_answered_and_left_alone(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await go_to(program, 0)
        program.pilot.type("Who are you?")
        assert suggested(program) == "Who are you?"
        program.pilot.press("enter")
        await program.told("I am a script, and this tour is all I know")
        await offered(program, WAY[1][0])
        program.pilot.type("a draft")
        program.app.quit()
        assert program.app.composer.get_text() == "a draft"


async def test_a_new_session_begins_it_anew_and_a_reload_leaves_one_of_it(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await go_to(program, 5)
        program.pilot.press("escape")
        program.say("/reload")
        await program.pilot.wait_for("Reloaded")
        assert "Stops of the tour" not in program.pilot.screen()
        assert program.pilot.screen().count("○○○○○○○") == 1
        await program.pilot.wait_for("The tour extension drew this card")
        program.say("/new")
        await program.pilot.wait_for(lambda: "card" not in program.pilot.screen())
        await offered(program, WAY[0][0])
        assert program.pilot.screen().count("○○○○○○○") == 1


async def test_a_resumed_tour_shows_its_card_and_goes_on(tmp_path: Path) -> None:
    async with tour(tmp_path) as program:
        await go_to(program, 5)
    async with tour(tmp_path, "-c") as program:
        await program.pilot.wait_for("The tour extension drew this card")
        await offered(program, WAY[0][0])
        program.say("next")
        await program.told("for example.")


async def test_without_the_extension_it_says_so(tmp_path: Path) -> None:
    async with tour(tmp_path, "-ne") as program:
        program.say("extensions")
        await program.settled("which does not draw here")
        assert "●" not in program.pilot.screen()
        assert suggested(program) == ""
    async with tour(tmp_path, "-ne", "-e", "builtin:tour") as program:
        await offered(program, WAY[0][0])


async def test_without_tools_it_says_so(tmp_path: Path) -> None:
    async with tour(tmp_path, "--no-tools") as program:
        program.say("read a file")
        await program.told("which is switched off in this run")


async def test_nobody_else_sees_anything_of_it(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        await program.pilot.wait_for("(demo) echo")
        assert "tour" not in program.pilot.screen().lower()


def test_in_print_mode_it_answers_and_draws_nothing(tmp_path: Path) -> None:
    pi = Pi(tmp_path)
    outcome = pi.run("--demo", "-p", "hi")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("## 1/7 Welcome\n\nI am a script that plays a model.")
    assert list(pi.project.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--model", "demo/echo"], "--demo cannot be combined with --model"),
        (["--local"], "--demo cannot be combined with --local"),
    ],
)
def test_it_is_one_model(tmp_path: Path, words: list[str], told: str) -> None:
    outcome = Pi(tmp_path).run("--demo", "-p", "hi", *words)
    assert outcome.code == 1
    assert f"Error: {told}" in outcome.err


# The parts of the extension, as pi imports them.
PACKAGE = f"{PREFIX}test_tour"
import_entry(PACKAGE, ROOT / "extensions" / "tour" / "__init__.py")
CARD, PANEL, PROGRESS, STOPS = (
    import_module(f"{PACKAGE}.{name}") for name in ("card", "panel", "progress", "stops")
)
THEME = load_bundled_theme("dark", color_mode="truecolor")


@dataclass
class Place:
    """Where a tour is."""

    seen: set[int] = field(default_factory=set)
    current: int | None = None
    upcoming: int = 0
    is_talking: bool = False


places = st.builds(
    Place,
    st.sets(st.integers(0, 6)),
    st.none() | st.integers(0, 6),
    st.integers(0, 6),
    st.booleans(),
)


@given(places, st.integers(1, 150), st.integers(1, 60), st.text(), st.booleans())
def test_what_it_draws_fits(place: Place, width: int, rows: int, text: str, expanded: bool) -> None:
    tui = TUI(HeadlessTerminal(150, rows))
    message = CustomMessage(custom_type="tour", content=text)
    options = MessageRenderOptions(expanded=expanded)
    for piece in (
        PROGRESS.Progress(place, tui, THEME, lambda: None),
        PANEL.Panel(tui, THEME, get_keybindings(), lambda value=None: None, place.seen, 3),
        CARD.Card(message, options, THEME),
    ):
        drawn = piece.render(width)
        assert all(visible_width(row) <= width for row in drawn)
        assert not any(set(row) & {"\n", "\r", "\x07", "\x00"} for row in drawn)


@pytest.mark.parametrize("rows", range(5, 30))
def test_the_panel_shows_the_next_stop_at_any_height(rows: int) -> None:
    tui = TUI(HeadlessTerminal(80, rows))
    panel = PANEL.Panel(tui, THEME, get_keybindings(), lambda value=None: None, {0}, 4)
    drawn = panel.render(44)
    assert len(drawn) <= rows - 2
    assert any("→   Commands" in row for row in drawn)


def test_its_stops_are_those_of_the_model_and_its_questions_lead_there() -> None:
    assert [stop.title for stop in STOPS.STOPS] == [stop.title for stop in MODEL_STOPS]
    for number, stop in enumerate(STOPS.STOPS):
        for before in ([], ["hi"], ["hi", "6"]):
            said: list[Message] = [UserMessage(content=each) for each in (*before, stop.question)]
            answer = tour_step(Context(DRAWN_BY_EXTENSION, said, []))
            assert STOPS.stop_of(answer.text) == number
    assert STOPS.STOPS[STOPS.EXTENSIONS].title == "Extensions"


async def test_where_nobody_takes_the_tour_one_small_file_is_loaded() -> None:
    before = set(sys.modules)
    result = await load_extensions([built_in_extensions()["builtin:tour"]], cwd=ROOT, generation=7)
    assert set(sys.modules) - before == {result.extensions[0].package}
    running = run(result)
    await running.runner.start("startup")
    assert set(sys.modules) - before == {result.extensions[0].package}
    running.runner.invalidate("over")


def test_on_a_terminal_enter_escape_and_ctrl_d_are_enough(tmp_path: Path) -> None:
    pi = ScreenPi(tmp_path)
    with PtySession([*COMMAND, "--demo"], cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_until(editor_shows("Show me around"))
        session.send(b"\r")
        session.wait_until(is_working)
        session.send(b"\x1b")
        session.wait_for("Operation aborted")
        session.wait_until(editor_shows("How do you think?"))
        session.send(b"\r")
        session.wait_for("2/7 Thinking")
        session.wait_until(editor_shows("What about Markdown?"))
        session.send(b"\x04")
        assert session.wait_exit() == 0
    assert list(pi.project.iterdir()) == []
