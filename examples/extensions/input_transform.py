"""Rewrite what is typed before the model gets it, or answer at once.

Start it with `pi -e examples/extensions/input_transform.py`. `?quick why is the sky blue` asks for one sentence, `ping`
is answered without a model.
"""

from __future__ import annotations

from pi_agent import ExtensionAPI, ExtensionContext, InputEvent, InputResult

QUICK = "?quick "


def setup(pi: ExtensionAPI) -> None:
    """Look at every text."""

    @pi.on("input")
    def transform(event: InputEvent, ctx: ExtensionContext) -> InputResult | None:
        # What other extensions send is meant as it is.
        if event.source == "extension":
            return None
        if event.text.strip() == "ping":
            ctx.ui.notify("pong")
            return InputResult("handled")
        if event.text.startswith(QUICK):
            question = event.text.removeprefix(QUICK)
            return InputResult("transform", f"Answer in one sentence: {question}")
        return None
