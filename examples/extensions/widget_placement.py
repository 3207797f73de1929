"""Widgets above and below the editor: plain lines, and a component that is drawn for the width there is.

Start it with `pi -e examples/extensions/widget_placement.py`. `/widgets off` takes both away, `/widgets on` puts them
back, `/widgets swap` changes their places.
"""

from __future__ import annotations

from pi_agent import ExtensionAPI, ExtensionCommandContext, ExtensionContext, WidgetPlacement
from pi_tui import TUI, Component, Theme, truncate_to_width

PLAN = ("Plan", " 1. look at the failing test", " 2. fix what it shows", " 3. run all tests")


class Rule(Component):
    """A line across the screen with a word in it."""

    def __init__(self, theme: Theme, word: str) -> None:
        self._theme = theme
        self._word = word

    def render(self, width: int) -> list[str]:
        """Return one row that is exactly as wide as there is room."""
        row = truncate_to_width(f"── {self._word} " + "─" * width, width, "")
        return [self._theme.fg("border", row)]


def setup(pi: ExtensionAPI) -> None:
    """Show both when the session starts, and let a command change them."""

    def show(ctx: ExtensionContext, plan: WidgetPlacement, rule: WidgetPlacement) -> None:
        ctx.ui.set_widget("plan", PLAN, placement=plan)
        # A component is made by a function, which gets the screen and the theme. Its height is its own.
        ctx.ui.set_widget("rule", make_rule, placement=rule)

    def make_rule(tui: TUI, theme: Theme) -> Component:
        return Rule(theme, "ctrl+c clears")

    @pi.on("session_start")
    def started(event: object, ctx: ExtensionContext) -> None:
        show(ctx, "above_editor", "below_editor")

    @pi.command("widgets", description="Show, swap or hide the widgets: on, swap, off")
    def widgets(args: str, ctx: ExtensionCommandContext) -> None:
        if args.strip() == "off":
            ctx.ui.set_widget("plan", None)
            ctx.ui.set_widget("rule", None)
        elif args.strip() == "swap":
            # A key is in one place only: showing it in the other one moves it.
            show(ctx, "below_editor", "above_editor")
        else:
            show(ctx, "above_editor", "below_editor")
