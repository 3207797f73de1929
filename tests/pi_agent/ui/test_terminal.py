"""`pi` on a real terminal: it starts whatever the terminal answers, and every way out gives it back as it was."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from pi_tui.emulator import GridTerminal
from tests.mode_ledger import ModeLedger
from tests.pi_process import ROOT, texts
from tests.pi_screen import ScreenPi, editor_rows, editor_shows, is_working, shows
from tests.pty_session import PtySession, has_ended

PI = Path(sys.executable).with_name("pi")
READY = "(demo) echo"

# What terminals answer: nothing; colours and attributes; the kitty keyboard protocol too.
TERMINALS: Mapping[str, tuple[str, ...]] = {
    "silent": (),
    "xterm": ("da1", "osc10", "osc11"),
    "kitty": ("da1", "osc10", "osc11", "kitty"),
}


@pytest.fixture
def pi(tmp_path: Path) -> ScreenPi:
    """Return a fresh installation."""
    return ScreenPi(tmp_path)


def start_shell(pi: ScreenPi, *, columns: int = 100, rows: int = 30) -> PtySession:
    """Start an interactive bash that waits for a command."""
    shell = PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=columns,
        rows=rows,
        cwd=pi.project,
        env={**pi.full_environ(), "PS1": "sh> "},
    )
    shell.wait_until(is_at_prompt)
    return shell


def is_at_prompt(terminal: GridTerminal) -> bool:
    """Whether the shell waits for a command."""
    return terminal.lines()[terminal.cursor[1]].strip() == "sh>"


def converse(session: PtySession, texts: Iterable[str]) -> None:
    """Say each text and wait until the echo is there and nothing runs any more."""
    for text in texts:
        session.send(text.encode() + b"\r")
        session.wait_until(
            lambda terminal, text=text: (  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                sum(line.strip() == text for line in terminal.lines()) == 2
                and not is_working(terminal)
            ),
            what=f"the echo of {text!r}",
        )


def normal_screen(session: PtySession) -> list[str]:
    """Return what the terminal shows and what has scrolled off it."""
    with session.lock:
        return [*session.terminal.scrollback, *session.terminal.lines()]


def assert_given_back(session: PtySession) -> None:
    """The terminal is as before: settings, screen, cursor, modes, keyboard."""
    assert session.termios_now() == session.termios_before
    with session.lock:
        grid = session.terminal
        assert not grid.alternate_screen
        assert grid.cursor_visible
        assert grid.modes == {7, 25}
        assert not grid.kitty_flags
        assert not grid.modify_other_keys
    assert ModeLedger(session.output).left_on == set()


# Every way out


def ctrl(letter: str, *, kitty: bool) -> bytes:
    """Return what a terminal sends when a letter is pressed and let go with Ctrl held."""
    if kitty:
        return f"\x1b[{ord(letter)};5u\x1b[{ord(letter)};5:3u".encode()
    return bytes([ord(letter) & 0x1F])


def press_ctrl_c_twice(session: PtySession, kitty: bool) -> None:
    session.send(ctrl("c", kitty=kitty) * 2)


def press_ctrl_d(session: PtySession, kitty: bool) -> None:
    session.send(ctrl("d", kitty=kitty))


def type_quit(session: PtySession, kitty: bool) -> None:
    session.send(b"/quit")
    session.wait_until(editor_shows("/quit"))
    session.send(b"\r")


def terminate(session: PtySession, kitty: bool) -> None:
    session.signal(signal.SIGTERM)


def hang_up_signal(session: PtySession, kitty: bool) -> None:
    session.signal(signal.SIGHUP)


WAYS_OUT = [
    (press_ctrl_c_twice, 0),
    (press_ctrl_d, 0),
    (type_quit, 0),
    (terminate, 143),
    (hang_up_signal, 129),
]


@pytest.mark.parametrize(
    ("terminal", "leave", "status"),
    [
        *(("silent", *way) for way in WAYS_OUT),
        *(("kitty", *way) for way in WAYS_OUT),
        ("xterm", press_ctrl_d, 0),
    ],
)
def test_every_way_out_gives_the_terminal_back(
    pi: ScreenPi, terminal: str, leave: Callable[[PtySession, bool], None], status: int
) -> None:
    with pi.show(answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        assert session.terminal.alternate_screen
        leave(session, terminal == "kitty")
        assert session.wait_exit() == status
        assert_given_back(session)


def test_ctrl_d_in_a_text_deletes_instead_of_leaving(pi: ScreenPi) -> None:
    with pi.show() as session:
        session.wait_for(READY)
        session.send(b"abc\x01\x04")
        session.wait_until(editor_shows("bc"))
        session.send(b"\x04\x04\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)


def test_one_ctrl_c_clears_the_text_and_stays(pi: ScreenPi) -> None:
    with pi.show(columns=110, rows=35) as session:
        session.wait_for(READY)
        converse(session, ["here"])
        written = [bytes_of_key(session, "nevermind", at) for at in range(len("nevermind"))]
        session.send(b"\x03")
        session.wait_until(editor_shows(""))
        converse(session, ["still here"])
    # The letter, the caret behind it, and what makes a frame of it. The last frame of the answer may come meanwhile.
    assert max(sorted(written)[:-2]) <= 38


def bytes_of_key(session: PtySession, text: str, at: int) -> int:
    """Type one letter of a text, the others are there before; return what the program writes for it."""
    before = len(session.output)
    session.send(text[at].encode())
    session.wait_until(editor_shows(text[: at + 1]))
    return len(session.output) - before


SLOW_GOODBYE = """
    import asyncio, time
    from pathlib import Path

    def setup(pi):
        @pi.on("session_shutdown")
        async def goodbye(event, ctx):
            used = time.process_time()
            await asyncio.sleep(0.5)
            Path(OUT, "goodbye").write_text(f"{event.reason} {time.process_time() - used}")
"""


def test_a_terminal_that_hangs_up_ends_the_program_in_order(pi: ScreenPi) -> None:
    with pi.show("-e", pi.extension(SLOW_GOODBYE)) as session:
        session.wait_for(READY)
        converse(session, ["one"])
        session.hang_up()
        assert session.wait_exit() == 129
    reason, seconds_of_work = (pi.folder / "goodbye").read_text(encoding="utf-8").split()
    assert reason == "quit"
    assert float(seconds_of_work) < 0.25, (
        "the program was busy while nothing could be read or written"
    )
    assert texts(pi.messages("assistant")) == ["one"]


def test_a_second_signal_gives_the_terminal_back_and_lets_extensions_finish(
    pi: ScreenPi,
) -> None:
    with pi.show("-e", pi.extension(SLOW_GOODBYE)) as session:
        session.wait_for(READY)
        session.signal(signal.SIGHUP)
        session.signal(signal.SIGTERM)
        assert session.wait_exit() in (129, 143)
        assert_given_back(session)
    assert (pi.folder / "goodbye").exists()


def test_a_signal_after_the_screen_is_gone_lets_extensions_finish(pi: ScreenPi) -> None:
    extension = pi.extension(
        """
        import asyncio
        from pathlib import Path

        def setup(pi):
            @pi.on("session_shutdown")
            async def goodbye(event, ctx):
                print("saying goodbye")
                while not Path(OUT, "go").exists():
                    await asyncio.sleep(0.01)
                Path(OUT, "goodbye").touch()
        """
    )
    for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        with pi.show("-e", extension) as session:
            session.wait_for(READY)
            session.send(b"\x04")
            session.wait_until(
                lambda terminal: (
                    not terminal.alternate_screen
                    and any("saying goodbye" in line for line in terminal.lines())
                )
            )
            session.signal(number)
            session.signal(number)
            (pi.folder / "go").touch()
            assert session.wait_exit() == status
            assert_given_back(session)
        assert (pi.folder / "goodbye").exists()
        (pi.folder / "goodbye").unlink()
        (pi.folder / "go").unlink()


def test_leaving_before_everything_is_loaded(pi: ScreenPi) -> None:
    for leave, status in ((press_ctrl_d, 0), (terminate, 143)):
        with pi.show() as session:
            session.wait_until(lambda terminal: terminal.alternate_screen)
            leave(session, False)
            assert session.wait_exit() == status
            assert_given_back(session)


@pytest.mark.parametrize(("leave", "status"), [(terminate, 143), (press_ctrl_c_twice, 0)])
def test_leaving_kills_the_children_of_a_running_command(
    pi: ScreenPi, leave: Callable[[PtySession, bool], None], status: int
) -> None:
    pids = pi.folder / "pids"
    command = f"sleep 300 & echo $! >> {pids}; (sleep 300; true) & echo $$ >> {pids}; echo up; wait"
    pi.plays({"toolCalls": [{"name": "bash", "arguments": {"command": command}}]})
    with pi.show(model="demo/script") as session:
        session.wait_for("(demo) script")
        session.send(b"go\r")
        session.wait_until(lambda terminal: any(line == " up" for line in terminal.lines()))
        watched = [os.pidfd_open(int(pid)) for pid in pids.read_text(encoding="utf-8").split()]
        assert len(watched) == 2
        leave(session, False)
        assert session.wait_exit() == status
        assert_given_back(session)
    assert all(has_ended(descriptor) for descriptor in watched)


@pytest.mark.parametrize("terminal", ["silent", "kitty"])
def test_a_crash_names_the_log_file_and_shows_no_traceback(pi: ScreenPi, terminal: str) -> None:
    with crashing(pi, "--strict", answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        session.send(b"typed")
        session.wait_until(editor_shows("typed"))
        session.resize(77, 20)
        assert session.wait_exit() == 1
        assert_given_back(session)
        text = "\n".join(normal_screen(session))
    assert "pi crashed: RuntimeError: nobody can draw this" in text
    assert "Traceback" not in text
    (report,) = pi.agent_dir.glob("logs/crash-*.txt")
    assert str(report) in text.replace("\n", "")
    assert "Traceback (most recent call last)" in report.read_text(encoding="utf-8")


def test_a_row_that_cannot_be_drawn_is_marked_and_the_program_leaves_in_order(
    pi: ScreenPi,
) -> None:
    with crashing(pi) as session:
        session.wait_for(READY)
        session.resize(77, 20)
        session.wait_for("[render error: RuntimeError: nobody can draw this]")
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
        assert any("[render error" in line for line in normal_screen(session))


def crashing(pi: ScreenPi, *arguments: str, answers: Iterable[str] = ()) -> PtySession:
    """Start the program with a row that fails at 77 columns."""
    return PtySession(
        [sys.executable, "-m", "tests.programs.crashing_pi", *arguments],
        columns=100,
        rows=30,
        cwd=ROOT,
        env=pi.full_environ(),
        answers=answers,
    )


# Suspending


@pytest.mark.parametrize("resized", [False, True])
def test_suspending_and_going_on_keeps_text_and_conversation(pi: ScreenPi, resized: bool) -> None:
    with start_shell(pi) as shell:
        before = shell.termios_now()
        shell.send(f"{PI} --model demo/echo\n".encode())
        shell.wait_for(READY)
        converse(shell, ["said before"])
        shell.send(b"half a sentence")
        shell.wait_until(editor_shows("half a sentence"))
        screen = shell.lines()
        shell.send(b"\x1a")
        shell.wait_for("Stopped")
        shell.wait_until(is_at_prompt)
        assert shell.termios_now() == before
        assert not shell.terminal.alternate_screen
        assert not shell.terminal.kitty_flags
        if resized:
            shell.resize(60, 15)
        shell.send(b"clear; fg\n")
        shell.wait_until(editor_shows("half a sentence"))
        if resized:
            assert sum(line.strip() == "said before" for line in shell.lines()) == 2
            assert shell.lines()[-1].endswith(READY)
        else:
            shell.wait_until(lambda terminal: terminal.lines() == screen)
        shell.send(b" and the rest")
        shell.wait_until(editor_shows("half a sentence and the rest"))
        shell.send(b"\x15\x04")
        shell.wait_for("Go on with")
        shell.wait_until(is_at_prompt)
        assert shell.termios_now() == before


def test_a_question_can_be_suspended_and_gone_on_with(pi: ScreenPi) -> None:
    extension = pi.extension(
        """
        def setup(pi):
            @pi.command("ask")
            async def ask(args, ctx):
                ctx.ui.notify(f"answer {await ctx.ui.confirm('Delete it all?', '')}")
        """
    )
    with start_shell(pi) as shell:
        shell.send(f"{PI} --model demo/echo -e {extension}\n".encode())
        shell.wait_for(READY)
        shell.send(b"/ask \r")
        shell.wait_for("Delete it all?")
        shell.send(b"\x1a")
        shell.wait_for("Stopped")
        shell.wait_until(is_at_prompt)
        shell.send(b"clear; fg\n")
        shell.wait_for("Delete it all?")
        shell.send(b"\x1b[A\x1b[A\r")
        shell.wait_for("answer True")
        shell.send(b"\x04")
        shell.wait_until(is_at_prompt)


# Starting


@pytest.mark.parametrize("terminal", TERMINALS)
def test_answers_of_the_terminal_type_nothing(pi: ScreenPi, terminal: str) -> None:
    with pi.show(answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        session.wait_until(editor_shows(""))
        converse(session, ["hello"])
        session.send(b"x")
        session.wait_until(editor_shows("x"))
    assert texts(pi.messages("user")) == ["hello"]


def test_what_is_typed_before_the_start_stands_in_the_editor(pi: ScreenPi) -> None:
    # The first line goes to `read`, whatever follows it waits in the terminal for pi.
    waiting = f"read -r _; exec {PI} --model demo/echo"
    with PtySession(
        ["/bin/sh", "-c", waiting],
        columns=100,
        rows=30,
        cwd=pi.project,
        env=pi.full_environ(),
    ) as session:
        session.send(b"\ntyped early")
        session.wait_until(editor_shows("typed early"))
        session.wait_for(READY)
        assert editor_rows(session.terminal) == ["typed early"]


def background_of(session: PtySession, text: str) -> list[int]:
    """Return red, green and blue of the background behind a text on the screen."""
    with session.lock:
        row = next(y for y, line in enumerate(session.lines()) if text in line)
        color = session.terminal.cell(1, row).style.bg
    return [int(color[index : index + 2], 16) for index in (1, 3, 5)]


@pytest.mark.parametrize(
    ("reported", "is_light"), [("rgb:ffff/ffff/ffff", True), ("rgb:1010/1010/1010", False)]
)
def test_the_theme_fits_the_background_of_the_terminal(
    pi: ScreenPi, reported: str, is_light: bool
) -> None:
    answers = {"da1": "?62;22", "osc11": reported}
    pi.environ["COLORTERM"] = "truecolor"
    with pi.show(answers=answers) as session:
        session.wait_for(READY)
        converse(session, ["hello"])
        assert (min(background_of(session, "hello")) > 127) == is_light


def test_a_slow_extension_can_be_skipped_at_the_start(pi: ScreenPi) -> None:
    extension = pi.extension(
        """
        import asyncio
        from pathlib import Path

        def setup(pi):
            @pi.on("session_start")
            async def never(event, ctx):
                await asyncio.Event().wait()

            @pi.on("session_shutdown")
            def goodbye(event, ctx):
                Path(OUT, "goodbye").touch()
        """
    )
    with pi.show("-e", extension) as session:
        session.wait_for("waiting for probe: session_start")
        session.send(b"hello\r")
        session.wait_for("Still starting")
        session.wait_until(editor_shows(""))
        session.send(b"\x1b")
        session.wait_until(
            lambda terminal: sum(row.strip() == "hello" for row in terminal.lines()) == 2
        )
    with pi.show("-e", extension) as session:
        session.wait_for(READY)
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert (pi.folder / "goodbye").exists()


# A conversation on the screen


def test_a_large_paste_is_one_marker_and_is_sent_whole(pi: ScreenPi) -> None:
    line = "0123456789abcdef" * 4 + "\n"
    text = (line * 16384)[: 1 << 20].rstrip("\n")
    typed = b"\x1b[200~" + text.encode() + b"\x1b[201~"
    pi.plays({"text": "That was a lot."})
    with pi.show(model="demo/script") as session:
        session.wait_for("(demo) script")
        for begin in range(0, len(typed), 4096):
            session.send(typed[begin : begin + 4096])
        session.wait_until(lambda terminal: "[paste #1" in "".join(editor_rows(terminal)))
        assert len(editor_rows(session.terminal)) == 1
        session.send(b"\r")
        session.wait_for("That was a lot.")
        session.send(b"\x04")
        assert session.wait_exit() == 0
    assert texts(pi.messages("user")) == [text]


def test_resizing_keeps_the_end_in_view_and_leaves_nothing_behind(pi: ScreenPi) -> None:
    sizes = ((40, 15), (20, 10), (100, 30))
    screens = []
    with pi.show() as session:
        session.wait_for(READY)
        converse(session, [f"number {number}" for number in range(8)])
        whole = session.lines()
        for columns, rows in sizes:
            session.resize(columns, rows)
            session.wait_until(lambda terminal: terminal.lines()[-1].endswith("echo"))
            screens.append(session.lines())
            assert "number 7" in [line.strip() for line in screens[-1]]
        assert screens[-1] == whole
        session.send(b"\x04")
        assert session.wait_exit() == 0
    for (columns, rows), screen in zip(sizes, screens, strict=True):
        with pi.show("-c", columns=columns, rows=rows) as fresh:
            fresh.wait_until(
                lambda terminal, screen=screen: terminal.lines() == screen,  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                what="\n".join(["the screen of the run that was resized:", *screen]),
            )


@pytest.mark.parametrize("mode", ["fullscreen", "regular"])
def test_it_lives_where_there_is_no_room(pi: ScreenPi, mode: str) -> None:
    with pi.show("--tui-mode", mode) as session:
        session.wait_for(READY)
        session.send(b"draft")
        for columns, rows in ((1, 1), (2, 1), (5, 3), (80, 24)):
            drawn = session.terminal.frames
            session.resize(columns, rows)
            session.wait_until(lambda terminal, drawn=drawn: terminal.frames > drawn)  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        session.wait_for(READY)
        session.wait_until(editor_shows("draft"))
        session.send(b"\x03\x03")
        assert session.wait_exit() == 0
        assert ModeLedger(session.output).left_on == set()


def test_the_keys_that_scroll(pi: ScreenPi) -> None:
    page_up, page_down, home, end = b"\x1b[5~", b"\x1b[6~", b"\x1b[1;5H", b"\x1b[1;5F"
    texts = [f"number {number}" for number in range(12)]
    with pi.show(rows=20) as session:
        session.wait_for(READY)
        converse(session, texts)

        def rows() -> list[str]:
            """Return the rows without the last column, where the scrollbar comes and goes."""
            return [line[: session.terminal.columns - 1].rstrip() for line in session.lines()]

        last = rows()
        session.send(home)
        session.wait_for("pi 0.")
        session.wait_until(lambda terminal: "number 11" not in "\n".join(terminal.lines()))
        first = rows()
        session.send(page_down)
        session.wait_until(lambda terminal: rows() != first)
        session.send(page_up)
        session.wait_until(lambda terminal: rows() == first)
        session.send(end)
        session.wait_until(lambda terminal: rows() == last)
        session.send(page_up)
        session.wait_until(lambda terminal: "number 11" not in "\n".join(terminal.lines()))
        session.send(b"typed while scrolled")
        session.wait_until(editor_shows("typed while scrolled"))
        session.send(page_down * 2)
        session.wait_until(lambda terminal: "number 11" in "\n".join(terminal.lines()))


def test_the_conversation_stays_on_the_normal_screen_and_can_be_gone_on_with(
    pi: ScreenPi,
) -> None:
    texts = [f"number {number}" for number in range(20)]
    with pi.show(rows=20) as session:
        session.wait_for(READY)
        converse(session, texts)
        session.send(b"\x04")
        assert session.wait_exit() == 0
        lines = [line.strip() for line in normal_screen(session)]
    assert [line for line in lines if line.startswith("number")] == [
        text for text in texts for _ in range(2)
    ]
    command = next(line for line in lines if line.startswith("Go on with: pi "))
    assert lines[lines.index(command) + 1 :] == [""] * len(lines[lines.index(command) + 1 :])
    resuming = command.removeprefix("Go on with: pi ").split()
    for arguments in (resuming, ["-c"]):
        with pi.show(*arguments, rows=20) as session:
            session.wait_for("number 19")
            session.wait_for(READY)
            session.send(b"\x1b[1;5H")
            session.wait_for("number 0")
            session.send(b"\x1b[A")
            session.wait_until(editor_shows("number 19"))


def test_nothing_an_extension_prints_reaches_the_screen_by_itself(pi: ScreenPi) -> None:
    extension = pi.extension(
        """
        import asyncio, logging, sys, threading, warnings

        def setup(pi):
            print("printed at import")

            @pi.on("session_start")
            async def noisy(event, ctx):
                logging.getLogger().addHandler(logging.StreamHandler())
                print("printed at the start")
                print("\\x1b[2J\\x1b[31mwith control sequences", file=sys.stderr)
                logging.getLogger("probe").warning("logged by the extension")
                warnings.warn("warned by the extension")
                await asyncio.to_thread(print, "printed by a thread")

            @pi.command("fail", description="Fail in a thread")
            async def fail(args, ctx):
                def broken():
                    raise RuntimeError("lost in a thread")
                threading.Thread(target=broken).start()
        """
    )
    with pi.show("-e", extension) as session:
        for text in (
            "printed at import",
            "printed at the start",
            "with control sequences",
            "logged by the extension",
            "printed by a thread",
        ):
            session.wait_for(text)
        converse(session, ["hello"])
        session.send(b"/fail ")
        session.wait_until(editor_shows("/fail"))
        session.send(b"\r")
        session.wait_for("RuntimeError: lost in a thread")
        converse(session, ["bye"])
        shown = session.lines()
        session.resize(99, 30)
        session.resize(100, 30)
        frames = session.terminal.frames
        session.wait_until(lambda terminal: terminal.frames > frames)
        session.wait_until(lambda terminal: terminal.lines() == shown, what="the same screen anew")
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
    assert b"\x1b[2J\x1b[31mwith" not in session.output
    log = (pi.agent_dir / "logs" / "pi.log").read_text(encoding="utf-8")
    assert "warned by the extension" in log
    assert log.count("printed by a thread") == 1


def test_what_children_and_libraries_print_is_shown_and_disturbs_nothing(pi: ScreenPi) -> None:
    extension = pi.extension(
        """
        import os, subprocess, sys, threading

        def setup(pi):
            @pi.command("noise")
            def noise(args):
                os.write(1, b"\\x1b[2Jfrom far below\\n")
                subprocess.run(["sh", "-c", "echo from a child; echo and its errors >&2"])
                sys.stdout.buffer.write(b"from the buffer\\n")
                sys.stdout.flush()
                print(os.isatty(1), sys.stderr.fileno())

            @pi.command("flood")
            def flood(args):
                subprocess.run(["seq", "1", "40000"])

            @pi.command("thread")
            def thread(args):
                def broken():
                    raise RuntimeError("lost in a thread")
                threading.Thread(target=broken, name="worker").start()

            @pi.on("session_shutdown")
            def goodbye(event, ctx):
                print("printed at the end")
                subprocess.run(["echo", "and by a child"])
        """
    )
    with pi.show("-e", extension) as session:
        session.wait_for(READY)
        session.send(b"/noise \r")
        session.wait_until(
            shows(
                "from far below",
                "from a child",
                "and its errors",
                "from the buffer",
                "False 2",
            )
        )
        session.send(b"/thread \r")
        session.wait_for("Error in the thread worker: RuntimeError: lost in a thread")
        session.send(b"/flood \r")
        session.wait_until(lambda terminal: any(row.strip() == "40000" for row in terminal.lines()))
        assert b"\x1b[2Jfrom" not in session.output
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
        lines = [line.strip() for line in normal_screen(session)]
        said = [line for line in lines if line in ("printed at the end", "and by a child")]
        assert said == ["printed at the end", "and by a child"], lines


def test_the_mouse_over_a_real_terminal(pi: ScreenPi) -> None:
    """Reports as a terminal sends them: the wheel, a drag, and what is copied comes back as OSC 52."""
    with pi.show(rows=20) as session:
        session.wait_for(READY)
        assert {1000, 1002, 1003, 1006} <= session.terminal.modes
        converse(session, [f"number {number}" for number in range(12)])
        session.send(b"\x1b[<64;5;5M")
        session.wait_for("Ctrl+End")
        row = next(y for y, line in enumerate(session.lines()) if line.startswith(" number"))
        wanted = session.lines()[row].strip(" │┃")
        at = row + 1
        session.send(f"\x1b[<0;2;{at}M\x1b[<32;60;{at}M\x1b[<0;60;{at}m".encode())
        session.wait_until(lambda terminal: terminal.clipboard == wanted)
        session.wait_for("Copied!")
        session.send(b"\x1bm")
        session.wait_until(lambda terminal: not {1000, 1002, 1003, 1006} & terminal.modes)
        session.send(b"\x1bm")
        session.wait_until(lambda terminal: 1006 in terminal.modes)
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
