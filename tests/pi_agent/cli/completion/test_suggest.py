"""What is suggested for a command line, and what `pi completion` says."""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path

import pytest

import pi_agent.tools
from pi_agent.cli.args import BUILT_IN_TOOLS, FLAGS, THINKING_LEVELS
from pi_agent.cli.completion.scripts import HOW_TO_INSTALL, SCRIPTS
from pi_agent.cli.completion.suggest import suggest
from pi_agent.cli.completion.values import FILES, FOLDERS, VALUES
from pi_agent.cli.subcommands import SUBCOMMANDS, Option, Subcommand, Verb
from tests.house.test_startup import loaded_by
from tests.pi_process import Pi

TABLE = (
    Subcommand(
        "kitchen",
        "Cook something.",
        "nowhere",
        options=(Option("--quiet", "Say nothing."), Option("--level", "How hard.", "LEVEL")),
        verbs=(
            Verb("bake", "Bake.", ("MODE", "[PATH]"), (Option("--theme", "Which.", "THEME"),)),
            Verb("wash", "Wash up."),
        ),
    ),
)


def values(*words: str, environ: dict[str, str] | None = None) -> list[str]:
    return [each.value for each in suggest(words, environ or {"HOME": "/nowhere"}, TABLE)]


def test_every_label_of_the_tables_has_values() -> None:
    owners: list[Subcommand | Verb] = [*SUBCOMMANDS]
    owners += [verb for row in SUBCOMMANDS for verb in row.verbs]
    options = [each for owner in owners for each in owner.options]
    arguments = [each.strip("[].") for owner in owners for each in owner.arguments]
    labels = {flag.value for flag in FLAGS} | {each.value for each in options} | set(arguments)
    assert labels - {""} <= set(VALUES)


def test_the_built_in_tools_are_those_that_there_are() -> None:
    names = [each.name for each in pkgutil.iter_modules(pi_agent.tools.__path__)]
    modules = {name: importlib.import_module(f"pi_agent.tools.{name}") for name in names}
    assert {name for name in names if hasattr(modules[name], f"{name}_tool")} == set(BUILT_IN_TOOLS)


def test_every_flag_is_suggested_with_what_help_says() -> None:
    found = {each.value: each.help for each in suggest(["-"], {}, TABLE)}
    assert found == {name: flag.help for flag in FLAGS for name in flag.names}


def test_sub_commands_are_suggested_in_the_first_place_only() -> None:
    assert values("") == ["kitchen"]
    assert values() == ["kitchen"]
    assert values("-c", "") == []
    assert values("hello", "kit") == []


def test_a_flag_that_is_there_is_not_suggested_again_unless_it_counts_again() -> None:
    found = values("--print", "-e", "x.py", "--thinking=low", "-")
    assert "-p" not in found
    assert "--thinking" not in found
    assert "--extension" in found
    assert "--model" in found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--thinking", ""], list(THINKING_LEVELS)),
        (["--thinking=l"], [f"--thinking={level}" for level in THINKING_LEVELS]),
        (["--mode", "t"], ["text", "json"]),
        (["--use-theme", ""], ["system", "dark", "light", "light/dark"]),
        (["-t", ""], ["read", "bash", "edit", "write"]),
        (["-t", "read,e"], ["read,bash", "read,edit", "read,write"]),
        (["-t", "+read,+"], ["+read,+bash", "+read,+edit", "+read,+write"]),
        (["--name", ""], []),
        (["--name="], []),
        (["--unknown="], []),
        (["--extension", "x"], [FILES.value]),
        (["--extension=x"], [FILES.value]),
        (["--session-dir", ""], [FOLDERS.value]),
        (["--session", "./x"], [FILES.value]),
        (["--", "--mo"], []),
        (["--", "-e", ""], []),
    ],
)
def test_values_of_flags(words: list[str], expected: list[str]) -> None:
    assert values(*words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("kitchen ", ["bake", "wash"]),
        ("kitchen --", ["--quiet", "--level", "--help"]),
        ("kitchen --level ", list(THINKING_LEVELS)),
        ("kitchen --level high ", ["bake", "wash"]),
        ("kitchen bake ", ["text", "json"]),
        ("kitchen --level high bake json ", [FILES.value]),
        ("kitchen bake json x.py ", []),
        (
            "kitchen bake --theme=",
            ["--theme=system", "--theme=dark", "--theme=light", "--theme=light/dark"],
        ),
        ("kitchen bake -", ["--quiet", "--level", "--theme", "--help"]),
        ("kitchen wash ", []),
        ("kitchen boil ", ["bake", "wash"]),
    ],
)
def test_words_of_sub_commands(words: str, expected: list[str]) -> None:
    found = values(*words.split(" "))
    assert found == expected


def test_models_are_those_that_are_known_without_asking(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "OPENAI_API_KEY": "sk-1"}
    folder = tmp_path / ".pi" / "agent"
    folder.mkdir(parents=True)
    provider = {"baseUrl": "http://127.0.0.1:9/v1", "apiKey": "k", "models": [{"id": "m:1"}]}
    locked = {**provider, "apiKey": "$NOT_SET"}
    (folder / "models.json").write_text(json.dumps({"providers": {"a": provider, "b": locked}}))
    found = values("--model", "", environ=environ)
    assert set(found) >= {"a/m:1", "demo/echo", "openai/"}
    assert not [each for each in found if each.startswith(("b/", "groq/"))]
    levels = values("--model", "a/m:1:h", environ=environ)
    assert set(levels) >= {f"a/m:1:{level}" for level in THINKING_LEVELS}
    assert "x,a/m:1" in values("--models", "x,", environ=environ)
    assert "groq" in values("--provider", "", environ=environ)


def test_sessions_of_the_folder_are_suggested_by_id_with_their_title(pi: Pi) -> None:
    assert pi.run("--model", "demo/echo", "-p", "The first\tquestion").code == 0
    (file,) = pi.session_files()
    session_id = json.loads(file.read_text().splitlines()[0])["id"]
    ended = pi.run("completion", "suggest", "--", "--session", "")
    assert ended.out == f"{session_id}\tThe first question\n"


def test_files_are_suggested_behind_an_at_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one two.md", "other/deep.py", ".hidden", "bad\nname"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert values("@o") == ["@one two.md", "@other/"]
    assert values("-p", "@") == ["@one two.md", "@other/"]
    assert values("--", "@other/") == ["@other/deep.py"]
    assert values("@.h") == ["@.hidden"]
    assert values("@~/other/d") == ["@~/other/deep.py"]
    assert values("@one\\ t") == ["@one two.md"]
    assert values("-p", '"@one t') == ["@one two.md"]
    assert values("@gone/") == []


# The command


@pytest.mark.parametrize("shell", SCRIPTS)
def test_without_a_name_it_says_how_to_install_the_script_for_ones_shell(
    shell: str, pi: Pi
) -> None:
    pi.environ["SHELL"] = f"/usr/local/bin/{shell}"
    ended = pi.run("completion")
    assert ended.code == 0
    file, line = HOW_TO_INSTALL[shell]
    assert f"Your shell is {shell}." in ended.out
    assert file in ended.out
    assert line in ended.out


@pytest.mark.parametrize("environ", [{}, {"SHELL": "/bin/tcsh"}])
def test_of_another_shell_it_names_those_it_knows(environ: dict[str, str], pi: Pi) -> None:
    pi.environ |= environ
    out = pi.run("completion").out
    assert all(line in out for _, line in HOW_TO_INSTALL.values())
    assert ("tcsh" in out) is bool(environ)


def test_a_shell_that_it_does_not_know_is_refused(pi: Pi) -> None:
    ended = pi.run("completion", "zhs")
    assert (ended.code, ended.out) == (2, "")
    assert "'zhs' (did you mean zsh?)" in ended.err


def test_help_asked_for_in_the_line_that_is_completed_is_not_given(pi: Pi) -> None:
    ended = pi.run("completion", "suggest", "--", "doctor", "--help")
    assert ended.out.splitlines()[0].startswith("--json\t")


def test_names_of_flags_are_suggested_without_loading_models(tmp_path: Path) -> None:
    modules = loaded_by(
        "from pi_agent.cli import main; main(['completion', 'suggest', '--', '--mo'])", tmp_path
    )
    assert not modules & {"urwid", "httpx", "pydantic", "asyncio"}
