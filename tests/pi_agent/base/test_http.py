"""Requests stream, name what went wrong, and end at once on abort; proxies and certificates are respected."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from pi_agent._version import __version__
from pi_agent.base.http import (
    HttpClient,
    IdleTimeoutError,
    NetworkError,
    encode_json,
    is_loopback,
)
from pi_tui.abort import AbortController, AbortError
from tests.wire_server import DROP, STALL, Reply, WireServer, chunked_reply, json_reply, reply

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient({})
    yield client
    await client.aclose()


async def get(http: HttpClient, url: str, **headers: str) -> bytes:
    async with http.stream("GET", url, headers=headers) as response:
        return await response.read(1_000_000)


async def test_the_body_comes_piece_by_piece(server: WireServer, http: HttpClient) -> None:
    server.queue(chunked_reply(b"one", b"two", b"three"))
    async with http.stream("POST", server.url, body=b"asked") as response:
        chunks = [chunk async for chunk in response.chunks()]
    assert b"".join(chunks) == b"onetwothree"
    assert (response.status, response.headers["content-type"]) == (200, "text/event-stream")
    assert server.requests[0].body == b"asked"


async def test_requests_name_pi_and_its_version(server: WireServer, http: HttpClient) -> None:
    server.queue(json_reply(1), json_reply(2))
    await get(http, server.url)
    await get(http, server.url, **{"User-Agent": "mine"})
    agents = [request.headers["user-agent"] for request in server.requests]
    assert agents == [f"pi/{__version__}", "mine"]


async def test_a_connection_serves_many_requests(server: WireServer, http: HttpClient) -> None:
    server.queue(*(json_reply(n) for n in range(5)))
    for n in range(5):
        assert json.loads(await get(http, server.url)) == n
    assert server.connections == 1


async def test_reading_stops_at_its_limit(server: WireServer, http: HttpClient) -> None:
    server.queue(reply(500, b"x" * 100_000))
    async with http.stream("GET", server.url) as response:
        assert len(await response.read(1000)) == 1000


async def test_a_get_follows_redirects_and_a_post_does_not(
    server: WireServer, http: HttpClient
) -> None:
    moved = reply(302, b"", {"Location": "/new"})
    server.queue(moved, json_reply("there"), moved)
    assert await get(http, f"{server.url}/old") == b'"there"'
    async with http.stream("POST", f"{server.url}/old", body=b"{}") as response:
        assert response.status == 302
    assert [request.path for request in server.requests] == ["/old", "/new", "/old"]


async def test_a_refused_connection_says_so(http: HttpClient) -> None:
    with WireServer() as gone:
        port = gone.port
    with pytest.raises(NetworkError, match=f"connect ECONNREFUSED 127.0.0.1:{port}"):
        await get(http, f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("end", [DROP, b""])
async def test_a_connection_that_breaks_in_the_body_is_an_error(
    server: WireServer, http: HttpClient, end: bytes
) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.queue(Reply([head, b"3\r\nabc\r\n", end]))
    seen = []
    with pytest.raises(NetworkError, match=r"^Connection lost: "):
        async with http.stream("GET", server.url) as response:
            async for chunk in response.chunks():
                seen.append(chunk)
    assert seen in ([b"abc"], [])


@pytest.mark.parametrize("pieces", [[STALL], [b"HTTP/1.1 200 OK\r\n\r\nsome", STALL]])
async def test_silence_ends_at_the_idle_limit(
    server: WireServer, http: HttpClient, pieces: list[bytes]
) -> None:
    server.queue(Reply(pieces))
    with pytest.raises(IdleTimeoutError, match="timed out"):
        async with http.stream("GET", server.url, idle_timeout=0.05) as response:
            await response.read(100)
    assert await asyncio.to_thread(server.hung_up.wait, 5)


@pytest.mark.parametrize("pieces", [[STALL], [b"HTTP/1.1 200 OK\r\n\r\nsome", STALL]])
async def test_an_abort_closes_the_connection(
    server: WireServer, http: HttpClient, pieces: list[bytes]
) -> None:
    server.queue(Reply(pieces))
    controller = AbortController()

    async def ask() -> None:
        async with http.stream("GET", server.url, signal=controller.signal) as response:
            await response.read(100)

    task = asyncio.create_task(ask())
    await asyncio.to_thread(server.arrived.acquire, timeout=5)
    controller.abort()
    with pytest.raises(AbortError):
        await task
    assert await asyncio.to_thread(server.hung_up.wait, 5)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("foo://host", "Not a usable address"),
        ("", "Not a usable address"),
        ("http://[", "Not a usable address|Request failed"),
        ("http://name.invalid/", "name.invalid"),
    ],
)
async def test_a_bad_address_is_named(http: HttpClient, url: str, text: str) -> None:
    with pytest.raises(NetworkError, match=text):
        await get(http, url)


async def test_a_key_that_cannot_be_sent_is_not_repeated(http: HttpClient) -> None:
    with pytest.raises(NetworkError) as caught:
        await get(http, "http://127.0.0.1:9", authorization="Bearer sk-se\ncret…")
    assert "authorization" in str(caught.value)
    assert "cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "proxied"),
    [
        ("http_proxy", True),
        ("HTTP_PROXY", True),
        ("ALL_PROXY", True),
        ("HTTPS_PROXY", False),
    ],
)
async def test_proxies_of_the_environment_are_used(name: str, proxied: bool) -> None:
    with WireServer(answer=lambda request: json_reply("proxied")) as proxy:
        http = HttpClient({name: proxy.url})
        try:
            body = await get(http, "http://name.invalid/path")
        except NetworkError:
            body = b""
        await http.aclose()
    assert (body == b'"proxied"') is proxied
    assert [request.path for request in proxy.requests] == ["http://name.invalid/path"] * proxied


@pytest.mark.parametrize(
    "excluded", ["*", "invalid", ".invalid", "a.b, name.invalid", "name.invalid:80"]
)
async def test_no_proxy_is_respected(excluded: str) -> None:
    with WireServer(answer=lambda request: json_reply("proxied")) as proxy:
        for http in (
            HttpClient({"http_proxy": proxy.url, "no_proxy": excluded}),
            HttpClient({"no_proxy": excluded}, proxy=proxy.url),
        ):
            with pytest.raises(NetworkError):
                await get(http, "http://name.invalid:80/")
            await http.aclose()
    assert proxy.requests == []


async def test_this_machine_is_never_proxied(server: WireServer) -> None:
    server.queue(json_reply("direct"))
    with WireServer() as proxy:
        http = HttpClient({"ALL_PROXY": proxy.url}, proxy=proxy.url)
        assert await get(http, server.url) == b'"direct"'
        await http.aclose()
    assert proxy.requests == []


async def test_a_proxy_that_cannot_be_used_is_an_error_and_not_a_crash() -> None:
    http = HttpClient({}, proxy="nonsense://host")
    with pytest.raises(NetworkError):
        await get(http, "http://name.invalid/")
    await http.aclose()


async def test_a_certificate_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    http = HttpClient({"SSL_CERT_FILE": str(tmp_path / "none.pem")})
    with pytest.raises(NetworkError, match="ENOENT"):
        await get(http, "https://127.0.0.1:9/")
    await http.aclose()


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:80/", True),
        ("http://a.localhost", True),
        ("http://localhost.example.com", False),
        ("https://10.0.0.1", False),
        ("nonsense", False),
        ("http://[", False),
    ],
)
def test_what_counts_as_this_machine(url: str, answer: bool) -> None:
    assert is_loopback(url) is answer


def test_halves_of_characters_never_reach_a_server() -> None:
    assert json.loads(encode_json({"a": "x\ud83dy"})) == {"a": "x\ufffdy"}
    assert json.loads(encode_json({"a": "\ud83d\udc4d"})) == {"a": "👍"}
    assert encode_json(["é"]) == '["é"]'.encode()


def test_importing_the_client_loads_no_httpx() -> None:
    code = "import sys, pi_agent.base.http; print('httpx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
