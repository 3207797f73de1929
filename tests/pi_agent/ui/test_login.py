"""`/login` and `/logout`: from no key to a model that answers, and back."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive
from tests.wire_server import STALL, Reply, Request, WireServer, json_reply, sse_bytes, sse_reply

pytestmark = pytest.mark.anyio

KEY = "sk-good-0123456789abcdef"
BAD_KEY = "sk-bad-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer(answer) as running:
        yield running


def answer(request: Request) -> Reply:
    """Serve two models to whoever has the right key."""
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return json_reply({"error": {"message": "Incorrect API key provided"}}, 401)
    if request.path.endswith("/models"):
        return json_reply({"data": [{"id": "alpha"}, {"id": "beta"}]})
    text = {"choices": [{"index": 0, "delta": {"content": "Hello from the server."}}]}
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return sse_reply(sse_bytes(text, end))


def acme(tmp_path: Path, server: WireServer, **fields: object) -> dict[str, str]:
    """Name a provider in `models.json` that lists its models; return the environment."""
    agent = tmp_path / "agent"
    agent.mkdir(exist_ok=True)
    provider = {"name": "Acme", "baseUrl": f"{server.url}/v1", "api": "openai-completions"}
    text = json.dumps({"providers": {"acme": {**provider, **fields}}})
    (agent / "models.json").write_text(text)
    return {"PI_OFFLINE": "1"}  # nobody but this server is asked


def store(tmp_path: Path, **keys: str) -> None:
    agent = tmp_path / "agent"
    agent.mkdir(exist_ok=True)
    entries = {name: {"type": "api_key", "key": key} for name, key in keys.items()}
    (agent / "auth.json").write_text(json.dumps(entries))


def stored(program: Program) -> dict[str, dict[str, object]]:
    path = program.agent_dir / "auth.json"
    data: dict[str, dict[str, object]] = json.loads(path.read_text()) if path.exists() else {}
    return data


async def test_from_a_list_to_a_key_to_a_model_that_answers(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say("/login")
        await program.told("Sign in: whose key?")
        program.pilot.type("acm")
        assert "→   Acme · no key needed" in program.pilot.screen()
        program.pilot.press("enter")
        await program.told("Key for Acme")
        program.pilot.paste(f"{KEY}\n")
        assert "A key of 24 characters." in program.flat()
        program.pilot.press("enter")
        await program.told("→ alpha [acme]")
        assert "> acme/" in program.pilot.screen()
        assert stored(program) == {"acme": {"type": "api_key", "key": KEY}}
        assert stat.S_IMODE((program.agent_dir / "auth.json").stat().st_mode) == 0o600
        program.pilot.press("enter")
        await program.told("Model: acme/alpha")
        assert "is stored in" in program.flat()
        program.say("Hello?")
        await program.settled("Hello from the server.")
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    everything = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in everything if KEY in path.read_text()] == ["auth.json"]


async def test_escape_goes_back_to_the_list_and_then_away(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say("/login")
        await program.told("whose key?")
        program.pilot.press("down", "down", "enter")
        await program.told("Key for DeepSeek")
        program.pilot.press("escape")
        await program.told("→ DeepSeek · not configured")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        program.say("/login deepseek")
        await program.told("Key for DeepSeek")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        assert stored(program) == {}


@asynccontextmanager
async def asked_for_key(folder: Path, environ: dict[str, str]) -> AsyncIterator[Program]:
    """Run the program up to the question for the key of `acme`."""
    async with interactive(folder, "--model", "demo/echo", environ=environ) as program:
        program.say("/login acme")
        await program.told("Key for Acme")
        yield program


def click(program: Program, text: str) -> None:
    """Click on a text; of several on the last one."""
    lines = program.pilot.lines()
    y = max(number for number, line in enumerate(lines) if text in line)
    program.pilot.click(lines[y].index(text), y)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_mouse_alone_is_enough(
    tmp_path: Path, server: WireServer, columns: int, rows: int
) -> None:
    environ = acme(tmp_path, server)
    async with interactive(
        tmp_path, "--model", "demo/echo", environ=environ, columns=columns, rows=rows
    ) as program:
        program.say("/login")
        await program.told("Sign in: whose key?")
        program.pilot.scroll(1, 2, rows - 6)
        click(program, "Esc close")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        program.say("/login")
        await program.told("Sign in: whose key?")
        click(program, "  OpenAI")
        await program.told("Key for OpenAI")
        click(program, "Esc back")
        await program.told("Sign in: whose key?")
        click(program, "Esc close")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        program.say("/login acme")
        await program.told("Key for Acme")
        program.pilot.paste(BAD_KEY)
        click(program, "Enter store")
        await program.told("Acme refused the key")
        click(program, "Enter another k")
        await program.pilot.wait_for("> Paste or type the")
        program.pilot.paste(KEY)
        click(program, "Enter store")
        await program.told("> acme/")
        click(program, "beta [acme]")
        await program.told("(acme) beta")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_pictures(tmp_path: Path, server: WireServer, columns: int, rows: int) -> None:
    environ = acme(tmp_path, server, apiKey="$ACME") | {"GROQ_API_KEY": "sk-env", "ACME": "x"}
    store(tmp_path, openai="sk-1", deepseek="$NOT_THERE")
    async with interactive(
        tmp_path, "--model", "demo/echo", environ=environ, columns=columns, rows=rows
    ) as program:
        program.say("/login")
        await program.told("Sign in: whose key?")
        program.check_picture(SNAPSHOTS / "test_login" / "providers")
        program.pilot.type("acme")
        program.pilot.press("enter")
        await program.told("Key for Acme")
        program.pilot.paste(BAD_KEY)
        program.check_picture(SNAPSHOTS / "test_login" / "key")
        program.pilot.press("enter")
        await program.told("Acme refused the key")
        program.check_picture(SNAPSHOTS / "test_login" / "refused")


async def test_a_refused_key_is_told_and_another_one_can_be_given(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    async with asked_for_key(tmp_path, environ) as program:
        program.pilot.paste(BAD_KEY)
        program.pilot.press("enter")
        await program.told("Acme refused the key, which is stored now.")
        assert "Acme refused the key: 401: Incorrect API key provided" in program.flat()
        program.pilot.press("up", "down", "enter")
        await program.told("It replaces the key that is stored.")
        program.pilot.paste(KEY)
        program.pilot.press("enter")
        await program.told("→ alpha [acme]")
        assert stored(program)["acme"]["key"] == KEY


async def test_a_refused_key_can_be_taken_out_again(tmp_path: Path, server: WireServer) -> None:
    environ = {**acme(tmp_path, server, apiKey="$ACME"), "ACME": KEY}
    async with asked_for_key(tmp_path, environ) as program:
        await program.told("It wins over apiKey in models.json.")
        program.pilot.paste(BAD_KEY)
        program.pilot.press("enter")
        await program.told("refused the key, which")
        program.pilot.press("down", "down", "enter")
        await program.told("The key of Acme is removed. From now on apiKey in models.json is used.")
        assert stored(program) == {}


async def test_a_command_runs_for_the_request_only_and_again_when_it_is_given_again(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    runs = tmp_path / "runs"
    command = f"!echo run >> {runs}; cat {tmp_path}/key"
    store(tmp_path, deepseek=f"!echo other >> {runs}")
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say("/login")
        await program.told("DeepSeek · stored")
        program.pilot.type("acme")
        program.pilot.press("enter")
        await program.told("Key for Acme")
        program.pilot.paste(command)
        await program.told("A command: what it prints is the key.")
        assert not runs.exists()
        program.pilot.press("enter")
        await program.told(
            "The models of Acme cannot be listed: No API key for acme: its command failed"
        )
        assert runs.read_text() == "run\n"
        (tmp_path / "key").write_text(KEY)
        program.say("/login acme")
        await program.told("Key for Acme")
        program.pilot.paste(command)
        program.pilot.press("enter")
        await program.told("→ alpha [acme]")
        assert runs.read_text() == "run\nrun\n"


async def test_a_file_that_is_broken_keeps_the_dialog_and_what_was_typed(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    async with asked_for_key(tmp_path, environ) as program:
        (program.agent_dir / "auth.json").write_text("{")
        program.pilot.paste(KEY)
        program.pilot.press("enter")
        await program.told("Not stored: the reason stands above.")
        assert "The key is not stored." in program.flat()
        assert (program.agent_dir / "auth.json").read_text() == "{"
        os.unlink(program.agent_dir / "auth.json")
        program.pilot.press("enter")
        await program.told("→ alpha [acme]")


async def test_another_program_is_waited_for_or_not(tmp_path: Path, server: WireServer) -> None:
    environ = acme(tmp_path, server)
    lock = tmp_path / "agent" / "auth.json.lock"
    lock.mkdir()
    async with asked_for_key(tmp_path, environ) as program:
        program.pilot.paste(KEY)
        program.pilot.press("enter", "enter")
        await program.told("Storing it…")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        assert stored(program) == {}
        lock.rmdir()
        await program.told("The key of Acme is stored in")
        assert program.flat().count("The key of Acme is stored in") == 1
        assert stored(program)["acme"]["key"] == KEY


async def test_a_server_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    with WireServer(lambda request: Reply([STALL])) as server:
        environ = acme(tmp_path, server)
        async with asked_for_key(tmp_path, environ) as program:
            program.pilot.paste(KEY)
            program.pilot.press("enter")
            await program.told("It is stored. Now Acme is asked for its models.")
            program.pilot.press("escape")
            await program.told("The models of Acme are not known.")
            assert not program.app.screen.has_dialog


async def test_a_wrong_name_and_a_key_behind_it_are_told(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say(f"/login nobody {KEY}")
        await program.told('There is no provider "nobody": choose one.')
        assert "Behind /login there is only the provider" in program.flat()
        assert KEY not in program.flat()


async def test_logout_removes_what_is_stored_after_a_question(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    store(tmp_path, deepseek="sk-1", openai="sk-2", other="sk-3")
    environ["DEEPSEEK_API_KEY"] = "sk-env"
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say("/logout")
        await program.told("Remove whose key?")
        assert "→ DeepSeek" in program.pilot.screen()
        assert "  other" in program.pilot.screen()
        assert "Acme" not in program.pilot.screen()
        program.pilot.press("enter")
        await program.told("Remove the stored key of DeepSeek?")
        assert "From now on the variable DEEPSEEK_API_KEY is used." in program.flat()
        program.pilot.press("up", "down", "enter")
        await program.told("The key of DeepSeek is removed.")
        assert list(stored(program)) == ["openai", "other"]
        program.say("/logout other")
        await program.told("Remove the stored key of other?")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        assert list(stored(program)) == ["openai", "other"]
        program.say("/logout acme")
        await program.told("Nothing is stored for Acme: no key needed.")


async def test_a_model_without_its_key_stays_and_says_what_to_do(
    tmp_path: Path, server: WireServer
) -> None:
    store(tmp_path, openai=KEY)
    environ = {"OPENAI_BASE_URL": "http://10.255.255.1/v1", "PI_OFFLINE": "1"}
    async with interactive(tmp_path, "--model", "openai/alpha", environ=environ) as program:
        program.say("/logout openai")
        await program.told("Until then the current model, openai/alpha, cannot be asked.")
        program.pilot.press("up", "down", "enter")
        await program.told(
            "The key of OpenAI is removed. Without it there is no key: /login openai"
        )
        assert "(openai) alpha" in program.flat()
        program.say("Hello?")
        await program.told("No API key for openai/alpha Give it one with /login openai.")
        program.pilot.press("ctrl+c")
        program.say("/logout")
        await program.told("No key is stored: there is nothing to remove.")


async def test_an_account_of_another_program_is_left_alone_or_replaced_knowingly(
    tmp_path: Path, server: WireServer
) -> None:
    environ = acme(tmp_path, server)
    (tmp_path / "agent" / "auth.json").write_text('{"acme": {"type": "oauth", "access": "a"}}')
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.say("/logout acme")
        await program.told("acme has an account of another program, which pi leaves alone.")
        program.say("/login acme")
        await program.told("It replaces the account that another program has stored.")
