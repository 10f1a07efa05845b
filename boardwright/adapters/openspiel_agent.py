"""OpenSpiel's bots at our tables: `openspiel:bot=mcts,iterations=200`.

Imported without OpenSpiel, so that lists of agents can name it; an agent needs it when it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from boardwright.agents import Agent, Decision, param
from boardwright.errors import MissingExtra, UnknownName
from boardwright.kernel import Code, Game, Observation


class OpenSpiel(Agent):
    """A bot of OpenSpiel: its tree search, or one that is registered there. Where something is hidden it is shown one
    determinization per decision, which it takes for the truth."""

    bot: str = param("mcts", "mcts, or the name of a registered bot, as uniform_random")
    iterations: int = param(100, "of mcts, per decision", ge=1)
    exploration: float = param(1.4, "the exploration constant of mcts", ge=0.0)

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Lists name it where it can be made."""
        return find_spec("pyspiel") is not None

    def prepare(self) -> None:
        try:
            import pyspiel
        except ImportError:
            raise MissingExtra("OpenSpiel", "openspiel") from None
        if self.bot != "mcts" and self.bot not in pyspiel.registered_bots():
            raise UnknownName("bot of OpenSpiel", self.bot, ["mcts", *pyspiel.registered_bots()])
        self._spiel_game: Any = None

    def needs(self) -> Sequence[Code]:
        return self.game.entries.code("playout random")

    def start_game(self, observation: Observation) -> None:
        self._spiel_game = None

    def decide(self, observation: Observation) -> Decision:
        from boardwright.adapters.openspiel import spiel_game

        if self._spiel_game is None:
            self._spiel_game = spiel_game(self.game, seats=observation.seats, deals=1)
        random = self.random(observation)
        state = self._spiel_game.new_initial_state()
        state.begin(observation.determinize(seed=random.getrandbits(63)))
        return Decision(int(self.make_bot(self._spiel_game, random.getrandbits(31)).step(state)))

    def make_bot(self, spiel_game: Any, seed: int) -> Any:
        """The bot for one decision: override it to let another one play."""
        import pyspiel
        from open_spiel.python.algorithms import mcts

        if self.bot != "mcts":
            return pyspiel.load_bot(self.bot, spiel_game, self.seat)
        # The one written in Python: pyspiel.MCTSBot crashes on games that are not written in C++.
        random = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        return mcts.MCTSBot(spiel_game, self.exploration, self.iterations, evaluator, random_state=random)
