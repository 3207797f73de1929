"""What holds for every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# A property says what comes out, never how soon: on a busy machine the same example takes ten times as long.
settings.register_profile("pi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `make soak` has the time to look for rarer examples.
settings.register_profile("soak", settings.get_profile("pi"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "pi"))


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, the only loop that pi supports."""
    return "asyncio"
