"""`ctx.ui.custom`: screens of extensions, opened, used and closed on the real screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.ui.live import LiveConversation
from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio

SCREENS = """
import asyncio
from pi_tui import OverlayOptions, StackEntry
from pi_tui.components import ScrollView, Text, Transcript, VStack

tasks = []

class Screen:
    def __init__(self, name, done, ctx):
        self.name, self.done, self.ctx, self.focused = name, done, ctx, False

    def render(self, width):
        return [f"<{self.name}{'*' if self.focused else ''}>"[:width]]

    def handle_key(self, event):
        if event.text == "d":
            self.done(self.name)
            self.done("again")
        elif event.text == "q":
            tasks.append(asyncio.create_task(self.ask()))
        elif event.text == "o":
            tasks.append(asyncio.create_task(show(self.ctx, "top", row=6)))
        elif event.text == "z":
            below.done("from above")
        elif event.text == "h":
            try:
                handles[self.name].hide()
            except RuntimeError as error:
                self.ctx.ui.notify(str(error))
        else:
            return False

    async def ask(self):
        self.ctx.ui.notify(f"said {await self.ctx.ui.confirm('Nested?', 'really')}")

    def dispose(self):
        self.ctx.ui.notify(f"disposed of {self.name}", "warning")

handles = {}
below = None

async def show(ctx, name, **fields):
    global below

    def make(tui, theme, keybindings, done):
        global below
        screen = Screen(name, done, ctx)
        below = below or screen
        return screen

    def on_handle(handle):
        assert handle.get_bounds().width == 12
        handles[name] = handle

    value = await ctx.ui.custom(
        make, overlay=True, overlay_options=OverlayOptions(width=12, **fields), on_handle=on_handle
    )
    ctx.ui.notify(f"{name} gave {value}", "warning")

def setup(pi):
    @pi.command("inline")
    async def inline(args, ctx):
        made = lambda tui, theme, keys, done: Screen("in", done, ctx)
        ctx.ui.notify(f"got {await ctx.ui.custom(made)}", "warning")

    @pi.command("over")
    async def over(args, ctx):
        await show(ctx, "over", row=2)

    @pi.command("early")
    async def early(args, ctx):
        async def make(tui, theme, keybindings, done):
            done("at once")
            await asyncio.sleep(0)
            return Screen("never", done, ctx)
        ctx.ui.notify(f"got {await ctx.ui.custom(make, overlay=bool(args))}", "warning")

    @pi.command("broken")
    async def broken(args, ctx):
        async def make(tui, theme, keybindings, done):
            tui.set_focus(Screen("lost", done, ctx))
            await asyncio.sleep(0)
            raise LookupError("no parts")
        await ctx.ui.custom(make, overlay=bool(args))

    @pi.command("nothing")
    async def nothing(args, ctx):
        await ctx.ui.custom(lambda tui, theme, keys, done: 7)

    @pi.command("failing")
    async def failing(args, ctx):
        def make(tui, theme, keybindings, done):
            class Failing(Screen):
                renders = 0
                def render(self, width):
                    self.renders += 1
                    if self.renders > 2:
                        raise ValueError(f"no more {self.renders}")
                    return super().render(width)
                def handle_key(self, event):
                    raise KeyError("that one")
            return Failing("frail", done, ctx)
        try:
            await ctx.ui.custom(make, overlay=bool(args))
        except ValueError as error:
            ctx.ui.notify(f"ended: {error}", "warning")

    @pi.command("scroller")
    async def scroller(args, ctx):
        def make(tui, theme, keybindings, done):
            log = Transcript()
            for number in range(99):
                log.append(Text(f"entry {number}", 0, 0))
            return VStack([Text("top", 0, 0), StackEntry(ScrollView(log, follow="end")), Text("end", 0, 0)])
        await ctx.ui.custom(make, overlay=bool(args), overlay_options=OverlayOptions(width=30, max_height=6))

    @pi.command("stack")
    async def stack(args, ctx):
        class Broken:
            def render(self, width):
                raise ValueError("a part is broken")
        await ctx.ui.custom(
            lambda *given: VStack([Text("<stack>", 0, 0), Broken(), Text("<end>", 0, 0)]), overlay=bool(args)
        )

    @pi.command("moody")
    async def moody(args, ctx):
        answers = [OverlayOptions(width=12, row=40, visible=lambda columns, rows: 1 / 0), 7]
        def options():
            return answers.pop(0) if answers else {}["no place"]
        await ctx.ui.custom(
            lambda tui, theme, keys, done: Screen("moody", done, ctx), overlay=True, overlay_options=options
        )

    @pi.command("silent")
    async def silent(args, ctx):
        await ctx.ui.custom(lambda tui, theme, keys, done: Text("<silent>", 0, 0), overlay=bool(args))

    @pi.command("cancelled")
    async def cancelled(args, ctx):
        made = lambda tui, theme, keys, done: Screen("late", done, ctx)
        cancel = lambda handle: asyncio.current_task().cancel()
        task = asyncio.create_task(ctx.ui.custom(made, overlay=True, on_handle=cancel))
        await asyncio.wait([task])
        ctx.ui.notify(f"cancelled: {task.cancelled()}", "warning")

    @pi.command("badhandle")
    async def badhandle(args, ctx):
        made = lambda tui, theme, keys, done: Screen("gone", done, ctx)
        await ctx.ui.custom(made, overlay=True, on_handle=lambda handle: 1 / 0)
"""


@asynccontextmanager
async def with_screens(folder: Path, rows: int = 24) -> AsyncIterator[Program]:
    """Run the program with the extension above."""
    (folder / "screens.py").write_text(SCREENS, encoding="utf-8")
    words = ("--model", "demo/echo", "-e", str(folder / "screens.py"))
    async with interactive(folder, *words, rows=rows) as program:
        yield program


def check_editor_has_keys(program: Program) -> None:
    program.pilot.type("typed")
    assert program.app.composer.get_text() == "typed"


async def test_inline_it_has_the_editors_place_and_gives_it_back(tmp_path: Path) -> None:
    async with with_screens(tmp_path) as program:
        program.say("/inline")
        await program.pilot.wait_for("<in*>")
        assert program.app.composer.get_text() == ""
        program.app.composer.set_text("a draft")
        program.pilot.press("x", "d")
        await program.pilot.wait_for("got in")
        await program.pilot.wait_for("disposed of in")
        assert "a draft" in program.pilot.screen()
        assert "<in" not in program.pilot.screen()
        assert "again" not in program.pilot.screen()
        program.pilot.type("!")
        assert program.app.composer.get_text() == "a draft!"


async def test_over_the_screen_it_leaves_everything_in_place(tmp_path: Path) -> None:
    async with with_screens(tmp_path) as program:
        program.pilot.tui.render_now()
        before = program.pilot.lines()
        program.say("/over")
        await program.pilot.wait_for("<over*>")
        row = program.pilot.lines()[2]
        assert row.strip() == "<over*>" or "<over*>" in row
        assert [line for y, line in enumerate(program.pilot.lines()) if y != 2] == [
            line for y, line in enumerate(before) if y != 2
        ]
        program.pilot.press("d")
        await program.pilot.wait_for("over gave over")
        check_editor_has_keys(program)


async def test_an_overlay_ends_by_being_done_and_not_by_its_handle(tmp_path: Path) -> None:
    async with with_screens(tmp_path) as program:
        program.say("/over")
        await program.pilot.wait_for("<over*>")
        program.pilot.press("h")
        await program.pilot.wait_for("This overlay belongs")
        program.pilot.press("x")
        assert "<over*>" in program.pilot.screen()
        with pytest.raises(RuntimeError, match="done"):
            program.pilot.tui.hide_overlay()
        program.pilot.press("d")
        await program.pilot.wait_for("over gave over")


async def test_the_lower_of_two_overlays_may_be_done_first(tmp_path: Path) -> None:
    async with with_screens(tmp_path) as program:
        program.say("/over")
        await program.pilot.wait_for("<over*>")
        program.pilot.press("o")
        await program.pilot.wait_for("<top*>")
        assert "<over>" in program.pilot.screen()
        program.pilot.press("z")
        await program.pilot.wait_for("over gave from above")
        program.pilot.press("x")
        assert "<over" not in program.pilot.screen()
        assert "<top*>" in program.pilot.screen()
        program.pilot.press("d")
        await program.pilot.wait_for("top gave top")
        check_editor_has_keys(program)


@pytest.mark.parametrize("command", ["/inline", "/over"])
async def test_it_may_ask_a_question_of_its_own(tmp_path: Path, command: str) -> None:
    """The question has the keys; then the screen has them again."""
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("*>")
        program.pilot.press("q")
        await program.pilot.wait_for("Nested?")
        program.pilot.press("down", "up", "enter")
        await program.pilot.wait_for("said True")
        program.pilot.press("x")
        assert "*>" in program.pilot.screen()
        program.pilot.press("q")
        await program.pilot.wait_for("Nested?")
        program.pilot.press("escape")
        await program.pilot.wait_for("said False")
        program.pilot.press("d")
        await program.pilot.wait_for("disposed of")
        check_editor_has_keys(program)


@pytest.mark.parametrize("command", ["/early", "/early over"])
async def test_done_before_it_was_made_it_is_never_shown(tmp_path: Path, command: str) -> None:
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("got at once")
        assert "disposed of never" in program.pilot.screen()
        assert not program.pilot.tui.has_overlay()
        assert not program.app.screen.has_dialog
        check_editor_has_keys(program)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("/broken", "no parts"),
        ("/broken over", "no parts"),
        ("/nothing", "has no render(width)"),
        ("/badhandle", "division by zero"),
    ],
)
async def test_what_fails_while_it_opens_is_raised_to_the_caller(
    tmp_path: Path, command: str, told: str
) -> None:
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.told(told)
        assert not program.pilot.tui.has_overlay()
        assert not program.app.screen.has_dialog
        check_editor_has_keys(program)


@pytest.mark.parametrize("command", ["/inline", "/over"])
async def test_it_goes_with_its_generation(tmp_path: Path, command: str) -> None:
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("*>")
        assert program.app._live is not None
        assert isinstance(program.app._live, LiveConversation)
        assert program.app._live.services is not None
        await program.app._live.services.reload()  # as `/reload` does, which cannot be typed now
        await program.pilot.wait_for("disposed of")  # while it could still say so
        assert "*>" not in program.pilot.screen()
        check_editor_has_keys(program)
        program.app.composer.set_text("")
        program.say("/over")
        await program.pilot.wait_for("<over*>")


@pytest.mark.parametrize("command", ["/inline", "/over"])
async def test_one_can_leave_with_it_open(tmp_path: Path, command: str) -> None:
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("*>")
        program.pilot.press("ctrl+d")
        assert await program.ended() == 0


async def test_it_is_drawn_at_the_size_there_is(tmp_path: Path) -> None:
    async with with_screens(tmp_path, rows=10) as program:
        program.say("/over")
        await program.pilot.wait_for("<over*>")
        for columns, rows in ((20, 10), (9, 3), (1, 1), (40, 15)):
            program.pilot.resize(columns, rows)
        assert "<over*>" in program.pilot.lines()[2]
        program.pilot.press("d")
        await program.pilot.wait_for("over gave over")


@pytest.mark.parametrize("command", ["/failing", "/failing over"])
async def test_failing_it_costs_a_row_and_failing_on_it_ends(tmp_path: Path, command: str) -> None:
    """A key that it fails at is lost; at last its caller gets the error and the editor the keys."""
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("<frail*>")
        program.pilot.press("x")
        await program.told("failed in custom")
        for _ in range(4):
            program.pilot.tui.render_now()
        await program.told("ended: no more")
        assert "disposed of frail" in program.flat()
        assert not program.pilot.tui.has_overlay()
        check_editor_has_keys(program)


@pytest.mark.parametrize("command", ["/scroller", "/scroller over"])
async def test_it_may_divide_its_space(tmp_path: Path, command: str) -> None:
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("entry 98")
        column = [line.strip() for line in program.pilot.lines()]
        end = next(y for y, line in enumerate(column) if line.endswith("end"))
        assert column[end - 1].endswith("entry 98")
        assert any(line.endswith("top") for line in column[:end])


@pytest.mark.parametrize("command", ["/stack", "/stack over"])
async def test_a_part_that_fails_costs_its_rows_and_names_the_extension(
    tmp_path: Path, command: str
) -> None:
    async with with_screens(tmp_path) as program:
        program.pilot.tui.problems.strict = False  # as outside of tests
        program.say(command)
        await program.pilot.wait_for("failed in custom: a part is broken")
        await program.pilot.wait_for("<end>")
        column = [line.strip() for line in program.pilot.lines()]
        top = next(y for y, line in enumerate(column) if "<stack>" in line)
        assert "[render error: ValueError: a part is broken]" in column[top + 1]
        assert "<end>" in column[top + 2]
        for _ in range(4):
            program.pilot.tui.render_now()
        assert program.pilot.screen().count("a part is broken") == 2


async def test_options_that_fail_are_reported_and_the_last_ones_count(tmp_path: Path) -> None:
    async with with_screens(tmp_path, rows=60) as program:
        program.say("/moody")
        await program.pilot.wait_for("<moody*>")
        program.pilot.tui.render_now()
        await program.told("no place")
        assert "division by zero" in program.flat()
        assert "int, not OverlayOptions" in program.flat()
        assert "<moody*>" in program.pilot.lines()[40]  # below all that is told
        program.pilot.press("d")
        await program.pilot.wait_for("disposed of moody")


@pytest.mark.parametrize("command", ["/silent", "/silent over"])
async def test_one_that_takes_no_keys_leaves_the_way_out(tmp_path: Path, command: str) -> None:
    """Ctrl+C twice, also with a draft, which the first one leaves alone."""
    async with with_screens(tmp_path) as program:
        program.say(command)
        await program.pilot.wait_for("<silent>")
        program.app.composer.set_text("a draft")
        program.pilot.press("x", "ctrl+c")
        assert program.app.composer.get_text() == "a draft"
        program.pilot.press("ctrl+c")
        assert await program.ended() == 0


async def test_a_caller_that_is_cancelled_takes_its_screen_along(tmp_path: Path) -> None:
    async with with_screens(tmp_path) as program:
        program.say("/cancelled")
        await program.pilot.wait_for("cancelled: True")
        assert "disposed of late" in program.pilot.screen()
        assert not program.pilot.tui.has_overlay()
        check_editor_has_keys(program)
