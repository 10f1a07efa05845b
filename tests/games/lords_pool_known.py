"""Lords of War with armies from a pool, to measure what knowing the other army is worth.

The game is that of lords_pool.py, but an observation keeps the other army. Plain search draws one all the same; the
agent `knowing` searches with the true one: no prediction can be better.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.agents import Decision
from boardwright.games.lords import information
from boardwright.kernel import Game, Information, Observation
from boardwright.kernel.records import plain_record
from boardwright.registry import load_game
from boardwright.search.ismcts import ISMCTS


class Knowing(ISMCTS):
    """Information set MCTS that knows the other army."""

    def decide(self, observation: Observation) -> Decision:
        return super().decide(self.informed(observation))

    def informed(self, observation: Observation) -> Observation:
        memory = observation.memory.copy()
        record: Any = plain_record(memory, self.game.state)
        record.believed[0] = record.army[1 - observation.seat]
        record.num_believed = 1
        return Observation(self.game, memory, observation.seat)


def _with_known_armies(pool: Game) -> Game:
    return Game(
        name="lords_pool_known",
        title="Lords of War, armies from a pool, known to those who look",
        state=pool.state,
        seats=pool.seats,
        num_actions=pool.num_actions,
        chance=pool.chance,
        max_legal=pool.max_legal,
        min_utility=pool.min_utility,
        max_utility=pool.max_utility,
        options=pool.options,
        agents={"knowing": Knowing},
        rules=pool.rules,
        information=Information(
            observe=information.observe,
            determinize=pool.information.determinize,
            is_open=pool.information.is_open,
            announced=pool.information.announced,
        ),
        search=pool.search,
        text=pool.text,
    )


game = _with_known_armies(load_game(str(Path(__file__).with_name("lords_pool.py"))))
