"""Agents as compiled functions over one block of memory: `begin` a decision, `advance` the search, `finish` it.

A family writes in rules what its agent's `decide` does in Python, draws the same random numbers in the same order, and
so decides the same. All its arrays lie in one block that the host provides (`placed`, kernel/portable.py).

    begin(memory, observation, seat, seats, seed)   a decision on what the seat may know
    advance(memory, iterations)                     search on; the budget is the host's
    finish(memory, seat) -> n                       rank the actions: the best first, in `Outcome`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from boardwright.agents import Agent
from boardwright.errors import BadSpec
from boardwright.kernel import Game, rule, types
from boardwright.kernel.automatic_features import NO_PLAN
from boardwright.kernel.calls import SLOTS, LearningRules
from boardwright.kernel.portable import ADDRESS, Segment, address_at, placed, size_of, table_of

Functions = dict[str, tuple[Callable[..., Any], Any]]

BEGIN = types.void(ADDRESS, ADDRESS, types.int64, types.int64, types.uint64)
ADVANCE = types.void(ADDRESS, types.int64)
FINISH = types.int64(ADDRESS, types.int64)


class Outcome(NamedTuple):
    """What a search found, and room to add it up. The host reads the first four: actions ranked, the best first."""

    action: Any
    visits: Any
    value: Any
    """The return that the agent expects; NaN where it does not know."""
    prior: Any
    """The policy prior, or NaN."""
    count: Any
    all_visits: Any
    """By action: visits, and sums of returns."""
    all_total: Any
    is_listed: Any

    @classmethod
    def for_game(cls, game: Game) -> Outcome:
        return cls(
            action=np.zeros(game.max_legal, np.int64),
            visits=np.zeros(game.max_legal, np.int64),
            value=np.zeros(game.max_legal),
            prior=np.zeros(game.max_legal),
            count=np.zeros(1, np.int64),
            all_visits=np.zeros(game.num_actions, np.int64),
            all_total=np.zeros(game.num_actions),
            is_listed=np.zeros(game.num_actions, np.int8),
        )


@rule
def clear_outcome(outcome: Any) -> None:
    for i in range(outcome.count[0]):
        outcome.is_listed[outcome.action[i]] = 0
    outcome.count[0] = 0


@rule
def add_to_outcome(outcome: Any, action: int, visits: int, total: float) -> None:
    """Add what one search found about an action of the root."""
    if not outcome.is_listed[action]:
        outcome.is_listed[action] = 1
        outcome.action[outcome.count[0]] = action
        outcome.count[0] += 1
        outcome.all_visits[action] = 0
        outcome.all_total[action] = 0.0
    outcome.all_visits[action] += visits
    outcome.all_total[action] += total


@rule
def rank_outcome(outcome: Any, low: float, high: float) -> int:
    """Rank by visits, then by mean, then by action: the choice `robust` (search/root_choice.py)."""
    n = outcome.count[0]
    for i in range(n):
        action = outcome.action[i]
        visits = outcome.all_visits[action]
        mean = outcome.all_total[action] / visits if visits else np.nan
        scaled = (mean - low) / (high - low) if visits else 0.0
        j = i
        while j > 0:
            other = outcome.action[j - 1]
            if outcome.visits[j - 1] > visits:
                break
            if outcome.visits[j - 1] == visits:
                other_scaled = (outcome.value[j - 1] - low) / (high - low) if visits else 0.0
                if other_scaled > scaled or (other_scaled == scaled and other < action):
                    break
            outcome.action[j], outcome.visits[j], outcome.value[j] = other, outcome.visits[j - 1], outcome.value[j - 1]
            j -= 1
        outcome.action[j], outcome.visits[j], outcome.value[j], outcome.prior[j] = action, visits, mean, np.nan
    return n


class Family:
    """An agent at a table of so many seats, as functions for a portable module."""

    agent_class: ClassVar[type[Agent]]

    def __init__(self, agent: Any, seats: int) -> None:
        self.agent, self.seats, self.game = agent, seats, agent.game
        self.check()
        self.outcome, found = placed(Outcome.for_game(self.game))
        self.segments = list(found)
        self.outcome_offsets = dict(zip(Outcome._fields, (segment.offset for segment in found), strict=True))
        self.size = size_of(found)

    def check(self) -> None:
        """BadSpec if it is set to something that cannot be exported."""

    @property
    def iterations(self) -> int:
        """The budget of a decision, if the host does not say another; 0 if it cannot be changed."""
        return 0

    def add(self, value: Any) -> Any:
        """Place a tuple of arrays behind what is there; gives a rule `value(memory)`."""
        place, segments = placed(value)
        start = self.size
        self.segments += [Segment(start + segment.offset, segment.content) for segment in segments]
        self.size += size_of(segments)

        @rule
        def at(memory: Any) -> Any:
            return place(address_at(memory, start))

        return at

    def functions(self) -> Functions:
        raise NotImplementedError

    def refuse(self, given: Mapping[str, bool]) -> None:
        for name, is_set in given.items():
            if is_set:
                raise BadSpec(f"agent {self.agent.label()!r} with {name} cannot be exported yet")


def table_for(game: Game, kind: type, units: list[str]) -> Any:
    """The game's rules as kernels get them, of the functions of these units."""
    functions: Functions = {}
    for name in units:
        functions |= game.entries.functions_of(name)
    slots: list[Any] = []
    for slot in SLOTS:
        found = [entry for name, entry in functions.items() if name == slot or name.startswith(f"{slot}_")]
        slots.append((rule(found[0][0]), found[0][1]) if found else None)
    plan = (NO_PLAN,) if kind is LearningRules else ()
    return table_of(kind, [entry and (plain_function(entry[0]), entry[1]) for entry in slots], *plan)


def plain_function(function: Any) -> Any:
    return getattr(function, "py_func", function)


def rng_room() -> Any:
    return np.zeros(4, np.uint64)
