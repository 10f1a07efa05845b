"""Play style: how agents play, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.commands.common import (
    GameName,
    Games,
    Jobs,
    JsonFile,
    On,
    Options,
    PlotFile,
    Seats,
    Seed,
    check_games,
    check_plot,
    executor_given,
    named_game,
    options_given,
    publish,
    records_in,
    terminal,
)


def style(
    game: GameName,
    agents: Annotated[list[str] | None, typer.Argument(metavar="AGENT...", help="Whose styles to compare.")] = None,
    games: Games = 100,
    seats: Seats = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    on: On = None,
    option: Options = None,
    records: Annotated[
        list[Path] | None,
        typer.Option("--records", metavar="FILE", help="Read these record files instead of playing; repeatable."),
    ] = None,
    folder: Annotated[
        Path, typer.Option(help="Where games are recorded; games that are there already are not played again.")
    ] = Path("matches/style"),
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """How do agents play, apart from how well? Profiles with intervals, distances, who is recognised by its games.

    Examples:

      boardwright style race netsearch heuristic scout2 --games 200 --plot styles.png

      boardwright style lords --records matches/evening.jsonl
    """
    from boardwright.errors import BadSpec
    from boardwright.playstyle.games import play_for_style
    from boardwright.playstyle.profile import StyleGames
    from boardwright.playstyle.report import style_report

    played, console = named_game(game), terminal()
    check_games(games)
    check_plot(plot)
    if bool(records) == bool(agents):
        raise BadSpec("name the agents that are to play, or --records to read; not both")
    if records:
        read = [record for file in records for record in records_in(file)]
        if any(record.game != played.name for record in read):
            raise BadSpec(f"not all of these records are games of {played.name}")
        found = StyleGames.over(read)
        names = list(dict.fromkeys(row.agent for row in found.rows))
    else:
        names = list(agents or ())
        found = play_for_style(
            played,
            names,
            games=games,
            seats=played.check_seats(seats),
            seed=seed,
            executor=executor_given(jobs, on),
            folder=folder,
            options=options_given(option),
        )
    if not found.rows:
        raise BadSpec("there is no finished game to look at")
    publish(style_report(played, found.rows, names, seed=seed), console, json, plot)


COMMANDS = (style,)
