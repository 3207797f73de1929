"""What holds for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from pi_tui.keybindings import get_keybindings, set_keybindings
from tests.warm_start import WarmStarts

# A property says what comes out, never how soon: on a busy machine the same example takes ten times as long.
settings.register_profile("pi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `make soak` has the time to look for rarer examples.
settings.register_profile("soak", settings.get_profile("pi"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "pi"))


@pytest.fixture(autouse=True)
def _keys_as_before() -> Iterator[None]:
    """Let no test leave its keys to the next one: they are those of the process."""
    before = get_keybindings()
    yield
    set_keybindings(before)


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, the only loop that pi supports."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `--cold-start` start every process as users do."""
    parser.addoption("--cold-start", action="store_true", help="start no process by a fork")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Decide how the processes of a test start."""
    is_cold = item.config.getoption("cold_start") or item.get_closest_marker("cold_start")
    WarmStarts.allowed = not is_cold
