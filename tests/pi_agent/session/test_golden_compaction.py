"""Compactions of another program on the same format: where it cut, and what it had summarised."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pi_agent.llm.messages import Message
from pi_agent.session.compaction import CompactionSettings, prepare_compaction
from pi_agent.session.serialize import serialize_conversation
from pi_agent.session.store import SessionManager
from tests.fixtures.load import Case, load_fixture

CASES = [
    case
    for case in load_fixture("rpc_golden")
    if case.id.startswith(("rpc-compact", "rpc-auto-compact"))
    and '"type": "compaction"' in json.dumps(case.expected.get("files"))
]


def lines_of(case: Case) -> list[dict[str, Any]]:
    """Return the lines of the first session; system messages are abbreviated in the fixtures, and left out."""
    text = json.dumps(case.expected["files"][0]["lines"])
    lines: list[dict[str, Any]] = json.loads(text.replace('"<ms>"', "1"))
    left_out = {
        line["id"]: line["parentId"]
        for line in lines
        if line.get("message", {}).get("role") == "system"
    }
    kept = [line for line in lines if line["id"] not in left_out]
    for line in kept:
        if line.get("parentId") in left_out:
            line["parentId"] = left_out[line["parentId"]]
        if line["type"] != "session":
            line["timestamp"] = "2026-01-01T00:00:00.000Z"
        line.pop("systemMessage", None)
    return [{**kept[0], "cwd": "/", "timestamp": "2026-01-01T00:00:00.000Z"}, *kept[1:]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.id))
def test_it_is_cut_where_the_other_program_cut(case: Case, tmp_path: Path) -> None:
    lines = lines_of(case)
    keep = case.input["settings"]["compaction"]["keepRecentTokens"]
    asked = asked_for_summaries(case)
    for at, line in enumerate(lines):
        if line["type"] != "compaction":
            continue
        path = tmp_path / f"{at}.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in lines[:at]))
        branch = SessionManager.open(path).get_branch()
        prepared = prepare_compaction(branch, CompactionSettings(keep_recent_tokens=keep))
        assert prepared.first_kept_entry_id == line["firstKeptEntryId"]
        assert prepared.tokens_before == line["tokensBefore"]
        assert prepared.file_ops.details() == line["details"]
        for messages in (prepared.messages_to_summarize, prepared.turn_prefix_messages):
            if messages and asked:
                assert is_same(asked.pop(0), messages)


def asked_for_summaries(case: Case) -> list[Any]:
    """Return the texts of the requests for summaries, where they were recorded."""
    return [
        request["body"]["messages"][-1]["content"][0]["text"]
        for request in case.expected.get("requests", [])
        if "tools" not in request["body"]
    ]


def is_same(asked: Any, messages: Sequence[Message]) -> bool:
    told = f"<conversation>\n{serialize_conversation(messages)}\n</conversation>"
    if isinstance(asked, str):
        return asked.startswith(told)
    return told.startswith(asked["head"]) and asked["chars"] == len(told)
