"""Ctrl+V pastes what is on the desktop's clipboard, and a file that is dropped arrives as its path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.ui.clipboard_read import read_clipboard
from tests.pi_agent.ui.support import interactive

pytestmark = pytest.mark.anyio

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
    "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
)


def desktop(folder: Path, program: str, answers: dict[str, bytes]) -> dict[str, str]:
    """Return the environment of a desktop with this clipboard program, which answers as it is asked."""
    programs = folder / "bin"
    programs.mkdir()
    cases = []
    for number, (words, answer) in enumerate(answers.items()):
        (programs / f"answer-{number}").write_bytes(answer)
        cases.append(f"'{words}') /bin/cat '{programs}/answer-{number}' ;;")
    script = programs / program
    script.write_text(
        f'#!/bin/sh\ncase "$*" in\n{chr(10).join(cases)}\n*) echo "no $*" >&2; exit 1 ;;\nesac\n'
    )
    script.chmod(0o755)
    return {
        "PATH": str(programs),
        "WAYLAND_DISPLAY" if program == "wl-paste" else "DISPLAY": "test",
        "TMPDIR": str(folder),
    }


X_TARGETS = "-selection clipboard -o -t TARGETS"


async def test_a_picture_is_saved_and_its_path_inserted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    environ = desktop(
        tmp_path,
        "wl-paste",
        {
            "--list-types": b"text/html\nimage/png\n",
            "--no-newline --type image/png": PNG,
        },
    )
    async with interactive(
        tmp_path, "--model", "demo/echo", environ=environ, columns=200
    ) as program:
        program.pilot.type("look at ")
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for("pi-clipboard-")
        (saved,) = tmp_path.glob("pi-clipboard-*.png")
        assert saved.read_bytes() == PNG
        assert saved.stat().st_mode & 0o777 == 0o600
        assert f"look at {saved}" in program.pilot.screen()


async def test_files_are_pasted_as_paths_ready_for_where_they_go(tmp_path: Path) -> None:
    environ = desktop(
        tmp_path,
        "xclip",
        {
            X_TARGETS: b"TARGETS\ntext/uri-list\nUTF8_STRING\n",
            "-selection clipboard -o -t text/uri-list": b"file:///a/my%20notes.md\r\nfile:///b/x.png\r\n",
        },
    )
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for('"/a/my notes.md" /b/x.png')
        program.pilot.press("ctrl+c")
        program.pilot.type("!cat ")
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for("!cat '/a/my notes.md' /b/x.png")


@pytest.mark.parametrize(
    ("program_name", "answers"),
    [
        ("xsel", {"--clipboard --output": "two\nlines é".encode()}),
        (
            "wl-paste",
            {
                "--list-types": b"text/plain\n",
                "--no-newline --type text/plain": "two\nlines é".encode(),
            },
        ),
    ],
)
async def test_text_is_pasted_as_by_the_terminal(
    tmp_path: Path, program_name: str, answers: dict[str, bytes]
) -> None:
    environ = desktop(tmp_path, program_name, answers)
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for("lines é")
        assert "two" in program.pilot.screen()


async def test_an_empty_clipboard_and_none_at_all_are_told(tmp_path: Path) -> None:
    environ = desktop(tmp_path, "xclip", {})
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for("The clipboard is empty.")
    environ = {"PATH": str(tmp_path)}
    async with interactive(tmp_path, "--model", "demo/echo", environ=environ) as program:
        program.pilot.press("ctrl+v")
        await program.pilot.wait_for("No clipboard can be read from here.")
        assert "Install wl-clipboard, xclip or xsel" in program.pilot.screen()


async def test_a_clipboard_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    environ = desktop(tmp_path, "xclip", {})
    os.mkfifo(tmp_path / "never")
    (tmp_path / "bin" / "xclip").write_text(f"#!/bin/sh\n/bin/cat '{tmp_path}/never'\n")
    with pytest.raises(PiError, match=r"xclip did not answer in 0\.1 seconds"):
        await read_clipboard(environ, patience=0.1)


@pytest.mark.parametrize(
    ("dropped", "shown"),
    [
        ("{}/My\\ File.png ", '"{}/My File.png"'),
        ("'{}/My File.png'", '"{}/My File.png"'),
        ("file://{}/My%20File.png", '"{}/My File.png"'),
        ("{}/plain.txt '{}/My File.png'", '{}/plain.txt "{}/My File.png"'),
        ("{}/no\\ such.png", "{}/no\\ such.png"),
        ("it's {}/plain.txt", "it's {}/plain.txt"),
    ],
)
async def test_dropped_files_arrive_as_paths(tmp_path: Path, dropped: str, shown: str) -> None:
    (tmp_path / "My File.png").write_bytes(PNG)
    (tmp_path / "plain.txt").write_text("text")
    async with interactive(tmp_path, "--model", "demo/echo", columns=200) as program:
        program.pilot.paste(dropped.replace("{}", str(tmp_path)))
        await program.pilot.wait_for(shown.replace("{}", str(tmp_path)))
