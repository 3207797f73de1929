"""Finding files by a part of their name while it is typed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from pi_tui.abort import AbortController, AbortSignal
from pi_tui.files.listing import FileListing
from pi_tui.files.search import FileSearch, FoundFiles
from pi_tui.files.typed_path import PathRoots
from tests.pi_tui.files.trees import make_tree

pytestmark = pytest.mark.anyio


class Source:
    """A tree that is read as far as the test lets it; `finish` lets it be read to its end."""

    def __init__(self, *batches: list[str]) -> None:
        self.reads = 0
        self.finish = threading.Event()
        self.ended = threading.Event()
        self.is_stopped: Callable[[], bool] = lambda: False
        self._batches = batches

    def __call__(self, folder: str, is_stopped: Callable[[], bool]) -> Generator[list[str]]:
        self.reads += 1
        self.is_stopped = is_stopped
        first, *others = self._batches
        yield first
        self.finish.wait(8)
        yield from others
        self.ended.set()

    def list_files(self, folder: str) -> FileListing:
        return FileListing(folder, self)


def _search(top: Path, source: Source | None = None, *, kept: float = 60.0) -> FileSearch:
    roots = PathRoots(str(top), str(top / "home"))
    if source is None:
        return FileSearch(roots, patience=8)
    return FileSearch(roots, patience=0.01, kept=kept, list_files=source.list_files)


async def _find(search: FileSearch, typed: str, signal: AbortSignal | None = None) -> list[str]:
    found = await search.find(typed, signal or AbortController().signal)
    assert found is not None
    return found.paths


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("app", ["src/app.py", "src/pkg/app.md"]),
        ("src/", ["src/pkg/", "src/app.py", "src/pkg/app.md"]),
        ("./src/A", ["./src/app.py", "./src/pkg/app.md"]),
        ("~/no", ["~/Notes/"]),
        ("pkg/a", ["src/pkg/app.md"]),
        ("nowhere/x", []),
        (".git", []),
    ],
)
async def test_the_folder_that_is_typed_is_searched(
    tmp_path: Path, typed: str, expected: list[str]
) -> None:
    make_tree(tmp_path, ["src/app.py", "src/pkg/app.md", "home/Notes/", ".git/x"])
    assert await _find(_search(tmp_path), typed) == expected


async def test_what_has_gone_is_not_shown_and_links_to_folders_are_folders(tmp_path: Path) -> None:
    make_tree(tmp_path, ["here"])
    (tmp_path / "link").symlink_to(tmp_path)
    source = Source(["here", "gone", "link"])
    source.finish.set()
    assert await _find(_search(tmp_path, source), "") == ["here", "link/"]


async def test_what_is_known_so_far_is_shown_at_once(tmp_path: Path) -> None:
    make_tree(tmp_path, ["a1", "a2"])
    source = Source(["a1"], ["a2"])
    search = _search(tmp_path, source)
    assert await search.find("a", AbortController().signal) == FoundFiles(["a1"], is_partial=True)
    source.finish.set()
    source.ended.wait(8)
    while (found := await search.find("a", AbortController().signal)) and found.is_partial:
        pass
    assert found == FoundFiles(["a1", "a2"])
    assert source.reads == 1


async def test_the_keys_that_follow_read_nothing_and_look_at_little(tmp_path: Path) -> None:
    paths = [f"d/f{number}" for number in range(5_000)] + ["needle"]
    make_tree(tmp_path, ["needle"])
    source = Source(paths)
    source.finish.set()
    listings: list[FileListing] = []

    def list_files(folder: str) -> FileListing:
        listings.append(source.list_files(folder))
        return listings[-1]

    roots = PathRoots(str(tmp_path), "")
    search = FileSearch(roots, patience=8, kept=60, list_files=list_files)
    for typed in ("n", "ne", "nee", "need"):
        assert await _find(search, typed) == ["needle"]
    assert source.reads == 1
    assert listings[0].ranking.examined == len(paths) + 3


async def test_the_loops_thread_neither_reads_nor_ranks(tmp_path: Path) -> None:
    at_work: set[int] = set()

    class Watched(list[str]):
        def __getitem__(self, index: object) -> str:  # type: ignore[override]  # by index only
            at_work.add(threading.get_ident())
            return "x"

    class WatchedListing(FileListing):
        def __init__(self, folder: str) -> None:
            super().__init__(folder, self._nothing)
            self.ranking._paths = Watched(["x"])

        def _nothing(self, folder: str, stopped: Callable[[], bool]) -> Generator[list[str]]:
            at_work.add(threading.get_ident())
            yield ["x"]

    make_tree(tmp_path, ["x"])
    roots = PathRoots(str(tmp_path), "")
    search = FileSearch(roots, patience=8, list_files=WatchedListing)
    assert await _find(search, "x") == ["x"]
    assert at_work
    assert threading.get_ident() not in at_work


async def test_nothing_is_read_on_when_nobody_asks_any_more(tmp_path: Path) -> None:
    source = Source(["a"])
    search = _search(tmp_path, source, kept=0.0)
    await search.find("a", AbortController().signal)
    await search.find("~/a", AbortController().signal)
    assert source.is_stopped()
    source.finish.set()


async def test_a_signal_ends_the_waiting_not_the_reading(tmp_path: Path) -> None:
    source = Source(["a"])
    search = FileSearch(PathRoots(str(tmp_path), ""), patience=60, list_files=source.list_files)
    controller = AbortController()
    controller.abort("the text has changed")
    assert await search.find("a", controller.signal) is None
    source.finish.set()


async def test_a_search_goes_on_without_a_program_that_fails(tmp_path: Path) -> None:
    make_tree(tmp_path, ["found"])
    search = FileSearch(PathRoots(str(tmp_path), ""), str(tmp_path / "nowhere"), patience=8)
    assert await _find(search, "fou") == ["found"]


async def test_a_folder_that_may_not_be_read_is_empty(tmp_path: Path) -> None:
    assert await _find(_search(tmp_path / "nowhere"), "x") == []
