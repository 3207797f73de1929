"""From arguments to a run: its options, and which mode it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.cli.args import MODEL_SWITCHES, Args
from pi_agent.host.options import RunOptions
from pi_agent.resources.settings import FILE_NAME, SettingsStore


def run_options(args: Args, warnings: Sequence[str], environ: Mapping[str, str]) -> RunOptions:
    """Return what the arguments ask for, in the surroundings of this process. Raises `PiError`."""
    paths, settings = find_settings(environ, session_dir=args.session_dir)
    return RunOptions(
        cwd=_current_folder(),
        paths=paths,
        environ=environ,
        settings=settings,
        provider=args.provider,
        model=_named_model(args),
        models=args.models,
        api_key=args.api_key,
        thinking=args.thinking,
        continue_recent=args.continue_recent,
        resume=args.resume,
        session=args.session,
        fork=args.fork,
        session_id=args.session_id,
        name=args.name,
        session_dir=args.session_dir,
        no_session=args.no_session,
        tools=args.tools,
        exclude_tools=args.exclude_tools,
        no_tools=args.no_tools,
        extensions=args.extensions,
        no_extensions=args.no_extensions,
        no_context_files=args.no_context_files,
        system_prompt=args.system_prompt,
        append_system_prompt=args.append_system_prompt,
        use_theme=args.use_theme,
        themes=args.themes,
        no_themes=args.no_themes,
        tui_mode=args.tui_mode,
        plain=args.plain,
        warnings=(*warnings, *settings.warnings),
    )


def _named_model(args: Args) -> str | None:
    switched = (model for field, model in MODEL_SWITCHES.items() if getattr(args, field))
    return next(switched, args.model)


def find_settings(
    environ: Mapping[str, str], *, session_dir: str | None = None
) -> tuple[AgentPaths, SettingsStore]:
    """Return the user's folders and settings, which may name another folder for sessions."""
    paths = AgentPaths.from_environment(environ, session_dir=session_dir)
    settings = SettingsStore(paths.agent_dir / FILE_NAME)
    folder = settings.get_text("sessionDir")
    if paths.session_dir is None and folder is not None:
        paths = paths.with_sessions_in(folder)
    return paths, settings


def is_interactive(args: Args) -> bool:
    """Whether a screen is wanted and there is a terminal for it."""
    if args.print or args.mode == "json":
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def read_piped(stdin: TextIO) -> str:
    """Return what is piped in; nothing if a person sits there. Raises `PiError`."""
    if stdin.isatty():
        return ""
    try:
        return stdin.buffer.read().decode("utf-8-sig", "replace")
    except OSError as error:
        raise PiError(f"Standard input cannot be read: {error.strerror}") from error


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise PiError(
            f"The current folder cannot be used: {error.strerror}", "Change to another one."
        ) from error
