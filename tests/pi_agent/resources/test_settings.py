"""`settings.json`: what is read from it, what is wrong with it, and how single settings get into it."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pi_agent.resources.settings import SettingsError, SettingsStore
from pi_agent.resources.settings_table import BY_KEY, SETTINGS
from tests.rights import run_without_rights


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is looked for; nothing is there yet."""
    return tmp_path / "agent" / "settings.json"


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def test_without_a_file_the_defaults_hold(path: Path) -> None:
    settings = SettingsStore(path)
    assert (settings.error, settings.warnings) == (None, [])
    assert settings.get_number("retry.maxRetries") == 3
    assert settings.get_bool("retry.enabled") is True
    assert settings.get_choice("steeringMode") == "one-at-a-time"
    assert settings.get_text("theme") is None
    assert not settings.is_set("theme")
    assert not path.exists()


def test_every_default_is_a_value_the_setting_may_have() -> None:
    assert all(each.default is None or each.kind.accepts(each.default) for each in SETTINGS)


def test_values_are_read_with_comments_commas_and_byte_order_mark(path: Path) -> None:
    write(path, '\ufeff{ // mine\n "theme": "dark", "retry": {"maxRetries": 7,}, }')
    settings = SettingsStore(path)
    assert settings.warnings == []
    assert settings.get_text("theme") == "dark"
    assert settings.get_number("retry.maxRetries") == 7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"retry": {"maxRetries": "many"}}', 'retry.maxRetries: expected a whole number of 0 or more, not "many"'),
        ('{"retry": {"maxRetries": -1}}', "retry.maxRetries: expected a whole number of 0 or more, not -1"),
        ('{"retry": {"maxRetries": 1.5}}', "not 1.5. The default is used: 3."),
        ('{"retry": {"maxRetries": NaN}}', "not NaN"),
        ('{"retry": {"maxRetries": true}}', "not true"),
        ('{"hideThinkingBlock": 1}', "hideThinkingBlock: expected true or false, not 1"),
        ('{"quietStartup": "footer"}', 'quietStartup: expected true or false, or "header", not "footer"'),
        ('{"steeringMode": "some"}', 'steeringMode: expected "one-at-a-time" or "all", not "some"'),
        ('{"theme": ["dark"]}', 'theme: expected a text, not ["dark"]'),
        ('{"enabledModels": ["a", 1]}', "enabledModels: expected a list of texts"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_and_costs_that_setting_only(
    path: Path, text: str, told: str
) -> None:
    write(path, text[:-1] + ', "shellPath": "/bin/zsh"}')
    settings = SettingsStore(path)
    (warning,) = settings.warnings
    assert warning.startswith(f"{path}: ")
    assert told in warning
    assert settings.get_text("shellPath") == "/bin/zsh"
    assert all(
        settings.get(key) == setting.default
        for key, setting in BY_KEY.items()
        if key != "shellPath"
    )


@pytest.mark.parametrize("content", ["{", "[]", '"x"', b"\xff{}", "{'theme': 'dark'}"])
def test_a_broken_file_is_reported_and_never_written(path: Path, content: str | bytes) -> None:
    write(path, content)
    before = path.read_bytes()
    settings = SettingsStore(path)
    assert settings.error is not None
    assert str(path) in settings.error
    assert settings.get_number("retry.maxRetries") == 3
    with pytest.raises(SettingsError, match="Not saved"):
        settings.write({"theme": "dark"})
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]


def test_a_mended_file_is_used_after_a_reload(path: Path) -> None:
    write(path, "{")
    settings = SettingsStore(path)
    told: list[frozenset[str]] = []
    settings.subscribe(told.append)
    write(path, '{"theme": "light"}')
    settings.reload()
    assert settings.error is None
    assert settings.get_text("theme") == "light"
    assert told == [frozenset({"theme"})]


def test_saving_changes_one_value_and_nothing_else(path: Path) -> None:
    text = '\ufeff{\r\n\t// colors\r\n\t"theme": "dark",\r\n\t"unknown": [1,2]\r\n}\r\n'
    write(path, text)
    SettingsStore(path).write({"theme": "light"})
    assert path.read_bytes().decode() == text.replace("dark", "light")


def test_a_new_file_is_made_with_its_folder(path: Path) -> None:
    SettingsStore(path).write({"retry.maxRetries": 5, "theme": "dark"})
    assert path.read_text() == '{\n  "retry": {\n    "maxRetries": 5\n  },\n  "theme": "dark"\n}\n'


def test_going_back_to_a_default_takes_the_setting_out(path: Path) -> None:
    write(path, '{"theme": "dark", "x": 1}')
    settings = SettingsStore(path)
    settings.set({"theme": None})
    settings.write({"theme": None})
    assert settings.get_text("theme") is None
    assert json.loads(path.read_text()) == {"x": 1}


def test_what_others_changed_meanwhile_stays(path: Path) -> None:
    settings = SettingsStore(path)
    write(path, '{"theme": "dark"}')
    settings.write({"hideThinkingBlock": True})
    assert json.loads(path.read_text()) == {"theme": "dark", "hideThinkingBlock": True}


def test_a_link_stays_a_link_and_the_mode_stays(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    write(real, "{}")
    real.chmod(0o640)
    path.parent.mkdir()
    path.symlink_to(real)
    SettingsStore(path).write({"theme": "dark"})
    assert path.is_symlink()
    assert json.loads(real.read_text()) == {"theme": "dark"}
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_named(path: Path) -> None:
    write(path, "{}")
    path.chmod(0o400)
    code = (
        "import sys; from pathlib import Path\n"
        "from pi_agent.resources.settings import SettingsError, SettingsStore\n"
        "try: SettingsStore(Path(sys.argv[1])).write({'theme': 'dark'})\n"
        "except SettingsError as error: print(error.message)"
    )
    assert run_without_rights(code, path).endswith(
        "settings.json: cannot be written: Permission denied"
    )
    assert path.read_text() == "{}"


def test_a_value_that_cannot_be_is_refused(path: Path) -> None:
    settings = SettingsStore(path)
    with pytest.raises(SettingsError, match=r"retry\.maxRetries: expected a whole number"):
        settings.write({"retry.maxRetries": "x"})
    assert not path.exists()


def test_names_of_earlier_versions_are_read_and_saved_as_todays(path: Path) -> None:
    write(path, '{"queueMode": "all", "retry": {"maxDelayMs": 9}, "x": 1}')
    settings = SettingsStore(path)
    assert settings.get_choice("steeringMode") == "all"
    assert settings.get_number("retry.provider.maxRetryDelayMs") == 9
    assert "queueMode" in path.read_text()
    settings.write({"theme": "dark"})
    assert json.loads(path.read_text()) == {
        "retry": {"provider": {"maxRetryDelayMs": 9}},
        "x": 1,
        "steeringMode": "all",
        "theme": "dark",
    }


def test_todays_name_wins_over_an_earlier_one(path: Path) -> None:
    write(path, '{"queueMode": "all", "steeringMode": "one-at-a-time"}')
    assert SettingsStore(path).get_choice("steeringMode") == "one-at-a-time"


_WRITER = """
import sys
from pathlib import Path
from pi_agent.resources.settings import SettingsStore
path, key, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
settings = SettingsStore(path)
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    settings.write({key: number})
"""


def test_two_processes_that_change_different_settings_lose_nothing(path: Path) -> None:
    keys = ("retry.maxRetries", "retry.baseDelayMs")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), key, "30"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for key in keys
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=30)
        assert writer.returncode == 0
    assert json.loads(path.read_text()) == {"retry": {"maxRetries": 29, "baseDelayMs": 29}}
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]
