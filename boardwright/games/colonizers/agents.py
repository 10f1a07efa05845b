"""The thesis's two simple opponents as agents."""

from __future__ import annotations

import random
from typing import ClassVar, Literal

import numpy as np

from boardwright.agents import Decision, PolicyAgent, Reason, param
from boardwright.games.colonizers.information import candidates
from boardwright.games.colonizers.policies import FIGURE, NO_POWER, NO_RULE, NOTES, PROGRAM, STEAL, SWAP, suggest
from boardwright.games.colonizers.state import BUILD, BUILD_MODULE, BUILD_NOTHING, COLONIST_PICK, TARGET
from boardwright.kernel import Observation, Record, rng


class ThesisAgent(PolicyAgent):
    """What both share: chance may come from one stream for the whole game, as in the thesis.

    There every agent was started anew for each game with the same seed, so that all copies of an agent drew the same
    numbers in the same order, in every game. The stream is Python's own generator, as it was then.
    """

    asked_if_forced: ClassVar[bool] = True  # the original drew a number even for its only choice

    stream: int | None = param(None, "seed of one random stream for the whole game, as in the thesis", ge=0)

    def prepare(self) -> None:
        super().prepare()
        self.dice = random.Random(self.stream)

    def decide(self, observation: Observation) -> Decision:
        if self.stream is None:
            return super().decide(observation)
        return Decision(self.choose_by_stream(observation))

    def choose_by_stream(self, observation: Observation) -> int:
        return self.dice.choice(self.options(observation))

    def options(self, observation: Observation) -> list[int]:
        """The list that the original program offered. Two equal cards stand in it twice. Its colonists stood in the
        order in which they were dealt for the round; here a shuffle of our own takes its place."""
        s, legal = observation.record, observation.legal_actions()
        if s.phase == BUILD:
            cards = [a for a in legal if a != BUILD_NOTHING for _ in range(s.hand[s.turn, a - BUILD_MODULE])]
            return [*cards, BUILD_NOTHING]
        if s.phase == COLONIST_PICK:
            random.Random(rng.derive(self.seed, s.round)).shuffle(legal)
        return legal


class Heuristic(ThesisAgent):
    """The thesis's rules of thumb; what they leave open is chosen at random."""

    policy = "heuristic"
    reading: Literal["program", "figure"] = param(
        "program",
        "the rule for five or more modules: in hand, as the thesis's program tests, or in the colony, as its figure 4.2"
        " says",
    )

    def prepare(self) -> None:
        if self.reading == "figure":
            self.policy = "heuristic_figure"
        super().prepare()

    def decide(self, observation: Observation) -> Decision:
        action = super().decide(observation).action
        return Decision(action, lambda: (Reason(action, note=NOTES[self.suggest(observation)[0]]),))

    def suggest(self, observation: Observation) -> tuple[int, int]:
        legal = np.array(observation.legal_actions(), np.int64)
        return suggest(observation.record, legal, len(legal), PROGRAM if self.reading == "program" else FIGURE)

    def choose_by_stream(self, observation: Observation) -> int:
        why, suggested = self.suggest(observation)
        if why in (NO_RULE, NO_POWER):  # the original drew a number even for its only choice
            return super().choose_by_stream(observation)
        if why in (STEAL, SWAP):
            return TARGET + self.dice.choice(members(observation.record, observation.seat, suggested))
        return suggested


def members(s: Record, observer: int, seat: int) -> list[int]:
    """The colonists a seat may have, as far as the observer knows."""
    possible = candidates(s, observer, seat)
    return [colonist for colonist in range(possible.bit_length()) if possible >> colonist & 1]


class ThesisRandom(ThesisAgent):
    """The thesis's random player: like random, but two equal cards in hand count as two choices."""

    policy = "thesis_random"
