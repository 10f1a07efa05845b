"""The agent `memorysearch`: a search with an episodic memory of deeper ones.

The cases are games of a player that searched for longer. Where a situation comes back, what was found there is played
at once; elsewhere a search decides. Cases that are merely similar are not asked: in held-out games of `connect_four`
what was chosen in the same situation is what the deeper search chooses again, while the most similar other one is a
worse guide than a short search (docs/cases.md has the figures). So the gate is a distance, `radius`.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, NamedTuple

import numpy as np

from boardwright.agents import AgentWrapper, Decision, Reason, RememberedCase, param
from boardwright.cases.agent import CaseAgent
from boardwright.cases.memory import CaseMemory
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Observation
from boardwright.registry import make_agent


class Recalled(NamedTuple):
    """What was chosen where a situation had come up before."""

    votes: Counter[int]
    """How often each action was chosen."""
    case: int
    """The nearest."""
    distance: float


class MemorySearch(AgentWrapper, CaseAgent):
    """Plays what deeper searches have found in the same situation, and searches where there was none."""

    search: str = param("nettree", "the spec of the agent that decides where no case is near")
    radius: float = param(
        5.0, "how near a situation must be to count as the same, in bytes of the space in which cases lie", ge=0
    )
    k: int = param(8, "how many situations are retrieved", ge=1, le=10_000)

    kind: ClassVar[str] = "searches"

    def prepare(self) -> None:
        super().prepare()
        if self.search.partition(":")[0] == self.label():
            raise BadSpec(f"agent {self.label()!r}: search={self.search} would ask itself")
        self.inner = make_agent(self.search, self.game, self.seat, seed=self.seed)

    def needs(self) -> list[Code]:
        return [*CaseAgent.needs(self), *self.inner.needs()]

    def check_seats(self, seats: int) -> None:
        CaseAgent.check_seats(self, seats)
        self.inner.check_seats(seats)

    def start_game(self, observation: Observation) -> None:
        CaseAgent.start_game(self, observation)
        self.inner.start_game(observation)

    def decide(self, observation: Observation) -> Decision:
        memory = self.memory(observation.seats)
        recalled = self._recall(memory, observation)
        if recalled is None:
            return self.inner.decide(observation)
        votes, total = recalled.votes, recalled.votes.total()

        def reasons() -> tuple[Reason, ...]:
            return tuple(Reason(action, weight=times / total) for action, times in votes.most_common())

        def cases() -> tuple[RememberedCase, ...]:
            return (self._remembered(memory, recalled.case, recalled.distance, observation),)

        summary = f"chosen in {votes.most_common(1)[0][1]} of {total} searches of this situation"
        return Decision(votes.most_common(1)[0][0], reasons, summary, cases)

    def _recall(self, memory: CaseMemory, observation: Observation) -> Recalled | None:
        """A case of this situation offered every option, so that it is enough to look for the one that the network
        expects most."""
        priors = self.policy(observation)
        expected = np.array(list(priors.values()))
        first = int(expected.argmax())
        here = self._points(memory, observation.seats, expected)[first]
        near = memory.nearest(list(priors)[first], here, self.k)
        same = [int(memory.case[at]) for at in near.positions[near.distances <= self.radius]]
        votes = Counter(int(memory.chosen[case]) for case in same if int(memory.chosen[case]) in priors)
        return Recalled(votes, same[0], float(near.distances[0])) if votes else None
