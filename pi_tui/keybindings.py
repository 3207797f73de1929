"""Named actions and the keys that trigger them: defaults, what the user made of them, conflicts.

What the user sets for an action replaces its defaults and leaves every other action alone: keys overlap on
purpose where contexts differ, so only two user bindings can be in conflict, and then both stay.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TypedDict

from pi_tui.events import InputEvent, KeyEvent
from pi_tui.frozen import frozen, slotted
from pi_tui.keys import format_key, normalize_key_id

UserBindings = Mapping[str, str | Sequence[str]]


@frozen
class KeybindingDefinition:
    """An action's default keys, and what it does in a few words.

    Without `in_text` it is an action of a list or a panel that has the keys: where text is typed its keys are text.
    """

    default_keys: tuple[str, ...]
    description: str
    in_text: bool = True


class KeybindingConflict(TypedDict):
    """A key that the user gave to several actions."""

    key: str
    keybindings: list[str]


def define_keys(keys: str, description: str, *, in_text: bool = True) -> KeybindingDefinition:
    """Return a definition for default keys written with spaces between them."""
    return KeybindingDefinition(tuple(keys.split()), description, in_text)


TUI_KEYBINDINGS: Mapping[str, KeybindingDefinition] = {
    "tui.editor.cursorUp": define_keys("up", "Move up, or back in the history at the first row"),
    "tui.editor.cursorDown": define_keys("down", "Move down, or on in the history at the last row"),
    "tui.editor.historyPrevious": define_keys("", "Go back in the history"),
    "tui.editor.historyNext": define_keys("", "Go on in the history"),
    "tui.editor.cursorLeft": define_keys("left ctrl+b", "Move left"),
    "tui.editor.cursorRight": define_keys("right ctrl+f", "Move right"),
    "tui.editor.cursorWordLeft": define_keys("alt+left ctrl+left alt+b", "Move one word left"),
    "tui.editor.cursorWordRight": define_keys("alt+right ctrl+right alt+f", "Move one word right"),
    "tui.editor.cursorLineStart": define_keys("home ctrl+a", "Move to the start of the line"),
    "tui.editor.cursorLineEnd": define_keys("end ctrl+e", "Move to the end of the line"),
    "tui.editor.jumpForward": define_keys("ctrl+]", "Jump to the next of a character"),
    "tui.editor.jumpBackward": define_keys("ctrl+alt+]", "Jump back to a character"),
    "tui.editor.pageUp": define_keys("pageUp ctrl+pageUp", "Move one page up"),
    "tui.editor.pageDown": define_keys("pageDown ctrl+pageDown", "Move one page down"),
    "tui.editor.deleteCharBackward": define_keys("backspace", "Delete backward"),
    "tui.editor.deleteCharForward": define_keys("delete ctrl+d", "Delete forward"),
    "tui.editor.deleteWordBackward": define_keys("ctrl+w alt+backspace", "Delete the word before"),
    "tui.editor.deleteWordForward": define_keys("alt+d alt+delete", "Delete the word after"),
    "tui.editor.deleteToLineStart": define_keys("ctrl+u", "Delete to the start of the line"),
    "tui.editor.deleteToLineEnd": define_keys("ctrl+k", "Delete to the end of the line"),
    "tui.editor.yank": define_keys("ctrl+y", "Insert what was deleted last"),
    "tui.editor.yankPop": define_keys(
        "alt+y", "Change what was inserted to what was deleted earlier"
    ),
    "tui.editor.undo": define_keys("ctrl+-", "Undo"),
    "tui.editor.redo": define_keys("ctrl+shift+- alt+-", "Redo"),
    "tui.input.newLine": define_keys("shift+enter ctrl+j", "Start a new line"),
    "tui.input.submit": define_keys("enter", "Send"),
    "tui.input.tab": define_keys("tab", "Complete"),
    "tui.input.copy": define_keys("ctrl+c", "Copy the selection"),
    "tui.select.up": define_keys("up", "Move up in a list"),
    "tui.select.down": define_keys("down", "Move down in a list"),
    "tui.select.pageUp": define_keys("pageUp", "Move one page up in a list"),
    "tui.select.pageDown": define_keys("pageDown", "Move one page down in a list"),
    "tui.select.first": define_keys("home", "Move to the first row of a list"),
    "tui.select.last": define_keys("end", "Move to the last row of a list"),
    "tui.select.confirm": define_keys("enter", "Choose"),
    "tui.select.cancel": define_keys("escape ctrl+c", "Cancel"),
    "tui.tree.open": define_keys("right", "Open a branch, or go into it"),
    "tui.tree.close": define_keys("left", "Close a branch, or go out of it"),
    "tui.table.nextColumn": define_keys("right", "Show the next column of a table"),
    "tui.table.previousColumn": define_keys("left", "Show the column before of a table"),
    "tui.table.sort": define_keys("alt+s", "Sort by the first column in view"),
    "tui.tabs.next": define_keys("right ctrl+pageDown", "Show the next tab"),
    "tui.tabs.previous": define_keys("left ctrl+pageUp", "Show the tab before"),
    "tui.split.forward": define_keys("right down", "Move the line between two panes on"),
    "tui.split.back": define_keys("left up", "Move the line between two panes back"),
    "tui.altScreen.pageUp": define_keys("pageUp", "Scroll one page up"),
    "tui.altScreen.pageDown": define_keys("pageDown", "Scroll one page down"),
    "tui.altScreen.halfPageUp": define_keys("", "Scroll half a page up"),
    "tui.altScreen.halfPageDown": define_keys("", "Scroll half a page down"),
    "tui.altScreen.lineUp": define_keys("", "Scroll one row up"),
    "tui.altScreen.lineDown": define_keys("", "Scroll one row down"),
    "tui.altScreen.previousPrompt": define_keys(
        "ctrl+shift+up ctrl+up", "Scroll to the prompt before"
    ),
    "tui.altScreen.nextPrompt": define_keys(
        "ctrl+shift+down ctrl+down", "Scroll to the next prompt"
    ),
    "tui.altScreen.search": define_keys("ctrl+shift+f ctrl+alt+f", "Search in the transcript"),
    "tui.altScreen.searchNext": define_keys("enter ctrl+g down", "Go to the next match"),
    "tui.altScreen.searchPrevious": define_keys(
        "shift+enter ctrl+shift+g up", "Go to the match before"
    ),
    "tui.altScreen.searchClose": define_keys("escape", "Close the search"),
    "tui.altScreen.top": define_keys("ctrl+home", "Scroll to the start"),
    "tui.altScreen.bottom": define_keys("ctrl+end", "Scroll to the end"),
}


class KeybindingsManager:
    """Answers which keys an action has, and whether an event is one of them.

    `sequences` are the bindings of several keys one after another. The event that matches one has the whole
    sequence as its id (`KeySequences` makes it).
    """

    def __init__(
        self,
        definitions: Mapping[str, KeybindingDefinition],
        user_bindings: UserBindings | None = None,
    ) -> None:
        self._definitions = dict(definitions)
        self._user: dict[str, list[str]] = {}
        self._keys: dict[str, list[str]] = {}
        self._ids: dict[str, frozenset[str]] = {}
        self._bound: frozenset[str] = frozenset()
        self._bound_in_text: frozenset[str] = frozenset()
        self.sequences: frozenset[tuple[str, ...]] = frozenset()
        self.set_user_bindings(user_bindings or {})

    def matches(self, event: InputEvent, action: str) -> bool:
        """Whether `event` is one of the action's keys; never for an unknown action."""
        ids = self._ids.get(action)
        if not ids or not isinstance(event, KeyEvent):
            return False
        return event.id in ids or any(key_id in ids for key_id in event.also)

    def is_bound(self, event: KeyEvent) -> bool:
        """Whether `event` is a key of any action; a key that only begins a sequence is not."""
        return event.id in self._bound or any(key_id in self._bound for key_id in event.also)

    def is_bound_in_text(self, event: KeyEvent) -> bool:
        """Whether `event` is a key of an action that there may be where text is typed."""
        keys = self._bound_in_text
        return event.id in keys or any(key_id in keys for key_id in event.also)

    def get_keys(self, action: str) -> list[str]:
        """Return the action's keys in order, each once; empty for an unknown action."""
        return list(self._keys.get(action, ()))

    def get_definition(self, action: str) -> KeybindingDefinition | None:
        """Return the defaults and description of an action, if it is known."""
        return self._definitions.get(action)

    def set_user_bindings(self, bindings: UserBindings) -> None:
        """Replace all that the user has set; an empty list leaves an action without keys."""
        self._user = {
            action: [keys] if isinstance(keys, str) else list(keys)
            for action, keys in bindings.items()
        }
        self._keys = {
            action: _without_duplicates(self._user.get(action, definition.default_keys))
            for action, definition in self._definitions.items()
        }
        self._ids = {
            action: frozenset(map(_comparable, keys)) for action, keys in self._keys.items()
        }
        self._bound = frozenset().union(*self._ids.values())
        self._bound_in_text = frozenset().union(
            *(ids for action, ids in self._ids.items() if self._definitions[action].in_text)
        )
        self.sequences = frozenset(tuple(keys.split(" ")) for keys in self._bound if " " in keys)

    def get_user_bindings(self) -> dict[str, list[str]]:
        """Return what the user has set, for unknown actions too."""
        return {action: list(keys) for action, keys in self._user.items()}

    def get_resolved_bindings(self) -> dict[str, str | list[str]]:
        """Return the keys of all actions: a single one as a string, else a list."""
        return {
            action: keys[0] if len(keys) == 1 else list(keys) for action, keys in self._keys.items()
        }

    def get_conflicts(self) -> list[KeybindingConflict]:
        """Return the keys that the user gave to two or more known actions."""
        actions_by_key: dict[str, list[str]] = {}
        for action in self._definitions:
            if action in self._user:
                for key in self._keys[action]:
                    actions_by_key.setdefault(_comparable(key), []).append(action)
        return [
            {"key": key, "keybindings": actions}
            for key, actions in actions_by_key.items()
            if len(actions) > 1
        ]


@slotted
class _Current:
    manager: KeybindingsManager | None = None


_current = _Current()


def get_keybindings() -> KeybindingsManager:
    """Return the process-wide manager; until one is set it has the toolkit's defaults."""
    if _current.manager is None:
        _current.manager = KeybindingsManager(TUI_KEYBINDINGS)
    return _current.manager


def set_keybindings(manager: KeybindingsManager) -> None:
    """Make `manager` the process-wide one."""
    _current.manager = manager


def key_text(
    action: str, *, keybindings: KeybindingsManager | None = None, platform: str = sys.platform
) -> str:
    """Return an action's keys for a hint, `escape/ctrl+c`; empty if it has none."""
    return _key_text(action, keybindings, platform, capitalize=False)


def key_display_text(
    action: str, *, keybindings: KeybindingsManager | None = None, platform: str = sys.platform
) -> str:
    """Return an action's keys for a hint with capitals, `Escape/Ctrl+C`; empty if it has none."""
    return _key_text(action, keybindings, platform, capitalize=True)


def _key_text(
    action: str, keybindings: KeybindingsManager | None, platform: str, *, capitalize: bool
) -> str:
    keys = (keybindings or get_keybindings()).get_keys(action)
    is_mac = platform == "darwin"
    return "/".join(format_key(key, capitalize=capitalize, mac=is_mac) for key in keys)


def _without_duplicates(keys: Sequence[str]) -> list[str]:
    return list({_comparable(key): key for key in reversed(keys)}.values())[::-1]


def _comparable(keys: str) -> str:
    """Return a key or sequence in the spelling of events; what is invalid stays and equals no event."""
    return " ".join(normalize_key_id(key) or f"?{key}" for key in keys.split(" "))
