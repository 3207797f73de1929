"""Model servers that may already run on this machine, at the ports that they take by themselves.

What answers there is believed only when its answers are those of the server that belongs there: any program may
listen on 8080.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Final

from pi_agent.base.clock import within
from pi_agent.base.http import HttpClient, NetworkError, is_loopback
from pi_agent.base.wire import JsonValue
from pi_agent.llm.provider import Provider
from pi_tui.frozen import frozen

PROBE_SECONDS: Final = 0.2
_ATTEMPTS: Final = 5
_MAX_BYTES: Final = 4 * 1024 * 1024
_OK: Final = 200
_UNAUTHORIZED: Final = 401


@frozen
class Answer:
    """What came back from one path; no status: nothing that could be read."""

    status: int | None = None
    data: JsonValue = None


@frozen
class Reading:
    """What a server's answers say. `wants_key`: it tells nothing to those without one."""

    models: int
    wants_key: bool = False


Answers = Mapping[str, Answer]


@frozen
class ServerKind:
    """A server that is looked for: where, and what it is asked.

    `read` returns `None` if the answers are somebody else's. `without_models` says what to do where there are none.
    """

    id: str
    name: str
    url: str
    paths: tuple[str, ...]
    read: Callable[[Answers], Reading | None]
    without_models: str


@frozen
class FoundServer:
    """A server that has answered."""

    kind: ServerKind
    url: str
    reading: Reading

    @property
    def address(self) -> str:
        """The address as people write it."""
        return self.url.partition("://")[2]

    @property
    def port(self) -> str:
        """The port, as it stands in the address."""
        return self.url.rpartition(":")[2]

    def provider(self, provider_id: str) -> Provider:
        """Return what pi asks it as."""
        return Provider(
            id=provider_id, name=self.kind.name, base_url=f"{self.url}/v1", needs_key=False
        )


async def find_local_servers(
    http: HttpClient,
    urls: Mapping[str, str] | None = None,
    *,
    seconds: float = PROBE_SECONDS,
) -> AsyncGenerator[FoundServer, None]:
    """Ask all at once, and yield the servers as they answer; never raises.

    `urls` gives other addresses by the id of the kind; kinds that it leaves out are not looked for.
    """
    kinds = [(kind, kind.url) for kind in SERVER_KINDS]
    if urls is not None:
        kinds = [(kind, urls[kind.id]) for kind, _ in kinds if kind.id in urls]
    kinds = [(kind, url) for kind, url in kinds if is_loopback(url)]
    if not kinds:
        return
    try:
        await asyncio.to_thread(http.warm_up)  # which takes longer than any answer
    except (OSError, ValueError):
        return  # certificates that cannot be read; whoever needs them is told
    tasks = [asyncio.create_task(_look(http, kind, url, seconds)) for kind, url in kinds]
    try:
        for answered in asyncio.as_completed(tasks):
            server = await answered
            if server is not None:
                yield server
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _look(http: HttpClient, kind: ServerKind, url: str, seconds: float) -> FoundServer | None:
    """Ask one server. Time that this program is busy with itself passes, too: so it is asked again, more patiently."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            async with within(attempt * seconds, None):
                given = await asyncio.gather(*(_get(http, url + path) for path in kind.paths))
        except TimeoutError:
            continue
        reading = kind.read(dict(zip(kind.paths, given, strict=True)))
        return None if reading is None else FoundServer(kind, url, reading)
    return None


async def _get(http: HttpClient, url: str) -> Answer:
    """Ask for `url`. Who is sent elsewhere from there has found none of those servers, and might leave this machine."""
    try:
        async with http.stream("GET", url, follow_redirects=False) as response:
            body = await response.read(_MAX_BYTES)
        return Answer(response.status, json.loads(body))
    except (NetworkError, ValueError, RecursionError):
        return Answer()


# What the answers look like


def _listed(answer: Answer) -> list[JsonValue] | None:
    """Return the entries of a list in OpenAI's form."""
    data = answer.data
    if answer.status != _OK or not isinstance(data, dict) or data.get("object") != "list":
        return None
    entries = data.get("data") or []  # Ollama says null where there are none
    if not isinstance(entries, list):
        return None
    is_model = all(
        isinstance(entry, dict) and entry.get("object") == "model" and entry.get("id")
        for entry in entries
    )
    return entries if is_model else None


def _read_ollama(answers: Answers) -> Reading | None:
    tags = answers["/api/tags"]
    if tags.status != _OK or not isinstance(tags.data, dict):
        return None
    models = tags.data.get("models")
    if not isinstance(models, list) or _listed(answers["/v1/models"]) is None:
        return None
    is_own = all(isinstance(each, dict) and "digest" in each for each in models)
    return Reading(len(models)) if is_own else None


def _read_llama(answers: Answers) -> Reading | None:
    props, entries = answers["/props"], _listed(answers["/v1/models"])
    if all(_is_llama_refusal(answer) for answer in answers.values()):
        return Reading(0, wants_key=True)
    if entries is None or props.status != _OK or not isinstance(props.data, dict):
        return None
    is_own = isinstance(props.data.get("default_generation_settings"), dict)
    return Reading(len(entries)) if is_own else None


def _is_llama_refusal(answer: Answer) -> bool:
    error = answer.data.get("error") if isinstance(answer.data, dict) else None
    return (
        answer.status == _UNAUTHORIZED
        and isinstance(error, dict)
        and (error.get("type"), error.get("code")) == ("authentication_error", _UNAUTHORIZED)
    )


def _read_lm_studio(answers: Answers) -> Reading | None:
    entries = _listed(answers["/v1/models"])
    return None if entries is None else Reading(len(entries))


SERVER_KINDS: Final = (
    ServerKind(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434",
        ("/api/tags", "/v1/models"),
        _read_ollama,
        "`ollama pull NAME` fetches one.",
    ),
    ServerKind(
        "llama.cpp",
        "llama.cpp",
        "http://127.0.0.1:8080",
        ("/v1/models", "/props"),
        _read_llama,
        "Start it with a model: `llama-server -m FILE`.",
    ),
    ServerKind(
        "lmstudio",
        "LM Studio",
        "http://127.0.0.1:1234",
        ("/v1/models",),
        _read_lm_studio,
        "Download one in LM Studio.",
    ),
)
