"""What goes wrong with components is written down where one can read it, never over the screen."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pi_tui.crash_log import CRASH_LOG_NAME, CrashLog
from pi_tui.testing import HeadlessTerminal
from tests.pi_tui.places import MODES
from tests.pi_tui.test_contract import Bad

pytestmark = pytest.mark.anyio


@contextmanager
def no_logging_of_its_own() -> Iterator[None]:
    """Be a program that has set up no logging; the test runner has."""
    root = logging.getLogger()
    before, root.handlers = root.handlers, []
    try:
        yield
    finally:
        root.handlers = before


@pytest.mark.parametrize("mode", MODES)
async def test_failures_are_written_to_a_file_of_the_programs_choice(
    mode: str, tmp_path: Path
) -> None:
    tui = MODES[mode](HeadlessTerminal(20, 5), environ={}, log_directory=tmp_path)
    tui.add_child(Bad(lambda width, times: ["X" * 24]))
    tui.add_child(Bad(lambda width, times: None))
    file = tmp_path / CRASH_LOG_NAME
    tui.start()
    assert not file.exists()
    for _ in range(3):
        tui.render_now(force=True)
    tui.stop()
    text = file.read_text()
    assert (
        text.count("Bad returned a line of 24 cells where 20 fit (line 1)") == 2
    )  # and its traceback
    assert "render() returned NoneType" in text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    logging.getLogger("pi.tui").error("after the end")
    assert "after the end" not in file.read_text()


async def test_nothing_is_printed_over_the_screen_of_a_program_that_logs_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tui = MODES["regular"](HeadlessTerminal(20, 5), environ={})
    tui.add_child(Bad(lambda width, times: None))
    with no_logging_of_its_own():
        tui.start()
        tui.render_now()
        logging.getLogger("asyncio").error("a callback failed")
        tui.stop()
        assert logging.getLogger().handlers == []
    assert capfd.readouterr().err == ""
    text = (tmp_path / CRASH_LOG_NAME).read_text()
    assert "render() returned NoneType" in text
    assert "a callback failed" in text


def test_a_file_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    record = logging.LogRecord("pi.tui", logging.ERROR, "", 0, "lost", (), None)
    CrashLog(tmp_path / "missing").emit(record)
    os.symlink(tmp_path / "elsewhere", tmp_path / CRASH_LOG_NAME)
    CrashLog(tmp_path).emit(record)
    assert not (tmp_path / "elsewhere").exists()


def test_a_pipe_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / CRASH_LOG_NAME)
    CrashLog(tmp_path).emit(logging.LogRecord("pi.tui", logging.ERROR, "", 0, "lost", (), None))


def test_nothing_is_told_to_the_file_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / CRASH_LOG_NAME
    file.touch()
    monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1)
    CrashLog(tmp_path).emit(logging.LogRecord("pi.tui", logging.ERROR, "", 0, "secret", (), None))
    assert file.read_text() == ""


def test_a_long_file_begins_anew(tmp_path: Path) -> None:
    file = tmp_path / CRASH_LOG_NAME
    file.write_text("x" * 1_000_001)
    CrashLog(tmp_path).emit(logging.LogRecord("pi.tui", logging.ERROR, "", 0, "new", (), None))
    assert file.read_text().endswith(" new\n")
    assert file.stat().st_size < 100
