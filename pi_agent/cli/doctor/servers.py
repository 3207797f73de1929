"""Model servers that run on this machine, whether pi knows them already or not."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from pi_agent.base.http import HttpClient
from pi_agent.cli.doctor.finding import Finding, Surroundings, counted
from pi_agent.cli.known_providers import read_providers
from pi_agent.llm.local_servers import SERVER_KINDS, FoundServer, find_local_servers


def check_servers(here: Surroundings) -> list[Finding]:
    """Ask at the usual ports of this machine, and return what there is to say of the servers there."""
    known = {
        urlsplit(provider.base_url).port: provider.id
        for provider in read_providers(here.paths.agent_dir, here.environ)
        if urlsplit(provider.base_url).hostname in ("127.0.0.1", "localhost", "::1")
    }
    findings = [
        _finding(server, known.get(int(server.port))) for server in asyncio.run(_find(here))
    ]
    names = ", ".join(kind.name for kind in SERVER_KINDS)
    return findings or [Finding("servers", f"none on this machine ({names})")]


async def _find(here: Surroundings) -> list[FoundServer]:
    http = HttpClient(here.environ)
    try:
        servers = [server async for server in find_local_servers(http, here.local_servers)]
    finally:
        await http.aclose()
    return sorted(servers, key=lambda server: server.kind.name)


def _finding(server: FoundServer, provider_id: str | None) -> Finding:
    reading = server.reading
    text = f"{server.kind.name} at {server.address}"
    details = {"id": server.kind.id, "url": server.url, "models": reading.models}
    if reading.wants_key:
        advice = "Name it with its key in models.json, or start `pi` and choose it."
        return Finding("servers", f"{text} wants a key", "note", advice, details)
    if not reading.models:
        advice = server.kind.without_models
        return Finding("servers", f"{text} has no model", "note", advice, details)
    text += f" ({counted(reading.models, 'model')})"
    if provider_id is not None:
        return Finding("servers", f"{text}, as {provider_id}", details=details)
    advice = "Start `pi` and choose it, or name it in models.json."
    return Finding("servers", f"{text}, not used yet", "note", advice, details)
