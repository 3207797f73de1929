"""Settings under the names of earlier versions, in today's words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import field
from typing import Final

from pi_tui.frozen import slotted

_RENAMED: Final = (
    ("queueMode", "steeringMode"),
    ("retry.maxDelayMs", "retry.provider.maxRetryDelayMs"),
)


@slotted
class Migration:
    """What a file says in today's words, and what has to change in the file to say it itself."""

    data: dict[str, object]
    removed: list[str] = field(default_factory=list)
    added: dict[str, object] = field(default_factory=dict)


def migrate_settings(data: Mapping[str, object]) -> Migration:
    """Return the settings of a file under today's names. Where it has both, today's wins."""
    migration = Migration(deepcopy(dict(data)))
    for old, new in _RENAMED:
        value = _take(migration.data, old)
        if value is not None:
            migration.removed.append(old)
            if _put(migration.data, new, value):
                migration.added[new] = value
    return migration


def _take(data: dict[str, object], key: str) -> object:
    *parents, name = key.split(".")
    holder: object = data
    for parent in parents:
        holder = holder.get(parent) if isinstance(holder, dict) else None
    return holder.pop(name, None) if isinstance(holder, dict) else None


def _put(data: dict[str, object], key: str, value: object) -> bool:
    """Set what is not there yet, and return whether that was so."""
    *parents, name = key.split(".")
    holder: object = data
    for parent in parents:
        holder = holder.setdefault(parent, {}) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or name in holder:
        return False
    holder[name] = value
    return True
