"""The text of a file as coloured lines, by its name."""

from __future__ import annotations

from pi_tui.highlight import get_language_from_path, highlight_code
from pi_tui.theme import Theme

# More would take so long that it is felt.
_MOST_CHARACTERS = 16_000


def code_lines(text: str, path: object, theme: Theme) -> list[str]:
    """Return the lines of plain text in the colours of the language that `path` says it is in."""
    lines = text.split("\n")
    language = get_language_from_path(path) if isinstance(path, str) else None
    if language is None or len(text) > _MOST_CHARACTERS:
        return [theme.fg("toolOutput", line) for line in lines]
    colored = highlight_code(theme, text, language)
    # Nothing is left of an empty last line.
    return colored + [""] * (len(lines) - len(colored))
