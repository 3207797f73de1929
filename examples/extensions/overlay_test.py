"""One overlay with text fields, wide characters and emoji in a frame.

Start it with `pi -e examples/extensions/overlay_test.py` and type `/overlay-test`. Up and down (or Tab) choose a field,
Enter takes what was typed, Escape closes.
"""

from __future__ import annotations

from pi_agent import Done, ExtensionAPI, ExtensionCommandContext
from pi_tui import (
    CURSOR_MARKER,
    TUI,
    Component,
    KeybindingsManager,
    KeyEvent,
    OverlayOptions,
    PasteEvent,
    Theme,
    iter_graphemes,
    render_fake_cursor,
    replace_control_characters,
    slice_by_column,
    truncate_to_width,
    visible_width,
)

FIELDS = ("Name", "城市", "Mood 👍🏽")
NOTES = ("日本語 and 한국어 are two columns wide,", "👨‍👩‍👧 and 🇩🇪 as well.")


class Field:
    """A label and a text that is typed at its end."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.text = ""

    def add(self, text: str) -> None:
        """Take what was typed or pasted; line breaks and the like become blanks."""
        self.text += replace_control_characters(text)

    def remove_last(self) -> None:
        """Take the last character away, with all the code points it is made of."""
        self.text = "".join(list(iter_graphemes(self.text))[:-1])

    def render(self, width: int, has_caret: bool) -> str:
        """Return a row; of a long text the end is shown, where the caret is."""
        label = truncate_to_width(f"{self.label}: ", width - 2, "")
        room = width - 1 - visible_width(label)
        hidden = max(0, visible_width(self.text) - room)
        text = slice_by_column(self.text, hidden, room, strict=True)
        # The marker goes right before the caret's cell: input methods open their window there.
        return label + text + (CURSOR_MARKER + render_fake_cursor(" ") if has_caret else "")


class Panel(Component):
    """The fields in a frame. Having `focused` makes it a component that can have the keys."""

    def __init__(
        self, theme: Theme, keybindings: KeybindingsManager, done: Done[list[str]]
    ) -> None:
        self.focused = False
        self._fields = [Field(label) for label in FIELDS]
        self._selected = 0
        self._theme = theme
        self._keybindings = keybindings
        self._done = done

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` columns, whatever is in them."""
        fields = [
            field.render(max(1, width - 6), self.focused and index == self._selected)
            for index, field in enumerate(self._fields)
        ]
        marked = [
            f"{'→ ' if index == self._selected else '  '}{row}" for index, row in enumerate(fields)
        ]
        notes = [self._theme.fg("muted", note) for note in NOTES]
        hint = self._theme.fg("dim", "↑↓ field · Enter take · Esc close")
        rows = [*marked, "", *notes, "", hint]
        return [
            self._edge("╭", f" {self._theme.fg('accent', 'Overlay test')} ", "╮", width),
            *(self._framed(row, width) for row in rows),
            self._edge("╰", "", "╯", width),
        ]

    def handle_key(self, event: KeyEvent) -> bool:
        """Choose, type, take or close; `False` leaves a key to pi."""
        keys, field = self._keybindings, self._fields[self._selected]
        if keys.matches(event, "tui.select.cancel"):
            self._done()
        elif keys.matches(event, "tui.select.confirm"):
            self._done([field.text for field in self._fields])
        elif keys.matches(event, "tui.select.up"):
            self._move(-1)
        elif keys.matches(event, "tui.select.down") or event.id == "tab":
            self._move(1)
        elif keys.matches(event, "tui.editor.deleteCharBackward"):
            field.remove_last()
        elif event.text:
            field.add(event.text)
        else:
            return False
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Put pasted text into the field."""
        self._fields[self._selected].add(event.text)

    def _move(self, count: int) -> None:
        self._selected = (self._selected + count) % len(self._fields)

    def _framed(self, row: str, width: int) -> str:
        if width < 5:
            return truncate_to_width(row, width, "", pad=True)
        side = self._theme.fg("border", "│")
        return f"{side} {truncate_to_width(row, width - 4, '…', pad=True)} {side}"

    def _edge(self, left: str, title: str, right: str, width: int) -> str:
        title = truncate_to_width(title, max(0, width - 3), "")
        line = "─" * max(0, width - 3 - visible_width(title))
        start, end = f"{left}─"[: max(0, width - 1)], f"{line}{right}"
        return self._theme.fg("border", start) + title + self._theme.fg("border", end)


def setup(pi: ExtensionAPI) -> None:
    """Register the command."""

    @pi.command("overlay-test", description="Text fields in an overlay")
    async def overlay_test(args: str, ctx: ExtensionCommandContext) -> None:
        if ctx.mode != "tui":
            ctx.ui.notify("/overlay-test needs a terminal", "warning")
            return

        # `done` ends the overlay; a new component is made each time.
        def make(
            tui: TUI, theme: Theme, keybindings: KeybindingsManager, done: Done[list[str]]
        ) -> Panel:
            return Panel(theme, keybindings, done)

        options = OverlayOptions(width="60%", min_width=44, margin={"left": 1, "right": 1})
        values = await ctx.ui.custom(make, overlay=True, overlay_options=options)
        if values is None:
            ctx.ui.notify("Closed")
        else:
            pairs = zip(FIELDS, values, strict=True)
            ctx.ui.notify(", ".join(f"{label}: {value}" for label, value in pairs))
