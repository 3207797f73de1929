"""Ids are what their readers expect."""

from __future__ import annotations

import uuid

import pytest

from pi_agent.base.ids import entry_id, is_session_id, uuid7


@pytest.mark.parametrize("fill", [b"\x00", b"\xff", b"\xa5"])
def test_a_session_id_is_a_uuid_of_version_7_with_the_time_in_front(fill: bytes) -> None:
    text = uuid7(1772600767.089, random_bytes=lambda count: fill * count)
    parsed = uuid.UUID(text)
    assert str(parsed) == text
    assert parsed.version == 7
    assert parsed.variant == uuid.RFC_4122
    assert parsed.int >> 80 == 1772600767089


def test_session_ids_sort_by_time() -> None:
    made = [uuid7(1772600767.0 + seconds) for seconds in range(20)]
    assert made == sorted(made)
    assert len(set(made)) == 20


def test_an_entry_id_is_eight_hexadecimal_digits_that_are_free() -> None:
    tries = iter([b"\x00\x00\x00\x01", b"\x00\x00\x00\x02"])
    found = entry_id({"00000001"}, random_bytes=lambda _: next(tries))
    assert found == "00000002"


def test_an_entry_id_grows_when_the_short_ones_keep_colliding() -> None:
    found = entry_id({"00000000"}, random_bytes=lambda count: bytes(count))
    assert len(found) == 36


@pytest.mark.parametrize(
    ("text", "fits"),
    [("a", True), ("my.task-1_b", True), ("", False), (".a", False), ("a-", False), ("a/b", False)],
)
def test_a_session_id_may_be_part_of_a_file_name(text: str, fits: bool) -> None:
    assert is_session_id(text) is fits
