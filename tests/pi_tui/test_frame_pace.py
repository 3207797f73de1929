"""When frames may be drawn, by a clock of the test's own."""

from __future__ import annotations

import pytest

from pi_tui.frame_pace import FramePace


def paced(*frames: tuple[float, float]) -> FramePace:
    pace = FramePace()
    for began, ended in frames:
        pace.frame_begins(began)
        pace.frame_ends(ended)
    return pace


def test_the_first_frame_is_drawn_at_once() -> None:
    assert FramePace().next_frame(5.0, soon=False) == 5.0


@pytest.mark.parametrize(("took", "gap"), [(0.001, 0.016), (0.02, 0.02), (0.06, 0.06), (0.5, 0.1)])
def test_after_a_frame_there_is_as_much_time_for_the_rest(took: float, gap: float) -> None:
    pace = paced((1.0, 1.0 + took))
    assert pace.next_frame(1.0 + took, soon=False) == pytest.approx(1.0 + took + gap)
    assert pace.next_frame(9.0, soon=False) == 9.0


def test_what_answers_the_user_waits_for_no_gap() -> None:
    assert paced((1.0, 1.05)).next_frame(1.05, soon=True) == 1.05


def test_a_burst_of_resizes_is_drawn_a_few_times() -> None:
    pace = paced((0.0, 0.001))
    drawn: list[float] = []
    due = None
    for step in range(30):
        now = 1.0 + step * 0.004
        if due is not None and due <= now:
            drawn.append(due)
            pace.frame_begins(due)
            pace.frame_ends(due)
        pace.resized(now)
        due = pace.next_frame(now, soon=True)
    assert drawn[0] == 1.0
    assert len(drawn) <= 3
    assert due is not None
    assert due - drawn[-1] == pytest.approx(0.05)


def test_once_the_new_size_is_drawn_the_pace_is_the_usual_one() -> None:
    pace = FramePace()
    pace.resized(1.0)
    pace.frame_begins(1.0)
    pace.frame_ends(1.001)
    assert pace.next_frame(1.002, soon=True) == 1.002


def test_a_screen_that_is_dear_to_draw_shows_the_last_size_of_a_burst_only() -> None:
    pace = FramePace(waits_for_last_resize=True)
    for now in (1.0, 1.02, 1.04):
        pace.resized(now)
        due = pace.next_frame(now, soon=True)
    assert due == pytest.approx(1.09)
