"""The providers that files and environment name, read without asking anybody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pi_agent.llm.provider import Provider
from pi_agent.llm.provider_list import collect_providers
from pi_agent.resources.auth_file import AUTH_FILE_NAME, load_auth_file
from pi_agent.resources.models_file import load_models_file


def read_providers(agent_dir: Path, environ: Mapping[str, str]) -> list[Provider]:
    """Return them with their keys as written and the models that `models.json` lists; the demo is the last one."""
    models_file = load_models_file(agent_dir / "models.json")
    auth = load_auth_file(agent_dir / AUTH_FILE_NAME)
    return list(collect_providers(environ, models_file, auth).values())
