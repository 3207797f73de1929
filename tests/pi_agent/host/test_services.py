"""What a run is built of: what is wrong with it, which tools it has, and what is left when it has stopped."""

from __future__ import annotations

import asyncio
import json
import os
import select
import textwrap
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.no_ui import NoUIHost
from pi_agent.host.options import RunOptions
from pi_agent.host.services import Services, Surface, build_services
from pi_agent.llm.messages import ToolResultMessage, text_of
from pi_agent.loop.events import AgentEvent, MessageEnd

pytestmark = pytest.mark.anyio


class Run:
    """A folder to run in, and what was reported."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.agent_dir = folder / "agent"
        self.project.mkdir()
        self.agent_dir.mkdir()
        self.environ = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "PI_CODING_AGENT_DIR": str(self.agent_dir),
        }
        self.reports: list[str] = []
        self.failures: list[ExtensionError] = []
        self.results: list[str] = []

    @asynccontextmanager
    async def services(self, **options: Any) -> AsyncIterator[Services]:
        """Give a run with these options; stops it afterwards."""
        surface = Surface(
            mode="print",
            ui=NoUIHost(self.reports.append),
            report=self.reports.append,
            report_extension=self.failures.append,
        )
        services = await build_services(self._options(options), surface)
        services.conversation.subscribe(self._note)
        try:
            yield services
        finally:
            await services.stop()

    def _options(self, options: Mapping[str, Any]) -> RunOptions:
        given = {"model": "demo/script"} | dict(options)
        paths = AgentPaths.from_environment(self.environ)
        return RunOptions(cwd=self.project, paths=paths, environ=self.environ, **given)

    def _note(self, event: AgentEvent) -> None:
        if isinstance(event, MessageEnd) and isinstance(event.message, ToolResultMessage):
            self.results.append(text_of(event.message.content))

    def plays(self, *steps: Mapping[str, object]) -> None:
        """Let `demo/script` answer with these steps."""
        path = self.agent_dir / "script.jsonl"
        path.write_text("".join(json.dumps(step) + "\n" for step in steps))
        self.environ["PI_DEMO_SCRIPT"] = str(path)

    def calls(self, name: str, **arguments: object) -> None:
        """Let it call one tool, and then be done."""
        self.plays({"toolCalls": [{"name": name, "arguments": arguments}]}, {"text": "done"})

    def extension(self, source: str, name: str = "own") -> str:
        path = self.project / f"{name}.py"
        path.write_text(textwrap.dedent(source))
        return str(path)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def problems(services: Services) -> list[tuple[str, str]]:
    return [(problem.kind, problem.text) for problem in services.problems]


async def test_a_run_of_which_nothing_is_wrong_says_nothing(run: Run) -> None:
    async with run.services() as services:
        assert problems(services) == []
        assert [tool.name for tool in services.conversation.tools] == [
            "read",
            "bash",
            "edit",
            "write",
        ]
    assert (run.reports, run.failures) == ([], [])
    assert list(run.agent_dir.iterdir()) == []


async def test_what_cannot_be_had_is_told_by_kind_and_left_out(run: Run) -> None:
    (run.agent_dir / "models.json").write_text("{oops")
    (run.project / "AGENTS.md").write_text("fine")
    (run.agent_dir / "AGENTS.md").symlink_to("/proc/self/mem")
    async with run.services(
        model="demo/ehco",
        tools=("raed",),
        session="0000",
        extensions=("missing.py", run.extension("def setup(pi): 1 / 0")),
    ) as services:
        kinds: dict[str, list[str]] = {"choice": [], "extension": [], "warning": []}
        for problem in services.problems:
            kinds[problem.kind].append(problem.text)
        assert services.conversation.model is None
        assert [tool.name for tool in services.conversation.tools] == [
            "read",
            "bash",
            "edit",
            "write",
        ]
        assert [file.text for file in services.context_files.files] == ["fine"]
    choices, failed, warnings = kinds["choice"], kinds["extension"], kinds["warning"]
    assert len(choices) == 3 and len(failed) == 2 and len(warnings) == 2
    for text, part in zip(sorted(choices), ('"demo/ehco"', "0000", '"raed"'), strict=True):
        assert part in text
    assert "missing.py" in failed[0] and "own.py" in failed[1]
    assert any("models.json: not valid JSON" in text for text in warnings)
    assert any("AGENTS.md" in text for text in warnings)


@pytest.mark.parametrize(
    ("options", "is_known"),
    [
        ({"model": "demo/echo", "api_key": "k"}, True),
        ({"model": "echo", "provider": "demo", "api_key": "k"}, True),
        ({"model": "echo", "api_key": "k"}, False),
    ],
)
async def test_a_key_needs_to_know_its_provider(
    options: dict[str, str], is_known: bool, run: Run
) -> None:
    async with run.services(**options) as services:
        assert (problems(services) == []) is is_known
        if not is_known:
            ((kind, text),) = problems(services)
            assert kind == "choice" and "--provider" in text


async def test_context_files_and_own_prompts_are_what_the_model_is_told(run: Run) -> None:
    (run.project / "AGENTS.md").write_text("Say please.")
    (run.agent_dir / "SYSTEM.md").write_text("You are a teapot.")
    (run.agent_dir / "APPEND_SYSTEM.md").write_text("Short and stout.")
    (run.project / "more.md").write_text("Here is my handle.")

    async def prompt(**options: Any) -> str:
        async with run.services(model="demo/echo", **options) as services:
            await services.conversation.prompt("hello")
            (system,) = [m for m in services.conversation.messages if m.role == "system"]
            return "\n".join(text or "" for text in (system.sections or {}).values())

    own = await prompt()
    for part in ("You are a teapot.", "Short and stout.", "Say please.", str(run.project)):
        assert part in own
    given = await prompt(
        system_prompt="You are a kettle.",
        append_system_prompt=("more.md", "Spout."),
        no_context_files=True,
    )
    for part in ("You are a kettle.", "Here is my handle.", "Spout."):
        assert part in given
    for part in ("teapot", "stout", "please"):
        assert part not in given


async def test_a_prompt_that_cannot_be_read_is_told_and_left_out(run: Run) -> None:
    unreadable = "/proc/self/mem"
    (run.agent_dir / "SYSTEM.md").symlink_to(unreadable)
    reason = "Input/output error"
    async with run.services() as services:
        text = f"Could not read {run.agent_dir / 'SYSTEM.md'}: {reason}"
        assert problems(services) == [("warning", text)]
    async with run.services(append_system_prompt=(unreadable,)) as services:
        assert problems(services) == [("choice", f"Could not read {unreadable}: {reason}")]


async def test_a_tool_of_an_extension_takes_the_place_of_a_built_in_one(run: Run) -> None:
    path = run.extension(
        '''
        def setup(pi):
            @pi.tool
            def bash(command: str) -> str:
                """Say it instead."""
                return f"would run {command}"
        '''
    )
    run.calls("bash", command="touch ran")
    async with run.services(extensions=(path,)) as services:
        assert [tool.name for tool in services.conversation.tools] == [
            "read",
            "bash",
            "edit",
            "write",
        ]
        await services.conversation.prompt("go")
    assert run.results == ["would run touch ran"]
    assert not (run.project / "ran").exists()


async def test_commands_see_which_session_and_model_this_is(run: Run) -> None:
    run.environ["PI_MODEL"] = "of somebody else"
    names = "PI_SESSION_ID PI_SESSION_FILE PI_PROVIDER PI_MODEL PI_REASONING_LEVEL AI_AGENT"
    run.calls("bash", command=f'for name in {names}; do echo "${{!name}}"; done')
    async with run.services() as services:
        session = services.conversation.session
        await services.conversation.prompt("go")
        (output,) = run.results
        assert output.splitlines() == [
            session.get_session_id(),
            str(session.get_session_file()),
            "demo",
            "script",
            "off",
            "pi",
        ]


async def test_a_gate_that_fails_blocks_and_is_reported(run: Run) -> None:
    path = run.extension(
        """
        def setup(pi):
            @pi.on("tool_call")
            def gate(event):
                raise LookupError("the third drawer")
        """
    )
    run.calls("bash", command="touch ran")
    async with run.services(extensions=(path,)) as services:
        await services.start_extensions()
        await services.conversation.prompt("go")
    assert run.results == ["the third drawer"]
    assert [(each.extension_path, each.event) for each in run.failures] == [(path, "tool_call")]
    assert not (run.project / "ran").exists()


async def test_stopping_ends_the_run_the_extensions_and_what_commands_left(run: Run) -> None:
    path = run.extension(
        """
        from pathlib import Path

        def setup(pi):
            @pi.on("session_shutdown")
            def ended(event, ctx):
                with Path(ctx.cwd, "ended").open("a") as file:
                    file.write(f"{event.reason}, idle: {ctx.is_idle()}\\n")
        """
    )
    run.plays(
        {"toolCalls": [{"name": "bash", "arguments": {"command": "sleep 3600 & echo $!"}}]},
        {"text": "word " * 100, "tokensPerSecond": 1},
    )
    answering = asyncio.Event()

    def note(event: AgentEvent) -> None:
        if event.type == "message_update" and run.results:
            answering.set()

    async with run.services(extensions=(path,)) as services:
        await services.start_extensions()
        services.conversation.subscribe(note)
        prompt = asyncio.create_task(services.conversation.prompt("go"))
        await answering.wait()
        child = os.pidfd_open(int(run.results[0]))
        assert not _has_ended(child, within=0)
        assert await services.stop() == []
        assert await prompt == "started"
        assert _has_ended(child, within=5)
        os.close(child)
        assert await services.stop() == []
    assert (run.project / "ended").read_text() == "quit, idle: True\n"


async def test_what_is_said_while_extensions_say_goodbye_is_refused(run: Run) -> None:
    path = run.extension(
        """
        import asyncio

        def setup(pi):
            @pi.on("session_shutdown")
            async def goodbye(event, ctx):
                await asyncio.sleep(0.05)
        """
    )
    async with run.services(model="demo/echo", extensions=(path,)) as services:
        await services.start_extensions()
        stopping = asyncio.create_task(services.stop())
        await asyncio.sleep(0)
        with pytest.raises(PiError, match="ended"):
            await services.conversation.prompt("too late")
        assert not stopping.done()
        assert await stopping == []
        assert services.conversation.messages == []


async def test_a_step_of_the_end_that_fails_keeps_no_other_from_being_taken(run: Run) -> None:
    run.calls("bash", command="sleep 3600 & echo $!")
    async with run.services() as services:
        await services.conversation.prompt("go")
        child = os.pidfd_open(int(run.results[0]))
        services.extensions.runner = BrokenRunner()  # type: ignore[assignment]  # an end that fails
        assert await services.stop() == []
        assert _has_ended(child, within=5)
        os.close(child)
        with pytest.raises(PiError):
            await services.conversation.prompt("again")


class BrokenRunner:
    """A runner of extensions that cannot end."""

    async def shutdown(self, reason: str, *, target_session_file: str | None) -> None:
        raise RuntimeError("no shutdown today")

    def invalidate(self, message: str) -> None:
        raise RuntimeError("no invalidate today")

    async def aclose(self) -> None:
        raise RuntimeError("no aclose today")


async def test_a_big_session_is_read_beside_the_loop(run: Run) -> None:
    async with run.services(model="demo/echo") as services:
        await services.conversation.prompt("one")
        file = services.conversation.session.get_session_file()
    assert file is not None
    lines = file.read_text().splitlines()
    last = json.loads(lines[-1])
    for number in range(4000):
        entry = {**last, "id": f"x{number:07}", "parentId": last["id"]}
        lines.append(json.dumps(entry))
        last = entry
    file.write_text("\n".join(lines) + "\n")
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count_turns())
    async with run.services(session=str(file)) as services:
        counting.cancel()
        assert len(services.conversation.session.get_entries()) > 4000
    assert turns > 200


def _has_ended(process: int, *, within: float) -> bool:
    """Return whether the process of a pidfd ends."""
    return bool(select.select([process], [], [], within)[0])


async def test_what_was_said_before_can_be_said_again(run: Run) -> None:
    async with run.services(model="demo/echo") as services:
        assert services.stored_prompts() == []
        for text in ("one", "two", "three"):
            await services.conversation.prompt(text)
        assert services.stored_prompts() == ["one", "two", "three"]
        assert services.stored_prompts(limit=2) == ["two", "three"]
    async with run.services(continue_recent=True, model=None) as services:
        assert services.stored_prompts() == ["one", "two", "three"]
        assert services.conversation.model is not None
        assert services.conversation.model.reference == "demo/echo"


async def test_totals_grow_with_the_conversation(run: Run) -> None:
    async with run.services(model="demo/echo") as services:
        assert services.conversation.session.get_stats().output == 0
        await services.conversation.prompt("one")
        first = services.conversation.session.get_stats().output
        assert first > 0
        await services.conversation.prompt("two")
        assert services.conversation.session.get_stats().output > first
