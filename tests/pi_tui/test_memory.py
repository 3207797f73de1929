"""Memory grows with the text of a document, and not once more for everything that is around it."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from functools import partial

import pytest

from pi_tui.component import Component
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal

pytestmark = pytest.mark.anyio

ROWS_OF_ENTRY = 5
COLUMNS = 80
# A row of text as Python keeps it.
ROW_BYTES = COLUMNS + 49


def entry(number: int) -> Text:
    return Text(f"{number:>5} " + "words of an entry " * (ROWS_OF_ENTRY * COLUMNS // 18 - 1), 0, 0)


def plain(entries: list[Component]) -> Component:
    document = Transcript()
    for one in entries:
        document.append(one)
    return VStack([ScrollView(document, follow="end", primary=True)])


def nested(levels: int, entries: list[Component]) -> Component:
    inner = Container()
    for one in entries:
        inner.add_child(one)
    for level in range(levels):
        outer = Box(0, 0) if level % 2 else Container()
        outer.add_child(inner)
        inner = outer
    return VStack([VStack([ScrollView(inner, follow="end", primary=True)])])


async def bytes_of(build: Callable[[list[Component]], Component], count: int) -> int:
    """Return what a document takes besides its entries as they were made, once it has been looked through."""
    entries: list[Component] = [entry(number) for number in range(count)]
    gc.collect()
    tracemalloc.start()
    tui = TuiAltScreen(HeadlessTerminal(COLUMNS, 24), environ={})
    tui.set_layout_root(build(entries))
    tui.start()
    tui.render_now()
    for place in range(0, count * ROWS_OF_ENTRY, count * ROWS_OF_ENTRY // 10):
        view = tui.primary_view
        assert view is not None
        view.scroll_to(place)
        tui.render_now()
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    tui.stop()
    return taken


async def test_what_nobody_has_looked_at_takes_next_to_nothing() -> None:
    few, many = [await bytes_of(plain, count) for count in (1_000, 10_000)]
    assert (many - few) / 9_000 < ROW_BYTES / 4


async def test_what_is_around_a_document_shares_its_rows() -> None:
    alone, deep = [await bytes_of(partial(nested, levels), 200) for levels in (0, 4)]
    per_row_and_level = (deep - alone) / (200 * ROWS_OF_ENTRY * 4)
    assert per_row_and_level < ROW_BYTES / 4
