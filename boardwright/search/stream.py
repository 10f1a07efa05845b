"""Random numbers from one stream for a whole game, as published experiments drew them."""

from __future__ import annotations

from boardwright.agents import Agent, param
from boardwright.kernel import Observation, RngState, rng


class StreamAgent(Agent):
    """An agent that draws random numbers of its own for each decision or, if a `stream` is given, from that stream.

    In the Colonizers thesis every agent was started anew for each game with the same seed: all its copies drew the same
    numbers in the same order, in every game. Agents are made anew for each game here too. A decision takes one number
    from the stream, and its own numbers follow from that: how many it draws does not matter to the next.
    """

    stream: int | None = param(
        None,
        "seed of one random stream for the whole game, instead of numbers of its own for each decision",
        ge=0,
        advanced=True,
    )

    def prepare(self) -> None:
        self._stream = None if self.stream is None else rng.generator(self.stream)

    def rng_state(self, observation: Observation) -> RngState:
        if self._stream is None:
            return super().rng_state(observation)
        return rng.generator(rng.draw(self._stream))
