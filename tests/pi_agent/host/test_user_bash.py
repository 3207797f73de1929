"""What the user runs: what the model hears of it, what is kept, and what is left of the processes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.base.process import ProcessGroups
from pi_agent.host.options import RunOptions
from pi_agent.host.user_bash import UserBash, UserCommand, command_of, user_command
from pi_agent.llm.messages import BashExecutionMessage
from tests.pi_agent.host.test_conversation import Gate, Talk
from tests.pi_agent.loop.script import answer, call

pytestmark = pytest.mark.anyio


class Shell:
    """The user's shell in a folder, beside a conversation."""

    def __init__(self, folder: Path, talk: Talk, **environ: str) -> None:
        environ = {"HOME": str(folder), "PATH": os.environ["PATH"], **environ}
        options = RunOptions(
            cwd=folder, paths=AgentPaths.from_environment(environ), environ=environ
        )
        self.groups = ProcessGroups()
        self.bash = UserBash(options, self.groups)
        self.printed: list[str] = []
        self.has_printed = asyncio.Event()
        self._talk = talk

    def take(self, text: str) -> None:
        self.printed.append(text)
        self.has_printed.set()

    async def run(self, text: str) -> BashExecutionMessage:
        command = user_command(text)
        assert command is not None
        return await self.bash.run(command, self._talk.conversation, self.take)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("!ls", UserCommand("ls")),
        ("  ! ls -l\n", UserCommand("ls -l")),
        ("!!ls", UserCommand("ls", is_private=True)),
        ("!a\nb", UserCommand("a\nb")),
        ("!", UserCommand("")),
        ("ls!", None),
        ("/help", None),
    ],
)
def test_what_begins_with_an_exclamation_mark_is_a_command(
    text: str, command: UserCommand | None
) -> None:
    assert user_command(text) == command


async def test_the_model_hears_of_it_with_the_next_prompt(tmp_path: Path) -> None:
    talk = Talk("I see")
    message = await Shell(tmp_path, talk).run("!echo out; echo err >&2; exit 3")
    assert (message.output, message.exit_code, message.cancelled) == ("out\nerr\n", 3, False)
    await talk.conversation.prompt("why?")
    assert talk.asked(0) == [
        (
            "user",
            "Ran `echo out; echo err >&2; exit 3`\n```\nout\nerr\n\n```\n\nCommand exited with code 3",
        ),
        ("user", "why?"),
    ]


async def test_a_private_command_is_kept_and_the_model_never_hears_of_it(tmp_path: Path) -> None:
    talk = Talk("I see")
    await Shell(tmp_path, talk).run("!!echo secret")
    await talk.conversation.prompt("hello")
    assert "secret" not in str(talk.asked(0))
    (stored,) = [m for m in talk.conversation.messages if isinstance(m, BashExecutionMessage)]
    assert (stored.output, command_of(stored).as_typed) == ("secret\n", "!!echo secret")


async def test_beside_a_run_it_is_stored_when_that_has_settled(tmp_path: Path) -> None:
    gate = Gate()
    talk = Talk(answer(call("gate")), "done", tools=[gate.tool])
    running = talk.start()
    await gate.running.wait()
    await Shell(tmp_path, talk).run("!echo beside")
    assert "bashExecution" not in [message.role for message in talk.conversation.messages]
    gate.open.set()
    await running
    roles = [message.role for message in talk.conversation.messages]
    assert roles[1:] == ["user", "assistant", "toolResult", "assistant", "bashExecution"]


async def test_only_one_runs_at_a_time(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Talk())
    first = asyncio.create_task(shell.run("!echo ready; sleep 30"))
    await shell.has_printed.wait()
    with pytest.raises(PiError, match="Another command is running"):
        await shell.run("!touch second")
    await shell.bash.aclose()
    assert first.done() and not (tmp_path / "second").exists()
    await shell.run("!touch second")
    assert (tmp_path / "second").exists()


async def test_a_cancelled_command_keeps_its_output_and_leaves_no_process(tmp_path: Path) -> None:
    talk = Talk()
    shell = Shell(tmp_path, talk)
    running = asyncio.create_task(shell.run("!sleep 300 & echo $!; wait"))
    await shell.has_printed.wait()
    shell.bash.cancel()
    message = await running
    assert (message.cancelled, message.exit_code) == (True, None)
    with pytest.raises(ProcessLookupError):
        while True:  # a killed process is gone as soon as it has been waited for
            os.kill(int(message.output), 0)
            await asyncio.sleep(0)
    assert talk.conversation.messages == [message]


async def test_what_is_kept_has_no_control_characters(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Talk())
    message = await shell.run(r"!printf '\033[31mred\033[0m\007 \033]0;title\007x\r\n\377\0y'")
    assert message.output == "red x\n\ufffdy"


async def test_of_much_output_the_end_is_kept_and_all_of_it_in_a_file(tmp_path: Path) -> None:
    message = await Shell(tmp_path, Talk()).run("!seq 100000")
    assert message.truncated and message.output.endswith("99999\n100000")
    assert message.output.count("\n") == 1999
    assert message.full_output_path is not None
    file = Path(message.full_output_path)
    assert file.read_text() == "".join(f"{number}\n" for number in range(1, 100001))
    file.unlink()


async def test_the_session_is_not_in_the_environment(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Talk(), PI_SESSION_ID="outer", PI_MODEL="m", X="x")
    message = await shell.run("!echo $X,$PI_SESSION_ID,$PI_MODEL,$PI_CODING_AGENT")
    assert message.output == "x,,,true\n"


async def test_what_cannot_be_run_is_refused_and_not_kept(tmp_path: Path) -> None:
    talk = Talk()
    with pytest.raises(PiError, match="no command after !!"):
        await Shell(tmp_path, talk).run("!!")
    with pytest.raises(PiError, match="Working folder does not exist"):
        await Shell(tmp_path / "gone", talk).run("!ls")
    assert talk.conversation.messages == []
