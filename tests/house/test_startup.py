"""What a mode must not load: start-up imports only what the mode needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

REPORT = """
import json, sys
{code}
print(json.dumps(sorted(sys.modules)), file=sys.__stderr__)
"""


def loaded_by(code: str, tmp_path: Path) -> set[str]:
    """Run `code` in a fresh interpreter and return the modules it has loaded."""
    result = subprocess.run(
        [sys.executable, "-c", REPORT.format(code=code)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PI_CODING_AGENT_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    modules: list[str] = json.loads(result.stderr.strip().splitlines()[-1])
    return set(modules)


def count_of_pi(modules: set[str]) -> int:
    """Return how many of the modules are pi's own."""
    return sum(module.split(".")[0] in ("pi_agent", "pi_tui") for module in modules)


def test_the_version_loads_next_to_nothing(tmp_path: Path) -> None:
    modules = loaded_by("from pi_agent.cli import main; main(['--version'])", tmp_path)
    assert not modules & {"asyncio", "pydantic", "urwid", "httpx", "wcwidth", "argparse"}


def test_help_loads_no_screen_and_no_http(tmp_path: Path) -> None:
    modules = loaded_by("from pi_agent.cli import main; main(['--help'])", tmp_path)
    assert not modules & {"urwid", "httpx", "pydantic", "asyncio"}


def test_print_mode_loads_no_screen(tmp_path: Path) -> None:
    modules = loaded_by(
        "import os; sys.stdin = open(os.devnull)\n"
        "from pi_agent.cli import main\n"
        "assert main(['--model', 'demo/echo', '-p', 'hi']) == 0",
        tmp_path,
    )
    assert not modules & {"urwid", "pygments", "markdown_it"}
    assert not any(module.startswith("pi_agent.ui") for module in modules)


def test_print_mode_loads_few_modules(tmp_path: Path) -> None:
    modules = loaded_by(
        "import os; sys.stdin = open(os.devnull)\n"
        "from pi_agent.cli import main\n"
        "assert main(['--model', 'demo/echo', '-p', 'hi']) == 0",
        tmp_path,
    )
    assert count_of_pi(modules) <= 216


def test_listing_models_loads_no_screen(tmp_path: Path) -> None:
    modules = loaded_by(
        "from pi_agent.cli import main; assert main(['--list-models']) == 0", tmp_path
    )
    assert not modules & {"urwid", "pygments", "markdown_it"}


def test_the_first_frame_waits_for_no_model_code(tmp_path: Path) -> None:
    modules = loaded_by("import pi_agent.cli.start, pi_agent.ui.app, pi_tui.terminal", tmp_path)
    assert not modules & {"httpx", "markdown_it", "pygments", "PIL", "pydantic", "jsonschema"}
    assert "pi_tui.regular" not in modules, "the other screen"
    assert count_of_pi(modules) <= 195, "each takes a quarter of a millisecond"
    assert not modules & {"pi_tui.image_block", "pi_tui.screen_images", "pi_tui.components.image"}


def test_the_conversation_is_loaded_without_markdown(tmp_path: Path) -> None:
    modules = loaded_by("import pi_agent.ui.live", tmp_path)
    assert not modules & {"markdown_it", "pygments", "pi_tui.components.markdown"}
    assert not modules & {"pi_tui.image_block", "pi_tui.screen_images", "pi_tui.components.image"}
    assert not modules & {"importlib.metadata", "pi_agent.llm.tour"}
    assert not [module for module in modules if module.startswith("pi_agent.ui.dialogs.")]
    assert "pi_agent.ui.renderers.built_in" not in modules, "there is no call yet"
    assert count_of_pi(modules) <= 430


def test_markdown_is_warmed_up_before_the_first_answer(tmp_path: Path) -> None:
    modules = loaded_by(
        "from pi_agent.resources.themes import load_bundled_theme\n"
        "from pi_agent.ui.messages.markdown import warm_up_markdown\n"
        "warm_up_markdown(load_bundled_theme('dark', color_mode='truecolor'))",
        tmp_path,
    )
    assert {"markdown_it", "pygments.lexers.python"} <= modules


def test_a_headless_program_loads_no_urwid_screen(tmp_path: Path) -> None:
    modules = loaded_by("import pi_tui.fullscreen, pi_tui.components.editor", tmp_path)
    assert "urwid" not in modules


@pytest.mark.parametrize("package", ["pi_agent", "pi_tui", "pi_tui.components"])
def test_a_package_loads_nothing_by_itself(package: str, tmp_path: Path) -> None:
    modules = loaded_by(f"import {package}", tmp_path)
    assert not modules & {"asyncio", "pydantic", "urwid", "wcwidth"}
