"""What games and agents there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import named_game, terminal
from boardwright.errors import BoardwrightError

if TYPE_CHECKING:
    from boardwright.kernel import Game


def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show this game with its variants.")] = None,
) -> None:
    """List the games, or show one with its variants and agents.

    Example: boardwright games wonders
    """
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from boardwright import registry

    console = terminal()
    if game is not None:
        _show_game(named_game(game))
        return
    table, notes = Table(box=SIMPLE_HEAD, pad_edge=False), []
    for column in ("name", "game", "seats", "variants"):
        table.add_column(column, no_wrap=column == "name", justify="right" if column == "variants" else "left")
    for name in registry.games():
        try:
            loaded = registry.load_game(name)
        except BoardwrightError as error:
            notes.append(f"[red]{escape(str(error))}[/]")
            continue
        table.add_row(name, loaded.title, _seats(loaded), str(len(loaded.options) or ""))
    console.print(table)
    for note in [*notes, "[dim]boardwright games NAME shows one of them[/]"]:
        console.print(note, highlight=False)


def _show_game(game: Game) -> None:
    from rich.markup import escape

    from boardwright import registry
    from boardwright.agents.levels import levels
    from boardwright.bench.ladders import level_ratings
    from boardwright.terminal.layout import hanging

    console = terminal()
    hidden = "with hidden information or chance" if game.has_hidden_information else "everything open"
    console.print(f"[bold]{game.name}[/]  {escape(game.title)}, {_seats(game)} seats, {hidden}", highlight=False)
    for key, option in game.options.items():
        console.print(
            f"  --option [bold]{key}[/]={escape(str(option.default))} [dim]({escape(option.allowed)})[/]",
            highlight=False,
        )
        console.print(escape(hanging(f"      {option.meaning}", console.width, further_in=0)), highlight=False)
    console.print(f"agents: {', '.join(registry.agents(game))}", highlight=False)
    seats = game.seats[0]
    console.print(f"levels, which are specs as well; at {seats} seats they stand for:", highlight=False)
    ratings = level_ratings(game, seats)
    for level, spec in levels(game, seats).items():
        rated = f", rated {ratings[level].shown}" if level in ratings else ""
        console.print(f"  {level}: [bold]{escape(spec)}[/]{rated}", highlight=False)
    console.print(f"[dim]boardwright play {escape(game.source or game.name)} --vs easy[/]", highlight=False)


def _seats(game: Game) -> str:
    return f"{min(game.seats)}–{max(game.seats)}" if len(game.seats) > 1 else str(game.seats[0])


def agents(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[AGENT|GAME]", help="Tell all about this agent, or list those that play this game."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show advanced parameters, too.")] = False,
) -> None:
    """List the agents; with a name, tell all about one: its parameters, their defaults and meaning.

    Examples:

      boardwright agents netsearch

      boardwright agents kuhn_poker
    """
    from boardwright import registry
    from boardwright.terminal.agent_list import show_agent, show_agents

    console = terminal()
    all_games = [registry.load_game(game) for game in registry.games()]
    if name is None:
        show_agents(all_games, console)
    elif name in registry.games() or name.endswith(".py"):
        show_agents([named_game(name)], console)
    else:
        show_agent(name, all_games, console, everything)
        return
    console.print("[dim]boardwright agents NAME tells all about one of them[/]", highlight=False)


COMMANDS = (games, agents)
