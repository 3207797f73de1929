"""The models of a run, from the files of the agent's folder, the environment and the settings."""

from __future__ import annotations

from pi_agent.base.wire import JsonObject
from pi_agent.host.options import RunOptions
from pi_agent.llm.provider import Provider
from pi_agent.llm.registry import ModelRegistry
from pi_agent.resources.auth_file import AUTH_FILE_NAME, load_auth_file
from pi_agent.resources.models_edit import store_provider
from pi_agent.resources.models_file import MODELS_FILE_NAME, load_models_file


def build_registry(options: RunOptions) -> ModelRegistry:
    """Return the models as the files have them; what is wrong with the files is in `notices`."""
    folder = options.paths.agent_dir
    return ModelRegistry(
        options.environ,
        load_models_file(folder / MODELS_FILE_NAME),
        load_auth_file(folder / AUTH_FILE_NAME),
        proxy=options.settings.get_text("httpProxy"),
        clock=options.clock,
    )


def reload_registry(registry: ModelRegistry, options: RunOptions) -> list[str]:
    """Read the files again. Returns what is wrong with them now and was not before."""
    folder = options.paths.agent_dir
    known = set(registry.notices)
    registry.reload(
        load_models_file(folder / MODELS_FILE_NAME), load_auth_file(folder / AUTH_FILE_NAME)
    )
    return [text for text in registry.notices if text not in known]


def store_added(options: RunOptions, provider: Provider) -> None:
    """Write a provider into `models.json`, so that it is known from now on. Raises `PiError`."""
    entry: JsonObject = {
        "name": provider.name,
        "api": provider.api,
        "baseUrl": provider.base_url,
    }
    store_provider(options.paths.agent_dir / MODELS_FILE_NAME, provider.id, entry)
