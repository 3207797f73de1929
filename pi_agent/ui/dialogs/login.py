"""The rows of `/login` and `/logout`: providers, each with where its key comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pi_agent.llm.key_status import KeyStatus
from pi_agent.llm.provider import Provider
from pi_agent.ui.dialogs.picker import Choice


def login_choices(
    providers: Iterable[tuple[Provider, KeyStatus]], accounts: frozenset[str]
) -> list[Choice]:
    """Return a row for each provider; `accounts` are those that other programs are signed in to."""
    return [_choice(provider, status, accounts) for provider, status in providers]


def logout_choices(provider_ids: Sequence[str], names: dict[str, str]) -> list[Choice]:
    """Return a row for each provider that a key is stored for; `names` are what people call them."""
    return [
        Choice(each, _name(each, names.get(each, each)), f"{each} {names.get(each, each)}")
        for each in provider_ids
    ]


def _choice(provider: Provider, status: KeyStatus, accounts: frozenset[str]) -> Choice:
    mark = "✓" if status.has_key and status.is_complete else " "
    words = status.words
    if provider.id in accounts:
        words += ", account of another program"
    label = f"{mark} {_name(provider.id, provider.name)} · {words}"
    return Choice(provider.id, label, f"{provider.id} {provider.name} {words}")


def _name(provider_id: str, name: str) -> str:
    """Return what people call a provider, with its id where that could not be guessed."""
    same = provider_id.lower() == "".join(name.lower().split())
    return name if same else f"{name} ({provider_id})"
