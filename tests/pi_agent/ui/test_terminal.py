"""`pi` on a real terminal: it starts whatever the terminal answers, and every way out gives it back as it was."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from pi_tui.emulator import GridTerminal
from tests.pty_session import PtySession

ROOT = Path(__file__).resolve().parents[3]
PI = Path(sys.executable).with_name("pi")
READY = "(demo) echo"
RULE = "─" * 10

# What terminals answer: nothing; colours and attributes; the kitty keyboard protocol too.
TERMINALS: Mapping[str, tuple[str, ...]] = {
    "silent": (),
    "xterm": ("da1", "osc10", "osc11"),
    "kitty": ("da1", "osc10", "osc11", "kitty"),
}


class Folders:
    """A folder to work in and one for settings, sessions and logs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.work = root / "work"
        self.agent = root / "agent"
        self.work.mkdir()
        self.agent.mkdir()

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return what a run is told about them."""
        return {"PI_CODING_AGENT_DIR": str(self.agent), **(extra or {})}

    def extension(self, code: str) -> str:
        """Write an extension and return its path; `OUT` in its code is a folder for what it notes."""
        path = self.root / "probe.py"
        path.write_text(f"OUT = {str(self.root)!r}\n" + textwrap.dedent(code), encoding="utf-8")
        return str(path)

    def script(self, *steps: Mapping[str, object]) -> dict[str, str]:
        """Write what the scripted model answers; returns the environment that names it."""
        path = self.root / "script.jsonl"
        path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
        return {"PI_DEMO_SCRIPT": str(path)}

    def messages(self, role: str) -> list[str]:
        """Return the texts of a role in the newest session file."""
        newest = max(self.agent.glob("sessions/*/*.jsonl"), key=lambda path: path.stat().st_mtime)
        entries = [json.loads(line) for line in newest.read_text(encoding="utf-8").splitlines()]
        messages = [entry["message"] for entry in entries if entry["type"] == "message"]
        return [
            "".join(block.get("text", "") for block in message["content"])
            for message in messages
            if message["role"] == role
        ]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """Return fresh folders."""
    return Folders(tmp_path)


def start(
    folders: Folders,
    *arguments: str,
    model: str = "demo/echo",
    columns: int = 100,
    rows: int = 30,
    env: Mapping[str, str] | None = None,
    answers: Iterable[str] | Mapping[str, str] = (),
) -> PtySession:
    """Start `pi` on a terminal."""
    return PtySession(
        [PI, "--model", model, *arguments],
        columns=columns,
        rows=rows,
        cwd=folders.work,
        env=folders.environment(env),
        answers=answers,
    )


def start_shell(folders: Folders, *, columns: int = 100, rows: int = 30) -> PtySession:
    """Start an interactive bash that waits for a command."""
    shell = PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=columns,
        rows=rows,
        cwd=folders.work,
        env=folders.environment({"PS1": "sh> "}),
    )
    shell.wait_until(is_at_prompt)
    return shell


def is_at_prompt(terminal: GridTerminal) -> bool:
    """Whether the shell waits for a command."""
    return terminal.lines()[terminal.cursor[1]].strip() == "sh>"


def editor_rows(terminal: GridTerminal) -> list[str]:
    """Return what stands between the two rules of the editor."""
    lines = terminal.lines()
    rules = [row for row, line in enumerate(lines) if line.startswith(RULE)]
    return lines[rules[-2] + 1 : rules[-1]] if len(rules) > 1 else []


def editor_shows(*rows: str) -> Callable[[GridTerminal], bool]:
    """Return a condition: the editor shows these rows and no others."""
    return lambda terminal: [row.rstrip() for row in editor_rows(terminal)] == list(rows)


def converse(session: PtySession, texts: Iterable[str]) -> None:
    """Say each text and wait until the echo is there and nothing runs any more."""
    for text in texts:
        session.send(text.encode() + b"\r")
        session.wait_until(
            lambda terminal, text=text: (  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                sum(line.strip() == text for line in terminal.lines()) == 2
                and not any("Working" in line for line in terminal.lines())
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


@pytest.mark.parametrize("terminal", TERMINALS)
@pytest.mark.parametrize(
    ("leave", "status"),
    [
        (press_ctrl_c_twice, 0),
        (press_ctrl_d, 0),
        (type_quit, 0),
        (terminate, 143),
        (hang_up_signal, 129),
    ],
)
def test_every_way_out_gives_the_terminal_back(
    folders: Folders, terminal: str, leave: Callable[[PtySession, bool], None], status: int
) -> None:
    with start(folders, answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        assert session.terminal.alternate_screen
        leave(session, terminal == "kitty")
        assert session.wait_exit() == status
        assert_given_back(session)


def test_ctrl_d_in_a_text_deletes_instead_of_leaving(folders: Folders) -> None:
    with start(folders) as session:
        session.wait_for(READY)
        session.send(b"abc\x01\x04")
        session.wait_until(editor_shows("bc"))
        session.send(b"\x04\x04\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)


def test_one_ctrl_c_clears_the_text_and_stays(folders: Folders) -> None:
    with start(folders) as session:
        session.wait_for(READY)
        session.send(b"never mind")
        session.wait_until(editor_shows("never mind"))
        session.send(b"\x03")
        session.wait_until(editor_shows(""))
        converse(session, ["still here"])


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


def test_a_terminal_that_hangs_up_ends_the_program_in_order(folders: Folders) -> None:
    with start(folders, "-e", folders.extension(SLOW_GOODBYE)) as session:
        session.wait_for(READY)
        converse(session, ["one"])
        session.hang_up()
        assert session.wait_exit() == 129
    reason, seconds_of_work = (folders.root / "goodbye").read_text(encoding="utf-8").split()
    assert reason == "quit"
    assert float(seconds_of_work) < 0.25, (
        "the program was busy while nothing could be read or written"
    )
    assert folders.messages("assistant") == ["one"]


def test_a_second_signal_gives_the_terminal_back_and_lets_extensions_finish(
    folders: Folders,
) -> None:
    with start(folders, "-e", folders.extension(SLOW_GOODBYE)) as session:
        session.wait_for(READY)
        session.signal(signal.SIGHUP)
        session.signal(signal.SIGTERM)
        assert session.wait_exit() in (129, 143)
        assert_given_back(session)
    assert (folders.root / "goodbye").exists()


def test_a_signal_kills_the_children_of_a_running_command(folders: Folders) -> None:
    pids = folders.root / "pids"
    command = f"sleep 300 & echo $! >> {pids}; (sleep 300; true) & echo $$ >> {pids}; echo up; wait"
    env = folders.script({"toolCalls": [{"name": "bash", "arguments": {"command": command}}]})
    with start(folders, model="demo/script", env=env) as session:
        session.wait_for("(demo) script")
        session.send(b"go\r")
        session.wait_until(lambda terminal: any(line == " up" for line in terminal.lines()))
        watched = [os.pidfd_open(int(pid)) for pid in pids.read_text(encoding="utf-8").split()]
        assert len(watched) == 2
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 143
        assert_given_back(session)
    assert all(has_ended(descriptor) for descriptor in watched)


def has_ended(pidfd: int) -> bool:
    """Whether the process of a descriptor ends within some seconds."""
    readable, _, _ = select.select([pidfd], [], [], 5)
    os.close(pidfd)
    return bool(readable)


@pytest.mark.parametrize("terminal", ["silent", "kitty"])
def test_a_crash_names_the_log_file_and_shows_no_traceback(folders: Folders, terminal: str) -> None:
    with crashing(folders, "--strict", answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        session.send(b"typed")
        session.wait_until(editor_shows("typed"))
        session.resize(77, 20)
        assert session.wait_exit() == 1
        assert_given_back(session)
        text = "\n".join(normal_screen(session))
    assert "pi crashed: RuntimeError: nobody can draw this" in text
    assert "Traceback" not in text
    (report,) = folders.agent.glob("logs/crash-*.txt")
    assert str(report) in text.replace("\n", "")
    assert "Traceback (most recent call last)" in report.read_text(encoding="utf-8")


def test_a_row_that_cannot_be_drawn_is_marked_and_the_program_leaves_in_order(
    folders: Folders,
) -> None:
    with crashing(folders) as session:
        session.wait_for(READY)
        session.resize(77, 20)
        session.wait_for("[render error: RuntimeError: nobody can draw this]")
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
        assert any("[render error" in line for line in normal_screen(session))


def crashing(folders: Folders, *arguments: str, answers: Iterable[str] = ()) -> PtySession:
    """Start the program with a row that fails at 77 columns."""
    return PtySession(
        [sys.executable, "-m", "tests.programs.crashing_pi", *arguments],
        columns=100,
        rows=30,
        cwd=ROOT,
        env=folders.environment(),
        answers=answers,
    )


# Suspending


@pytest.mark.parametrize("resized", [False, True])
def test_suspending_and_going_on_keeps_text_and_conversation(
    folders: Folders, resized: bool
) -> None:
    with start_shell(folders) as shell:
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


# Starting


@pytest.mark.parametrize("terminal", TERMINALS)
def test_answers_of_the_terminal_type_nothing(folders: Folders, terminal: str) -> None:
    with start(folders, answers=TERMINALS[terminal]) as session:
        session.wait_for(READY)
        session.wait_until(editor_shows(""))
        converse(session, ["hello"])
        session.send(b"x")
        session.wait_until(editor_shows("x"))
    assert folders.messages("user") == ["hello"]


def test_what_is_typed_before_the_start_stands_in_the_editor(folders: Folders) -> None:
    # The first line goes to `read`, whatever follows it waits in the terminal for pi.
    waiting = f"read -r _; exec {PI} --model demo/echo"
    with PtySession(
        ["/bin/sh", "-c", waiting],
        columns=100,
        rows=30,
        cwd=folders.work,
        env=folders.environment(),
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
    folders: Folders, reported: str, is_light: bool
) -> None:
    answers = {"da1": "?62;22", "osc11": reported}
    with start(folders, answers=answers, env={"COLORTERM": "truecolor"}) as session:
        session.wait_for(READY)
        converse(session, ["hello"])
        assert (min(background_of(session, "hello")) > 127) == is_light


def test_a_slow_extension_can_be_skipped_at_the_start(folders: Folders) -> None:
    extension = folders.extension(
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
    with start(folders, "-e", extension) as session:
        session.wait_for("waiting for probe: session_start")
        session.send(b"hello\r")
        session.wait_for("Still starting")
        session.wait_until(editor_shows("hello"))
        session.send(b"\x1b")
        session.wait_until(
            lambda terminal: not any("waiting for" in row for row in terminal.lines())
        )
        session.send(b"\r")
        session.wait_until(
            lambda terminal: sum(row.strip() == "hello" for row in terminal.lines()) == 2
        )
    with start(folders, "-e", extension) as session:
        session.wait_for(READY)
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert (folders.root / "goodbye").exists()


# A conversation on the screen


def test_a_large_paste_is_one_marker_and_is_sent_whole(folders: Folders) -> None:
    line = "0123456789abcdef" * 4 + "\n"
    text = (line * 16384)[: 1 << 20].rstrip("\n")
    typed = b"\x1b[200~" + text.encode() + b"\x1b[201~"
    env = folders.script({"text": "That was a lot."})
    with start(folders, model="demo/script", env=env) as session:
        session.wait_for("(demo) script")
        for begin in range(0, len(typed), 4096):
            session.send(typed[begin : begin + 4096])
        session.wait_until(lambda terminal: "[paste #1" in "".join(editor_rows(terminal)))
        assert len(editor_rows(session.terminal)) == 1
        session.send(b"\r")
        session.wait_for("That was a lot.")
        session.send(b"\x04")
        assert session.wait_exit() == 0
    assert folders.messages("user") == [text]


def test_resizing_keeps_the_end_in_view_and_leaves_nothing_behind(folders: Folders) -> None:
    sizes = ((40, 15), (20, 10), (100, 30))
    screens = []
    with start(folders) as session:
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
        with start(folders, "-c", columns=columns, rows=rows) as fresh:
            fresh.wait_until(
                lambda terminal, screen=screen: terminal.lines() == screen,  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                what="\n".join(["the screen of the run that was resized:", *screen]),
            )


def test_the_keys_that_scroll(folders: Folders) -> None:
    page_up, page_down, home, end = b"\x1b[5~", b"\x1b[6~", b"\x1b[1;5H", b"\x1b[1;5F"
    texts = [f"number {number}" for number in range(12)]
    with start(folders, rows=20) as session:
        session.wait_for(READY)
        converse(session, texts)
        last = session.lines()
        session.send(home)
        session.wait_for("pi 0.")
        first = session.lines()
        assert "number 11" not in "\n".join(first)
        session.send(page_down)
        session.wait_until(lambda terminal: terminal.lines() != first)
        session.send(page_up)
        session.wait_until(lambda terminal: terminal.lines() == first)
        session.send(end)
        session.wait_until(lambda terminal: terminal.lines() == last)
        session.send(page_up)
        session.wait_until(lambda terminal: "number 11" not in "\n".join(terminal.lines()))
        session.send(b"typed while scrolled")
        session.wait_until(editor_shows("typed while scrolled"))
        session.send(page_down * 2)
        session.wait_until(lambda terminal: "number 11" in "\n".join(terminal.lines()))


def test_the_conversation_stays_on_the_normal_screen_and_can_be_gone_on_with(
    folders: Folders,
) -> None:
    texts = [f"number {number}" for number in range(20)]
    with start(folders, rows=20) as session:
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
        with start(folders, *arguments, rows=20) as session:
            session.wait_for("number 19")
            session.wait_for(READY)
            session.send(b"\x1b[1;5H")
            session.wait_for("number 0")
            session.send(b"\x1b[A")
            session.wait_until(editor_shows("number 19"))


def test_nothing_an_extension_prints_reaches_the_screen_by_itself(folders: Folders) -> None:
    extension = folders.extension(
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
    with start(folders, "-e", extension) as session:
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
    log = (folders.agent / "logs" / "pi.log").read_text(encoding="utf-8")
    assert "warned by the extension" in log
    assert log.count("printed by a thread") == 1
