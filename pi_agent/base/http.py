"""The HTTP client: streaming, proxies, certificates, and waits that a limit or an abort ends.

httpx and its TLS context load on first use, in a thread.
"""

from __future__ import annotations

import asyncio
import errno
import json
import re
import socket
import ssl
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pi_agent._version import __version__
from pi_agent.base.clock import within
from pi_agent.base.errors import PiError
from pi_agent.base.surrogates import replace_lone_surrogates
from pi_agent.base.wire import JsonValue
from pi_tui.abort import AbortSignal

if TYPE_CHECKING:
    import httpx

USER_AGENT: Final = f"pi/{__version__}"

# Long enough for a turn's tools to run before the connection is used again.
_KEEP_ALIVE = 60.0
_GATHER_SECONDS = 0.02
_AT_ONCE_SECONDS = 0.001
_SMALL_BYTES = 4096
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")
_NOWHERE = "http://127.0.0.1:0"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NO = ("", "0", "false", "no")


class NetworkError(PiError):
    """The server could not be reached, or the connection broke."""


class IdleTimeoutError(NetworkError):
    """Nothing came for too long."""


def is_offline(environ: Mapping[str, str]) -> bool:
    """Return whether the user wants nothing from other machines."""
    return environ.get("PI_OFFLINE", "").lower() not in _NO


def is_loopback(url: str) -> bool:
    """Return whether `url` names this machine."""
    host = _host_of(url)
    return host in _LOOPBACK or host.startswith("127.") or host.endswith(".localhost")


def encode_json(value: JsonValue) -> bytes:
    """Return `value` as JSON in UTF-8; halves of surrogate pairs become U+FFFD, whole pairs one character."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return replace_lone_surrogates(text).encode()


class HttpResponse:
    """A response whose body is still arriving."""

    def __init__(
        self, response: httpx.Response, idle_timeout: float | None, signal: AbortSignal | None
    ) -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._url = str(response.request.url)
        self._body = response.aiter_bytes()
        self._idle_timeout = idle_timeout
        self._signal = signal

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it comes. Raises `NetworkError`, and `AbortError` when the signal fires.

        Small pieces in quick succession are left to gather for a moment, and then read together.
        """
        now = asyncio.get_running_loop().time
        waited_for = now() - _GATHER_SECONDS  # when a piece last had to be waited for
        with _readable_errors(self._url, self._idle_timeout):
            while True:
                begun = now()
                async with within(self._idle_timeout, self._signal):
                    chunk = await anext(self._body, None)
                arrived = now()
                if chunk is None:
                    return
                yield chunk
                if arrived - begun < _AT_ONCE_SECONDS:
                    continue  # there may be more that has arrived
                if len(chunk) < _SMALL_BYTES and arrived - waited_for < 1.5 * _GATHER_SECONDS:
                    await asyncio.sleep(_GATHER_SECONDS)
                waited_for = arrived

    async def read(self, limit_bytes: int) -> bytes:
        """Return the body, cut after `limit_bytes`."""
        parts: list[bytes] = []
        size = 0
        async for chunk in self.chunks():
            parts.append(chunk)
            size += len(chunk)
            if size >= limit_bytes:
                break
        return b"".join(parts)[:limit_bytes]

    async def drain(self, seconds: float) -> None:
        """Read on to the end for up to `seconds`, so that the connection can be used again."""
        try:
            async with within(seconds, self._signal):
                while await anext(self._body, None) is not None:
                    pass
        except Exception:
            # Nothing is missing: the caller has all it wanted, the connection closes instead.
            return


class HttpClient:
    """Sends requests. `proxy` wins over the proxies of `environ`; what `NO_PROXY` names goes there directly.

    This machine is never proxied.
    """

    def __init__(self, environ: Mapping[str, str], *, proxy: str | None = None) -> None:
        self._environ = environ
        self._proxy = proxy
        self._lock = threading.Lock()
        self._clients: dict[str | None, httpx.AsyncClient] = {}
        self._tls: ssl.SSLContext | None = None
        self._was_used = False

    def warm_up(self) -> None:
        """Build the client for direct connections, and load what its first request needs; meant for a thread."""
        self._client(None)
        asyncio.run(self._connect_in_vain())

    async def aclose(self) -> None:
        """Close every connection."""
        clients, self._clients = self._clients, {}
        if not self._was_used:
            return  # closing nothing would load what connections need
        for client in clients.values():
            await client.aclose()

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        idle_timeout: float | None = None,
        header_timeout: float | None = None,
        signal: AbortSignal | None = None,
        follow_redirects: bool = True,
    ) -> AsyncIterator[HttpResponse]:
        """Send a request; the block gets the response once its headers are there, whatever its status.

        `idle_timeout` limits each wait for more of the body, and the wait for the headers unless `header_timeout`
        does. Leaving the block before the body's end closes the connection. Raises `NetworkError` and
        `AbortError`.
        """
        sent = {"User-Agent": USER_AGENT} | dict(headers or {})
        _check_headers(sent)
        header_timeout = header_timeout or idle_timeout
        with _readable_errors(url, header_timeout):
            client = await self._ready_client(self._proxy_for(url))
            self._was_used = True
            request = client.build_request(method, url, headers=sent, content=body)
            async with within(header_timeout, signal):
                # A redirected POST would arrive as a GET without its body.
                response = await client.send(
                    request,
                    stream=True,
                    follow_redirects=follow_redirects and method in ("GET", "HEAD"),
                )
        try:
            yield HttpResponse(response, idle_timeout, signal)
        finally:
            await response.aclose()

    async def _ready_client(self, proxy: str | None) -> httpx.AsyncClient:
        client = self._clients.get(proxy)
        return client if client is not None else await asyncio.to_thread(self._client, proxy)

    async def _connect_in_vain(self) -> None:
        """Load what connections are made of, which httpx does not do before the first one."""
        import httpx

        async with httpx.AsyncClient(verify=self._tls or False, trust_env=False) as client:
            with suppress(httpx.HTTPError):
                await client.get(_NOWHERE)

    def _client(self, proxy: str | None) -> httpx.AsyncClient:
        import httpx

        with self._lock:
            client = self._clients.get(proxy)
            if client is None:
                self._tls = self._tls or self._tls_context()
                client = httpx.AsyncClient(
                    verify=self._tls,
                    proxy=proxy,
                    trust_env=False,
                    timeout=None,
                    limits=httpx.Limits(keepalive_expiry=_KEEP_ALIVE),
                )
                self._clients[proxy] = client
            return client

    def _tls_context(self) -> ssl.SSLContext:
        import httpx

        file = self._environ.get("SSL_CERT_FILE") or None
        folder = self._environ.get("SSL_CERT_DIR") or None
        if file or folder:
            return ssl.create_default_context(cafile=file, capath=folder)
        system = ssl.get_default_verify_paths()
        if system.cafile or system.capath:
            return ssl.create_default_context()
        # No certificates on this system where OpenSSL looks: those that come with httpx.
        return httpx.create_ssl_context(trust_env=False)

    def _proxy_for(self, url: str) -> str | None:
        if is_loopback(url):
            return None
        parts = urlsplit(url)
        proxy = self._proxy or self._setting(f"{parts.scheme}_proxy") or self._setting("all_proxy")
        if not proxy or self._is_excluded(parts.hostname or "", parts.port):
            return None
        return proxy if "://" in proxy else f"http://{proxy}"

    def _is_excluded(self, host: str, port: int | None) -> bool:
        """Return whether `NO_PROXY` names the host, with or without its port, or a domain above it."""
        for entry in (self._setting("no_proxy") or "").lower().split(","):
            name = entry.strip().removeprefix("*.").lstrip(".")
            if name == "*":
                return True
            for target in (host, f"{host}:{port}"):
                if name and (target == name or target.endswith(f".{name}")):
                    return True
        return False

    def _setting(self, name: str) -> str | None:
        return self._environ.get(name) or self._environ.get(name.upper()) or None


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _check_headers(headers: Mapping[str, str]) -> None:
    """Refuse what cannot be sent, without repeating it: the value may be a key."""
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable():
            raise NetworkError(f'the header "{name}" has characters that HTTP does not allow')


@contextmanager
def _readable_errors(url: str, idle_timeout: float | None) -> Iterator[None]:
    """Turn what httpx raises into `NetworkError` with the reason underneath."""
    import httpx

    try:
        yield
    except TimeoutError as error:
        text = f"Request timed out: nothing came for {idle_timeout:g} s"
        raise IdleTimeoutError(text) from error
    except httpx.ConnectError as error:
        raise NetworkError(f"Connection error: {_reason(error, url)}") from error
    except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
        raise NetworkError(f"Connection lost: {_reason(error, url)}") from error
    except httpx.ProxyError as error:
        raise NetworkError(f"Proxy connection error: {_reason(error, url)}") from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise NetworkError(f"Not a usable address: {error}") from error
    except (httpx.HTTPError, httpx.StreamError, OSError, ValueError, ImportError) as error:
        raise NetworkError(f"Request failed: {_reason(error, url)}") from error


def _reason(error: BaseException, url: str) -> str:
    """Return the distinct texts of `error` and of what caused it, outermost first."""
    texts: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        text = _text_of(cause, url)
        if text and text not in texts:
            texts.append(text)
        cause = cause.__cause__ or cause.__context__
    return ": ".join(texts) or type(error).__name__


def _text_of(error: BaseException, url: str) -> str:
    if isinstance(error, socket.gaierror):
        name = "EAI_AGAIN" if error.errno == socket.EAI_AGAIN else "ENOTFOUND"
        return f"getaddrinfo {name} {_host_of(url)}"
    if isinstance(error, OSError) and not isinstance(error, ssl.SSLError) and error.errno:
        name = errno.errorcode.get(error.errno, f"errno {error.errno}")
        if error.filename:
            return f"{name} {error.filename}"
        verb = "connect " if isinstance(error, ConnectionRefusedError) else ""
        return f"{verb}{name} {urlsplit(url).netloc.rpartition('@')[2]}"
    return _ERRNO.sub("", str(error))
