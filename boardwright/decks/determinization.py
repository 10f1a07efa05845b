"""Back into play: hidden decks are determinized in proportion to a prediction instead of uniformly.

A game with constructed decks keeps a few candidate decks in its record, which `determinize` draws from where there are
any. Before it searches, the agent here asks the game what its seat knows of the others' decks (`DeckBeliefs`), samples
decks that fit from a model (`DeckSampler`), and writes them into the observation that is searched. Rules, search
kernels and the game's own determinization stay as they are; without candidates it fills the blanks uniformly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boardwright.agents import Decision, param
from boardwright.decks.prediction import Observation as DeckObservation
from boardwright.kernel import Observation, Record
from boardwright.kernel.records import plain_record
from boardwright.search.ismcts import ISMCTS


class DeckSampler(Protocol):
    """Draws whole decks that fit an observation. `DeckModel` is one."""

    def sample(
        self, seen: DeckObservation, random: np.random.Generator, number: int
    ) -> Sequence[NDArray[np.int64]]: ...


class DeckBeliefs(Protocol):
    """How a game tells what is known of hidden decks, and takes in what is believed of them."""

    def seen(self, observation: Observation) -> Iterable[tuple[int, DeckObservation]]:
        """The seats whose decks are hidden, and what the observing seat has seen of each."""
        ...

    def believe(self, record: Record, seat: int, decks: Sequence[NDArray[np.int64]]) -> None:
        """Write candidates for a seat's deck into the record."""
        ...


class PredictedDecks(ISMCTS):
    """Information set MCTS whose determinizations draw hidden decks from a prediction.

    A game's own agent is a subclass that gives `beliefs` and `model`.
    """

    candidates: int = param(32, "decks to draw from, sampled anew for every decision", ge=1, le=1024)

    def beliefs(self) -> DeckBeliefs:
        raise NotImplementedError

    def model(self) -> DeckSampler:
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        return super().decide(self.informed(observation))

    def informed(self, observation: Observation) -> Observation:
        """The observation with candidates for every hidden deck."""
        memory = observation.memory.copy()
        record: Any = plain_record(memory, self.game.state)
        random = np.random.default_rng(self.random(observation).getrandbits(64))
        beliefs, model = self.beliefs(), self.model()
        for seat, seen in beliefs.seen(observation):
            beliefs.believe(record, seat, model.sample(seen, random, self.candidates))
        return Observation(self.game, memory, observation.seat)
