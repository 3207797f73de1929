"""llama.cpp's own HTTP server, run in this process: `model_server.py MODEL.gguf TEMPLATE.jinja OPTIONS`.

OPTIONS is a JSON object (`context`, `api_key`). The address is printed once requests are answered. The server
lives as long as its standard input is open, so it ends with whoever started it, however that ends.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import xllamacpp  # type: ignore[import-untyped]  # the package says nothing of its types

MOST_OUTPUT_TOKENS = 256
PROMPT_CACHE_MIB = 512


def main() -> None:
    """Serve until the standard input ends."""
    model, template, options = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"smollm2"}
    params.chat_template = template.read_text(encoding="utf-8")
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = 1
    params.n_ctx = options["context"]
    params.n_predict = MOST_OUTPUT_TOKENS
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.sampling.temp = 0.0
    # Threads wait for each other at every step, and stand still where the cores have other work.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.endpoint_metrics = True
    if options["api_key"]:
        params.api_keys = [options["api_key"]]
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    os._exit(0)  # a request that is being answered must not hold this up


if __name__ == "__main__":
    main()
