"""Scripts: agents in any language. Here for their authors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardwright.commands.common import check_games, named_game, options_given
from boardwright.commands.declared import group
from boardwright.commands.options import SeatsOption, SeedOption, VariantOption
from boardwright.errors import BoardwrightError
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.scripts.check import Verdict

_SHOWN = 160  # characters of a line, unless all are wanted


class CheckScript(SeatsOption, SeedOption, VariantOption):
    """Play a few games with a script, show the conversation line by line, and say what is wrong with it.

    The script plays against random agents, in each seat in turn. Lines that begin with > are the host's, those with <
    are the script's.

    Example: boardwright script check ./my_bot.py connect_four
    """

    command: str = argument("The program, as ./bot.py or 'node bot.js'.", "COMMAND")
    game: str = argument("A game's name, or a Python file that defines one.", "GAME")
    games: int = option(2, "How many games to play.", "-n")
    full: bool = option(False, "Show whole lines.", "--full")

    def run(self, console: Console) -> Verdict:
        """What the dry run has shown; BoardwrightError if something is wrong."""
        from rich.markup import escape

        from boardwright.scripts.check import FROM_SCRIPT, check_script

        check_games(self.games)

        def show_line(number: int, who: str, line: str) -> None:
            shown = line if self.full or len(line) <= _SHOWN else f"{line[:_SHOWN]} … ({len(line):,} characters)"
            colour = "bold" if who == FROM_SCRIPT else "dim"
            console.print(f"{number:>4} [{colour}]{who} {escape(shown)}[/]", highlight=False, soft_wrap=True)

        spec = self.command if self.command.startswith("script:") else f"script:({self.command})"
        verdict = check_script(
            spec,
            named_game(self.game),
            games=self.games,
            seats=self.seats,
            seed=self.seed,
            options=options_given(self.options),
            show_line=show_line,
        )
        for hint in verdict.hints:
            console.print(f"[yellow]hint[/]   {escape(hint)}", highlight=False, soft_wrap=True)
        if verdict.failure:
            raise BoardwrightError(f"after line {verdict.line} of the conversation: {verdict.failure}")
        console.print(f"[green]ok[/]     {escape(verdict.summary())}", highlight=False, soft_wrap=True)
        return verdict


app = group({"check": CheckScript})
