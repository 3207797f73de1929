"""`pi --export`: a saved session as a page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pi_agent.cli import main
from tests.pi_agent.session.export.pages import read_page
from tests.pi_agent.session.saved import save_session
from tests.rights import run_without_rights


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with a session `one.jsonl` in another one."""
    save_session(tmp_path / "kept", "one", ["hello"])
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    return work


ONE = "../kept/one.jsonl"

Told = pytest.CaptureFixture[str]


def test_it_prints_the_path_and_a_second_time_writes_the_same_anew(
    folder: Path, capsys: Told
) -> None:
    for _ in range(2):
        assert main(["--export", ONE]) == 0
        assert capsys.readouterr() == (f"{folder}/pi-session-one.html\n", "")
    assert len(read_page(folder / "pi-session-one.html").data["entries"]) == 2
    assert [each.name for each in folder.iterdir()] == ["pi-session-one.html"]


@pytest.mark.parametrize(
    ("to", "name"),
    [
        ("a.html", "work/a.html"),
        ("../", "pi-session-one.html"),
        ("~/b", "b"),
        ("~/c.jsonl", "c.jsonl"),
    ],
)
def test_it_is_written_where_one_says(folder: Path, to: str, name: str, capsys: Told) -> None:
    assert main(["--export", ONE, to]) == 0
    assert capsys.readouterr().out == f"{folder.parent / name}\n"
    assert (folder.parent / name).exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.jsonl"], "Error: File not found: {work}/none.jsonl"),
        (["notes.txt"], "Error: Session file is not a valid pi session: {work}/notes.txt"),
        (["empty.jsonl"], "Error: Nothing to export yet - start a conversation first"),
        ([ONE, "notes.txt"], "Error: {work}/notes.txt exists already.\nName another file, or remove"),
        ([ONE, "fifo"], "Error: {work}/fifo is a device or a pipe.\nName another file"),
        ([ONE, "no/such.html"], "Error: There is no folder {work}/no.\nMake it, or name another one."),
        (["link.jsonl", ONE], "Error: {home}/kept/one.jsonl is the session itself.\nName another file"),
        ([ONE, "a", "b"], "Error: --export takes a session and the file to write"),
        ([ONE, "@a"], "Error: --export takes a session and the file to write"),
        ([ONE, "-p"], "Error: --export cannot be combined with --print"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told(
    folder: Path, words: list[str], told: str, capsys: Told
) -> None:
    (folder / "notes.txt").write_text("mine")
    os.mkfifo(folder / "fifo")
    (folder / "link.jsonl").symlink_to(folder / ONE)
    (folder / "empty.jsonl").write_text('{"type":"session","version":3,"id":"e"}\n')
    kept = (folder / ONE).read_bytes()
    assert main(["--export", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(told.format(work=folder, home=folder.parent))
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / ONE).read_bytes() == kept
    assert not list(folder.glob("*.html"))


def test_a_folder_that_cannot_be_written_to_is_told(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    code = (
        "import sys; from pi_agent.cli import main; sys.stderr = sys.stdout\n"
        "main(['--export', sys.argv[1], sys.argv[2]])"
    )
    told = run_without_rights(code, ONE, closed / "a.html")
    assert told.startswith(f"Error: The export cannot be written to {closed}/a.html: Permission")


def test_the_colors_are_those_of_the_theme_that_is_chosen(folder: Path) -> None:
    main(["--export", ONE, "dark.html"])
    main(["--export", ONE, "light.html", "--use-theme", "light"])
    assert "color-scheme:dark" in (folder / "dark.html").read_text()
    assert "color-scheme:light" in (folder / "light.html").read_text()
