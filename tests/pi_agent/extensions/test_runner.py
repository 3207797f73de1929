"""Calling extensions: order, gates that fail closed, code that hangs, and the end of a generation."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from pi_agent.base.wire import JsonObject
from pi_agent.extensions.lifetime import StaleContextError
from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.loop.tool import ToolCallDecision
from pi_tui.abort import AbortController
from tests.pi_agent.extensions.support import Run, load, run, turns_until

pytestmark = pytest.mark.anyio


def gate(body: str) -> str:
    """Return an extension whose `tool_call` handler has this body."""
    return (
        f"async def gate(event, ctx):\n    {body}\ndef setup(pi):\n    pi.on('tool_call', gate)\n"
    )


NOTE = "ctx.ui.notify(f'{__name__[-1]} {event.tool_name}')"


async def until_waiting(runner: ExtensionRunner) -> None:
    """Let the loop run until a handler is waited for."""
    await turns_until(runner.waiting)


def texts(running: Run) -> list[str]:
    """Return what the extensions notified."""
    return [message for message, _ in running.person.notices]


async def test_handlers_run_in_load_order_then_in_order_of_registration(tmp_path: Path) -> None:
    """Each is finished before the next starts, plain or async, with as few arguments as it takes."""
    first = """
        import asyncio
        def setup(pi):
            said = []
            @pi.on("session_start")
            async def slow(event, ctx):
                await asyncio.sleep(0)
                said.append(event.reason)
            pi.on("session_start", lambda event: said.append("one"))
            pi.on("session_start", lambda: said.append("none"))
            pi.on("session_start", lambda *all: all[1].ui.notify(str([*said, len(all)])))
    """
    second = "def setup(pi): pi.on('session_start', lambda e, ctx: ctx.ui.notify('second'))"
    running = run(await load(tmp_path, first=first, second=second))
    await running.runner.start("startup")
    assert texts(running) == ["['startup', 'one', 'none', 2]", "second"]
    assert running.errors == []


async def test_subscriptions_changed_during_a_dispatch_count_from_the_next(tmp_path: Path) -> None:
    """A handler that removes itself makes no neighbour be skipped; one that is added waits."""
    source = """
        def setup(pi):
            def once(event, ctx):
                remove()
                remove()
                ctx.ui.notify("once")
                pi.on("tool_call", lambda event, ctx: ctx.ui.notify("added"))
            remove = pi.on("tool_call", once)
            pi.on("tool_call", lambda event, ctx: ctx.ui.notify("neighbour"))
    """
    running = run(await load(tmp_path, entry=source))
    await running.call("read")
    assert texts(running) == ["once", "neighbour"]
    await running.call("read")
    assert texts(running)[2:] == ["neighbour", "added"]


async def test_a_raising_handler_is_reported_and_the_next_one_runs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With extension, event, message and traceback; the same failure again is not told again."""
    broken = """
        def setup(pi):
            for error in (ValueError("bad"), ValueError("bad"), ValueError("worse"), SystemExit(2)):
                def raising(event, ctx, error=error):
                    raise error
                pi.on("session_start", raising)
    """
    running = run(
        await load(
            tmp_path,
            broken=broken,
            sound=("def setup(pi): pi.on('session_start', lambda e, ctx: ctx.ui.notify('sound'))"),
        )
    )
    await running.runner.start("startup")
    assert texts(running) == ["sound"]
    path = str(tmp_path / "broken.py")
    assert [(each.extension_path, each.event, each.error) for each in running.errors] == [
        (path, "session_start", "bad"),
        (path, "session_start", "worse"),
        (path, "session_start", "SystemExit: 2"),
    ]
    assert "raise error" in running.errors[0].stack
    assert caplog.text.count("ValueError: bad") == 1


async def test_without_an_opinion_the_call_goes_on_with_the_changed_input(tmp_path: Path) -> None:
    """Later handlers see what earlier ones changed; the event itself is frozen."""
    change = "event.input['command'] = 'source env; ' + event.input['command']"
    frozen = """
        import dataclasses
        def setup(pi):
            @pi.on("tool_call")
            def gate(event, ctx):
                try:
                    event.input = {}
                except dataclasses.FrozenInstanceError:
                    ctx.ui.notify(event.input["command"])
    """
    running = run(await load(tmp_path, one=gate(change), two=frozen, three=gate("return {}")))
    arguments: JsonObject = {"command": "npm test"}
    decision = await running.gate("bash", arguments)
    assert decision is None
    assert arguments == {"command": "source env; npm test"}
    assert texts(running) == ["source env; npm test"]
    assert running.errors == []


async def test_the_first_block_decides_and_nobody_is_asked_after_it(tmp_path: Path) -> None:
    """As a dict or as the declared class; `terminate` counts only together with `block`."""
    polite = gate("return {'terminate': True, 'reason': 'no matter'}")
    block = gate("return {'block': True, 'reason': 'Not today', 'terminate': True}")
    running = run(await load(tmp_path, a=polite, b=block, c=gate(NOTE)))
    decision = await running.call("bash")
    assert decision == ToolCallDecision(block=True, reason="Not today", terminate=True)
    assert texts(running) == []
    assert running.errors == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise RuntimeError('database is gone')", "database is gone"),
        ("raise RuntimeError", "Extension failed, blocking execution: RuntimeError"),
        ("raise SystemExit", "Extension failed, blocking execution: SystemExit"),
        (
            "return True",
            'A handler of "tool_call" returned a wrong result: expected a ToolCallDecision or a dict,'
            " got bool",
        ),
        (
            "return {'blok': True}",
            'A handler of "tool_call" returned a wrong result: unknown field blok; there are block,'
            " reason, terminate",
        ),
        (
            "return {'block': 'yes'}",
            'A handler of "tool_call" returned a wrong result: block should be true or false, got str',
        ),
        (
            "import asyncio; raise asyncio.CancelledError",
            "Extension failed, blocking execution: CancelledError",
        ),
    ],
)
async def test_a_gate_that_fails_blocks_the_call(tmp_path: Path, body: str, reason: str) -> None:
    """The reason is in every blocked result, the report comes once, and later gates are not asked."""
    running = run(await load(tmp_path, broken=gate(body), c=gate(NOTE)))
    for _ in range(2):
        decision = await running.call("bash")
        assert decision is not None
        assert (decision.block, decision.reason) == (True, reason)
    assert [(each.event, each.error) for each in running.errors] in (
        [("tool_call", reason)],
        [("tool_call", reason.rpartition(": ")[2])],
    )
    assert texts(running) == []


async def test_a_handler_that_is_awaited_can_be_seen_and_skipped(tmp_path: Path) -> None:
    """It is cancelled, and as a gate it blocks; what it does not finish is no error."""
    hang = """
        import asyncio
        def setup(pi):
            @pi.on("tool_call")
            async def gate(event, ctx):
                try:
                    await asyncio.get_running_loop().create_future()
                except asyncio.CancelledError:
                    ctx.ui.notify("cancelled")
                    raise
    """
    running = run(await load(tmp_path, hang=hang, c=gate(NOTE)))
    assert running.runner.waiting() is None
    assert not running.runner.skip_current()
    asking = asyncio.create_task(running.call("bash"))
    await until_waiting(running.runner)
    running.clock.time += 12
    waiting = running.runner.waiting()
    assert waiting is not None
    assert (waiting.extension, waiting.event, waiting.since) == ("hang", "tool_call", 100.0)
    assert running.runner.skip_current()
    assert await asking == ToolCallDecision(
        block=True, reason="Blocked: the user skipped the check of extension hang"
    )
    await running.runner.aclose()
    assert texts(running) == ["cancelled"]
    assert (running.errors, running.runner.waiting()) == ([], None)


async def test_a_handler_that_refuses_to_be_cancelled_is_left_behind(tmp_path: Path) -> None:
    """Skipping does not wait for it."""
    deaf = """
        import asyncio
        def setup(pi):
            @pi.on("session_start")
            async def deaf(event, ctx):
                while True:
                    try:
                        await asyncio.get_running_loop().create_future()
                    except asyncio.CancelledError:
                        if ctx.is_idle():
                            return
    """
    running = run(await load(tmp_path, deaf=deaf))
    running.session.signal = AbortController().signal
    starting = asyncio.create_task(running.runner.start("startup"))
    await until_waiting(running.runner)
    assert running.runner.skip_current()
    await starting
    running.session.signal = None
    await running.runner.aclose()


async def test_the_time_a_dialog_is_open_does_not_count(tmp_path: Path) -> None:
    """While it is open the person is waited for, and afterwards the clock goes on from where it was."""
    source = """
        import asyncio
        def setup(pi):
            @pi.on("tool_call")
            async def gate(event, ctx):
                await ctx.ui.confirm("Sure?", event.tool_name)
                await asyncio.get_running_loop().create_future()
    """
    running = run(await load(tmp_path, entry=source))
    asking = asyncio.create_task(running.call("bash"))
    await running.person.opened.wait()
    running.clock.time += 60
    assert running.runner.waiting() is None
    assert not running.runner.skip_current()
    assert running.person.answer is not None
    running.person.answer.set_result(True)
    await until_waiting(running.runner)
    waiting = running.runner.waiting()
    assert waiting is not None
    assert running.clock.time - waiting.since == 0
    running.runner.skip_current()
    await asking


async def test_an_abort_ends_the_question_at_once(tmp_path: Path) -> None:
    """The hanging gate is cancelled, nobody else is asked, and nothing is reported."""
    hang = "import asyncio; await asyncio.get_running_loop().create_future()"
    running = run(await load(tmp_path, hang=gate(hang), c=gate(NOTE)))
    controller = AbortController()
    running.session.signal = controller.signal
    asking = asyncio.create_task(running.call("bash"))
    await until_waiting(running.runner)
    controller.abort()
    decision = await asking
    assert decision is not None
    assert decision.reason == "Operation aborted"
    assert (texts(running), running.errors) == ([], [])


async def test_a_gate_that_gives_up_because_of_the_abort_is_no_failure(tmp_path: Path) -> None:
    """Whether it notices the signal itself or is cancelled by what it awaits."""
    give_up = """
        import asyncio
        def setup(pi):
            @pi.on("tool_call")
            async def gate(event, ctx):
                ctx.signal.on_abort(asyncio.current_task().cancel)
                try:
                    await asyncio.get_running_loop().create_future()
                finally:
                    ctx.signal.raise_if_aborted()
    """
    running = run(await load(tmp_path, entry=give_up))
    controller = AbortController()
    running.session.signal = controller.signal
    asking = asyncio.create_task(running.call("bash"))
    await until_waiting(running.runner)
    controller.abort()
    decision = await asking
    await running.runner.aclose()
    assert decision is not None
    assert decision.reason == "Operation aborted"
    assert running.errors == []


async def test_cancelling_the_emitter_cancels_the_handler(tmp_path: Path) -> None:
    """A cancellation of pi's own is never mistaken for a failure of the extension."""
    source = """
        import asyncio
        def setup(pi):
            @pi.on("session_start")
            async def hang(event, ctx):
                try:
                    await asyncio.get_running_loop().create_future()
                finally:
                    ctx.ui.notify("released")
    """
    running = run(await load(tmp_path, entry=source))
    starting = asyncio.create_task(running.runner.start("startup"))
    await until_waiting(running.runner)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await running.runner.aclose()
    assert (texts(running), running.errors) == (["released"], [])


async def test_a_command_that_hangs_is_shown_as_it_was_typed(tmp_path: Path) -> None:
    """And can be skipped like a handler."""
    source = """
        import asyncio
        def setup(pi):
            @pi.command("go")
            async def go():
                await asyncio.get_running_loop().create_future()
    """
    running = run(await load(tmp_path, entry=source))
    command = asyncio.create_task(running.runner.run_command("go", ""))
    await until_waiting(running.runner)
    waiting = running.runner.waiting()
    assert waiting is not None
    assert (waiting.extension, waiting.event) == ("entry", "/go")
    assert running.runner.skip_current()
    assert await command
    assert running.errors == []


SHUTDOWN = """
    import asyncio
    def setup(pi):
        @pi.on("session_shutdown")
        async def ended(event, ctx):
            {body}
            ctx.ui.notify(f"{{__name__.rpartition('_')[2]}} {{event.reason}}")
"""
HANG = SHUTDOWN.format(body="await asyncio.get_running_loop().create_future()")


async def test_shutdown_runs_once_and_only_after_a_start(tmp_path: Path) -> None:
    """Whatever the number of ways out."""
    running = run(await load(tmp_path, a=SHUTDOWN.format(body="")))
    assert await running.runner.shutdown("quit") == []
    await running.runner.start("startup")
    for _ in range(2):
        assert await running.runner.shutdown("quit") == []
    assert texts(running) == ["a quit"]


async def test_hanging_shutdown_handlers_hold_up_nobody_and_are_named(tmp_path: Path) -> None:
    """The limit holds for all of them together; those that don't hang run."""
    raising = SHUTDOWN.format(body="raise ValueError('no')")
    sound = SHUTDOWN.format(body="await asyncio.sleep(0)")
    running = run(await load(tmp_path, one=HANG, two=raising, three=HANG, four=sound))
    await running.runner.start("startup")
    skipped = await running.runner.shutdown("reload", limit=0.5)
    assert [(each.extension, each.event) for each in skipped] == [
        ("one", "session_shutdown"),
        ("three", "session_shutdown"),
    ]
    assert texts(running) == ["four reload"]
    assert [each.error for each in running.errors] == ["no"]
    assert running.runner.waiting() is None


async def test_after_the_end_every_member_raises(tmp_path: Path) -> None:
    """`pi`, `ctx` and `ctx.ui` alike, also what was taken out of them; the message says what to do."""
    source = """
        kept = []
        def setup(pi):
            kept.append(pi)
            pi.on("session_start", lambda event, ctx: kept.extend([ctx, ctx.ui]))
            pi.command("c")(lambda args, ctx: kept.append(ctx))
    """
    result = await load(tmp_path, entry=source)
    module = sys.modules[result.extensions[0].package]
    running = run(result)
    await running.runner.start("startup")
    await running.runner.run_command("c", "")
    running.runner.invalidate("Use with_session instead.")
    arguments = {
        "on": ("tool_call", print),
        "tool": (test_after_the_end_every_member_raises,),
        "register_tool": ({"name": "x", "description": "x", "execute": print},),
        "command": ("x",),
        "register_command": ("x", print),
        "register_message_renderer": ("x", lambda message: None),
        "notify": ("x",),
        "confirm": ("x", "y"),
        "custom": (print,),
        "select": ("x", ["y"]),
        "input": ("x",),
        "set_status": ("x", "y"),
        "set_widget": ("x", ["y"]),
        "set_footer": (None,),
        "set_working_visible": (True,),
        "set_editor_text": ("x",),
        "set_editor_suggestion": ("x",),
        "set_title": ("x",),
        "set_editor_component": (None,),
        "add_autocomplete_provider": (print,),
        "get_theme": ("x",),
        "set_theme": ("x",),
        "navigate_tree": ("x",),
    }
    used = set()
    for kept in module.kept:
        for name in (name for name in dir(kept) if not name.startswith("_")):
            used.add(name)
            with pytest.raises(StaleContextError, match="Use with_session instead"):
                outcome = getattr(kept, name)(*arguments.get(name, ()))
                if name == "command":
                    outcome(print)
                await outcome
    assert used >= {*arguments, "ui", "mode", "cwd", "model", "signal", "is_idle", "abort"}
    assert running.session.done == []


async def test_nothing_of_an_ended_generation_is_left(tmp_path: Path) -> None:
    """Handlers, tools and commands are gone; errors of code that still runs go to the log only."""
    source = """
        import asyncio
        def setup(pi):
            pi.on("tool_call", lambda: {"block": True})
            @pi.tool
            def tool() -> str:
                "A tool."
                return ""
            @pi.command("go")
            async def go(args, ctx):
                if await ctx.ui.confirm("Go?", "on"):
                    raise ValueError("never")
    """
    running = run(await load(tmp_path, entry=source))
    command = asyncio.create_task(running.runner.run_command("go", ""))
    await running.person.opened.wait()
    running.runner.invalidate("over")
    await command
    assert await running.call("bash") is None
    assert (running.runner.tools(), dict(running.runner.commands())) == ([], {})
    assert running.errors == []


async def test_a_dialog_that_its_generation_leaves_open_closes_and_raises(tmp_path: Path) -> None:
    """The gate that asked blocks."""
    running = run(await load(tmp_path, entry=gate("await ctx.ui.confirm('Sure?', 'x')")))
    asking = asyncio.create_task(running.call("bash"))
    await running.person.opened.wait()
    running.runner.invalidate("The session was replaced.")
    decision = await asking
    assert decision == ToolCallDecision(block=True, reason="The session was replaced.")


async def test_an_error_that_escapes_a_task_is_traced_to_its_extension(tmp_path: Path) -> None:
    """An error without an extension's code in its traceback is somebody else's."""
    source = """
        import asyncio
        tasks = []
        async def work():
            raise ValueError("in the background")
        def setup(pi):
            pi.on("session_start", lambda: tasks.append(asyncio.create_task(work())))
    """
    result = await load(tmp_path, sound="def setup(pi): pass", entry=source)
    module = sys.modules[result.extensions[1].package]
    running = run(result)
    await running.runner.start("startup")
    (escaped,) = await asyncio.gather(*module.tasks, return_exceptions=True)
    assert running.runner.report_stray(escaped)
    assert not running.runner.report_stray(ValueError("of pi itself"))
    assert [(each.extension_path, each.event, each.error) for each in running.errors] == [
        (str(tmp_path / "entry.py"), "task", "in the background")
    ]


async def test_dispatch_without_handlers_changes_nothing(tmp_path: Path) -> None:
    """No extensions at all is the common case."""
    running = run(await load(tmp_path))
    runner = running.runner
    await runner.start("startup")
    assert await running.call("bash") is None
    assert await runner.shutdown("quit") == []
    runner.invalidate("over")
    await runner.aclose()
