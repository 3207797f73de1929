"""The rows of the welcome screen, and what it says of texts that wait for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pi_agent.llm.local_servers import SERVER_KINDS, FoundServer
from pi_agent.llm.model import Model
from pi_agent.ui.dialogs.welcome import REMEMBER, Way
from pi_agent.ui.plain import plain_line
from pi_tui.width import truncate_to_width

_SHORT: Final = 60
_MOST_NAMED: Final = 2


def ways_to_a_model(
    candidates: Sequence[Model], servers: Mapping[str, FoundServer], about_small: str | None
) -> list[Way]:
    """Return the rows; `servers` are those that were found, by kind, and `about_small` is there if that can be had."""
    found = [servers[kind.id] for kind in SERVER_KINDS if kind.id in servers]
    return [
        *_known(candidates),
        Way("login", "Sign in or paste an API key", "OpenAI, OpenRouter, Groq and others"),
        *(_server(server) for server in found),
        *([Way("local", "Small built-in model", about_small)] if about_small else []),
        Way("tour", "Take the tour", "a played example: no account, no network"),
        Way(REMEMBER, "Remember what I choose", "and start with it next time"),
        Way("quit", "Quit"),
    ]


def waiting_note(waiting: Sequence[str]) -> str:
    """Return what is said of texts that wait."""
    if not waiting:
        return ""
    first = truncate_to_width(plain_line(waiting[0]), _SHORT, "…")
    more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
    return f"Sent once a model is chosen: {first}{more}"


def _known(models: Sequence[Model]) -> list[Way]:
    """Return the way to the models that can be asked already, if there are any."""
    if not models:
        return []
    names = sorted({model.provider for model in models})
    told = ", ".join(names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    what = "the model" if len(models) == 1 else f"one of {len(models)} models"
    return [Way("models", f"Choose {what}", f"of {told}{more}")]


def _server(server: FoundServer) -> Way:
    label = f"Use {server.kind.name} at {server.address}"
    count = server.reading.models
    if server.reading.wants_key:
        return Way(server.url, label, "it wants a key")
    if not count:
        return Way(server.url, label, "it has no models yet")
    return Way(server.url, label, f"{count} model{'s' if count > 1 else ''} on this machine")
