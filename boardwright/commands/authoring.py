"""For those who write games: checks, golden games, compiling ahead of time."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.commands.common import check_games, check_outputs, named_game
from boardwright.commands.options import GameArgument, SeedOption
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.conformance.process import Verdict
    from boardwright.kernel import Code, Game


class CheckGame(GameArgument, SeedOption):
    """Check that a game keeps the contract: legality, conservation, secrecy, reproducibility, compiled = uncompiled.

    It stops at the first thing that is wrong and names the line. The game runs in processes of its own, as plain Python
    first and with bounds checks next: a wrong rule can neither crash nor hang the check.

    Example: boardwright check my_game.py
    """

    games: int = option(20, "Random games for each check.", "-n")

    def run(self, console: Console) -> list[Verdict]:
        """The promises that are kept; BoardwrightError at the first that is not."""
        from rich.markup import escape

        from boardwright.conformance.process import check_game
        from boardwright.kernel.position import check_seed

        check_games(self.games)
        check_seed(self.seed)
        kept = []
        for verdict in check_game(self.game, self.games, self.seed):
            if verdict.failure:
                console.print(f"[red]FAILED[/] {escape(verdict.promise)}", highlight=False, soft_wrap=True)
                raise BoardwrightError(verdict.failure)
            console.print(f"[green]ok[/]     {escape(verdict.promise)}", highlight=False, soft_wrap=True)
            kept.append(verdict)
        return kept


class PrintPlaythrough(Checked):
    """Print a random game in full, or write those of all games for the tests.

    Example: boardwright playthrough kuhn_poker
    """

    game: str | None = argument("The game to print.", "[GAME]", default=None)
    all_: Path | None = option(None, "Write one file per game there.", "--all", metavar="FOLDER")

    def run(self, console: Console) -> str:
        """The game as text; with a folder, the names of its files."""
        from boardwright import registry
        from boardwright.files import atomic_output
        from boardwright.playthroughs import playthrough

        if self.game is not None and self.all_ is None:
            text = playthrough(named_game(self.game))
            console.out(text, highlight=False, end="")
            return text
        if self.all_ is None or self.game is not None:
            raise BadSpec("give either a game or --all FOLDER")
        files = [self.all_ / f"{name}.txt" for name in registry.games()]
        for file in files:
            check_outputs(file)
            with atomic_output(file) as temporary:
                temporary.write_text(playthrough(named_game(file.stem)), encoding="utf-8", newline="\n")
            console.out(file, highlight=False)
        return "\n".join(map(str, files))


class PrintSchema(GameArgument):
    """Print the JSON schema of a game's states, observations, actions and options.

    Example: boardwright schema race > race.schema.json
    """

    def run(self, console: Console) -> dict[str, Any]:
        import json

        from boardwright.schemas import schema

        described = schema(named_game(self.game))
        console.out(json.dumps(described, indent=2), highlight=False)
        return described


class CompileGames(Checked):
    """Compile games and search ahead of time, as for an image or a class room.

    Example: boardwright compile connect_four
    """

    names: list[str] | None = argument("Games; default: all.", "[GAME]...", default=None)

    def run(self, console: Console) -> int:
        """How many parts are compiled now."""
        import time

        from boardwright import registry
        from boardwright.kernel.ready import make_ready

        began = time.perf_counter()
        games = [named_game(name) for name in self.names or registry.games()]
        code = [*usual_code(games), *(unit for game in games for unit in game.entries.everything())]
        make_ready(code)
        console.print(f"ready: {len(code)} parts in {time.perf_counter() - began:.1f} s", highlight=False)
        return len(code)


def usual_code(games: Sequence[Game]) -> list[Code]:
    """The searches, and of games what their rules and agents need that are given no parameters."""
    from boardwright import registry
    from boardwright.learn import imitation, self_play, tree_search, turn_search
    from boardwright.search import CODE

    code: list[Code] = [*CODE.values(), self_play.code, turn_search.code, tree_search.code, imitation.code]
    for game in games:
        code += [*game.entries.everything(playouts=False), *game.entries.code("playout random")]
        for agent in ("uct", "ismcts", *registry.agents_of(game)):
            with contextlib.suppress(BoardwrightError):  # it plays only with parameters, or where a server answers
                code += registry.make_agent(agent, game, 0).needs()
    return code


COMMANDS = {"check": CheckGame, "playthrough": PrintPlaythrough, "schema": PrintSchema, "compile": CompileGames}
