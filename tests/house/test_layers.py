"""Who may import whom: imports go to lower layers only, and each library has one door."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Lowest first. A file not listed here fails the test: every module has a place.
PI_TUI_LAYERS = {
    "text": "abort ansi capabilities cell_size color_depth colors completion_token diff figures frozen fuzzy"
    " image_block image_fit image_header image_support image_transcoder iterm_images kitty_images known_terminals"
    " latex latex_parser latex_symbols markdown_grammar markdown_growth markdown_inline"
    " markdown_math markdown_open markdown_tree masking oklab padding paint palette patterns plain_text"
    " rate search_text sixel_images threads width words wrap",
    "input": "choices events input_buffer key_parser key_sequences key_table keybindings keys mouse replies shift_key",
    "model": "appearance autocomplete callbacks combined_autocomplete component component_themes component_tree"
    " edit_commands edit_history editing entry_rows files focus highlight hit_test layout markdown_theme"
    " mouse_delivery overlay overlay_stack search selectable_rows suggestion_requests system_theme"
    " system_theme_table table_columns theme theme_file theme_tokens window",
    "components": "components",
    "screen": "app canvas click_count clipboard color_query color_scheme copying crash_log decode flash frame"
    " frame_images frame_log frame_pace frame_rows fullscreen image_lines input_listeners input_path"
    " inquiry interop interop_keys interop_text layout_root log_file mouse_host mouse_router negotiation"
    " overlay_handle plain_log plain_screen problems process_signals program_status regular"
    " regular_document row_patch screen_images scroll_label scrollback_images scrollback_repair"
    " scrollback_writer scrollbar_fade search_panel search_walk searching selecting selection terminal"
    " terminal_protocol terminal_talk terminal_tenure terminal_writer typing_burst urwid_parts view_area"
    " viewport_keys window_progress window_title",
    "devtools": "cell_style emulator emulator_records emulator_stream gallery snapshot svg svg_colors svg_paths"
    " svg_shapes testing",
}
# The four side by side do not import each other; neither do `modes` and `ui`.
PI_AGENT_LAYERS = (
    ("base",),
    ("llm",),
    ("loop",),
    ("tools", "session", "resources"),
    ("extensions",),
    ("host",),
    ("modes", "ui"),
    ("cli",),
)
# What of the toolkit loads no urwid and may be imported anywhere.
ANYWHERE = set(PI_TUI_LAYERS["text"].split()) | {
    "keybindings",
    "keys",
    "theme",
    "theme_file",
    "theme_tokens",
    "appearance",
    "highlight",
    "system_theme",
    "system_theme_table",
}
DRAWS = ("ui", "cli")
DOORS = {
    "urwid": {
        "pi_tui/emulator.py",
        "pi_tui/gallery/pages/urwid_widget.py",
        "examples/toolkit/inside_urwid.py",
        "examples/toolkit/urwid_inside.py",
        "pi_tui/interop.py",
        "pi_tui/interop_text.py",
        "pi_tui/urwid_parts.py",
    },
    "wcwidth": {"pi_tui/width.py"},
    "pygments": {"pi_tui/highlight.py"},
    "markdown_it": {"pi_tui/markdown_grammar.py"},
    "httpx": {"pi_agent/base/http.py"},
    "pydantic": {
        "pi_agent/base/wire.py",
        "pi_agent/base/params.py",
        "pi_agent/base/partial_json.py",
        "pi_agent/base/portable_schema.py",
    },
    "jsonschema": {"pi_agent/base/schema.py"},
    "pathspec": {"pi_tui/files/ignore_rules.py"},
}
PUBLIC = {"pi_agent", "pi_agent.testing", "pi_tui", "pi_tui.components", "pi_tui.testing"}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, those for type checkers left out.

    Files of one extension find each other with a dot, which leads nowhere else.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            is_own = path.is_relative_to(ROOT / "extensions")
            assert node.level <= is_own, f"{path}: imports are absolute"
            if node.level:
                continue
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def tui_layer(module: str) -> int | None:
    """Return the layer of `pi_tui.…`; `None` for the package itself and for names in modules."""
    parts = module.split(".")
    if len(parts) < 2:
        return None
    for number, names in enumerate(PI_TUI_LAYERS.values()):
        if parts[1] in names.split():
            return number
    return None


def agent_layer(module: str) -> int | None:
    parts = module.split(".")
    if len(parts) < 2:
        return None
    for number, names in enumerate(PI_AGENT_LAYERS):
        if parts[1] in names:
            return number
    return None


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", sources("pi_tui"), ids=str)
def test_the_toolkit_imports_only_lower_layers(path: Path) -> None:
    name = module_of(path)
    own = tui_layer(name)
    assert own is not None or name == "pi_tui", f"{name} has no layer: add it to the table"
    for module in imports(path):
        assert module.split(".")[0] != "pi_agent", f"{name} imports {module}"
        other = tui_layer(module) if module.startswith("pi_tui.") else None
        if own is not None and other is not None:
            assert other <= own, f"{name} imports {module}, which lies above it"


@pytest.mark.parametrize("path", sources("pi_agent"), ids=str)
def test_the_agent_imports_only_lower_layers(path: Path) -> None:
    name = module_of(path)
    own = agent_layer(name)
    folder = name.split(".")[1] if "." in name else ""
    for module in imports(path):
        other = agent_layer(module) if module.startswith("pi_agent.") else None
        if own is not None and other is not None:
            same = module.split(".")[1] == folder
            assert other < own or same, f"{name} imports {module}"
        if own is not None and module.startswith("pi_tui.") and folder not in DRAWS:
            part = module.split(".")[1]
            assert part in ANYWHERE, f"{name} imports {module}, which draws"


@pytest.mark.parametrize("path", sources("pi_tui", "pi_agent", "extensions", "examples"), ids=str)
def test_libraries_come_through_their_door(path: Path) -> None:
    relative = path.relative_to(ROOT).as_posix()
    for module in imports(path):
        doors = DOORS.get(module.split(".")[0])
        assert doors is None or relative in doors, f"{relative} imports {module}"


@pytest.mark.parametrize("path", sources("extensions", "examples"), ids=str)
def test_extensions_and_examples_use_public_names_only(path: Path) -> None:
    for module in imports(path):
        if module.split(".")[0] in ("pi_agent", "pi_tui"):
            owner = module if module in PUBLIC else module.rsplit(".", 1)[0]
            assert owner in PUBLIC, f"{path} imports {module}"


@pytest.mark.parametrize("path", sources("pi_tui/gallery"), ids=str)
def test_the_gallery_is_written_as_any_program_is(path: Path) -> None:
    """Public names, and its own files."""
    for module in imports(path):
        owner = module if module in PUBLIC else module.rsplit(".", 1)[0]
        is_own = module.startswith("pi_tui.gallery")
        assert is_own or module.split(".")[0] != "pi_tui" or owner in PUBLIC, f"{path}: {module}"


def test_there_are_no_cycles_of_modules() -> None:
    graph: dict[str, set[str]] = {}
    files = {module_of(path): path for path in sources("pi_tui", "pi_agent")}
    for name, path in files.items():
        graph[name] = {module for module in imports(path) if module in files and module != name}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name in done:
            return
        for module in sorted(graph[name]):
            visit(module, (*trail, name))
        done.add(name)

    for name in sorted(graph):
        visit(name, ())
