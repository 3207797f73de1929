"""The first run on a real terminal: from nothing at all to an answer, or to the way out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.near_servers import GREETING, llama
from tests.pi_process import texts
from tests.pi_screen import ScreenPi, is_idle, shows
from tests.pty_session import PtySession
from tests.wire_server import WireServer

DOWN, UP, ENTER = b"\x1b[B", b"\x1b[A", b"\r"


@pytest.fixture
def pi(tmp_path: Path) -> ScreenPi:
    """Return a fresh installation, where nothing is fetched."""
    return ScreenPi(tmp_path, {"PI_OFFLINE": "1"})


def start(pi: ScreenPi, server: WireServer, *words: str) -> PtySession:
    return PtySession(
        [sys.executable, "-m", "tests.programs.near_pi", f"llama.cpp={server.url}", *words],
        columns=80,
        rows=24,
        cwd=pi.project,
        env=pi.full_environ(),
    )


def test_from_nothing_to_an_answer(pi: ScreenPi) -> None:
    with WireServer(answer=llama) as server, start(pi, server, "good evening") as session:
        session.wait_until(shows("Sent once a model is chosen: good evening"))
        session.wait_until(shows("Use llama.cpp"))
        session.send(DOWN)
        session.wait_until(shows("→ Use llama.cpp"))
        session.send(ENTER)
        session.wait_until(shows("(llama.cpp) smollm2", GREETING))
        session.wait_until(is_idle)
        session.send(b"\x04")
        assert session.wait_exit() == 0
    assert texts(pi.messages("user", "assistant")) == ["good evening", GREETING]
    assert not (pi.agent_dir / "settings.json").exists()
    assert not (pi.agent_dir / "models.json").exists()


@pytest.mark.parametrize("keys", [UP + ENTER, b"\x04"])
def test_leaving_without_a_model_gives_the_terminal_back_and_says_what_was_not_sent(
    pi: ScreenPi, keys: bytes
) -> None:
    with WireServer(answer=llama) as server, start(pi, server, "good evening") as session:
        session.wait_until(shows("Use llama.cpp"))
        session.send(keys)
        assert session.wait_exit() == 1
        assert shows("Not sent, for want of a model: good evening")(session.terminal)
        assert session.termios_now() == session.termios_before
    assert pi.session_files() == []
