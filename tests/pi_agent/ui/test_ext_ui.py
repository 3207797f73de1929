"""What extensions keep on the screen: where it stands, whose it is, and when it goes."""

from __future__ import annotations

import asyncio
import gc
import sys
import textwrap
import weakref
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio

# `/do CODE` runs a line of Python in the extension.
DOES = """
log = []
class Piece:
    def __init__(self, *rows, fails_from=None):
        self.rows, self.fails_from, self.drawn = list(rows), fails_from, 0
    def render(self, width):
        self.drawn += 1
        if self.fails_from is not None and self.drawn >= self.fails_from:
            raise RuntimeError("gone wrong")
        return self.rows
    def dispose(self):
        log.append(f"disposed {self.rows[0]}")
def setup(pi):
    @pi.command(NAME)
    async def run(code, ctx):
        ui = ctx.ui
        scope = {"ui": ui, "ctx": ctx, "pi": pi, "Piece": Piece, "log": log}
        exec("async def work():\\n    return " + code, scope)
        result = await scope["work"]()
        if result is not None:
            ui.notify(f"result {result!r}")
"""


def extensions(folder: Path, *names: str) -> Sequence[str]:
    words: list[str] = []
    for name in names:
        file = folder / f"{name}.py"
        file.write_text(textwrap.dedent(f"NAME = {name!r}\n") + DOES)
        words += ["-e", str(file)]
    return [*words, "--model", "demo/echo"]


async def do(program: Program, command: str, shown: str | None = None) -> None:
    """Run a line in an extension, and wait for what it shows."""
    program.say(command)
    await program.pilot.wait_for(lambda: program.app.composer.get_text() == "")
    if shown is not None:
        await program.pilot.wait_for(
            lambda: shown in program.pilot.screen() or shown in program.flat()
        )


def row_of(program: Program, text: str) -> int:
    (row,) = [number for number, line in enumerate(program.pilot.lines()) if text in line]
    return row


async def gone(program: Program, text: str) -> None:
    await program.pilot.wait_for(lambda: text not in program.pilot.screen())


async def test_widgets_stand_above_and_below_the_editor_in_order(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        await do(program, "/one ui.set_widget('a', ['first'])", "first")
        await do(program, "/two ui.set_widget('a', ['second'])", "second")
        await do(program, "/one ui.set_widget('b', ['under'], placement='below_editor')", "under")
        program.pilot.type("draft")
        rows = [row_of(program, text) for text in ("first", "second", "draft", "under", "echo")]
        assert rows == sorted(rows)
        program.pilot.press(*["backspace"] * 5)
        # Set again it keeps its place; in the other place it is there only.
        await do(program, "/one ui.set_widget('a', ['changed'])", "changed")
        assert row_of(program, "changed") < row_of(program, "second")
        await do(program, "/one ui.set_widget('a', ['moved'], placement='below_editor')", "moved")
        assert row_of(program, "moved") > row_of(program, "under")
        assert "changed" not in program.pilot.screen()
        # Nobody takes away what is another's.
        await do(program, "/one ui.set_widget('a', None)")
        await gone(program, "moved")
        assert "second" in program.pilot.screen()


@pytest.mark.parametrize("question", ["confirm('Go on?', 'now')", "select('Which?', ['a', 'b'])"])
async def test_what_is_typed_while_a_question_comes_up_is_kept_for_the_editor(
    tmp_path: Path, question: str
) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, f"/one await ui.{question}", "→")
        program.pilot.type("just ask ")
        program.pilot.paste("Ada")
        program.pilot.press("enter", "escape")
        await program.pilot.wait_for("just ask Ada")
        assert program.app.composer.get_text() == "just ask Ada"


async def test_of_many_lines_ten_are_shown(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one"), rows=30) as program:
        await do(program, "/one ui.set_widget('a', [f'<{n}>' for n in range(30)])", "truncated")
        shown = [line.strip() for line in program.pilot.lines() if "<" in line]
        assert shown[-10:] == [f"<{n}>" for n in range(10)]


async def test_a_widget_is_told_once_that_it_is_gone(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, "/one ui.set_widget('a', lambda tui, theme: Piece('A'))", "A")
        await do(program, "/one ui.set_widget('a', lambda tui, theme: Piece('B'))", "B")
        await do(program, "/one ui.set_widget('a', None)")
        await do(program, "/one log", "result")
        assert "result ['disposed A', 'disposed B']" in program.pilot.screen()


@pytest.mark.parametrize(
    ("factory", "problem"),
    [
        ("lambda tui, theme: 1 / 0", "division by zero"),
        ("lambda tui, theme: 'text'", "returned str, which has no render(width)"),
    ],
)
async def test_a_factory_that_fails_changes_nothing(
    tmp_path: Path, factory: str, problem: str
) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, "/one ui.set_widget('a', ['as before'])", "as before")
        await do(program, f"/one ui.set_widget('a', {factory})", "The traceback")
        assert problem in program.flat()
        assert "as before" in program.pilot.screen()


async def test_a_widget_that_fails_says_so_and_then_goes(tmp_path: Path) -> None:
    """On its third frame; the editor works on."""
    async with interactive(tmp_path, *extensions(tmp_path, "one"), rows=30) as program:
        piece = "Piece('fine', fails_from=3)"
        await do(program, f"/one ui.set_widget('a', lambda tui, theme: {piece})", "fine")
        message = '[one] widget "a" failed: gone wrong'
        shown = set()
        for _ in range(10):
            program.app.tui.request_render()
            program.app.tui.render_now()
            shown.add(message if message in program.pilot.screen() else "no message")
        assert message in shown
        await program.pilot.wait_for(lambda: "The traceback is in" in program.flat())
        assert message not in program.pilot.screen()
        assert program.flat().count('component:widget "a"') == 1
        program.pilot.type("still here")
        assert program.app.composer.get_text() == "still here"


async def test_statuses_share_the_third_line_of_the_footer(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        await do(program, "/one ui.set_status('x', 'first\\nline')", "first line")
        await do(program, "/two ui.set_status('x', 'second')", "first line  second")
        await do(program, "/one ui.set_status('x', 'again')", "again  second")
        await do(program, "/one ui.set_status('y', ui.theme.fg('error', 'red'))")
        await program.pilot.wait_for("again  second  red")
        assert program.pilot.lines()[-1] == "again  second  red"
        await do(program, "/one ui.set_status('x', None)")
        await program.pilot.wait_for(lambda: program.pilot.lines()[-1] == "second  red")
        await do(program, "/one ui.set_status('y', None)")
        await do(program, "/two ui.set_status('x', None)")
        await program.pilot.wait_for(lambda: program.pilot.lines()[-1].endswith("(demo) echo"))


async def test_control_bytes_of_a_status_or_widget_never_arrive(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, r"/one ui.set_status('x', 'a\x1b[2Jb\x07c\x1b]0;title\x07d')", "abcd")
        await do(program, r"/one ui.set_widget('x', ['e\x1b[5;5Hf\x1b[31m red'])", "ef red")
        assert program.pilot.terminal.grid.title == "pi - work"


WRAPS = """lambda tui, theme, data: type('F', (), {
    'render': lambda self, width: ['over ' + TEXT, *data.below().render(width)]})()""".replace(
    "\n", " "
)


async def test_footers_stack_and_each_extension_clears_its_own(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        await do(program, "/one ui.set_footer(" + WRAPS.replace("TEXT", "'one'") + ")", "over one")
        await do(program, "/two ui.set_footer(" + WRAPS.replace("TEXT", "'two'") + ")", "over two")
        assert program.pilot.lines()[-4:-2] == ["over two", "over one"]
        assert program.pilot.lines()[-1].endswith("(demo) echo")
        await do(program, "/one ui.set_footer(None)")
        await gone(program, "over one")
        assert program.pilot.lines()[-3] == "over two"
        await do(program, "/two ui.set_footer(None)")
        await gone(program, "over two")
        await do(program, "/two ui.set_footer(None)")


@pytest.mark.parametrize("wrong", ["Piece('x', fails_from=1)", "Piece('y' * 200)", "Piece(5)"])
async def test_a_footer_that_fails_leaves_the_one_under_it(tmp_path: Path, wrong: str) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(
            program, f"/one ui.set_footer(lambda tui, theme, data: {wrong})", "component:footer"
        )
        for _ in range(5):
            program.app.tui.request_render()
            program.app.tui.render_now()
        if "y" in wrong:
            assert program.pilot.lines()[-1] == "y" * 80
        else:
            assert program.pilot.lines()[-1].endswith("(demo) echo")


async def test_a_footer_hears_of_another_branch(tmp_path: Path) -> None:
    git = tmp_path / "work" / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    footer = """lambda tui, theme, data: (data.on_branch_change(
        lambda: ui.notify('now ' + data.get_git_branch())), Piece('mine'))[1]""".replace("\n", " ")
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, f"/one ui.set_footer({footer})", "mine")
        (git / "HEAD").write_text("ref: refs/heads/topic\n")
        program.say("hello")
        await program.pilot.wait_for("now topic")


async def test_two_footers_that_listen_with_one_function_end_one_by_one(tmp_path: Path) -> None:
    git = tmp_path / "work" / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    heard = "(lambda ui: lambda: ui.notify('heard'))(ui)"
    footer = "lambda tui, theme, data: (stops.append(data.on_branch_change(f)), Piece(w))[1]"
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        work = f"(lambda f, stops: [ui.set_footer((lambda w: {footer})(w)) for w in 'ab']"
        await do(program, f"/one {work} and stops[0]())({heard}, [])", "b")
        (git / "HEAD").write_text("ref: refs/heads/topic\n")
        program.say("hello")
        await program.pilot.wait_for("heard")


async def test_the_title_of_the_window_is_that_of_the_newest_and_ends_with_it(
    tmp_path: Path,
) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        grid = program.pilot.terminal.grid
        await do(program, r"/one ui.set_title('first\x1b]0;bad\x07\nline')")
        await program.pilot.wait_for(lambda: grid.title == "first line")
        await do(program, "/two ui.set_title('second')")
        await program.pilot.wait_for(lambda: grid.title == "second")
        await do(program, "/two ui.set_title(None)")
        await program.pilot.wait_for(lambda: grid.title == "first line")


async def test_the_working_row_says_what_extensions_want(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        status = program.app.screen.status
        status.show_working(lambda: " 3s")
        await program.pilot.wait_for("Working 3s")
        await do(program, "/one ui.set_working_message('Pondering')", "Pondering 3s")
        await do(program, "/two ui.set_working_message('Brooding')", "Brooding 3s")
        await do(program, "/two ui.set_working_message()", "Pondering 3s")
        await do(
            program,
            "/one ui.set_working_indicator("
            "__import__('pi_agent').WorkingIndicatorOptions(frames=['<*>']))",
            "<*> Pondering 3s",
        )
        await do(program, "/one ui.set_working_visible(False)")
        await gone(program, "Pondering")
        await do(program, "/one ui.set_working_visible(True)", "<*> Pondering")
        status.clear()


async def test_after_a_reload_nothing_of_what_was_set_is_left(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, "/one ui.set_widget('a', lambda tui, theme: Piece('widget'))", "widget")
        await do(program, "/one ui.set_widget('b', ['lower'], placement='below_editor')", "lower")
        await do(program, "/one ui.set_status('a', 'status')", "status")
        await do(program, "/one ui.set_footer(lambda tui, theme, data: Piece('footer'))", "footer")
        await do(program, "/one ui.set_working_message('Pondering')")
        program.say("/reload")
        await program.settled("Reloaded settings, keys, themes and extensions: one.")
        for text in ("widget", "lower", "status", "footer"):
            assert not [line for line in program.pilot.lines() if line.strip() == text]
        program.app.screen.status.show_working(lambda: "")
        await program.pilot.wait_for("Working")
        program.app.screen.status.clear()


async def test_the_text_of_the_editor_can_be_read_and_set(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        listen = "pi.on('input', lambda event, ctx: ctx.ui.set_editor_text('again'))"
        await do(program, f"/one {listen}", "result")
        program.say("hello")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "again")


@pytest.mark.parametrize(
    "call",
    [
        "ui.set_widget('a', 'text')",
        "ui.set_widget('a', [1])",
        "ui.set_widget('a', ['x'], placement='left')",
        "ui.set_status('a', 5)",
        "ui.set_footer('text')",
        "ui.set_status(5, 'text')",
        "ui.notify(None)",
        "ui.set_title(5)",
        "ui.set_working_message(5)",
        "ui.set_working_indicator(5)",
        "ui.set_editor_text(5)",
        "ui.set_editor_suggestion(5)",
        "ui.add_autocomplete_provider(5)",
        "await ui.select('x', 'abc')",
        "await ui.confirm('x', None)",
        "await ui.input('x', timeout='soon')",
        "await ui.custom(print, overlay=True, overlay_options={'width': 5})",
    ],
)
async def test_a_wrong_call_is_told_where_it_was_made(tmp_path: Path, call: str) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await do(program, f"/one {call}", "failed in command")
        member = call.partition("(")[0].rpartition(".")[2]
        said = program.flat()
        assert f"failed in command /one: {member}" in said
        assert ", got " in said or "knows no place 'left'" in said


ASKS = "/one await ui.select('Which?', ['apple', 'pear', 'plum'])"


async def test_a_choice_is_made_with_keys(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        program.say(ASKS)
        await program.pilot.wait_for("→ apple")
        program.pilot.press("down", "j", "k", "down")
        await program.pilot.wait_for("→ plum")
        program.pilot.press("enter")
        await program.pilot.wait_for("result 'plum'")
        program.say(ASKS)
        await program.pilot.wait_for("→ apple")
        program.pilot.press("escape")
        await gone(program, "→ apple")
        assert program.pilot.screen().count("result") == 1


async def test_a_line_is_asked_for_and_may_be_empty(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        program.pilot.type("draft")
        program.pilot.press("ctrl+u")
        program.say("/one await ui.input('Name?', 'first and last')")
        await program.pilot.wait_for("first and last")
        program.pilot.type("Ada")
        await program.pilot.wait_for("> Ada")
        await program.pilot.wait_for(lambda: _answer(program, "result 'Ada'"))


def _answer(program: Program, wanted: str) -> bool:
    """Press Enter until the dialog takes it: it does not in the first moments."""
    if wanted in program.pilot.screen():
        return True
    if program.app.screen.has_dialog:
        program.pilot.press("enter")
    return False


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("select('Which?', ['a'], timeout=1.2)", "None"),
        ("input('What?', timeout=1.2)", "None"),
        ("confirm('Sure?', 'Really', timeout=1.2)", "False"),
    ],
)
async def test_a_time_limit_counts_down_and_gives_the_default(
    tmp_path: Path, call: str, result: str
) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        program.say(f"/one str(await ui.{call})")
        await program.pilot.wait_for("? (2s)")
        await program.pilot.wait_for("? (1s)")
        await program.pilot.wait_for(f"result '{result}'")
        assert not program.app.screen.has_dialog


async def test_dialogs_stack_and_close_in_any_order(tmp_path: Path) -> None:
    """The one below is answered by its signal; the upper one stays."""
    nested = (
        "/one (controller := __import__('pi_agent').AbortController()) and"
        " str(await __import__('asyncio').gather("
        "ui.select('Lower', ['a'], signal=controller.signal), ui.input('Upper'),"
        " __import__('asyncio').sleep(0.05, None) ))"
    )
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        program.say(nested)
        await program.pilot.wait_for("Upper")
        assert "Lower" not in program.pilot.screen()
        program.pilot.press("escape")
        await program.pilot.wait_for("Lower")
        program.pilot.press("escape")
        await program.pilot.wait_for("result '[None, None, None]'")


@pytest.mark.parametrize(("columns", "rows"), [(20, 10), (40, 15), (80, 24)])
async def test_widgets_and_statuses_share_small_screens(
    tmp_path: Path, columns: int, rows: int
) -> None:
    """The document keeps a row, the editor works, and widgets go first."""
    async with interactive(
        tmp_path, *extensions(tmp_path, "one"), columns=columns, rows=rows
    ) as program:
        await do(program, "/one ui.set_status('a', 'status')", "status")
        await do(program, "/one ui.set_widget('a', [f'w{n}' for n in range(9)])", "w0")
        program.pilot.type("draft")
        lines = program.pilot.lines()
        assert "draft" in lines[row_of(program, "draft")]
        assert lines[-1] == "status"
        shown = [line for line in lines if line.strip().startswith("w")]
        assert len(shown) == {10: 2, 15: 7, 24: 9}[rows]


SETS_ALL = """
def setup(pi):
    class Piece:
        def render(self, width):
            return ["piece"[:width]]
    @pi.on("session_start")
    def start(event, ctx):
        ctx.ui.set_widget("a", lambda tui, theme: Piece())
        ctx.ui.set_widget("b", ["lines"], placement="below_editor")
        ctx.ui.set_status("a", "status")
        ctx.ui.set_working_message("Pondering")
        def footer(tui, theme, data):
            data.on_branch_change(lambda: ctx.ui.notify("branch"))
            return Piece()
        ctx.ui.set_footer(footer)
"""


async def test_reloads_leave_no_code_of_old_generations_behind(tmp_path: Path) -> None:
    """With something in every place of the screen."""
    file = tmp_path / "sets.py"
    file.write_text(SETS_ALL)
    modules: list[weakref.ref[object]] = []
    words = ("-e", str(file), "--model", "demo/echo")
    async with interactive(tmp_path, *words, ready="piece") as program:
        for _ in range(5):
            (name,) = [name for name in sys.modules if name.endswith("_sets")]
            modules.append(weakref.ref(sys.modules[name]))
            program.say("/reload")
            await program.pilot.wait_for(lambda name=name: name not in sys.modules)  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
            await program.settled("Reloaded settings, keys, themes and extensions: sets.")
        program.app.tui.render_now()
        gc.collect()
        assert [module() for module in modules] == [None] * 5


SAYS_MORE = """
def setup(pi):
    pi.on("before_agent_start", lambda event: {
        "message": {"custom_type": "note", "content": "seen by all"}})
    pi.on("before_agent_start", lambda event: {
        "message": {"custom_type": "note", "content": "seen by none", "display": False}})
"""


async def test_messages_of_extensions_are_shown_live_and_when_resumed(tmp_path: Path) -> None:
    file = tmp_path / "says.py"
    file.write_text(SAYS_MORE)
    async with interactive(tmp_path, "-e", str(file), "--model", "demo/echo") as program:
        program.say("hello")
        await program.settled("seen by all")
        assert program.pilot.screen().count("[note]") == 1  # the other one is not shown
    async with interactive(tmp_path, "-c", "--model", "demo/echo") as program:
        await program.pilot.wait_for("seen by all")
        assert program.pilot.screen().count("[note]") == 1  # the other one is not shown


TICKS = """
import asyncio
from pathlib import Path

# One more dot for each time this file is loaded.
LOADED = Path(__file__).with_suffix(".loaded")
LOADED.write_text(LOADED.read_text() + "." if LOADED.exists() else ".")
NUMBER = len(LOADED.read_text())

def setup(pi):
    @pi.on("session_start")
    async def started(event, ctx):
        pi.task = asyncio.get_running_loop().create_task(tick(ctx))
    pi.on("input", lambda event, ctx: ctx.ui.notify("heard " + event.text))

async def tick(ctx):
    count = 0
    while True:
        await asyncio.sleep(0.002)
        count += 1
        ctx.ui.set_status("tick", f"tick {NUMBER}.{count % 10}")
"""


async def test_tasks_of_old_generations_end_and_nobody_hears_of_them(tmp_path: Path) -> None:
    """Ten reloads: handlers run once, one status is there, and no failure is shown."""
    file = tmp_path / "ticks.py"
    file.write_text(TICKS)
    async with interactive(
        tmp_path, "-e", str(file), "--model", "demo/echo", ready="tick"
    ) as program:
        for number in range(2, 12):
            program.say("/reload")
            await program.pilot.wait_for(f"tick {number}.")
            await program.settled("Reloaded")
        program.say("once")
        await program.pilot.wait_for("heard once")
        screen = program.pilot.screen()
        assert screen.count("heard once") == 1
        assert screen.count("tick ") == 1
        assert "failed" not in screen
        ticking = [task for task in asyncio.all_tasks() if "tick" in repr(task.get_coro())]
        assert len(ticking) == 1
