"""The totals of a session."""

from __future__ import annotations

from pathlib import Path

from pi_agent.llm.messages import AssistantMessage, ToolCall, ToolResultMessage, UserMessage
from pi_agent.llm.usage import Cost, Usage
from pi_agent.session.store import SessionManager


def answered(
    input: int, output: int, *, cache_read: int = 0, cache_write: int = 0
) -> AssistantMessage:
    usage = Usage(input=input, output=output, cache_read=cache_read, cache_write=cache_write)
    return AssistantMessage(content=[], stop_reason="stop", usage=usage)


def session() -> SessionManager:
    return SessionManager.in_memory(Path("/"))


def test_tokens_of_all_answers_add_up() -> None:
    one = session()
    one.append_message(UserMessage(content="hello"))
    one.append_message(answered(100, 10, cache_read=1000, cache_write=50))
    one.append_message(answered(5, 7, cache_read=1100))
    totals = one.get_stats()
    assert (totals.input, totals.output, totals.cache_read) == (105, 17, 2100)


def test_without_an_answer_nothing_is_known() -> None:
    totals = session().get_stats()
    assert (totals.input, totals.output) == (0, 0)


def test_what_is_spent_beside_the_conversation_counts() -> None:
    one = session()
    one.append_message(answered(100, 10))
    result = ToolResultMessage(tool_call_id="1", tool_name="t", content=[], usage=Usage(input=7))
    one.append_message(result)
    one.append_usage("cache_warm", provider="p", model="m", usage=Usage(cache_read=900, output=1))
    first = one.get_entries()[0].id
    summary_usage = Usage(input=20, output=3)
    one.append_compaction("s", first_kept_entry_id=first, tokens_before=9, usage=summary_usage)
    totals = one.get_stats()
    assert (totals.input, totals.output, totals.cache_read) == (127, 14, 900)


def test_each_entry_is_counted_once_however_often_one_asks() -> None:
    one = session()
    for number in range(1, 4):
        one.append_message(answered(10, 1))
        for _ in range(3):
            assert one.get_stats().input == 10 * number


def test_figures_that_are_none_count_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(
        '{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n'
        '{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z",'
        '"message":{"role":"assistant","content":[],"usage":{"input":"many","output":3}}}\n'
        '{"type":"message","id":"2","parentId":"1","timestamp":"2026-01-01T00:00:00.000Z",'
        '"message":{"role":"assistant","content":[],"usage":null}}\n'
        '{"type":"message","id":"3","parentId":"2","timestamp":"2026-01-01T00:00:00.000Z"}\n'
    )
    totals = SessionManager.open(path).get_stats()
    assert (totals.input, totals.output) == (0, 3)


def test_everything_of_every_branch_is_counted() -> None:
    one = session()
    one.append_message(UserMessage(content="hello"))
    fork = one.get_leaf_id()
    call = ToolCall(id="c", name="bash")
    first = answered(100, 10, cache_read=1000, cache_write=50)
    first.content.append(call)
    first.provider, first.model, first.usage.cost = "acme", "fast", Cost(total=0.5)
    one.append_message(first)
    one.append_message(ToolResultMessage(tool_call_id="c", tool_name="bash", content=[]))
    assert fork is not None
    one.branch(fork)
    second = answered(1, 2)
    second.provider, second.model, second.usage.cost = "acme", "slow", Cost(total=0.25)
    one.append_message(second)
    one.append_usage("cache_warm", provider="acme", model="fast", usage=Usage(cache_read=9))
    stats = one.get_stats()
    assert (stats.user_messages, stats.assistant_messages) == (1, 2)
    assert (stats.tool_calls, stats.tool_results, stats.total_messages) == (1, 1, 4)
    assert (stats.input, stats.output, stats.cache_read, stats.cache_write) == (101, 12, 1009, 50)
    assert stats.tokens == 101 + 12 + 1009 + 50
    assert stats.costs == {"acme/fast": 0.5, "acme/slow": 0.25}
    assert stats.cost == 0.75
