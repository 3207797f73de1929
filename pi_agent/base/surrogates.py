"""Halves of surrogate pairs, which have no UTF-8: made whole where the other half follows, U+FFFD where not."""

from __future__ import annotations


def replace_lone_surrogates(text: str) -> str:
    """Return `text` with whole characters only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
