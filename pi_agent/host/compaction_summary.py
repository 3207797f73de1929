"""The summary of a compaction: of the history, and of the beginning of a turn that is cut in two."""

from __future__ import annotations

import asyncio
from functools import reduce

from pi_agent.base.errors import PiError
from pi_agent.extensions.results import CompactionContent
from pi_agent.host.summarizer import Summarizer, Summary, SummaryOrder
from pi_agent.host.summary_prompts import history_prompt, joined_summary, prefix_prompt
from pi_agent.llm.usage import combine_usage
from pi_agent.session.compaction import CompactionPreparation
from pi_tui.abort import AbortError


async def summarize_history(
    preparation: CompactionPreparation,
    summarizer: Summarizer,
    order: SummaryOrder,
    focus: str | None = None,
) -> CompactionContent:
    """Have a model write what is to be stored; raises `SummaryError`, or `AbortError`."""
    history, prefix = await _both(preparation, summarizer, order, focus)
    text = joined_summary(
        history.text if history is not None else None,
        preparation.previous_summary,
        prefix.text if prefix is not None else None,
    )
    files = preparation.file_ops
    usages = [each.usage for each in (history, prefix) if each is not None]
    return CompactionContent(
        text + files.as_text(),
        preparation.first_kept_entry_id,
        preparation.tokens_before,
        usage=reduce(combine_usage, usages),
        details=files.details(),
    )


async def _both(
    preparation: CompactionPreparation,
    summarizer: Summarizer,
    order: SummaryOrder,
    focus: str | None,
) -> tuple[Summary | None, Summary | None]:
    """Ask for both at the same time; if one fails, the other is not waited for."""
    history, prefix = preparation.messages_to_summarize, preparation.turn_prefix_messages

    async def of_history() -> Summary | None:
        if not history:
            return None
        prompt = history_prompt(history, preparation.previous_summary, focus)
        return await summarizer.write(prompt, order)

    async def of_prefix() -> Summary | None:
        return await summarizer.write(prefix_prompt(prefix, focus), order) if prefix else None

    try:
        async with asyncio.TaskGroup() as group:
            first, second = group.create_task(of_history()), group.create_task(of_prefix())
    except* (PiError, AbortError) as failed:
        raise failed.exceptions[0] from None
    return first.result(), second.result()
