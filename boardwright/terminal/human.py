"""A person at the terminal, as an agent like any other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import ClassVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from boardwright.agents import Agent, Decision, ask, param
from boardwright.agents.levels import STRONGEST, in_full
from boardwright.arena.loop import LeaveGame, TakeBack
from boardwright.kernel import Code, Observation
from boardwright.kernel.set_choice import SetChoice
from boardwright.registry import make_agent
from boardwright.terminal.answers import pick, places_in
from boardwright.terminal.keys import forget_typed_keys
from boardwright.terminal.layout import hanging, position_panel
from boardwright.terminal.reasons import reasons_table

_INDENT = 5  # of what is said about a choice, below it


class Step(Decision):
    """One step of a choice that a person has made as a whole."""

    def __init__(self, action: int, told: str = "") -> None:
        super().__init__(action)
        self.told = told
        """The whole choice in words, with its first step."""


class Human(Agent):
    """You, at this terminal."""

    hints: str = param("", "the agent asked for a hint; default: the strongest of the game")

    interactive: ClassVar[bool] = True

    def prepare(self) -> None:
        self.console = Console()
        self._steps: list[int] = []  # of a set that is chosen already
        self._taking_back = False
        self._seats = self.game.seats[0]

    def check_seats(self, seats: int) -> None:
        self._seats = seats
        with closing(self._adviser(seats)) as adviser:
            adviser.check_seats(seats)

    def needs(self) -> Sequence[Code]:
        with closing(self._adviser(self._seats)) as adviser:
            return adviser.needs()

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        if self._steps and self._steps[0] in legal:
            return Step(self._steps.pop(0))
        self._steps = []
        choice = self._set_choice(observation)
        if choice is not None and choice.begun:
            if self._taking_back:  # to where the set was chosen, not into the middle of it
                raise TakeBack
            choice = None
        self._taking_back = False
        self._show(observation)
        return self._ask_for_one(observation, legal) if choice is None else self._ask_for_set(observation, choice)

    def _set_choice(self, observation: Observation) -> SetChoice | None:
        find = self.game.text.set_choice
        return find(observation.record) if find is not None else None

    def _show(self, observation: Observation) -> None:
        title = f"{self.game.title}: you are {self.game.seat_name(self.seat)}"
        self.console.print(position_panel(str(observation), title, self.console))

    def _ask_for_one(self, observation: Observation, legal: Sequence[int]) -> Decision:
        texts = [self.game.describe(observation, action) for action in legal]
        explain = self.game.text.action_details
        details = [explain(observation.record, action) if explain else "" for action in legal]
        self._menu(texts, details)
        while True:
            answer = self._answer("Your choice", observation)
            choice = pick(answer, texts)
            if choice is not None:
                return Decision(legal[choice])
            self._complain(answer)

    def _ask_for_set(self, observation: Observation, choice: SetChoice) -> Decision:
        self._menu(choice.items, choice.details)
        many = f"{choice.least}" if choice.least == choice.most else f"{choice.least} to {choice.most}"
        self.console.print(
            f"[bold]{choice.verb.capitalize()} {many} of {len(choice.items)}:[/] [dim]numbers, as 1 3;"
            " 'but 2 5' for all others[/]",
            highlight=False,
        )
        while True:
            answer = self._answer(f"You {choice.verb}", observation)
            places = places_in(answer, choice.items)
            if places is None:
                self._complain(answer)
            elif not choice.least <= len(places) <= choice.most:
                self.console.print(f"[red]{many} of them, not {len(places)}[/]")
            else:
                told = f"{choice.verb} {', '.join(choice.items[place] for place in places) or 'nothing'}"
                first, *self._steps = choice.actions(places)
                return Step(first, told)

    def _answer(self, prompt: str, observation: Observation) -> str:
        """What the person answers; questions back are answered here."""
        while True:
            forget_typed_keys()
            try:
                answer = self.console.input(f"[bold]{prompt}[/] [dim](h for help)[/]: ").strip().lower()
            except EOFError:
                raise LeaveGame from None
            if answer in ("q", "quit", "exit"):
                raise LeaveGame
            if answer in ("u", "undo"):
                self._taking_back = True
                raise TakeBack
            if answer in ("h", "help", ""):
                self.console.print(f"[dim]{self._help()}[/]", highlight=False)
            elif answer == "?":
                self._hint(observation)
            elif answer == "p":
                self._show(observation)
            elif answer.startswith("card ") and self.game.text.cards is not None:
                self._look_up(answer.removeprefix("card ").strip())
            elif answer in self.game.text.pages:
                self.console.print(escape(self.game.text.pages[answer](observation.record, self.seat)))
            else:
                return answer

    def _help(self) -> str:
        pages = "".join(f", {name}" for name in self.game.text.pages)
        cards = ", card NAME explains a card" if self.game.text.cards is not None else ""
        return (
            "a number or the beginning of a choice; ? a hint, u take back, p the position again, q leave"
            f"{cards}{pages}; what you type while others think does not count"
        )

    def _complain(self, answer: str) -> None:
        self.console.print(f"[red]{escape(repr(answer))} is not one of the choices[/] [dim](h for help)[/]")

    def _menu(self, texts: Sequence[str], details: Sequence[str]) -> None:
        if any(details):
            for number, (text, detail) in enumerate(zip(texts, details, strict=True), 1):
                self.console.print(f"[bold cyan]{number:>2}[/] [bold]{escape(text)}[/]", highlight=False)
                if detail:
                    below = hanging(" " * _INDENT + detail, self.console.width, further_in=0)
                    self.console.print(f"[dim]{escape(below)}[/]", highlight=False)
            return
        table = Table.grid(padding=(0, 2))
        per_row = max(1, min(4, self.console.width // (max(map(len, texts)) + 8)))
        cells = [f"[bold cyan]{number}[/] {escape(text)}" for number, text in enumerate(texts, 1)]
        for start in range(0, len(cells), per_row):
            table.add_row(*cells[start : start + per_row])
        self.console.print(table)

    def _look_up(self, name: str) -> None:
        assert self.game.text.cards is not None
        cards = self.game.text.cards()
        found = [text for card, text in cards.items() if card.lower() == name]
        found = found or [text for card, text in cards.items() if name in card.lower()]
        self.console.print(escape("\n\n".join(found)) if found else f"[red]there is no card {escape(repr(name))}[/]")

    def _hint(self, observation: Observation) -> None:
        with closing(self._adviser(observation.seats)) as adviser:
            name = self._adviser_spec(observation.seats)
            with self.console.status(f"{escape(name)} is thinking"):
                decision = ask(adviser, observation)
        self.console.print(reasons_table(self.game, observation, decision, title=f"{name} would choose"))

    def _adviser(self, seats: int) -> Agent:
        return make_agent(self._adviser_spec(seats), self.game, self.seat, seed=self.seed)

    def _adviser_spec(self, seats: int) -> str:
        return in_full(self.hints or STRONGEST, self.game, seats, self.game_options)
