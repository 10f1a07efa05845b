"""A person at a terminal of a given size, whose answers an agent gives; and the screens that were read on the way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.arena.loop import play_game
from boardwright.kernel import Observation
from boardwright.terminal.human import Human
from boardwright.terminal.menu import menu_of
from boardwright.terminal.narrator import Narrator
from boardwright.terminal.set_hints import advised_set


class Reader(Human):
    """Types what its partner would choose, step by step, and keeps what was on the screen at each question."""

    def sit_down(self, partner: Agent, console: Console, written: io.StringIO) -> None:
        self.partner, self.console, self.written = partner, console, written
        self.screens: list[str] = []
        """What was printed from the position down to the answer, once for each question."""
        self._answers: Iterator[str] = iter(())
        self._begun = 0

    def decide(self, observation: Observation) -> Decision:
        self._begun = len(self.written.getvalue())
        choice = self._set_choice(observation)
        if choice is not None and not choice.begun:
            places = advised_set(self.partner, observation, choice)
            assert places is not None
            self._answers = iter([" ".join(str(place + 1) for place in places) or "none"])
        else:
            keys = menu_of(observation, observation.legal_actions()).keys()
            self._answers = iter(keys[self.partner.decide(observation).action].split())
        return super().decide(observation)

    def read(self, prompt: str) -> str:
        self._questions += 1
        self.console.print(prompt, end="")
        text = self.written.getvalue()
        at = text.rfind(f"{self.game.title}: you are", self._begun)
        self.screens.append(text[at:])
        answer = next(self._answers)
        self.written.write(f"{answer}\n")
        return answer


@dataclass
class Played:
    screens: list[str]
    text: str
    state: bw.State

    @property
    def heights(self) -> list[int]:
        return [screen.count("\n") + 1 for screen in self.screens]


def play_and_read(game: str, seats: int, seed: int, *, width: int = 80, height: int = 24) -> Played:
    """A whole game of a person in the first seat, all with rules of thumb."""
    loaded, written = bw.game(game), io.StringIO()
    console = Console(file=written, width=width, height=height, force_terminal=False)
    agents = [bw.agent("heuristic", loaded, seat, seed=seed + seat) for seat in range(seats)]
    person = Reader(loaded, 0, seed=seed)
    person.sit_down(agents[0], console, written)
    narrator = Narrator(console, ["human", *["heuristic"] * (seats - 1)], False)
    state = play_game(loaded.new(seed=seed, seats=seats), [person, *agents[1:]], [narrator])
    return Played(person.screens, written.getvalue(), state)
