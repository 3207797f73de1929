"""The themes that a run can be drawn with."""

from __future__ import annotations

import os

from pi_agent.host.options import RunOptions
from pi_agent.resources.theme_catalog import ThemeCatalog


def theme_catalog(options: RunOptions) -> ThemeCatalog:
    """Return the themes of a run."""
    return ThemeCatalog(
        options.paths,
        options.settings,
        named=[options.cwd / os.path.expanduser(theme) for theme in options.themes],
        only_named=options.no_themes,
    )
