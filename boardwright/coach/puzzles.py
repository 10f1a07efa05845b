"""Puzzles: positions in which one option is better than all others by ten points or more.

A puzzle is data: the deal and the actions that lead to it, the seat that is asked, the option that is right and what
the others are worth. Two agents must agree on it (`Checkers`): the strongest of the game judges the options with a deep
budget, and a second one must find the same option best, by as much. Shipped sets are in data/, one file per game;
mining.py makes them, and puzzles from a person's own games.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pydantic

from boardwright.coach.analysis import Z99, DeterminizationSeeds, error_of
from boardwright.coach.evaluators import POINT, AgentValues, Evaluator, Values, evaluator_spec, make_evaluator
from boardwright.errors import BadRecord, BadSpec
from boardwright.files import atomic_output, parse_json
from boardwright.kernel import Game, Observation, State
from boardwright.positions import deal
from boardwright.registry import load_game, make_agent

FORMAT = 1
CLEAR = 10 * POINT
"""By so much the right option is better than any other."""
DATA = Path(__file__).parent / "data"
DEEP = 512
"""Determinizations in which the first agent judges the best options."""
GLANCE = 32
"""Determinizations in which it judges all of them at first."""
CONTENDERS = 4
"""So many options are judged deeply."""
SECOND_JUDGES: dict[str, tuple[str, Callable[[str, Game, int], Evaluator] | None]] = {
    "race": ("netsearch:turns=3", make_evaluator),
    "colonizers": ("ismcts:iterations=10000", None),
    "wonders": ("ismcts:iterations=20000", None),
    "lords": ("ismcts:evaluation=learned,plies=0,iterations=40", AgentValues),
}
"""Who checks what the strongest agent says, and how: another network and depth, a search of the position itself, or a
player that plays all seats to the end."""
SECOND_DETERMINIZATIONS = 256
SECOND_GAMES = 160
"""So many games to the end, at most, for each option."""
LEAST_VISITS = 30
"""An option with fewer visits of a search has no value that counts."""


class Puzzle(pydantic.BaseModel):
    """One position to solve."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    game: str
    seats: int
    seed: int
    options: dict[str, bool | int | str] = {}
    position: dict[str, Any] = {}
    """What the game began with, if that was no fresh deal."""
    actions: list[int]
    seat: int
    answer: int
    values: dict[int, float]
    """What the options are worth that were judged deeply, from 0 to 1."""
    gap: float
    """How much better the answer is than the next best option."""
    standard_error: float
    second_gap: float
    """How much better it is by the second agent."""
    judged_by: list[str]
    easy: bool = False
    """Whether the game's rules of thumb find the answer."""

    @property
    def id(self) -> str:
        """What tells it from all others."""
        deal = json.dumps([self.game, self.seats, self.seed, self.options, self.position, self.actions])
        return hashlib.sha256(deal.encode()).hexdigest()[:12]

    def load_game(self) -> Game:
        return load_game(self.game)

    def state(self) -> State:
        """The position, replayed; BadRecord if it does not fit the rules any more."""
        game = self.load_game()
        if self.position:
            state = deal(game, self.position, self.seed)
        else:
            state = game.new(seed=self.seed, seats=self.seats, **self.options)
        for number, action in enumerate(self.actions, 1):
            if action not in state.legal_actions():
                raise BadRecord(f"puzzle {self.id}: move {number} does not fit the rules; it was made for older ones")
            state.apply(action)
        if state.player != self.seat or self.answer not in state.legal_actions():
            raise BadRecord(f"puzzle {self.id}: its answer cannot be played; it was made for older rules")
        return state

    def observation(self) -> Observation:
        return self.state().observation(self.seat)


class Check(pydantic.BaseModel):
    """What the first agent says of a position."""

    answer: int
    values: dict[int, float]
    gap: float
    standard_error: float

    @property
    def is_clear(self) -> bool:
        return self.gap - Z99 * self.standard_error >= CLEAR


def shipped(game: str) -> list[Puzzle]:
    """The puzzles that come with the package."""
    file = DATA / f"{game}.jsonl"
    return list(_read(file)) if file.is_file() else []


@cache
def _read(file: Path) -> tuple[Puzzle, ...]:
    return tuple(read_puzzles(file))


def read_puzzles(file: Path) -> list[Puzzle]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(Puzzle.model_validate(parse_json(line)))
        except pydantic.ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise BadRecord(f"{file}, line {number}: not a puzzle: {where}: {first['msg']}") from None
        except ValueError as error:
            raise BadRecord(f"{file}, line {number}: not JSON: {error}") from None
    return found


def write_puzzles(file: Path, puzzles: Sequence[Puzzle]) -> None:
    with atomic_output(file) as temporary:
        temporary.write_text("".join(line_of(puzzle) for puzzle in puzzles))


def line_of(puzzle: Puzzle) -> str:
    return puzzle.model_dump_json(exclude_defaults=True) + "\n"


class Checkers:
    """The two agents that check the puzzles of a game, for one thread."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.first = make_evaluator(evaluator_spec(game, seats), game, seats)
        if game.name not in SECOND_JUDGES:
            raise BadSpec(f"nobody is known who could check puzzles of {game.name}; there are none for it")
        self.second, evaluator = SECOND_JUDGES[game.name]
        agent = make_agent(self.second, game, 0)
        self.second_evaluator = evaluator(self.second, game, seats) if evaluator is not None else None
        self.needs = [*self.first.needs(), *agent.needs()]
        agent.close()

    @property
    def names(self) -> list[str]:
        return [self.first.spec, self.second]

    def first_check(self, observation: Observation) -> Check | None:
        """What the strongest agent says, if one option is clearly the best."""
        legal = observation.legal_actions()
        budget = self.first.budget
        if len(legal) > budget.width:
            legal = self.first.candidates(observation, budget.width)
        seeds = DeterminizationSeeds(observation, 0)
        scale = budget.selection / 64  # searches get fewer determinizations than rollouts
        glances = max(4, int(GLANCE * scale))
        glance = self.first.values(observation, legal, seeds.take(glances // 4))
        if not _may_lead(glance, CLEAR / 2):
            return None
        glance = np.concatenate((glance, self.first.values(observation, legal, seeds.take(glances - len(glance)))))
        if not _may_lead(glance, CLEAR):
            return None
        ranked = np.argsort(-glance.mean(axis=0))
        contenders = [legal[int(i)] for i in ranked[:CONTENDERS]]
        deep = max(32, int(DEEP * scale))
        found = self.first.values(observation, contenders, seeds.take(deep // 4))
        if not _may_lead(found, CLEAR):
            return None
        return check_of(
            contenders,
            np.concatenate((found, self.first.values(observation, contenders, seeds.take(deep - len(found))))),
        )

    def second_gap(self, observation: Observation, check: Check) -> float:
        """By how much the second agent thinks the answer better than any other option; negative if it is not."""
        answer, evaluator = check.answer, self.second_evaluator
        if isinstance(evaluator, AgentValues):
            return self._gap_in_games(evaluator, observation, check)
        if evaluator is not None:
            actions = [answer, *(action for action in observation.legal_actions() if action != answer)]
            seeds = DeterminizationSeeds(observation, 1).take(SECOND_DETERMINIZATIONS)
            return _lead(evaluator.values(observation, actions, seeds))[0]
        agent = make_agent(self.second, self.game, observation.seat, seed=1)
        try:
            reasons = agent.decide(observation).reasons
        finally:
            agent.close()
        valued = {r.action: r.value for r in reasons if r.value is not None and (r.visits or 0) >= LEAST_VISITS}
        others = [value for action, value in valued.items() if action != answer]
        if answer not in valued:
            return -1.0
        return (valued[answer] - max(others, default=self.game.min_utility)) / self.first.spread

    def _gap_in_games(self, player: AgentValues, observation: Observation, check: Check) -> float:
        """The same by games to the end, which take long: only of the options that were judged deeply, and no more when
        the gap is clear or is not seen. There are few games, so their standard error is taken off."""
        actions = [check.answer, *(action for action in check.values if action != check.answer)]
        seeds = DeterminizationSeeds(observation, 1)
        values = np.zeros((0, len(actions)))
        while len(values) < SECOND_GAMES:
            values = np.concatenate((values, player.values(observation, actions, seeds.take(GLANCE // 2))))
            lead, error = _lead(values)
            if lead < CLEAR or lead - Z99 * error >= CLEAR:
                break
        return lead - error

    def close(self) -> None:
        self.first.close()
        if self.second_evaluator is not None:
            self.second_evaluator.close()


def _may_lead(values: Values, by: float) -> bool:
    """Whether the best option is better than the next one by so much, or by two standard errors less."""
    means = values.mean(axis=0)
    next_best, best = np.argsort(means)[-2:]
    return bool(means[best] - means[next_best] >= by - 2 * error_of(values[:, best] - values[:, next_best]))


def _lead(values: Values) -> tuple[float, float]:
    """By how much the first option is better than any other, on average, with its standard error."""
    means = values.mean(axis=0)
    next_best = 1 + int(np.argmax(means[1:]))
    return float(means[0] - means[next_best]), error_of(values[:, 0] - values[:, next_best])


def check_of(actions: Sequence[int], values: Any) -> Check:
    """From a table of values: the best option, and how far the next one is behind."""
    means = values.mean(axis=0)
    best = int(np.argmax(means))
    gaps = [(float(means[best] - means[i]), i) for i in range(len(actions)) if i != best]
    gap, second = min(gaps)
    return Check(
        answer=actions[best],
        values={action: round(float(mean), 4) for action, mean in zip(actions, means, strict=True)},
        gap=gap,
        standard_error=error_of(values[:, best] - values[:, second]),
    )
