"""The agent `memorysearch`: a search with an episodic memory of deeper ones.

The cases are games of a player that searched for longer. Where a seat sees exactly what was seen in a case, what was
chosen there is played at once; elsewhere a search decides. Cases that are merely similar are not asked: in held-out
games of `connect_four` what was chosen in the same situation is what the deeper search chooses again, while the most
similar other one is a worse guide than a short search (docs/cases.md has the figures).
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar
from weakref import WeakKeyDictionary

from boardwright.agents import AgentWrapper, Decision, Reason, RememberedCase, param
from boardwright.cases.agent import CaseAgent
from boardwright.cases.memory import CaseMemory, situations
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Game, Observation
from boardwright.registry import make_agent


class MemorySearch(AgentWrapper, CaseAgent):
    """Plays what deeper searches have found in the same situation, and searches where there was none."""

    search: str = param("nettree", "the spec of the agent that decides where no case has the same situation")

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
        cases_by_situation(self.game, self.memory(observation.seats))
        self.inner.start_game(observation)

    def decide(self, observation: Observation) -> Decision:
        memory = self.memory(observation.seats)
        same = cases_by_situation(self.game, memory).get(_key(observation))
        if same is None:
            return self.inner.decide(observation)
        votes = Counter(int(memory.chosen[case]) for case in same)
        action, times = votes.most_common(1)[0]

        def reasons() -> tuple[Reason, ...]:
            return tuple(Reason(option, weight=n / len(same)) for option, n in votes.most_common())

        def cases() -> tuple[RememberedCase, ...]:
            return (self._remembered(memory, same[0], 0.0, observation),)

        return Decision(action, reasons, f"chosen in {times} of {len(same)} searches of this situation", cases)


_by_situation: WeakKeyDictionary[CaseMemory, dict[bytes, list[int]]] = WeakKeyDictionary()


def cases_by_situation(game: Game, memory: CaseMemory) -> dict[bytes, list[int]]:
    """The numbers of the cases in which a seat saw the same. Games are replayed for it once per process."""
    if memory not in _by_situation:
        found: dict[bytes, list[int]] = {}
        seen = (observation for recorded in memory.file.games for observation, _ in situations(game, recorded))
        for case, observation in enumerate(seen):
            found.setdefault(_key(observation), []).append(case)
        _by_situation[memory] = found
    return _by_situation[memory]


def _key(observation: Observation) -> bytes:
    return bytes([observation.seat]) + observation.memory.tobytes()
