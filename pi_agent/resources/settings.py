"""The user's settings: `settings.json` over the defaults of the table, and how changes get back into the file.

A wrong value costs that one setting. A file that is no JSON is left alone until somebody has mended it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.json_edit import remove_member, set_member
from pi_agent.base.jsonc import parse_jsonc, shown_value
from pi_agent.base.shared_file import change_shared, read_shared
from pi_agent.resources.settings_old import Migration, migrate_settings
from pi_agent.resources.settings_table import BY_KEY, Setting

FILE_NAME: Final = "settings.json"

_BOM: Final = "\ufeff"
_STALE_SECONDS: Final = 10.0

Listener = Callable[[frozenset[str]], None]


class SettingsError(PiError):
    """The settings cannot be read or saved."""


class SettingsStore:
    """The settings of a run. Keys have dots where the file has objects inside objects: `retry.maxRetries`.

    A key that the table does not have raises `KeyError`, and a getter for another kind of value `TypeError`.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._values: dict[str, object] = {}
        self._listeners: list[Listener] = []
        self._writing = asyncio.Lock()
        self.error: str | None = None
        self.warnings: list[str] = []
        self.reload()

    @property
    def path(self) -> Path | None:
        """The file; `None` for settings that are kept nowhere."""
        return self._path

    # Reading

    def get(self, key: str) -> object:
        """Return a setting, as the file has it or by default; `None` is no choice."""
        return self._values.get(key, BY_KEY[key].default)

    def is_set(self, key: str) -> bool:
        """Whether the user has chosen."""
        return key in self._values

    def get_bool(self, key: str) -> bool:
        """Return a setting that is true or false."""
        value = self.get(key)
        if not isinstance(value, bool):
            raise TypeError(f"{key} is {value!r}, not a bool")
        return value

    def get_number(self, key: str) -> int:
        """Return a setting that is a whole number."""
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{key} is {value!r}, not a number")
        return int(value)

    def get_text(self, key: str) -> str | None:
        """Return a setting that is a text, if there is one."""
        value = self.get(key)
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{key} is {value!r}, not a text")
        return value

    def get_choice(self, key: str) -> str:
        """Return a setting that is one of several words."""
        value = self.get(key)
        if not isinstance(value, str):
            raise TypeError(f"{key} is {value!r}, not a word")
        return value

    def get_list(self, key: str) -> list[str] | None:
        """Return a setting that is a list of texts, if there is one."""
        value = self.get(key)
        if value is not None and not isinstance(value, list):
            raise TypeError(f"{key} is {value!r}, not a list")
        return list(value) if value is not None else None

    def reload(self) -> None:
        """Read the file again; `error` and `warnings` tell what is wrong with it."""
        self.error, self.warnings = None, []
        before, self._values = self._values, {}
        try:
            data = _parse(read_shared(self._path), self._path) if self._path is not None else {}
        except PiError as error:
            self.error = f"{error.message}\nThe default settings are used, and none are saved."
            data = {}
        self._take(migrate_settings(data).data)
        self._tell(before)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` the keys that change; returns the unsubscriber."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Changing

    def set(self, changes: Mapping[str, object]) -> None:
        """Change settings for this run; `None` goes back to the default. Raises `SettingsError`."""
        for key, value in changes.items():
            _check(BY_KEY[key], value)
        before = dict(self._values)
        self._values |= {key: value for key, value in changes.items() if value is not None}
        for key in [key for key, value in changes.items() if value is None]:
            self._values.pop(key, None)
        self._tell(before)

    def write(self, changes: Mapping[str, object]) -> None:
        """Change settings in the file, where all else stays as it is. May wait for another program.

        Raises `SettingsError`: the file is broken, or cannot be written.
        """
        for key, value in changes.items():
            _check(BY_KEY[key], value)
        if self._path is None:
            return
        path = self._path

        def change(text: str) -> str:
            return _changed(text, migrate_settings(_parse(text, path)), changes)

        try:
            change_shared(path, change, stale_seconds=_STALE_SECONDS)
        except PiError as error:
            raise SettingsError(f"Not saved. {error.message}", error.hint) from error

    async def save(self, changes: Mapping[str, object]) -> None:
        """Change settings, at once for this run and then in the file, one change after the other.

        Raises `SettingsError`.
        """
        self.set(changes)
        async with self._writing:
            await asyncio.to_thread(self.write, changes)

    def _take(self, data: Mapping[str, object]) -> None:
        for setting in BY_KEY.values():
            value = _value_at(data, setting.key)
            if value is None:
                continue
            if setting.kind.accepts(value):
                self._values[setting.key] = value
            else:
                self.warnings.append(f"{self._path}: {_told(setting, value)}")

    def _tell(self, before: Mapping[str, object]) -> None:
        keys = before.keys() | self._values.keys()
        changed = frozenset(key for key in keys if before.get(key) != self._values.get(key))
        for listener in tuple(self._listeners) if changed else ():
            listener(changed)


def _parse(text: str, path: Path) -> Mapping[str, object]:
    """Return what a file holds; an empty one holds nothing."""
    text = text.removeprefix(_BOM)
    data = parse_jsonc(text, str(path)) if text.strip() else {}
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: expected an object")
    return data


def _changed(text: str, migration: Migration, changes: Mapping[str, object]) -> str:
    """Return the file's text with today's names and the changes."""
    for key in migration.removed:
        text = remove_member(text, key.split("."))
    for key, value in {**migration.added, **changes}.items():
        path = key.split(".")
        text = remove_member(text, path) if value is None else set_member(text, path, value)
    return text


def _told(setting: Setting, value: object) -> str:
    """Return what is wrong with a value, and what is done instead."""
    used = "It is ignored."
    if setting.default is not None:
        used = f"The default is used: {shown_value(setting.default)}."
    return f"{_wrong(setting, value)}. {used}"


def _wrong(setting: Setting, value: object) -> str:
    return f"{setting.key}: expected {setting.kind.expected}, not {shown_value(value)}"


def _check(setting: Setting, value: object) -> None:
    if value is not None and not setting.kind.accepts(value):
        raise SettingsError(_wrong(setting, value))


def _value_at(data: object, key: str) -> object:
    for part in key.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
