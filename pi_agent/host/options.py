"""What a run is asked to be: the command line's choices and the surroundings of the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from pi_agent.base.clock import Clock, SystemClock
from pi_agent.base.paths import AgentPaths
from pi_agent.resources.settings import SettingsStore
from pi_tui.frozen import frozen


@frozen(kw_only=True)
class RunOptions:
    """Choices of one run. `tools`, `exclude_tools` and `models` are as on the command line; `None` means no choice.

    With `resume` the user chooses the session on the screen.
    `follow` is the file of a session that is only read; `local_servers` gives the addresses where model servers of
    this machine are looked for, by their kind.
    """

    cwd: Path
    paths: AgentPaths
    environ: Mapping[str, str]
    settings: SettingsStore = field(default_factory=SettingsStore)
    provider: str | None = None
    model: str | None = None
    models: tuple[str, ...] | None = None
    api_key: str | None = None
    thinking: str | None = None
    continue_recent: bool = False
    resume: bool = False
    session: str | None = None
    fork: str | None = None
    session_id: str | None = None
    follow: Path | None = None
    name: str | None = None
    session_dir: str | None = None
    no_session: bool = False
    tools: tuple[str, ...] | None = None
    exclude_tools: tuple[str, ...] = ()
    no_tools: bool = False
    extensions: tuple[str, ...] = ()
    no_extensions: bool = False
    no_context_files: bool = False
    system_prompt: str | None = None
    append_system_prompt: tuple[str, ...] = ()
    use_theme: str | None = None
    themes: tuple[str, ...] = ()
    no_themes: bool = False
    tui_mode: str | None = None
    plain: bool = False
    local_servers: Mapping[str, str] | None = None
    warnings: tuple[str, ...] = ()
    clock: Clock = field(default_factory=SystemClock)
