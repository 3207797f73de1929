"""Fixtures for the tests of the agent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi_process import Pi


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[Pi]:
    """Give somebody who has just installed pi; what they start ends with the test."""
    user = Pi(tmp_path)
    try:
        yield user
    finally:
        user.close()
