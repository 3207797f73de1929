"""Ask before a session is left for another one.

Start it with `pi -e examples/extensions/confirm_destructive.py`, say something and type `/new` or `/clone`. With
No, nothing happens: no extension hears of an end, and what runs goes on.
"""

from __future__ import annotations

from pi_agent import (
    ExtensionAPI,
    ExtensionContext,
    SessionBeforeForkEvent,
    SessionBeforeForkResult,
    SessionBeforeSwitchEvent,
    SessionBeforeSwitchResult,
)

QUESTIONS = {
    "new": "Begin a new session?",
    "resume": "Leave this session for another one?",
}


def setup(pi: ExtensionAPI) -> None:
    """Put the question before every change."""

    @pi.on("session_before_switch")
    async def ask(
        event: SessionBeforeSwitchEvent, ctx: ExtensionContext
    ) -> SessionBeforeSwitchResult | None:
        # Where nobody can be asked the session stays: a guard must not give way.
        if not ctx.has_ui:
            return SessionBeforeSwitchResult(cancel=True)
        message = event.target_session_file or "This one can be resumed later."
        if await ctx.ui.confirm(QUESTIONS[event.reason], message):
            return None  # no opinion: it goes on
        return SessionBeforeSwitchResult(cancel=True)

    @pi.on("session_before_fork")
    async def ask_before_fork(
        event: SessionBeforeForkEvent, ctx: ExtensionContext
    ) -> SessionBeforeForkResult | None:
        if ctx.has_ui and await ctx.ui.confirm("Go on in a copy?", "This session stays as it is."):
            return None
        return SessionBeforeForkResult(cancel=True)
