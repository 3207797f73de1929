"""A model in a process of its own: it answers `words 500` with 500 words, 400 of them a second.

Run by `workspace.py`; prints its port. Words are sent by the clock: what was late is caught up with.
"""

from __future__ import annotations

import json
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from benchmarks.content import words

WORDS_A_SECOND: Final = 400
MODEL: Final = "bench-1"

_ASKED: Final = re.compile(r"words (\d+)")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        body = json.dumps({"object": "list", "data": [{"id": MODEL, "object": "model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        request = self.rfile.read(int(self.headers["Content-Length"])).decode()
        count = int(_ASKED.findall(request)[-1])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._say({"role": "assistant", "content": ""})
        begun = time.monotonic()
        for index, word in enumerate(words(count)):
            self._say({"content": word})
            time.sleep(max(0.0, begun + (index + 1) / WORDS_A_SECOND - time.monotonic()))
        self._say({}, "stop")
        self._send(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _say(self, delta: dict[str, str], finish_reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "model": MODEL, "choices": [choice]}
        self._send(f"data: {json.dumps(chunk)}\n\n".encode())

    def _send(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet: a program that is killed hangs up in the middle of an answer."""


def serve() -> None:
    """Serve until the process is ended."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    serve()
