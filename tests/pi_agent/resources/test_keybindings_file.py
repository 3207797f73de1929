"""`keybindings.json`: defaults of each platform, old names, and files with mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.keybindings_file import (
    APP_KEYBINDINGS,
    OLD_NAMES,
    AppKeybindings,
    Platform,
    default_keybindings,
    detect_platform,
    migrate_keybindings,
    read_keybindings,
)
from pi_tui.key_parser import text_key
from pi_tui.keybindings import TUI_KEYBINDINGS, KeybindingsManager
from pi_tui.keys import normalize_key_id, normalize_key_sequence


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is looked for; nothing is there yet."""
    return tmp_path / "keybindings.json"


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")


def test_a_missing_file_means_the_defaults(path: Path) -> None:
    manager = AppKeybindings(path)
    assert manager.warnings == []
    assert manager.get_keys("app.interrupt") == ["escape"]
    assert manager.get_keys("tui.input.submit") == ["enter"]


def test_keys_lists_sequences_and_no_keys_are_read(path: Path) -> None:
    bindings = {
        "$schema": "https://example.com/keys.json",
        "app.session.new": "ctrl+shift+n",
        "app.session.tree": ["ctrl+shift+t", "alt+shift+t"],
        "app.session.fork": "ctrl+x Ctrl+F",
        "tui.altScreen.pageUp": [],
    }
    _write(path, bindings)
    manager = AppKeybindings(path)
    assert manager.warnings == []
    assert manager.get_keys("app.session.new") == ["ctrl+shift+n"]
    assert manager.get_keys("app.session.tree") == ["ctrl+shift+t", "alt+shift+t"]
    assert manager.get_keys("app.session.fork") == ["ctrl+x Ctrl+F"]
    assert manager.get_keys("tui.altScreen.pageUp") == []


def test_a_byte_order_mark_is_accepted(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"app.clear": "f1"}')
    file = read_keybindings(path)
    assert (file.bindings, file.warnings) == ({"app.clear": ["f1"]}, [])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("ctrl+", '"ctrl+"'),
        (["f1", "hyper+x"], '"hyper+x"'),
        ("", '""'),
        (["f1", None], "null"),
        (None, "null"),
        (7, "7"),
        ({"key": "f1"}, '{"key": "f1"}'),
        (["f1", ["f2"]], '["f2"]'),
        ("ctrl+x  ctrl+s", '"ctrl+x  ctrl+s"'),
        ("\x9b", '"\\u009b"'),
    ],
)
def test_a_bad_value_is_named_and_its_defaults_stay(path: Path, value: object, shown: str) -> None:
    _write(path, {"app.clear": value, "app.exit": "f2"})
    manager = AppKeybindings(path)
    assert manager.get_keys("app.clear") == ["ctrl+c"]
    assert manager.get_keys("app.exit") == ["f2"]
    (warning,) = manager.warnings
    assert str(path) in warning
    assert f"app.clear: {shown} is not a key" in warning


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"app.clear": "f1",}']
)
def test_a_file_that_is_no_json_object_means_the_defaults_and_a_warning(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    manager = AppKeybindings(path)
    assert manager.get_keys("app.clear") == ["ctrl+c"]
    (warning,) = manager.warnings
    assert str(path) in warning


def test_a_file_that_cannot_be_read_means_the_defaults_and_a_warning(path: Path) -> None:
    path.mkdir()
    manager = AppKeybindings(path)
    assert manager.get_keys("app.clear") == ["ctrl+c"]
    assert len(manager.warnings) == 1


def test_unknown_names_are_kept_without_a_word(path: Path) -> None:
    _write(path, {"my.extension.go": "f9", "note": 7})
    manager = AppKeybindings(path)
    assert manager.warnings == []
    assert manager.get_user_bindings() == {"my.extension.go": ["f9"]}


def test_reading_again_takes_the_new_keys(path: Path) -> None:
    _write(path, {"app.clear": "f1"})
    manager = AppKeybindings(path)
    _write(path, {"app.exit": "f2", "app.clear": "bad key"})
    warnings = manager.reload()
    assert (manager.get_keys("app.clear"), manager.get_keys("app.exit")) == (["ctrl+c"], ["f2"])
    assert len(warnings) == 1
    path.unlink()
    assert manager.reload() == []
    assert manager.get_keys("app.exit") == ["ctrl+d"]


def test_old_names_are_read_and_new_ones_win(path: Path) -> None:
    _write(
        path,
        {
            "app.model.select": "f1",
            "selectModel": "f2",
            "cursorUp": "f3",
            "toggleSessionNamedFilter": "f4",
            "interrupt": "f5",
        },
    )
    manager = AppKeybindings(path)
    assert manager.get_keys("app.model.select") == ["f1"]
    assert manager.get_keys("tui.editor.cursorUp") == ["f3"]
    assert manager.get_keys("app.session.toggleNamedFilter") == ["f4"]
    assert manager.get_keys("app.interrupt") == ["f5"]


def test_old_names_all_lead_to_known_actions() -> None:
    actions = {**TUI_KEYBINDINGS, **APP_KEYBINDINGS}
    assert [old for old, new in OLD_NAMES.items() if new not in actions] == []


def test_a_rewrite_has_new_names_in_the_order_of_the_tables() -> None:
    data = {"zoo": 1, "exit": "f1", "yank": "f2", "$schema": "s", "app.clear": "f3", "bar": 2}
    rewritten = list(migrate_keybindings(data).items())
    assert rewritten == [
        ("$schema", "s"),
        ("tui.editor.yank", "f2"),
        ("app.clear", "f3"),
        ("app.exit", "f1"),
        ("bar", 2),
        ("zoo", 1),
    ]


@pytest.mark.parametrize(
    ("platform", "keys"),
    [
        ("linux", ["ctrl+-", "ctrl+z", "ctrl+shift+f ctrl+alt+f", "alt+enter", "ctrl+v"]),
        ("windows", ["ctrl+z", "", "ctrl+f", "ctrl+q", "alt+v ctrl+v"]),
        ("wsl", ["alt+z", "ctrl+z", "ctrl+f", "ctrl+q", "alt+v ctrl+v"]),
    ],
)
def test_defaults_of_each_platform(platform: Platform, keys: list[str]) -> None:
    definitions = default_keybindings(platform)
    actions = ["tui.editor.undo", "app.suspend", "tui.altScreen.search", "app.message.followUp"]
    actions.append("app.clipboard.pasteImage")
    assert [" ".join(definitions[action].default_keys) for action in actions] == keys


def test_the_mac_prefers_option_in_the_tree() -> None:
    assert default_keybindings("mac")["app.tree.foldOrUp"].default_keys == (
        "alt+left",
        "ctrl+left",
    )


@pytest.mark.parametrize("platform", ["linux", "mac", "windows", "wsl"])
def test_default_keys_are_spelled_as_events_spell_them(platform: Platform) -> None:
    keys = [key for item in default_keybindings(platform).values() for key in item.default_keys]
    assert [key for key in keys if normalize_key_id(key) != key] == []


@pytest.mark.parametrize("platform", ["linux", "mac", "windows", "wsl"])
def test_nothing_that_is_typed_means_something_else_in_the_editor(platform: Platform) -> None:
    """Text that comes in one piece is typed at once as far as no key of it is bound."""
    keybindings = KeybindingsManager(default_keybindings(platform))
    bound = [c for c in map(chr, range(32, 127)) if keybindings.is_bound_in_text(text_key(c))]
    assert bound == []
    assert keybindings.matches(text_key(" "), "app.queue.hold")


def test_platforms_are_told_apart() -> None:
    assert detect_platform({}, "linux") == "linux"
    assert detect_platform({"WSL_DISTRO_NAME": "Debian"}, "linux") == "wsl"
    assert detect_platform({"WSL_INTEROP": "/run/WSL/1"}, "linux") == "wsl"
    assert detect_platform({"WSL_INTEROP": "x"}, "darwin") == "mac"
    assert detect_platform({}, "win32") == "windows"


KEYS = st.sampled_from(["f1", "ctrl+x ctrl+s", "g g", "SHIFT+a", "ctrl++"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
NAMES = st.sampled_from([*TUI_KEYBINDINGS, *APP_KEYBINDINGS, *OLD_NAMES, "$schema", "own.go"])


@given(st.dictionaries(NAMES | st.text(max_size=4), JSON_VALUES, max_size=6))
def test_any_object_gives_usable_keys_and_names_what_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "keys.json"
    _write(path, data)
    manager = AppKeybindings(path)
    told = "\n".join(manager.warnings)
    assert told.isprintable() or "\n" in told
    known = {*TUI_KEYBINDINGS, *APP_KEYBINDINGS}
    for action, value in migrate_keybindings(data).items():
        keys = [value] if isinstance(value, str) else value
        is_right = isinstance(keys, list) and all(
            isinstance(key, str) and normalize_key_sequence(key) for key in keys
        )
        if action in known:
            assert (f"{path}: {action}: " in told) is not is_right
            right = keys if is_right and isinstance(keys, list) else None
            expected = default_keybindings()[action].default_keys if right is None else right
            assert {normalize_key_sequence(key) for key in manager.get_keys(action)} == {
                normalize_key_sequence(str(key)) for key in expected
            }
        else:
            assert f"{path}: {action}: " not in told


@given(st.binary(max_size=40) | JSON_VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_content_of_the_file_leaves_a_program_with_keys(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "keys.json"
    path.write_bytes(content)
    manager = AppKeybindings(path)
    assert all(str(path) in warning for warning in manager.warnings)
    assert manager.get_keys("app.interrupt")


@given(st.dictionaries(st.sampled_from([*APP_KEYBINDINGS]), st.lists(KEYS, max_size=3), max_size=6))
def test_each_key_that_two_actions_were_given_is_told_with_both(
    bindings: dict[str, list[str]],
) -> None:
    """And both keep it: the manager says which keys, in one spelling."""
    manager = KeybindingsManager(APP_KEYBINDINGS, bindings)
    expected: dict[str, set[str]] = {}
    for action, keys in bindings.items():
        for key in keys:
            name = " ".join(normalize_key_sequence(key) or ())
            expected.setdefault(name, set()).add(action)
    found = {each["key"]: set(each["keybindings"]) for each in manager.get_conflicts()}
    assert found == {key: actions for key, actions in expected.items() if len(actions) > 1}
