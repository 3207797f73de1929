"""What listeners are told while a part of the conversation is replaced by a summary."""

from __future__ import annotations

from typing import Literal

from pi_agent.base.wire import JsonValue, WireModel
from pi_agent.llm.usage import Usage
from pi_tui.frozen import frozen

CompactionReason = Literal["manual", "threshold", "overflow"]
SummarySource = Literal["compaction", "branchSummary"]


class CompactionResult(WireModel):
    """What a compaction came to: the summary, what is kept behind it, and the tokens before and after."""

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    estimated_tokens_after: int
    usage: Usage | None = None
    details: JsonValue = None


@frozen
class CompactionStart:
    """What was said longest ago is about to be summarised."""

    reason: CompactionReason
    type: Literal["compaction_start"] = "compaction_start"


@frozen
class CompactionEnd:
    """It was, or was given up (`aborted`), or failed (`error_message`). `will_retry`: a request follows."""

    reason: CompactionReason
    result: CompactionResult | None = None
    aborted: bool = False
    will_retry: bool = False
    error_message: str | None = None
    type: Literal["compaction_end"] = "compaction_end"


@frozen
class SummarizationRetryScheduled:
    """A summary could not be had, and will be asked for again after a wait. `attempt` counts from 1."""

    source: SummarySource
    attempt: int
    max_attempts: int
    delay_ms: int
    error_message: str
    reason: CompactionReason | None = None
    type: Literal["summarization_retry_scheduled"] = "summarization_retry_scheduled"


@frozen
class SummarizationRetryAttemptStart:
    """It is asked for again."""

    source: SummarySource
    reason: CompactionReason | None = None
    type: Literal["summarization_retry_attempt_start"] = "summarization_retry_attempt_start"


@frozen
class SummarizationRetryFinished:
    """The attempt is over, well or not."""

    source: SummarySource
    reason: CompactionReason | None = None
    type: Literal["summarization_retry_finished"] = "summarization_retry_finished"
