"""`python -m pi_agent`."""

from __future__ import annotations

from pi_agent.cli import run

if __name__ == "__main__":
    run()
