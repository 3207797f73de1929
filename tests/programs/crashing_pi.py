"""The interactive program with a row in its document that fails once the terminal has a certain width.

`--strict` lets that failure end the program, as one of the frame loop itself would.
"""

from __future__ import annotations

import asyncio
import os
import sys

from pi_agent.cli.args import Args
from pi_agent.cli.crash import run_reporting_crashes
from pi_agent.cli.start import run_options
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.capture import own_output
from pi_tui.component import Component
from pi_tui.terminal import ProcessTerminal

DEADLY_WIDTH = 77


class Faulty(Component):
    """Fine at every width but one."""

    def render(self, width: int) -> list[str]:
        """Return a row, or raise."""
        if width == DEADLY_WIDTH:
            raise RuntimeError("nobody can draw this")
        return ["all is well"]


def main() -> int:
    """Run until the end, whichever it is."""
    options = run_options(Args(model="demo/echo"), (), os.environ)
    app = InteractiveApp(
        options, ProcessTerminal(output_file=own_output(sys.stdout), environ=options.environ)
    )
    app.tui.problems.strict = "--strict" in sys.argv
    app.screen.document.append(Faulty())
    return run_reporting_crashes(options.paths.logs_dir, lambda: asyncio.run(app.run()))


if __name__ == "__main__":
    sys.exit(main())
