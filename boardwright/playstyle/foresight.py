"""What becomes of actions: a few playouts of each from what a seat knows, the same chance for all.

Tilts by points, appetite for risk and the liking for complex positions look ahead by these. They are written over any
game's own playout policy and need no declaration.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardwright.kernel import Code, Game, Observation, RngState, State, rng

PLAYOUTS = 12
POINTS = "points"
_LONGEST = 2000
"""Moves of a playout, in games that need not end."""

Floats = NDArray[np.float64]


class Foresight:
    """Playouts by the policy that the game's searches use by default."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.policy = str(game.search.defaults.get("playout", "random"))

    def needs(self) -> list[Code]:
        return self.game.entries.code(f"choose {self.policy}")

    def states(
        self, observation: Observation, actions: Sequence[int], rng_state: RngState, decisions: int | None
    ) -> dict[int, list[State]]:
        """For each action, the positions that its playouts come to: where the seat has decided so many times again and
        is to decide once more, or at the end (None). All actions meet the same determinizations."""
        seeds = [(rng.draw(rng_state), rng.draw(rng_state)) for _ in range(PLAYOUTS)]
        return {
            action: [self._play(observation, action, deal, chance, decisions) for deal, chance in seeds]
            for action in actions
        }

    def _play(self, observation: Observation, action: int, deal: int, chance: int, decisions: int | None) -> State:
        state = observation.determinize(seed=deal)
        state.apply(action)
        choose, scratch = self.game.entries.choose(self.policy), np.zeros(self.game.max_legal, np.int64)
        rng_state, left = rng.generator(chance), decisions
        for _ in range(_LONGEST):
            if state.is_terminal:
                break
            if left is not None and state.player == observation.seat:
                if left <= 0:
                    break
                left -= 1
            state.apply(int(choose(state.memory, scratch, rng_state)))
        return state


def lead(state: State, seat: int) -> float:
    """A seat's points over those of the best of the others."""
    scores = state.scores
    return float(scores[seat] - max((scores[other] for other in range(len(scores)) if other != seat), default=0.0))


def parts(state: State, seat: int) -> dict[str, float]:
    """A seat's points and, where the game names them, their parts: `points`, `points: military`."""
    found = {POINTS: float(state.scores[seat])}
    if state.game.metrics.seat_metrics is not None:
        named = state.game.metrics.seat_metrics(state.record, seat).score_parts
        found |= {f"{POINTS}: {name}": float(value) for name, value in named.items()}
    return found


def standardised(values: dict[int, list[float]]) -> dict[int, float]:
    """The mean of each action, less that of all, in standard deviations of all."""
    everything = np.array([value for one in values.values() for value in one])
    spread = float(everything.std())
    if spread <= 0:
        return dict.fromkeys(values, 0.0)
    return {action: (float(np.mean(one)) - float(everything.mean())) / spread for action, one in values.items()}


def appetite(values: dict[int, list[float]], risk: float) -> dict[int, float]:
    """What chance is worth to somebody who likes it (above 0) or fears it: how far the best fifth of an action's
    outcomes begins above their mean, or the worst fifth below it, in standard deviations of all outcomes."""
    spread = float(np.array([value for one in values.values() for value in one]).std())
    if spread <= 0:
        return dict.fromkeys(values, 0.0)
    quantile = 0.8 if risk > 0 else 0.2
    return {
        action: abs(risk) * (float(np.quantile(one, quantile)) - float(np.mean(one))) / spread
        for action, one in values.items()
    }
