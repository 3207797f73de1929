"""What happened on a branch that is left behind, as a text for the branch that is gone on with."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.extensions.results import TreeSummary
from pi_agent.host.summarizer import Summarizer, SummaryOrder
from pi_agent.host.summary_prompts import BRANCH_PREAMBLE, branch_prompt
from pi_agent.session.abandoned import abandoned_branch
from pi_agent.session.entries import Entry


async def summarize_branch(
    entries: Sequence[Entry],
    summarizer: Summarizer,
    order: SummaryOrder,
    *,
    reserve_tokens: int,
    custom_instructions: str | None = None,
    replace_instructions: bool = False,
) -> TreeSummary | None:
    """Summarise the entries that are left behind; `None` if nothing was said in them.

    Of more than fits, less `reserve_tokens`, the oldest is left out. Raises `SummaryError`, or `AbortError`.
    """
    branch = abandoned_branch(entries, order.model.context_window - reserve_tokens)
    if not branch.messages:
        return None
    prompt = branch_prompt(
        branch.messages, custom_instructions, replaces_instructions=replace_instructions
    )
    written = await summarizer.write(prompt, order)
    text = f"{BRANCH_PREAMBLE}\n\n{written.text}{branch.files.as_text()}"
    return TreeSummary(text, branch.files.details(), written.usage)
