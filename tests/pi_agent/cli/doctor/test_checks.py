"""What is said of the terminal, the installation, variables, keys and programs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pi_agent.base.shell import SESSION_VARIABLES
from pi_agent.cli.doctor import find_all, guarded
from pi_agent.cli.doctor.finding import Finding, Surroundings
from pi_agent.cli.doctor.installation import meets, other_copies, required_packages
from pi_agent.cli.doctor.models import check_models
from pi_agent.cli.doctor.programs import check_programs
from pi_agent.cli.doctor.servers import check_servers
from pi_agent.cli.doctor.terminal import check_terminal
from pi_agent.cli.doctor.variables import VARIABLES, check_variables
from pi_tui.inquiry import TerminalAnswers
from tests.near_servers import locked_llama, ollama
from tests.pi_agent.cli.doctor.support import surroundings, told, write_file
from tests.wire_server import Answer, WireServer, json_reply

ROOT = Path(__file__).parents[4]


def test_all_but_what_is_fine_says_what_to_do(tmp_path: Path) -> None:
    for environ in ({}, {"PI_OFFLINE": "maybe", "PI_HYPERLINK": "1", "PATH": str(tmp_path)}):
        for finding in find_all(surroundings(tmp_path, **environ)):
            assert finding.level == "ok" or finding.advice, finding


# The terminal


@pytest.mark.parametrize(
    ("cells", "environ", "level", "text"),
    [
        (1, {"LANG": "de_DE.UTF-8"}, "ok", "as wide as pi thinks (LANG=de_DE.UTF-8)"),
        (1, {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "note", "LC_ALL=C"),
        (1, {}, "note", "no locale is set"),
        (1, {"LC_CTYPE": "ja_JP.eucJP"}, "warning", "LC_CTYPE=ja_JP.eucJP is not UTF-8"),
        (2, {"LANG": "ja_JP.UTF-8"}, "warning", "lines take two cells"),
        (3, {"LANG": "C.UTF-8"}, "broken", "does not take UTF-8"),
        (None, {"LANG": "de_DE.utf8@euro"}, "ok", "UTF-8 (LANG=de_DE.utf8@euro)"),
    ],
)
def test_characters(
    cells: int | None, environ: dict[str, str], level: str, text: str, tmp_path: Path
) -> None:
    answers = TerminalAnswers(is_complete=True, sample_cells=cells)
    (finding,) = told(check_terminal(surroundings(tmp_path, **environ), answers, (80, 24)), "text")
    assert finding.level == level
    assert text in finding.text


@pytest.mark.parametrize(
    ("programs", "environ", "level", "text"),
    [
        ([], {}, "ok", "the terminal (OSC 52)"),
        (["xclip"], {"DISPLAY": ":0"}, "ok", "xclip, else the terminal (OSC 52)"),
        (["xclip"], {"DISPLAY": ":0", "PI_CLIPBOARD_OSC52": "0"}, "ok", "xclip"),
        (["xclip"], {"DISPLAY": ":0", "PI_CLIPBOARD_OSC52": "1"}, "ok", "the terminal (OSC 52)"),
        (["xclip"], {"DISPLAY": ":0", "SSH_TTY": "/dev/pts/0"}, "ok", "the terminal (OSC 52)"),
        ([], {"WAYLAND_DISPLAY": "w"}, "note", "only the terminal (OSC 52)"),
        ([], {"PI_CLIPBOARD_OSC52": "0"}, "warning", "nothing takes a copied text"),
    ],
)
def test_the_clipboard(
    programs: list[str], environ: dict[str, str], level: str, text: str, tmp_path: Path
) -> None:
    here = surroundings(tmp_path, PATH=install(tmp_path, *programs), **environ)
    (finding,) = told(check_terminal(here, None, None), "clipboard")
    assert (finding.level, finding.text) == (level, text)


def test_colors_that_the_terminal_has_and_pi_does_not_know_of(tmp_path: Path) -> None:
    answers = TerminalAnswers(is_complete=True, has_true_color=True)
    (finding,) = told(check_terminal(surroundings(tmp_path), answers, (80, 24)), "colors")
    assert (finding.level, finding.text) == ("note", "256, but the terminal shows all")
    here = surroundings(tmp_path, COLORTERM="truecolor")
    (finding,) = told(check_terminal(here, answers, (80, 24)), "colors")
    assert (finding.level, finding.text) == ("ok", "all")


def test_a_window_that_is_too_small_is_told(tmp_path: Path) -> None:
    answers = TerminalAnswers(is_complete=True)
    here = surroundings(tmp_path, TERM="xterm")
    (finding,) = told(check_terminal(here, answers, (19, 24)), "terminal")
    assert (finding.level, finding.text) == ("warning", "TERM=xterm 19x24 is too small")


# The installation


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("5.1.0", ">=5.1,<6", True),
        ("6.0", ">=5.1,<6", False),
        ("5.0.9", "<6,>=5.1", False),
        ("0.28", ">=0.28.0", True),
        ("2.19.1.dev3", ">=2.19", True),
        ("1.4.2", "~=1.4", True),
        ("2.0", "~=1.4", False),
        ("1.5", "!=1.5.0", False),
        ("3.11.7", ">=3.11", True),
        ("3.9", ">=3.11", False),
        ("1", "", True),
    ],
)
def test_versions(version: str, wanted: str, fits: bool) -> None:
    assert meets(version, wanted) is fits


def test_packages_of_tests_are_not_needed_and_one_can_do_without_those_of_extras() -> None:
    found = required_packages(
        ["urwid<6,>=5.1", "x (>=1)", "mypy>=1; extra == 'test'", "pillow>=10; extra == 'images'"]
    )
    assert list(found) == [
        ("urwid", "<6,>=5.1", False),
        ("x", ">=1", False),
        ("pillow", ">=10", True),
    ]


def test_other_copies_of_pi_are_found(tmp_path: Path) -> None:
    own, package, module, empty = (
        tmp_path / name for name in ("own", "package", "module", "empty")
    )
    for folder in (own / "pi_agent", own / "pi_tui", package / "pi_agent", empty / "pi_agent"):
        folder.mkdir(parents=True)
    module.mkdir()
    for file in ("own/pi_agent/__init__.py", "package/pi_agent/__init__.py", "module/pi_tui.py"):
        (tmp_path / file).touch()
    path = [str(each) for each in (own, package, module, empty, tmp_path / "gone")]
    assert other_copies([*path, str(own)], own) == [package / "pi_agent", module / "pi_tui.py"]


# Variables


@pytest.mark.parametrize(
    ("name", "value", "level", "text"),
    [
        ("PI_OFFLINE", "maybe", "warning", "PI_OFFLINE=maybe is not 1 or 0"),
        ("PI_OFFLINE", "yes", "ok", "PI_OFFLINE set"),
        ("PI_HYPERLINKS", "on", "warning", "PI_HYPERLINKS=on is not 1, 0 or auto"),
        ("PI_TUI_ESC_TIMEOUT", "fast", "warning", "is not a number of milliseconds"),
        ("PI_TUI_ESC_TIMEOUT", "50", "ok", "PI_TUI_ESC_TIMEOUT set"),
        ("PI_DEMO_SCRIPT", "/gone.jsonl", "warning", "is not a file that is there"),
        ("OPENAI_BASE_URL", "localhost:8080", "warning", "OPENAI_BASE_URL is not an address"),
        ("HTTPS_PROXY", "proxy.example:3128", "ok", "HTTPS_PROXY set"),
        ("HTTPS_PROXY", "ftp://me:secret@proxy", "warning", "HTTPS_PROXY is not an address"),
        ("PI_CODING_AGENT_DIR", "/etc/passwd", "warning", "is not a folder"),
        ("PI_HYPERLINK", "1", "note", "pi does not know PI_HYPERLINK"),
        ("PI_SESSION_ID", "1", "ok", "none that pi reads is set"),
        ("PI_HOLE_ADDRESS", "1", "ok", "none that pi reads is set"),
        ("PI_OFFLINE", "", "ok", "none that pi reads is set"),
    ],
)
def test_a_variable(name: str, value: str, level: str, text: str, tmp_path: Path) -> None:
    (finding,) = check_variables(surroundings(tmp_path, **{name: value}))
    assert finding.level == level
    assert text in finding.text
    assert "secret" not in finding.text + finding.advice


def test_every_variable_that_pi_reads_is_known() -> None:
    files = [*(ROOT / "pi_agent").rglob("*.py"), *(ROOT / "pi_tui").rglob("*.py")]
    read = {name for file in files for name in re.findall(r'"(PI_[A-Z0-9_]+)"', file.read_text())}
    told = {"PI_CODING_AGENT", *SESSION_VARIABLES}
    assert read - told - {"PI_ACCEPT_SNAPSHOTS"} <= set(VARIABLES)


# Models


def test_keys_are_named_by_where_they_come_from_and_no_command_is_run(tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    providers = {
        "mine": {"baseUrl": "http://127.0.0.1:1/v1", "models": [{"id": "m"}]},
        "paid": {"baseUrl": "https://x.example", "apiKey": f"!touch {witness}"},
        "named": {"baseUrl": "https://x.example", "apiKey": "$NOT_SET"},
    }
    write_file(tmp_path, "models.json", {"providers": providers})
    write_file(tmp_path, "auth.json", {"groq": {"type": "api_key", "key": "sk-secret"}})
    here = surroundings(tmp_path, OPENAI_API_KEY="sk-secret")
    wrong, keys = told(check_models(here), "keys")
    assert keys.details == {
        "openai": "OPENAI_API_KEY",
        "groq": "stored",
        "mine": "no key needed",
        "paid": "models.json",
    }
    assert wrong.level == "warning"
    assert wrong.text == "named: models.json, but a variable is not set"
    assert wrong.advice == (
        "Set the one that its key names, or store another key with `pi auth login named`."
    )
    assert not witness.exists()


def test_the_small_model_says_how_to_get_it(tmp_path: Path) -> None:
    (finding,) = told(check_models(surroundings(tmp_path, PI_OFFLINE="1")), "local")
    assert (finding.level, finding.advice) == ("note", "PI_OFFLINE is set: nothing is fetched.")
    (finding,) = told(check_models(surroundings(tmp_path)), "local")
    assert "pi local install" in finding.text or "pip" in finding.advice


# Programs


def install(folder: Path, *names: str) -> str:
    """Make programs; returns the `PATH` that has them alone."""
    for name in names:
        file = folder / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    return str(folder / "bin")


def test_programs_that_are_there_are_one_row(tmp_path: Path) -> None:
    path = install(tmp_path, "bash", "git", "rg", "fdfind", "vi")
    (finding,) = check_programs(surroundings(tmp_path, PATH=path, EDITOR="vi -n"))
    assert finding.text == "bash, git, rg, fdfind, vi"


def test_programs_that_are_missing_say_what_is_lost(tmp_path: Path) -> None:
    write_file(tmp_path, "settings.json", {"shellPath": "/opt/no/shell"})
    found = check_programs(surroundings(tmp_path, PATH=install(tmp_path, "git"), VISUAL="'oops"))
    assert [(each.key, each.level) for each in found] == [
        ("programs", "ok"),
        ("programs", "note"),
        ("shell", "broken"),
        ("editor", "warning"),
    ]
    assert found[1].text == "no rg (instead: grep), no fd (instead: find)"
    assert "/opt/no/shell" in found[2].text


def test_a_check_that_fails_leaves_the_others_their_say(tmp_path: Path) -> None:
    def check_cellar(here: Surroundings) -> list[Finding]:
        raise LookupError("no stairs")

    (finding,) = guarded(check_cellar, surroundings(tmp_path))
    assert finding.level == "broken"
    assert finding.text == "the cellar could not be looked at: no stairs"
    assert finding.advice == "The traceback is in ~/.pi/agent/logs."


# Servers


@pytest.mark.parametrize(
    ("kind", "answer", "level", "text"),
    [
        ("ollama", ollama("qwen3:8b", "llama3.2:3b"), "note", "Ollama at {} (2 models), not used yet"),
        ("ollama", ollama(), "note", "Ollama at {} has no model"),
        ("llama.cpp", locked_llama("k"), "note", "llama.cpp at {} wants a key"),
        ("lmstudio", lambda request: json_reply({}), "ok", "none on this machine (Ollama, llama.cpp, LM Studio)"),
    ],
)  # fmt: skip
def test_a_server_of_this_machine(
    kind: str, answer: Answer, level: str, text: str, tmp_path: Path
) -> None:
    with WireServer(answer=answer) as server:
        here = replace(surroundings(tmp_path), local_servers={kind: server.url})
        (finding,) = check_servers(here)
        assert finding.text == text.format(server.url.removeprefix("http://"))
    assert finding.level == level


def test_a_server_that_pi_asks_already_is_told_by_its_name(tmp_path: Path) -> None:
    with WireServer(answer=ollama("qwen3:8b")) as server:
        write_file(
            tmp_path, "models.json", {"providers": {"mine": {"baseUrl": f"{server.url}/v1"}}}
        )
        here = replace(surroundings(tmp_path), local_servers={"ollama": server.url})
        (finding,) = check_servers(here)
    assert finding.level == "ok"
    assert finding.text.endswith(" (1 model), as mine")
