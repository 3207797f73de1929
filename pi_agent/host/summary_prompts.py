"""What a model is told that is to summarise a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pi_agent.llm.messages import Message
from pi_agent.session.serialize import serialize_conversation

_SECTIONS: Final = """## Goal
[What the user wants. A list if there are several things.]

## Constraints & Preferences
- [What the user requires or prefers, or "(none)"]

## Progress
### Done
- [x] [What is finished]

### In Progress
- [ ] [What is being worked on]

### Blocked
- [What stands in the way, or "(none)"]

## Key Decisions
- **[Decision]**: [The reason]

## Next Steps
1. [What is to be done, in order]"""
_CRITICAL: Final = """

## Critical Context
- [Data that is needed to go on, such as values, references and findings, or "(none)"]"""
_BRIEF: Final = (
    "Keep it short. Repeat file paths, function names and error texts exactly as they are."
)

_FIRST: Final = f"""Summarise the conversation above, for an assistant that goes on with it. Use this form:

{_SECTIONS}{_CRITICAL}

{_BRIEF}"""
_UPDATE: Final = f"""The conversation above follows on the one that the previous summary tells of. Write one summary of
both:
- keep what still holds of the previous summary, and leave out only what clearly no longer matters
- add what is new: progress, decisions, findings
- move what is finished from "In Progress" to "Done"
- write "Next Steps" anew, as things stand now

Use this form:

{_SECTIONS}{_CRITICAL}

{_BRIEF}"""
_PREFIX: Final = f"""The conversation above is the beginning of one long turn. Its later part is kept word for word
and is not shown here. Summarise the beginning, so that the later part can be understood. Use this form:

## Original Request
[What the user asked for]

## Progress So Far
- [What was done and decided at the beginning]

## Context Needed to Continue
- [What one has to know to understand the later part]

{_BRIEF}"""
_BRANCH: Final = f"""The conversation above is a branch that the user has left, to go on from an earlier point.
Summarise what was tried and found there. Use this form:

{_SECTIONS}

{_BRIEF}"""

BRANCH_PREAMBLE: Final = (
    "The user explored another branch of this conversation before coming back here."
    " This is a summary of it:"
)
NO_HISTORY: Final = "No prior history."
_SPLIT: Final = "\n\n---\n\n**Turn Context (split turn):**\n\n"


def history_prompt(messages: Sequence[Message], previous: str | None, focus: str | None) -> str:
    """Ask for a summary of messages, and of what the `previous` one tells of."""
    if previous is None:
        return _prompt(messages, _FIRST, focus)
    told = f"<previous-summary>\n{previous}\n</previous-summary>\n\n{_UPDATE}"
    return _prompt(messages, told, focus)


def prefix_prompt(messages: Sequence[Message], focus: str | None) -> str:
    """Ask for a summary of the beginning of a turn."""
    return _prompt(messages, _PREFIX, focus)


def branch_prompt(
    messages: Sequence[Message], focus: str | None, *, replaces_instructions: bool = False
) -> str:
    """Ask for a summary of a branch that was left; the focus may be all that is asked for."""
    if focus and replaces_instructions:
        return _prompt(messages, focus, None)
    return _prompt(messages, _BRANCH, focus)


def joined_summary(history: str | None, previous: str | None, prefix: str | None) -> str:
    """Return the text of a compaction: the history, and the beginning of the turn that is cut in two."""
    told = history or previous or NO_HISTORY
    return told if prefix is None else told + _SPLIT + prefix


def _prompt(messages: Sequence[Message], instructions: str, focus: str | None) -> str:
    text = f"<conversation>\n{serialize_conversation(messages)}\n</conversation>\n\n{instructions}"
    return f"{text}\n\nAdditional focus: {focus}" if focus else text
