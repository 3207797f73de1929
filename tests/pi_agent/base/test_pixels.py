"""Which pictures may be sent."""

from __future__ import annotations

from pi_agent.base.pixels import base64_length


def test_base64_is_a_third_longer() -> None:
    assert [base64_length(size) for size in (0, 1, 3, 4)] == [0, 4, 4, 8]
