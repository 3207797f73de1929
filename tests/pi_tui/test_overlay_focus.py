"""Who has the keys while overlays come and go, told by who gets them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.fullscreen import TuiAltScreen
from pi_tui.overlay_handle import OverlayHandle
from pi_tui.testing import Pilot
from tests.pi_tui.overlay_screens import Lines, Page, started

pytestmark = pytest.mark.anyio


@dataclass
class Keys:
    """A program with an editor `e`, and names for whatever opens."""

    tui: TuiAltScreen
    pilot: Pilot
    page: Page
    e: Lines
    all: list[Lines] = field(default_factory=list)

    def new(self, name: str) -> Lines:
        """Return a component that can have the keys."""
        self.all.append(Lines(name, name=name))
        return self.all[-1]

    def open(self, name: str) -> Lines:
        """Open a dialog in the tree below the overlays and give it the keys."""
        dialog = self.new(name)
        self.page.children.append(dialog)
        self.tui.set_focus(dialog)
        return dialog

    def close(self, dialog: Lines, following: Lines | None) -> None:
        """Take a dialog out of the tree and set the focus."""
        self.page.children.remove(dialog)
        self.tui.set_focus(following)

    @property
    def focus(self) -> str:
        """The name of the focused component; exactly it says that it is focused."""
        component = self.tui.focused_component
        assert [one for one in self.all if one.focused] == ([component] if component else [])
        return repr(component) if component is not None else "nobody"

    def key(self) -> str:
        """Press a key and return who got it."""
        before = {one: len(one.keys) for one in self.all}
        self.pilot.press("x")
        got = [repr(one) for one in self.all if len(one.keys) > before[one]]
        assert len(got) <= 1
        return got[0] if got else "nobody"


@pytest.fixture
async def keys() -> AsyncIterator[Keys]:
    """Start the program with the keys in the editor."""
    page, e = Page(), Lines("e", name="e")
    page.children.append(e)
    async with started(page) as (tui, pilot):
        tui.set_focus(e)
        yield Keys(tui, pilot, page, e, [e])


async def test_an_overlay_has_the_keys_until_it_is_hidden(keys: Keys) -> None:
    handle = keys.tui.show_overlay(keys.new("a"))
    assert (keys.focus, keys.key(), handle.is_focused()) == ("a", "a", True)
    handle.hide()
    assert (keys.focus, keys.key(), handle.is_focused()) == ("e", "e", False)
    handle.hide()
    handle.focus()
    handle.set_hidden(False)
    handle.unfocus()
    assert keys.key() == "e"


async def test_a_non_capturing_overlay_gets_keys_only_when_asked_to(keys: Keys) -> None:
    handle = keys.tui.show_overlay(keys.new("n"), non_capturing=True)
    assert keys.key() == "e"
    handle.focus()
    assert keys.key() == "n"
    handle.unfocus()
    assert keys.key() == "e"
    handle.set_hidden(True)
    handle.set_hidden(False)
    assert keys.key() == "e"


async def test_overlays_are_removed_in_any_order(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    b = keys.tui.show_overlay(keys.new("b"))
    a.hide()
    assert keys.key() == "b"
    b.hide()
    assert keys.key() == "e"


async def test_hiding_goes_back_to_the_overlay_in_front(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    keys.tui.show_overlay(keys.new("b"))
    a.focus()
    assert keys.key() == "a"
    a.hide()
    assert keys.key() == "b"


async def test_the_one_shown_last_is_hidden_wherever_the_keys_are(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    keys.tui.show_overlay(keys.new("b"))
    a.focus()
    keys.tui.hide_overlay()
    assert (keys.key(), keys.tui.has_overlay()) == ("a", True)
    keys.tui.hide_overlay()
    assert (keys.key(), keys.tui.has_overlay()) == ("e", False)
    keys.tui.hide_overlay()


async def test_an_overlay_takes_the_keys_back_from_what_is_below(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    keys.tui.set_focus(keys.e)
    assert keys.focus == "e"
    assert keys.key() == "a"
    keys.tui.set_focus(keys.e)
    keys.pilot.paste("text")
    assert keys.all[1].pastes == ["text"]


async def test_a_dialog_below_keeps_the_keys_until_it_is_gone(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    d = keys.open("d")
    assert [keys.key(), keys.key()] == ["d", "d"]
    keys.close(d, keys.e)
    assert (keys.focus, keys.key()) == ("a", "a")


async def test_a_dialog_that_is_gone_for_nobody_returns_the_keys(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    d = keys.open("d")
    keys.close(d, None)
    assert keys.key() == "a"
    keys.tui.set_focus(keys.open("d2"))
    keys.tui.set_focus(None)
    assert keys.key() == "a"


async def test_dialogs_nest_below_an_overlay(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    outer = keys.open("d1")
    inner = keys.open("d2")
    assert keys.key() == "d2"
    keys.close(inner, keys.e)
    assert (keys.focus, keys.key()) == ("d1", "d1")
    keys.close(outer, keys.e)
    assert keys.key() == "a"


async def test_an_outer_dialog_may_go_first(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    outer, inner = keys.open("d1"), keys.open("d2")
    keys.close(outer, inner)
    assert keys.key() == "d2"
    keys.close(inner, keys.e)
    assert keys.key() == "a"


async def test_a_dialog_out_of_sight_of_the_tree_holds_the_keys_too(keys: Keys) -> None:
    """A layout root need not show its parts to anybody."""
    keys.tui.show_overlay(keys.new("a"))
    keys.tui.set_focus(keys.new("d1"))
    keys.tui.set_focus(keys.new("d2"))
    assert [keys.key(), keys.key()] == ["d2", "d2"]
    keys.tui.set_focus(keys.e)
    assert keys.key() == "a"


async def test_given_up_during_a_dialog_the_keys_do_not_return(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    d = keys.open("d")
    a.unfocus()
    assert keys.key() == "d"
    keys.close(d, keys.e)
    assert [keys.key(), keys.key()] == ["e", "e"]


@pytest.mark.parametrize("to_nobody", [True, False])
async def test_given_up_for_somebody_during_a_dialog(keys: Keys, to_nobody: bool) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    d, other = keys.open("d"), keys.new("t")
    a.unfocus(target=None if to_nobody else other)
    assert keys.key() == "d"
    keys.close(d, keys.e)
    assert keys.key() == ("nobody" if to_nobody else "t")


async def test_keys_are_given_up_to_the_next_overlay_or_to_a_target(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    b = keys.tui.show_overlay(keys.new("b"))
    b.unfocus()
    assert keys.key() == "a"
    a.unfocus(target=keys.e)
    assert [keys.key(), keys.key()] == ["e", "e"]
    a.focus()
    a.unfocus(target=None)
    assert [keys.key(), keys.focus] == ["nobody", "nobody"]


async def test_who_looks_away_for_good_keeps_what_was_focused_meanwhile(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    keys.tui.set_focus(keys.e)
    a.unfocus()
    assert keys.key() == "e"


async def test_nobody_means_nobody(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    keys.tui.set_focus(None)
    assert [keys.key(), keys.key()] == ["nobody", "nobody"]
    keys.tui.set_focus(keys.e)
    assert keys.key() == "e"


async def test_an_overlay_that_does_not_show_lets_the_keys_go_and_gets_them_back(
    keys: Keys,
) -> None:
    shows = True
    keys.tui.show_overlay(keys.new("a"), visible=lambda columns, rows: shows)
    assert keys.key() == "a"
    shows = False
    assert keys.key() == "e"
    shows = True
    assert keys.key() == "a"


async def test_the_keys_of_one_that_does_not_show_go_to_the_next_overlay(keys: Keys) -> None:
    shows = True
    keys.tui.show_overlay(keys.new("a"))
    keys.tui.show_overlay(keys.new("b"), visible=lambda columns, rows: shows)
    shows = False
    assert keys.key() == "a"
    keys.tui.hide_overlay()
    assert keys.key() == "a"


async def test_it_waits_for_its_keys_while_others_come_and_go(keys: Keys) -> None:
    shows = True
    keys.tui.show_overlay(keys.new("a"), visible=lambda columns, rows: shows)
    b = keys.tui.show_overlay(keys.new("b"))
    keys.tui.set_focus(keys.all[1])
    shows = False
    assert keys.key() == "b"
    b.hide()
    assert keys.key() == "e"
    shows = True
    assert keys.key() == "a"


async def test_shown_while_it_cannot_be_seen_it_takes_no_keys(keys: Keys) -> None:
    handle = keys.tui.show_overlay(keys.new("a"), visible=lambda columns, rows: False)
    handle.focus()
    assert (keys.key(), handle.get_bounds(), keys.tui.has_overlay()) == ("e", None, False)


async def test_hidden_for_a_while(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    b = keys.tui.show_overlay(keys.new("b"))
    b.set_hidden(True)
    assert (keys.key(), b.is_hidden(), b.get_bounds()) == ("a", True, None)
    b.focus()
    assert keys.key() == "a"
    a.set_hidden(True)
    assert keys.key() == "e"
    b.set_hidden(False)
    assert (keys.key(), b.is_hidden()) == ("b", False)
    b.hide()
    assert keys.key() == "e"


async def test_hidden_below_a_dialog_it_does_not_come_back_with_the_keys(keys: Keys) -> None:
    a = keys.tui.show_overlay(keys.new("a"))
    d = keys.open("d")
    a.set_hidden(True)
    keys.close(d, keys.e)
    assert keys.key() == "e"


async def test_the_overlay_below_one_that_is_gone_has_the_keys_after_a_dialog(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    b = keys.tui.show_overlay(keys.new("b"))
    d = keys.open("d")
    b.hide()
    assert keys.key() == "d"
    keys.close(d, keys.e)
    assert keys.key() == "a"


async def test_a_dialog_stays_answerable_after_an_overlay_over_it(keys: Keys) -> None:
    keys.tui.show_overlay(keys.new("a"))
    d = keys.open("d")
    b = keys.tui.show_overlay(keys.new("b"))
    assert keys.key() == "b"
    b.hide()
    assert keys.key() == "d"
    keys.close(d, keys.e)
    assert keys.key() == "a"


async def test_what_is_focused_inside_an_overlay_belongs_to_it(keys: Keys) -> None:
    inner = keys.new("inner")
    outer = keys.new("outer")
    outer.child = inner  # type: ignore[attr-defined]  # any component may have a child
    handle = keys.tui.show_overlay(outer)
    keys.tui.set_focus(inner)
    assert ([keys.key(), keys.key()], handle.is_focused()) == (["inner", "inner"], True)
    handle.hide()
    assert keys.key() == "e"


async def test_the_editor_may_change_below_an_overlay_that_has_no_keys(keys: Keys) -> None:
    n = keys.tui.show_overlay(keys.new("n"), non_capturing=True)
    f = keys.new("f")
    keys.tui.set_focus(f)
    n.focus()
    n.unfocus()
    assert keys.key() == "f"


class Crowd:
    """Overlays and dialogs that come and go. Each step takes a number that chooses which."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.overlays: list[tuple[Lines, OverlayHandle]] = []
        self.dialogs: list[Lines] = []
        self.vanished: set[Lines] = set()

    def show(self, which: int, passive: bool = False) -> None:
        one = self.keys.new(f"o{len(self.keys.all)}")

        def visible(columns: int, rows: int) -> bool:
            return one not in self.vanished

        handle = self.keys.tui.show_overlay(one, non_capturing=passive, visible=visible)
        self.overlays.append((one, handle))

    def show_passive(self, which: int) -> None:
        self.show(which, passive=True)

    def open(self, which: int) -> None:
        self.dialogs.append(self.keys.open(f"d{len(self.keys.all)}"))

    def close(self, which: int) -> None:
        if self.dialogs:
            dialog = self.dialogs.pop(which % len(self.dialogs))
            self.keys.close(dialog, self.dialogs[-1] if self.dialogs else self.keys.e)

    def focus_below(self, which: int) -> None:
        self.keys.tui.set_focus(self.dialogs[-1] if self.dialogs else self.keys.e)

    def use_handle(self, which: int) -> None:
        if not self.overlays:
            return
        one, handle = self.overlays[which // 6 % len(self.overlays)]
        match which % 6:
            case 0:
                handle.hide()
            case 1:
                handle.set_hidden(not handle.is_hidden())
            case 2:
                handle.focus()
            case 3:
                handle.unfocus()
            case 4:
                handle.unfocus(target=None)
            case _:
                self.vanished.symmetric_difference_update({one})

    def seen(self) -> set[str]:
        """Return the names of what can be seen, by where it was drawn."""
        drawn = {repr(one) for one, handle in self.overlays if handle.get_bounds() is not None}
        return {"e", *map(repr, self.dialogs), *drawn}


STEPS = (
    Crowd.show,
    Crowd.show_passive,
    Crowd.open,
    Crowd.close,
    Crowd.focus_below,
    Crowd.use_handle,
    Crowd.use_handle,
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 59)), max_size=30))
async def test_whatever_happens_keys_reach_only_what_can_be_seen(
    steps: list[tuple[Callable[[Crowd, int], None], int]],
) -> None:
    """Overlays come, go, hide and vanish in any order, dialogs open and close below them."""
    page, e = Page(), Lines("e", name="e")
    page.children.append(e)
    async with started(page) as (tui, pilot):
        tui.set_focus(e)
        keys = Keys(tui, pilot, page, e, [e])
        crowd = Crowd(keys)
        for step, which in steps:
            step(crowd, which)
            tui.render_now()
            got = keys.key()
            assert got in {"nobody", *crowd.seen()}
            assert keys.focus == got
