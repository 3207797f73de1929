"""`keybindings.json`: the keys a user gives to actions, over the application's defaults.

Reading never fails: what is wrong is left out and reported, and the defaults hold there. Files that use the
names of earlier versions keep working.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from pi_agent.base.jsonc import shown_value
from pi_tui.frozen import frozen
from pi_tui.keybindings import (
    TUI_KEYBINDINGS,
    KeybindingDefinition,
    KeybindingsManager,
    define_keys,
)
from pi_tui.keys import normalize_key_sequence

Platform = Literal["linux", "mac", "windows", "wsl"]

FILE_NAME = "keybindings.json"


APP_KEYBINDINGS: Mapping[str, KeybindingDefinition] = {
    "app.interrupt": define_keys("escape", "Cancel, or stop the model"),
    "app.clear": define_keys("ctrl+c", "Clear the editor; twice to quit"),
    "app.exit": define_keys("ctrl+d", "Quit when the editor is empty"),
    "app.suspend": define_keys("ctrl+z", "Suspend to the background"),
    "app.editor.external": define_keys("ctrl+g", "Write in an external editor"),
    "app.clipboard.pasteImage": define_keys("ctrl+v", "Paste files, pictures or text"),
    "app.session.new": define_keys("", "Start a new session"),
    "app.session.tree": define_keys("", "Open the session's tree"),
    "app.session.fork": define_keys("", "Fork the session"),
    "app.session.resume": define_keys("", "Resume a session"),
    "app.session.togglePath": define_keys("ctrl+p", "Show or hide paths of sessions"),
    "app.session.toggleSort": define_keys("ctrl+s", "Change the order of sessions"),
    "app.session.toggleNamedFilter": define_keys(
        "ctrl+n", "Show only sessions with a name, or all"
    ),
    "app.session.rename": define_keys("ctrl+r", "Rename a session"),
    "app.session.delete": define_keys("ctrl+d", "Delete a session"),
    "app.session.deleteNoninvasive": define_keys(
        "ctrl+backspace", "Delete a session while the query is empty"
    ),
    "app.model.select": define_keys("ctrl+l", "Choose a model"),
    "app.model.cycleForward": define_keys("ctrl+p", "Change to the next model"),
    "app.model.cycleBackward": define_keys("ctrl+shift+p", "Change to the model before"),
    "app.models.save": define_keys("ctrl+s", "Save the choice of models"),
    "app.models.enableAll": define_keys("ctrl+a", "Enable all models"),
    "app.models.clearAll": define_keys("ctrl+x", "Disable all models"),
    "app.models.toggleProvider": define_keys("ctrl+p", "Enable or disable a provider's models"),
    "app.models.reorderUp": define_keys("alt+up", "Move a model up"),
    "app.models.reorderDown": define_keys("alt+down", "Move a model down"),
    "app.thinking.cycle": define_keys("shift+tab", "Change how much the model thinks"),
    "app.thinking.toggle": define_keys("ctrl+t", "Show or hide thinking"),
    "app.thinking.save": define_keys("ctrl+s", "Save how much the model thinks"),
    "app.tools.expand": define_keys("ctrl+o", "Expand or collapse tool output"),
    "app.mouse.toggle": define_keys("alt+m", "Give the mouse to the terminal, or take it back"),
    "app.message.copy": define_keys("ctrl+x", "Copy the selection or the last answer"),
    "app.message.followUp": define_keys("alt+enter", "Send after the model is done"),
    "app.message.dequeue": define_keys("alt+up", "Take back queued messages"),
    "app.queue.focus": define_keys("alt+e", "Go to the queued messages"),
    "app.queue.moveUp": define_keys("alt+up shift+up", "Send a queued message sooner"),
    "app.queue.moveDown": define_keys("alt+down shift+down", "Send a queued message later"),
    "app.queue.hold": define_keys(
        "space", "Hold a queued message back, or release it", in_text=False
    ),
    "app.queue.delete": define_keys("delete backspace", "Delete a queued message"),
    "app.tree.foldOrUp": define_keys("ctrl+left alt+left", "Fold, or go to the parent"),
    "app.tree.unfoldOrDown": define_keys("ctrl+right alt+right", "Unfold, or go to the child"),
    "app.tree.editLabel": define_keys("shift+l", "Edit the label", in_text=False),
    "app.tree.toggleLabelTimestamp": define_keys(
        "shift+t", "Show or hide times of labels", in_text=False
    ),
    "app.tree.filter.default": define_keys("ctrl+d", "Show the usual entries"),
    "app.tree.filter.noTools": define_keys("ctrl+t", "Hide tools"),
    "app.tree.filter.userOnly": define_keys("ctrl+u", "Show only what the user wrote"),
    "app.tree.filter.labeledOnly": define_keys("ctrl+l", "Show only entries with a label"),
    "app.tree.filter.all": define_keys("ctrl+a", "Show all entries"),
    "app.tree.filter.cycleForward": define_keys("ctrl+o", "Change to the next filter"),
    "app.tree.filter.cycleBackward": define_keys("ctrl+shift+o", "Change to the filter before"),
}

_WINDOWS_AND_WSL_KEYS = {
    "tui.altScreen.previousPrompt": "ctrl+up",
    "tui.altScreen.nextPrompt": "ctrl+down",
    "tui.altScreen.search": "ctrl+f",
    "app.model.cycleBackward": "alt+p",
    "app.message.followUp": "ctrl+q",
    "app.message.dequeue": "alt+q",
    "app.clipboard.pasteImage": "alt+v ctrl+v",
}
_PLATFORM_KEYS: Mapping[Platform, Mapping[str, str]] = {
    "linux": {},
    "mac": {
        "app.tree.foldOrUp": "alt+left ctrl+left",
        "app.tree.unfoldOrDown": "alt+right ctrl+right",
    },
    "windows": {**_WINDOWS_AND_WSL_KEYS, "tui.editor.undo": "ctrl+z", "app.suspend": ""},
    "wsl": {**_WINDOWS_AND_WSL_KEYS, "tui.editor.undo": "alt+z", "app.suspend": "ctrl+z"},
}

_OLD_NAMES_WITH_PREFIX = {
    "tui.editor.": (
        *("cursorUp", "cursorDown", "cursorLeft", "cursorRight", "cursorWordLeft"),
        *("cursorWordRight", "cursorLineStart", "cursorLineEnd", "jumpForward", "jumpBackward"),
        *("pageUp", "pageDown", "deleteCharBackward", "deleteCharForward", "deleteWordBackward"),
        *("deleteWordForward", "deleteToLineStart", "deleteToLineEnd", "yank", "yankPop", "undo"),
    ),
    "tui.input.": ("newLine", "submit", "tab", "copy"),
    "app.": ("interrupt", "clear", "exit", "suspend"),
    "app.message.": ("followUp", "dequeue"),
    "app.clipboard.": ("pasteImage",),
    "app.session.": ("tree", "fork", "resume"),
}
OLD_NAMES: Mapping[str, str] = {
    **{name: prefix + name for prefix, names in _OLD_NAMES_WITH_PREFIX.items() for name in names},
    "selectUp": "tui.select.up",
    "selectDown": "tui.select.down",
    "selectPageUp": "tui.select.pageUp",
    "selectPageDown": "tui.select.pageDown",
    "selectConfirm": "tui.select.confirm",
    "selectCancel": "tui.select.cancel",
    "cycleThinkingLevel": "app.thinking.cycle",
    "toggleThinking": "app.thinking.toggle",
    "cycleModelForward": "app.model.cycleForward",
    "cycleModelBackward": "app.model.cycleBackward",
    "selectModel": "app.model.select",
    "expandTools": "app.tools.expand",
    "externalEditor": "app.editor.external",
    "newSession": "app.session.new",
    "toggleSessionNamedFilter": "app.session.toggleNamedFilter",
    "toggleSessionPath": "app.session.togglePath",
    "toggleSessionSort": "app.session.toggleSort",
    "renameSession": "app.session.rename",
    "deleteSession": "app.session.delete",
    "deleteSessionNoninvasive": "app.session.deleteNoninvasive",
    "treeFoldOrUp": "app.tree.foldOrUp",
    "treeUnfoldOrDown": "app.tree.unfoldOrDown",
    "treeEditLabel": "app.tree.editLabel",
    "treeToggleLabelTimestamp": "app.tree.toggleLabelTimestamp",
}


@frozen
class KeybindingsFile:
    """What a file says: the bindings that can be used, and one line for each thing that cannot."""

    bindings: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


class AppKeybindings(KeybindingsManager):
    """The keys of toolkit and application, with those of the user's file over them."""

    def __init__(self, path: Path, platform: Platform = "linux") -> None:
        super().__init__(default_keybindings(platform))
        self._path = path
        self.warnings: list[str] = []
        self.reload()

    def reload(self) -> list[str]:
        """Read the file again and return the warnings, which `warnings` keeps."""
        file = read_keybindings(self._path)
        self.set_user_bindings(file.bindings)
        self.warnings = [*file.warnings, *self._conflicts()]
        return self.warnings

    def _conflicts(self) -> list[str]:
        return [
            f"{self._path}: {conflict['key']} is the key of {' and '.join(conflict['keybindings'])}. "
            "Where both could act, the first one does."
            for conflict in self.get_conflicts()
        ]


def detect_platform(environ: Mapping[str, str], system: str = sys.platform) -> Platform:
    """Return which defaults apply to a machine."""
    if system == "win32":
        return "windows"
    if system == "darwin":
        return "mac"
    is_wsl = environ.get("WSL_DISTRO_NAME") or environ.get("WSL_INTEROP")
    return "wsl" if system == "linux" and is_wsl else "linux"


def default_keybindings(platform: Platform = "linux") -> dict[str, KeybindingDefinition]:
    """Return all actions of toolkit and application with the default keys of a platform."""
    definitions = {**TUI_KEYBINDINGS, **APP_KEYBINDINGS}
    for action, keys in _PLATFORM_KEYS[platform].items():
        definitions[action] = define_keys(keys, definitions[action].description)
    return definitions


def read_keybindings(path: Path) -> KeybindingsFile:
    """Read a file; a missing one is an empty one. Never raises."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return KeybindingsFile()
    except OSError as error:
        return _unusable(path, error.strerror or str(error))
    try:
        data: object = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return _unusable(path, f"it is not JSON ({error})")
    if not isinstance(data, dict):
        return _unusable(path, "it is not a JSON object")
    return _read_bindings(path, data)


def migrate_keybindings(data: Mapping[str, object]) -> dict[str, object]:
    """Return the file's content with today's names, in the order of the tables, unknown names last."""
    renamed = {OLD_NAMES.get(name, name): value for name, value in data.items()}
    renamed |= {name: value for name, value in data.items() if name not in OLD_NAMES}
    known = ["$schema", *TUI_KEYBINDINGS, *APP_KEYBINDINGS]
    unknown = sorted(name for name in renamed if name not in known)
    return {name: renamed[name] for name in [*known, *unknown] if name in renamed}


def _read_bindings(path: Path, data: Mapping[str, object]) -> KeybindingsFile:
    file = KeybindingsFile()
    for action, value in migrate_keybindings(data).items():
        keys: object = [value] if isinstance(value, str) else value
        if not isinstance(keys, list):
            bad = [value]
        else:
            bad = [key for key in keys if not _is_key(key)]
        if isinstance(keys, list) and not bad:
            file.bindings[action] = keys
        elif action in TUI_KEYBINDINGS or action in APP_KEYBINDINGS:
            wrong = " and ".join(map(shown_value, bad))
            file.warnings.append(
                f"{path}: {action}: {wrong} {'is not a key' if len(bad) == 1 else 'are no keys'}."
                " Its default keys are used."
            )
    return file


def _is_key(key: object) -> bool:
    return isinstance(key, str) and normalize_key_sequence(key) is not None


def _unusable(path: Path, reason: str) -> KeybindingsFile:
    return KeybindingsFile(warnings=[f"{path}: {reason}. The default keys are used."])
