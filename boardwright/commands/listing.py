"""What games and agents there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardwright.commands.common import named_game
from boardwright.errors import BoardwrightError
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.kernel import Game


class ListGames(Checked):
    """List the games, or show one with its variants and agents.

    Example: boardwright games wonders
    """

    game: str | None = argument("Show this game with its variants.", "[GAME]", default=None)

    def run(self, console: Console) -> None:
        if self.game is None:
            _list_games(console)
        else:
            _show_game(named_game(self.game), console)


def _list_games(console: Console) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from boardwright import registry

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


def _show_game(game: Game, console: Console) -> None:
    from rich.markup import escape

    from boardwright import registry
    from boardwright.agents.levels import levels
    from boardwright.bench.ladders import level_ratings, rating_shown
    from boardwright.terminal.layout import hanging

    hidden = "with hidden information or chance" if game.has_hidden_information else "everything open"
    console.print(f"[bold]{game.name}[/]  {escape(game.title)}, {_seats(game)} seats, {hidden}", highlight=False)
    for key, variant in game.options.items():
        console.print(
            f"  --option [bold]{key}[/]={escape(str(variant.default))} [dim]({escape(variant.allowed)})[/]",
            highlight=False,
        )
        console.print(escape(hanging(f"      {variant.meaning}", console.width, further_in=0)), highlight=False)
    console.print(f"agents: {', '.join(registry.agents(game))}", highlight=False)
    seats = game.seats[0]
    console.print(f"levels, which are specs as well; at {seats} seats they stand for:", highlight=False)
    ratings = level_ratings(game, seats)
    for level, spec in levels(game, seats).items():
        rated = f", rated {rating_shown(ratings[level])}" if level in ratings else ""
        console.print(f"  {level}: [bold]{escape(spec)}[/]{rated}", highlight=False)
    console.print(f"[dim]boardwright play {escape(game.source or game.name)} --vs easy[/]", highlight=False)


def _seats(game: Game) -> str:
    return f"{min(game.seats)}–{max(game.seats)}" if len(game.seats) > 1 else str(game.seats[0])


class ListAgents(Checked):
    """List the agents; with a name, tell all about one: its parameters, their defaults and meaning.

    Examples:

      boardwright agents netsearch

      boardwright agents kuhn_poker
    """

    name: str | None = argument(
        "Tell all about this agent, or list those that play this game.", "[AGENT|GAME]", default=None
    )
    everything: bool = option(False, "Show advanced parameters, too.", "--all")

    def run(self, console: Console) -> None:
        from boardwright import registry
        from boardwright.terminal.agent_list import show_agent, show_agents

        all_games = [registry.load_game(game) for game in registry.games()]
        if self.name is None:
            show_agents(all_games, console)
        elif self.name in registry.games() or self.name.endswith(".py"):
            show_agents([named_game(self.name)], console)
        else:
            show_agent(self.name, all_games, console, self.everything)
            return
        console.print("[dim]boardwright agents NAME tells all about one of them[/]", highlight=False)


COMMANDS = {"games": ListGames, "agents": ListAgents}
