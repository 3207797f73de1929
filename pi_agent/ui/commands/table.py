"""One table of slash commands: running, completing and help read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_tui.autocomplete import AutocompleteItem, SlashCommand
from pi_tui.frozen import frozen


@frozen
class Command:
    """`run` gets what follows the name, without the blanks around it."""

    name: str
    description: str
    run: Callable[[str], None]
    argument_hint: str | None = None
    complete: Callable[[str], Sequence[AutocompleteItem]] | None = None


class CommandTable:
    """The commands by name. Built-in ones win over those of extensions."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands = {command.name: command for command in commands}

    def find(self, text: str) -> tuple[Command, str] | None:
        """Return the command that `text` calls and its argument."""
        stripped = text.strip()
        if not stripped.startswith("/"):
            return None
        name, _, argument = stripped[1:].partition(" ")
        command = self._commands.get(name)
        return (command, argument.strip()) if command is not None else None

    def suggestions(self, extension_commands: Sequence[SlashCommand]) -> list[SlashCommand]:
        """Return what the menu of `/` offers."""
        own = [
            SlashCommand(command.name, command.description, command.argument_hint, command.complete)
            for command in self._commands.values()
        ]
        return own + self._reachable(extension_commands)

    def help_rows(self, extension_commands: Sequence[SlashCommand]) -> list[tuple[str, str]]:
        """Return what to type and what it does, for `/help`."""
        rows = [
            (f"/{command.name} {command.argument_hint or ''}".rstrip(), command.description)
            for command in self._commands.values()
        ]
        rows += [
            (f"/{command.name}", command.description or "from an extension")
            for command in self._reachable(extension_commands)
        ]
        return rows

    def _reachable(self, commands: Sequence[SlashCommand]) -> list[SlashCommand]:
        return [command for command in commands if command.name not in self._commands]
