"""Somebody without a model: the ways to one, what waits for it, and what is remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.near_servers import GREETING, llama, lm_studio, locked_llama, ollama
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive
from tests.wire_server import Answer, WireServer, json_reply

pytestmark = pytest.mark.anyio

WELCOME = "Welcome to pi"
# So that no test depends on whether the small model could be fetched where it runs.
OFFLINE = {"PI_OFFLINE": "1"}


@pytest.fixture
def one_model() -> Iterator[WireServer]:
    with WireServer(answer=llama) as server:
        yield server


@pytest.fixture
def two_models() -> Iterator[WireServer]:
    with WireServer(answer=ollama("qwen3:8b", "llama3.2:3b")) as server:
        yield server


def row(program: Program, text: str) -> int:
    return next(at for at, line in enumerate(program.pilot.lines()) if text in line)


def click(program: Program, text: str) -> None:
    program.pilot.click(4, row(program, text))


def select(program: Program, text: str) -> None:
    """Go down until a row is selected."""
    for _ in range(12):
        program.pilot.press("down")
        if any(line.startswith("→") and text in line for line in program.pilot.lines()):
            return
    raise AssertionError(f"there is no row {text!r}:\n{program.pilot.screen()}")


def choose(program: Program, text: str) -> None:
    select(program, text)
    program.pilot.press("enter")


def settings(program: Program) -> dict[str, object]:
    path = program.agent_dir / "settings.json"
    data: dict[str, object] = json.loads(path.read_text()) if path.exists() else {}
    return data


async def test_without_a_model_the_ways_to_one_are_offered(tmp_path: Path) -> None:
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        shown = program.pilot.screen()
        assert "Quit" in shown
        assert "Error" not in shown
        assert "no model" in program.pilot.lines()[-1]


async def test_with_a_model_nothing_is_offered_unless_asked_for(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo", environ=OFFLINE) as program:
        assert WELCOME not in program.pilot.screen()
        program.say("/welcome")
        await program.pilot.wait_for(WELCOME)
        program.pilot.press("escape")
        program.say("still there?")
        await program.settled("still there?")


async def test_a_server_of_this_machine_answers_two_keys_later(
    tmp_path: Path, one_model: WireServer
) -> None:
    urls = {"llama.cpp": one_model.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        address = one_model.url.removeprefix("http://")
        await program.told(f"Use llama.cpp at {address} 1 model on this machine")
        choose(program, "Use llama.cpp")
        await program.pilot.wait_for("(llama.cpp) smollm2")
        assert not program.app.screen.has_dialog
        program.say("good evening")
        await program.settled(GREETING)
        assert settings(program) == {}
        assert not (program.agent_dir / "models.json").exists()


async def test_the_tour_is_taken_and_never_remembered(tmp_path: Path) -> None:
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        select(program, "Take the tour")
        program.pilot.press("ctrl+s")
        await program.pilot.wait_for("(demo) tour")
        assert WELCOME not in program.pilot.screen()
        assert settings(program) == {}


async def test_a_key_that_is_pasted_opens_the_models_of_its_provider(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    entry = {
        "baseUrl": "http://127.0.0.1:1",
        "apiKey": "$ACME_KEY",
        "models": [{"id": "fast-1"}, {"id": "big-2"}],
    }
    (agent / "models.json").write_text(json.dumps({"providers": {"acme": entry}}))
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        program.pilot.press("down", "up", "enter")
        await program.pilot.wait_for("whose key?")
        program.pilot.press("escape")
        await program.pilot.wait_for(WELCOME)
        click(program, "Remember what I choose")
        click(program, "Sign in or paste an API key")
        await program.pilot.wait_for("whose key?")
        program.pilot.type("acme")
        program.pilot.press("enter")
        await program.pilot.wait_for("Key for acme")
        program.pilot.paste("sk-0123456789")
        program.pilot.press("enter")
        await program.pilot.wait_for("fast-1 [acme]")
        program.pilot.type("fast")
        program.pilot.press("enter")
        await program.pilot.wait_for("(acme) fast-1")
        assert not program.app.screen.has_dialog
        assert settings(program) == {"defaultProvider": "acme", "defaultModel": "fast-1"}


async def test_of_several_models_one_is_chosen_and_going_back_leads_back(
    tmp_path: Path, two_models: WireServer
) -> None:
    urls = {"ollama": two_models.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        await program.pilot.wait_for("Use Ollama")
        choose(program, "Use Ollama")
        await program.pilot.wait_for("qwen3:8b [ollama]")
        program.pilot.press("escape")
        await program.pilot.wait_for(WELCOME)
        click(program, "Use Ollama")
        await program.pilot.wait_for("qwen3:8b [ollama]")
        click(program, "qwen3:8b")
        await program.pilot.wait_for("(ollama) qwen3:8b")
        assert not program.app.screen.has_dialog


async def test_servers_are_looked_for_anew_each_time(tmp_path: Path, one_model: WireServer) -> None:
    urls = {"llama.cpp": one_model.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        await program.pilot.wait_for("Use llama.cpp")
        program.pilot.press("escape")
        one_model.answer = lambda request: json_reply({"error": "gone"}, 404)
        program.say("/welcome")
        await program.pilot.wait_for(WELCOME)
        assert "Use llama.cpp" not in program.pilot.screen()


async def test_what_is_ticked_is_remembered_for_the_next_time(
    tmp_path: Path, one_model: WireServer
) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    mine = '{\n  // mine\n  "providers": {}\n}\n'
    (agent / "models.json").write_text(mine)
    urls = {"llama.cpp": one_model.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        await program.pilot.wait_for("Use llama.cpp")
        click(program, "Remember what I choose")
        click(program, "Use llama.cpp")
        await program.pilot.wait_for("from now on the default")
        await program.pilot.wait_for(lambda: "defaultModel" in settings(program))
        assert settings(program) == {"defaultProvider": "llama.cpp", "defaultModel": "smollm2"}
        text = (agent / "models.json").read_text()
        assert "// mine" in text
        assert f'"{one_model.url}/v1"' in text
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for("(llama.cpp) smollm2")
        assert WELCOME not in program.pilot.screen()


async def test_the_default_that_is_saved_in_the_list_of_models_knows_its_server(
    tmp_path: Path, two_models: WireServer
) -> None:
    urls = {"ollama": two_models.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        await program.pilot.wait_for("Use Ollama")
        choose(program, "Use Ollama")
        await program.pilot.wait_for("qwen3:8b [ollama]")
        program.pilot.press("ctrl+s")
        await program.pilot.wait_for("from now on the default")
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for("(ollama) llama3.2:3b")


async def test_a_broken_file_is_told_and_nothing_is_changed(
    tmp_path: Path, one_model: WireServer
) -> None:
    urls = {"llama.cpp": one_model.url}
    broken = '{"providers": {'
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE, rows=40) as program:
        (program.agent_dir / "models.json").write_text(broken)
        await program.pilot.wait_for("Use llama.cpp")
        select(program, "Use llama.cpp")
        program.pilot.press("ctrl+s")
        await program.pilot.wait_for("(llama.cpp) smollm2")
        assert "Error: Not saved." in program.flat()
        assert "Mend the file, then choose again." in program.flat()
        assert "from now on" not in program.flat()
        assert (program.agent_dir / "models.json").read_text() == broken
        assert settings(program) == {}


async def test_the_only_model_is_gone(tmp_path: Path) -> None:
    with WireServer(answer=llama) as server:
        gone = server.url
    agent = tmp_path / "agent"
    agent.mkdir()
    entry = {"baseUrl": f"{gone}/v1"}
    (agent / "models.json").write_text(json.dumps({"providers": {"mine": entry}}))
    (agent / "settings.json").write_text('{"defaultProvider": "mine", "defaultModel": "m"}')
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        assert "The default model mine/m is not available." in program.flat()


async def test_a_key_that_is_taken_away_leads_back_to_the_ways(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    entry = {"baseUrl": "http://127.0.0.1:1", "apiKey": "$NO_KEY", "models": [{"id": "fast-1"}]}
    (agent / "models.json").write_text(json.dumps({"providers": {"acme": entry}}))
    (agent / "auth.json").write_text('{"acme": {"type": "api_key", "key": "sk-0123456789"}}')
    async with interactive(tmp_path, environ=OFFLINE, rows=40) as program:
        await program.pilot.wait_for("(acme) fast-1")
        (agent / "auth.json").write_text("{}")
        program.say("/reload")
        await program.pilot.wait_for("Reloaded")
        program.say("still there?")
        await program.pilot.wait_for(WELCOME)
        assert "Error: No API key for acme/fast-1" in program.flat()
        assert "Sent once a model is chosen: still there?" in program.flat()
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "still there?")


async def test_models_that_are_known_come_first(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    entry = {"baseUrl": "http://127.0.0.1:1", "models": [{"id": "fast-1"}, {"id": "big-2"}]}
    (agent / "models.json").write_text(json.dumps({"providers": {"acme": entry}}))
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.told("→ Choose one of 2 models of acme")
        program.pilot.press("down", "up", "enter")
        await program.pilot.wait_for("fast-1 [acme]")
        program.pilot.press("enter")
        await program.pilot.wait_for("(acme) big-2")


@pytest.mark.parametrize(
    ("kind", "answer", "told"),
    [
        ("ollama", ollama(), "`ollama pull NAME` fetches one."),
        ("lmstudio", lm_studio(), "Download one in LM Studio."),
    ],
)
async def test_a_server_that_cannot_answer_yet_says_what_to_do(
    tmp_path: Path, kind: str, answer: Answer, told: str
) -> None:
    with WireServer(answer=answer) as server:
        urls = {kind: server.url}
        async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
            await program.pilot.wait_for("it has no models yet")
            choose(program, "Use ")
            await program.told(told)
            assert WELCOME in program.pilot.screen()


async def test_a_server_that_wants_a_key_is_asked_with_one(tmp_path: Path) -> None:
    with WireServer(answer=locked_llama("sk-evening-0123")) as server:
        urls = {"llama.cpp": server.url}
        async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
            await program.pilot.wait_for("it wants a key")
            choose(program, "Use llama.cpp")
            await program.pilot.wait_for("Key for llama.cpp")
            program.pilot.press("escape")
            await program.pilot.wait_for(WELCOME)
            click(program, "Use llama.cpp")
            await program.pilot.wait_for("Key for llama.cpp")
            program.pilot.paste("sk-evening-0123")
            program.pilot.press("enter")
            await program.pilot.wait_for("smollm2 [llama.cpp]")
            program.pilot.press("enter")
            await program.pilot.wait_for("(llama.cpp) smollm2")
            program.say("good evening")
            await program.settled(GREETING)
            assert settings(program) == {}
        async with interactive(tmp_path, environ=OFFLINE) as program:
            await program.pilot.wait_for("(llama.cpp) smollm2")
    keys = {r.headers.get("authorization") for r in server.requests if "chat" in r.path}
    assert keys == {"Bearer sk-evening-0123"}


async def test_a_model_that_a_server_got_meanwhile_is_used(tmp_path: Path) -> None:
    with WireServer(answer=ollama()) as server:
        urls = {"ollama": server.url}
        async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
            await program.pilot.wait_for("it has no models yet")
            server.answer = ollama("qwen3:8b")
            choose(program, "Use Ollama")
            await program.pilot.wait_for("(ollama) qwen3:8b")


async def test_a_server_that_has_ended_meanwhile_is_told(tmp_path: Path) -> None:
    with WireServer(answer=llama) as server:
        urls = {"llama.cpp": server.url}
        async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
            await program.pilot.wait_for("Use llama.cpp")
            server.answer = lambda request: json_reply({"error": "ended"}, 503)
            choose(program, "Use llama.cpp")
            await program.told("The models of llama.cpp cannot be listed")
            assert WELCOME in program.pilot.screen()


# What waits for a model


async def test_messages_of_the_command_line_go_on_once_there_is_a_model(
    tmp_path: Path, one_model: WireServer
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.md").write_text("remember the milk\n")
    urls = {"llama.cpp": one_model.url}
    async with interactive(
        tmp_path,
        local_servers=urls,
        environ=OFFLINE,
        files=["notes.md"],
        messages=["first things first", "second"],
        rows=40,
    ) as program:
        await program.told("Sent once a model is chosen: @notes.md first things first and 1 more")
        await program.pilot.wait_for("Use llama.cpp")
        choose(program, "Use llama.cpp")
        await program.pilot.wait_for(lambda: program.pilot.screen().count(GREETING) == 2)
        asked = [r.json() for r in one_model.requests if r.path.endswith("completions")]
        first, second = (json.dumps(request["messages"][-1]) for request in asked)
        assert "remember the milk" in first
        assert "first things first" in first
        assert "second" in second


async def test_leaving_the_screen_gives_the_messages_to_the_editor(tmp_path: Path) -> None:
    async with interactive(
        tmp_path, environ=OFFLINE, messages=["Why does the build fail?"]
    ) as program:
        await program.pilot.wait_for("Sent once a model is chosen: Why does")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        await program.pilot.wait_for(
            lambda: program.app.composer.get_text() == "Why does the build fail?"
        )
        assert "/welcome shows the ways to one again." in program.flat()


async def test_quitting_says_what_was_never_sent(tmp_path: Path) -> None:
    async with interactive(
        tmp_path, environ=OFFLINE, messages=["Why does the build fail?", "And now?"]
    ) as program:
        await program.told("Sent once a model is chosen: Why does the build fail? and 1 more")
        choose(program, "Quit")
        assert await program.ended() == 1
    assert program.app.farewell == (
        "Not sent, for want of a model: Why does the build fail?\n"
        "Not sent, for want of a model: And now?"
    )


async def test_quitting_with_nothing_to_send_is_no_failure(tmp_path: Path) -> None:
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        click(program, "Quit")
        assert await program.ended() == 0
    assert program.app.farewell is None


async def test_what_is_sent_without_a_model_asks_for_one_and_goes_on(
    tmp_path: Path, one_model: WireServer
) -> None:
    urls = {"llama.cpp": one_model.url}
    async with interactive(tmp_path, local_servers=urls, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        program.pilot.press("escape")
        program.say("good evening")
        await program.pilot.wait_for("Sent once a model is chosen: good evening")
        await program.pilot.wait_for("Use llama.cpp")
        click(program, "Use llama.cpp")
        await program.settled(GREETING)


async def test_what_is_typed_while_the_screen_comes_up_is_kept_for_the_editor(
    tmp_path: Path,
) -> None:
    async with interactive(tmp_path, environ=OFFLINE) as program:
        await program.pilot.wait_for(WELCOME)
        program.pilot.type("fix the ")
        program.pilot.paste("bug")
        program.pilot.press("enter")
        await program.pilot.wait_for("What you type is kept for the editor.")
        program.pilot.press("escape")
        await program.pilot.wait_for("fix the bug")
        assert program.app.composer.get_text() == "fix the bug"


# Small screens


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_what_it_looks_like_on_the_screen(tmp_path: Path, columns: int, rows: int) -> None:
    async with interactive(tmp_path, environ=OFFLINE, columns=columns, rows=rows) as program:
        await program.pilot.wait_for(WELCOME)
        program.pilot.press("down")
        program.check_picture(SNAPSHOTS / "test_welcome" / "welcome")


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (40, 15), (20, 10)])
async def test_it_works_at_any_size_with_keys_alone_and_with_the_mouse_alone(
    tmp_path: Path, one_model: WireServer, columns: int, rows: int
) -> None:
    urls = {"llama.cpp": one_model.url}
    size = {"columns": columns, "rows": rows}
    keys, mouse = tmp_path / "keys", tmp_path / "mouse"
    keys.mkdir()
    mouse.mkdir()
    async with interactive(keys, local_servers=urls, environ=OFFLINE, **size) as program:  # type: ignore[arg-type]  # two numbers
        await program.pilot.wait_for("Use llama.cpp")
        choose(program, "Use llama.cpp")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        await program.pilot.wait_for("smollm2")
    async with interactive(mouse, local_servers=urls, environ=OFFLINE, **size) as program:  # type: ignore[arg-type]  # two numbers
        await program.pilot.wait_for("Use llama.cpp")
        click(program, "Use llama.cpp")
        await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)
        await program.pilot.wait_for("smollm2")
