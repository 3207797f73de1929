"""The program that serves the small model: llama.cpp's own HTTP server, run in this process.

Its first line of input is a JSON object with what it needs, the key among it: arguments and environment can be
seen by others. The address is printed once requests are answered. It lives as long as its input is open, so it
ends with whoever started it, however that ends.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any, Final

import xllamacpp  # type: ignore[import-untyped]  # the package says nothing of its types

_TEMPLATE: Final = Path(__file__).with_name("template.jinja")
# A prompt is read in steps of so many tokens: after each, progress is told and a cancelled request ends.
_STEP_TOKENS: Final = 256
# The model repeats itself endlessly when left alone.
_MOST_OUTPUT_TOKENS: Final = 512
_PROMPT_CACHE_MIB: Final = 512
_PING_SECONDS: Final = 10
_ERRORS_AND_WARNINGS: Final = 2


def main() -> int:
    """Serve until the input ends; returns the exit status of a server that cannot start."""
    given = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    try:
        server = xllamacpp.Server(_parameters(given))
    except RuntimeError:
        return 1  # the log says why
    os.write(1, f"{server.listening_address}\n".encode())
    threading.Event().wait()
    return 0


def _parameters(given: dict[str, Any]) -> Any:  # Any: what a C++ module without types has and takes
    parameters = xllamacpp.CommonParams()
    parameters.model.path = given["weights"]
    parameters.model_alias = {given["model"]}
    parameters.api_keys = [given["key"]]
    parameters.n_ctx = given["context"]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = given["threads"]
    parameters.chat_template = _TEMPLATE.read_text(encoding="utf-8")
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = 1
    parameters.n_batch = _STEP_TOKENS
    parameters.n_predict = _MOST_OUTPUT_TOKENS
    parameters.cache_ram_mib = _PROMPT_CACHE_MIB
    parameters.sse_ping_interval = _PING_SECONDS
    parameters.sampling.temp = 0.0
    parameters.warmup = False
    parameters.ui = False
    parameters.endpoint_metrics = True
    parameters.verbosity = _ERRORS_AND_WARNINGS
    return parameters


def _end_with_the_input() -> None:
    # The descriptor itself: a thread that waits in Python's own buffer would hold up the end of the program.
    while os.read(0, 4096):
        pass
    os._exit(0)  # a request that is being answered must not hold this up


if __name__ == "__main__":
    sys.exit(main())
