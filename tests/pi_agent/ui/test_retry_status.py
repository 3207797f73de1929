"""A failure that may pass: the countdown, how it is broken off, and what is said in the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.llm.messages import AssistantMessage
from pi_agent.loop.events import AutoRetryEnd, AutoRetryStart
from pi_agent.ui.messages.assistant import AssistantView
from pi_agent.ui.notices import Notices
from pi_agent.ui.retry_status import RetryStatus
from pi_agent.ui.status import StatusRow
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.transcript import Transcript
from tests.pi_agent.ui.support import interactive, script
from tests.pi_agent.ui.test_views import DARK, Asked

pytestmark = pytest.mark.anyio


class Shown:
    """The status row and the notices, at a time that the test sets."""

    def __init__(self) -> None:
        self.time = 100.0
        self.status = StatusRow(Asked(), DARK)
        self._document = Transcript()
        notices = Notices(Asked(), self._document, DARK)
        self.retry = RetryStatus(self.status, notices, lambda: self.time)

    def row(self, width: int) -> str:
        (row,) = self.status.render(width)
        return strip_terminal_sequences(row).strip().partition(" ")[2]

    def said(self) -> list[str]:
        rows = [strip_terminal_sequences(row).strip() for row in self._document.render(80)]
        return [row for row in rows if row]


async def test_the_seconds_count_down_and_stay_in_view_where_it_is_narrow() -> None:
    shown = Shown()
    shown.retry.start(AutoRetryStart(1, 3, 2000, "503: busy"))
    seen = []
    for _ in range(5):
        seen.append(shown.row(60))
        shown.time += 0.5
    expected = ["2s", "2s", "1s", "1s", "0s"]
    assert seen == [f"Retrying (1/3) in {each}... (esc to cancel)" for each in expected]
    assert shown.row(43).endswith("0s... (esc to cancel)")
    assert shown.row(40) == "Retrying (1/3) in 0s (esc)"
    assert shown.row(20) == "Retry 1/3: 0s"
    shown.status.dispose()


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (["start", AutoRetryEnd(False, 1, "Retry cancelled")], ["Retry cancelled"]),
        (
            ["start", "go on", "start", AutoRetryEnd(False, 2, "Retry cancelled")],
            ["Aborted after 1 retry attempt"],
        ),
        (
            ["start", "go on", AutoRetryEnd(False, 3, "503: busy")],
            ["Gave up after 3 retry attempts."],
        ),
        (["start", "go on", AutoRetryEnd(False, 1, "Request was aborted")], []),
        (["start", "go on", AutoRetryEnd(True, 1)], []),
    ],
)
async def test_the_end_is_told_unless_it_can_be_seen(
    events: list[str | AutoRetryEnd], said: list[str]
) -> None:
    shown = Shown()
    for number, event in enumerate(events):
        if isinstance(event, AutoRetryEnd):
            shown.retry.end(event)
        elif event == "start":
            shown.retry.start(AutoRetryStart(number // 2 + 1, 3, 2000, "503: busy"))
        else:
            shown.retry.go_on()
    assert shown.said() == said
    assert not shown.retry.is_waiting
    shown.status.dispose()


@pytest.mark.parametrize(
    ("attempts", "ending"),
    [(0, "Operation aborted"), (1, "Aborted after 1 retry attempt"), (2, "2 retry attempts")],
)
def test_an_answer_that_is_broken_off_says_how_often_it_was_asked_for(
    attempts: int, ending: str
) -> None:
    answer = AssistantView(DARK, attempts)
    answer.update(AssistantMessage(stop_reason="aborted", error_message="Request was aborted"))
    assert ending in strip_terminal_sequences("\n".join(answer.render(60)))


def waits(folder: Path, milliseconds: int) -> None:
    (folder / "agent").mkdir()
    settings = {"retry": {"baseDelayMs": milliseconds}}
    (folder / "agent" / "settings.json").write_text(json.dumps(settings))


BUSY = {"text": "half an ans", "error": "503: upstream overloaded"}


async def test_escape_cancels_the_wait_and_brings_back_what_was_queued(tmp_path: Path) -> None:
    waits(tmp_path, 50_000)
    environ = script(tmp_path, BUSY, {"text": "fine"})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("hello")
        await program.pilot.wait_for("Retrying (1/3) in 50s... (esc to cancel)")
        program.say("and then")
        await program.pilot.wait_for("Steering: and then")
        program.pilot.press("escape")
        await program.settled("Retry cancelled")
        assert program.app.composer.get_text() == "and then"
        assert "Steering" not in program.pilot.screen()
        program.pilot.press("enter")
        await program.settled("fine")
        assert "half an ans" in program.pilot.screen()


async def test_a_failure_that_passes_stays_on_screen_above_the_answer(tmp_path: Path) -> None:
    waits(tmp_path, 1)
    environ = script(tmp_path, BUSY, {"text": "fine now"})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("hello")
        await program.settled("fine now")
        screen = program.pilot.screen()
        assert screen.index("Error: 503: upstream overloaded") < screen.index("fine now")
        assert screen.count("hello") == 1
