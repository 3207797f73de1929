"""Links open in the desktop's browser, or are copied where there is none in front."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pi_agent.ui.links import LinkOpener
from tests.pi_agent.ui.test_clipboard import program

pytestmark = pytest.mark.anyio

URL = "https://example.com/a?b=c&d"


@pytest.mark.parametrize(
    ("environ", "url", "opens"),
    [
        ({"DISPLAY": ":0"}, URL, True),
        ({}, URL, False),
        ({"DISPLAY": ":0", "SSH_TTY": "x"}, URL, False),
        ({"DISPLAY": ":0"}, "file:///etc/passwd", False),
        ({"DISPLAY": ":0"}, "--help", False),
    ],
)
async def test_what_opens_a_link(
    tmp_path: Path, environ: dict[str, str], url: str, opens: bool
) -> None:
    opened = tmp_path / "opened"
    program(tmp_path, "xdg-open", f"printf '%s' \"$1\" > '{opened}'")
    copied: list[str] = []

    async def copy(text: str) -> bool:
        copied.append(text)
        return True

    opener = LinkOpener({"PATH": f"{tmp_path}:/usr/bin:/bin", **environ}, copy, "linux")
    await opener.open(url)
    assert opened.exists() is opens
    assert copied == ([] if opens else [url])
    if opens:
        assert opened.read_text() == url


async def test_a_link_that_cannot_be_opened_is_copied(tmp_path: Path) -> None:
    program(tmp_path, "xdg-open", "exit 3")
    copied: asyncio.Queue[str] = asyncio.Queue()
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":0"}
    await LinkOpener(environ, copied.put, "linux").open(URL)
    assert copied.get_nowait() == URL
