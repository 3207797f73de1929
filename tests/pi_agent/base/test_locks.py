"""Locks between processes: a folder beside the file."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pi_agent.base.locks import LockTimeoutError, locked


def test_the_lock_is_a_folder_while_it_is_held(tmp_path: Path) -> None:
    file = tmp_path / "auth.json"
    with locked(file, stale_seconds=10):
        assert (tmp_path / "auth.json.lock").is_dir()
    assert not (tmp_path / "auth.json.lock").exists()


def test_it_is_released_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "f", stale_seconds=10):
        raise ZeroDivisionError
    assert not (tmp_path / "f.lock").exists()


def test_a_lock_that_a_dead_program_left_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "f.lock"
    folder.mkdir()
    os.utime(folder, (1, 1))
    with locked(tmp_path / "f", stale_seconds=10):
        assert folder.stat().st_mtime > 1


def test_one_that_was_left_and_cannot_be_removed_is_named_at_once(tmp_path: Path) -> None:
    left = tmp_path / "f.lock"
    left.write_text("no folder")
    os.utime(left, (1, 1))
    with (
        pytest.raises(LockTimeoutError, match="cannot be removed: Not a directory") as caught,
        locked(tmp_path / "f", stale_seconds=10),
    ):
        pass
    assert caught.value.hint == "Remove it."


def test_one_that_is_held_too_long_is_named(tmp_path: Path) -> None:
    (tmp_path / "f.lock").mkdir()
    with (
        pytest.raises(LockTimeoutError, match=r"writing to f\.") as caught,
        locked(tmp_path / "f", stale_seconds=0.1, now=lambda: 0.0),
    ):
        pass
    assert str(tmp_path / "f.lock") in (caught.value.hint or "")


def test_it_is_renewed_while_it_is_held(tmp_path: Path) -> None:
    folder = tmp_path / "f.lock"
    with locked(tmp_path / "f", stale_seconds=0.02):
        os.utime(folder, (1, 1))
        renewed = threading.Event()

        def watch() -> None:
            while folder.stat().st_mtime == 1:
                pass
            renewed.set()

        threading.Thread(target=watch, daemon=True).start()
        assert renewed.wait(10)
