"""A person at the terminal, as an agent like any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import ClassVar

from rich.console import Console
from rich.markup import escape

from boardwright.agents import Agent, Decision, ask, param
from boardwright.agents.levels import STRONGEST, in_full
from boardwright.arena.loop import LeaveGame, TakeBack
from boardwright.kernel import Code, Observation
from boardwright.kernel.set_choice import SetChoice
from boardwright.platforms import forget_typed_keys
from boardwright.registry import make_agent
from boardwright.terminal.answers import places_in
from boardwright.terminal.help import help_text
from boardwright.terminal.layout import position_panel, show_paged
from boardwright.terminal.menu import Menu, menu_of
from boardwright.terminal.reasons import reasons_table
from boardwright.terminal.screen import show_question
from boardwright.terminal.set_hints import advised_set

AGAIN = "\n"
"""The answer that asks for the question again: Enter alone."""
_HINTS = 6
"""So many actions of a hint are shown."""
_NAMED = 6
"""Of what an answer may mean, so many are named."""


class Step(Decision):
    """One step of a choice that a person has made as a whole."""

    def __init__(self, action: int, description: str = "") -> None:
        super().__init__(action)
        self.description = description
        """The whole choice in words, with its first step."""


class Human(Agent):
    """You, at this terminal."""

    hints: str = param("", "the agent asked for a hint; default: the strongest of the game")

    interactive: ClassVar[bool] = True

    def prepare(self) -> None:
        self.console = Console()
        self._steps: list[int] = []  # of a set that is chosen already
        self._taking_back = False
        self._questions = 0
        self.answers: dict[str, Callable[[], list[str]]] = {}
        """What else can be asked at a question, by what is typed; each tells some lines."""
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
        return self._ask_for_one(observation, legal) if choice is None else self._ask_for_set(observation, choice)

    def read(self, prompt: str) -> str:
        """What is typed at a question."""
        self._questions += 1
        forget_typed_keys()
        return self.console.input(prompt)

    def _set_choice(self, observation: Observation) -> SetChoice | None:
        find = self.game.text.set_choice
        return find(observation.record) if find is not None else None

    def _ask_for_one(self, observation: Observation, legal: Sequence[int]) -> Decision:
        first = menu = menu_of(observation, legal)
        keys, in_sight = first.keys(), 0
        while True:
            texts, details, numbers = menu.texts, menu.details, menu.numbers
            in_sight = show_question(self.console, observation, texts, details, in_sight=in_sight, numbers=numbers)
            prompt, asked = escape(", ".join(menu.chosen)) or "Your choice", self._questions
            found: Menu | int | list[str] | None = []
            while isinstance(found, list):
                answer = self._answer(prompt, observation, keys, within=bool(menu.chosen))
                if answer == AGAIN:
                    show_question(self.console, observation, texts, details, numbers=numbers)
                    continue
                found = menu.understand(answer) if answer is not None else None
                if found == [] and answer is not None:  # at a further step, the whole of another choice
                    found = first.understand(answer)
                if isinstance(found, list):
                    self._complain(answer or "", found)
            if isinstance(found, int):
                return Decision(found)
            in_sight = in_sight if found and self._questions == asked + 1 else 0
            menu = found or first

    def _ask_for_set(self, observation: Observation, choice: SetChoice) -> Decision:
        many = f"{choice.least}" if choice.least == choice.most else f"{choice.least} to {choice.most}"
        how = "a number" if choice.most == 1 else "numbers, as 1 3; 'but 2 5' for all others"
        asked = f"[bold]{choice.verb.capitalize()} {many} of {len(choice.items)}:[/] [dim]{how}[/]"
        show_question(self.console, observation, choice.items, choice.details, asked)
        while True:
            answer = self._answer(f"You {choice.verb}", observation, {}) or ""
            if answer == AGAIN:
                show_question(self.console, observation, choice.items, choice.details, asked)
                continue
            places = places_in(answer, choice.items)
            if places is None:
                self._complain(answer, [])
            elif not choice.least <= len(places) <= choice.most:
                self.console.print(f"[red]{many} of them, not {len(places)}[/]")
            else:
                first, *self._steps = choice.actions(places)
                return Step(first, f"{choice.verb} {choice.named(places)}")

    def _answer(
        self, prompt: str, observation: Observation, keys: Mapping[int, str], within: bool = False
    ) -> str | None:
        """What the person answers; questions back are answered here. None within the steps of a choice: back to the
        first of them."""
        while True:
            try:
                answer = self.read(f"[bold]{prompt}[/] [dim](h for help)[/]: ").strip().lower()
            except EOFError:
                raise LeaveGame from None
            if answer in ("q", "quit", "exit"):
                raise LeaveGame
            if answer in ("u", "undo", "b", "back") and within:
                return None
            if answer in ("u", "undo"):
                self._taking_back = True
                raise TakeBack
            if not answer:
                return AGAIN
            if answer in ("h", "help"):
                show_paged(help_text(self.game, bool(keys)), self.console, self.read)
            elif answer == "?":
                self._hint(observation, keys)
            elif answer in self.answers:
                for line in self.answers[answer]():
                    self.console.print(f"  {escape(line)}", highlight=False)
            elif answer == "p":
                title = f"{self.game.title}: you are {self.game.seat_name(self.seat)}"
                show_paged(position_panel(str(observation), title, self.console), self.console, self.read)
            elif answer.startswith("card ") and self.game.text.cards is not None:
                self._look_up(answer.removeprefix("card ").strip())
            elif answer in self.game.text.pages:
                page = self.game.text.pages[answer](observation.record, self.seat)
                show_paged(escape(page), self.console, self.read)
            else:
                return answer

    def _complain(self, answer: str, candidates: Sequence[str]) -> None:
        if answer in ("b", "back"):
            message = "[red]there is no step to go back to[/] [dim](u takes back your last decision)[/]"
        elif answer == "card" and self.game.text.cards is not None:
            message = "[red]which card?[/] [dim](card NAME shows what is printed on it)[/]"
        elif candidates:
            named = "; ".join(candidates[:_NAMED]) + ("; …" if len(candidates) > _NAMED else "")
            message = f"[red]{escape(repr(answer))} may mean:[/] {escape(named)}"
        else:
            message = f"[red]{escape(repr(answer))} is not one of the choices[/] [dim](h for help)[/]"
        self.console.print(message, highlight=False)

    def _look_up(self, name: str) -> None:
        assert self.game.text.cards is not None
        cards = self.game.text.cards()
        found = [text for card, text in cards.items() if card.lower() == name]
        found = found or [text for card, text in cards.items() if name in card.lower()]
        shown = escape("\n\n".join(found)) if found else f"[red]there is no card {escape(repr(name))}[/]"
        show_paged(shown, self.console, self.read)

    def _hint(self, observation: Observation, keys: Mapping[int, str]) -> None:
        """What the strongest agent would choose: a set as a whole, in words that can be typed."""
        choice = self._set_choice(observation)
        with closing(self._adviser(observation.seats)) as adviser:
            name = self._adviser_spec(observation.seats)
            with self.console.status(f"{escape(name)} is thinking"):
                places = advised_set(adviser, observation, choice) if choice is not None and not choice.begun else None
                decision = ask(adviser, observation) if places is None else None
        if decision is not None:
            title, width = f"{name} would choose", self.console.width
            self.console.print(
                reasons_table(self.game, observation, decision, title=title, keys=keys, width=width, most=_HINTS)
            )
        elif choice is not None and places is not None:
            numbers = " ".join(str(place + 1) for place in places) or "none"
            shown = f"{name} would {choice.verb} {choice.named(places)}: type {numbers}"
            self.console.print(f"[bold]{escape(shown)}[/]", highlight=False)

    def _adviser(self, seats: int) -> Agent:
        return make_agent(self._adviser_spec(seats), self.game, self.seat, seed=self.seed)

    def _adviser_spec(self, seats: int) -> str:
        return in_full(self.hints or STRONGEST, self.game, seats, self.game_options)
