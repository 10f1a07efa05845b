"""The command line. Each command imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from boardwright.commands import authoring, learning, listing, playing, study, web
from boardwright.commands.common import HELP
from boardwright.commands.groups import group_apps
from boardwright.ctrl_c import STOPPED, heeded_soon
from boardwright.errors import BoardwrightError
from boardwright.scout import commands as scout_commands

app = typer.Typer(
    name="boardwright",
    help="A workbench for artificial opponents in modern board games.",
    epilog="An agent is a short text: random, uct:iterations=500, ismcts:seconds=0.1,threads=2."
    " `boardwright agents` lists them all. A game or agent can also be the path of a Python file.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)

RENAMED_OPTIONS: dict[str, dict[str, str]] = {
    "train": {
        "--worlds": "--determinizations",
        "--generation": "--generation-size",
        "--passes": "--epochs",
        "--rate": "--learning-rate",
        "--trust": "--prior-weight",
        "--fade": "--td-lambda",
        "--every": "--reference-every",
    },
    **scout_commands.RENAMED_OPTIONS,
}
"""By command, as typed after `boardwright`: options that had another name before, and the one to use now."""

for _subject in (listing, playing, web, authoring, learning, study):
    for _command in _subject.COMMANDS:
        app.command(_command.__name__.rstrip("_"))(_command)
for _group in group_apps():
    app.add_typer(_group)


@app.command()
def version() -> None:
    """Print the version."""
    from boardwright import __version__

    print(__version__)


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what the user can mend is one line on stderr and a non-zero exit."""
    try:
        with heeded_soon():
            code: Any = app(args=arguments, standalone_mode=False)
    except BoardwrightError as error:
        if os.environ.get("BOARDWRIGHT_DEBUG"):
            raise
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("stopped", STOPPED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer raises for a bad command line has it
            raise
        _fail(f"{_new_name(error) or error.format_message()} (see {_help_for(error)})", 2)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _new_name(error: Any) -> str:
    """What to say of an option that does not exist any more; nothing if that is not the error."""
    old, words, context = getattr(error, "option_name", ""), [], getattr(error, "ctx", None)
    while context is not None and context.parent is not None:
        words.append(context.info_name)
        context = context.parent
    new = RENAMED_OPTIONS.get(" ".join(reversed(words)), {}).get(old)
    return f"{old} is now called {new}" if new else ""


def _help_for(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'boardwright'} --help"


def _fail(message: str, code: int) -> None:
    print(f"boardwright: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
