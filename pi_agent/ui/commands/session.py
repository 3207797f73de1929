"""`/session`: where this session is kept, and what it holds."""

from __future__ import annotations

from pi_agent.session.context_usage import ContextUsage
from pi_agent.session.stats import SessionStats
from pi_agent.session.store import SessionManager
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_agent.ui.messages.help_table import HelpTable
from pi_tui.theme import Theme


def session_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("session", "Show file, length and tokens of the session", lambda _: _show(host))


def _show(host: CommandHost) -> None:
    if host.services is None:
        return
    conversation, screen = host.services.conversation, host.app.screen
    usage = conversation.get_context_usage()
    screen.show_from_start(session_table(conversation.session, usage, screen.theme))


def session_table(session: SessionManager, usage: ContextUsage | None, theme: Theme) -> HelpTable:
    """Return what is told of a session."""
    contents = [*_contents(session.get_stats()), *_context(usage)]
    return HelpTable([_identity(session), contents], theme)


def _identity(session: SessionManager) -> list[tuple[str, str]]:
    file = session.get_session_file()
    if file is None:
        place = "kept in memory only"
    else:
        place = str(file) if file.exists() else f"{file} (written with the first message)"
    name, origin = session.get_session_name(), session.get_header().parent_session
    return [
        *([("Name", name)] if name else []),
        ("File", place),
        ("Id", session.get_session_id()),
        *([("Made from", origin)] if origin else []),
    ]


def _contents(stats: SessionStats) -> list[tuple[str, str]]:
    messages = f"{stats.user_messages:,} from you, {_count(stats.assistant_messages, 'answer')}"
    if stats.tool_calls:
        messages += f", {_count(stats.tool_calls, 'tool call')}"
    sent = stats.input + stats.cache_read + stats.cache_write
    cached = f" ({stats.cache_read:,} of them read from a cache)" if stats.cache_read else ""
    rows = [
        ("Messages", messages),
        ("Tokens", f"{sent:,} sent{cached}, {stats.output:,} received"),
    ]
    if stats.cache_refreshes:
        rows.append(("Cache warming", _count(stats.cache_refreshes, "request")))
    if stats.cost:
        parts = ", ".join(f"{owner} ${cost:.4f}" for owner, cost in sorted(stats.costs.items()))
        rows.append(("Cost", f"${stats.cost:.4f} ({parts})"))
    return rows


def _context(usage: ContextUsage | None) -> list[tuple[str, str]]:
    """Return how full the model's window is."""
    if usage is None or not usage.context_window:
        return []
    if usage.tokens is None or usage.percent is None:
        return [("Context", "known with the next answer, since the session was compacted")]
    return [
        ("Context", f"{usage.tokens:,} of {usage.context_window:,} tokens ({usage.percent:.1f}%)")
    ]


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
