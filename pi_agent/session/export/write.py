"""Write an export, in whichever form its target has."""

from __future__ import annotations

from pi_agent.session.export.html import export_html
from pi_agent.session.export.jsonl import export_jsonl
from pi_agent.session.export.progress import Progress
from pi_agent.session.export.source import ExportSource
from pi_agent.session.export.target import ExportTarget
from pi_tui.abort import AbortSignal
from pi_tui.theme import Theme


def write_export(
    source: ExportSource,
    target: ExportTarget,
    theme: Theme,
    progress: Progress,
    signal: AbortSignal,
) -> None:
    """Write it, telling how far it is. Raises `SessionError`, and `AbortError` once `signal` fires."""

    def tell(done: int, total: int) -> None:
        signal.raise_if_aborted()
        progress(done, total)

    if target.is_session:
        export_jsonl(source, target.path, progress=tell)
    else:
        export_html(source, target.path, theme, progress=tell)
