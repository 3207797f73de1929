"""Suggestions for what is being typed: what a provider of them offers, and the one that knows commands."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from pi_tui.abort import AbortSignal
from pi_tui.choices import SelectItem
from pi_tui.completion_token import ALWAYS_TRIGGERS
from pi_tui.editing import Position
from pi_tui.frozen import frozen
from pi_tui.fuzzy import fuzzy_filter


@frozen
class AutocompleteItem(SelectItem):
    """One suggestion: what it stands for, and what the menu shows."""


@frozen
class Suggestions:
    """An answer: the items, and the text before the cursor that a choice replaces.

    With `is_partial` there may be more in a moment: the editor shows these and asks again.
    """

    items: Sequence[AutocompleteItem]
    prefix: str
    is_partial: bool = False


class Completion(NamedTuple):
    """The text and the cursor after a choice."""

    lines: list[str]
    cursor_line: int
    cursor_col: int


class AutocompleteProvider(Protocol):
    """Who knows what could follow.

    Optional members: `trigger_characters`, a list of single characters that start a token to complete
    (besides `@` and `#`); `should_trigger_file_completion(lines, cursor_line, cursor_col) -> bool`,
    asked before a forced request.
    """

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        """Return what could stand at the cursor; `force` is the Tab key's request for a path."""
        ...

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        """Return the text with `prefix` before the cursor replaced by the choice."""
        ...


ArgumentCompletions = Sequence[AutocompleteItem] | None


@frozen
class SlashCommand:
    """A command that starts with a slash; `get_argument_completions` gets all that follows the name."""

    name: str
    description: str | None = None
    argument_hint: str | None = None
    get_argument_completions: (
        Callable[[str], ArgumentCompletions | Awaitable[ArgumentCompletions]] | None
    ) = None


class CommandAutocompleteProvider:
    """Suggests slash commands by name, and whatever a command offers for its argument."""

    def __init__(self, commands: Sequence[SlashCommand] = ()) -> None:
        self.commands = commands

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        """Return commands while a name is typed on the first line, then that command's arguments."""
        text = lines[cursor_line][:cursor_col].lstrip()
        if force or cursor_line > 0 or not text.startswith("/"):
            return None
        name, space, argument = text[1:].partition(" ")
        if not space:
            items: Sequence[AutocompleteItem] = self._named(name)
            prefix = text
        else:
            items = await self._arguments(name, argument)
            prefix = argument
        return Suggestions(items, prefix) if items else None

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        """Put the choice in place of `prefix`: a command's name with its slash and a space behind."""
        head = lines[cursor_line][: cursor_col - len(prefix)]
        is_name = prefix.startswith("/") and not head.strip()
        chosen = f"/{item.value} " if is_name else item.value
        return put_in_place(lines, Position(cursor_line, cursor_col), prefix, chosen)

    def should_trigger_file_completion(
        self, lines: list[str], cursor_line: int, cursor_col: int
    ) -> bool:
        """Tell that there are no files here."""
        return False

    def _named(self, name: str) -> list[AutocompleteItem]:
        matching = fuzzy_filter(self.commands, name, _short_name)
        others = [command for command in self.commands if command not in matching]
        matching += fuzzy_filter(others, name, lambda command: command.name)
        return [AutocompleteItem(c.name, c.name, _described(c)) for c in matching]

    async def _arguments(self, name: str, argument: str) -> Sequence[AutocompleteItem]:
        command = next((command for command in self.commands if command.name == name), None)
        if command is None or command.get_argument_completions is None:
            return ()
        offered = command.get_argument_completions(argument)
        if inspect.isawaitable(offered):
            offered = await offered
        return offered or ()


def put_in_place(
    lines: list[str], cursor: Position, prefix: str, chosen: str, *, swallows: int = 0
) -> Completion:
    """Return the text with `chosen` where `prefix` was, the cursor behind it; `swallows` characters after that go."""
    line, col = cursor
    head, tail = lines[line][: col - len(prefix)], lines[line][col + swallows :]
    changed = [*lines[:line], head + chosen + tail, *lines[line + 1 :]]
    return Completion(changed, line, len(head) + len(chosen))


def trigger_characters_of(provider: AutocompleteProvider | None) -> frozenset[str]:
    """Return the characters that start a token to complete."""
    own: Sequence[str] = getattr(provider, "trigger_characters", ())
    usable = (c for c in own if len(c) == 1 and c != "/" and not c.isspace())
    return frozenset((*ALWAYS_TRIGGERS, *usable))


def _short_name(command: SlashCommand) -> str:
    return command.name.removeprefix("skill:")


def _described(command: SlashCommand) -> str | None:
    parts = [part for part in (command.argument_hint, command.description) if part]
    return " — ".join(parts) or None
