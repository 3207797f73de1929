"""Providers come from the environment and `models.json`, models from their servers; requests find their key."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.base.http import HttpClient
from pi_agent.llm.local_servers import FoundServer
from pi_agent.llm.messages import AssistantMessage, text_of
from pi_agent.llm.model import Model
from pi_agent.llm.models_entries import ModelsFile
from pi_agent.llm.provider import AuthFile, StoredKey
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.scripted import FauxProvider
from pi_agent.llm.stream import StreamOptions, answer_of
from pi_agent.resources.models_file import read_models_text
from pi_tui.abort import AbortController
from tests.near_servers import GREETING, ollama
from tests.pi_agent.llm.chat import asking
from tests.wire_server import (
    STALL,
    Reply,
    Request,
    WireServer,
    json_reply,
    reply,
    sse_bytes,
    sse_reply,
)

pytestmark = pytest.mark.anyio

ANSWER = sse_bytes(
    {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 0}},
)


def serve(request: Request) -> Reply:
    """List two models that chat; answer every chat."""
    if request.path.endswith("/models"):
        listed = [
            {"id": "zeta"},
            {"id": "alpha", "meta": {"n_ctx": 4096}},
            {"id": "text-embedding-3"},
        ]
        return json_reply({"object": "list", "data": listed})
    return sse_reply(ANSWER)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer(answer=serve) as server:
        yield server


@asynccontextmanager
async def registry(
    environ: Mapping[str, str] | None = None, models_json: str = ""
) -> AsyncIterator[ModelRegistry]:
    file = read_models_text(models_json, "models.json")
    models = ModelRegistry(environ or {}, file)
    try:
        yield models
    finally:
        await models.aclose()


def references(models: list[Model]) -> list[str]:
    return [model.reference for model in models if model.provider != "demo"]


async def found_at(models: ModelRegistry, url: str) -> FoundServer:
    """Look for an Ollama until it is found: a machine that is busy may take its time."""
    while True:
        async for server in models.find_servers({"ollama": url}):
            return server


async def ask(models: ModelRegistry, reference: str, **options: str) -> AssistantMessage:
    choice = models.resolve(reference)
    return await answer_of(models.stream(choice.model, asking(), StreamOptions(**options)))  # type: ignore[arg-type]  # only text options are passed here


async def test_an_address_and_a_key_in_the_environment_are_enough(server: WireServer) -> None:
    environ = {"OPENAI_BASE_URL": f"{server.url}/v1/", "OPENAI_API_KEY": "k-env"}
    async with registry(environ) as models:
        assert references(models.available()) == []
        await models.refresh()
        assert models.notices == []
        assert references(models.available()) == ["openai/alpha", "openai/zeta"]
        assert models.find("openai", "alpha") in models.available()
        alpha = models.resolve("alpha").model
        assert (alpha.context_window, alpha.base_url) == (4096, f"{server.url}/v1")
        assert text_of((await ask(models, "alpha")).content) == "Hi"
    listed, asked = server.requests
    assert (listed.method, listed.path) == ("GET", "/v1/models")
    assert (asked.path, asked.json()["model"]) == ("/v1/chat/completions", "alpha")
    for request in (listed, asked):
        assert request.headers["authorization"] == "Bearer k-env"


async def test_a_server_on_this_machine_needs_no_key(server: WireServer) -> None:
    async with registry({"LLAMA_BASE_URL": server.url}) as models:
        await models.refresh()
        assert references(models.available()) == ["llama.cpp/alpha", "llama.cpp/zeta"]
        await ask(models, "zeta")
    assert all("authorization" not in request.headers for request in server.requests)


async def test_a_model_costs_nothing_unless_somebody_says_its_price(server: WireServer) -> None:
    priced = """{"providers": {"acme": {"baseUrl": "%s", "models": [{"id": "paid",
        "cost": {"input": 2, "output": 8, "cacheRead": 0.5, "cacheWrite": 1}}]}}}"""
    async with registry({"LLAMA_BASE_URL": server.url}, priced % server.url) as models:
        await models.refresh()
        assert (await ask(models, "alpha")).usage.cost.total == 0
        assert (await ask(models, "paid")).usage.cost.total == 2


async def test_without_anything_only_the_demo_is_there() -> None:
    async with registry() as models:
        names = [model.reference for model in models.available()]
        assert names == ["demo/echo", "demo/script", "demo/tour"]
        assert text_of((await ask(models, "demo/echo")).content) == "hello"


async def test_a_provider_of_the_file_lists_its_models_unless_it_names_them(
    server: WireServer,
) -> None:
    text = f"""{{"providers": {{
        "lists": {{"baseUrl": "{server.url}/v1", "apiKey": "$ACME_KEY"}},
        "names": {{"baseUrl": "{server.url}/other", "models": [{{"id": "own", "reasoning": true}}],
                  "compat": {{"supportsStore": false}}, "headers": {{"X-Team": "$TEAM"}}}},
    }}}}"""
    async with registry({"ACME_KEY": "k-acme", "TEAM": "blue"}, text) as models:
        assert references(models.available()) == ["names/own"]
        await models.refresh()
        assert references(models.available()) == ["lists/alpha", "lists/zeta", "names/own"]
        await ask(models, "own")
        await ask(models, "zeta")
    assert [request.path for request in server.requests] == [
        "/v1/models",
        "/other/chat/completions",
        "/v1/chat/completions",
    ]
    own, zeta = server.requests[1:]
    assert own.headers["x-team"] == "blue"
    assert "store" not in own.json()
    assert zeta.headers["authorization"] == "Bearer k-acme"


async def test_models_of_the_file_join_those_listed_and_overrides_patch_both(
    server: WireServer,
) -> None:
    text = f"""{{"providers": {{"openai": {{
        "baseUrl": "{server.url}", "apiKey": "k",
        "models": [{{"id": "own"}}, {{"id": "zeta", "name": "My Zeta"}}],
        "modelOverrides": {{
            "alpha": {{"contextWindow": 64000, "cost": {{"output": 5}}}},
            "own": {{"reasoning": true}},
            "unknown": {{"name": "x"}},
            "zeta": {{"contextWindow": "many"}}}}}}}}}}"""
    async with registry({}, text) as models:
        await models.refresh()
        assert references(models.available()) == ["openai/alpha", "openai/own", "openai/zeta"]
        alpha, own, zeta = models.available()[:3]
        assert (alpha.context_window, alpha.cost.output, alpha.cost.input) == (64000, 5, 0)
        assert own.reasoning
        assert zeta.name == "My Zeta"
        [notice] = models.notices
        assert "providers.openai.modelOverrides.zeta.contextWindow" in notice


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (json_reply({"error": {"message": "bad key k-env-1"}}, 401), "401: bad key ***"),
        (reply(200, b"<html>"), "the answer is not JSON: <html>"),
        (json_reply({"odd": 1}), "no list of models"),
        (json_reply(None), "no list of models"),
        (reply(500), "500: Internal Server Error"),
    ],
)
async def test_a_list_that_cannot_be_had_is_a_notice(
    server: WireServer, told: Reply, text: str
) -> None:
    server.queue(told)
    environ = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "k-env-1"}
    async with registry(environ) as models:
        await models.refresh()
        [notice] = models.notices
        assert notice.startswith("The models of OpenAI cannot be listed: ")
        assert text in notice
        assert "k-env-1" not in notice
        await models.refresh(["openai"])
        assert models.notices == []
        assert len(references(models.available())) == 2


async def test_one_server_that_is_gone_does_not_hide_the_others(server: WireServer) -> None:
    with WireServer() as gone:
        pass
    environ = {"LLAMA_BASE_URL": gone.url, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "k"}
    async with registry(environ) as models:
        await models.refresh()
        assert len(models.notices) == 1
        assert "ECONNREFUSED" in models.notices[0]
        assert references(models.available()) == ["openai/alpha", "openai/zeta"]


async def test_listing_ends_on_abort_without_a_notice(server: WireServer) -> None:
    server.queue(Reply([STALL]))
    controller = AbortController()
    async with registry({"LLAMA_BASE_URL": server.url}) as models:
        task = asyncio.create_task(models.refresh(signal=controller.signal))
        await asyncio.to_thread(server.arrived.acquire, timeout=5)
        controller.abort()
        await task
        assert models.notices == []
    assert await asyncio.to_thread(server.hung_up.wait, 5)


@pytest.mark.parametrize("asks", ["models", "answer"])
async def test_a_command_that_prints_a_key_ends_on_abort(tmp_path: Path, asks: str) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    provider = {"baseUrl": "http://127.0.0.1:9/v1", "apiKey": f"!echo $$ > {told}; sleep 60"}
    controller = AbortController()
    async with registry(models_json=json.dumps({"providers": {"slow": provider}})) as models:
        options = StreamOptions(signal=controller.signal)
        stream = models.stream(models.resolve("slow/m").model, asking(), options)
        asked = models.refresh(signal=controller.signal) if asks == "models" else answer_of(stream)
        task = asyncio.ensure_future(asked)
        process = int(await asyncio.to_thread(told.read_text))
        controller.abort()
        answer = await asyncio.wait_for(task, 5)
        assert answer is None or answer.stop_reason == "aborted"
        assert models.list_failure("slow") is None
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


async def test_offline_only_this_machine_is_asked(server: WireServer) -> None:
    with WireServer(answer=serve) as proxy:
        environ = {
            "PI_OFFLINE": "1",
            "LLAMA_BASE_URL": server.url,
            "GROQ_API_KEY": "k",
            "HTTPS_PROXY": proxy.url,
        }
        async with registry(environ) as models:
            await models.refresh()
            assert models.notices == []
            assert references(models.available()) == ["llama.cpp/alpha", "llama.cpp/zeta"]
    assert proxy.requests == []


async def test_providers_without_a_key_are_not_asked() -> None:
    with WireServer(answer=serve) as proxy:
        async with registry({"ALL_PROXY": proxy.url, "GROQ_API_KEY": " "}) as models:
            await models.refresh()
            assert models.notices == []
    assert proxy.connections == 0


async def test_an_id_that_is_not_listed_is_taken_with_a_warning(server: WireServer) -> None:
    environ = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "k"}
    async with registry(environ) as models:
        early = models.resolve("anything", provider="openai")
        assert early.warning == 'The models of OpenAI are not known; using "anything" as given.'
        await models.refresh()
        late = models.resolve("openai/anything:high")
        assert late.warning == 'OpenAI does not list a model "anything"; using it as given.'
        assert (late.model.id, late.thinking_level, late.model.reasoning) == (
            "anything",
            "high",
            True,
        )
        assert models.resolve("openai/alpha", provider="openai").warning is None
        answer = await answer_of(models.stream(early.model, asking(), StreamOptions()))
        assert text_of(answer.content) == "Hi"
    assert server.requests[-1].json()["model"] == "anything"


async def test_what_fits_nothing_is_an_error_that_names_candidates(server: WireServer) -> None:
    async with registry({"LLAMA_BASE_URL": server.url}) as models:
        with pytest.raises(PiError, match="No model matches") as early:
            models.resolve("alpha")
        assert "llama.cpp/" in (early.value.hint or "")
        await models.refresh()
        with pytest.raises(PiError, match='No model matches "alhpa"') as late:
            models.resolve("alhpa")
        assert "llama.cpp/alpha" in (late.value.hint or "")
        with pytest.raises(PiError, match='Unknown provider "nope"') as unknown:
            models.resolve("alpha", provider="nope")
        assert "llama.cpp" in (unknown.value.hint or "")
        with pytest.raises(PiError, match="No model matches"):
            models.resolve("demo/unknown")


async def test_without_a_key_a_request_fails_with_a_hint() -> None:
    async with registry() as models:
        choice = models.resolve("groq/some")
        assert not models.has_credentials(choice.model)
        assert models.why_unavailable(choice.model) == "No API key for groq/some"
        message = await answer_of(models.stream(choice.model, asking(), StreamOptions()))
        assert message.error_message == (
            "No API key for groq\nSet GROQ_API_KEY, or store one with `pi auth login groq`."
        )


async def test_a_stored_key_without_its_variable_is_named_though_another_variable_is_set() -> None:
    auth = AuthFile({"groq": StoredKey("$NOT_THERE")})
    models = ModelRegistry({"GROQ_API_KEY": "k"}, auth=auth)
    with pytest.raises(PiError, match="No API key for groq/some") as caught:
        models.check_available(models.resolve("groq/some").model)
    assert (
        caught.value.hint == "Its key in auth.json is empty, or names a variable that is not set."
    )
    await models.aclose()


async def test_a_key_from_the_command_line_wins_for_its_provider_only(server: WireServer) -> None:
    text = f"""{{"providers": {{"a": {{"baseUrl": "{server.url}", "apiKey": "k-file"}},
                              "b": {{"baseUrl": "{server.url}", "apiKey": "k-file"}}}}}}"""
    async with registry({}, text) as models:
        models.keys.give("a", "k-given")
        for reference in ("a/x", "b/x"):
            await ask(models, reference)
        await ask(models, "a/x", api_key="k-options")
    keys = [request.headers["authorization"] for request in server.requests]
    assert keys == ["Bearer k-given", "Bearer k-file", "Bearer k-options"]


@pytest.mark.parametrize(
    ("environ", "hint"),
    [
        (
            {"OPENAI_API_KEY": "k-refused"},
            "refused the key from the environment variable OPENAI_API_KEY: put a valid one there.",
        ),
        ({}, "No key was sent. Set OPENAI_API_KEY, or store one with `pi auth login openai`."),
    ],
)
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_named_by_its_source(
    server: WireServer, environ: dict[str, str], hint: str, status: int
) -> None:
    server.queue(json_reply({"error": {"message": "Invalid API Key"}}, status))
    async with registry({"OPENAI_BASE_URL": server.url} | environ) as models:
        text = (await ask(models, "openai/x")).error_message or ""
    assert text.startswith(f"{status}: Invalid API Key\n")
    assert text.endswith(hint)
    assert "k-refused" not in text


@pytest.mark.parametrize(
    ("environ", "hint"),
    [
        (
            {"OPENAI_API_KEY": "k-refused"},
            "refused the key from the environment variable OPENAI_API_KEY: /login openai takes another.",
        ),
        ({}, "No key was sent. Give it one with /login openai."),
    ],
)
async def test_where_there_is_a_screen_the_hint_leads_to_login(
    server: WireServer, environ: dict[str, str], hint: str
) -> None:
    server.queue(json_reply({"error": {"message": "Invalid API Key"}}, 401))
    async with registry({"OPENAI_BASE_URL": server.url} | environ) as models:
        models.keys.has_login = True
        assert ((await ask(models, "openai/x")).error_message or "").endswith(hint)
        with pytest.raises(PiError, match="No API key for groq/some") as caught:
            models.check_available(models.resolve("groq/some").model)
        assert caught.value.hint == "Give it one with /login groq."


async def test_a_header_without_its_variable_is_an_error() -> None:
    text = '{"providers": {"a": {"baseUrl": "http://127.0.0.1:9", "headers": {"X-Team": "$TEAM"}}}}'
    async with registry({}, text) as models:
        message = await ask(models, "a/x")
        assert "X-Team" in (message.error_message or "")
        await models.refresh()
        assert "X-Team" in models.notices[0]


async def test_a_protocol_that_pi_does_not_speak_is_unavailable_with_a_reason() -> None:
    text = """{"providers": {"anthropic": {"baseUrl": "http://127.0.0.1:9", "apiKey": "k",
        "models": [{"id": "m"}]}}}"""
    async with registry({}, text) as models:
        [model] = [model for model in models.models() if model.provider == "anthropic"]
        assert references(models.available()) == []
        assert "anthropic-messages" in (models.why_unavailable(model) or "")
        message = await answer_of(models.stream(model, asking(), StreamOptions()))
        assert "anthropic-messages" in (message.error_message or "")
        await models.refresh()
        [notice] = models.notices
        assert "providers.anthropic.api" in notice


async def test_problems_of_the_file_are_notices() -> None:
    models = ModelRegistry({}, ModelsFile(problems=("models.json: wrong",)))
    assert models.notices == ["models.json: wrong"]
    await models.aclose()


async def test_other_stream_functions_can_be_plugged_in() -> None:
    faux = FauxProvider(["from the double"])
    http = HttpClient({})
    models = ModelRegistry({}, http=http, stream_functions={"faux": faux})
    model = Model(id="m", provider="p", api="faux")
    message = await answer_of(models.stream(model, asking(), StreamOptions()))
    assert text_of(message.content) == "from the double"
    await models.aclose()
    await http.aclose()


async def test_whoever_stops_listening_closes_the_connection(server: WireServer) -> None:
    server.queue(
        sse_reply(sse_bytes({"choices": [{"delta": {"content": "x"}}]}, done=False), STALL)
    )
    async with registry({"LLAMA_BASE_URL": server.url}) as models:
        events = models.stream(models.resolve("llama.cpp/x").model, asking(), StreamOptions())
        assert (await anext(events)).type == "start"
        await events.aclose()  # type: ignore[attr-defined]  # a generator behind the protocol's iterator
        assert await asyncio.to_thread(server.hung_up.wait, 5)


def test_a_protocol_of_the_file_that_nobody_speaks_is_told() -> None:
    file = read_models_text(
        '{"providers": {"far": {"baseUrl": "http://h", "api": "nope", "models": [{"id": "m"}]}}}',
        "f",
    )
    [notice] = ModelRegistry({}, file).notices
    assert "providers.far.api" in notice
    assert '"nope"' in notice


async def test_stored_keys_are_used_for_requests_and_lists(server: WireServer) -> None:
    text = f"""{{"providers": {{"acme": {{"baseUrl": "{server.url}/v1", "apiKey": "file",
        "headers": {{"X-Region": "$REGION"}}}}}}}}"""
    environ = {"REGION": "eu", "OPENAI_API_KEY": "k-env"}
    auth = AuthFile(
        {
            "acme": StoredKey("stored", {"REGION": "us"}),
            "openai": StoredKey(None, {"OPENAI_BASE_URL": f"{server.url}/own"}),
        }
    )
    models = ModelRegistry(environ, read_models_text(text, "models.json"), auth)
    await models.refresh(["acme", "openai"])
    await ask(models, "acme/alpha")
    models.keys.give("acme", "given")
    await ask(models, "acme/alpha")
    await models.aclose()
    sent = [(r.path, r.headers["authorization"].split()[-1]) for r in server.requests]
    assert sorted(sent[:2]) == [("/own/models", "k-env"), ("/v1/models", "stored")]
    assert [key for _, key in sent[2:]] == ["stored", "given"]
    assert {r.headers.get("x-region") for r in server.requests[2:]} == {"us"}


async def test_files_are_taken_anew_and_lists_stay_where_the_server_is_the_same(
    server: WireServer,
) -> None:
    def entries(**providers: str) -> ModelsFile:
        inner = ", ".join(f'"{name}": {{{fields}}}' for name, fields in providers.items())
        return read_models_text(f'{{"providers": {{{inner}}}}}', "/x/models.json")

    here, elsewhere = f'"baseUrl": "{server.url}/v1"', f'"baseUrl": "{server.url}/v2"'
    models = ModelRegistry({}, entries(stays=here, moves=here, goes=here))
    await models.refresh()
    changed = (
        f'{here}, "modelOverrides": {{"alpha": {{"contextWindow": 5, "cost": {{"output": 3}}}}}}'
    )
    models.reload(entries(stays=changed, moves=elsewhere, comes=here), AuthFile())
    assert references(models.available()) == ["stays/alpha", "stays/zeta"]
    alpha = models.resolve("stays/alpha").model
    assert (alpha.context_window, alpha.cost.output, alpha.cost.input) == (5, 3, 0)
    await models.list_once()
    assert len(references(models.available())) == 6
    assert len(server.requests) == 5
    models.reload(entries(stays='"baseUrl": 1'), AuthFile(problems=("auth.json: odd",)))
    assert models.notices == [
        "/x/models.json: providers.stays.baseUrl: expected a string",
        "auth.json: odd",
    ]
    await models.aclose()


async def test_an_override_keeps_what_null_means_in_its_place(server: WireServer) -> None:
    text = f"""{{"providers": {{"acme": {{"baseUrl": "{server.url}/v1", "models": [
        {{"id": "m", "reasoning": true, "contextWindow": 9, "headers": {{"A": "1"}},
          "thinkingLevelMap": {{"high": "max"}}}}],
        "modelOverrides": {{"m": {{"contextWindow": null, "headers": {{"B": "2"}},
          "thinkingLevelMap": {{"low": null}}}}, "nobody": {{"contextWindow": 1}}}}}}}}}}"""
    async with registry({}, text) as models:
        assert models.notices == []
        model = models.resolve("acme/m").model
    assert model.context_window == 9
    assert model.thinking_level_map == {"high": "max", "low": None}
    assert model.headers == {"A": "1", "B": "2"}


async def test_commands_of_the_file_run_for_every_request(
    server: WireServer, tmp_path: Path
) -> None:
    command = f"!echo ran >> {tmp_path}/log; echo key"
    text = f"""{{"providers": {{"acme": {{"baseUrl": "{server.url}/v1", "apiKey": "{command}",
        "models": [{{"id": "m"}}]}}}}}}"""
    async with registry({"PATH": "/usr/bin:/bin"}, text) as models:
        assert references(models.available()) == ["acme/m"]
        assert not (tmp_path / "log").exists()
        for _ in range(2):
            await ask(models, "acme/m")
    assert (tmp_path / "log").read_text() == "ran\nran\n"


# Servers that were found on this machine


async def test_a_server_that_was_found_is_a_provider_of_this_run() -> None:
    with WireServer(answer=ollama("qwen3:8b", "llama3.2:3b")) as server:
        async with registry() as models:
            provider = models.add_server(await found_at(models, server.url))
            assert (provider.id, provider.name) == ("ollama", "Ollama")
            await models.refresh([provider.id])
            listed = ["ollama/llama3.2:3b", "ollama/qwen3:8b"]
            assert references(models.available()) == listed
            assert models.providers()[-1].id == "demo"
            models.reload(ModelsFile(), AuthFile())
            assert references(models.available()) == listed, "reading the files again loses nothing"
            assert models.added("ollama") == provider
            assert text_of((await ask(models, "ollama/qwen3:8b")).content) == GREETING


async def test_a_server_takes_no_other_ones_name() -> None:
    mine = '{"providers": {"ollama": {"baseUrl": "http://far.example/v1"}}}'
    with WireServer(answer=ollama("a")) as server:
        async with registry({}, mine) as models:
            found = await found_at(models, server.url)
            assert models.add_server(found).id == f"ollama-{server.port}"
            owner = models.provider("ollama")
            assert owner is not None
            assert owner.base_url == "http://far.example/v1"


async def test_a_server_that_a_file_names_stays_that_one() -> None:
    with WireServer(answer=ollama("a")) as server:
        mine = f'{{"providers": {{"ollama": {{"name": "Mine", "baseUrl": "{server.url}/v1"}}}}}}'
        async with registry({}, mine) as models:
            found = await found_at(models, server.url)
            assert models.add_server(found).name == "Mine"
            assert models.added("ollama") is None


async def test_the_demo_is_no_candidate() -> None:
    mine = '{"providers": {"acme": {"baseUrl": "http://localhost:1/v1", "models": [{"id": "m"}]}}}'
    async with registry({}, mine) as models:
        assert [model.reference for model in models.candidates()] == ["acme/m"]
        assert "demo/echo" in [model.reference for model in models.available()]
