"""Store keys, and use what is stored from then on."""

from __future__ import annotations

from pathlib import Path

from pi_agent.host.options import RunOptions
from pi_agent.host.services import Services
from pi_agent.resources.auth_file import AUTH_FILE_NAME, remove_credential, store_api_key
from pi_tui.threads import run_in_thread


def auth_file_of(options: RunOptions) -> Path:
    """Return where keys are stored."""
    return options.paths.agent_dir / AUTH_FILE_NAME


async def store_key(services: Services, provider_id: str, written: str) -> list[str]:
    """Store a key; returns what has become wrong with the files of models and keys.

    May wait for another program. Raises `AuthFileError`.
    """
    path = auth_file_of(services.options)
    await run_in_thread(lambda: store_api_key(path, provider_id, written))
    return _reload(services, provider_id)


async def remove_key(services: Services, provider_id: str) -> list[str]:
    """Remove what is stored for a provider; see `store_key`."""
    path = auth_file_of(services.options)
    await run_in_thread(lambda: remove_credential(path, provider_id))
    return _reload(services, provider_id)


def _reload(services: Services, provider_id: str) -> list[str]:
    problems = services.reload_models()
    services.registry.key_changed(provider_id)
    return problems
