"""The interactive program with model servers of this machine at other addresses: `near_pi.py KIND=URL,… WORDS…`."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace

from pi_agent.cli.args import parse_args
from pi_agent.cli.start import run_options
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.capture import own_output
from pi_tui.terminal import ProcessTerminal


def main() -> int:
    """Run until the end; what the program says last is printed."""
    servers = dict(pair.split("=", 1) for pair in sys.argv[1].split(","))
    args = parse_args(sys.argv[2:]).args
    options = replace(run_options(args, (), os.environ), local_servers=servers)
    app = InteractiveApp(
        options,
        ProcessTerminal(output_file=own_output(sys.stdout), environ=options.environ),
        files=args.files,
        messages=args.messages,
    )
    code = asyncio.run(app.run())
    print(app.farewell or "")
    return code


if __name__ == "__main__":
    sys.exit(main())
