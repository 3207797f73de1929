"""Add a provider to `models.json`; all else in the file stays as it is, comments too."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.json_edit import set_member
from pi_agent.base.shared_file import change_shared
from pi_agent.base.wire import JsonObject
from pi_agent.resources.models_file import provider_entries

# The file may hold keys.
_MODE: Final = 0o600
_STALE_SECONDS: Final = 10.0


def store_provider(path: Path, provider_id: str, entry: JsonObject) -> None:
    """Write a provider into the file at `path`. May wait for another program.

    Raises `PiError` if the file is broken or cannot be written: it stays as it was.
    """

    def change(text: str) -> str:
        provider_entries(text, str(path))
        return set_member(text, ["providers", provider_id], entry)

    try:
        change_shared(path, change, stale_seconds=_STALE_SECONDS, mode=_MODE)
    except PiError as error:
        hint = error.hint or "Mend the file, then choose again."
        raise PiError(f"Not saved. {error.message}", hint) from error
