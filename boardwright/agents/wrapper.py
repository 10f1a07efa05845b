"""`AgentWrapper`: the base of agents that stand around another one, which says what actions are worth.

A subclass makes the inner agent in `prepare` and asks it in its own `decide`. The rest of the life cycle is forwarded.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardwright.agents.base import Agent
from boardwright.kernel import Code, Observation


class AgentWrapper(Agent):
    """Plays with the help of another agent, `inner`."""

    inner: Agent

    def needs(self) -> Sequence[Code]:
        return self.inner.needs()

    def check_seats(self, seats: int) -> None:
        self.inner.check_seats(seats)

    def start_game(self, observation: Observation) -> None:
        self.inner.start_game(observation)

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self.inner.observe_action(seat, action, observation)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        self.inner.end_game(observation, returns, scores)

    def close(self) -> None:
        self.inner.close()
