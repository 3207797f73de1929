"""The command line: `main()` reads the arguments and starts the mode they ask for.

Each mode imports only what it needs, when it is chosen.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from pi_agent.cli.streams import flush_streams, open_closed_streams, say

if TYPE_CHECKING:
    from pi_agent.base.errors import PiError
    from pi_agent.cli.args import Args
    from pi_agent.host.options import RunOptions


def run() -> NoReturn:
    """Be the process `pi`: run `main`, and exit whatever was left running."""
    status = main()
    if "asyncio" not in sys.modules:
        sys.exit(status)  # there was no loop to leave something in
    from pi_agent.cli.process import end_process

    end_process(status)


def main(words: Sequence[str] | None = None) -> int:
    """Run `pi` with the arguments `words` (the process's own by default); returns the exit status."""
    open_closed_streams()
    try:
        status = _main(sys.argv[1:] if words is None else words)
    except BrokenPipeError:
        status = 0  # whoever read the output has seen enough
    except OSError as error:
        # Of printing: the modes tell of their own failures.
        say(f"Error: The output could not be written: {error.strerror}")
        status = 1
    return status if flush_streams() else status or 1


def _main(words: Sequence[str]) -> int:
    if words and words[0] in ("-v", "--version"):
        from pi_agent._version import __version__

        print(f"pi {__version__}")
        return 0
    from pi_agent.cli.subcommands import find_subcommand

    if (row := find_subcommand(words)) is not None:
        from pi_agent.cli.run_subcommand import run_subcommand

        return run_subcommand(row, words[1:])
    from pi_agent.cli.args import parse_args

    parsed = parse_args(words)
    if parsed.args.help:
        return _print_help()
    if parsed.errors:
        for error in parsed.errors:
            say(f"Error: {error}")
        say("`pi --help` lists the options.")
        return 1
    if parsed.args.version:
        return _main(["--version"])
    return _start(parsed.args, parsed.warnings)


def _print_help() -> int:
    import shutil

    from pi_agent.cli.help import help_text

    print(help_text(shutil.get_terminal_size().columns))
    return 0


def _start(args: Args, warnings: Sequence[str]) -> int:
    # What is loaded at the start stays: looking for garbage in it takes a tenth of the time.
    gc.disable()
    try:
        return _start_mode(args, warnings)
    finally:
        gc.enable()


def _start_mode(args: Args, warnings: Sequence[str]) -> int:
    from pi_agent.base.errors import PiError
    from pi_agent.cli.crash import run_reporting_crashes
    from pi_agent.cli.start import run_options

    try:
        options = run_options(args, warnings, os.environ)
    except PiError as error:
        return _refuse(error)
    return run_reporting_crashes(options.paths.logs_dir, lambda: _run(args, options))


def _run(args: Args, options: RunOptions) -> int:
    from pi_agent.base.errors import PiError
    from pi_agent.cli.start import is_interactive

    if args.list_models is not None:
        return _list_models(args.list_models, options)
    if args.export is not None:
        return _export(args.export, "".join(args.messages), options)
    if not is_interactive(args):
        return _refuse_screen(args) if args.resume or args.follow else _one_shot(args, options)
    if options.environ.get("TERM") == "dumb":
        return _refuse(
            PiError(
                "This terminal (TERM=dumb) cannot show a screen.", "`pi -p` answers without one."
            )
        )
    if args.follow is not None:
        return _follow(args, args.follow, options)
    return _open(args, options)


def _refuse_screen(args: Args) -> int:
    if args.follow is not None:
        say("Error: --follow shows a session on a screen, and there is none here.")
        return 1
    say("Error: --resume asks which session to go on with, and nobody can be asked here.")
    say("Use --continue for the latest one, or --session to name one.")
    return 1


def _follow(args: Args, reference: str, options: RunOptions) -> int:
    from dataclasses import replace

    from pi_agent.base.errors import PiError
    from pi_agent.session.listing import find_to_read

    if args.messages or args.files:
        return _refuse(PiError("Nothing can be said in a session that is followed."))
    try:
        path = find_to_read(reference, cwd=options.cwd, paths=options.paths)
    except PiError as error:
        return _refuse(error)
    return _interactive(args, replace(options, follow=path))


def _open(args: Args, options: RunOptions) -> int:
    if options.session is None:
        return _interactive(args, options)

    from pi_agent.cli.elsewhere import settle_elsewhere

    settled = settle_elsewhere(options)
    return 0 if settled is None else _interactive(args, settled)


def _list_models(search: str, options: RunOptions) -> int:
    from pi_agent.cli.process import run_to_end
    from pi_agent.modes.list_models import list_models

    _print_warnings(options)
    _collect_garbage()
    return run_to_end(list_models(options, search, out=sys.stdout, err=sys.stderr))


def _export(session: str, to: str, options: RunOptions) -> int:
    from pi_agent.base.errors import PiError
    from pi_agent.cli.export import export_session
    from pi_agent.cli.process import run_to_end

    async def run() -> int:
        try:
            print(await export_session(options, session, to))
        except PiError as error:
            return _refuse(error)
        return 0

    _collect_garbage()
    return run_to_end(run())


def _one_shot(args: Args, options: RunOptions) -> int:
    from pi_agent.base.errors import PiError
    from pi_agent.cli.process import run_to_end
    from pi_agent.cli.start import read_piped
    from pi_agent.host.prompts import first_prompt
    from pi_agent.modes.json import JsonOutput
    from pi_agent.modes.one_shot import run_prompts
    from pi_agent.modes.stderr import Stderr
    from pi_agent.modes.stdout import stdout_for_answer
    from pi_agent.modes.text import TextOutput

    _print_warnings(options)
    try:
        message = args.messages[0] if args.messages else None
        first = first_prompt(read_piped(sys.stdin), args.files, message, cwd=options.cwd)
    except PiError as error:
        return _refuse(error)
    err = Stderr(sys.stderr)
    _collect_garbage()
    with stdout_for_answer(sys.stdout, sys.stderr) as out:
        output = JsonOutput(out, err) if args.mode == "json" else TextOutput(out, err)
        return run_to_end(run_prompts(options, first, args.messages[1:], output, err))


def _interactive(args: Args, options: RunOptions) -> int:
    from pi_agent.base.errors import PiError
    from pi_agent.base.text_paths import find_named_file
    from pi_agent.cli.process import run_to_end
    from pi_agent.ui.app import InteractiveApp
    from pi_agent.ui.capture import own_output
    from pi_tui.terminal import ProcessTerminal

    for file in args.files:
        path = find_named_file(file, options.cwd)
        if not os.path.exists(path):
            return _refuse(PiError(f"File not found: {path}"))
    terminal = ProcessTerminal(output_file=own_output(sys.stdout), environ=options.environ)
    app = InteractiveApp(
        options,
        terminal,
        files=args.files,
        messages=args.messages,
        when_imported=_collect_garbage,
    )
    exit_code = run_to_end(app.run())
    if terminal.is_gone:
        os._exit(129)  # the terminal hung up: nothing can be written any more
    if app.farewell:
        print(app.farewell)
    return exit_code


def _collect_garbage() -> None:
    """From now on look for garbage, but not in what is there."""
    gc.freeze()
    gc.enable()


def _print_warnings(options: RunOptions) -> None:
    if options.settings.error is not None:
        say(f"Error: {options.settings.error}")
    for warning in options.warnings:
        say(f"Warning: {warning}")
    if options.use_theme is not None or options.themes:
        _warn_of_themes(options)


def _warn_of_themes(options: RunOptions) -> None:
    """Name the themes that a screen would not find, where there is no screen to tell it."""
    from pi_agent.host.themes import theme_catalog
    from pi_agent.resources.themes import theme_names

    catalog = theme_catalog(options)
    names = catalog.names
    for problem in catalog.problems:
        say(f"Warning: {problem}")
    for name in dict.fromkeys(theme_names(options.use_theme)):
        if name not in names:
            say(f'Warning: Theme "{name}" was not found. There are: {", ".join(names)}.')


def _refuse(error: PiError) -> int:
    say(f"Error: {error.with_hint()}")
    return 1
