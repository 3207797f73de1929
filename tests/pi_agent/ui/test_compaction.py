"""Compactions on the screen: what is seen of them, how they are given up, and what is typed meanwhile."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.base.clock import ManualClock
from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionReason,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryScheduled,
    SummarySource,
)
from pi_agent.ui.compaction_status import CompactionStatus
from pi_agent.ui.footer import Footer
from pi_agent.ui.notices import Notices
from pi_agent.ui.status import StatusRow
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.transcript import Transcript
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, script
from tests.pi_agent.ui.test_views import DARK, Asked

pytestmark = pytest.mark.anyio

SUMMARY = {
    "text": "## Goal\nMend the **parser**.\n\n## Next Steps\n1. Go on.",
    "match": "<conversation>",
    "repeat": True,
    "delayMs": 1000,
}
LONG = {"text": "A long answer. " * 6}
SETTINGS = {"compaction": {"keepRecentTokens": 1}}


@asynccontextmanager
async def compacting(
    folder: Path, *steps: Mapping[str, object], columns: int = 80, rows: int = 24
) -> AsyncIterator[tuple[Program, ManualClock]]:
    """Run a program in which `/compact` has been typed, and goes on until the clock is moved."""
    clock = ManualClock()
    (folder / "agent").mkdir()
    (folder / "agent" / "settings.json").write_text(json.dumps(SETTINGS))
    async with interactive(
        folder,
        "--model",
        "demo/script",
        columns=columns,
        rows=rows,
        clock=clock,
        environ=script(folder, SUMMARY, LONG, *steps),
        ready="script",
    ) as program:
        program.say("first")
        await program.settled("answer.")
        program.say("/compact")
        await program.told("ompacting")
        await clock.until_sleeping()
        yield program, clock


def finish(clock: ManualClock) -> None:
    """Let the summaries come."""
    clock.advance(1)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_row_of_a_compaction(tmp_path: Path, columns: int, rows: int) -> None:
    async with compacting(tmp_path, columns=columns, rows=rows) as (program, clock):
        finish(clock)
        await program.told("to expand)")
        program.pilot.tui.render_now()
        program.check_picture(SNAPSHOTS / "test_compaction" / "done")


async def test_the_summary_is_one_line_until_it_is_expanded(tmp_path: Path) -> None:
    async with compacting(tmp_path) as (program, clock):
        finish(clock)
        await program.told("Compacted from")
        assert "Mend the parser." not in program.flat()
        assert "?/128k (auto)" in program.flat()
        program.pilot.press("ctrl+o")
        await program.told("Mend the parser.")


async def test_what_is_typed_meanwhile_is_sent_in_its_order(tmp_path: Path) -> None:
    answers = [{"text": f"Answer {number}."} for number in range(1, 3)]
    async with compacting(tmp_path, *answers, rows=48) as (program, clock):
        program.say("one")
        program.pilot.type("three")
        program.pilot.press("alt+enter")
        program.say("two")
        await program.told("Steering: two")
        assert "Steering: one" in program.flat() and "Follow-up: three" in program.flat()
        program.pilot.press("alt+up")
        await program.pilot.wait_for(lambda: bool(program.app.composer.get_text()))
        assert program.app.composer.get_text() == "one\n\ntwo\n\nthree"
        program.pilot.press("ctrl+c")
        program.say("one")
        program.pilot.type("three")
        program.pilot.press("alt+enter")
        program.say("two")
        await program.told("Steering: two")
        finish(clock)
        await program.settled("Answer 2.")
        shown = program.pilot.screen()
        order = [
            shown.index(text) for text in ("[compaction]", " one\n", "two", "three", "Answer 2.")
        ]
        assert order == sorted(order)
        assert "Steering:" not in shown


@pytest.mark.parametrize(
    ("command", "keys", "told"),
    [
        ("/clone", (), "Cloned: a new session."),
        ("/fork", ("enter",), "Forked: a new session."),
        ("/tree", ("home", "enter", "enter"), None),
    ],
)
async def test_what_was_typed_meanwhile_comes_back_when_one_goes_on_elsewhere(
    tmp_path: Path, command: str, keys: tuple[str, ...], told: str | None
) -> None:
    async with compacting(tmp_path, {"text": "Sent."}) as (program, _):
        program.say("in between")
        await program.told("Steering: in between")
        program.say(command)
        for key in keys:
            await program.pilot.wait_for("→ ")
            program.pilot.press(key)
        await program.pilot.wait_for(lambda: "in between" in program.app.composer.get_text())
        if told is not None:
            await program.told(told)
        await program.pilot.wait_for(lambda: program.app.screen.status.message is None)
        assert "Sent." not in program.flat() and "busy" not in program.flat()
    for file in (tmp_path / "agent").glob("sessions/*/*.jsonl"):
        assert "in between" not in file.read_text()


async def test_escape_gives_it_up_and_what_was_typed_is_sent(tmp_path: Path) -> None:
    async with compacting(tmp_path, {"text": "Fine."}) as (program, _):
        program.say("meanwhile")
        await program.told("Steering: meanwhile")
        program.pilot.press("escape")
        await program.settled("Fine.")
        assert "Compaction cancelled" in program.flat()
        assert "[compaction]" not in program.flat()


async def test_a_second_one_and_a_reload_are_refused_and_it_goes_on(tmp_path: Path) -> None:
    async with compacting(tmp_path) as (program, clock):
        program.say("/compact")
        await program.told("is being compacted already")
        program.say("/reload")
        await program.told("Not reloaded")
        await program.told("Compacting context…")
        finish(clock)
        await program.told("[compaction]")


async def test_a_resumed_session_has_its_summary_where_it_was_made(tmp_path: Path) -> None:
    async with compacting(tmp_path, {"text": "Afterwards."}) as (program, clock):
        finish(clock)
        await program.told("[compaction]")
        program.say("second")
        await program.settled("Afterwards.")
    async with interactive(
        tmp_path,
        "--continue",
        environ=script(tmp_path, LONG),
        ready="Afterwards.",
    ) as program:
        shown = program.flat()
        order = [shown.index(text) for text in ("A long answer.", "[compaction]", "second")]
        assert order == sorted(order)
        assert "first" not in shown


# --- the parts


def shown(status: StatusRow, width: int = 80) -> str:
    return strip_terminal_sequences(status.render(width)[0]).strip()


@pytest.mark.parametrize(
    ("reason", "texts"),
    [
        ("manual", ["Compacting context… (esc to cancel)", "Compacting context…", "Compacting…"]),
        ("threshold", ["Auto-compacting… (esc to cancel)", "Auto-compacting…"]),
        (
            "overflow",
            [
                "Context overflow detected, Auto-compacting… (esc to cancel)",
                "Context overflow detected, Auto-compacting…",
                "Compacting…",
            ],
        ),
    ],
)
async def test_what_goes_on_fits_the_row(reason: CompactionReason, texts: list[str]) -> None:
    row, status, _, _ = parts()
    row.take(CompactionStart(reason))
    for text in texts:
        assert shown(status, len(text) + 4).endswith(text)
    assert row.is_shown
    status.dispose()


def parts() -> tuple[CompactionStatus, StatusRow, Transcript, list[CompactionEnd]]:
    ends: list[CompactionEnd] = []
    status = StatusRow(Asked(), DARK)
    document = Transcript()
    notices = Notices(Asked(), document, DARK)
    return CompactionStatus(status, notices, lambda: 10.0, ends.append), status, document, ends


@pytest.mark.parametrize("source", ["compaction", "branchSummary"])
async def test_another_try_is_counted_down_to(source: SummarySource) -> None:
    row, status, _, _ = parts()
    reason: CompactionReason | None = None
    if source == "compaction":
        reason = "manual"
        row.take(CompactionStart(reason))
    row.take(SummarizationRetryScheduled(source, 1, 3, 2000, "503: busy", reason))
    assert shown(status).endswith("Retrying the summary (1/3) in 2s... (esc to cancel)")
    assert shown(status, 18).endswith("Retry 1/3: 2s")
    row.take(SummarizationRetryAttemptStart(source, reason))
    going_on = "Compacting context…" if reason else "Summarizing branch…"
    assert shown(status).endswith(f"{going_on} (esc to cancel)")
    status.dispose()


async def test_a_summary_of_a_branch_that_was_given_up_is_not_counted_down_to_later() -> None:
    row, status, _, _ = parts()
    row.take(SummarizationRetryScheduled("branchSummary", 1, 3, 2000, "503: busy"))
    status.clear()
    row.take(CompactionStart("manual"))
    assert shown(status).endswith("Compacting context… (esc to cancel)")
    status.dispose()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (CompactionEnd("manual", aborted=True), "Compaction cancelled"),
        (CompactionEnd("manual", error_message="Compaction failed: no"), "Compaction failed: no"),
    ],
)
async def test_how_it_ends_is_said(end: CompactionEnd, said: str) -> None:
    row, status, document, ends = parts()
    row.take(CompactionStart("manual"))
    row.take(end)
    assert ends == [end] and not row.is_shown
    assert said in strip_terminal_sequences("\n".join(document.render(40)))
    status.dispose()


@pytest.mark.parametrize(
    ("percent", "auto", "width", "row"),
    [
        (45.2, True, 60, "45.2%/128k (auto)"),
        (45.2, False, 60, "45.2%/128k"),
        (None, True, 60, "?/128k (auto)"),
        (45.2, True, 24, "45.2%/128k"),
    ],
)
def test_the_footer_says_how_full_the_window_is(
    percent: float | None, auto: bool, width: int, row: str
) -> None:
    footer = Footer(DARK)
    footer.update(
        context_percent=percent, context_window=128_000, auto_compacts=auto, model="script"
    )
    assert strip_terminal_sequences(footer.render(width)[1]).split("  ")[0] == row
