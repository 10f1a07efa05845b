"""Building cases from games: the decisions of the winning seat, and its tableau at the end.

A game that is still tied after the tie-break has no winner and gives no cases. (The dissertation's tables count ties as
victories; its case base came from games that were won.) Decisions that leave no choice give none either.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boardwright.arena.record import GameRecord
from boardwright.errors import BadRecord
from boardwright.games.race.state import STATE
from boardwright.kernel import State
from boardwright.scout.cases.collection import END, GameCases
from boardwright.scout.cases.representation import CASE, Records, encode
from boardwright.scout.problems.from_observation import problem_of, side_of
from boardwright.scout.problems.problem import TYPES, Choice, Problem, leader_first
from boardwright.scout.problems.steps import completed_choice

CORE_TYPES = (0, 2, 3, 5, 6)
"""The decisions that SCOUT reasons about: actions, discards, placements, payments."""
ALL_TYPES = tuple(TYPES)


def has_choice(problem: Problem) -> bool:
    """Whether there is more than one way to answer."""
    n = len(problem.options)
    return problem.minimum != problem.maximum or 0 < problem.minimum < n


def decisions(record: GameRecord, *seats: int) -> Iterator[tuple[State, Problem, Choice]]:
    """The whole decisions of some seats, in order, with the position at the step that completed each."""
    for state, action in record.replay():
        if action is not None and state.player in seats:
            observation = state.observation(state.player)
            choice = completed_choice(observation, action)
            if choice is not None:
                yield state, problem_of(observation), choice


def winner(record: GameRecord) -> int | None:
    best = max(record.returns)
    return record.returns.index(best) if record.returns.count(best) == 1 else None


def cases_of(record: GameRecord, types: tuple[int, ...] = CORE_TYPES, *, seat: int | None = None) -> GameCases | None:
    """The cases of a recorded game, by default of the seat that won; None if nobody did, or if somebody failed."""
    if record.game != "race":
        raise BadRecord(f"SCOUT learns from games of race, not from {record.game}")
    chosen = winner(record) if seat is None else seat
    if chosen is None or record.forfeit is not None:
        return None
    *_, (final, _) = record.replay()
    found = np.concatenate((choices_of(record, types, chosen), end_case(final, chosen)))
    return GameCases(f"{record.agents[chosen]} seed {record.seed}", found)


def choices_of(record: GameRecord, types: tuple[int, ...], *seats: int) -> Records:
    """The decisions of some seats in which there was a choice."""
    found = [
        encode(problem, choice)
        for _, problem, choice in decisions(record, *seats)
        if problem.type in types and has_choice(problem)
    ]
    return np.concatenate(found) if found else np.zeros(0, CASE)


def end_case(state: State, seat: int) -> Records:
    """The end of a game as a case without a choice."""
    s, row = state.record, state.memory.view(STATE)[0]
    sides = [side_of(row, player, int(state.scores[player]), ()) for player in range(state.seats)]
    me = sides.pop(seat)
    opponent, *_ = leader_first(sides, seat)
    problem = Problem(
        type=0, options=(), minimum=0, maximum=0, subject=-1, round=s.round, phases=(), phase=0, deck=s.deck_size,
        discard=s.discard_size, pool=s.pool, me=me, opponent=opponent,
    )  # fmt: skip
    record = encode(problem)
    record["type"] = END
    return record
