"""The tour of pi: what is drawn around the model `demo/tour`, and the command `/tour`.

Every start of pi loads this file, so it only waits. The rest is imported when the tour begins, or when a card of an
earlier one is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_agent import (
        CustomMessage,
        ExtensionAPI,
        ExtensionCommandContext,
        ExtensionContext,
        MessageRenderOptions,
    )
    from pi_tui import Component, Theme

    from .stage import Stage

MODEL = "demo/tour"


def setup(pi: ExtensionAPI) -> None:
    """Wait for the model of the tour."""
    stage: Stage | None = None

    @pi.on("session_shutdown")
    def leave() -> None:
        nonlocal stage
        if stage is not None:
            stage.end()
        stage = None

    def follow(event: object, ctx: ExtensionContext) -> None:
        """Be there while the model of the tour is."""
        nonlocal stage
        is_wanted = ctx.mode == "tui" and ctx.model is not None and ctx.model.reference == MODEL
        if is_wanted and stage is None:
            from .stage import Stage

            stage = Stage(pi, ctx)
            stage.begin()
        elif not is_wanted:
            leave()

    @pi.on("agent_start")
    def forget_offer(event: object, ctx: ExtensionContext) -> None:
        """Take back what `/tour` has suggested: something else was said."""
        if stage is None:
            ctx.ui.set_editor_suggestion(None)

    pi.on("session_start", follow)
    pi.on("model_select", follow)

    @pi.command("tour", description="Take the tour of pi")
    async def tour(args: str, ctx: ExtensionCommandContext) -> None:
        if stage is not None:
            await stage.show_stops()
            return
        ctx.ui.notify(f"The tour is told by the model {MODEL}: choose it with /model {MODEL}.")
        ctx.ui.set_editor_suggestion(f"/model {MODEL}")

    def draw(message: CustomMessage, options: MessageRenderOptions, theme: Theme) -> Component:
        from .card import Card

        return Card(message, options, theme)

    pi.register_message_renderer("tour", draw)
