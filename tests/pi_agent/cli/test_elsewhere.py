"""`pi --session` with a session of another folder asks before it is copied here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pi_agent.base.paths import AgentPaths
from pi_agent.cli.elsewhere import settle_elsewhere
from pi_agent.host.options import RunOptions
from tests.pi_agent.session.saved import save_session


def options_for(folder: Path, session: str | None) -> tuple[RunOptions, Path]:
    paths = AgentPaths(agent_dir=folder / "agent", cache_dir=folder)
    theirs = paths.sessions_of(Path("/srv/other")).path
    path = save_session(theirs, "theirs", ["hello"], cwd="/srv/other")
    return RunOptions(cwd=folder, paths=paths, environ={}, session=session), path


def saying(answer: str | None) -> Callable[[str], str]:
    def ask(question: str) -> str:
        assert question == "Fork it into the current directory? [y/N] "
        if answer is None:
            raise EOFError
        return answer

    return ask


def test_with_yes_it_is_forked(tmp_path: Path) -> None:
    options, path = options_for(tmp_path, "thei")
    said: list[str] = []
    settled = settle_elsewhere(options, say=said.append, ask=saying("y"))
    assert settled is not None
    assert (settled.session, settled.fork) == (None, str(path))
    assert said == ["This session belongs to another directory: /srv/other"]


@pytest.mark.parametrize("answer", ["", "n", "what", None])
def test_else_nothing_happens(tmp_path: Path, answer: str | None) -> None:
    options, _ = options_for(tmp_path, "theirs")
    assert settle_elsewhere(options, say=lambda text: None, ask=saying(answer)) is None


@pytest.mark.parametrize("session", [None, "other.jsonl", "nope"])
def test_nobody_is_asked_about_others(tmp_path: Path, session: str | None) -> None:
    options, _ = options_for(tmp_path, session)
    assert settle_elsewhere(options, ask=lambda question: pytest.fail(question)) is options
