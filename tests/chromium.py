"""A page in headless Chromium, driven over its debugging pipe: real keys and clicks, and a record of what it asked for.

The pipe is two descriptors of the process, 3 to write to it and 4 to read from it, with a JSON object after the other,
each ended by a NUL: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
)  # fmt: skip
_COMPLAINTS = (
    "Log.entryAdded",
    "Page.javascriptDialogOpening",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
)
_PATIENCE_SECONDS = 8


class Chromium:
    """One page. `requests` is what it asked for, `complaints` what was refused, thrown or logged."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._to, self._from = to_browser, from_browser
        self._received = b""
        self._number = 0
        self._page: dict[str, str] = {}
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._page = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def resize(self, width: int, height: int) -> None:
        """Give the window a size."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def open(self, address: str) -> None:
        """Go to a page, and wait until it is there."""
        self._call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Return once an expression is true."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while not self.evaluate(f"Boolean({script})"):
            assert time.monotonic() < end, f"waited in vain for {script}"
            self._read(0.02)

    def click(self, selector: str) -> None:
        """Click in the middle of the first such element."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=box[0],
                y=box[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str) -> None:
        """Press a key; a letter is typed."""
        text = {"text": key} if len(key) == 1 else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        for character in text:
            self.press(character)

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters, **self._page}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < end:
            for told in self._read(1.0):
                if told.get("id") == number:
                    assert "error" not in told, told
                    result: dict[str, Any] = told["result"]
                    return result
        raise AssertionError(f"Chromium gave no answer to {method}")

    def _read(self, seconds: float) -> Sequence[dict[str, Any]]:
        """Return what has come within some time, and note what it tells of the page."""
        if not select.select([self._from], [], [], seconds)[0]:
            return []
        data = os.read(self._from, 1 << 20)
        assert data, "Chromium has ended"
        *complete, self._received = (self._received + data).split(b"\0")
        messages = [json.loads(each) for each in complete]
        for message in messages:
            self._note(message.get("method"), message.get("params", {}))
        return messages

    def _note(self, method: str | None, event: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method in _COMPLAINTS:
            self.complaints.append(json.dumps(event))


@contextmanager
def chromium(profile: Path) -> Iterator[Chromium]:
    """Run a browser with a profile in an empty folder; without one the test is skipped."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    read_end, to_browser = os.pipe()
    from_browser, write_end = os.pipe()
    # Out of the way of 3 and 4, which they become in the browser.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (read_end, write_end)]
    for end in (read_end, write_end):
        os.close(end)

    def connect() -> None:
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    process = subprocess.Popen(
        [program, *_OPTIONS, f"--user-data-dir={profile}"],
        preexec_fn=connect,
        pass_fds=(3, 4),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    for end in ends:
        os.close(end)
    try:
        yield Chromium(to_browser, from_browser)
    finally:
        os.close(to_browser)
        os.close(from_browser)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
