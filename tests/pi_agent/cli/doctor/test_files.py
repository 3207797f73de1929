"""What is said of the files: each mistake with its line, and folders that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.cli.doctor.files import check_files
from tests.pi_agent.cli.doctor.support import surroundings, told, write_file
from tests.rights import run_without_rights


def test_files_without_mistakes_are_one_row(tmp_path: Path) -> None:
    write_file(tmp_path, "settings.json", {"theme": "dark"})
    write_file(tmp_path, "auth.json", {"openai": {"type": "api_key", "key": "sk-1"}})
    (files, sessions) = check_files(surroundings(tmp_path))
    assert (files.key, files.level) == ("files", "ok")
    assert files.text == "settings.json, auth.json (~/.pi/agent)"
    assert (sessions.key, sessions.level) == ("sessions", "ok")


@pytest.mark.parametrize(
    ("name", "content", "key", "text", "level"),
    [
        ("settings.json", '{\n"theme" 3}', "settings", "not valid JSON at line 2, column 9", "broken"),
        (
            "settings.json",
            {"theme": "dark", "retry": {"enabled": True, "maxRetries": -1}},
            "settings",
            "line 5: retry.maxRetries: expected a whole number of 0 or more, not -1. The default is used: 3.",
            "warning",
        ),
        (
            "models.json",
            {"providers": {"fine": {"baseUrl": "http://x"}, "a.b": {"baseUrl": "http://x", "models": 3}}},
            "models",
            "line 8: providers.a.b.models: expected a list",
            "warning",
        ),
        ("models.json", "[]", "models", "expected an object", "broken"),
        ("auth.json", '{\n\n"sk-secret', "auth", "not valid JSON at line 3, column 1", "broken"),
        ("auth.json", {"groq": {"type": "api_key", "key": 3}}, "auth", "line 4: groq.key: expected a string", "broken"),
        (
            "keybindings.json",
            {"app.exit": "ctrl+q", "app.clear": "f99"},
            "keybindings",
            'line 3: app.clear: "f99" is not a key. Its default keys are used.',
            "warning",
        ),
        ("keybindings.json", "{", "keybindings", "it is not JSON", "broken"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(
    name: str, content: object, key: str, text: str, level: str, tmp_path: Path
) -> None:
    write_file(tmp_path, name, content)
    (finding,) = told(check_files(surroundings(tmp_path)), key)
    assert finding.text.startswith(text)
    assert finding.level == level
    assert finding.advice
    assert "secret" not in json.dumps([finding.text, finding.advice])


@pytest.mark.parametrize(("mode", "wrong"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1)])
def test_keys_that_others_may_read_are_told(mode: int, wrong: int, tmp_path: Path) -> None:
    write_file(tmp_path, "auth.json", {}).chmod(mode)
    findings = told(check_files(surroundings(tmp_path)), "auth")
    assert len(findings) == wrong
    for finding in findings:
        assert f"{mode:04o}" in finding.text
        assert finding.advice == "chmod 600 ~/.pi/agent/auth.json"


def test_theme_files_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    write_file(tmp_path, "themes/broken.json", '{"name": "broken", "colors": {"accent": "x"}}')
    write_file(tmp_path, "themes/dark.json", {"name": "dark"})
    write_file(tmp_path, "settings.json", {"themes": ["nowhere"]})
    missing, taken, broken = told(check_files(surroundings(tmp_path)), "theme")
    assert taken.text.endswith('dark.json is left out: a theme named "dark" comes with pi.')
    assert "no such file or folder" in missing.text
    assert "colors.accent: Variable reference not found: x" in broken.text
    assert {each.level for each in (taken, missing, broken)} == {"warning"}
    assert all(each.advice for each in (taken, missing, broken))


def test_a_theme_that_is_not_there_is_told(tmp_path: Path) -> None:
    write_file(tmp_path, "settings.json", {"theme": "light/neon"})
    (finding,) = told(check_files(surroundings(tmp_path)), "theme")
    assert '"neon"' in finding.text


def test_a_setting_that_is_misspelt_is_told_and_other_names_are_left_alone(tmp_path: Path) -> None:
    write_file(
        tmp_path, "settings.json", {"others": 1, "retry": {"maxRetry": 1}, "queueMode": "all"}
    )
    (finding,) = told(check_files(surroundings(tmp_path)), "settings")
    assert (finding.level, finding.text) == ("note", "line 4: there is no setting retry.maxRetry")
    assert finding.advice == "Did you mean retry.maxRetries?"


def test_crash_reports_are_counted(tmp_path: Path) -> None:
    for day in (1, 2):
        write_file(tmp_path, f"logs/crash-2026010{day}T000000Z-1.txt", "")
    (finding,) = told(check_files(surroundings(tmp_path)), "logs")
    assert finding.text == "2 crash reports"
    assert "crash-20260102" in finding.advice


CHECK = """
import sys
from pathlib import Path
from pi_agent.cli.doctor.files import check_files
from tests.pi_agent.cli.doctor.support import surroundings
for finding in check_files(surroundings(Path(sys.argv[1]))):
    print(finding.key, finding.level, finding.text)
"""


@pytest.mark.parametrize(
    ("locked", "lines"),
    [
        (".pi", ["sessions broken ~/.pi/agent/sessions: permission denied"]),
        (".pi", ["logs warning ~/.pi/agent/logs: permission denied"]),
        (".pi/agent/sessions", ["sessions broken ~/.pi/agent/sessions: permission denied"]),
        (".pi/agent/settings.json", ["settings broken cannot be read: Permission denied"]),
        (".pi/agent/auth.json", ["auth broken cannot be read: Permission denied"]),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(locked: str, lines: list[str], tmp_path: Path) -> None:
    for name in ("settings.json", "auth.json", "sessions/x/y.jsonl", "logs/pi.log"):
        write_file(tmp_path, name, {})
    path = tmp_path / locked
    path.chmod(0o000)
    try:
        printed = run_without_rights(CHECK, tmp_path).splitlines()
    finally:
        path.chmod(0o700)
    for line in lines:
        assert line in printed


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    write_file(tmp_path, "sessions", "")
    (finding,) = told(check_files(surroundings(tmp_path)), "sessions")
    assert (finding.level, finding.text) == ("broken", "~/.pi/agent/sessions: not a directory")
