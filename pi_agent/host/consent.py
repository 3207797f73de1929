"""The question before each command of the small built-in model, which has no judgement of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pi_agent.base.wire import JsonObject
from pi_agent.extensions.ui import ExtensionUI
from pi_agent.host.source import ConversationSource
from pi_agent.llm.local.provider import LOCAL_API
from pi_agent.loop.tool import BeforeToolCall, ToolCallDecision
from pi_agent.resources.settings import SettingsStore

SETTING: Final = "localModel.commands"

_RUN, _ALWAYS, _NO = "Run", "Always, until pi ends", "No"
_ASKED_TOOL: Final = "bash"
_REFUSED: Final = "The user did not allow this command."
_NOBODY: Final = "Nobody can be asked here whether this command may run, so it was not."
_HOW_TO_ALLOW: Final = f'{_NOBODY} "{SETTING}": "always" in settings.json lets the built-in model run commands unasked.'


class CommandConsent:
    """Asks once for each command, until the answer is Always. `report` is told once where nobody can be asked."""

    def __init__(
        self,
        source: ConversationSource,
        ui: ExtensionUI,
        settings: SettingsStore,
        report: Callable[[str], None],
    ) -> None:
        self._source = source
        self._ui = ui
        self._settings = settings
        self._report = report
        self._is_always = False
        self._has_reported = False

    def after(self, gate: BeforeToolCall) -> BeforeToolCall:
        """Return a gate that asks about what `gate` lets through, as that has left it."""

        async def ask(
            tool_call_id: str, tool_name: str, input: JsonObject
        ) -> ToolCallDecision | None:
            decision = await gate(tool_call_id, tool_name, input)
            if (decision is not None and decision.block) or not self._is_asked_for(tool_name):
                return decision
            refusal = await self._refusal(str(input.get("command", "")))
            if refusal is None:
                return decision
            # Told of a refusal, it would only call the same again, and again.
            return ToolCallDecision(block=True, reason=refusal, terminate=True)

        return ask

    def _is_asked_for(self, tool_name: str) -> bool:
        """Whether it is a command of that model: of the answer's, for another one may have been chosen since."""
        conversation = self._source.conversation
        if tool_name != _ASKED_TOOL or self._is_always or conversation is None:
            return False
        answer = conversation.get_last_assistant_message()
        is_its = answer is not None and answer.api == LOCAL_API
        return is_its and self._settings.get_choice(SETTING) != "always"

    async def _refusal(self, command: str) -> str | None:
        if not self._source.has_ui:
            if not self._has_reported:
                self._has_reported = True
                self._report(_HOW_TO_ALLOW)
            return _NOBODY
        title = f"Run this command?\n{command}"
        answer = await self._ui.select(title, (_RUN, _ALWAYS, _NO), signal=self._source.signal)
        self._is_always = answer == _ALWAYS
        return None if answer in (_RUN, _ALWAYS) else _REFUSED
