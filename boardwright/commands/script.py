"""Scripts: agents in any language. Here for their authors."""

from __future__ import annotations

from typing import Annotated

import typer

from boardwright.commands.common import GameName, Options, Seats, Seed, named_game, options_given, terminal

app = typer.Typer()

_SHOWN = 160  # characters of a line, unless all are wanted


@app.callback()
def group() -> None:
    """Keeps `check` a command of its own, although it is the only one."""


@app.command("check")
def check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The program, as ./bot.py or 'node bot.js'.")],
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 2,
    seats: Seats = None,
    seed: Seed = 0,
    option: Options = None,
    full: Annotated[bool, typer.Option("--full", help="Show whole lines.")] = False,
) -> None:
    """Play a few games with a script, show the conversation line by line, and say what is wrong with it.

    The script plays against random agents, in each seat in turn. Lines that begin with > are the host's, those with <
    are the script's.

    Example: boardwright script check ./my_bot.py connect_four
    """
    from rich.markup import escape

    from boardwright.commands.common import check_games
    from boardwright.errors import BoardwrightError
    from boardwright.scripts.check import FROM_SCRIPT, check_script

    check_games(games)
    console = terminal()

    def show_line(number: int, who: str, line: str) -> None:
        shown = line if full or len(line) <= _SHOWN else f"{line[:_SHOWN]} … ({len(line):,} characters)"
        colour = "bold" if who == FROM_SCRIPT else "dim"
        console.print(f"{number:>4} [{colour}]{who} {escape(shown)}[/]", highlight=False, soft_wrap=True)

    spec = command if command.startswith("script:") else f"script:({command})"
    verdict = check_script(
        spec, named_game(game), games=games, seats=seats, seed=seed, options=options_given(option), show_line=show_line
    )
    for hint in verdict.hints:
        console.print(f"[yellow]hint[/]   {escape(hint)}", highlight=False, soft_wrap=True)
    if verdict.failure:
        raise BoardwrightError(f"after line {verdict.line} of the conversation: {verdict.failure}")
    console.print(f"[green]ok[/]     {escape(verdict.summary())}", highlight=False, soft_wrap=True)
