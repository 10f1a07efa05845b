"""The thesis's heuristics as a player: one decision ahead, and on to the opponent's next."""

from __future__ import annotations

import numpy as np

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.kernel import MAX_SEATS, Observation, State, rng


class Heuristic(Agent):
    """Plays what one of the heuristics h1 to h11 likes best, looking on to the opponent's next decision."""

    evaluation: str = param("h4", "which evaluation ranks the positions: h1 to h11")
    extrapolate: bool = param(True, "evaluate where the opponent has to choose next, after random own decisions")
    samples: int = param(4, "random ways to go on that are averaged, with `extrapolate`", ge=1, le=10_000)

    def prepare(self) -> None:
        self.evaluate = self.game.entries.evaluation(self.evaluation)
        self.play = self.game.entries.choose("random")

    def decide(self, observation: Observation) -> Decision:
        rng_state = self.rng_state(observation)
        state = observation.determinize(seed=rng.draw(rng_state))
        legal = observation.legal_actions()
        values = [self._value(state, action, observation.seat, rng_state) for action in legal]
        order = sorted(range(len(legal)), key=lambda i: (-values[i], rng.draw(rng_state)))
        return Decision(legal[order[0]], lambda: tuple(Reason(legal[i], values[i]) for i in order))

    def _value(self, state: State, action: int, seat: int, rng_state: rng.RngState) -> float:
        """The mean evaluation after an action; a single sample if nothing is left to chance."""
        entries, scratch, out = self.game.entries, np.zeros(self.game.max_legal, np.int64), np.zeros(MAX_SEATS)
        total, samples = 0.0, 0
        while samples < self.samples:
            after = state.memory.copy()
            entries.apply(after, action)
            random = False
            while self.extrapolate and entries.player(after) == seat:
                entries.apply(after, self.play(after, scratch, rng_state))
                random = True
            self.evaluate(after, out)
            total += out[seat]
            samples += 1
            if not random:
                break
        return total / samples
