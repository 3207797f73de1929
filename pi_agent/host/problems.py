"""What is wrong with what a run is built of."""

from __future__ import annotations

from typing import Literal

from pi_tui.frozen import frozen


@frozen
class Problem:
    """Something that is wrong. A `warning` can be done without; the others end modes in which nobody watches.

    `choice` is something the command line asks for and cannot have, `extension` one that does not load.
    """

    kind: Literal["choice", "extension", "warning"]
    text: str
