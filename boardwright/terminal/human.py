"""A person at the terminal, as an agent like any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from boardwright.agents import Agent, Decision, ask, param
from boardwright.arena.loop import LeaveGame, TakeBack
from boardwright.kernel import Code, Observation
from boardwright.registry import make_agent
from boardwright.terminal.reasons import reasons_table

HELP = "a number or the beginning of an action's words; ? a hint, u take back, q stop"


class Human(Agent):
    """You, at this terminal."""

    hints: str = param("ismcts:seconds=1", "the agent asked for a hint")

    interactive: ClassVar[bool] = True

    def prepare(self) -> None:
        self.console = Console()

    def needs(self) -> Sequence[Code]:
        return make_agent(self.hints, self.game, self.seat).needs()

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        words = [self.game.describe(observation, action) for action in legal]
        self.console.print(
            Panel(escape(str(observation)), title=f"{self.game.title}: you are {self.game.seat_name(self.seat)}")
        )
        self._menu(words)
        while True:
            try:
                answer = self.console.input("[bold]Your choice[/] [dim](h for help)[/]: ").strip().lower()
            except EOFError:
                raise LeaveGame from None
            if answer in ("q", "quit", "exit"):
                raise LeaveGame
            if answer in ("u", "undo"):
                raise TakeBack
            if answer in ("h", "help", ""):
                self.console.print(f"[dim]{HELP}[/]")
            elif answer == "?":
                self._hint(observation)
            elif (choice := pick(answer, words)) is not None:
                return Decision(legal[choice])
            else:
                self.console.print(f"[red]{escape(answer)!r} is not one of the choices[/] [dim]({HELP})[/]")

    def _menu(self, words: list[str]) -> None:
        table = Table.grid(padding=(0, 2))
        per_row = max(1, min(4, self.console.width // (max(map(len, words)) + 8)))
        cells = [f"[bold cyan]{number}[/] {escape(text)}" for number, text in enumerate(words, 1)]
        for start in range(0, len(cells), per_row):
            table.add_row(*cells[start : start + per_row])
        self.console.print(table)

    def _hint(self, observation: Observation) -> None:
        with self.console.status(f"{self.hints} is thinking"):
            decision = ask(make_agent(self.hints, self.game, self.seat, seed=self.seed), observation)
        self.console.print(reasons_table(self.game, observation, decision, title=f"{self.hints} would choose"))


def pick(answer: str, words: list[str]) -> int | None:
    """The place of the choice that an answer means: its number, its words, or a beginning that fits only one."""
    lowered = [text.lower() for text in words]
    if answer in lowered:
        return lowered.index(answer)
    if answer.isdigit():
        return int(answer) - 1 if 1 <= int(answer) <= len(words) else None
    fitting = [place for place, text in enumerate(lowered) if text.startswith(answer)]
    return fitting[0] if len(fitting) == 1 else None
