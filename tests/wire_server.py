"""A server for tests: real sockets on 127.0.0.1 that play bytes exactly as told.

    with WireServer() as server:
        server.queue(json_reply({"ok": True}))
        ...  # a client talks to server.url
        assert server.requests[0].json() == {...}

Requests are answered in the order of `queue`; `answer` gives a function instead. A reply is a sequence of
pieces, each sent by itself: bytes, or `STALL` (wait until the client hangs up), `DROP` (break the connection).
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from types import TracebackType
from typing import Any, BinaryIO, Self


class Act(Enum):
    """What a server can do but send."""

    STALL = auto()
    DROP = auto()


STALL = Act.STALL
DROP = Act.DROP

Piece = bytes | Act


@dataclass(frozen=True)
class Reply:
    """What is written to the socket; `close` ends the connection afterwards."""

    pieces: Sequence[Piece]
    close: bool = True


@dataclass(frozen=True)
class Request:
    """A request as it came. Header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the decoded body."""
        return json.loads(self.body)


Answer = Callable[[Request], Reply]


@dataclass
class WireServer:
    """Listens while the block runs."""

    answer: Answer | None = None
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    hung_up: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._replies: list[Reply] = []
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closing = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closing = True
            still_open = list(self._open)
        for sock in [self._listener, *still_open]:
            # Wakes the thread that waits on it.
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self.port}"

    def queue(self, *replies: Reply) -> None:
        """Answer the next requests with `replies`."""
        with self._lock:
            self._replies.extend(replies)

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._closing:
                    sock.close()
                    return
                self._open.add(sock)
                self.connections += 1
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            with sock, sock.makefile("rb") as reader:
                while True:
                    request = _read_request(reader)
                    if request is None:
                        return
                    reply = self._reply_to(request)
                    self.arrived.release()
                    if not self._play(sock, reply) or reply.close:
                        return
        except OSError:
            self.hung_up.set()
        finally:
            with self._lock:
                self._open.discard(sock)

    def _reply_to(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            queued = self._replies.pop(0) if self._replies else None
        if queued is not None:
            return queued
        return self.answer(request) if self.answer else reply(500, b"nothing was queued")

    def _play(self, sock: socket.socket, told: Reply) -> bool:
        for piece in told.pieces:
            if isinstance(piece, bytes):
                sock.sendall(piece)
            elif piece is DROP:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return False
            elif not sock.recv(1):
                self.hung_up.set()
                return False
        return True


def reply(status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Reply:
    """Return a reply with a known length, on a connection that stays open."""
    head = {"Content-Length": str(len(body))} | dict(headers or {})
    return Reply([_head(status, head), body], close=False)


def dropped_after(events: Sequence[bytes], count: int) -> Reply:
    """Return an event stream that breaks after `count` of its events, each of which is sent by itself."""
    return Reply(chunked_reply(*events[:count], DROP).pieces[:-1])


def json_reply(value: object, status: int = 200) -> Reply:
    """Return `value` as JSON."""
    return reply(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def sse_reply(*pieces: Piece) -> Reply:
    """Return an event stream whose bytes go out in these pieces; its end is the end of the connection."""
    return Reply([_head(200, {"Content-Type": "text/event-stream"}), *pieces])


def chunked_reply(*pieces: Piece, status: int = 200) -> Reply:
    """Return an event stream of one HTTP chunk a piece, with a proper end if no piece is an act."""
    head = _head(status, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
    framed = [
        b"%x\r\n%b\r\n" % (len(piece), piece) if isinstance(piece, bytes) else piece
        for piece in pieces
    ]
    if not any(isinstance(piece, Act) for piece in pieces):
        framed.append(b"0\r\n\r\n")
    return Reply([head, *framed], close=False)


def sse_bytes(*values: object, done: bool = True) -> bytes:
    """Return `values` as data events, JSON unless they are strings, with `[DONE]` at the end."""
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    return "".join(f"data: {text}\n\n" for text in [*texts, *(["[DONE]"] if done else [])]).encode()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Told", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _read_request(reader: BinaryIO) -> Request | None:
    line = reader.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = dict(_read_headers(reader))
    body = reader.read(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


def _read_headers(reader: BinaryIO) -> Iterable[tuple[str, str]]:
    while (line := reader.readline().strip()) != b"":
        name, _, value = line.decode("latin-1").partition(":")
        yield name.lower(), value.strip()
