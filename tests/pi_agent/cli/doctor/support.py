"""Surroundings to look at, made of real files."""

from __future__ import annotations

import json
from pathlib import Path

from pi_agent.cli.doctor.finding import Finding, Surroundings
from pi_agent.cli.start import find_settings


def surroundings(folder: Path, **environ: str) -> Surroundings:
    """Return what a user has whose home is `folder`, with these variables."""
    full = {"HOME": str(folder), "PATH": "/usr/bin:/bin", **environ}
    return Surroundings(full, *find_settings(full))


def write_file(folder: Path, name: str, content: object) -> Path:
    """Write a file of the agent's folder: a text as it is, anything else as JSON."""
    path = folder / ".pi" / "agent" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
    path.chmod(0o600)
    return path


def told(findings: list[Finding], key: str) -> list[Finding]:
    """Return the findings of one name."""
    return [each for each in findings if each.key == key]
