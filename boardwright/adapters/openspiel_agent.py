"""OpenSpiel's bots at our tables: `openspiel:bot=mcts,iterations=200`.

Imported without OpenSpiel, so that lists of agents can name it; an agent needs it when it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from boardwright.agents import Agent, Decision, param
from boardwright.errors import BadSpec, MissingExtra, UnknownName
from boardwright.kernel import Code, Game, Observation
from boardwright.search.budget import MOST_ITERATIONS

_SEARCHES = ("mcts", "ismcts")


class OpenSpiel(Agent):
    """A bot of OpenSpiel: its tree searches, or one that is registered there. ismcts determinizes what is hidden in
    every iteration; the others are shown one determinization per decision, which they take for the truth."""

    bot: str = param("mcts", "mcts, ismcts, or the name of a registered bot, as uniform_random")
    iterations: int = param(100, "of mcts and ismcts, per decision", ge=1, le=MOST_ITERATIONS)
    exploration: float = param(1.4, "their exploration constant", ge=0.0)

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Lists name it where it can be made."""
        return find_spec("pyspiel") is not None

    def prepare(self) -> None:
        try:
            import pyspiel
        except ImportError:
            raise MissingExtra("OpenSpiel", "openspiel") from None
        if self.bot not in (*_SEARCHES, *pyspiel.registered_bots()):
            raise UnknownName("bot of OpenSpiel", self.bot, [*_SEARCHES, *pyspiel.registered_bots()])
        if self.bot == "ismcts" and not self.game.has_hidden_information:
            raise BadSpec(f"OpenSpiel's ismcts is for hidden information, and {self.game.name} has none; use bot=mcts")
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
        from open_spiel.python.algorithms import ismcts, mcts

        if self.bot not in _SEARCHES:
            return pyspiel.load_bot(self.bot, spiel_game, self.seat)
        # Those written in Python: pyspiel's crash on games that are not written in C++ (docs/other-libraries.md).
        random = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        if self.bot == "ismcts":
            return ismcts.ISMCTSBot(spiel_game, evaluator, self.exploration, self.iterations, random_state=random)
        return mcts.MCTSBot(spiel_game, self.exploration, self.iterations, evaluator, random_state=random)
