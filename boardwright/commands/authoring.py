"""For those who write games: checks, golden games, compiling ahead of time."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import GameName, Seed, check_games, check_outputs, named_game, terminal
from boardwright.errors import BadSpec, BoardwrightError

if TYPE_CHECKING:
    from boardwright.kernel import Code, Game


def check(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="Random games for each check.")] = 20,
    seed: Seed = 0,
) -> None:
    """Check that a game keeps the contract: legality, conservation, secrecy, reproducibility, compiled = uncompiled.

    It stops at the first thing that is wrong and names the line. The game runs in processes of its own, as plain Python
    first and with bounds checks next: a wrong rule can neither crash nor hang the check.

    Example: boardwright check my_game.py
    """
    from rich.markup import escape

    from boardwright.conformance.process import check_game
    from boardwright.kernel.position import check_seed

    check_games(games)
    check_seed(seed)
    console = terminal()
    for verdict in check_game(game, games, seed):
        if verdict.failure:
            console.print(f"[red]FAILED[/] {escape(verdict.promise)}", highlight=False, soft_wrap=True)
            raise BoardwrightError(verdict.failure)
        console.print(f"[green]ok[/]     {escape(verdict.promise)}", highlight=False, soft_wrap=True)


def playthrough(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game to print.")] = None,
    all_: Annotated[Path | None, typer.Option("--all", metavar="FOLDER", help="Write one file per game there.")] = None,
) -> None:
    """Print a random game in full, or write those of all games for the tests.

    Example: boardwright playthrough kuhn_poker
    """
    from boardwright import registry
    from boardwright.files import atomic_output
    from boardwright.playthrough import playthrough

    if (game is None) == (all_ is None):
        raise BadSpec("give either a game or --all FOLDER")
    if game is not None:
        print(playthrough(named_game(game)), end="")
        return
    assert all_ is not None
    for name in registry.games():
        file = all_ / f"{name}.txt"
        check_outputs(file)
        with atomic_output(file) as temporary:
            temporary.write_text(playthrough(registry.load_game(name)), encoding="utf-8", newline="\n")
        print(file)


def schema(game: Annotated[str, typer.Argument(metavar="GAME", help="A game, or the path of one.")]) -> None:
    """Print the JSON schema of a game's states, observations, actions and options.

    Example: boardwright schema race > race.schema.json
    """
    import json

    from boardwright.schema import schema

    print(json.dumps(schema(named_game(game)), indent=2))


def compile_(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; default: all.")] = None,
) -> None:
    """Compile games and search ahead of time, as for an image or a class room.

    Example: boardwright compile connect_four
    """
    import time

    from boardwright import registry
    from boardwright.kernel.ready import make_ready

    console, began = terminal(), time.perf_counter()
    games = [named_game(name) for name in names or registry.games()]
    code = [*usual_code(games), *(unit for game in games for unit in game.entries.everything())]
    make_ready(code)
    console.print(f"ready: {len(code)} parts in {time.perf_counter() - began:.1f} s", highlight=False)


def usual_code(games: Sequence[Game]) -> list[Code]:
    """The searches, and of games what their rules and agents need that are given no parameters."""
    from boardwright import registry
    from boardwright.learn import imitation, self_play, tree_search, turn_search
    from boardwright.search import CODE

    code: list[Code] = [*CODE.values(), self_play.code, turn_search.code, tree_search.code, imitation.code]
    for game in games:
        code += game.entries.everything(playouts=False)
        for agent in registry.agents_of(game):
            with contextlib.suppress(BoardwrightError):  # it plays only with parameters, or where a server answers
                code += registry.make_agent(agent, game, 0).needs()
    return code


COMMANDS = (check, playthrough, schema, compile_)
