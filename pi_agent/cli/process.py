"""The event loop of the process, and its end.

Extensions may leave tasks and threads running. They get a moment, and then the process ends without them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Coroutine
from typing import Final, NoReturn

_TIDY_SECONDS: Final = 1.0

_log = logging.getLogger("pi.process")

# Tasks that did not let themselves be cancelled. Collecting them would run their code once more.
_left_behind: Final[list[asyncio.Task[object]]] = []


def run_to_end(work: Coroutine[object, object, int]) -> int:
    """Return what `work` returns, run on an event loop of its own.

    Unlike `asyncio.run` it does not wait until every task and thread has ended, and `sys.exit` in some other
    task does not end the program.
    """
    runner = asyncio.Runner()  # never closed: that is where the endless waiting is
    loop = runner.get_loop()
    task = loop.create_task(work)
    try:
        while True:
            try:
                return runner.run(_result_of(task))
            except SystemExit as error:
                if task.done():
                    raise
                _report_exit(loop, error)
    finally:
        _close(loop)


def end_process(status: int) -> NoReturn:
    """Exit with `status`, without those threads and tasks that do not end."""
    deadline = time.monotonic() + _TIDY_SECONDS
    main_thread = threading.main_thread()
    others = [each for each in threading.enumerate() if each is not main_thread]
    unfinished = [each for each in others if not each.daemon]
    for thread in unfinished:
        thread.join(max(0.0, deadline - time.monotonic()))
    if _left_behind or any(thread.is_alive() for thread in unfinished):
        os._exit(status)
    sys.exit(status)


async def _result_of(task: asyncio.Task[int]) -> int:
    return await task


def _close(loop: asyncio.AbstractEventLoop) -> None:
    ending = loop.create_task(_end_tasks())
    try:
        while not ending.done():
            try:
                loop.run_until_complete(ending)
            except SystemExit as error:
                _report_exit(loop, error)
    finally:
        _left_behind.extend(asyncio.all_tasks(loop))
        # What is still said of tasks and transports concerns nobody, and the log is about to close.
        loop.set_exception_handler(lambda loop, context: None)
        asyncio.set_event_loop(None)
        loop.close()


def _report_exit(loop: asyncio.AbstractEventLoop, error: SystemExit) -> None:
    failure = RuntimeError("it called sys.exit").with_traceback(error.__traceback__)
    loop.call_exception_handler({"message": "a task called sys.exit", "exception": failure})


async def _end_tasks() -> None:
    """Cancel what still runs, and give it a moment."""
    loop = asyncio.get_running_loop()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    generators = loop.create_task(loop.shutdown_asyncgens())
    done, _ = await asyncio.wait({*tasks, generators}, timeout=_TIDY_SECONDS)
    for task in done:
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task failed at the end", exc_info=error)
