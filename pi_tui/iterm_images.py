"""Pictures by iTerm2's protocol: drawn into the cells at the cursor, where they stay until something else is written.

See https://iterm2.com/documentation-images.html.
"""

from __future__ import annotations


def iterm_image(data: str, size_bytes: int, columns: int) -> str:
    """Return what shows a picture file (base64) so many columns wide, in its own proportions."""
    return f"\x1b]1337;File=inline=1;size={size_bytes};width={columns};height=auto:{data}\x07"
