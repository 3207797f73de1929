"""A footer of one's own: the git branch, the tokens that were used, and the model.

Start it with `pi -e examples/extensions/custom_footer.py`. `/footer` changes between it and the one below.
"""

from __future__ import annotations

from pi_agent import (
    ExtensionAPI,
    ExtensionCommandContext,
    ExtensionContext,
    FooterData,
    TurnEndEvent,
)
from pi_tui import TUI, Component, Theme, truncate_to_width, visible_width


class Tokens:
    """What the run's answers have cost so far."""

    sent = 0
    received = 0


class TokenFooter(Component):
    """One row: where we are on the left, what it cost and who answers on the right."""

    def __init__(
        self, tui: TUI, theme: Theme, data: FooterData, tokens: Tokens, ctx: ExtensionContext
    ) -> None:
        self._theme = theme
        self._data = data
        self._tokens = tokens
        self._ctx = ctx
        # The branch can change outside of pi: then there is something else to draw.
        self._forget_branch = data.on_branch_change(tui.request_render)

    def render(self, width: int) -> list[str]:
        """Return a row that fits, and one more if other extensions have something to say."""
        left = self._theme.fg("accent", self._data.get_git_branch() or "no branch")
        model = self._ctx.model.id if self._ctx.model else "no model"
        right = f"↑{self._tokens.sent} ↓{self._tokens.received} · {model}"
        gap = width - visible_width(left) - visible_width(right)
        row = left + " " * gap + self._theme.fg("dim", right) if gap > 0 else left
        rows = [truncate_to_width(row, width, "…")]
        statuses = "  ".join(self._data.get_extension_statuses().values())
        return [*rows, truncate_to_width(statuses, width, "…")] if statuses else rows

    def dispose(self) -> None:
        """Stop listening."""
        self._forget_branch()


def setup(pi: ExtensionAPI) -> None:
    """Count tokens from the start, and draw them."""
    tokens = Tokens()
    is_on = False

    def show(ctx: ExtensionContext) -> None:
        nonlocal is_on
        is_on = True
        ctx.ui.set_footer(lambda tui, theme, data: TokenFooter(tui, theme, data, tokens, ctx))

    @pi.on("session_start")
    def started(event: object, ctx: ExtensionContext) -> None:
        show(ctx)

    @pi.on("turn_end")
    def count(event: TurnEndEvent) -> None:
        tokens.sent += event.message.usage.input
        tokens.received += event.message.usage.output

    @pi.command("footer", description="Change between this footer and the one below")
    def toggle(args: str, ctx: ExtensionCommandContext) -> None:
        nonlocal is_on
        if not is_on:
            show(ctx)
            return
        is_on = False
        # Only one's own footer goes: what was there before is back.
        ctx.ui.set_footer(None)
