"""Progress: what it says, and what of it is left where it is narrow."""

from __future__ import annotations

import math

import pytest

from pi_tui.components.progress import Progress
from pi_tui.figures import format_bytes, format_count, format_seconds


class Work:
    """Progress with a clock that goes when it is told to."""

    def __init__(self, total: float | None = 100, label: str = "") -> None:
        self.now = 1000.0
        self.shown = Progress(None, total, label, clock=lambda: self.now)

    def after(self, seconds: float, done: float) -> str:
        """Let time pass, be done with so much, and return what a wide screen shows."""
        self.now += seconds
        self.shown.update(done)
        return self.shown.render(80)[0]


def test_rate_and_time_left_are_those_of_the_last_seconds() -> None:
    work = Work()
    assert "left" not in work.after(0.1, 1)  # too early to tell
    for _ in range(30):
        row = work.after(1, work.shown.done + 1)
    assert row.endswith("1:09 left  31 of 100  1/s")
    for _ in range(12):
        row = work.after(1, work.shown.done + 4)
    assert row.endswith("0:06 left  79 of 100  4/s")
    row = work.after(1, 100)
    assert row.startswith("━" * 40) and "100%" in row and "left" not in row


def test_a_new_beginning_is_not_a_negative_rate() -> None:
    work = Work()
    work.after(5, 50)
    assert "/s" not in work.after(1, 10)
    assert work.after(5, 20).endswith("2/s")


@pytest.mark.parametrize("total", [0, -5, 100])
def test_the_share_stays_between_nothing_and_all(total: float) -> None:
    work = Work(total)
    row = work.after(1, 1000)
    assert "100%" in row and "─" not in row


def test_numbers_that_are_none_change_nothing() -> None:
    work = Work()
    before = work.after(1, 40)
    work.shown.update(math.nan)
    assert work.shown.done == 40
    work.shown.update(math.inf)
    assert work.shown.render(80)[0] == before
    work.shown.update(40, math.nan)
    assert work.shown.total is None


def test_what_is_said_last_goes_first() -> None:
    work = Work(label="Copying")
    for _ in range(10):
        work.after(1, work.shown.done + 3)
    shown = {width: work.shown.render(width)[0] for width in (60, 40, 32, 20, 5, 2)}
    assert shown[60].endswith("30%  0:24 left  30 of 100  3/s")
    assert shown[40].endswith("30%  0:24 left")
    assert shown[20] == "Copying  ━╸───   30%"
    assert shown[5] == " 30%" and shown[2] == "╸─"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (999.6, "1.0 kB"),
        (9_949, "9.9 kB"),
        (9_960, "10 kB"),
        (999_499, "999 kB"),
        (999_999, "1.0 MB"),
        (93e6, "93 MB"),
        (4.2e18, "4200 PB"),
    ],
)
def test_sizes(amount: float, text: str) -> None:
    assert format_bytes(amount) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00"),
        (0.2, "0:01"),
        (59.5, "1:00"),
        (3599, "59:59"),
        (3723, "1:02:03"),
        (4e5, ">99 h"),
    ],
)
def test_times(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
    assert format_seconds(math.nan) == ">99 h"
    assert format_count(1234567.9) == "1,234,567"


def test_a_label_may_change_under_way() -> None:
    work = Work(label="Copying")
    assert work.after(1, 10).startswith("Copying  ")
    work.shown.set_label("Checking")
    assert work.shown.render(80)[0].startswith("Checking  ")
