"""`ctx.ui`: the wrapper every extension gets, and the modes without a screen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pi_agent.extensions.no_ui import NoUIHost
from pi_tui.abort import AbortController
from tests.pi_agent.extensions.support import load, run

pytestmark = pytest.mark.anyio

ASK = """
    def setup(pi):
        @pi.command("ask")
        async def ask(args, ctx):
            ctx.ui.notify("asking")
            answer = await ctx.ui.confirm("Sure?", args)
            again = await ctx.ui.confirm("Really?", args)
            ctx.ui.notify(f"{answer} {again}")
            if answer or again:
                raise AssertionError
"""


async def test_where_nobody_can_be_asked_the_answer_is_no_and_is_noted_once(tmp_path: Path) -> None:
    """One line per extension and member; notices are shown nowhere."""
    notes: list[str] = []
    running = run(await load(tmp_path, one=ASK, two=ASK), ui=NoUIHost(notes.append))
    for name in ("ask:1", "ask:2", "ask:1"):
        assert await running.runner.run_command(name, "x")
    assert running.errors == []
    assert notes == [
        f'{name}: ctx.ui.confirm cannot ask anybody in this mode, "Sure?" is answered with no'
        for name in ("one", "two")
    ]


async def test_where_nothing_is_shown_a_screen_is_not_even_made(tmp_path: Path) -> None:
    """The caller gets nothing at once, and one line says so."""
    source = """
        def setup(pi):
            @pi.command("open")
            async def open(args, ctx):
                def make(tui, theme, keybindings, done):
                    raise AssertionError("nobody looks")
                for overlay in (False, True):
                    assert await ctx.ui.custom(make, overlay=overlay) is None
    """
    notes: list[str] = []
    running = run(await load(tmp_path, entry=source), ui=NoUIHost(notes.append))
    assert await running.runner.run_command("open", "")
    assert running.errors == []
    assert notes == [
        "entry: ctx.ui.custom cannot ask anybody in this mode, its screen is not shown"
    ]


async def test_an_unknown_type_of_notice_counts_as_info(tmp_path: Path) -> None:
    """The known ones arrive as they are."""
    source = """
        def setup(pi):
            @pi.command("say")
            def say(args, ctx):
                for kind in ("info", "warning", "error", "loud"):
                    ctx.ui.notify("x", kind)
                ctx.ui.notify("y")
    """
    running = run(await load(tmp_path, entry=source))
    await running.runner.run_command("say", "")
    kinds = [kind for _, kind in running.person.notices]
    assert kinds == ["info", "warning", "error", "info", "info"]


SIGNAL = """
    from pi_agent import AbortController
    controller = AbortController()
    def setup(pi):
        @pi.command("ask")
        async def ask(args, ctx):
            answer = await ctx.ui.confirm("Sure?", args, signal=ctx.signal)
            ctx.ui.notify(str(answer))
"""


async def test_a_signal_that_has_fired_shows_no_dialog(tmp_path: Path) -> None:
    """The answer is no at once."""
    running = run(await load(tmp_path, entry=SIGNAL))
    controller = AbortController()
    controller.abort()
    running.session.signal = controller.signal
    await running.runner.run_command("ask", "")
    assert running.person.asked == []
    assert running.person.notices == [("False", "info")]


async def test_a_signal_that_fires_closes_the_dialog_with_no(tmp_path: Path) -> None:
    """And leaves no listener on the signal behind."""
    running = run(await load(tmp_path, entry=SIGNAL))
    controller = AbortController()
    running.session.signal = controller.signal
    asking = asyncio.create_task(running.runner.run_command("ask", ""))
    await running.person.opened.wait()
    controller.abort()
    await asking
    assert running.person.notices == [("False", "info")]


async def test_plain_members_work_from_another_thread(tmp_path: Path) -> None:
    """They run on the loop's thread and hand their result or exception back."""
    source = """
        import asyncio, threading
        def setup(pi):
            @pi.command("work")
            async def work(args, ctx):
                def in_thread():
                    ctx.ui.notify(f"{ctx.mode} {ctx.is_idle()}")
                    pi.register_command("late", lambda: None)
                    try:
                        pi.on("tool_calls", print)
                    except ValueError as error:
                        ctx.ui.notify(type(error).__name__)
                    ctx.shutdown()
                    return threading.get_ident()
                other = await asyncio.to_thread(in_thread)
                assert other != threading.get_ident()
    """
    running = run(await load(tmp_path, entry=source))
    await running.runner.run_command("work", "")
    assert running.errors == []
    assert running.person.notices == [("tui True", "info"), ("ValueError", "info")]
    assert running.session.done == ["shutdown"]
    assert "late" in running.runner.commands()
