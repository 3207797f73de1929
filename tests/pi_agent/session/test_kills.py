"""pi is killed at random moments, and whatever it had said to be saved is there when it starts again."""

from __future__ import annotations

import pytest

from tests.pi_agent.session.killing import STEPS, KilledSession, chance, entries_of
from tests.pi_process import Pi

# So often one session is gone on with; then another begins, which may be killed before it has a file.
_KILLS_OF_ONE = 10


@pytest.mark.parametrize(
    "kills", [20, pytest.param(300, marks=[pytest.mark.soak, pytest.mark.timeout(600)])]
)
def test_a_killed_pi_has_lost_nothing_that_it_told_to_be_saved(kills: int, pi: Pi) -> None:
    moments = chance()
    pi.plays(*STEPS)
    for number in range(kills):
        if number % _KILLS_OF_ONE == 0:
            session = KilledSession(pi, pi.folder / f"{number}.jsonl", moments)
        session.go_on_and_be_killed()
        session.check(entries_of)
        if number % 4 == 3 and session.path.exists():
            session.lose_the_end()
            session.check(entries_of)
        if number % _KILLS_OF_ONE == _KILLS_OF_ONE - 1:
            told = session.go_on_to_the_end()
            session.check(entries_of)
            assert told[-1]["type"] == "agent_settled"


def test_a_loader_that_leaves_out_the_last_line_would_be_found(pi: Pi) -> None:
    pi.plays(*STEPS)
    session = KilledSession(pi, pi.folder / "s.jsonl", chance())
    session.go_on_to_the_end()
    with pytest.raises(AssertionError):
        session.check(lambda path: entries_of(path)[:-1])
    session.check(entries_of)
