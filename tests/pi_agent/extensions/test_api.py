"""What `pi` registers: tools, commands, subscriptions, and what it refuses."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from pi_agent.extensions.events import EVENT_NAMES
from pi_agent.loop.tool import ToolResult
from tests.pi_agent.extensions.support import load, run

pytestmark = pytest.mark.anyio


async def failure(tmp_path: Path, line: str) -> str:
    """Return why an extension whose setup has this line does not load."""
    result = await load(tmp_path, entry=f"def setup(pi):\n    {line}\n")
    (error,) = result.errors
    return error.message.removeprefix(f"Failed to load extension {tmp_path}/entry.py: ")


async def test_an_unknown_event_names_the_closest_known_one(tmp_path: Path) -> None:
    """A misspelt subscription would be silent for ever."""
    wanted = 'Unknown event "sesion_start". Did you mean "session_start"? (entry.py, line 2)'
    assert await failure(tmp_path, "pi.on('sesion_start', print)") == wanted


@pytest.mark.parametrize("name", ["mcp_servers_change", "project_trust", "ui_prompt_end"])
async def test_an_event_of_the_future_is_refused(tmp_path: Path, name: str) -> None:
    """Accepting it would be silent too."""
    assert name in EVENT_NAMES
    message = await failure(tmp_path, f"pi.on('{name}')")
    assert message.startswith(f'Event "{name}" is not emitted by this version of pi.')


MALFORMED = {
    "pi.on('tool_call', 3)": 'A handler of "tool_call" needs a function, got int',
    "pi.on('tool_call', lambda a, b, c: 0)": (
        'A handler of "tool_call" is called with 2 arguments, the function requires more'
    ),
    "pi.on('tool_call', lambda *, now: 0)": (
        'A handler of "tool_call" is called without now, which the function requires'
    ),
    "pi.register_message_renderer(' ', print)": (
        "A message renderer needs the type that it draws, got ' '"
    ),
    "pi.register_message_renderer('note', 'row')": (
        'The renderer of "note" messages needs a function, got str'
    ),
    "pi.register_message_renderer('note', lambda a, b, c, d: 0)": (
        'The renderer of "note" messages is called with 3 arguments, the function requires more'
    ),
    "pi.register_command('', print)": "A command needs a name of one word without slash, got ''",
    "pi.register_command('/x', print)": (
        "A command needs a name of one word without slash, got '/x'"
    ),
    "pi.register_command('x', None)": "Command /x needs a function, got NoneType",
    "pi.register_tool({'name': 'x', 'execute': print})": "Tool 'x': description is missing",
    "pi.register_tool({'name': 'x', 'description': 'd', 'run': print})": (
        "Tool 'x': unknown field run"
    ),
    "pi.register_tool({'name': 'x', 'description': ' ', 'execute': print})": (
        'Tool "x" needs a description that tells the model its use'
    ),
    "pi.register_tool({'name': 'x', 'description': 'd', 'execute': 3})": (
        'Tool "x" needs a function as execute'
    ),
    "pi.register_tool({'name': 'x y', 'description': 'd', 'execute': print})": (
        'Tool name "x y" may only have letters, digits, underscores and hyphens.'
    ),
    "pi.register_tool({'name': 'x', 'description': 'd', 'execute': print, 'parameters': 3})": (
        'Tool "x" registered by extension "{path}" must define an object parameter schema.'
    ),
}


@pytest.mark.parametrize("line", MALFORMED)
async def test_a_malformed_registration_fails_at_load(tmp_path: Path, line: str) -> None:
    """With the place in the extension's file, not in pi's."""
    wanted = MALFORMED[line].replace("{path}", f"{tmp_path}/entry.py")
    assert await failure(tmp_path, line) == f"{wanted} (entry.py, line 2)"


TOOLS = """
    from typing import Annotated
    from pi_agent import ExtensionToolContext, Field, Model, ToolResult, text

    class Search(Model):
        query: str = Field(description="What to look for")

    def setup(pi):
        @pi.tool
        async def where(ctx: ExtensionToolContext) -> str:
            "Say where."
            return ctx.cwd

        @pi.tool(name="plain", label="Plain")
        def slow(times: Annotated[int, "How often"] = 2) -> str:
            "Repeat."
            return "x" * times

        async def search(call_id, params, signal, on_update, ctx):
            return ToolResult([text(params.query)], details={"cwd": ctx.cwd, "id": call_id})

        pi.register_tool({
            "name": "search", "description": "Search", "execute": search, "parameters": Search,
        })

        @pi.tool
        async def failing() -> str:
            "Fail."
            raise ValueError("no such row")
"""


async def test_tools_get_the_context_of_their_extension(tmp_path: Path) -> None:
    """Whatever the loop passes; the context is live."""
    running = run(await load(tmp_path, entry=TOOLS))
    assert await running.execute("where", {}) == "/work"
    running.session.cwd = "/elsewhere"
    result = await running.execute("search", {"query": "q"})
    assert isinstance(result, ToolResult)
    assert result.content[0].model_dump()["text"] == "q"
    assert result.details == {"cwd": "/elsewhere", "id": "call_1"}


async def test_plain_tools_stay_plain_so_that_they_run_in_a_thread(tmp_path: Path) -> None:
    """And async ones async."""
    tools = {tool.name: tool for tool in run(await load(tmp_path, entry=TOOLS)).runner.tools()}
    kinds = {name: inspect.iscoroutinefunction(tool.execute) for name, tool in tools.items()}
    assert kinds == {"where": True, "plain": False, "search": True, "failing": True}
    assert tools["plain"].label == "Plain"
    assert tools["plain"].declaration().parameters["properties"]["times"]["type"] == "integer"
    assert tools["where"].declaration().parameters["properties"] == {}


async def test_a_failing_tool_is_its_result_and_not_an_extension_error(tmp_path: Path) -> None:
    """The exception reaches the loop as it is, with a note for the log on whose it is."""
    running = run(await load(tmp_path, entry=TOOLS))
    with pytest.raises(ValueError, match="no such row") as caught:
        await running.execute("failing", {})
    assert str(caught.value) == "no such row"
    assert caught.value.__notes__ == [f"Raised by tool failing of extension {tmp_path}/entry.py"]
    assert running.errors == []


def tool(result: str, name: str = "same") -> str:
    """Return an extension with a tool that answers `result`."""
    return f"""
        def setup(pi):
            @pi.tool(name="{name}", description="d")
            async def answer() -> str:
                return "{result}"
    """


async def test_of_two_tools_with_one_name_the_first_loaded_wins(tmp_path: Path) -> None:
    """The other extension is told; both stay loaded."""
    running = run(await load(tmp_path, b=tool("first"), a=tool("second"), c=tool("own", "c")))
    assert [each.name for each in running.runner.tools()] == ["same", "c"]
    assert await running.execute("same", {}) == "first"
    assert running.runner.warnings() == [
        f'{tmp_path}/a.py: Tool "same" conflicts with {tmp_path}/b.py'
    ]


async def test_what_is_registered_later_takes_effect_at_once(tmp_path: Path) -> None:
    """Tools replace those of the same extension, commands and handlers are there."""
    source = """
        def setup(pi):
            def register(answer):
                @pi.tool(name="t", description="d")
                async def t() -> str:
                    return answer
            register("old")
            @pi.on("session_start")
            def started(event, ctx):
                register("new")
                pi.register_command("late", lambda args, ctx: ctx.ui.notify(args))
                pi.on("tool_call", lambda: {"block": True})
    """
    running = run(await load(tmp_path, entry=source))
    assert await running.execute("t", {}) == "old"
    assert not await running.runner.run_command("late", "x")
    await running.runner.start("startup")
    assert await running.execute("t", {}) == "new"
    assert await running.runner.run_command("late", "x")
    assert running.person.notices == [("x", "info")]
    assert await running.call("t") is not None


def command(*names: str) -> str:
    """Return an extension with commands that say whose they are."""
    lines = [
        f"    pi.register_command('{name}', lambda a, ctx: ctx.ui.notify(__name__[-1] + ' {name}' + a))"
        for name in names
    ]
    return "\n".join(["def setup(pi):", *lines])


async def test_commands_of_one_name_all_get_numbers(tmp_path: Path) -> None:
    """In load order; a number that is somebody's name is left out."""
    a, b, c = command("review", "go"), command("review:2"), command("review", "review")
    running = run(await load(tmp_path, a=a, b=b, c=c))
    assert list(running.runner.commands()) == ["review:1", "go", "review:2", "review:3"]
    for name in running.runner.commands():
        assert await running.runner.run_command(name, "!")
    said = [message for message, _ in running.person.notices]
    assert said == ["a review!", "a go!", "b review:2!", "c review!"]
    assert not await running.runner.run_command("review", "")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("/go", ("go", "")),
        ("  \n/go ", ("go", "")),
        ("/go  two  words ", ("go", " two  words ")),
        ("/go\nline\nline", ("go", "line\nline")),
        ("/gone", None),
        ("go", None),
        ("see /go", None),
        ("/", None),
        ("", None),
    ],
)
async def test_a_command_is_found_in_text(
    tmp_path: Path, text: str, match: tuple[str, str] | None
) -> None:
    """After white space; one blank after the name goes, the rest is passed as it is."""
    running = run(await load(tmp_path, entry=command("go")))
    assert running.runner.match_command(text) == match


async def test_a_failing_command_is_reported_and_counts_as_run(tmp_path: Path) -> None:
    """As `command`, with its description still listed."""
    source = """
        def setup(pi):
            @pi.command("break", description="Break things")
            async def f(args, ctx):
                raise KeyError(args)
    """
    running = run(await load(tmp_path, entry=source))
    assert running.runner.commands()["break"].description == "Break things"
    assert await running.runner.run_command("break", "cup")
    assert await running.runner.run_command("break", "cup")  # silence would look like success
    told = [(each.event, each.place, each.error) for each in running.errors]
    assert told == [("command", "command /break", "KeyError: 'cup'")] * 2
