"""Tell in the footer which model answered before, and suggest to compare.

Start it with `pi -e examples/extensions/model_status.py` and change the model with Ctrl+P or `/model`. The model that a
session begins with, or goes on with, is no change: look at `ctx.model` for that one.
"""

from __future__ import annotations

from pi_agent import ExtensionAPI, ExtensionContext, ModelSelectEvent


def setup(pi: ExtensionAPI) -> None:
    """Follow the changes."""

    @pi.on("model_select")
    def changed(event: ModelSelectEvent, ctx: ExtensionContext) -> None:
        if event.previous_model is None:
            return
        how = "next" if event.source == "cycle" else "chosen"
        text = f"{how}: {event.previous_model.id} → {event.model.id}"
        ctx.ui.set_status("model", ctx.ui.theme.fg("accent", text))
        # Enter in the empty editor sends it; typing takes its place.
        ctx.ui.set_editor_suggestion("Would you have answered otherwise?")
