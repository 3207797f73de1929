"""What extensions have to say of compactions, and what they are told; settings, with everything else real."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.entries import CompactionEntry
from pi_tui.abort import AbortError
from tests.pi_agent.host.test_services import Run

pytestmark = pytest.mark.anyio

SUMMARY = {"text": "pi's own", "match": "<conversation>", "repeat": True}
OTHER = """
    from pi_agent import CompactionContent, SessionBeforeCompactResult

    def setup(pi):
        seen = []

        @pi.on("session_before_compact")
        def answer(event, ctx):
            seen.append(f"{event.type} {event.reason} {event.custom_instructions}")
            seen.append(f"{len(event.preparation.messages_to_summarize)} of {len(event.branch_entries)}")
            seen.append(f"idle {ctx.is_idle()}")
            return RESULT

        @pi.on("session_compact")
        def made(event, ctx):
            seen.append(f"{event.type} {event.from_extension} {event.compaction_entry.summary}")
            seen.append(f"idle {ctx.is_idle()}")
            write()

        @pi.on("session_compact_failed")
        def failed(event):
            seen.append(f"{event.type} {event.aborted} {event.error_message} {event.from_extension}")
            write()

        def write():
            with open("SEEN", "w") as file:
                file.write("\\n".join(seen))
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made = Run(tmp_path)
    made.plays(SUMMARY, *({"text": "x" * 80} for _ in range(4)))
    return made


def settings(**values: Any) -> SettingsStore:
    store = SettingsStore()
    store.set(
        {"compaction.keepRecentTokens": 21} | {k.replace("_", "."): v for k, v in values.items()}
    )
    return store


async def compacted(run: Run, *results: str) -> tuple[list[CompactionEntry], list[str]]:
    """Compact with an extension for each result; returns what was stored and what the last one saw."""
    paths = []
    for number, result in enumerate(results):
        source = OTHER.replace("RESULT", result).replace("SEEN", str(run.project / f"seen{number}"))
        paths.append(run.extension(source, f"own{number}"))
    async with run.services(extensions=tuple(paths), settings=settings()) as services:
        for text in ("one", "two"):
            await services.conversation.prompt(text)
        try:
            await services.conversation.compact("names")
        except (PiError, AbortError):
            pass
        entries = services.conversation.session.get_entries()
    seen = run.project / f"seen{len(results) - 1}"
    lines = seen.read_text().splitlines() if seen.exists() else []
    return [entry for entry in entries if isinstance(entry, CompactionEntry)], lines


async def test_who_has_no_opinion_is_told_of_pis_own_summary(run: Run) -> None:
    [entry], seen = await compacted(run, "None")
    assert entry.summary == "pi's own"
    assert seen == [
        "session_before_compact manual names",
        "2 of 7",
        "idle False",
        "session_compact False pi's own",
        "idle True",
    ]


async def test_a_summary_of_an_extension_takes_the_place_of_pis_own(run: Run) -> None:
    own = "{'compaction': {'summary': 'mine', 'firstKeptEntryId': None, 'tokensBefore': 7,"
    [entry], seen = await compacted(run, own + " 'usage': {'input': 5}, 'details': {'n': 1}}}")
    assert entry.summary == "mine" and entry.raw["fromHook"] is True
    assert entry.first_kept_entry_id == entry.id
    assert (entry.tokens_before, entry.details) == (7, {"n": 1})
    assert entry.raw["usage"]["input"] == 5
    assert seen[-2] == "session_compact True mine"


async def test_of_several_the_last_one_decides_unless_one_cancels(run: Run) -> None:
    first = "SessionBeforeCompactResult(compaction=CompactionContent('first', None, 1))"
    [entry], _ = await compacted(run, first, first.replace("first", "second"))
    assert entry.summary == "second"
    entries, seen = await compacted(run, first, "{'cancel': True}", first)
    assert entries == []
    assert seen == ["session_compact_failed True None False"]


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ("{'compaction': {'summary': 7}}", "compaction.summary should be text"),
        ("{'compaction': 'short'}", "compaction should be a CompactionContent"),
        ("{'compaction': {'summary': 'a'}}", "first_kept_entry_id"),
        ("{'kompaction': None}", "unknown field kompaction"),
        ("1 / 0", "division by zero"),
    ],
)
async def test_what_is_no_summary_is_reported_and_pi_writes_one(
    run: Run, result: str, wrong: str
) -> None:
    [entry], _ = await compacted(run, result)
    assert entry.summary == "pi's own"
    [failure] = run.failures
    assert wrong in str(failure.error)


async def test_what_cannot_be_summarised_is_told_with_its_reason(run: Run) -> None:
    run.plays(
        {"error": "400: no", "match": "<conversation>", "repeat": True},
        *({"text": "x" * 80} for _ in range(4)),
    )
    entries, seen = await compacted(run, "None")
    assert entries == []
    reason = "Compaction failed: Summarization failed: 400: no"
    assert seen[-1] == f"session_compact_failed False {reason} False"


async def test_overrides_hold_for_one_model_and_a_wrong_one_is_named(run: Run) -> None:
    overrides = {"demo/script": {"reserveTokens": 127_999}, "demo/echo": {"reserveTokens": 1}}
    store = settings()
    store.set({"compaction.modelOverrides": overrides})
    async with run.services(settings=store) as services:
        await services.conversation.prompt("one")
        await services.conversation.prompt("two")
        kinds = [entry.type for entry in services.conversation.session.get_entries()]
        assert "compaction" in kinds
        store.set({"compaction.modelOverrides": {"demo/script": {"keepRecentTokens": -1}}})
        with pytest.raises(
            PiError, match=r"compaction\.modelOverrides\.demo/script\.keepRecentTokens"
        ):
            await services.conversation.compact()


async def test_a_compacted_session_that_is_opened_again_goes_on_from_the_summary(run: Run) -> None:
    async with run.services(settings=settings()) as services:
        await services.conversation.prompt("one")
        await services.conversation.prompt("two")
        await services.conversation.compact()
        path = services.conversation.session.get_session_file()
    assert path is not None
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[-1]["type"] == "compaction"
    assert list(lines[-1])[:4] == ["type", "id", "parentId", "timestamp"]
    async with run.services(session=str(path), settings=settings()) as services:
        roles = [message.role for message in services.conversation.messages]
        assert roles == ["system", "compactionSummary", "user", "assistant"]


ASKS = """
    def setup(pi):
        def note(text):
            with open("SEEN", "a") as file:
                file.write(text + "\\n")

        def told(ctx):
            usage = ctx.get_context_usage()
            note(f"usage {usage.tokens is not None} {usage.percent is not None} {usage.context_window}")

        async def later(result):
            note(f"done {result.summary.splitlines()[-1]}")

        def ask(ctx, *instructions):
            ctx.compact(*instructions, on_complete=later, on_error=lambda error: note(f"failed {error}"))
            note("asked")

        @pi.on("turn_end")
        def turn_end(event, ctx):
            if event.turn_index == 1:
                ask(ctx)

        pi.on("agent_settled", lambda event: note("settled"))
        pi.on("session_compact", lambda event, ctx: told(ctx))
        pi.register_command("now", lambda args, ctx: ask(ctx, args))
        pi.register_command("usage", lambda args, ctx: told(ctx))
"""


async def until(seen: Path, line: str) -> list[str]:
    """Let what was asked for go on until a line is noted; returns what is noted by then."""
    for _ in range(10_000):
        if seen.exists() and line in seen.read_text():
            break
        await asyncio.sleep(0)
    return seen.read_text().splitlines()


async def test_a_handler_asks_for_a_compaction_which_comes_when_the_run_has_settled(
    run: Run,
) -> None:
    call = {"toolCalls": [{"name": "bash", "arguments": {"command": "true"}}]}
    run.plays(SUMMARY, call, {"text": "x" * 200}, {"text": "fine"})
    seen = run.project / "seen"
    path = run.extension(ASKS.replace("SEEN", str(seen)))
    async with run.services(extensions=(path,), settings=settings()) as services:
        await services.conversation.prompt("one")
        lines = await until(seen, "done")
        assert await services.conversation.prompt("/usage") == "handled"
        after = (await until(seen, "usage"))[len(lines) :]
        await services.conversation.prompt("two")
        await services.conversation.prompt("/usage")
        assert seen.read_text().splitlines()[-1] == "usage True True 128000"
    assert lines[:3] == ["asked", "settled", "usage False False 128000"]
    assert lines[3] == "done pi's own"
    assert after == ["usage False False 128000"]
    assert any("when the run has settled" in report for report in run.reports)


async def test_a_command_asks_for_a_compaction_which_comes_at_once(run: Run) -> None:
    seen = run.project / "seen"
    path = run.extension(ASKS.replace("SEEN", str(seen)))
    async with run.services(extensions=(path,), settings=settings()) as services:
        await services.conversation.prompt("/now names")
        failed = await until(seen, "failed")
        assert failed == ["asked", "failed Nothing to compact (session too small)"]
        await services.conversation.prompt("one")
        await services.conversation.prompt("two")
        await services.conversation.prompt("/now names")
        lines = await until(seen, "done")
        assert lines[-1].startswith("done")
