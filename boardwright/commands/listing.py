"""What games and agents there are."""

from __future__ import annotations

from typing import Annotated

import typer

from boardwright.commands.common import terminal
from boardwright.errors import BoardwrightError


def games() -> None:
    """List the games.

    Example: boardwright games
    """
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from boardwright import registry

    console, notes = terminal(), []
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in ("name", "game", "seats", "hidden", "agents of its own"):
        table.add_column(column, no_wrap=column == "name")
    for name in registry.games():
        try:
            game = registry.load_game(name)
        except BoardwrightError as error:
            notes.append(f"[red]{escape(str(error))}[/]")
            continue
        seats = f"{min(game.seats)}–{max(game.seats)}" if len(game.seats) > 1 else str(game.seats[0])
        table.add_row(name, game.title, seats, "yes" if game.has_hidden_information else "no", ", ".join(game.agents))
        notes += [
            f"[bold]{name}[/] --option {key}={option.default} [dim]({option.allowed})[/]: {escape(option.meaning)}"
            for key, option in game.options.items()
        ]
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)


def agents(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="List the agents that can play this game.")
    ] = None,
) -> None:
    """List the agents with every parameter, its default and meaning.

    Example: boardwright agents kuhn_poker
    """
    from boardwright import registry
    from boardwright.terminal.agent_list import agents_table

    chosen = [registry.load_game(game)] if game else [registry.load_game(name) for name in registry.games()]
    terminal().print(agents_table(chosen))


COMMANDS = (games, agents)
