"""A shell for one program, which it starts in the foreground again and again and leaves each time in another way.

It does what a shell does about process groups and nothing about the terminal's settings, so that what a program
left behind can be seen. A line names a way, `fg` goes on with a program that was stopped.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping

from pi_tui import TUI, Component, KeyEvent, ProcessTerminal, TuiAltScreen, TuiMainScreen
from pi_tui.components import Loader, Text

# What a program that ended at once did not wait for.
_LATE_ANSWER = re.compile(r"\x1b\[\?[\d;]*[a-z]")
ENVIRON = {"PI_PROGRAM_STATUS": "1"}
MODES: Mapping[str, type[TuiAltScreen] | type[TuiMainScreen]] = {
    "fullscreen": TuiAltScreen,
    "regular": TuiMainScreen,
}


class Keys(Component):
    """Shows what is to be seen, and does as it is told."""

    def __init__(self, tui: TUI) -> None:
        self.focused = False
        self.text = ""
        self.fails: BaseException | None = None
        self.actions: dict[str, Callable[[], object]] = {"q": tui.stop, "ctrl+z": tui.suspend}

    def handle_key(self, event: KeyEvent) -> bool:
        self.text += event.text
        action = self.actions.get(event.id)
        if action is not None:
            action()
        return True

    def render(self, width: int) -> list[str]:
        if self.fails is not None:
            raise self.fails
        return [f"running {self.text}"[:width]]


def make(mode: str) -> tuple[TUI, Keys]:
    """Return a program that uses all that there is to be given back."""
    tui = MODES[mode](ProcessTerminal(), environ={**os.environ, **ENVIRON})
    keys = Keys(tui)
    tui.set_title("a title")
    tui.set_progress(True)
    tui.set_program_status("working", "test")
    tui.set_terminal_color_scheme_notifications(True)
    tui.set_show_hardware_cursor(True)
    tui.add_child(Loader(tui, str, str, "turning"))
    tui.add_child(keys)
    tui.set_focus(keys)
    return tui, keys


def on_key(mode: str, action: Callable[[TUI, Keys], object]) -> None:
    """Run until a key, which does something."""
    tui, keys = make(mode)
    keys.actions["x"] = lambda: action(tui, keys)
    tui.run()


def started(mode: str, then: Callable[[TUI], object], *, draws: bool = True) -> None:
    """Start without anybody who stops, and do something behind it."""

    async def main() -> None:
        tui, _ = make(mode)
        tui.start()
        if draws:
            tui.render_now()
        then(tui)

    asyncio.run(main())


def fail(*_: object) -> None:
    raise ValueError("nobody expected this")


def leave(*_: object) -> None:
    sys.exit(3)


def fail_drawing(tui: TUI, keys: Keys) -> None:
    """Let the frame loop end with an error."""
    tui.problems.strict = True
    keys.fails = ValueError("nobody expected this")


def fail_a_little(tui: TUI, keys: Keys) -> None:
    """Let a component fail; the program goes on."""
    keys.fails = ValueError("nobody expected this")


def stop_twice(tui: TUI, keys: Keys) -> None:
    tui.stop()
    tui.stop()


def stop_while_handling(tui: TUI, keys: Keys) -> None:
    tui.on_component_error = lambda component, error: stop_twice(tui, keys)
    keys.fails = ValueError("nobody expected this")


def go_on_after_the_end(mode: str) -> None:
    """Keep doing what writes, after the terminal was given back."""

    async def main() -> None:
        tui, _ = make(mode)
        tui.start()
        await tui.wait_stopped()
        os.write(1, b"left\n")
        tui.show_overlay(Text("over", 0, 0), width=4)
        tui.request_render(force=True)
        tui.set_title("another title")
        tui.set_program_status("error")
        tui.set_progress(False)
        await asyncio.sleep(0.1)  # a loader, progress and frames were due

    asyncio.run(main())


WAYS: Mapping[str, Callable[[str], None]] = {
    "quit": lambda mode: on_key(mode, lambda tui, keys: tui.stop()),
    "twice": lambda mode: on_key(mode, stop_twice),
    "component": lambda mode: on_key(mode, fail_a_little),
    "frame": lambda mode: on_key(mode, fail_drawing),
    "timer": lambda mode: on_key(mode, lambda tui, keys: tui.call_later(0, fail)),
    "exit": lambda mode: on_key(mode, leave),
    "exit-timer": lambda mode: on_key(mode, lambda tui, keys: tui.call_later(0, leave)),
    "handling": lambda mode: on_key(mode, stop_while_handling),
    "before-frame": lambda mode: started(mode, fail, draws=False),
    "uncaught": lambda mode: started(mode, fail),
    "exit-uncaught": lambda mode: started(mode, leave),
    "never-stopped": lambda mode: started(mode, lambda tui: None),
    "afterwards": go_on_after_the_end,
}


def main() -> None:
    """Take names of ways until the input ends."""
    mode = sys.argv[1]
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    print("shell ready")
    while name := _LATE_ANSWER.sub("", sys.stdin.readline()).strip():
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            WAYS[name](mode)
            return
        wait(pid, name)


def wait(pid: int, name: str) -> None:
    """Let the program have the terminal until it ends."""
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            code = os.waitstatus_to_exitcode(status)
            os.write(1, f"{name} ended with {code}\n".encode())
            return
        os.write(1, f"{name} stopped, process {pid}\n".encode())
        sys.stdin.readline()
        os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)


if __name__ == "__main__":
    main()
