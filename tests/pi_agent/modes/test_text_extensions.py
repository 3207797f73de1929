"""Print mode with extensions: those that do not load, do not end, print, or fail where nobody waits for them."""

from __future__ import annotations

import signal

import pytest

from tests.pi_process import Pi

ECHO = ("--model", "demo/echo")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def setup(pi:\n    pass\n", "was never closed (broken.py, line 1)"),
        ("x = 1\n", "does not define a callable setup(pi)"),
        (None, "Extension path does not exist"),
        ("import nothing_like_it\n\ndef setup(pi): ...\n", "-m pip install nothing_like_it"),
        ("def setup(pi):\n    1 / 0\n", "division by zero (broken.py, line 2)"),
    ],
    ids=["syntax", "no setup", "no file", "import", "setup fails"],
)
def test_one_that_does_not_load_ends_it_before_any_prompt(
    source: str | None, said: str, pi: Pi
) -> None:
    if source is not None:
        pi.write("broken.py", source)
    ended = pi.run(*ECHO, "-e", "broken.py", "-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    assert str(pi.project / "broken.py") in ended.err
    assert said in ended.err
    assert "`pi -ne`" in ended.err
    assert "Traceback" not in ended.err
    assert pi.session_files() == []


def test_the_remedy_that_is_named_helps(pi: Pi) -> None:
    assert pi.run(*ECHO, "-ne", "-p", "hello").out == "hello\n"


LEFT_RUNNING = """
import asyncio, threading, time

tasks = []

def setup(pi):
    @pi.on("session_start")
    async def started():
        loop = asyncio.get_running_loop()
        tasks.append(loop.create_task(never_lets_go()))
        tasks.append(loop.run_in_executor(None, time.sleep, 3600))
        threading.Thread(target=time.sleep, args=(3600,)).start()
        tick(loop)

def tick(loop):
    loop.call_later(0.01, tick, loop)

async def never_lets_go():
    while True:
        try:
            await asyncio.sleep(3600)
        except BaseException:
            pass
"""


@pytest.mark.cold_start
def test_what_is_left_running_keeps_nobody_waiting(pi: Pi) -> None:
    pi.write("left.py", LEFT_RUNNING)
    ended = pi.run(*ECHO, "-e", "left.py", "-p", "hello")
    assert (ended.code, ended.out, ended.err) == (0, "hello\n", "")


PRINTS = """
import os, sys

print("on import")

def setup(pi):
    print("in setup")

    @pi.on("session_start")
    def started():
        print("on start")
        os.system("echo from a child")
        os.write(1, b"past python\\n")
        print("past the redirection", file=sys.__stdout__)

    @pi.on("session_shutdown")
    def ended():
        print("on shutdown")
"""


@pytest.mark.cold_start
def test_what_is_printed_goes_to_stderr_from_children_too(pi: Pi) -> None:
    pi.write("prints.py", PRINTS)
    ended = pi.run(*ECHO, "-e", "prints.py", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert set(ended.err.splitlines()) == {
        "on import",
        "in setup",
        "on start",
        "from a child",
        "past python",
        "past the redirection",
        "on shutdown",
    }


FAILS_UNSEEN = """
import asyncio, sys

tasks = []

def setup(pi):
    @pi.on("session_start")
    async def started():
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: 1 / 0)
        tasks.append(loop.create_task(leaves()))

async def leaves():
    sys.exit(0)
"""


def test_failures_that_nobody_waits_for_are_told_and_cost_nothing(pi: Pi) -> None:
    path = pi.write("fails.py", FAILS_UNSEEN)
    ended = pi.run(*ECHO, "-e", "fails.py", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert sorted(ended.err.splitlines()) == [
        f"Extension {path} failed in task: division by zero",
        f"Extension {path} failed in task: it called sys.exit",
    ]


def test_a_handler_that_fails_is_told_and_the_rest_goes_on(pi: Pi) -> None:
    path = pi.write(
        "fails.py",
        """
        def setup(pi):
            @pi.on("session_start")
            def started():
                raise ValueError("not today")
        """,
    )
    ended = pi.run(*ECHO, "-e", "fails.py", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert ended.err == f"Extension {path} failed in session_start: not today\n"


def test_who_keeps_everybody_waiting_is_told(pi: Pi) -> None:
    pi.write(
        "waits.py",
        """
        import asyncio

        def setup(pi):
            @pi.on("session_start")
            async def started():
                await asyncio.Event().wait()
        """,
    )
    process = pi.start(*ECHO, "-e", "waits.py", "-p", "hello")
    assert process.stderr is not None
    assert process.stderr.readline() == b"Waiting for extension waits: session_start\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143


def test_a_handler_that_does_not_end_with_the_session_is_named(pi: Pi) -> None:
    pi.write(
        "lingers.py",
        """
        import asyncio

        def setup(pi):
            @pi.on("session_shutdown")
            async def ended():
                await asyncio.Event().wait()
        """,
    )
    ended = pi.run(*ECHO, "-e", "lingers.py", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert ended.err == "Warning: lingers: session_shutdown did not finish in time\n"


def test_a_question_to_nobody_is_answered_with_no_and_told(pi: Pi) -> None:
    pi.write(
        "gate.py",
        """
        def setup(pi):
            @pi.on("tool_call")
            async def gate(event, ctx):
                if not await ctx.ui.confirm("Run it?", event.input["command"]):
                    return {"block": True, "reason": "nobody said yes"}
        """,
    )
    marker = pi.project / "ran"
    command = {"name": "bash", "arguments": {"command": f"touch {marker}"}}
    pi.plays({"toolCalls": [command]}, {"text": "blocked"})
    ended = pi.run("--model", "demo/script", "-e", "gate.py", "-p", "go")
    assert (ended.code, ended.out) == (0, "blocked\n")
    assert "gate: ctx.ui.confirm cannot ask anybody in this mode" in ended.err
    assert not marker.exists()
    (result,) = pi.messages("toolResult")
    assert result["content"][0]["text"] == "nobody said yes"


USES_ALL = """
from pi_agent import WorkingIndicatorOptions

def setup(pi):
    @pi.on("session_start")
    async def started(event, ctx):
        def factory(*arguments):
            raise AssertionError("nobody can see what this makes")
        ui = ctx.ui
        answers = [
            await ui.select("Which?", ["a", "b"]),
            await ui.confirm("Sure?", "Really"),
            await ui.input("What?", "here"),
            await ui.custom(factory),
            ui.notify("hello"),
            ui.set_status("a", ui.theme.fg("accent", "text")),
            ui.set_widget("a", ["line"]),
            ui.set_widget("b", factory, placement="below_editor"),
            ui.set_footer(factory),
            ui.set_working_message("x"),
            ui.set_working_visible(False),
            ui.set_working_indicator(WorkingIndicatorOptions(["x"])),
            ui.set_title("x"),
            ui.set_editor_text("x"),
            ui.get_editor_text(),
        ]
        await ui.select("Which?", ["a"])
        open("answers", "w").write(f"{ctx.mode} {ctx.has_ui} {answers}")
"""


def test_what_needs_a_screen_answers_at_once_and_says_so_once(pi: Pi) -> None:
    """Questions are named on stderr, decoration is not; nothing is called that nobody would see."""
    pi.write("uses.py", USES_ALL)
    ended = pi.run(*ECHO, "-e", "uses.py", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    answers = [None, False, None, None, *[None] * 10, ""]
    assert (pi.project / "answers").read_text() == f"print False {answers}"
    said = ended.err.splitlines()
    assert [line.split("ctx.ui.")[1].split()[0] for line in said] == [
        "select",
        "confirm",
        "input",
        "custom",
    ]
    assert all(line.startswith("Warning: uses: ") for line in said)
