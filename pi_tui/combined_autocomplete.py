"""What the editor of a program suggests: files behind `@`, commands behind `/`, paths on Tab."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pi_tui.abort import AbortSignal, unless_aborted
from pi_tui.autocomplete import (
    AutocompleteItem,
    CommandAutocompleteProvider,
    Completion,
    SlashCommand,
    Suggestions,
    put_in_place,
)
from pi_tui.completion_token import (
    attachment_token,
    is_command_name,
    is_slash_context,
    path_token,
)
from pi_tui.editing import Position
from pi_tui.files.completion import complete_path
from pi_tui.files.search import FileSearch
from pi_tui.files.typed_path import PathRoots, quoted
from pi_tui.threads import run_in_thread


class CombinedAutocompleteProvider:
    """Suggests files for `@…`, `commands` for `/…`, and paths from `base_path` on.

    Files are found by `fd_path`, the program `fd`, or without it.
    """

    def __init__(
        self,
        commands: Sequence[SlashCommand] = (),
        base_path: str | os.PathLike[str] = ".",
        fd_path: str | None = None,
        *,
        home: str | os.PathLike[str] | None = None,
    ) -> None:
        roots = PathRoots(os.path.abspath(base_path), os.fspath(home or Path.home()))
        self._roots = roots
        self._commands = CommandAutocompleteProvider(commands)
        self._files = FileSearch(roots, fd_path)

    @property
    def commands(self) -> Sequence[SlashCommand]:
        """The commands on offer."""
        return self._commands.commands

    @commands.setter
    def commands(self, commands: Sequence[SlashCommand]) -> None:
        self._commands.commands = commands

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        """Return what could stand at the cursor; `force` takes any word for a path."""
        before = lines[cursor_line][:cursor_col]
        attached = attachment_token(before)
        if attached is not None:
            return await self._attachments(attached, signal)
        if not force and is_slash_context(cursor_line, before):
            return await self._commands.get_suggestions(
                lines, cursor_line, cursor_col, signal=signal
            )
        token = path_token(before, force=force)
        return None if token is None else await self._paths(token, signal)

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        """Put the choice in place of `prefix`; behind a file that is attached comes a blank."""
        line, place = lines[cursor_line], Position(cursor_line, cursor_col)
        is_command = is_command_name(cursor_line, line[:cursor_col]) and "/" not in item.value[:2]
        if is_command and prefix.startswith("/"):
            return self._commands.apply_completion(lines, *place, item, prefix)
        chosen, tail = item.value, line[cursor_col:]
        has_quote = chosen.endswith('"') and tail.startswith('"')
        is_folder = chosen.rstrip('"').endswith("/")
        if prefix.startswith("@") and not is_folder:
            has_blank = tail[has_quote : has_quote + 1] == " "
            return put_in_place(lines, place, prefix, f"{chosen} ", swallows=has_quote + has_blank)
        applied = put_in_place(lines, place, prefix, chosen, swallows=has_quote)
        is_open = is_folder and chosen.endswith('"')
        return applied._replace(cursor_col=applied.cursor_col - is_open)

    def should_trigger_file_completion(
        self, lines: list[str], cursor_line: int, cursor_col: int
    ) -> bool:
        """Tell that Tab completes a path, except in the name of a command."""
        return not is_command_name(cursor_line, lines[cursor_line][:cursor_col].rstrip())

    async def _attachments(self, token: str, signal: AbortSignal) -> Suggestions | None:
        typed = token.removeprefix("@").removeprefix('"')
        found = await self._files.find(typed, signal)
        if found is None or not (found.paths or found.is_partial):
            return None
        is_quoted = token.startswith('@"')
        items = [
            AutocompleteItem(f"@{quoted(path, always=is_quoted)}", _name_of(path), path.rstrip("/"))
            for path in found.paths
        ]
        return Suggestions(items, token, found.is_partial)

    async def _paths(self, token: str, signal: AbortSignal) -> Suggestions | None:
        is_quoted = token.startswith('"')
        complete = partial(complete_path, token.removeprefix('"'), self._roots)
        found = await unless_aborted(signal, run_in_thread(complete))
        items = [
            AutocompleteItem(quoted(match.written, always=is_quoted), match.name)
            for match in found or ()
        ]
        return Suggestions(items, token) if items else None


def _name_of(path: str) -> str:
    """Return the last part of a path, with the slash of a folder."""
    return path[path.rfind("/", 0, -1) + 1 :]
