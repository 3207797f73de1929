"""The tour while it goes on: it hears what the model says, shows how far it is, and offers the next question."""

from __future__ import annotations

import asyncio

from pi_agent import (
    AgentSettledEvent,
    BeforeAgentStartEvent,
    Done,
    ExtensionAPI,
    ExtensionContext,
    ExtensionMessage,
    TextContent,
    TurnEndEvent,
    TurnEndResult,
)
from pi_tui import TUI, Component, KeybindingsManager, OverlayOptions, Theme

from .panel import Panel
from .progress import Progress
from .stops import EXTENSIONS, LAST, STOPS, stop_of

CARD = "The tour extension drew this card."


class Stage:
    """What the tour keeps in mind: the stops that were seen, and whether the model is talking."""

    def __init__(self, pi: ExtensionAPI, ctx: ExtensionContext) -> None:
        self._ctx = ctx
        self.seen: set[int] = set()
        self.current: int | None = None
        self.is_talking = False
        self._panel: asyncio.Task[None] | None = None
        self._has_card = False
        self._progress: Progress | None = None
        self._unsubscribers = [
            pi.on("before_agent_start", self._say_who_draws),
            pi.on("agent_start", self._talks),
            pi.on("turn_end", self._heard),
            pi.on("agent_settled", self._go_on),
        ]

    def begin(self) -> None:
        """Show the way to the first stop."""
        self._show_progress()
        self._offer(STOPS[0].question)

    def end(self) -> None:
        """Leave nothing on the screen."""
        for unsubscribe in self._unsubscribers:
            unsubscribe()
        if self._panel is not None:
            self._panel.cancel()
        self._hide_progress()
        self._offer(None)

    async def show_stops(self) -> None:
        """Let a stop be chosen in a panel over the screen, and offer the question that leads there."""

        def make(tui: TUI, theme: Theme, keys: KeybindingsManager, done: Done[int]) -> Panel:
            return Panel(tui, theme, keys, done, self.seen, self.upcoming)

        options = OverlayOptions(width=34, anchor="right-center", offset_x=-1)
        chosen = await self._ctx.ui.custom(make, overlay=True, overlay_options=options)
        if chosen is not None:
            self._offer(STOPS[chosen].question)

    @property
    def upcoming(self) -> int:
        """The stop that comes next; at the end the last one."""
        return 0 if self.current is None else min(self.current + 1, LAST)

    # What happens

    def _say_who_draws(self, event: BeforeAgentStartEvent) -> None:
        event.system_prompt_options.sections["tour"] = "The tour extension draws here."

    def _talks(self) -> None:
        self.is_talking = True
        self._offer(None)
        self._changed()

    def _heard(self, event: TurnEndEvent) -> TurnEndResult | None:
        """See which stop that was, and put a card below the one about extensions."""
        blocks = event.message.content
        stop = stop_of("".join(each.text for each in blocks if isinstance(each, TextContent)))
        if stop is None:
            return None
        self.current = stop
        self.seen.add(stop)
        if stop != EXTENSIONS or self._has_card or event.outcome != "completed":
            return None
        self._has_card = True
        return TurnEndResult([*event.entries, ExtensionMessage("tour", CARD)])

    def _go_on(self, event: AgentSettledEvent) -> None:
        """Offer what comes next: pressing Enter is enough."""
        self.is_talking = False
        if self.current == LAST:
            self._hide_progress()
            return
        self._show_progress()
        self._offer(STOPS[self.upcoming].question)
        if self.current == EXTENSIONS and not event.aborted and self._panel is None:
            # A run is over only when its handlers are: whoever looks at the panel must not hold it up.
            self._panel = asyncio.create_task(self.show_stops())

    # What is drawn

    def _offer(self, question: str | None) -> None:
        """Suggest a question in the editor: pressing Enter asks it."""
        self._ctx.ui.set_editor_suggestion(question)

    def _show_progress(self) -> None:
        if self._progress is None:
            self._ctx.ui.set_widget("progress", self._make_progress)
        self._changed()

    def _make_progress(self, tui: TUI, theme: Theme) -> Component:
        self._progress = Progress(self, tui, theme, on_click=self._open_panel)
        return self._progress

    def _hide_progress(self) -> None:
        self._progress = None
        self._ctx.ui.set_widget("progress", None)

    def _changed(self) -> None:
        if self._progress is not None:
            self._progress.changed()

    def _open_panel(self) -> None:
        if self._panel is None or self._panel.done():
            self._panel = asyncio.create_task(self.show_stops())
