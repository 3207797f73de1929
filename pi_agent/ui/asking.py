"""Ask with a dialog and wait for the answer: it ends with a choice, a time limit or a signal."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from pi_agent.extensions.ui import Blocked
from pi_agent.ui.screen import AgentScreen
from pi_tui.abort import AbortSignal
from pi_tui.component import Renderable

T = TypeVar("T")


class Dialog(Renderable, Protocol):
    """A component that asks; `remaining` seconds, while set, are told by it."""

    remaining: int | None


async def ask(
    screen: AgentScreen,
    make: Callable[[Callable[[T], None]], Dialog],
    default: T,
    *,
    timeout: float | None = None,
    signal: AbortSignal | None = None,
    blocked: Blocked | None = None,
) -> T:
    """Show the dialog that `make(on_answer)` gives, and return its answer.

    The answer is `default` after `timeout` seconds and once `signal` fires; if it has fired already, nothing is
    shown. Meanwhile pi is `blocked`.
    """
    if signal is not None and signal.aborted:
        return default
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(value: T) -> None:
        if not answer.done():
            answer.set_result(value)

    dialog = make(settle)
    unsubscribe = signal.on_abort(lambda: settle(default)) if signal is not None else None
    screen.show_dialog(dialog)
    countdown = (
        loop.create_task(_count_down(screen, dialog, timeout, lambda: settle(default)))
        if timeout is not None
        else None
    )
    try:
        with screen.doing.waiting(blocked, dialog):
            return await answer
    finally:
        if countdown is not None:
            countdown.cancel()
            with suppress(asyncio.CancelledError):
                await countdown
        if unsubscribe is not None:
            unsubscribe()
        screen.close_dialog(dialog)


async def _count_down(
    screen: AgentScreen, dialog: Dialog, seconds: float, on_end: Callable[[], None]
) -> None:
    """Show the seconds left, rounded up, and end at 0."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while (left := end - loop.time()) > 0:
        dialog.remaining = math.ceil(left)
        screen.tui.request_render()
        await asyncio.sleep(left - (dialog.remaining - 1) or left)
    on_end()
