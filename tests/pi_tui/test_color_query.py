"""Whose answer a colour is, in whatever order and however late it comes."""

from __future__ import annotations

import asyncio

import pytest

from pi_tui.color_query import ColorQueries, ColorQuery, TerminalColors

pytestmark = pytest.mark.anyio

RED, BLUE = "#ff0000", "rgb:00/00/ff"
PALETTE = tuple((index, 0, 0) for index in range(16))


class Asked:
    """Questions that were asked one after another, and what each was told too late."""

    def __init__(self, count: int) -> None:
        self.queries = ColorQueries()
        self.late: list[list[TerminalColors]] = [[] for _ in range(count)]
        loop = asyncio.get_running_loop()
        self.asked: list[ColorQuery] = [self.queries.open(loop, late.append) for late in self.late]

    def answer_all(self, background: str) -> None:
        self.queries.color_reply("foreground", RED)
        self.queries.color_reply("background", background)
        for index in range(16):
            self.queries.color_reply("palette", f"{index};#{index:02x}0000")


async def test_all_that_is_asked_ends_the_wait() -> None:
    asked = Asked(1)
    asked.answer_all(BLUE)
    colors = await asked.asked[0].result(timeout=1000)
    assert colors == TerminalColors((255, 0, 0), (0, 0, 255), PALETTE)
    assert asked.late == [[]]


async def test_the_end_of_the_answers_ends_the_wait() -> None:
    asked = Asked(1)
    asked.queries.color_reply("background", BLUE)
    assert asked.queries.device_attributes_reply()
    assert await asked.asked[0].result(timeout=1000) == TerminalColors(background=(0, 0, 255))


async def test_colours_behind_the_end_of_the_answers_are_late() -> None:
    asked = Asked(1)
    assert asked.queries.device_attributes_reply()
    assert await asked.asked[0].result(timeout=1000) == TerminalColors()
    asked.queries.color_reply("background", BLUE)
    assert asked.late == [[TerminalColors(background=(0, 0, 255))]]


async def test_answers_belong_to_the_oldest_question() -> None:
    asked = Asked(2)
    asked.queries.color_reply("background", BLUE)
    assert asked.queries.device_attributes_reply()
    asked.queries.color_reply("background", RED)
    assert asked.queries.device_attributes_reply()
    first, second = [await query.result(timeout=1000) for query in asked.asked]
    assert (first.background, second.background) == ((0, 0, 255), (255, 0, 0))


async def test_what_has_all_its_answers_takes_none_of_another() -> None:
    """A terminal that answers with colours, and not to the question that ends them."""
    asked = Asked(2)
    asked.answer_all(BLUE)
    asked.answer_all(RED)
    first, second = [await query.result(timeout=1000) for query in asked.asked]
    assert (first.background, second.background) == ((0, 0, 255), (255, 0, 0))
    assert asked.late == [[], []]


async def test_an_end_that_nobody_asked_for_ends_nothing() -> None:
    queries = ColorQueries()
    queries.count_foreign_reply()
    query = queries.open(asyncio.get_running_loop(), None)
    assert not queries.device_attributes_reply()
    queries.color_reply("background", BLUE)
    assert queries.device_attributes_reply()
    assert not queries.device_attributes_reply()
    assert (await query.result(timeout=1000)).background == (0, 0, 255)


async def test_without_an_answer_the_time_ends_the_wait() -> None:
    asked = Asked(1)
    assert await asked.asked[0].result(timeout=0) == TerminalColors()
    asked.queries.color_reply("background", BLUE)
    asked.queries.color_reply("background", "purple")
    assert [colors.background for colors in asked.late[0]] == [(0, 0, 255), None]
