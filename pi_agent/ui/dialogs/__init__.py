"""Dialogs that take the editor's place, one file each. Each is loaded when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pi_agent.base.late_names import late_names

if TYPE_CHECKING:
    from pi_agent.ui.dialogs.api_key import ApiKeyDialog, ApiKeyTexts
    from pi_agent.ui.dialogs.confirm import ConfirmDialog
    from pi_agent.ui.dialogs.fork import fork_choices
    from pi_agent.ui.dialogs.input import InputDialog
    from pi_agent.ui.dialogs.login import login_choices, logout_choices
    from pi_agent.ui.dialogs.model import model_choices
    from pi_agent.ui.dialogs.picker import Choice, Picker, PickerTexts
    from pi_agent.ui.dialogs.queued import QueuedDialog
    from pi_agent.ui.dialogs.select import SelectDialog
    from pi_agent.ui.dialogs.sessions import SessionPicker
    from pi_agent.ui.dialogs.settings_screen import SettingsScreen
    from pi_agent.ui.dialogs.thinking import level_choices
    from pi_agent.ui.dialogs.tree import TreeSelector
    from pi_agent.ui.dialogs.waiting import WaitingDialog
    from pi_agent.ui.dialogs.ways import waiting_note, ways_to_a_model
    from pi_agent.ui.dialogs.welcome import WelcomeDialog

__all__ = [
    "ApiKeyDialog",
    "ApiKeyTexts",
    "Choice",
    "ConfirmDialog",
    "InputDialog",
    "Picker",
    "PickerTexts",
    "QueuedDialog",
    "SelectDialog",
    "SessionPicker",
    "SettingsScreen",
    "TreeSelector",
    "WaitingDialog",
    "WelcomeDialog",
    "fork_choices",
    "level_choices",
    "login_choices",
    "logout_choices",
    "model_choices",
    "waiting_note",
    "ways_to_a_model",
]

_HOMES: Final = {
    "ApiKeyDialog": "pi_agent.ui.dialogs.api_key",
    "ApiKeyTexts": "pi_agent.ui.dialogs.api_key",
    "Choice": "pi_agent.ui.dialogs.picker",
    "ConfirmDialog": "pi_agent.ui.dialogs.confirm",
    "InputDialog": "pi_agent.ui.dialogs.input",
    "Picker": "pi_agent.ui.dialogs.picker",
    "PickerTexts": "pi_agent.ui.dialogs.picker",
    "QueuedDialog": "pi_agent.ui.dialogs.queued",
    "SelectDialog": "pi_agent.ui.dialogs.select",
    "SessionPicker": "pi_agent.ui.dialogs.sessions",
    "SettingsScreen": "pi_agent.ui.dialogs.settings_screen",
    "TreeSelector": "pi_agent.ui.dialogs.tree",
    "WaitingDialog": "pi_agent.ui.dialogs.waiting",
    "WelcomeDialog": "pi_agent.ui.dialogs.welcome",
    "fork_choices": "pi_agent.ui.dialogs.fork",
    "level_choices": "pi_agent.ui.dialogs.thinking",
    "login_choices": "pi_agent.ui.dialogs.login",
    "logout_choices": "pi_agent.ui.dialogs.login",
    "model_choices": "pi_agent.ui.dialogs.model",
    "waiting_note": "pi_agent.ui.dialogs.ways",
    "ways_to_a_model": "pi_agent.ui.dialogs.ways",
}

__getattr__ = late_names(__name__, _HOMES)
