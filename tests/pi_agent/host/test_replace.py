"""Another session in the place of the current one: what goes, what stays, and what extensions are told."""

from __future__ import annotations

import asyncio
import textwrap
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.replace import ReplaceError, is_kept, replace_session
from pi_agent.host.replacements import ReplaceReason, clone, fork
from pi_agent.host.services import Services
from pi_agent.host.start_session import new_session
from pi_agent.loop.events import AgentEvent
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.entries import MessageEntry
from pi_agent.session.in_use import sidecar_of
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_services import Run

pytestmark = pytest.mark.anyio

TELLS = """
    from pathlib import Path
    log = Path(__file__).with_suffix(".log")
    def say(*words):
        with log.open("a") as file: print(*words, file=file)
    say("imported")
    kept = []
    def setup(pi):
        kept.append(pi)
        say("setup", len(kept))
        @pi.on("session_start")
        def started(event, ctx): say("start", event.reason, event.previous_session_file)
        @pi.on("session_shutdown")
        def ended(event, ctx): say("end", event.reason, event.target_session_file)
        @pi.command("old")
        def old(args, ctx):
            try: kept[0].on("session_start")
            except Exception as error: say(type(error).__name__)
            else: say("alive")
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def extension(folder: Path) -> tuple[str, Path]:
    file = folder / "tells.py"
    file.write_text(textwrap.dedent(TELLS))
    return str(file), file.with_suffix(".log")


async def change(
    services: Services, session: SessionManager, reason: ReplaceReason = "new"
) -> list[str]:
    return [problem.text for problem in await replace_session(services, session, reason)]


async def test_a_new_session_has_its_own_file_and_the_same_model(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(thinking="off") as services:
        await services.conversation.prompt("first")
        old = services.conversation.session
        model = services.conversation.model
        assert await change(services, new_session(services.options)) == []
        await services.conversation.prompt("second")
        new = services.conversation.session
        assert services.conversation.model is model
        assert old.get_session_file() != new.get_session_file()
        said = [message.role for message in services.conversation.messages]
        assert said == ["system", "user", "assistant"]
        assert services.conversation.session.get_stats().output == 1


async def test_the_old_file_is_free_and_the_new_one_is_held(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services() as services:
        await services.conversation.prompt("first")
        old = services.conversation.session.get_session_file()
        await change(services, new_session(services.options))
        await services.conversation.prompt("second")
        new = services.conversation.session.get_session_file()
        assert old is not None
        assert new is not None
        assert not sidecar_of(old).exists()
        assert sidecar_of(new).exists()


async def test_a_resumed_session_brings_its_model_and_what_was_said(run: Run) -> None:
    run.plays({"text": "one"})
    async with run.services() as services:
        await services.conversation.prompt("first")
        file = services.conversation.session.get_session_file()
    assert file is not None
    async with run.services(model="demo/echo") as services:
        assert await change(services, SessionManager.open(file), "resume") == []
        assert services.conversation.model is not None
        assert services.conversation.model.reference == "demo/script"
        assert services.conversation.get_last_assistant_text() == "one"


async def test_the_model_at_work_stands_in_for_one_that_is_gone(run: Run) -> None:
    session = SessionManager.in_memory(run.project)
    session.append_model_change("gone", "model")
    async with run.services(model="demo/echo") as services:
        told = await change(services, session, "resume")
        assert services.conversation.model is not None
        assert services.conversation.model.reference == "demo/echo"
    assert told == ["Could not restore model gone/model."]


async def test_extensions_are_told_set_up_again_and_cannot_use_the_old_ones(
    run: Run, tmp_path: Path
) -> None:
    file, log = extension(tmp_path)
    run.plays({"text": "one"})
    async with run.services(extensions=(file,)) as services:
        await services.start_extensions()
        await services.conversation.prompt("first")
        old = services.conversation.session.get_session_file()
        session = new_session(services.options)
        await change(services, session)
        await services.start_extensions("new", previous_session_file=str(old))
        await services.conversation.prompt("/old")
    assert log.read_text().splitlines() == [
        "imported",
        "setup 1",
        "start startup None",
        f"end new {session.get_session_file()}",
        "setup 2",
        f"start new {old}",
        "StaleContextError",
        "end quit None",
    ]


async def test_a_run_is_stopped_and_its_processes_end(run: Run) -> None:
    run.calls("bash", command="echo started; sleep 60")
    events: list[AgentEvent] = []
    is_running = asyncio.Event()

    def note(event: AgentEvent) -> None:
        events.append(event)
        if event.type == "tool_execution_update":
            is_running.set()

    async with run.services() as services:
        old = services.conversation
        old.subscribe(note)
        running = asyncio.create_task(old.prompt("go"))
        await is_running.wait()
        await change(services, new_session(services.options))
        assert await running == "started"
        assert events[-1].type == "agent_settled"
        assert not services.conversation.is_streaming
        assert services.conversation.messages == []
        with pytest.raises(PiError, match="has ended"):
            await old.prompt("still there?")


async def test_while_extensions_are_reloaded_it_is_refused_and_nothing_changes(run: Run) -> None:
    async with run.services() as services:
        before = services.conversation
        async with before.paused():
            with pytest.raises(PiError, match="busy"):
                await change(services, new_session(services.options))
        assert services.conversation is before
        await before.prompt("hello")


class FailingSettings(SettingsStore):
    """Settings that cannot be read some times, when another conversation is about to begin."""

    failures = 0

    def get_list(self, key: str) -> list[str] | None:
        if key == "defaultTools" and self.failures:
            self.failures -= 1
            raise OSError("the disk is gone")
        return super().get_list(key)


async def test_what_fails_after_the_end_puts_the_session_before_back(
    run: Run, tmp_path: Path
) -> None:
    file, log = extension(tmp_path)
    run.plays({"text": "one"}, {"text": "two"})
    settings = FailingSettings()
    async with run.services(extensions=(file,), settings=settings) as services:
        await services.start_extensions()
        await services.conversation.prompt("first")
        old = services.conversation.session
        settings.failures = 1
        with pytest.raises(ReplaceError, match="the disk is gone") as failed:
            await change(services, new_session(services.options))
        assert failed.value.is_back
        now = services.conversation.session
        assert now.get_session_id() == old.get_session_id()
        path = now.get_session_file()
        assert path is not None
        assert sidecar_of(path).exists()
        await services.start_extensions("resume")
        await services.conversation.prompt("second")
        assert services.conversation.get_last_assistant_text() == "two"
    assert log.read_text().splitlines()[-3:] == ["setup 2", "start resume None", "end quit None"]


@pytest.mark.parametrize("how", ["fails twice", "file is gone"])
async def test_if_that_fails_too_it_says_so(run: Run, how: str) -> None:
    settings = FailingSettings()
    async with run.services(settings=settings) as services:
        await services.conversation.prompt("first")
        old = services.conversation.session.get_session_file()
        assert old is not None
        settings.failures = 2 if how == "fails twice" else 1
        session = new_session(services.options)
        if how == "file is gone":
            session = VanishingSession(session.get_header(), file=None, cwd="/", now=lambda: 0)
            session.victim = old
        with pytest.raises(ReplaceError) as failed:
            await change(services, session)
        assert not failed.value.is_back
        assert "cannot be put back" in failed.value.with_hint()


class VanishingSession(SessionManager):
    """A session with whose coming another one's file goes away."""

    victim: Path

    def get_session_file(self) -> Path | None:
        self.victim.unlink(missing_ok=True)
        return None


async def test_a_fork_goes_on_with_the_model_of_its_past_and_gives_the_text_back(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services() as services:
        await services.conversation.prompt("first")
        await services.conversation.prompt("second")
        old = services.conversation.session
        users = [e for e in old.get_branch() if isinstance(e, MessageEntry) and e.role == "user"]
        wanted = fork(services.conversation, users[1].id)
        assert await is_kept(services, wanted.question) is False
        assert await change(services, await wanted.make(), wanted.reason) == []
        assert wanted.editor_text == "second"
        said = [message.role for message in services.conversation.messages]
        assert said == ["system", "user", "assistant"]
        assert services.conversation.model is not None
        assert services.conversation.model.reference == "demo/script"
        assert services.conversation.session.get_header().parent_session == str(
            old.get_session_file()
        )


async def test_a_clone_of_a_running_session_ends_the_run_first(run: Run) -> None:
    run.calls("bash", command="echo started; sleep 60")
    is_running = asyncio.Event()
    async with run.services() as services:
        services.conversation.subscribe(
            lambda event: is_running.set() if event.type == "tool_execution_update" else None
        )
        running = asyncio.create_task(services.conversation.prompt("go"))
        await is_running.wait()
        session = await clone(services.conversation).make()
        await running
        old = services.conversation.session
        assert session.build_session_projection() == old.build_session_projection()
        assert session.build_session_projection()[-1].role in ("assistant", "toolResult")
        session.close()


VETOES = """
    def setup(pi):
        @pi.on("session_before_fork")
        def stay(event):
            return {"cancel": event.position == "at"}
"""


async def test_extensions_may_keep_a_session_from_being_forked(run: Run) -> None:
    run.plays({"text": "one"})
    async with run.services(extensions=(run.extension(VETOES),)) as services:
        await services.start_extensions()
        await services.conversation.prompt("first")
        wanted = clone(services.conversation)
        assert await is_kept(services, wanted.question) is True
    assert len(list(run.agent_dir.glob("sessions/*/*.jsonl"))) == 1
