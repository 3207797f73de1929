"""Server-sent events are read the same however their bytes are cut."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.errors import PiError
from pi_agent.base.sse import SseDecoder, SseEvent


def decode(chunks: Iterable[bytes]) -> list[SseEvent]:
    decoder = SseDecoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    return events + decoder.close()


STREAM = (
    "\ufeff: ping\ndata: 你好\n\n:\nevent: note\ndata:one\ndata:  two\nid: 7\n\ndata\n\ndata: 👍"
)
EVENTS = [SseEvent("你好"), SseEvent("one\n two", "note"), SseEvent(""), SseEvent("👍")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_cut_in_two_gives_the_same_events(line_end: str) -> None:
    data = STREAM.replace("\n", line_end).encode()
    for cut in range(len(data) + 1):
        assert decode([data[:cut], data[cut:]]) == EVENTS, cut


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_one_byte_at_a_time_gives_the_same_events(line_end: str) -> None:
    data = STREAM.replace("\n", line_end).encode()
    assert decode(data[i : i + 1] for i in range(len(data))) == EVENTS


@settings(max_examples=150)
@given(
    texts=st.lists(
        st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), max_size=4
    ),
    cuts=st.lists(st.integers(0, 200), max_size=6),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_any_text_survives_any_cuts(texts: list[str], cuts: list[int], line_end: str) -> None:
    data = "".join(f"data: {text}{line_end}{line_end}" for text in texts).encode()
    borders = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(borders)]
    assert [event.data for event in decode(chunks)] == texts


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    assert decode(["data: a\u2028b\u0085c\x0bd\n\n".encode()]) == [SseEvent("a\u2028b\u0085c\x0bd")]


def test_an_event_without_data_is_none() -> None:
    assert decode([b"event: x\n\n\n\n: comment\n\n"]) == []


def test_what_is_no_event_stream_is_kept_for_the_error() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b'{"error":\n "no"}') == []
    assert decoder.close() == []
    assert decoder.stray == '{"error":\n "no"}\n'


def test_an_event_without_end_is_refused_before_memory_runs_out() -> None:
    decoder = SseDecoder(max_event_chars=1000)
    with pytest.raises(PiError, match="more than 1000 characters"):
        for _ in range(200):
            decoder.feed(b"data: aaaaaaaaaa\n")


def test_many_small_events_do_not_add_up_to_the_limit() -> None:
    decoder = SseDecoder(max_event_chars=1000)
    assert sum(len(decoder.feed(b": ping\n\ndata: aaaa\n\nnoise\n")) for _ in range(500)) == 500
