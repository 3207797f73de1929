"""What is logged is in the file, and nothing secret is."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_agent.base.log import LogFile, log_to_file, redact, write_crash_report


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    undo = log_to_file(tmp_path / "logs")
    yield tmp_path / "logs"
    undo()


def test_no_file_is_made_until_something_is_said(folder: Path) -> None:
    logging.getLogger("pi.test").debug("too fine")
    assert not folder.exists()
    logging.getLogger("pi.test").info("hello %s", "world")
    assert "hello world" in (folder / "pi.log").read_text()


def test_the_file_is_for_its_owner_only(folder: Path) -> None:
    logging.getLogger("pi").info("x")
    assert (folder / "pi.log").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_warnings_of_others_go_to_the_file_and_not_to_the_screen(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("asyncio").error("a task failed")
    logging.getLogger("asyncio").info("chatter")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old habit", DeprecationWarning, stacklevel=1)
    text = (folder / "pi.log").read_text()
    assert "a task failed" in text
    assert "old habit" in text
    assert "chatter" not in text
    assert capfd.readouterr() == ("", "")


SECRETS = [
    ("key sk-ant-api03-abcdef123456 refused", "sk-ant-api03-abcdef123456"),
    ("Authorization: Bearer abc.def-ghi_jkl", "abc.def-ghi_jkl"),
    ("{'authorization': 'bearer abcdefghijk'}", "abcdefghijk"),
    ("x-api-key: 0123456789", "0123456789"),
    ("{'api_key': 'zyxwvut'}", "zyxwvut"),
    ("GET https://host/v1?key=AIzaSy123&alt=sse", "AIzaSy123"),
    ('"access_token": "tok-1"', "tok-1"),
    ("refresh_token=tok-2&x=1", "tok-2"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_keys_and_tokens_are_not_written(text: str, secret: str, folder: Path) -> None:
    logging.getLogger("pi.http").info("%s", text)
    written = (folder / "pi.log").read_text()
    assert secret not in written
    assert "[hidden]" in written


@pytest.mark.parametrize("text", ["the key to all", "task-sketch", "tokens: 12", "monkey=3"])
def test_ordinary_words_are_written(text: str) -> None:
    assert redact(text) == text


def test_a_secret_in_a_traceback_is_hidden_too(folder: Path) -> None:
    try:
        raise ValueError("Bearer abcdefghijkl")
    except ValueError:
        logging.getLogger("pi").exception("request failed")
    text = (folder / "pi.log").read_text()
    assert "ValueError" in text
    assert "abcdefghijkl" not in text


def test_a_full_file_starts_afresh_and_the_old_one_stays(tmp_path: Path) -> None:
    handler = LogFile(tmp_path / "pi.log", max_bytes=200)
    for number in range(30):
        handler.emit(logging.makeLogRecord({"msg": f"record {number}", "levelno": 20}))
    handler.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pi.log", "pi.log.1"]
    assert all(path.stat().st_size < 400 for path in tmp_path.iterdir())
    kept = (tmp_path / "pi.log.1").read_text() + (tmp_path / "pi.log").read_text()
    assert "record 29" in kept


def test_a_log_that_cannot_be_written_disturbs_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    handler = LogFile(tmp_path / "file" / "pi.log")
    handler.emit(logging.makeLogRecord({"msg": "x"}))
    handler.close()
    assert capfd.readouterr() == ("", "")


def test_a_crash_report_has_the_traceback_and_no_secret(tmp_path: Path) -> None:
    try:
        raise RuntimeError("no luck with sk-abcdefghijkl")
    except RuntimeError as error:
        path = write_crash_report(tmp_path / "logs", error, version="1.2.3", now=1772600767.0)
    text = path.read_text()
    assert path.name.startswith("crash-20260304T050607Z-")
    assert "pi 1.2.3" in text
    assert "test_log.py" in text
    assert "RuntimeError: no luck" in text
    assert "sk-abc" not in text
    assert path.stat().st_mode & 0o777 == 0o600
