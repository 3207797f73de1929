"""Which pictures may be sent to a model, and why others may not."""

from __future__ import annotations

from pi_agent.base.truncate import format_size
from pi_tui.image_header import image_size, image_type

MAX_PIXELS = 2000
MAX_BASE64_BYTES = int(4.5 * 1024 * 1024)


def base64_length(size_bytes: int) -> int:
    """Return how long `size_bytes` bytes are as base64."""
    return (size_bytes + 2) // 3 * 4


def image_problem(head: bytes, size_bytes: int) -> str | None:
    """Return why a picture of `size_bytes` that begins with `head` cannot be sent to a model, or `None`."""
    if image_type(head) == "image/bmp":
        return "Image left out: bmp pictures cannot be converted here. Convert it to png first."
    size = image_size(head)
    if size is None:
        return "Image left out: its header cannot be read."
    if max(size.width, size.height) > MAX_PIXELS:
        return (
            f"Image left out: {size.width}x{size.height} is larger than {MAX_PIXELS}x{MAX_PIXELS},"
            " and resizing is not available. Make a smaller copy and read that."
        )
    if base64_length(size_bytes) > MAX_BASE64_BYTES:
        return (
            f"Image left out: {format_size(size_bytes)} is too large to send, and resizing is not"
            " available. Make a smaller copy and read that."
        )
    return None
