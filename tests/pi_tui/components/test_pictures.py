"""Components as pictures at 20, 40 and 80 columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.choices import SelectItem
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.editor import Editor
from pi_tui.components.hstack import HStack
from pi_tui.components.input import Input
from pi_tui.components.loader import Indicator, Loader
from pi_tui.components.markdown import Markdown
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.select_list import SelectList
from pi_tui.components.settings_list import SettingItem, SettingsList
from pi_tui.components.spacer import Spacer
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.components.truncated_text import TruncatedText
from pi_tui.events import PasteEvent
from pi_tui.layout import LayoutContext, StackEntry, Viewport, layout_box
from pi_tui.markdown_theme import get_markdown_theme
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.theme import Theme, get_editor_theme, get_select_list_theme, get_settings_list_theme

SNAPSHOTS = Path(__file__).resolve().parents[3] / "snapshots" / "pi_tui" / "components"
MODE = get_terminal_color_mode({"COLORTERM": "truecolor"})
MIXED = (
    "A line of text with wide 日本語 and 👍🏽, a family 👨‍👩‍👧 and é.\n\n"
    "  Indented, and a_very_long_word_that_does_not_fit_on_a_narrow_row."
)

MARKDOWN = """\
# A heading with `code`
Some **bold**, *slanted* and ~~struck~~ words, and [a link](https://example.org/page).
A second line with 日本語の**「太字」**です and https://example.org/a。

1. One
   - nested, and long enough to go on in a second row
2. Two, with code:
   ```python
   def area(r: float) -> float:
       return 3.14 * r ** 2  # roughly
   ```
- [ ] open
- [x] done

> A quote with **bold** text and `code` in it
>
> - and a list

| Flag | What it does |
|---|---|
| `-v` | says more about what is going on |
| 日本 | wide |

### Third level
---
"""


class Host:
    """A screen of 24 rows that draws nothing."""

    columns = 80
    rows = 24

    def request_render(self, force: bool = False) -> None:
        """Do nothing."""


def themes() -> dict[str, Theme]:
    return {name: load_bundled_theme(name, color_mode=MODE) for name in ("dark", "light")}


def text(theme: Theme) -> Callable[[int], list[str]]:
    both = Container()
    both.add_child(Text(MIXED, 1, 0))
    both.add_child(Spacer(1))
    styled = theme.style("Bold on a panel", fg="accent", bold=True)
    both.add_child(Text(f"{styled} then plain", 2, 1, lambda row: theme.bg("userMessageBg", row)))
    return both.render


def loader(theme: Theme) -> Callable[[int], list[str]]:
    host = Host()

    def accent(mark: str) -> str:
        return theme.fg("accent", mark)

    both = Container()
    both.add_child(
        Loader(host, accent, lambda message: theme.fg("muted", message), "Looking around the house")
    )
    both.add_child(Loader(host, accent, str, "still", Indicator(frames=["*"])))
    both.add_child(Loader(host, accent, str, "no mark at all", Indicator(frames=[])))
    return both.render


def editor(theme: Theme) -> Callable[[int], list[str]]:
    view = Editor(Host(), get_editor_theme(theme))
    view.focused = True
    view.set_text(MIXED + "\n" + "\n".join(f"line {number}" for number in range(9)))
    return view.render


def editor_with_paste(theme: Theme) -> Callable[[int], list[str]]:
    view = Editor(Host(), get_editor_theme(theme), padding_x=1)
    view.focused = True
    view.insert_text_at_cursor("see ")
    view.handle_paste(PasteEvent("x\n" * 40))
    view.insert_text_at_cursor(" 日本")
    return view.render


def scrolled(theme: Theme) -> Callable[[int], list[str]]:
    document = Transcript()
    for number in range(30):
        document.append(Text(f"Entry {number} with some words to wrap on narrow rows", 0, 0))
    view = ScrollView(document, follow="end")
    stack = VStack([StackEntry(view, basis=0, grow=1), Text(theme.fg("dim", "below"), 0, 0)], gap=1)

    def render(width: int) -> list[str]:
        context = LayoutContext(Viewport(width, 8))
        box = layout_box(stack, context, 0, width, 8, 0, 8)
        rows = [""] * 8
        for child in [*box.children[0].children, *box.children[1:]]:
            for number, line in enumerate(child.lines):
                rows[child.y + number] = line
        return rows

    return render


def select_list(theme: Theme) -> Callable[[int], list[str]]:
    chosen = SelectList(
        [
            SelectItem("read", "read", "Read a file, or a part of it"),
            SelectItem("bash", "bash", "Run a command and show what it prints, up to a limit"),
            SelectItem("long", "a label that is far longer than any column 日本語", "wide"),
            SelectItem("none", "", None),
            SelectItem("last", "\x1b[31mred\x1b[39m and plain", "with\na break"),
        ],
        4,
        get_select_list_theme(theme),
    )
    chosen.set_selected_index(1)
    return chosen.render


def line_of_input(theme: Theme) -> Callable[[int], list[str]]:
    both = Container()
    for text in ("", "short", "A longer text with wide 日本語 that does not fit on narrow rows"):
        field = Input("> ", "Type to search", partial(theme.fg, "dim"))
        field.focused = text == "short"
        field.handle_paste(PasteEvent(text))
        both.add_child(field)
    secret = Input("> ", mask="•")
    secret.clear_at_end = 4
    secret.handle_paste(PasteEvent("sk-0123456789abcdef"))
    both.add_child(secret)
    return both.render


def panel(theme: Theme) -> Callable[[int], list[str]]:
    """A panel of two columns, and a line below it that is cut."""
    box = Box(2, 1, lambda row: theme.bg("userMessageBg", row))
    side = Text(theme.style("Branch", fg="accent", bold=True) + "\nmain 日本", 0, 0)
    about = Text("Two columns share the width: 日本語 and 👍🏽 stay whole.", 0, 0)
    box.add_child(HStack([StackEntry(side, basis=9, shrink=0), about], gap=2))
    both = Container()
    both.add_child(box)
    both.add_child(TruncatedText(theme.fg("muted", MIXED), 1, 0))
    return both.render


def markdown(theme: Theme) -> Callable[[int], list[str]]:
    return Markdown(MARKDOWN, 1, 0, get_markdown_theme(theme)).render


def settings_list(theme: Theme) -> Callable[[int], list[str]]:
    shown = SettingsList(
        [
            SettingItem("theme", "Theme", "dark", "Colors: light, dark or 日本語", ["dark"]),
            SettingItem("thinking", "How long a model thinks", "medium", values=["medium"]),
            SettingItem("queue", "Messages for a working model", "one-at-a-time"),
            SettingItem("bell", "Bell", "off", values=["on", "off"]),
        ],
        3,
        get_settings_list_theme(theme),
        enable_search=True,
    )
    shown.focused = True
    return shown.render


STORIES = {
    "text": text,
    "input": line_of_input,
    "markdown": markdown,
    "loader": loader,
    "editor": editor,
    "editor-with-paste": editor_with_paste,
    "select-list": select_list,
    "box-with-columns": panel,
    "settings-list": settings_list,
    "scroll-view-at-the-end": scrolled,
}


@pytest.mark.parametrize("appearance", ["dark", "light"])
@pytest.mark.parametrize("story", STORIES)
def test_the_picture(story: str, appearance: str) -> None:
    picture = snapshot_component(STORIES[story](themes()[appearance]))
    check_snapshot(SNAPSHOTS / "test_pictures" / f"{story}-{appearance}.txt", picture)
