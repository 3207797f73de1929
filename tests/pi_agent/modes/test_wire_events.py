"""Events of compactions as programs read them."""

from __future__ import annotations

import pytest

from pi_agent.base.wire import JsonObject
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionResult,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
)
from pi_agent.modes.wire_events import event_to_wire

RESULT = CompactionResult(
    summary="## Goal",
    first_kept_entry_id="1a2b3c01",
    tokens_before=151_000,
    estimated_tokens_after=24_000,
    details={"readFiles": [], "modifiedFiles": ["b.py"]},
)
EVENTS: list[tuple[AgentEvent, JsonObject]] = [
    (CompactionStart("manual"), {"type": "compaction_start", "reason": "manual"}),
    (
        CompactionEnd("threshold", RESULT),
        {
            "type": "compaction_end",
            "reason": "threshold",
            "result": {
                "summary": "## Goal",
                "firstKeptEntryId": "1a2b3c01",
                "tokensBefore": 151_000,
                "estimatedTokensAfter": 24_000,
                "details": {"readFiles": [], "modifiedFiles": ["b.py"]},
            },
            "aborted": False,
            "willRetry": False,
        },
    ),
    (
        CompactionEnd("overflow", error_message="no"),
        {
            "type": "compaction_end",
            "reason": "overflow",
            "aborted": False,
            "willRetry": False,
            "errorMessage": "no",
        },
    ),
    (
        SummarizationRetryScheduled("compaction", 1, 3, 2000, "503: busy", "manual"),
        {
            "type": "summarization_retry_scheduled",
            "source": "compaction",
            "reason": "manual",
            "attempt": 1,
            "maxAttempts": 3,
            "delayMs": 2000,
            "errorMessage": "503: busy",
        },
    ),
    (
        SummarizationRetryAttemptStart("branchSummary"),
        {"type": "summarization_retry_attempt_start", "source": "branchSummary"},
    ),
    (
        SummarizationRetryFinished("compaction", "overflow"),
        {"type": "summarization_retry_finished", "source": "compaction", "reason": "overflow"},
    ),
]


@pytest.mark.parametrize(("event", "wire"), EVENTS)
def test_an_event_on_the_wire(event: AgentEvent, wire: JsonObject) -> None:
    assert event_to_wire(event) == wire
