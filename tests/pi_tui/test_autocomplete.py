"""Suggestions: the commands on offer, when they are asked for, and whose answer counts."""

from __future__ import annotations

import asyncio
import logging

import pytest

from pi_tui.abort import AbortController, AbortSignal
from pi_tui.autocomplete import (
    AutocompleteItem,
    CommandAutocompleteProvider,
    Completion,
    SlashCommand,
    Suggestions,
    trigger_characters_of,
)
from pi_tui.completion_token import asks_for_suggestions, ends_in_trigger_token
from pi_tui.suggestion_requests import SuggestionRequest, SuggestionRequests

pytestmark = pytest.mark.anyio


async def test_arguments_may_come_later() -> None:
    async def later(typed: str) -> list[AutocompleteItem]:
        await asyncio.sleep(0)
        return [AutocompleteItem(f"{typed}!", "!")]

    provider = CommandAutocompleteProvider([SlashCommand("go", get_argument_completions=later)])
    answer = await provider.get_suggestions(["/go to  x"], 0, 9, signal=AbortController().signal)
    assert answer == Suggestions([AutocompleteItem("to  x!", "!")], "to  x")
    forced = await provider.get_suggestions(
        ["/g"], 0, 2, signal=AbortController().signal, force=True
    )
    assert forced is None
    assert await provider.get_suggestions(["", "/g"], 1, 2, signal=AbortController().signal) is None


@pytest.mark.parametrize(
    ("before", "asks"),
    [
        ("/", True),
        ("  /", True),
        ("x /", False),
        ("/mo", True),
        ("/model s", True),
        ("@", True),
        ("see @", True),
        ("see (@", True),
        ("see(@", False),
        ("`@", True),
        ("看，@", True),
        ("me@", False),
        ("see @a", True),
        ('see @"my d', True),
        ('see @"my" d', False),
        ("see a", False),
        ("#1", True),
        ("a$", False),
        ("/a!", False),
    ],
)
def test_typing_opens_the_menu_in_commands_and_trigger_tokens(before: str, asks: bool) -> None:
    assert asks_for_suggestions(before[-1], 0, before, frozenset("@#")) is asks


def test_commands_are_on_the_first_line_only() -> None:
    assert not asks_for_suggestions("/", 1, "/", frozenset("@#"))
    assert not asks_for_suggestions("m", 1, "/m", frozenset("@#"))
    assert ends_in_trigger_token("x @src/a", frozenset("@#"))


class _Provider:
    """Answers when it is told to, and notes what it was asked."""

    def __init__(self) -> None:
        self.trigger_characters = ["$", "/", " ", "ab"]
        self.asked: list[str] = []
        self.asked_twice = asyncio.Event()
        self.signals: list[AbortSignal] = []
        self.answers: asyncio.Queue[Suggestions | Exception | None] = asyncio.Queue()

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        self.asked.append(lines[cursor_line])
        if len(self.asked) == 2:
            self.asked_twice.set()
        self.signals.append(signal)
        answer = await self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        return Completion(lines, cursor_line, cursor_col)


def test_only_single_characters_can_be_triggers() -> None:
    assert trigger_characters_of(_Provider()) == {"@", "#", "$"}
    assert trigger_characters_of(None) == {"@", "#"}


def _request(text: str, delay: float = 0.0) -> SuggestionRequest:
    return SuggestionRequest([text], 0, len(text), version=1, delay=delay)


async def _turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_newer_request_waits_for_the_older_one_and_alone_is_answered() -> None:
    delivered: list[tuple[str, Suggestions | None]] = []
    provider = _Provider()
    requests = SuggestionRequests(lambda r, s: delivered.append((r.lines[0], s)), provider)
    requests.ask(_request("a"))
    await _turns()
    requests.ask(_request("ab"))
    requests.ask(_request("abc"))
    await _turns()
    assert provider.asked == ["a"]
    assert provider.signals[0].aborted
    answer = Suggestions([AutocompleteItem("x", "x")], "")
    provider.answers.put_nowait(answer)
    await _turns()
    assert provider.asked == ["a", "abc"]
    assert delivered == []
    provider.answers.put_nowait(None)
    await _turns()
    assert delivered == [("abc", None)]
    assert not requests.pending


async def test_a_provider_that_does_not_heed_the_signal_is_stopped() -> None:
    delivered: list[str] = []
    provider = _Provider()
    requests = SuggestionRequests(lambda r, s: delivered.append(r.lines[0]), provider, grace=0.001)
    requests.ask(_request("a"))
    await _turns()
    requests.ask(_request("b"))
    await provider.asked_twice.wait()
    provider.answers.put_nowait(None)
    await _turns()
    assert delivered == ["b"]


async def test_a_failing_provider_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    delivered: list[Suggestions | None] = []
    provider = _Provider()
    requests = SuggestionRequests(lambda r, s: delivered.append(s), provider)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            provider.answers.put_nowait(ValueError("broken"))
            requests.ask(_request("a"))
            await _turns()
    assert delivered == [None] * 3
    assert len(caplog.records) == 1
    assert "_Provider" in caplog.text


async def test_a_request_replaced_while_it_waits_is_never_asked() -> None:
    provider = _Provider()
    requests = SuggestionRequests(lambda r, s: None, provider)
    requests.ask(_request("@", delay=60))
    await _turns()
    requests.ask(_request("@a", delay=60))
    await _turns()
    assert provider.asked == []
    requests.ask(_request("/"))
    await _turns()
    assert provider.asked == ["/"]
    requests.close()
    await _turns()
    assert not requests.pending
