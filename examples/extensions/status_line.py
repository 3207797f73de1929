"""Tell in the footer how far a run has come.

Start it with `pi -e examples/extensions/status_line.py` and let the model work: the footer's last line counts turns.
"""

from __future__ import annotations

from pi_agent import (
    AgentSettledEvent,
    ExtensionAPI,
    ExtensionContext,
    SessionStartEvent,
    TurnEndEvent,
    TurnStartEvent,
)


def setup(pi: ExtensionAPI) -> None:
    """Follow the turns."""
    turns = 0

    def show(ctx: ExtensionContext, color: str, mark: str, text: str) -> None:
        theme = ctx.ui.theme
        # The key stands for this text: setting it again replaces it, None takes it away.
        ctx.ui.set_status("turns", f"{theme.fg(color, mark)} {theme.fg('dim', text)}")

    @pi.on("session_start")
    def started(event: SessionStartEvent, ctx: ExtensionContext) -> None:
        show(ctx, "dim", "○", "ready")

    @pi.on("turn_start")
    def turn_started(event: TurnStartEvent, ctx: ExtensionContext) -> None:
        show(ctx, "accent", "●", f"turn {event.turn_index + 1}")

    @pi.on("turn_end")
    def turn_ended(event: TurnEndEvent) -> None:
        nonlocal turns
        turns = event.turn_index + 1

    @pi.on("agent_settled")
    def settled(event: AgentSettledEvent, ctx: ExtensionContext) -> None:
        count = f"{turns} turn" if turns == 1 else f"{turns} turns"
        if event.aborted:
            show(ctx, "warning", "✗", f"stopped after {count}")
        else:
            show(ctx, "success", "✓", f"done in {count}")
