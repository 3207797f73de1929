"""What is written for whoever looks for a fault in drawing."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from pi_tui.app import TUI
from pi_tui.components.text import Text
from pi_tui.frame_log import DEBUG_LOG_NAME
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal

pytestmark = pytest.mark.anyio

Mode = type[TuiAltScreen] | type[TuiMainScreen]


def started(mode: Mode, folder: Path, environ: Mapping[str, str]) -> tuple[TUI, HeadlessTerminal]:
    terminal = HeadlessTerminal(20, 4)
    tui = mode(terminal, log_directory=folder, environ=environ)
    tui.add_child(Text("\n".join(f"row {number}" for number in range(9)), 0, 0))
    tui.start()
    tui.render_now()
    return tui, terminal


@pytest.mark.parametrize("mode", [TuiAltScreen, TuiMainScreen])
async def test_the_reason_of_each_full_redraw(mode: Mode, tmp_path: Path) -> None:
    tui, terminal = started(mode, tmp_path, {"PI_TUI_DEBUG_REDRAW": "1"})
    tui.render_now()
    tui.render_now(force=True)
    terminal.resize(15, 4)
    tui.render_now()
    tui.stop()
    told = (tmp_path / DEBUG_LOG_NAME).read_text().splitlines()
    reasons = [line.partition("full redraw at ")[2] for line in told]
    size = "the size has changed" if mode is TuiAltScreen else "the width has changed"
    assert reasons == ["20x4: asked for", f"15x4: {size}"]
    assert len(reasons) == tui.full_redraws
    assert all(f" {os.getpid()} " in line for line in told)


@pytest.mark.parametrize("mode", [TuiAltScreen, TuiMainScreen])
async def test_usually_nothing_is_written(mode: Mode, tmp_path: Path) -> None:
    tui, _ = started(mode, tmp_path, {})
    tui.render_now(force=True)
    tui.stop()
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    tui, _ = started(TuiAltScreen, tmp_path / "file" / "logs", {"PI_TUI_DEBUG_REDRAW": "1"})
    tui.render_now(force=True)
    tui.stop()
    assert tui.full_redraws == 1


async def test_each_frame_in_the_scrollback_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tui, _ = started(TuiMainScreen, tmp_path, {"PI_TUI_DEBUG": "1"})
    tui.render_now(force=True)
    tui.stop()
    (folder,) = tmp_path.iterdir()
    first, second = sorted(folder.iterdir())
    assert "size: 20x4\nfirst row of the document: 5\n" in first.read_text()
    assert "full redraw: asked for\n" in second.read_text()
    assert re.findall(r"b'(row \d)", second.read_text()) == ["row 5", "row 6", "row 7", "row 8"]
