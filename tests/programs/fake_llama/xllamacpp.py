"""Stands in for the package `xllamacpp`: a server that answers as a file says, with nothing to wait for.

The folder `FAKE_LLAMA` has `answers.jsonl`, one JSON object for each request: `text` or `command` (a call of `bash`),
`progress` (tokens read of 100, after which it waits for the client to hang up), `die` (after the text). `start` may
say `fail` or `wait`. The bodies of the requests go to `requests.jsonl`, the key to `key`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FOLDER = Path(os.environ["FAKE_LLAMA"])


class CommonParams(SimpleNamespace):
    """Takes whatever is set."""

    def __init__(self) -> None:
        names = ("model", "cpuparams", "cpuparams_batch", "sampling")
        super().__init__(**{name: SimpleNamespace() for name in names})


class Server:
    """Serves from the moment it exists."""

    def __init__(self, params: CommonParams) -> None:
        start = FOLDER / "start"
        how = start.read_text() if start.exists() else ""
        if how == "fail":
            sys.stderr.write("0.00.010.430 E srv    load_model: this file is no model\n")
            raise RuntimeError("no server")
        while how == "wait":
            time.sleep(60)
        _Handler.key = params.api_keys[0]
        (FOLDER / "key").write_text(_Handler.key)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.listening_address = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    key = ""

    def do_POST(self) -> None:
        """Answer as the next line says."""
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers["authorization"] != f"Bearer {self.key}":
            self.send_error(401)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._play(_next_answer(body.decode()))

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def _play(self, answer: dict[str, Any]) -> None:
        if "progress" in answer:
            done = {"total": 100, "cache": 0, "processed": answer["progress"], "time_ms": 1}
            self._send({"role": "assistant", "content": None}, prompt_progress=done)
            self.connection.recv(1)
            (FOLDER / "hung_up").touch()
            return
        if "command" in answer:
            arguments = json.dumps({"command": answer["command"]})
            function = {"name": "bash", "arguments": arguments}
            call = {"index": 0, "id": os.urandom(8).hex(), "type": "function", "function": function}
            self._send({"tool_calls": [call]})
        else:
            self._send({"content": answer.get("text", "")})
        if answer.get("die"):
            sys.stderr.write("0.00.020.000 E srv    the ground opened\n")
            sys.stderr.flush()
            os._exit(3)
        self._send({}, finish_reason="tool_calls" if "command" in answer else "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, delta: dict[str, Any], finish_reason: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        event = {"id": "1", "object": "chat.completion.chunk", "choices": [choice]} | more
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()


def _next_answer(body: str) -> dict[str, Any]:
    with (FOLDER / "requests.jsonl").open("a") as file:
        file.write(f"{body}\n")
    asked = len((FOLDER / "requests.jsonl").read_text().splitlines())
    answer: dict[str, Any] = json.loads(
        (FOLDER / "answers.jsonl").read_text().splitlines()[asked - 1]
    )
    return answer
