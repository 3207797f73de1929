"""The frame loop and the way of the input, on a terminal in memory."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from pi_tui.component import Component, render_child
from pi_tui.components.container import Container
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.events import FocusEvent, InputEvent, KeyEvent, PasteEvent, ResizeEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.testing import HeadlessTerminal, Pilot

pytestmark = pytest.mark.anyio


class Counting(Component):
    """Shows a text, counts renders, remembers its input."""

    def __init__(self, text: str = "", height: int = 1) -> None:
        self.focused = False
        self.renders = 0
        self.widths: list[int] = []
        self.keys: list[str] = []
        self.pastes: list[str] = []
        self._rows = [text] * height

    def set_text(self, text: str) -> None:
        self._rows = [text] * len(self._rows)

    def render(self, width: int) -> list[str]:
        self.renders += 1
        self.widths.append(width)
        return self._rows

    def handle_key(self, event: KeyEvent) -> bool:
        self.keys.append(event.id)
        return event.id != "f5"

    def handle_paste(self, event: PasteEvent) -> None:
        self.pastes.append(event.text)


@asynccontextmanager
async def started(
    *children: Component, columns: int = 20, rows: int = 6, answers: tuple[str, ...] = ()
) -> AsyncIterator[tuple[TuiAltScreen, Pilot]]:
    terminal = HeadlessTerminal(columns, rows, answers=answers)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    for child in children:
        tui.add_child(child)
    tui.start()
    try:
        yield tui, Pilot(tui, terminal)
    finally:
        tui.stop()


async def frames(tui: TuiAltScreen, count: int) -> None:
    """Wait until so many frames have been drawn in all."""
    assert isinstance(tui.terminal, HeadlessTerminal)
    async with asyncio.timeout(10):
        while tui.frames_drawn < count:
            await tui.terminal.wait_changed()
            await asyncio.sleep(0)


async def test_any_number_of_requests_makes_one_frame() -> None:
    component = Counting("x")
    async with started(component) as (tui, _):
        await frames(tui, 1)
        for _ in range(100):
            tui.request_render()
        await frames(tui, 2)
        assert component.renders == 2
        await asyncio.sleep(0.05)
        assert tui.frames_drawn == 2


async def test_frames_keep_their_distance_but_a_key_is_shown_at_once() -> None:
    component = Counting("x")
    async with started(component) as (tui, pilot):
        tui.set_focus(component)
        tui.render_now()
        drawn = tui.frames_drawn
        tui.request_render()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert tui.frames_drawn == drawn
        pilot.terminal.send(b"a")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert tui.frames_drawn == drawn + 1


async def test_scrolling_renders_no_component_that_was_drawn() -> None:
    transcript = Transcript()
    entries = [Counting(f"entry {number}", 3) for number in range(500)]
    for entry in entries:
        transcript.append(entry)
    async with started() as (tui, pilot):
        view = ScrollView(transcript, follow="end", primary=True)
        tui.set_layout_root(VStack([StackEntry(view, basis=0, grow=1)]))
        tui.render_now()
        before = [entry.renders for entry in entries]
        tui.scroll_by(-2)
        await pilot.terminal.wait_changed()
        again = [entry.renders - old for entry, old in zip(entries, before, strict=True)]
        assert not any(count for count, old in zip(again, before, strict=True) if old)
        assert sum(1 for count in again if count) == 1  # the entry that came into sight
        assert not tui.is_following_output


async def test_page_keys_scroll_and_the_focused_component_does_not_see_them() -> None:
    transcript = Transcript()
    for number in range(50):
        transcript.append(Counting(f"entry {number}"))
    prompt = Counting(">")
    async with started() as (tui, pilot):
        view = ScrollView(transcript, follow="end", primary=True)
        tui.set_layout_root(VStack([StackEntry(view, basis=0, grow=1, min_size=1), prompt]))
        tui.set_focus(prompt)
        tui.render_now()
        assert pilot.lines() == [f"entry {n}" for n in range(45, 50)] + [">"]
        pilot.press("pageUp")
        assert pilot.lines()[0] == "entry 43"  # a page of a small view is at least half of it
        pilot.press("ctrl+home")
        assert pilot.lines()[0] == "entry 0"
        pilot.press("ctrl+end")
        assert pilot.lines()[4] == "entry 49"
        assert prompt.keys == []
        prompt.captures_viewport_input = True
        pilot.press("pageUp")
        assert prompt.keys == ["pageUp"]


async def test_keys_and_pastes_go_to_the_focused_component() -> None:
    first, second = Counting("1"), Counting("2")
    async with started(first, second) as (tui, pilot):
        tui.set_focus(first)
        assert first.focused
        pilot.type("ab")
        tui.set_focus(second)
        assert (first.focused, second.focused) == (False, True)
        pilot.paste("two\nlines")
        pilot.press("escape")
        assert first.keys == ["a", "b"]
        assert second.pastes == ["two\nlines"]
        assert second.keys == ["escape"]
        tui.set_focus(None)
        pilot.type("lost")
        assert first.keys == ["a", "b"]


async def test_what_nobody_used_goes_to_the_program() -> None:
    component = Counting("x")
    unused: list[str] = []
    async with started(component) as (tui, pilot):
        tui.set_focus(component)
        tui.on_unhandled_key = lambda event: unused.append(event.id)
        pilot.terminal.send(b"\x1b[15~a")
        assert unused == ["f5"]


async def test_listeners_see_everything_first_in_order() -> None:
    component = Counting("x")
    seen: list[InputEvent] = []
    async with started(component) as (tui, pilot):
        tui.set_focus(component)

        def swap(event: InputEvent) -> InputEvent | dict[str, bool] | None:
            if isinstance(event, KeyEvent) and event.id == "a":
                return KeyEvent("b", "b")
            if isinstance(event, KeyEvent) and event.id == "c":
                return {"consume": True}
            return None

        def broken(event: InputEvent) -> None:
            raise RuntimeError("a listener that fails is passed over")

        def watch(event: InputEvent) -> None:
            seen.append(event)

        tui.add_input_listener(swap)
        tui.add_input_listener(broken)
        unsubscribe = tui.add_input_listener(watch)
        pilot.type("acd")
        assert component.keys == ["b", "d"]
        pilot.terminal.send(b"\x1b[O\x1b[I")
        pilot.resize(30, 8)
        assert FocusEvent(False) in seen
        assert FocusEvent(True) in seen
        assert ResizeEvent(30, 8) in seen
        unsubscribe()
        pilot.type("e")
        assert not any(isinstance(e, KeyEvent) and e.id == "e" for e in seen)


async def test_replies_of_the_terminal_are_never_typed() -> None:
    component = Counting("x")
    async with started(component, answers=("da1", "kitty", "osc10", "osc11")) as (tui, pilot):
        tui.set_focus(component)
        colors = await tui.query_terminal_colors(timeout=5)
        assert colors.background == (16, 16, 16)
        assert colors.foreground == (208, 208, 208)
        for byte in b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?62;4c\x1b[?7u":
            pilot.terminal.send(bytes([byte]))
        pilot.type("h")
        assert component.keys == ["h"]


async def test_the_palette_is_known_when_all_of_it_is() -> None:
    async with started(Counting("x"), answers=("da1", "osc10", "osc11", "osc4")) as (tui, _):
        colors = await tui.query_terminal_colors(timeout=5)
        assert colors.palette == tuple((index,) * 3 for index in range(16))
    async with started(Counting("x")) as (tui, pilot):
        asked = asyncio.create_task(tui.query_terminal_colors(timeout=5))
        await asyncio.sleep(0)
        for index in range(15):
            pilot.terminal.send(f"\x1b]4;{index};rgb:ff/ff/ff\x07".encode())
        pilot.terminal.send(b"\x1b]4;99;rgb:0/0/0\x07\x1b]4;3;nonsense\x07\x1b[?62c\x1b[?62c")
        assert (await asked).palette is None


async def test_reports_of_light_and_dark_are_on_as_long_as_they_are_wanted() -> None:
    told: list[str] = []
    async with started(Counting("x")) as (tui, pilot):
        modes = pilot.terminal.grid.modes
        unsubscribe = tui.on_terminal_color_scheme_change(told.append)
        tui.on_terminal_color_scheme_change(lambda scheme: [][0])
        assert 2031 not in modes
        tui.set_terminal_color_scheme_notifications(True)
        assert 2031 in modes
        pilot.terminal.send(b"\x1b[?997;2n")
        tui.stop()
        assert 2031 not in modes
        tui.start()
        assert 2031 in modes
        unsubscribe()
        pilot.terminal.send(b"\x1b[?997;1n")
        assert told == ["light"]
        tui.set_terminal_color_scheme_notifications(False)
        assert 2031 not in modes


async def test_a_terminal_that_answers_nothing_costs_the_time_limit_only() -> None:
    async with started(Counting("x")) as (tui, _):
        colors = await tui.query_terminal_colors(timeout=0.01)
        assert colors.background is None


async def test_a_late_reply_still_counts() -> None:
    late: list[tuple[int, int, int] | None] = []
    async with started(Counting("x")) as (tui, pilot):
        await tui.query_terminal_colors(0.01, lambda colors: late.append(colors.background))
        pilot.terminal.send(b"\x1b]11;#ffffff\x07")
        assert late == [(255, 255, 255)]


async def test_the_keyboard_is_asked_for_and_given_back() -> None:
    async with started(Counting("x"), answers=("kitty", "da1")) as (tui, pilot):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert pilot.terminal.grid.kitty_flags == (7,)
        assert not pilot.terminal.grid.modify_other_keys
        tui.stop()
        assert not pilot.terminal.grid.kitty_flags


async def test_without_kitty_the_other_protocol_is_used() -> None:
    async with started(Counting("x"), answers=("da1",)) as (tui, pilot):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert pilot.terminal.grid.modify_other_keys
        tui.stop()
        assert not pilot.terminal.grid.modify_other_keys


def test_a_program_whose_terminal_is_gone_ends_as_hung_up() -> None:
    class HangsUp(Component):
        def render(self, width: int) -> list[str]:
            terminal.is_gone = True
            terminal.close()
            return [""]

    terminal = HeadlessTerminal(20, 6)
    tui = TuiAltScreen(terminal, environ={})
    tui.add_child(HangsUp())
    with pytest.raises(SystemExit, match="129"):
        tui.run()


def test_an_error_that_nobody_caught_is_raised_where_the_end_is_waited_for() -> None:
    def fail() -> None:
        raise ValueError("nobody expected this")

    async def run() -> None:
        async with started(Counting("x")) as (tui, _):
            tui.call_later(0, fail)
            with pytest.raises(ValueError, match="nobody expected this"):
                await tui.wait_stopped()
            assert not tui.is_started

    asyncio.run(run())


def test_an_error_of_a_forgotten_task_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("nobody waits for this")

    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with started(Counting("x")) as (tui, _):
            task = loop.create_task(fail())
            await asyncio.wait([task])
            del task
            gc.collect()
            assert tui.is_started
        assert loop.get_exception_handler() is None

    asyncio.run(run())
    assert "nobody waits for this" in caplog.text


async def test_nothing_is_drawn_after_the_end() -> None:
    component = Counting("x")
    async with started(component) as (tui, pilot):
        tui.render_now()
        tui.request_render()
        tui.stop()
        drawn, written = tui.frames_drawn, pilot.terminal.grid.bytes_written
        tui.request_render(force=True)
        tui.render_now()
        await asyncio.sleep(0.05)
        assert tui.frames_drawn == drawn
        assert pilot.terminal.grid.bytes_written == written


async def test_a_busy_terminal_gets_the_latest_frame_when_it_is_ready() -> None:
    component = Counting("first")
    async with started(component) as (tui, pilot):
        tui.render_now()
        pilot.terminal.is_busy = True
        for text in ("second", "third"):
            component.set_text(text)
            tui.render_now()
        assert pilot.lines()[0] == "first"
        pilot.terminal.is_busy = False
        pilot.terminal.ready()
        await pilot.wait_for("third")


async def test_a_component_that_fails_is_replaced_by_one_row() -> None:
    class Broken(Component):
        def render(self, width: int) -> list[str]:
            raise ValueError("no rows today, whatever the width of this terminal may be")

    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={})
    reported: list[Exception] = []
    tui.on_component_error = lambda component, error: reported.append(error)
    tui.add_child(Counting("above"))
    tui.add_child(Broken())
    tui.add_child(Counting("below"))
    tui.start()
    tui.render_now()
    tui.render_now()
    assert terminal.grid.lines()[0] == "above"
    assert terminal.grid.lines()[1].startswith("[render error: Va")
    assert terminal.grid.lines()[2] == "below"
    assert len(reported) == 1
    tui.stop()


async def test_a_handler_that_fails_loses_that_input_only() -> None:
    class Fussy(Counting):
        def handle_key(self, event: KeyEvent) -> bool:
            if event.id == "x":
                raise ValueError("not that one")
            return super().handle_key(event)

    component = Fussy("f")
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={})
    tui.add_child(component)
    tui.set_focus(component)
    tui.start()
    Pilot(tui, terminal).type("axb")
    assert component.keys == ["a", "b"]
    assert len(tui.problems.reports) == 1
    tui.stop()


async def test_a_line_that_is_too_wide_is_reported_once_with_both_widths() -> None:
    component = Counting("ok")
    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={})
    tui.add_child(component)
    tui.start()
    tui.render_now()
    component.set_text("X" * 24)
    for _ in range(3):
        tui.render_now(force=True)
    assert terminal.grid.lines()[0] == "X" * 20
    [(_, error)] = tui.problems.reports
    assert "Counting" in str(error)
    assert "24 cells where 20 fit" in str(error)
    tui.stop()


async def test_of_containers_in_containers_the_one_part_that_is_too_wide_is_named() -> None:
    culprit = Counting("X" * 24)
    inner, outer = Container(), Container()
    for part in (Text("fine", 0, 0), culprit, Counting("Y")):
        inner.add_child(part)
    outer.add_child(Text("above", 0, 0))
    outer.add_child(inner)
    tui = TuiAltScreen(HeadlessTerminal(20, 6), environ={})
    tui.set_layout_root(outer)
    tui.start()
    tui.render_now()
    [(component, error)] = tui.problems.reports
    assert component is culprit
    assert "Counting returned a line of 24 cells" in str(error)
    tui.stop()


async def test_the_same_frame_writes_nothing() -> None:
    async with started(Counting("x")) as (tui, pilot):
        tui.render_now()
        rows = pilot.terminal.rows_written
        tui.render_now()
        assert pilot.terminal.rows_written == rows


class Acting(Component):
    """Does something in the middle of every render."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.renders = 0
        self._action = action

    def render(self, width: int) -> list[str]:
        self.renders += 1
        self._action()
        return [f"render {self.renders}"]


async def test_nothing_typed_is_used_once_a_key_has_stopped_the_program() -> None:
    component = Counting("x")
    heard: list[str] = []
    async with started(component) as (tui, pilot):
        tui.set_focus(component)

        def stop(event: InputEvent) -> None:
            if isinstance(event, KeyEvent) and event.id == "q":
                tui.stop()

        def hear(event: InputEvent) -> None:
            if isinstance(event, KeyEvent):
                heard.append(event.id)

        tui.add_input_listener(stop)
        tui.add_input_listener(hear)
        pilot.terminal.send(b"aqb")
        assert component.keys == ["a"]
        assert heard == ["a"]


async def test_a_program_that_leaves_ignores_what_is_typed_until_it_has_stopped() -> None:
    component = Counting("x")
    async with started(component) as (tui, pilot):
        tui.set_focus(component)

        def leave(event: InputEvent) -> None:
            if isinstance(event, KeyEvent) and event.id == "q":
                tui.ignore_input()

        unsubscribe = tui.add_input_listener(leave)
        pilot.terminal.send(b"aqb")
        pilot.type("c")
        pilot.paste("d")
        assert (component.keys, component.pastes) == (["a"], [])
        unsubscribe()
        tui.stop()
        tui.start()
        pilot.type("e")
        assert component.keys == ["a", "e"]


async def test_slow_frames_leave_turns_of_the_loop_for_the_rest() -> None:
    component = Acting(lambda: time.sleep(0.02))
    async with started(component) as (tui, _):
        tui.render_now()
        turns = 0
        while tui.frames_drawn < 5:
            tui.request_render()
            await asyncio.sleep(0)
            turns += 1
        assert turns > 5 * 10


async def test_a_frame_asked_for_while_one_is_drawn_is_drawn_after_it() -> None:
    async with started() as (tui, pilot):
        asked = iter((tui.render_now, tui.request_render, tui.request_view))
        component = Acting(lambda: next(asked, int)())
        tui.add_child(component)
        tui.render_now()
        assert component.renders == 1
        await pilot.wait_for("render 2")
        await pilot.wait_for(lambda: tui.frames_drawn >= 4)
        await asyncio.sleep(0.05)
        assert tui.frames_drawn == 4


async def test_a_frame_in_which_the_program_stops_is_not_drawn() -> None:
    async with started() as (tui, pilot):
        tui.render_now()
        drawn = tui.frames_drawn
        tui.add_child(Acting(tui.stop))
        tui.render_now()
        assert tui.frames_drawn == drawn
        assert not pilot.terminal.grid.alternate_screen


async def test_a_burst_of_resizes_is_drawn_first_and_last() -> None:
    component = Counting("x")
    async with started(component) as (tui, pilot):
        tui.render_now()
        drawn = tui.frames_drawn
        for columns in range(30, 60):
            pilot.terminal.resize(columns, 6)
            tui.request_render()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await pilot.wait_for(lambda: component.widths[-1] == 59)
        assert tui.frames_drawn <= drawn + 3


async def test_a_question_is_answered_at_once_after_a_restart_too() -> None:
    async with started(Counting("x")) as (tui, pilot):
        for _ in range(3):
            tui.stop()
            tui.start()
        asked = asyncio.create_task(tui.query_terminal_colors(timeout=1000))
        await asyncio.sleep(0)
        pilot.terminal.send(b"\x1b[?62;4c\x1b]11;#ffffff\x07\x1b[?62;4c")
        async with asyncio.timeout(5):
            assert (await asked).background == (255, 255, 255)


async def test_a_question_ends_with_the_program() -> None:
    async with started(Counting("x")) as (tui, _):
        asked = asyncio.create_task(tui.query_terminal_colors(timeout=1000))
        await asyncio.sleep(0)
        tui.stop()
        async with asyncio.timeout(5):
            assert (await asked).background is None


async def test_the_pilot_sees_a_condition_that_writes_nothing() -> None:
    async with started(Counting("x")) as (tui, pilot):
        tui.render_now()
        came_true: list[bool] = []
        asyncio.get_running_loop().call_later(0.01, came_true.append, True)
        await pilot.wait_for(lambda: bool(came_true), timeout=5)


async def test_scrolling_goes_on_over_an_entry_that_fails() -> None:
    class Broken(Component):
        def render(self, width: int) -> list[str]:
            raise ValueError("no rows")

    transcript = Transcript()
    for number in range(20):
        transcript.append(Broken() if number == 12 else Counting(f"entry {number}"))
    terminal = HeadlessTerminal(20, 6)
    tui = TuiAltScreen(terminal, environ={})
    tui.set_layout_root(ScrollView(transcript, follow="end", primary=True))
    tui.start()
    pilot = Pilot(tui, terminal)
    tui.render_now()
    pilot.press("pageUp", "pageUp")
    assert "[render error: Va" in pilot.screen()
    pilot.press("pageUp")
    assert "entry 8" in pilot.screen()
    tui.stop()
    with pytest.raises(ValueError, match="no rows"):
        render_child(Broken(), 20)


async def test_components_that_failed_do_not_live_for_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, "pi.tui")  # a kept record of the log would keep them

    class Fussy(Counting):
        def handle_key(self, event: KeyEvent) -> bool:
            raise ValueError("not that one")

    terminal = HeadlessTerminal(20, 4)
    tui = TuiAltScreen(terminal, environ={})
    tui.start()
    first = weakref.ref(Fussy())
    reported: list[str] = []
    tui.on_component_error = lambda component, error: reported.append(str(error))
    for number in range(300):
        component = Fussy()
        if number == 0:
            first = weakref.ref(component)
        tui.set_focus(component)
        terminal.send(b"xy")
    gc.collect()
    assert first() is None
    assert len(reported) == 300
    tui.stop()
