"""Going on elsewhere in the tree: where the conversation is then, what is left, and who may object."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import TreeMove
from pi_agent.extensions.events import SessionBeforeTreeEvent
from pi_agent.extensions.results import TreeSummary
from pi_agent.host.navigate import TreeNavigation
from pi_agent.host.services import Services
from pi_agent.llm.messages import (
    AssistantMessage,
    BranchSummaryMessage,
    UserMessage,
    text_of,
)
from pi_agent.session.entries import BranchSummaryEntry, Entry
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortSignal
from tests.pi_agent.host.test_services import Run

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


async def ask(services: Services, *questions: str) -> dict[str, Entry]:
    """Ask, and return the entries of the branch by what they say."""
    for question in questions:
        await services.conversation.prompt(question)
    return {
        "".join(block["text"] for block in entry.raw["message"]["content"]): entry
        for entry in services.conversation.session.get_branch()
        if entry.type == "message" and entry.raw["message"]["role"] in ("user", "assistant")
    }


def told(services: Services) -> list[str]:
    """Return what the model would get of the conversation."""
    texts: list[str] = []
    for message in services.conversation.messages:
        if isinstance(message, UserMessage | AssistantMessage):
            texts.append(text_of(message.content))
        elif isinstance(message, BranchSummaryMessage):
            texts.append(message.summary)
    return texts


TELLS = """
    from pathlib import Path
    log = Path(__file__).with_suffix(".log")
    def setup(pi):
        @pi.on("session_before_tree")
        def before(event):
            wanted = event.preparation
            left = [entry.type for entry in wanted.entries_to_summarize]
            with log.open("a") as file:
                print("before", wanted.user_wants_summary, left, wanted.label, file=file)
            return RESULT
        @pi.on("session_tree")
        def after(event):
            entry = event.summary_entry and event.summary_entry.id
            same = (event.new_leaf_id == entry) if entry else None
            with log.open("a") as file: print("after", same, event.from_extension, file=file)
"""


def extension(run: Run, result: str = "None") -> tuple[str, Path]:
    file = run.extension(TELLS.replace("RESULT", result))
    return file, Path(file).with_suffix(".log")


async def test_at_an_answer_the_conversation_goes_on_behind_it(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"}, {"text": "three"})
    async with run.services() as services:
        entries = await ask(services, "first", "second")
        moved = await services.conversation.navigate_tree(entries["one"].id)
        assert (moved.cancelled, moved.editor_text) == (False, None)
        assert told(services) == ["first", "one"]
        await services.conversation.prompt("otherwise")
        assert told(services) == ["first", "one", "otherwise", "three"]


async def test_at_a_question_it_goes_on_before_it_and_gives_its_text_back(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"}, {"text": "three"})
    async with run.services() as services:
        entries = await ask(services, "first", "second")
        moved = await services.conversation.navigate_tree(entries["second"].id)
        assert moved.editor_text == "second"
        assert told(services) == ["first", "one"]
        moved = await services.conversation.navigate_tree(entries["first"].id)
        assert moved.editor_text == "first"
        assert told(services) == []
        await services.conversation.prompt("anew")
        assert told(services) == ["anew", "three"]


async def test_the_place_where_it_is_already_is_no_move(run: Run) -> None:
    file, log = extension(run)
    run.plays({"text": "one"})
    async with run.services(extensions=(file,)) as services:
        entries = await ask(services, "first")
        moved = await services.conversation.navigate_tree(entries["one"].id)
        assert moved.event is None
        assert not moved.cancelled
    assert not log.exists()


async def test_extensions_may_keep_it_where_it_is(run: Run) -> None:
    file, log = extension(run, '{"cancel": True}')
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(extensions=(file,)) as services:
        entries = await ask(services, "first", "second")
        leaf = services.conversation.session.get_leaf_id()
        moved = await services.conversation.navigate_tree(entries["one"].id, label="here")
        assert moved.cancelled
        assert services.conversation.session.get_leaf_id() == leaf
    assert log.read_text() == "before False ['message', 'message'] here\n"


async def test_a_summary_of_an_extension_is_told_in_place_of_the_branch(run: Run) -> None:
    file, log = extension(run, '{"summary": {"summary": "It failed."}, "label": "retry"}')
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(extensions=(file,)) as services:
        entries = await ask(services, "first", "second")
        left = services.conversation.session.get_leaf_id()
        await services.conversation.navigate_tree(entries["one"].id, summarize=True)
        session = services.conversation.session
        (summary,) = [e for e in session.get_branch() if isinstance(e, BranchSummaryEntry)]
        assert told(services) == ["first", "one", "It failed."]
        assert (summary.from_id, summary.parent_id) == (left, entries["one"].id)
        assert session.get_label(summary.id) == "retry"
        file_of_session = session.get_session_file()
        assert file_of_session is not None
        line = json.loads(file_of_session.read_text().splitlines()[-2])
        assert line["fromHook"] is True
    assert log.read_text().splitlines()[1].endswith("True")


async def test_without_the_wish_for_a_summary_there_is_none(run: Run) -> None:
    file, _ = extension(run, '{"summary": {"summary": "It failed."}}')
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(extensions=(file,)) as services:
        entries = await ask(services, "first", "second")
        await services.conversation.navigate_tree(entries["one"].id, label="here")
        assert told(services) == ["first", "one"]
        assert services.conversation.session.get_label(entries["one"].id) == "here"


async def test_while_the_model_answers_it_is_refused_and_no_extension_hears_of_it(run: Run) -> None:
    file, log = extension(run)
    run.calls("bash", command="echo started; sleep 60")
    is_running = asyncio.Event()
    async with run.services(extensions=(file,)) as services:
        services.conversation.subscribe(
            lambda event: is_running.set() if event.type == "tool_execution_update" else None
        )
        running = asyncio.create_task(services.conversation.prompt("go"))
        await is_running.wait()
        entry = services.conversation.session.get_branch()[0]
        with pytest.raises(PiError, match="busy"):
            await services.conversation.navigate_tree(entry.id)
        await services.conversation.abort()
        await running
    assert not log.exists()


async def test_an_unknown_entry_and_a_summary_without_a_model_are_refused(run: Run) -> None:
    run.plays({"text": "one"})
    async with run.services() as services:
        await ask(services, "first")
        with pytest.raises(PiError, match="Entry not found: nope"):
            await services.conversation.navigate_tree("nope")
        assert told(services) == ["first", "one"]
    async with run.services(model=None) as services:
        session = services.conversation.session
        said = session.append_message(UserMessage(content="first"))
        session.append_message(UserMessage(content="second"))
        with pytest.raises(PiError, match="No model"):
            await services.conversation.navigate_tree(said.id, summarize=True)


async def test_pi_summarizes_what_is_left_and_a_failure_moves_nothing(run: Run) -> None:
    run.plays({"text": "one"}, {"text": "two"}, {"text": "## Goal\nTwo."}, {"error": "no"})
    async with run.services() as services:
        entries = await ask(services, "first", "second")
        left = services.conversation.session.get_leaf_id()
        await services.conversation.navigate_tree(entries["second"].id, summarize=True)
        first, one, summary = told(services)
        assert (first, one) == ("first", "one")
        assert summary.endswith("## Goal\nTwo.")
        with pytest.raises(PiError, match="Summarization failed: no"):
            await services.conversation.navigate_tree(str(left), summarize=True)
        assert told(services) == ["first", "one", summary]


async def test_what_is_said_while_a_move_is_prepared_is_said_behind_it(run: Run) -> None:
    source = """
        import asyncio
        def setup(pi):
            @pi.on("session_before_tree")
            async def slow(event):
                while not (Path(__file__).parent / "go").exists():
                    await asyncio.sleep(0.001)
        from pathlib import Path
    """
    run.plays({"text": "one"}, {"text": "two"}, {"text": "three"})
    async with run.services(extensions=(run.extension(source),)) as services:
        entries = await ask(services, "first", "second")
        conversation = services.conversation
        moving = asyncio.create_task(conversation.navigate_tree(entries["one"].id))
        await asyncio.sleep(0)
        assert conversation.is_navigating
        with pytest.raises(PiError, match="busy"):
            await conversation.navigate_tree(entries["first"].id)
        saying = asyncio.create_task(conversation.prompt("otherwise"))
        (run.project / "go").touch()
        await asyncio.gather(moving, saying)
        assert told(services) == ["first", "one", "otherwise", "three"]


async def test_a_move_that_is_given_up_moves_nothing(run: Run) -> None:
    source = """
        def setup(pi):
            @pi.on("session_before_tree")
            async def slow(event):
                await event.signal.wait()
    """
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(extensions=(run.extension(source),)) as services:
        entries = await ask(services, "first", "second")
        moving = asyncio.create_task(services.conversation.navigate_tree(entries["one"].id))
        await asyncio.sleep(0)
        services.conversation.request_abort()
        assert (await moving).cancelled
        assert told(services) == ["first", "one", "second", "two"]


GOES_BACK = """
    from pathlib import Path
    log = Path(__file__).with_suffix(".log")
    def setup(pi):
        @pi.command("back")
        async def back(args, ctx):
            try:
                moved = await ctx.navigate_tree(args, label="again")
            except Exception as error:
                log.write_text(str(error))
            else:
                log.write_text(f"{moved.cancelled} {moved['editor_text']} {dict(moved)}")
"""


async def test_a_command_of_an_extension_moves_and_is_told_why_it_cannot(run: Run) -> None:
    file = run.extension(GOES_BACK)
    log = Path(file).with_suffix(".log")
    run.plays({"text": "one"}, {"text": "two"})
    async with run.services(extensions=(file,)) as services:
        entries = await ask(services, "first", "second")
        await services.conversation.prompt(f"/back {entries['second'].id}")
        said = "{'cancelled': False, 'editor_text': 'second'}"
        assert log.read_text() == f"False second {said}"
        assert told(services) == ["first", "one"]
        assert services.conversation.session.get_label(entries["second"].id) == "again"
        await services.conversation.prompt("/back nope")
        assert log.read_text() == "Entry not found: nope"


moves = st.lists(st.tuples(st.integers(0, 60), st.booleans(), st.booleans()), max_size=8)


@settings(max_examples=60)
@given(
    grows=st.lists(st.tuples(st.sampled_from(["u", "a", "l", "c"]), st.integers(0, 60))),
    moves=moves,
)
def test_whatever_the_tree_a_move_ends_where_it_should_and_takes_nothing_away(
    grows: list[tuple[str, int]], moves: list[tuple[int, bool, bool]]
) -> None:
    session = SessionManager.in_memory()
    session.append_message(UserMessage(content="first"))
    for kind, choice in grows:
        entries = session.get_entries()
        if choice % 3 == 0:
            session.branch(entries[choice % len(entries)].id)
        if kind == "u":
            session.append_message(UserMessage(content=f"u{choice}"))
        elif kind == "a":
            session.append_message(AssistantMessage(content=[], provider="acme", model="m"))
        elif kind == "l":
            session.append_label(entries[choice % len(entries)].id, f"l{choice}")
        else:
            session.append_custom_message("note", f"c{choice}")

    async def summarize(
        entries: Sequence[Entry], signal: AbortSignal, **options: object
    ) -> TreeSummary | None:
        return TreeSummary(f"{len(entries)} entries") if entries else None

    async def nobody_objects(event: SessionBeforeTreeEvent) -> None:
        return None

    async def go() -> None:
        navigation = TreeNavigation(session, nobody_objects, summarize, pytest.fail)
        for choice, wants_summary, wants_label in moves:
            before = session.get_entries()
            target, leaf = before[choice % len(before)], session.get_leaf_id()
            label = "here" if wants_label else None
            moved = await navigation.go(TreeMove(target.id, wants_summary, label=label))
            added = session.get_entries()[len(before) :]
            assert session.get_entries()[: len(before)] == before
            if target.id == leaf:
                assert (moved.event, added) == (None, [])
                continue
            assert {entry.type for entry in added} <= {"branch_summary", "label"}
            said = target.type == "custom_message" or (
                target.type == "message" and target.raw["message"]["role"] == "user"
            )
            end = target.parent_id if said else target.id
            assert (moved.editor_text is not None) == said
            parents = [entry.parent_id for entry in added]
            assert parents == [end, *(entry.id for entry in added)][: len(added)]
            assert session.get_leaf_id() == (added[-1].id if added else end)

    asyncio.run(go())
