"""The real terminal on a pseudo-terminal of the test's own: failed starts, slow readers, high descriptors."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import select
import signal
import termios
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO

import pytest

from pi_tui.emulator import GridTerminal
from pi_tui.frame import Frame
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.terminal import ProcessTerminal

pytestmark = pytest.mark.anyio

COLUMNS, ROWS = 80, 24
LEAVE = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?1049l"


@contextmanager
def pseudo_terminal() -> Iterator[tuple[int, TextIO]]:
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (ROWS, COLUMNS))
    with open(slave) as file:
        try:
            yield master, file
        finally:
            os.close(master)


@contextmanager
def descriptors(limit: int) -> Iterator[None]:
    """Let the process have descriptors below `limit` only."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def start(terminal: ProcessTerminal) -> None:
    terminal.start(lambda data: None, lambda: None, lambda: None, lambda: None)


def fill(terminal: ProcessTerminal) -> None:
    """Draw until the other side takes no more: the last frame is cut."""
    number = 0
    while not terminal.is_busy:
        number += 1
        row = b"\x1b[38;2;1;2;3m" + bytes([65 + number % 26]) * COLUMNS + b"\x1b[0m"
        terminal.draw(Frame([row] * ROWS, COLUMNS), False)


def read_until(descriptor: int, end: bytes, taken: bytearray) -> None:
    """Be the other side of the terminal."""
    while end not in taken:
        taken.extend(os.read(descriptor, 65536))


async def test_a_terminal_that_stalls_at_the_end_still_gets_the_way_back() -> None:
    with pseudo_terminal() as (master, file):
        before = termios.tcgetattr(master)
        terminal = ProcessTerminal(file, file, {})
        start(terminal)
        terminal.write("\x1b[?1049h\x1b[?7l")
        fill(terminal)
        taken = bytearray()

        def read_late() -> None:
            time.sleep(0.8)  # this terminal is a slow one
            read_until(master, b"good bye", taken)

        reader = threading.Thread(target=read_late, daemon=True)
        reader.start()
        terminal.stop(LEAVE, "good bye\r\n")
        await asyncio.to_thread(reader.join, 8)
        grid = GridTerminal(COLUMNS, ROWS)
        grid.write(bytes(taken))
        assert not grid.alternate_screen
        assert 7 in grid.modes
        assert grid.lines()[0] == "good bye"
        assert bytes(taken).count(b"\x18") == 1  # the rest of the frame was not worth waiting for
        assert termios.tcgetattr(master) == before


async def test_what_is_no_frame_is_written_whole_at_the_end() -> None:
    with pseudo_terminal() as (master, file):
        terminal = ProcessTerminal(file, file, {})
        start(terminal)
        fill(terminal)
        terminal.write("\x1b[>4;0m")
        taken = bytearray()

        reader = threading.Thread(
            target=read_until, args=(master, b"good bye\r\r\n", taken), daemon=True
        )
        reader.start()
        terminal.stop(LEAVE, "good bye\r\n")
        await asyncio.to_thread(reader.join, 8)
        assert bytes(taken).endswith(b"\x18\x1b[>4;0m" + LEAVE.encode() + b"good bye\r\r\n")


async def test_a_start_that_fails_leaves_the_terminal_as_it_was() -> None:
    with pseudo_terminal() as (master, file):
        before = termios.tcgetattr(master)
        terminal = ProcessTerminal(file, file, {})
        tui = TuiAltScreen(terminal, environ={})
        free = os.dup(master)
        os.close(free)
        with descriptors(free), pytest.raises(OSError):
            tui.start()
        assert not tui.is_started
        assert termios.tcgetattr(master) == before
        tui.stop()
        tui.start()
        assert termios.tcgetattr(master) != before
        tui.stop()
        assert termios.tcgetattr(master) == before


def test_a_program_may_run_on_any_thread() -> None:
    async def run(file: TextIO) -> None:
        tui = TuiAltScreen(ProcessTerminal(file, file, {}), environ={})
        tui.start()
        tui.render_now()
        tui.suspend()  # belongs to the main thread, so this does nothing
        assert tui.is_started
        tui.stop()

    with pseudo_terminal() as (master, file), ThreadPoolExecutor(1) as threads:
        before = termios.tcgetattr(master)
        threads.submit(asyncio.run, run(file)).result(10)
        assert termios.tcgetattr(master) == before


async def test_descriptors_may_be_high() -> None:
    high = 1500
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] <= high + 100:
        pytest.skip("the system allows no descriptor above 1023")
    with pseudo_terminal() as (master, slave), descriptors(high + 100):
        os.dup2(slave.fileno(), high)
        # Fills what is below, so that the terminal's own are high too.
        spare = [os.dup(master) for _ in range(high - 100)]
        try:
            with os.fdopen(high) as file:
                os.write(master, b"typed\n")
                arrived = select.poll()
                arrived.register(high, select.POLLIN)
                assert arrived.poll(5000)
                typed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
                terminal = ProcessTerminal(file, file, {})
                terminal.start(typed.set_result, lambda: None, lambda: None, lambda: None)
                async with asyncio.timeout(5):
                    assert await typed == b"typed\r"
                terminal.stop(LEAVE)
                read_until(master, LEAVE.encode(), bytearray())
        finally:
            for descriptor in spare:
                os.close(descriptor)


async def test_handlers_of_signals_are_put_back() -> None:
    def own(number: int, frame: FrameType | None) -> None:
        pass

    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGWINCH)
    before = {number: signal.signal(number, own) for number in numbers}
    try:
        with pseudo_terminal() as (_, file):
            tui = TuiAltScreen(ProcessTerminal(file, file, {}), environ={})
            tui.start()
            assert all(signal.getsignal(number) is not own for number in numbers)
            tui.stop()
            assert all(signal.getsignal(number) is own for number in numbers)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def test_a_program_may_do_something_else_when_it_is_stopped_from_outside() -> None:
    with pseudo_terminal() as (_, file):
        tui = TuiAltScreen(ProcessTerminal(file, file, {}), environ={})
        told = asyncio.Event()
        tui.set_suspend_signal_handler(told.set)
        tui.start()
        os.kill(os.getpid(), signal.SIGTSTP)
        async with asyncio.timeout(5):
            await told.wait()
        assert tui.is_started
        tui.stop()


async def test_nothing_stays_behind_what_the_terminal_thinks_narrower_than_we_do() -> None:
    coloured = b"\x1b[48;2;9;9;9m" + b"x" * COLUMNS + b"\x1b[0m"
    keycap = "1\ufe0f\u20e3".encode()  # two cells for us
    wide = keycap + b" row" + b" " * (COLUMNS - 6) + b"\x1b[0m"
    with pseudo_terminal() as (master, file):
        terminal = ProcessTerminal(file, file, {})
        start(terminal)
        terminal.draw(Frame([coloured] * ROWS, COLUMNS), False)
        terminal.draw(Frame([wide, *[coloured] * (ROWS - 1)], COLUMNS), False)
        taken = bytearray()
        reader = threading.Thread(target=read_until, args=(master, b"good bye", taken), daemon=True)
        reader.start()
        terminal.stop("good bye")
        await asyncio.to_thread(reader.join, 8)
    grid = GridTerminal(COLUMNS, ROWS)
    grid.write(bytes(taken).replace(keycap, b"1").replace(b"good bye", b""))
    assert grid.lines()[0] == "1 row"
    assert grid.cell(COLUMNS - 1, 0).style == grid.cell(COLUMNS - 2, 0).style
    assert grid.cell(COLUMNS - 1, 1).style != grid.cell(COLUMNS - 1, 0).style


async def test_the_write_log_may_be_a_folder(tmp_path: Path) -> None:
    with pseudo_terminal() as (_, file):
        terminal = ProcessTerminal(file, file, {"PI_TUI_WRITE_LOG": str(tmp_path)})
        start(terminal)
        terminal.write("日本\x1b[0m")
        terminal.stop("leave", "farewell")
    (log,) = tmp_path.iterdir()
    assert re.fullmatch(rf"tui-\d{{4}}-\d\d-\d\d_\d\d-\d\d-\d\d-{os.getpid()}\.log", log.name)
    assert log.read_text("utf-8") == "日本\x1b[0mleavefarewell"


async def test_a_write_log_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    with pseudo_terminal() as (master, file):
        terminal = ProcessTerminal(file, file, {"PI_TUI_WRITE_LOG": str(tmp_path / "no" / "log")})
        start(terminal)
        terminal.write("x")
        terminal.stop("leave")
        assert os.read(master, 100) == b"xleave"
