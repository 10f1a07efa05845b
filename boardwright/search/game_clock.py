"""Time for a whole game, shared among its decisions.

Before each decision a few random playouts tell how many decisions the seat has still to make; the time that is left is
shared evenly among them. What a decision saves, as one with a single legal action does, the later ones have more.
"""

from __future__ import annotations

import numpy as np

from boardwright.kernel import Code, Game, Observation, RngState, rng

PLAYOUTS = 8
FEWEST = 4.0
"""Decisions that are taken to be left at least: the estimate is rough."""
SHORTEST = 1e-4
"""Seconds for a decision when the time has run out."""


class GameClock:
    """The time that an agent has left in a game."""

    def __init__(self, game: Game, seconds: float) -> None:
        self.game = game
        self.seconds = seconds
        self.left = seconds

    def code(self) -> list[Code]:
        return decisions_code(self.game)

    def start(self) -> None:
        self.left = self.seconds

    def share(self, observation: Observation, rng_state: RngState) -> float:
        """The time for the decision at hand."""
        return max(SHORTEST, self.left / max(FEWEST, decisions_left(self.game, observation, rng_state)))

    def spend(self, seconds: float) -> None:
        self.left = max(0.0, self.left - seconds)


def decisions_code(game: Game) -> list[Code]:
    """What `decisions_left` needs."""
    return game.entries.code("self_play random")


def decisions_left(game: Game, observation: Observation, rng_state: RngState) -> float:
    """Of a seat, on average, this one included, if all play at random."""
    play = game.entries.self_play("random")
    room, legal = np.zeros_like(observation.memory), np.zeros(game.max_legal, np.int64)
    decisions = 0
    for _ in range(PLAYOUTS):
        state = observation.determinize(seed=rng.draw(rng_state)).memory
        decisions += play(state, room, legal, rng_state)
    return decisions / PLAYOUTS / observation.seats
