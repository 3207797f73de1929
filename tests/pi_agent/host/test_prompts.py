"""The first prompt: what is piped in, the files, the message, and what is between them."""

from __future__ import annotations

import base64
import socket
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.errors import PiError
from pi_agent.host.prompts import FirstPrompt, first_prompt
from tests.pi_agent.tools.golden import png


def text_of(piped: str, files: list[str], message: str | None, cwd: Path) -> str:
    prompt = first_prompt(piped, files, message, cwd=cwd)
    assert prompt.images == ()
    return prompt.text


def test_nothing_makes_no_prompt(tmp_path: Path) -> None:
    assert first_prompt("", [], None, cwd=tmp_path) == FirstPrompt()
    assert first_prompt(" \n\t\n", [], "", cwd=tmp_path) == FirstPrompt()


@pytest.mark.parametrize(
    ("piped", "content", "message", "prompt"),
    [
        ("in", None, None, "in"),
        ("\n in\nput \n\n", None, "say", "in\nput\nsay"),
        ("", "a\n", "say", "<file>\na\n</file>\nsay"),
        ("in", "a", "say", "in\n<file>\na\n</file>\nsay"),
        ("in", "a\n\n", None, "in\n<file>\na\n\n</file>\n"),
        ("in", "", "say", "in\nsay"),
        ("", "\ufeffa\r\n", "  say ", "<file>\na\r\n</file>\n  say "),
    ],
)
def test_the_parts_stand_in_order_on_lines_of_their_own(
    piped: str, content: str | None, message: str | None, prompt: str, tmp_path: Path
) -> None:
    files = []
    if content is not None:
        (tmp_path / "a.txt").write_bytes(content.encode())
        files.append("a.txt")
    name = f'<file name="{tmp_path / "a.txt"}">'
    assert text_of(piped, files, message, tmp_path) == prompt.replace("<file>", name)


@settings(max_examples=100)
@given(st.text(), st.text())
def test_input_and_message_are_never_joined_into_one_line(piped: str, message: str) -> None:
    first = piped.strip()
    between = "\n" if first and message else ""
    assert text_of(piped, [], message, Path("/")) == first + between + message


def test_bytes_that_are_no_text_do_not_stop_it(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"a\xff\xfeb")
    text = text_of("", ["a.bin"], None, tmp_path)
    assert "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b\n" in text


def test_a_picture_is_known_by_its_bytes_and_attached(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(png(3, 2))
    (tmp_path / "a.png").write_text("no picture")
    prompt = first_prompt("", ["notes.txt", "a.png"], "look", cwd=tmp_path)
    assert prompt.text == (
        f'<file name="{tmp_path / "notes.txt"}"></file>\n'
        f'<file name="{tmp_path / "a.png"}">\nno picture\n</file>\n'
        "look"
    )
    (image,) = prompt.images
    assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", png(3, 2))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (png(2001, 1), "2001x1 is larger than 2000x2000"),
        (png(1, 1) + b"\0" * 5_000_000, "too large to send"),
        (b"\xff\xd8\xff\xe0 no jpeg", "its header cannot be read"),
        (b"BM" + b"\0" * 8 + b"\0" * 4 + b"\x28\0\0\0" + b"\0" * 40, "bmp"),
    ],
    ids=["size", "bytes", "broken", "bmp"],
)
def test_a_picture_that_cannot_be_sent_is_named_with_the_reason(
    data: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(data)
    text = text_of("", ["a"], None, tmp_path)
    assert text.startswith(f'<file name="{tmp_path / "a"}">[')
    assert text.endswith("]</file>\n")
    assert reason in text


def test_files_are_found_from_the_working_folder_the_home_and_as_they_are_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (home / "a.txt").write_text("home")
    (tmp_path / "with space.txt").write_text("space")
    decomposed = unicodedata.normalize("NFD", "caf\N{LATIN SMALL LETTER E WITH ACUTE}.txt")
    (tmp_path / decomposed).write_text("decomposed")
    (tmp_path / "narrow\N{NO-BREAK SPACE}space").write_text("no-break")
    for name, content in (
        ("~/a.txt", "home"),
        ("with space.txt", "space"),
        (str(tmp_path / "with space.txt"), "space"),
        ("caf\N{LATIN SMALL LETTER E WITH ACUTE}.txt", "decomposed"),
        ("narrow\N{NO-BREAK SPACE}space", "no-break"),
        ("home/../with space.txt", "space"),
    ):
        assert f"\n{content}\n" in text_of("", [name], None, tmp_path)


@pytest.mark.parametrize("name", ["missing.txt", "~nobody-of-this-name/a.txt", "missing/a.txt"])
def test_a_missing_file_is_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(PiError) as caught:
        first_prompt("", [name], "say", cwd=tmp_path)
    assert caught.value.message == f"File not found: {tmp_path / name}"


def test_what_is_no_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PiError, match="is a folder"):
        first_prompt("", ["folder"], None, cwd=tmp_path)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "s"))
        with pytest.raises(PiError, match=r"Could not read .*No such device"):
            first_prompt("", ["s"], None, cwd=tmp_path)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PiError, match="is a device"):
        first_prompt("", [name], None, cwd=tmp_path)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(b"\x7fELF\0\0\0code")
    with pytest.raises(PiError, match="not a text file"):
        first_prompt("", ["program"], None, cwd=tmp_path)


def test_a_file_that_no_window_holds_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "huge.log").open("wb") as huge:
        huge.truncate(1 << 30)
    with pytest.raises(
        PiError, match=r"too large for a prompt \(1.0GB\)|too large for a prompt \(1024.0MB\)"
    ):
        first_prompt("", ["huge.log"], None, cwd=tmp_path)
