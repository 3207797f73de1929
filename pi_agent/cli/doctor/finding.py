"""What `pi doctor` finds: one thing, how bad it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final, Literal

from pi_agent.base.paths import AgentPaths
from pi_agent.resources.settings import SettingsStore
from pi_tui.frozen import frozen

# `note` is worth knowing, and may well be as it is wanted; of something `broken` pi cannot do its work.
Level = Literal["ok", "note", "warning", "broken"]

LEVELS: Final[Sequence[Level]] = ("ok", "note", "warning", "broken")


@frozen
class Finding:
    """One thing that was looked at. All but what is `ok` has advice.

    `key` is one short word that stays the same between versions; `details` are values for a bug report.
    """

    key: str
    text: str
    level: Level = "ok"
    advice: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


@frozen
class Surroundings:
    """What there is to look at. `local_servers` gives other addresses than those that servers take by themselves."""

    environ: Mapping[str, str]
    paths: AgentPaths
    settings: SettingsStore
    local_servers: Mapping[str, str] | None = None

    def shown(self, path: Path | str) -> str:
        """Return a path, or a text with paths in it, with `~` for the home folder."""
        home = self.environ.get("HOME", "").rstrip("/")
        return str(path).replace(f"{home}/", "~/") if home else str(path)


def worst(findings: Sequence[Finding]) -> Level:
    """Return the worst level there is."""
    return max((each.level for each in findings), key=LEVELS.index, default="ok")


def counted(count: int, name: str, names: str = "") -> str:
    """Return a number with its noun: `1 warning`, `2 warnings`."""
    return f"{count} {name if count == 1 else names or name + 's'}"
