"""The user's hands on the queue: what keys and clicks in its panel do, and the dialog that edits a message.

A message is not delivered while it is edited. What cannot be put back, since its session has gone, goes into the
editor.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Final

from pi_agent.ui import dialogs
from pi_agent.ui.actions import ActionHandler
from pi_agent.ui.commands.host import CommandHost
from pi_tui.events import KeyEvent, PasteEvent

if TYPE_CHECKING:
    from pi_agent.host.queue_control import QueueControl

_TOO_LATE: Final = "The message is on its way already."


class QueueHands:
    """The `QueueActs` of the program's panel."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        self._screen = host.app.screen
        panel = self._screen.pending
        panel.acts = self
        panel.source = lambda: queue.listed if (queue := self._queue()) is not None else ()

    @property
    def actions(self) -> Mapping[str, ActionHandler]:
        """What keys do, by the action's id."""
        return {"app.queue.focus": self.focus}

    def focus(self) -> bool:
        """Give the panel the keys; `False` if nothing waits."""
        if self._screen.pending.is_empty:
            return False
        self._screen.tui.set_focus(self._screen.pending)
        return True

    def leave(self) -> None:
        """Give the keys back to the editor, or to the dialog in its place."""
        self._screen.tui.set_focus(self._screen.input_area)

    def type(self, event: KeyEvent | PasteEvent) -> bool:
        """Type into the editor, if it is something to type."""
        composer = self._screen.composer
        if isinstance(event, KeyEvent) and not composer.types(event):
            return False
        self.leave()
        if self._screen.input_area is composer:
            composer.keep(event)
        return True

    def edit(self, message_id: int) -> None:
        """Let the user edit a message in the editor's place."""
        queue = self._queue()
        if queue is not None and not self._screen.has_dialog:
            self._host.app.start_task(self._edit(queue, message_id))

    def move(self, message_id: int, *, up: bool) -> None:
        """Deliver a message sooner or later."""
        queue = self._queue()
        if queue is not None:
            self._start(queue.move(message_id, up=up))

    def hold(self, message_id: int, is_held: bool) -> None:
        """Keep a message from being delivered, or release it."""
        queue = self._queue()
        if queue is not None:
            self._start(self._in_time(queue.hold(message_id, is_held)))

    def delete(self, message_id: int) -> None:
        """Remove a message; there is no other copy of it than the one that the editor's history has."""
        queue = self._queue()
        if queue is not None:
            self._start(self._in_time(queue.delete(message_id)))

    def _queue(self) -> QueueControl | None:
        services = self._host.services
        return services.conversation.queue if services is not None else None

    def _start(self, change: Awaitable[object]) -> None:
        async def carry_out() -> None:
            async with self._host.watching():
                await change

        self._host.app.start_task(carry_out())

    async def _in_time(self, change: Awaitable[bool]) -> None:
        if not await change:
            self._host.app.notify(_TOO_LATE)

    async def _edit(self, queue: QueueControl, message_id: int) -> None:
        before = await queue.begin_edit(message_id)
        if before is None:
            self._host.app.notify(_TOO_LATE)
            return

        def answer(text: str | None) -> None:
            self._screen.close_dialog(dialog)
            self._start(self._finish(queue, message_id, before, text))
            self.focus()

        dialog = dialogs.QueuedDialog(before, self._screen.tui, self._screen.theme, answer)
        self._screen.show_dialog(dialog)

    async def _finish(
        self, queue: QueueControl, message_id: int, before: str, text: str | None
    ) -> None:
        """Put an edited message back, if its session is still there."""
        if not await queue.finish_edit(message_id, text):
            self._screen.composer.insert_in_front(before if text is None else text)
