"""Suggestions for what is being typed: what a provider of them offers, and when it is asked.

A provider is asked one request at a time, and only the answer to the newest request counts. A *trigger
token* is a word that starts with a trigger character, like `@`.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol

from pi_tui.abort import AbortController, AbortSignal
from pi_tui.choices import SelectItem
from pi_tui.frozen import frozen
from pi_tui.fuzzy import fuzzy_filter

_log = logging.getLogger("pi.tui.autocomplete")

_ALWAYS_TRIGGERS = ("@", "#")
_MAX_TOKEN = 512
_OPENING = "([{<`"
_CJK_PUNCTUATION = "、。，．・：；？！「」『』（）［］｛｝〈〉《》【】〔〕〖〗…"


@frozen
class AutocompleteItem(SelectItem):
    """One suggestion: what it stands for, and what the menu shows."""


@frozen
class Suggestions:
    """An answer: the items, and the text before the cursor that a choice replaces."""

    items: Sequence[AutocompleteItem]
    prefix: str


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
        line = lines[cursor_line]
        head, tail = line[: cursor_col - len(prefix)], line[cursor_col:]
        is_name = prefix.startswith("/") and not head.strip()
        chosen = f"/{item.value} " if is_name else item.value
        changed = [*lines[:cursor_line], head + chosen + tail, *lines[cursor_line + 1 :]]
        return Completion(changed, cursor_line, len(head) + len(chosen))

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


@frozen
class SuggestionRequest:
    """What a provider is asked, and about which state of the text (`version`)."""

    lines: list[str]
    line: int
    col: int
    version: int
    force: bool = False
    delay: float = 0.0


@dataclass(slots=True)
class SuggestionRequests:
    """Asks a provider, one request at a time; `deliver` gets the answer to the newest one only.

    A newer request aborts the running one and starts once that has returned, at the latest after
    `grace` seconds. Without a running event loop nothing is asked.
    """

    deliver: Callable[[SuggestionRequest, Suggestions | None], None]
    provider: AutocompleteProvider | None = None
    grace: float = 1.0
    _waiting: SuggestionRequest | None = None
    _running: AbortController | None = None
    _task: asyncio.Task[None] | None = None
    _failed: list[AutocompleteProvider] = field(default_factory=list)

    @property
    def pending(self) -> bool:
        """Whether an answer is still to come."""
        running = self._running is not None and not self._running.signal.aborted
        return running or self._waiting is not None

    def ask(self, request: SuggestionRequest) -> None:
        """Make `request` the newest one."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._waiting = request
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work())

    def cancel(self) -> None:
        """Drop the newest request: its answer is no longer wanted."""
        self._waiting = None
        if self._running is not None:
            self._running.abort("the text has changed")

    def close(self) -> None:
        """Stop at once, without waiting for the provider."""
        self.cancel()
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._waiting is not None and self.provider is not None:
            request, self._waiting = self._waiting, None
            self._running = AbortController()
            signal = self._running.signal
            try:
                answer = await self._answer(self.provider, request, signal)
            finally:
                self._running = None
            if not signal.aborted:
                self.deliver(request, answer)

    async def _answer(
        self, provider: AutocompleteProvider, request: SuggestionRequest, signal: AbortSignal
    ) -> Suggestions | None:
        if request.delay and await _is_aborted_within(signal, request.delay):
            return None
        asking = asyncio.ensure_future(
            provider.get_suggestions(
                request.lines, request.line, request.col, signal=signal, force=request.force
            )
        )
        forget = signal.on_abort(partial(self._cancel_later, asking))
        try:
            await asyncio.wait({asking})
            return None if asking.cancelled() else asking.result()
        except Exception:
            self._report(provider)
            return None
        finally:
            forget()
            asking.cancel()

    def _cancel_later(self, asking: asyncio.Future[Suggestions | None]) -> None:
        asyncio.get_running_loop().call_later(self.grace, asking.cancel)

    def _report(self, provider: AutocompleteProvider) -> None:
        if provider not in self._failed:
            self._failed.append(provider)
            _log.exception("the suggestions of %s failed", type(provider).__name__)


def trigger_characters_of(provider: AutocompleteProvider | None) -> frozenset[str]:
    """Return the characters that start a token to complete."""
    own: Sequence[str] = getattr(provider, "trigger_characters", ())
    usable = (c for c in own if len(c) == 1 and c != "/" and not c.isspace())
    return frozenset((*_ALWAYS_TRIGGERS, *usable))


def is_slash_context(line: int, before: str) -> bool:
    """Whether the text before the cursor belongs to a slash command."""
    return line == 0 and before.lstrip().startswith("/")


def is_command_name(line: int, before: str) -> bool:
    """Whether the text before the cursor is a slash command's name so far."""
    return is_slash_context(line, before) and " " not in before.lstrip()


def ends_in_trigger_token(before: str, triggers: frozenset[str]) -> bool:
    """Whether the text before the cursor ends in a trigger token, or in an unclosed `@"`."""
    before = before[-_MAX_TOKEN:]
    quote = before.rfind('@"')
    if quote >= 0 and '"' not in before[quote + 2 :] and _starts_token(before[:quote]):
        return True
    start = len(before)
    while start and not _separates(before[start - 1]):
        start -= 1
    token = before[start:]
    return token.lstrip(_OPENING)[:1] in triggers if token else False


def asks_for_suggestions(typed: str, line: int, before: str, triggers: frozenset[str]) -> bool:
    """Whether typing `typed`, which ends the text `before` the cursor, should open the menu."""
    if typed == "/" and line == 0 and before.strip() == "/":
        return True
    if typed in triggers and _starts_token(before[: -len(typed)]):
        return True
    if typed[:1].isalnum() or typed in (".", "-", "_"):
        return is_slash_context(line, before) or ends_in_trigger_token(before, triggers)
    return False


def _short_name(command: SlashCommand) -> str:
    return command.name.removeprefix("skill:")


def _described(command: SlashCommand) -> str | None:
    parts = [part for part in (command.argument_hint, command.description) if part]
    return " — ".join(parts) or None


def _separates(character: str) -> bool:
    return character.isspace() or character in _CJK_PUNCTUATION


def _starts_token(before: str) -> bool:
    """Whether a token starts behind `before`, opening brackets and backticks aside."""
    before = before.rstrip(_OPENING)
    return not before or _separates(before[-1])


async def _is_aborted_within(signal: AbortSignal, seconds: float) -> bool:
    try:
        await asyncio.wait_for(signal.wait(), seconds)
    except TimeoutError:
        return False
    return True
