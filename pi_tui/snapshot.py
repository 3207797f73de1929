"""Screens as text files that a person can read in a diff, and their comparison.

A snapshot has the grid, each row between bars so that blanks at its end show, and below it one line for each row
that is not plain, with the columns (the end not included) and what they look like.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pi_tui.component import CURSOR_MARKER
from pi_tui.emulator import GridTerminal
from pi_tui.frame import resolve_cursor

ACCEPT_VARIABLE = "PI_ACCEPT_SNAPSHOTS"
_END_OF_ROW = "\x1b[0m\x1b]8;;\x07"


def snapshot_text(terminal: GridTerminal) -> str:
    """Return the screen as text: size and cursor, the rows, the styles."""
    x, y = terminal.cursor
    header = f"{terminal.columns}x{terminal.rows} cursor {x},{y}"
    header += "" if terminal.cursor_visible else " hidden"
    header += " alternate screen" if terminal.alternate_screen else ""
    rows = [f"|{_padded(terminal, row)}|" for row in range(terminal.rows)]
    styles = [
        f"{row}: " + "; ".join(f"{run.start}-{run.end} {run.style}" for run in runs)
        for row, runs in groupby(terminal.style_runs(), key=lambda run: run.row)
    ]
    return "\n".join([header, *rows, "styles" if styles else "no styles", *styles]) + "\n"


def render_to_terminal(
    component_lines: Sequence[str], width: int, rows: int | None = None
) -> GridTerminal:
    """Draw a component's lines on a new terminal, which has a row for each unless `rows` says otherwise.

    The terminal wraps, so a line that is too wide spills over the next row. The cursor is left at the caret
    mark, or hidden if there is none.
    """
    terminal = GridTerminal(width, max(1, len(component_lines)) if rows is None else rows)
    caret: tuple[int, int] | None = None
    for index, line in enumerate(component_lines):
        before, mark, after = line.partition(CURSOR_MARKER)
        terminal.write(("\r\n" if index else "") + resolve_cursor(before, False))
        caret = terminal.cursor if mark else caret
        terminal.write(resolve_cursor(after, False) + _END_OF_ROW)
    x, y = caret or (0, 0)
    terminal.write(f"\x1b[{y + 1};{x + 1}H" + ("" if caret else "\x1b[?25l"))
    return terminal


def snapshot_component(
    render: Callable[[int], list[str]], widths: Sequence[int] = (20, 40, 80)
) -> str:
    """Return the snapshots of a component at several widths, one below the other.

    Raises `AssertionError` for a line that does not fit its width.
    """
    return "\n".join(snapshot_text(_drawn(render(width), width)) for width in widths)


def check_snapshot(
    path: Path,
    text: str,
    *,
    accept: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> None:
    """Raise `AssertionError` with a diff unless `text` is what the file says.

    With `accept`, or `PI_ACCEPT_SNAPSHOTS=1` in the environment, the file is written instead; never in CI
    (`CI=true`).
    """
    accepted = path.read_text(encoding="utf-8") if path.exists() else None
    if accepted == text:
        return
    in_ci = environ.get("CI") == "true"
    if (accept or environ.get(ACCEPT_VARIABLE) == "1") and not in_ci:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    how = f"Look at it, and accept it by running the test with {ACCEPT_VARIABLE}=1."
    if accepted is None:
        raise AssertionError(f"There is no snapshot {path} yet. {how}\n\n{text}")
    diff = difflib.unified_diff(
        accepted.splitlines(), text.splitlines(), "accepted", "now", lineterm=""
    )
    raise AssertionError(f"The screen is not as in {path}. {how}\n\n" + "\n".join(diff))


def _padded(terminal: GridTerminal, row: int) -> str:
    return "".join(terminal.cell(x, row).text for x in range(terminal.columns))


def _drawn(lines: list[str], width: int) -> GridTerminal:
    for index, line in enumerate(lines):
        # With columns to spare: where there is but one, a character of two leaves no trace.
        alone = GridTerminal(width + 2, 2)
        alone.write(resolve_cursor(line, False))
        if alone.cursor[0] > width or alone.cursor[1] > 0:
            raise AssertionError(f"Line {index} does not fit into {width} cells: {line!r}")
    return render_to_terminal(lines, width)
