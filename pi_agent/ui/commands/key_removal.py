"""Remove a stored key, and tell where the next one comes from."""

from __future__ import annotations

from pi_agent.host.keys import remove_key
from pi_agent.host.services import Services
from pi_agent.llm.key_status import without_stored
from pi_agent.llm.key_words import told_of_next
from pi_agent.llm.provider import Provider
from pi_agent.resources.auth_file import AuthFileError
from pi_agent.ui.commands.host import CommandHost


async def remove_and_tell(host: CommandHost, services: Services, provider_id: str) -> None:
    """Remove what is stored for a provider; what stands in the way is told."""
    try:
        problems = await remove_key(services, provider_id)
    except AuthFileError as error:
        host.report(f"Error: {error.with_hint()}")
        return
    for text in problems:
        host.app.notify(text, "warning")
    provider = services.registry.provider(provider_id)
    name = provider.name if provider is not None else provider_id
    host.app.screen.notices.say(
        f"The key of {name} is removed. {what_is_next(services, provider)}".rstrip()
    )


def what_is_next(services: Services, provider: Provider | None) -> str:
    """Return what becomes of requests to a provider when nothing is stored for it."""
    if provider is None:
        return ""
    status = services.registry.keys.status(without_stored(provider))
    text = told_of_next(status, f"/login {provider.id}")
    model = services.conversation.model
    if status.is_usable or model is None or model.provider != provider.id:
        return text
    return f"{text} Until then the current model, {model.reference}, cannot be asked."
