"""The interactive program on a terminal in memory, with everything else real."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pi_agent.base.clock import Clock, SystemClock
from pi_agent.base.paths import AgentPaths
from pi_agent.cli.args import parse_args
from pi_agent.cli.start import run_options
from pi_agent.host.options import RunOptions
from pi_agent.resources.settings import SettingsStore
from pi_agent.ui.app import InteractiveApp
from pi_tui.capabilities import set_capability_overrides
from pi_tui.snapshot import check_snapshot
from pi_tui.testing import GridTerminal, HeadlessTerminal, Pilot
from tests.libraries import library_environ

ROOT = Path(__file__).resolve().parents[3]
SNAPSHOTS = ROOT / "snapshots" / "pi_agent" / "ui"
# Columns and rows of the screens that are kept as pictures.
SIZES = ((80, 24), (40, 15), (20, 10))


class HurriedClock(SystemClock):
    """The time of the machine, but nobody sleeps: others only get their turn."""

    async def sleep(self, seconds: float) -> None:
        """Return at the loop's next step."""
        await asyncio.sleep(0)


@dataclass
class Program:
    """A running program and the hands on it."""

    app: InteractiveApp
    pilot: Pilot
    agent_dir: Path
    task: asyncio.Task[int]

    def say(self, text: str) -> None:
        """Type a message and send it."""
        self.pilot.type(text)
        self.pilot.press("enter")

    def flat(self) -> str:
        """Return the screen as one line: where paths wrap depends on how long they are."""
        return " ".join(self.pilot.screen().split())

    def check_picture(self, story: Path) -> None:
        """Compare the screen with the accepted one of its size, whose file's name begins with `story`."""
        grid = self.pilot.terminal.grid
        # How long a call took, and the prompt's tokens, of which the test's folder is a part.
        shown = re.sub(r"Took \d\.\ds", "Took 0.0s", self.pilot.snapshot())
        shown = re.sub(r"\bR\d\d\d \d\.\d%", "R999 0.9%", shown)
        shown = re.sub(r"Compacted from [\d,]+", "Compacted from 999", shown)
        check_snapshot(story.with_name(f"{story.name}-{grid.columns}x{grid.rows}.txt"), shown)

    async def told(self, text: str) -> None:
        """Wait for a text, wherever its rows are broken."""
        await self.pilot.wait_for(lambda: text in self.flat())

    async def settled(self, text: str) -> None:
        """Wait for a text, and for the end of the work."""
        await self.pilot.wait_for(text)
        await self.pilot.wait_for(lambda: self.app.screen.status.message is None)
        self.pilot.tui.render_now()

    async def ended(self) -> int:
        """Wait for the end of the program."""
        return await asyncio.wait_for(self.task, 20)


def options_for(
    folder: Path,
    words: Sequence[str],
    environ: Mapping[str, str] | None = None,
    local_servers: Mapping[str, str] | None = None,
) -> RunOptions:
    """Return the options of a run in `folder/work` with settings in `folder/agent`.

    `local_servers` are those of this machine; what really listens at the usual ports is left alone.
    """
    work = folder / "work"
    work.mkdir(exist_ok=True)
    agent_dir = folder / "agent"
    agent_dir.mkdir(exist_ok=True)
    full = {
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PI_CODING_AGENT_DIR": str(agent_dir),
        **library_environ(),
        **(environ or {}),
    }
    parsed = parse_args(_with_theme(words, agent_dir))
    assert not parsed.errors, parsed.errors
    options = run_options(parsed.args, parsed.warnings, full)
    paths = AgentPaths.from_environment(full, session_dir=parsed.args.session_dir)
    follow = parsed.args.follow
    return replace(
        options,
        cwd=work,
        paths=paths,
        local_servers=local_servers or {},
        follow=Path(follow) if follow is not None else None,
    )


def _with_theme(words: Sequence[str], agent_dir: Path) -> list[str]:
    """Draw in colors that do not depend on a terminal, unless a test chooses others."""
    settings = agent_dir / "settings.json"
    chosen = '"theme"' in settings.read_text() if settings.exists() else False
    theme = [] if chosen or "--use-theme" in words else ["--use-theme", "light/dark"]
    return [*theme, *words]


def script(folder: Path, *steps: Mapping[str, object]) -> dict[str, str]:
    """Write a script for `demo/script` and return the environment that plays it."""
    path = folder / "script.jsonl"
    path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    return {"PI_DEMO_SCRIPT": str(path)}


@asynccontextmanager
async def interactive(
    folder: Path,
    *words: str,
    files: Sequence[str] = (),
    messages: Sequence[str] = (),
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
    local_servers: Mapping[str, str] | None = None,
    ready: str | None = None,
    asks: str | None = None,
    clock: Clock | None = None,
    settings: SettingsStore | None = None,
    grid: GridTerminal | None = None,
) -> AsyncIterator[Program]:
    """Run the program until the block ends; `ready` is waited for first (by default the model's name).

    `asks` is what it asks before it is ready: then that is waited for.
    """
    options = options_for(folder, words, environ, local_servers)
    if settings is not None:
        options = replace(options, settings=settings)
    if clock is not None:
        options = replace(options, clock=clock)
    terminal = HeadlessTerminal(columns, rows, answers={"da1"})
    if grid is not None:
        terminal.grid = grid
    app = InteractiveApp(options, terminal, files=files, messages=messages)
    app.tui.problems.strict = True
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    program = Program(app, Pilot(app.tui, terminal), options.paths.agent_dir, task)
    try:
        if asks is not None:
            await program.pilot.wait_for(asks)
        else:
            await program.pilot.wait_for(lambda: app.is_ready or task.done())
        if ready is not None:
            await program.pilot.wait_for(ready)
        yield program
    finally:
        if not task.done():
            app.tui.stop()
        set_capability_overrides()  # the next program finds out for itself what its terminal shows
        await asyncio.wait_for(task, 20)
