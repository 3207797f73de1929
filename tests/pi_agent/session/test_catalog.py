"""The sessions of a directory as a list: what it says of each, and how much is read for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pi_agent.base.paths import SessionFolder
from pi_agent.session.catalog import SessionCatalog
from pi_agent.session.overview import ReadingStoppedError, SessionInfo, age_text, glance, read_whole
from tests.pi_agent.session.saved import START, save_session

pytestmark = pytest.mark.anyio

CWD = Path("/srv/app")


def catalog(folder: Path, *, is_flat: bool = False) -> SessionCatalog:
    return SessionCatalog(SessionFolder(folder, is_flat=is_flat), CWD)


async def load(listed: SessionCatalog) -> list[SessionInfo]:
    """Return the last list: everything."""
    return [[], *[found async for found in listed.load()]][-1]


def test_a_short_session_is_known_at_a_glance(tmp_path: Path) -> None:
    info = glance(save_session(tmp_path, "a", ["fix\nthe parser", "and the lexer"], at=30))
    assert info is not None
    assert (info.name, info.title) == (None, "fix the parser")
    assert info.message_count == 4
    assert info.modified == START + 30 + 120
    assert info.search_text == "fix the parser re: fix the parser and the lexer re: and the lexer"


def test_of_a_long_one_a_glance_shows_beginning_and_end(tmp_path: Path) -> None:
    path = save_session(tmp_path, "a", ["begin", "end"], name="big", long_result=3_000_000)
    info = glance(path)
    assert info is not None
    assert (info.name, info.first_message) == ("big", "begin")
    assert info.modified == START + 120
    assert (info.message_count, info.search_text) == (None, "")
    whole = read_whole(path)
    assert whole is not None
    assert (whole.message_count, whole.modified) == (4, START + 120)
    assert "re: end" in whole.search_text


def test_the_last_name_counts_and_an_empty_one_takes_it_away(tmp_path: Path) -> None:
    path = save_session(tmp_path, "a", ["hello"], name="first")
    with path.open("a") as file:
        file.write('{"type":"session_info","name":"second"}\n')
    named = glance(path)
    with path.open("a") as file:
        file.write('{"type":"session_info"}\n')
    unnamed = glance(path)
    assert named is not None
    assert unnamed is not None
    assert (named.title, unnamed.title) == ("second", "hello")


def test_nothing_was_said(tmp_path: Path) -> None:
    info = glance(save_session(tmp_path, "a", at=9))
    assert info is not None
    assert (info.title, info.message_count, info.modified) == ("(no messages)", 0, START + 9)


async def test_the_newest_come_first_and_what_is_no_session_is_left_out(tmp_path: Path) -> None:
    for number in range(3):
        save_session(tmp_path, f"s{number}", [f"say {number}"], at=1000 * number)
    (tmp_path / "notes.jsonl").write_text('{"type":"other"}\n')
    (tmp_path / "binary.jsonl").write_bytes(os.urandom(200))
    (tmp_path / "folder.jsonl").mkdir()
    found = await load(catalog(tmp_path))
    assert [info.title for info in found] == ["say 2", "say 1", "say 0"]


async def test_in_a_flat_folder_only_those_of_the_directory_are_listed(tmp_path: Path) -> None:
    save_session(tmp_path, "here", ["here"])
    save_session(tmp_path, "there", ["there"], cwd="/srv/other")
    found = await load(catalog(tmp_path, is_flat=True))
    assert [info.title for info in found] == ["here"]


async def test_a_list_is_there_before_long_files_are_read(tmp_path: Path) -> None:
    save_session(tmp_path, "a", ["begin", "end"], long_result=500_000)
    reports = [found async for found in catalog(tmp_path).load()]
    assert [info.message_count for (info,) in reports] == [None, 4]


async def test_a_file_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    path = save_session(tmp_path, "a", ["begin"])
    listed = catalog(tmp_path)
    await load(listed)
    before = path.stat()
    path.write_text(path.read_text().replace("begin", "other"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    (info,) = await load(listed)
    assert info.title == "begin"  # as size and time say
    save_session(tmp_path, "a", ["other", "more"])
    (info,) = await load(listed)
    assert (info.title, info.message_count) == ("other", 4)
    path.unlink()
    assert await load(listed) == []


def test_the_newest_few_are_read_whole_and_the_rest_is_counted(tmp_path: Path) -> None:
    for number in range(5):
        path = save_session(tmp_path, f"s{number}", [f"say {number}"], long_result=200_000)
        os.utime(path, (number, number))
    shown, count = catalog(tmp_path).newest(2)
    assert {info.title for info in shown} == {"say 4", "say 3"}
    assert [info.message_count for info in shown] == [2, 2]
    assert count == 5


def test_a_folder_that_is_not_there_has_no_sessions(tmp_path: Path) -> None:
    assert catalog(tmp_path / "none").newest(5) == ([], 0)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-5, "now"), (0, "now"), (59, "now"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_399, "23h"),
        (86_400, "1d"), (6.9 * 86_400, "6d"), (7 * 86_400, "1w"), (29 * 86_400, "4w"), (30 * 86_400, "1mo"),
        (364 * 86_400, "12mo"), (365 * 86_400, "1y"), (1e9, "31y"),
    ],
)  # fmt: skip
def test_ages_are_told_in_one_unit(seconds: float, expected: str) -> None:
    assert age_text(seconds) == expected


def test_reading_stops_within_a_file_that_nobody_waits_for(tmp_path: Path) -> None:
    path = save_session(tmp_path, "a", ["hello"] * 500)
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked == 10

    with pytest.raises(ReadingStoppedError):
        read_whole(path, is_over)
    assert asked == 10


async def test_a_list_that_is_left_is_complete_when_it_is_asked_for_again(tmp_path: Path) -> None:
    for number in range(3):
        save_session(tmp_path, f"s{number}", ["hello"], long_result=3_000_000)
    listed = catalog(tmp_path)
    async for found in listed.load():
        assert found
        break
    assert [info.message_count for info in await load(listed)] == [2, 2, 2]
