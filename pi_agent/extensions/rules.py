"""The rule of each event whose handlers may return something."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pi_agent.extensions.events import (
    BeforeAgentStartEvent,
    CacheWarmingDecisionEvent,
    InputEvent,
    SessionBeforeCompactEvent,
    SessionBeforeForkEvent,
    SessionBeforeSwitchEvent,
    SessionBeforeTreeEvent,
    ToolCallEvent,
    ToolResultEvent,
    TurnEndEvent,
)
from pi_agent.extensions.guard import describe
from pi_agent.extensions.merge import Failure, Rule
from pi_agent.extensions.read_result import (
    BLOCKS,
    JSON,
    TEXT,
    TRUTH,
    Kind,
    ResultShapeError,
    WrongValueError,
    content,
    images,
    instance,
    one_of,
    optional,
    read_result,
    result_reader,
    usage,
)
from pi_agent.extensions.results import (
    BeforeAgentStartResult,
    CacheWarmingDecisionResult,
    CompactionContent,
    ExtensionEntry,
    ExtensionMessage,
    InputResult,
    SessionBeforeCompactResult,
    SessionBeforeForkResult,
    SessionBeforeSwitchResult,
    SessionBeforeTreeResult,
    ToolResultPatch,
    TreeSummary,
    TurnEndResult,
)
from pi_agent.loop.tool import UNSET, ToolCallDecision, Unset
from pi_agent.resources.prompt_options import repair


def _as_gate(read: Callable[[object], ToolCallDecision | None]) -> Callable[[object], Any]:
    def gate(returned: object) -> ToolCallDecision | None:
        decision = read(returned)
        return decision if decision is not None and decision.block else None

    return gate


def _block(failure: Failure) -> ToolCallDecision:
    if failure.error is not None:
        kind, said = type(failure.error).__name__, describe(failure.error)
        reason = f"Extension failed, blocking execution: {kind}" if said == kind else said
    elif failure.how == "aborted":
        reason = "Operation aborted"
    else:
        reason = f"Blocked: the user skipped the check of extension {failure.extension}"
    return ToolCallDecision(block=True, reason=reason)


TOOL_CALL: Final[Rule[ToolCallEvent, ToolCallDecision]] = Rule(
    read=_as_gate(
        result_reader(
            "tool_call",
            ToolCallDecision,
            {"block": TRUTH, "reason": TEXT, "terminate": TRUTH},
        )
    ),
    ends=lambda decision: True,
    when_failed=_block,
)


CACHE_WARMING_DECISION: Final[Rule[CacheWarmingDecisionEvent, CacheWarmingDecisionResult]] = Rule(
    read=result_reader(
        "cache_warming_decision",
        CacheWarmingDecisionResult,
        {"action": (optional(one_of("warm", "stop")), '"warm" or "stop"')},
    ),
    apply=lambda event, result: (
        event if result.action is None else replace(event, action=result.action)
    ),
)


SESSION_BEFORE_SWITCH: Final[Rule[SessionBeforeSwitchEvent, SessionBeforeSwitchResult]] = Rule(
    read=result_reader("session_before_switch", SessionBeforeSwitchResult, {"cancel": TRUTH}),
    ends=lambda result: result.cancel,
)


SESSION_BEFORE_FORK: Final[Rule[SessionBeforeForkEvent, SessionBeforeForkResult]] = Rule(
    read=result_reader(
        "session_before_fork",
        SessionBeforeForkResult,
        {"cancel": TRUTH, "skip_conversation_restore": TRUTH},
    ),
    ends=lambda result: result.cancel,
)


def _summary(value: object) -> object:
    fields: Mapping[str, Kind] = {
        "summary": (instance(str), "text"),
        "details": JSON,
        "usage": (optional(usage), "a Usage"),
    }
    return read_result("session_before_tree", TreeSummary, fields, value, "summary.")


SESSION_BEFORE_TREE: Final[Rule[SessionBeforeTreeEvent, SessionBeforeTreeResult]] = Rule(
    read=result_reader(
        "session_before_tree",
        SessionBeforeTreeResult,
        {
            "cancel": TRUTH,
            "summary": (optional(_summary), "a TreeSummary"),
            "custom_instructions": TEXT,
            "replace_instructions": (optional(instance(bool)), "true or false"),
            "label": TEXT,
        },
    ),
    ends=lambda result: result.cancel,
)


_COMPACTION_FIELDS: Final[Mapping[str, Kind]] = {
    "summary": (instance(str), "text"),
    "first_kept_entry_id": (optional(instance(str)), "an entry's id or None"),
    "tokens_before": (instance(int), "a whole number"),
    "usage": (optional(usage), "a Usage"),
    "details": JSON,
}


def _compaction(value: object) -> object:
    return read_result(
        "session_before_compact", CompactionContent, _COMPACTION_FIELDS, value, "compaction."
    )


SESSION_BEFORE_COMPACT: Final[Rule[SessionBeforeCompactEvent, SessionBeforeCompactResult]] = Rule(
    read=result_reader(
        "session_before_compact",
        SessionBeforeCompactResult,
        {"cancel": TRUTH, "compaction": (optional(_compaction), "a CompactionContent")},
    ),
    ends=lambda result: result.cancel,
)


_MESSAGE_FIELDS: Final[Mapping[str, Kind]] = {
    "custom_type": (instance(str), "text"),
    "content": (content, "text or a list of blocks"),
    "display": TRUTH,
    "details": JSON,
}
_ENTRY_FIELDS: Final[Mapping[str, Kind]] = {"custom_type": (instance(str), "text"), "data": JSON}


def _message(value: object) -> object:
    return read_result("before_agent_start", ExtensionMessage, _MESSAGE_FIELDS, value, "message.")


def _entries(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise WrongValueError
    return tuple(_entry(item) for item in value)


def _entry(value: object) -> ExtensionEntry | ExtensionMessage:
    kind = None
    if isinstance(value, Mapping):
        kind = value.get("type")
        value = {key: part for key, part in value.items() if key != "type"}
    if kind == "custom" or isinstance(value, ExtensionEntry):
        return read_result("turn_end", ExtensionEntry, _ENTRY_FIELDS, value, "entries.")
    if kind == "custom_message" or isinstance(value, ExtensionMessage):
        return read_result("turn_end", ExtensionMessage, _MESSAGE_FIELDS, value, "entries.")
    raise WrongValueError


def _proposed(event: TurnEndEvent, result: TurnEndResult) -> TurnEndEvent:
    entries = event.entries if result.entries is None else tuple(result.entries)
    wants_more = event.continue_ if result.continue_ is None else result.continue_
    return replace(event, entries=entries, continue_=wants_more)


TURN_END: Final[Rule[TurnEndEvent, TurnEndResult]] = Rule(
    read=result_reader(
        "turn_end",
        TurnEndResult,
        {
            "entries": (optional(_entries), "a list of entries and messages"),
            "continue_": (optional(instance(bool)), "true or false"),
        },
    ),
    apply=_proposed,
)


def _patched(event: ToolResultEvent, patch: ToolResultPatch) -> ToolResultEvent:
    given = {
        name: value
        for name in ("content", "is_error", "usage")
        if (value := getattr(patch, name)) is not None
    }
    given |= {
        name: value
        for name in ("details", "structured_content")
        if not isinstance(value := getattr(patch, name), Unset)
    }
    if "content" in given:
        given.setdefault("structured_content", UNSET)
    return replace(event, **given)


TOOL_RESULT: Final[Rule[ToolResultEvent, ToolResultPatch]] = Rule(
    read=result_reader(
        "tool_result",
        ToolResultPatch,
        {
            "content": BLOCKS,
            "details": JSON,
            "structured_content": JSON,
            "is_error": (optional(instance(bool)), "true or false"),
            "usage": (optional(usage), "a Usage"),
        },
    ),
    apply=_patched,
)


def _read_input(returned: object) -> InputResult | None:
    result = _INPUT_READER(returned)
    if result is not None and result.action == "transform" and result.text is None:
        raise ResultShapeError(
            "input", "text is missing, which transform puts in the place of the old"
        )
    return result


def _transformed(event: InputEvent, result: InputResult) -> InputEvent:
    if result.action != "transform" or result.text is None:
        return event
    images = event.images if result.images is None else tuple(result.images)
    return replace(event, text=result.text, images=images)


_INPUT_READER: Final = result_reader(
    "input",
    InputResult,
    {
        "action": (
            one_of("continue", "transform", "handled"),
            '"continue", "transform" or "handled"',
        ),
        "text": TEXT,
        "images": (optional(images), "a list of images"),
    },
)
INPUT: Final[Rule[InputEvent, InputResult]] = Rule(
    read=_read_input,
    apply=_transformed,
    ends=lambda result: result.action == "handled",
)


def _with_prompt(
    event: BeforeAgentStartEvent, result: BeforeAgentStartResult
) -> BeforeAgentStartEvent:
    if result.system_prompt is not None:
        event.system_prompt_options.force_system_prompt = result.system_prompt
    return event


BEFORE_AGENT_START: Final[Rule[BeforeAgentStartEvent, BeforeAgentStartResult]] = Rule(
    read=result_reader(
        "before_agent_start",
        BeforeAgentStartResult,
        {"message": (optional(_message), "a message"), "system_prompt": TEXT},
    ),
    apply=_with_prompt,
    tidy=lambda event: repair(event.system_prompt_options),
)
