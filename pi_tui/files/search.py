"""Finds files by a part of their name: with `fd`, or in a listing that is read while more letters are typed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from pi_tui.abort import AbortSignal, unless_aborted
from pi_tui.files import fd
from pi_tui.files.listing import FileListing
from pi_tui.files.ranking import FileRanking
from pi_tui.files.typed_path import PathRoots, with_slash
from pi_tui.frozen import frozen
from pi_tui.threads import run_in_thread


@frozen
class FoundFiles:
    """The likeliest paths, written as the search was; folders end in a slash."""

    paths: list[str]
    is_partial: bool = False


@frozen
class _Scope:
    """The folder to search, how it was written, and what for."""

    folder: str
    written: str
    query: str


class FileSearch:
    """Searches below the folder that the typed path starts with.

    What is found within `patience` seconds is shown before all is. A listing serves the keys that follow; it is
    forgotten when nothing has been asked for `kept` seconds, for files come and go.
    """

    SHOWN = 20

    def __init__(
        self,
        roots: PathRoots,
        fd_path: str | None = None,
        *,
        patience: float = 0.1,
        kept: float = 2.0,
        list_files: Callable[[str], FileListing] = FileListing,
    ) -> None:
        self.fd_path = fd_path
        self._roots = roots
        self._patience = patience
        self._kept = kept
        self._list_files = list_files
        self._listing: FileListing | None = None
        self._forgetting: asyncio.TimerHandle | None = None

    async def find(self, typed: str, signal: AbortSignal) -> FoundFiles | None:
        """Return what `typed` may mean; `None` if the signal fired before that was known."""
        scope = await unless_aborted(signal, run_in_thread(partial(_scope_of, typed, self._roots)))
        if scope is None:
            return None
        if self.fd_path is not None:
            try:
                paths = await fd.search(self.fd_path, scope.folder, scope.query, signal=signal)
            except OSError:
                pass  # it has gone, or is some other program of that name
            else:
                return FoundFiles(_shown(FileRanking(paths), scope))
        return await self._find_in_listing(scope, signal)

    async def _find_in_listing(self, scope: _Scope, signal: AbortSignal) -> FoundFiles | None:
        listing = self._listing_of(scope.folder)
        await unless_aborted(signal, listing.wait(self._patience))
        is_partial = not listing.is_complete
        shown = run_in_thread(partial(_shown, listing.ranking, scope))
        paths = await unless_aborted(signal, shown)
        return None if paths is None else FoundFiles(paths, is_partial)

    def _listing_of(self, folder: str) -> FileListing:
        if self._listing is None or self._listing.folder != folder:
            self.forget()
            self._listing = self._list_files(folder)
        if self._forgetting is not None:
            self._forgetting.cancel()
        self._forgetting = asyncio.get_running_loop().call_later(self._kept, self.forget)
        return self._listing

    def forget(self) -> None:
        """Stop reading, and read anew when something is asked again."""
        if self._listing is not None:
            self._listing.stop()
            self._listing = None


def _scope_of(typed: str, roots: PathRoots) -> _Scope:
    """Return where to search. What stands before the last slash is part of the query if it is no folder."""
    written, slash, query = typed.rpartition("/")
    written += slash
    folder = roots.folder(written)
    if written and os.path.isdir(folder):
        return _Scope(folder, written, query)
    return _Scope(roots.base, "", typed)


def _shown(ranking: FileRanking, scope: _Scope) -> list[str]:
    """Return the best of what is still there, as it was written."""
    return [scope.written + path for path in islice(_present(ranking, scope), FileSearch.SHOWN)]


def _present(ranking: FileRanking, scope: _Scope) -> Iterator[str]:
    for path in ranking.best(scope.query):
        if os.path.lexists(os.path.join(scope.folder, path)):
            yield with_slash(scope.folder, path)
