"""Whom pi can ask: providers with their keys, and the small built-in model."""

from __future__ import annotations

from collections.abc import Iterator

from pi_agent.cli.doctor.finding import Finding, Surroundings
from pi_agent.cli.known_providers import read_providers
from pi_agent.llm.key_status import key_status
from pi_agent.llm.local.provider import LOCAL_API
from pi_agent.llm.local_model import INSTALL_COMMAND, LocalModel
from pi_agent.llm.scripted import DEMO_API
from pi_agent.llm.ways import WAYS_TO_A_MODEL


def check_models(here: Surroundings) -> list[Finding]:
    """Return what there is to say of models. Nothing of a key is shown, and no command is run for one."""
    return [*_keys(here), _built_in(here)]


def _keys(here: Surroundings) -> Iterator[Finding]:
    found: dict[str, str] = {}
    for provider in read_providers(here.paths.agent_dir, here.environ):
        if provider.api in (DEMO_API, LOCAL_API):
            continue
        status = key_status(provider, here.environ)
        if status.is_usable:
            found[provider.id] = status.variable or status.words
        elif status.has_key:
            # Its place counts, whatever the environment has: only that place can be put right.
            advice = f"Set the one that its key names, or store another key with `pi auth login {provider.id}`."
            yield Finding("keys", f"{provider.id}: {status.words}", "warning", advice)
    if found:
        text = ", ".join(f"{name} ({source})" for name, source in found.items())
        yield Finding("keys", text, details=found)
    else:
        yield Finding("keys", "no provider can be asked yet", "warning", WAYS_TO_A_MODEL)


def _built_in(here: Surroundings) -> Finding:
    state = LocalModel(here.paths.cache_dir, here.environ).state()
    details = {
        "server": state.has_server,
        "library": state.has_library,
        "weights": state.has_weights,
    }
    if state.is_ready:
        return Finding("local", "the small model is installed", details=details)
    if state.can_be_installed:
        text = f"`{INSTALL_COMMAND}` fetches a small model ({state.megabytes_to_fetch} MB)"
        return Finding("local", text, details=details)
    advice = state.why_not_installable or ""
    return Finding("local", "the small model cannot be fetched", "note", advice, details)
