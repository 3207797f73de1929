"""Every setting of the table is obeyed: something reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.resources.settings_table import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
# What only tells of settings.
_TELLS = ("settings_table.py", "settings_old.py", "dialogs/settings.py")
SOURCES = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "pi_agent").rglob("*.py"))
    if not path.as_posix().endswith(_TELLS)
)


@pytest.mark.parametrize("key", [setting.key for setting in SETTINGS])
def test_a_setting_is_read(key: str) -> None:
    family = key.rpartition(".")[0]
    assert f'"{key}"' in SOURCES or (family and f'"{family}.{{' in SOURCES)
