"""Generations of extensions: what a reload changes, what it leaves, and that nothing of the old one stays."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.modules import PREFIX
from pi_agent.host.generations import Generations
from tests.pi_agent.extensions.support import Person, Session, turns_until, write
from tests.pi_agent.host.test_services import Run

pytestmark = pytest.mark.anyio

SAYS = """
    made = []
    def setup(pi):
        made.append(1)
        @pi.on("session_start")
        def started(event, ctx):
            ctx.ui.notify(f"{{event.reason}} {text}{{len(made)}} {{event.previous_session_file}}")
        @pi.on("session_shutdown")
        def ended(event, ctx):
            ctx.ui.notify(f"{{event.reason}} {text} {{event.target_session_file}}")
        @pi.command("{text}")
        def command(args, ctx): ...
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def generations(folder: Path, **files: str) -> tuple[Generations, Person, list[ExtensionError]]:
    person, errors = Person(), list[ExtensionError]()
    made = Generations(write(folder, **files), folder, Session(), person, errors.append)
    return made, person, errors


def private_modules() -> set[str]:
    return {name for name in sys.modules if name.startswith(PREFIX)}


async def test_a_reload_takes_the_files_as_they_are_now(tmp_path: Path) -> None:
    made, person, errors = generations(tmp_path, one=SAYS.format(text="old"))
    assert await made.load() == []
    await made.runner.start("startup")
    write(tmp_path, one=SAYS.format(text="new"))
    assert await made.end("reload", "gone") == []
    assert await made.load() == []
    await made.runner.start("reload")
    assert [text for text, _ in person.notices] == [
        "startup old1 None",
        "reload old None",
        "reload new1 None",
    ]
    assert list(made.runner.commands()) == ["new"]
    assert errors == []
    await made.end("quit", "over")


async def test_another_session_sets_the_same_modules_up_again(tmp_path: Path) -> None:
    """Nothing is imported, so what a module keeps is kept."""
    made, person, _ = generations(tmp_path, one=SAYS.format(text="x"))
    await made.load()
    await made.runner.start("startup")
    (package,) = (each.package for each in made.runner.extensions)
    await made.end("new", "gone", target_session_file="b.jsonl", keep_modules=True)
    write(tmp_path, one="oops(")
    assert await made.load_again() == []
    await made.runner.start("new", previous_session_file="a.jsonl")
    assert [text for text, _ in person.notices] == [
        "startup x1 None",
        "new x b.jsonl",
        "new x2 a.jsonl",
    ]
    assert [each.package for each in made.runner.extensions] == [package]
    await made.end("quit", "over")
    assert package not in sys.modules


async def test_twenty_reloads_leave_no_module_and_no_task(tmp_path: Path) -> None:
    """A helper beside the file, a tool, a handler and a command that still waits."""
    source = """
        import asyncio
        from typing import Annotated
        from ._help import HELP
        def setup(pi):
            @pi.on("session_start")
            async def started(event, ctx): ctx.ui.notify(HELP)
            @pi.tool
            async def greet(name: Annotated[str, "Whom"]) -> str:
                "Greet."
                return name
            @pi.command("wait")
            async def wait(args, ctx):
                ctx.ui.notify("waits")
                await asyncio.Event().wait()
    """
    made, person, errors = generations(tmp_path, entry=source, _help="HELP = 'hi'")
    made.files = made.files[:1]
    tasks = asyncio.all_tasks()
    before = private_modules()
    modules: list[weakref.ref[object]] = []
    for _ in range(20):
        await made.load()
        modules += [weakref.ref(sys.modules[each.package]) for each in made.runner.extensions]
        await made.runner.start("reload")
        waiting = asyncio.create_task(made.runner.run_command("wait", ""))
        await turns_until(lambda: person.notices[-1][0] == "waits")
        await made.end("reload", "reloaded")
        await waiting
    assert asyncio.all_tasks() == tasks
    gc.collect()
    assert [module() for module in modules] == [None] * 20
    assert private_modules() == before
    assert [text for text, _ in person.notices] == ["hi", "waits"] * 20
    assert errors == []


async def test_what_is_broken_at_a_reload_is_named_and_gone(run: Run) -> None:
    good = run.extension("def setup(pi): pi.command('good')(lambda: None)", "good")
    bad = run.extension("def setup(pi): pi.command('bad')(lambda: None)", "bad")
    async with run.services(extensions=(good, bad), no_extensions=True) as services:
        assert list(services.runner.commands()) == ["good", "bad"]
        Path(bad).write_text("def setup(pi:\n")
        (problem,) = await services.reload()
        assert problem.kind == "extension"
        assert bad in problem.text
        assert "line 1" in problem.text
        assert list(services.runner.commands()) == ["good"]
        assert services.extensions.names == ["good"]
        Path(bad).write_text("def setup(pi): pi.command('mended')(lambda: None)")
        assert await services.reload() == []
        assert list(services.runner.commands()) == ["good", "mended"]


async def test_a_reload_is_refused_while_a_run_goes_on(run: Run) -> None:
    path = run.extension(
        """
        import asyncio

        def setup(pi):
            @pi.on("tool_call")
            async def gate(event, ctx):
                try:
                    await asyncio.Event().wait()
                finally:
                    ctx.ui.notify("let go")
        """
    )
    run.calls("bash", command="echo hi")
    async with run.services(extensions=(path,)) as services:
        asking = asyncio.create_task(services.conversation.prompt("go"))
        await turns_until(services.runner.waiting)
        runner = services.runner
        with pytest.raises(PiError, match="busy"):
            await services.reload()
        assert services.runner is runner
        runner.skip_current()
        await asking
        assert await services.reload() == []


async def test_what_is_said_during_a_reload_meets_the_new_extensions(run: Run) -> None:
    """No call slips through while there are none."""
    gate = """
        import asyncio

        async def setup(pi):
            await asyncio.sleep(0.01)
            pi.on("tool_call", lambda event: {{"block": True, "reason": "{text}"}})
    """
    path = run.extension(gate.format(text="old gate"))
    run.calls("bash", command="echo hi")
    async with run.services(extensions=(path,)) as services:
        run.extension(gate.format(text="new gate"))
        reloading = asyncio.create_task(services.reload())
        await asyncio.sleep(0)
        await services.conversation.prompt("go")
        assert await reloading == []
    assert run.results == ["new gate"]


async def test_the_old_ones_cannot_act_any_more_and_say_what_to_do(run: Run) -> None:
    path = run.extension(
        """
        import asyncio

        def setup(pi):
            @pi.on("session_start")
            async def started(event, ctx):
                if event.reason == "startup":
                    asyncio.create_task(go_on(pi, ctx))

        async def go_on(pi, ctx):
            while True:
                await asyncio.sleep(0)
                for act in (lambda: ctx.cwd, lambda: ctx.ui, lambda: pi.on("tool_call", print)):
                    try:
                        act()
                    except Exception as error:
                        open("told", "a").write(f"{type(error).__name__}: {error}\\n")
                if (ctx._lifetime.ended):
                    return
        """.replace('open("told"', f"open({str(run.project / 'told')!r}")
    )
    async with run.services(extensions=(path,)) as services:
        await services.start_extensions()
        await services.reload()
        await turns_until((run.project / "told").exists)
    told = (run.project / "told").read_text().splitlines()
    assert set(told) == {
        "StaleContextError: The extensions were reloaded: what `setup` got this time is to be used instead."
    }
    assert run.failures == []
