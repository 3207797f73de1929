"""The environment variables that pi reads: values that mean nothing, and names that are nearly right."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from pi_agent.base.shell import SESSION_VARIABLES
from pi_agent.cli.doctor.finding import Finding, Surroundings
from pi_tui.frozen import frozen


@frozen
class _Kind:
    """What a variable takes: in words, and as a check."""

    expected: str
    accepts: Callable[[str], bool]


def _is_file(value: str) -> bool:
    return os.path.isfile(value)


def _is_folder(value: str) -> bool:
    return os.path.isdir(os.path.expanduser(value)) or not os.path.exists(value)


def _is_proxy(value: str) -> bool:
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        return parts.scheme in ("http", "https", "socks5", "socks5h") and bool(parts.hostname)
    except ValueError:
        return False


def _is_server(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


_SWITCH: Final = _Kind("1 or 0", lambda value: value in ("1", "0"))
_ON: Final = _Kind("1, or unset", lambda value: value in ("1", "0"))
_YES: Final = _Kind(
    "1 or 0", lambda value: value.lower() in ("1", "0", "true", "false", "yes", "no")
)
_PROTOCOL: Final = _Kind(
    "kitty, iterm2, sixel, none or auto",
    lambda value: value.lower() in ("kitty", "iterm2", "sixel", "none", "0", "auto"),
)
_KNOWN: Final = _Kind("1, 0 or auto", lambda value: value.lower() in ("1", "0", "auto"))
_MILLISECONDS: Final = _Kind(
    "a number of milliseconds", lambda value: value.isdecimal() and len(value) < 7
)
_FILE: Final = _Kind("a file that is there", _is_file)
_FOLDER: Final = _Kind("a folder", _is_folder)
_PROXY: Final = _Kind("an address like http://host:port", _is_proxy)
_SERVER: Final = _Kind("an address like http://host:port/v1", _is_server)
_ANY: Final = _Kind("", lambda value: True)

VARIABLES: Final[Mapping[str, _Kind]] = {
    "PI_CODING_AGENT_DIR": _FOLDER,
    "PI_CODING_AGENT_SESSION_DIR": _FOLDER,
    "PI_CODING_AGENT_CACHE_DIR": _FOLDER,
    "PI_OFFLINE": _YES,
    "PI_CACHE_RETENTION": _Kind("long, or unset", lambda value: value == "long"),
    "PI_HARDWARE_CURSOR": _ON,
    "PI_CLEAR_ON_SHRINK": _ON,
    "PI_PLAIN": _ON,
    "PI_HYPERLINKS": _KNOWN,
    "PI_IMAGE_PROTOCOL": _PROTOCOL,
    "PI_TRUE_COLOR": _KNOWN,
    "PI_PROGRAM_STATUS": _KNOWN,
    "PI_CLIPBOARD_OSC52": _SWITCH,
    "PI_TUI_ESC_TIMEOUT": _MILLISECONDS,
    "PI_TUI_WRITE_LOG": _ANY,
    "PI_TUI_DEBUG_REDRAW": _ON,
    "PI_TUI_DEBUG": _ON,
    "PI_DEMO_SCRIPT": _FILE,
    "OPENAI_BASE_URL": _SERVER,
    "LLAMA_BASE_URL": _SERVER,
    "HTTP_PROXY": _PROXY,
    "HTTPS_PROXY": _PROXY,
    "ALL_PROXY": _PROXY,
    "http_proxy": _PROXY,
    "https_proxy": _PROXY,
    "all_proxy": _PROXY,
    "SSL_CERT_FILE": _FILE,
}
# What commands that pi runs find set.
_SET_BY_PI: Final = ("PI_CODING_AGENT", *SESSION_VARIABLES)


def check_variables(here: Surroundings) -> list[Finding]:
    """Return what there is to say of the environment."""
    wrong = [*_wrong_values(here), *_wrong_names(here)]
    if wrong:
        return wrong
    names = [name for name in VARIABLES if here.environ.get(name)]
    text = f"{', '.join(names)} set" if names else "none that pi reads is set"
    return [Finding("variables", text, details={"set": names})]


def _wrong_values(here: Surroundings) -> Iterator[Finding]:
    for name, kind in VARIABLES.items():
        value = here.environ.get(name, "").strip()
        if value and not kind.accepts(value):
            advice = f"Set it to {kind.expected}, or unset it."
            # The value of a proxy may have a password in it.
            shown = name if kind in (_PROXY, _SERVER) else f"{name}={value}"
            text = f"{shown} is not {kind.expected}"
            yield Finding("variables", text, "warning", advice, {"name": name})


def _wrong_names(here: Surroundings) -> Iterator[Finding]:
    known = [name for name in (*VARIABLES, *_SET_BY_PI) if name.startswith("PI_")]
    for name in sorted(here.environ):
        if not name.startswith("PI_") or name in known:
            continue
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        if close:
            advice = f"Did you mean {close[0]}?"
            yield Finding("variables", f"pi does not know {name}", "note", advice, {"name": name})
