"""Games of race for SCOUT's tests: every decision of random and heuristic players, question by question."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.games.race.cards import DESIGN, card_named
from boardwright.kernel import TERMINAL, Observation, State
from boardwright.registry import make_agent
from boardwright.scout.cases.building import ALL_TYPES, cases_of
from boardwright.scout.cases.collection import CaseCollection, collection_of
from boardwright.scout.cases.files import exclusive
from boardwright.scout.problems.problem import Choice
from boardwright.scout.problems.steps import completed_choice
from boardwright.scout.run import Beginning

Steps = list[tuple[Observation, int]]


def questions(players: str, seed: int, seats: int = 2, **options: str) -> list[tuple[Steps, Choice]]:
    """The questions of a game between such players."""
    state = bw.game("race").new(seed=seed, seats=seats, **options)
    start, moves = state.copy(), []
    rng = random.Random(seed)
    agents = [make_agent(players, "race", seat, seed=seed) for seat in range(seats)] if players != "random" else []
    while (seat := state.player) != TERMINAL:
        observation = state.observation(seat)
        moves.append(agents[seat].decide(observation).action if agents else rng.choice(observation.legal_actions()))
        state.apply(moves[-1])
    return list(questions_of(start, moves))


def questions_of(state: State, moves: list[int]) -> Iterator[tuple[Steps, Choice]]:
    """Each question of a game: its steps, and the whole choice they come to."""
    steps: Steps = []
    for action in moves:
        observation = state.observation(state.player)
        steps.append((observation, action))
        choice = completed_choice(observation, action)
        if choice is not None:
            yield steps, choice
            steps = []
        state.apply(action)
    assert not steps, "the last question of the game was never complete"


@cache
def sampled_questions() -> list[tuple[Steps, Choice]]:
    """A few thousand questions of all types."""
    found = []
    for players, games in (("random", 14), ("heuristic", 14)):
        for seed in range(games):
            found += questions(players, seed)
        for seats in (3, 4):
            found += questions(players, seats, seats)
    return found


def small_collection(games: int = 3) -> CaseCollection:
    """The cases of a few games of the heuristic against itself."""
    match = Match("race", ("heuristic", "heuristic"), 11)
    found = [cases_of(match.play(index), ALL_TYPES) for index in range(games)]
    return collection_of([game for game in found if game is not None], {"from": "heuristic"})


def begin_store(file: Path, source: str, games: int) -> None:
    """A store for a run, with the first games of a case base."""
    with exclusive(file):
        Beginning(source, games).make_store(file)


def design_named(name: str) -> int:
    return int(DESIGN[card_named(name)])
