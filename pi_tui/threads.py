"""Run a blocking function without holding up the loop, or the end of the program.

The loop's own pool would not do: a program does not exit before its threads are done, and one that
ignores being asked to stop could hang it forever. These threads are daemons; when nobody waits any
longer, the late result is dropped.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def run_in_thread(function: Callable[[], T], *, name: str = "pi-worker") -> T:
    """Return what `function` returns, or raise what it raises. Cancelling abandons the thread."""
    return await start_in_thread(function, name=name)


def start_in_thread(function: Callable[[], T], *, name: str = "pi-worker") -> asyncio.Future[T]:
    """Start `function` and return the future of what it returns. Cancelling that abandons the thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def deliver(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]  # without an error there is a result
        else:
            future.set_exception(error)

    def work() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = context.run(function)
        except StopIteration as error:  # a future refuses it
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(deliver, result, failure)
        except RuntimeError:
            pass  # the loop has closed: nobody waits any longer

    threading.Thread(target=work, name=name, daemon=True).start()
    return future
