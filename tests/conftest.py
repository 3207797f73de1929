"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# A property says what comes out, never how soon: on a busy machine the same example takes ten times as long.
settings.register_profile("pi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pi")


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, the only loop that pi supports."""
    return "asyncio"
