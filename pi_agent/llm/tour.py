"""What the model `demo/tour` says: stop after stop, each shows one thing of pi.

Where the tour stands follows from the conversation alone, so a resumed or branched session goes on where it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pi_agent.base.paths import bundled
from pi_agent.llm.messages import Message, ToolResultMessage, UserMessage, text_of
from pi_agent.llm.script import ScriptedCall, Step
from pi_agent.llm.stream import Context
from pi_tui.frozen import frozen

# What an extension that draws the tour says of itself in the system prompt, in a section of its own.
DRAWN_BY_EXTENSION: Final = "The tour extension draws here."

_TOKENS_PER_SECOND: Final = 75


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ON: Final = _words("next continue go more ok yes y n")
_AGAIN: Final = _words("again repeat")
_BACK: Final = _words("back previous")


@frozen
class Stop:
    """One thing to see. Whoever says its title or one of its `words` gets there.

    With a `call` the text comes before it, and `after` once it has run.
    """

    title: str
    words: frozenset[str]
    text: str
    thinking: str | None = None
    call: ScriptedCall | None = None
    after: str = ""


_WELCOME: Final = """\
I am a script that plays a model. You need no account for me: nothing leaves this computer, and no file of yours is \
changed.

My words come piece by piece, as those of a real model do. **Esc** stops me at any time.

Say `next` to go on. `/model` chooses a real model, `/login` keeps a key for one."""

_THOUGHT: Final = """\
They want to see how a model thinks. I cannot do that, so I say what a real one does here: it looks at the question \
from several sides, decides what to read first, and only then begins to answer."""

_THINKING: Final = """\
The slanted text above is what a model thinks before it answers.

- **Ctrl+T** hides it, or shows it again.
- **Shift+Tab** chooses how long a model thinks; the lines around the editor have the colour of that."""

_MARKDOWN: Final = """\
Answers are drawn while they arrive:

1. lists, **bold**, *slanted*, `code`
2. tables that fit
3. quotes, and code in colours

| Key | Does |
|---|---|
| Enter | send |
| Alt+Enter | send later |
| Ctrl+X | copy the answer |

> Select with the mouse: it is copied, without the marks.

```python
def greet(name: str) -> str:
    return f"Hello, {name}"
```"""

_READING: Final = """\
A model cannot see your files. It asks pi, and pi shows each call in a row. I ask for the beginning of pi's manual:"""

_READ: Final = """\
A click on the row opens it, and so does **Ctrl+O**.

pi has four tools: `read`, `bash`, `edit` and `write`. This tour only looks."""

_COMMANDS: Final = """\
Commands run in your shell, in this folder. Mine counts and says where we are:"""

_RAN: Final = """\
You saw its output while it ran; **Esc** would have stopped it.

Run one yourself with `!`, as in `!date`. The model hears of it with your next message."""

_EXTENSIONS: Final = """\
What you see can be changed by a Python file. An extension like yours drew

- the line above the editor,
- the card below this answer,
- and a panel over the screen, which opens now.

Keys and mouse work in it. **Esc** closes it, `/tour` opens it again."""

_NOT_DRAWN: Final = """\
What you see can be changed by a Python file: widgets, overlays, commands, tools.

The tour has such an extension, which does not draw here: it needs the screen, and `-ne` leaves it out."""

_END: Final = """\
- `/login` keeps a key for a model.
- `/model` chooses one.
- `pi local install` fetches a small one that runs on this computer.
- `/help` lists commands and keys.
- **Ctrl+D** leaves.

Name a stop to see it again: `markdown`, for example."""

_OVER: Final = """\
That was the last stop. `/model` chooses a real model, `/login` keeps a key for one, and **Ctrl+D** leaves.

`back` goes one stop back; a stop's name or number leads there."""

_UNKNOWN: Final = """\
I am a script, and this tour is all I know: I cannot answer that.

- `next` goes on, `back` and `again` do what they say.
- A name leads to its stop: {names}.
- `/model` chooses a real model, `/login` keeps a key for one.
- **Esc** stops me, **Ctrl+D** leaves."""

_IS_OFF: Final = """\
Here I would use the tool `{tool}`, which is switched off in this run. pi tells a model only of tools that are on."""

_FAILED: Final = """\
That did not work here, and the row says why. A model is told the same, and can try something else."""


STOPS: Final = (
    Stop("Welcome", _words("welcome hello start begin around"), _WELCOME),
    Stop("Thinking", _words("think thinking thoughts"), _THINKING, thinking=_THOUGHT),
    Stop("Markdown", _words("markdown table tables"), _MARKDOWN),
    Stop(
        "Reading",
        _words("read reading file files"),
        _READING,
        call=ScriptedCall(
            name="read", arguments={"path": str(bundled("docs") / "usage.md"), "limit": 16}
        ),
        after=_READ,
    ),
    Stop(
        "Commands",
        _words("command commands bash shell run"),
        _COMMANDS,
        call=ScriptedCall(
            name="bash",
            arguments={"command": 'for n in 1 2 3; do echo "$n of 3"; sleep 0.4; done; pwd'},
        ),
        after=_RAN,
    ),
    Stop("Extensions", _words("extension extensions draw overlay widget panel"), _EXTENSIONS),
    Stop("Your turn", _words("turn own end finish last"), _END),
)


def tour_step(context: Context) -> Step:
    """Return the answer to the last thing that was said."""
    place: int | None = None
    answer = _unknown()
    for text in _said(context.messages):
        asked = _stop_for(text, place)
        if asked is None:
            answer = _unknown()
        elif asked == len(STOPS):
            answer = _paced(text=_OVER)
        else:
            place = asked
            answer = _at_stop(asked, context)
    return answer


def _stop_for(text: str, place: int | None) -> int | None:
    """Return the stop that is asked for; one behind the last says that the tour is over."""
    words = re.findall(r"\w+", text.lower())
    for number, stop in enumerate(STOPS):
        if words == [str(number + 1)] or stop.words.intersection(words):
            return number
    if place is None:
        return 0  # whatever it is that somebody begins with
    if _ON.intersection(words):
        return place + 1
    if _AGAIN.intersection(words):
        return place
    if _BACK.intersection(words):
        return max(0, place - 1)
    return None


def _at_stop(number: int, context: Context) -> Step:
    """Return what is said at a stop: before its call, or after it."""
    stop = STOPS[number]
    heading = f"## {number + 1}/{len(STOPS)} {stop.title}\n\n"
    if stop.title == "Extensions" and DRAWN_BY_EXTENSION not in context.system_prompt:
        return _paced(text=heading + _NOT_DRAWN)
    if stop.call is None:
        return _paced(text=heading + stop.text, thinking=stop.thinking)
    if stop.call.name not in {tool.name for tool in context.tools}:
        return _paced(text=heading + _IS_OFF.format(tool=stop.call.name))
    result = _newest_result(context.messages)
    if result is None:
        return _paced(text=heading + stop.text, tool_calls=[stop.call])
    return _paced(text=_FAILED if result.is_error else stop.after)


def _unknown() -> Step:
    names = ", ".join(f"`{stop.title.lower()}`" for stop in STOPS[1:-1])
    return _paced(text=_UNKNOWN.format(names=names))


def _paced(
    *, text: str, thinking: str | None = None, tool_calls: Sequence[ScriptedCall] = ()
) -> Step:
    return Step(
        text=text,
        thinking=thinking,
        tool_calls=list(tool_calls),
        tokens_per_second=_TOKENS_PER_SECOND,
    )


def _said(messages: Sequence[Message]) -> list[str]:
    """Return what the person said; what extensions add is no part of it."""
    return [text_of(each.content) for each in messages if isinstance(each, UserMessage)]


def _newest_result(messages: Sequence[Message]) -> ToolResultMessage | None:
    """Return the result of a call since the person said something."""
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            return None
        if isinstance(message, ToolResultMessage):
            return message
    return None
