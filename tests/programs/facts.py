"""Print as JSON what a process finds when it starts."""

from __future__ import annotations

import json
import locale
import os
import signal
import sys
import threading
import time


def main() -> None:
    """Print what is the same for two processes that are started alike."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    umask = os.umask(0)
    os.umask(umask)
    facts = {
        "arguments": sys.argv,
        "path": sys.path,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "streams": [(each.encoding, each.errors, each.line_buffering) for each in streams],
        "terminals": [each.isatty() for each in streams],
        "same streams": [sys.__stdin__, sys.__stdout__, sys.__stderr__] == [*streams],
        "descriptors": len(os.listdir("/proc/self/fd")),
        "handlers": {str(each): str(signal.getsignal(each)) for each in signal.valid_signals()},
        "blocked signals": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "locale": locale.setlocale(locale.LC_CTYPE),
        "time zone": time.tzname,
        "umask": umask,
        "leads a session": os.getsid(0) == os.getpid(),
        "is in the foreground": os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp(),
        "threads": threading.active_count(),
        "is the main module": sys.modules["__main__"].__dict__ is globals(),
        "modules of the tests": sorted(name for name in sys.modules if name.startswith("tests")),
        "hash randomization": sys.flags.hash_randomization,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
