"""The command line. Each command imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import errno
import os
import sys
import threading
import traceback
from typing import Annotated, Any

import typer

from boardwright.blame import printable
from boardwright.commands import (
    authoring,
    bench,
    coach,
    engine,
    learning,
    listing,
    playing,
    study,
    style,
    tables,
    tournament,
    web,
)
from boardwright.commands.common import HELP
from boardwright.commands.declared import add_commands
from boardwright.commands.groups import group_apps
from boardwright.ctrl_c import STOPPED, heeded_soon
from boardwright.errors import BoardwrightError
from boardwright.platforms import open_closed_output, replace_unknown_characters

EPILOG = (
    "An agent is a short text: random, uct:iterations=500, ismcts:seconds=0.1,threads=2."
    " `boardwright agents` lists them all. A game or agent can also be the path of a Python file."
)

app = typer.Typer(
    name="boardwright",
    help="A workbench for artificial opponents in modern board games.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)

for _subject in (listing, playing, coach, web, authoring, learning, study, tables, tournament, bench, engine, style):
    add_commands(app, _subject.COMMANDS)
for _group in group_apps():
    app.add_typer(_group)


def _print_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


@app.callback(epilog=EPILOG)
def everywhere(
    version_: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the whole traceback of an error; anywhere on the command line.")
    ] = False,
) -> None:
    """A workbench for artificial opponents in modern board games."""


@app.command()
def version() -> None:
    """Print the version."""
    from boardwright import __version__

    print(__version__)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave. A thread that an agent has started and left does not keep the process from ending."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if "--debug" in arguments:
        arguments.remove("--debug")
        os.environ["BOARDWRIGHT_DEBUG"] = "1"
    open_closed_output()
    replace_unknown_characters()
    threads = set(threading.enumerate())
    try:
        _run(arguments)
    except SystemExit as leaving:
        left = set(threading.enumerate()) - threads
        if left:
            from boardwright.processes import lasting_threads

            left &= lasting_threads()
        if not left:
            raise
        names = ", ".join(sorted(thread.name for thread in left))
        print(f"boardwright: threads were left running and are ended with the program: {names}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(leaving.code if isinstance(leaving.code, int) else 0)


def _run(arguments: list[str] | None) -> None:
    """What the user can mend is one line on stderr and a non-zero exit."""
    try:
        with heeded_soon():
            code: Any = app(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except BoardwrightError as error:
        if os.environ.get("BOARDWRIGHT_DEBUG"):
            print(getattr(error, "traceback", "") or traceback.format_exc(), file=sys.stderr)
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("stopped", STOPPED)
    except BrokenPipeError:
        _no_more_output()
        sys.exit(1)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        _no_more_output()
        _fail(f"cannot write the output: {error.strerror}", 1)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer raises for a bad command line has it
            raise
        _fail(f"{error.format_message()} (see {_help_for(error)})", 2)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _no_more_output() -> None:
    """What is still to be written to stdout, and cannot be, is dropped without another error at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _help_for(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'boardwright'} --help"


def _fail(message: str, code: int) -> None:
    print(f"boardwright: {printable(message)}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
