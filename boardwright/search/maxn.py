"""MaxN (Luckhardt and Irani, 1986): look a number of plies ahead; every seat maximises its own return.

Hidden information is met by determinization: the search runs on several determinizations, and each casts a vote for
the root action it finds best.

Equally good actions are drawn at random (`ties`): otherwise a seat that does not care would always play the action of
the lowest number. A time limit deepens the search ply by ply. Where the game says what all returns can add up to
(`max_utility_sum`), shallow pruning (Korf, 1991) leaves out what cannot be chosen.
"""

from __future__ import annotations

import math
import time
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from boardwright.agents import Decision, Reason, param
from boardwright.kernel import MAX_SEATS, TERMINAL, Code, Game, Observation, RngState, Unit, calls, rng, rule
from boardwright.kernel.arrays import Bools, Float64s, Int64s, UInt8s
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, STATE, AnyRules
from boardwright.kernel.declare import typeof, types
from boardwright.kernel.entries import SearchParts
from boardwright.kernel.pointers import copy_into
from boardwright.kernel.records import Returns
from boardwright.search.budget import CLOCKS, MOST_DETERMINIZATIONS, MOST_SECONDS, SLICE, Clock
from boardwright.search.stream import StreamAgent

ROOT = 0
FINISHED = -1
DEFAULT_DEPTH, DEEPEST = 7, 64
MOST_POSITIONS = 1_000_000
"""Of a decision for which neither depth nor time was given: a depth that would need more is not begun."""
_FIRST_SLICE = 64
"""Positions to look at before the clock is looked at."""


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    depth: int
    random_ties: bool
    most: float
    """Where to prune: a mover's return above this, less the best of the seat that chose before, is never chosen."""


class Levels(NamedTuple):
    """One row for each ply of the line under examination."""

    state: UInt8s
    legal: Int64s
    choices: Int64s
    """How many legal actions there are at this level."""
    cursor: Int64s
    """Which of the legal actions is being looked into."""
    mover: Int64s
    best: Float64s
    """The returns of the best action so far."""
    equals: Int64s
    """How many actions are as good as the best."""
    level: Int64s
    """Where the search is; FINISHED when it is through."""
    cut_off: Bools
    """Whether a line was cut off at full depth: if not, deeper search finds nothing else."""

    @classmethod
    def for_game(cls, game: Game, depth: int) -> Levels:
        return cls.sized(depth + 1, game.state.itemsize, game.max_legal)

    @classmethod
    def sized(cls, levels: int, state: int, legal: int) -> Levels:
        return cls(
            state=np.zeros((levels, state), np.uint8),
            legal=np.zeros((levels, legal), np.int64),
            choices=np.zeros(levels, np.int64),
            cursor=np.zeros(levels, np.int64),
            mover=np.zeros(levels, np.int64),
            best=np.zeros((levels, MAX_SEATS), np.float64),
            equals=np.zeros(levels, np.int64),
            level=np.full(1, FINISHED, np.int64),
            cut_off=np.zeros(1, np.bool_),
        )


SETTINGS = typeof(Settings(1, True, 0.5))
LEVELS = typeof(Levels.sized(2, 2, 2))


@rule
def enter(rules: AnyRules, levels: Levels, level: int, mover: int) -> None:
    levels.mover[level] = mover
    levels.choices[level] = calls.legal(rules, levels.state[level], levels.legal[level])
    levels.cursor[level] = 0
    levels.equals[level] = 0
    levels.best[level, mover] = -math.inf


@rule
def leave(
    levels: Levels,
    level: int,
    returns: Returns,
    root_returns: Float64s,
    settings: Settings,
    rng_state: RngState,
) -> None:
    """The action under examination at this level is worth `returns`; go on to the next."""
    mover = levels.mover[level]
    best = levels.best[level, mover]
    if returns[mover] > best:
        levels.best[level, :] = returns
        levels.equals[level] = 1
    elif returns[mover] == best:
        levels.equals[level] += 1
        if settings.random_ties and rng.below(rng_state, levels.equals[level]) == 0:
            levels.best[level, :] = returns
    if level == ROOT:
        root_returns[levels.cursor[ROOT], :] = returns
    levels.cursor[level] += 1
    if level > ROOT + 1:
        above = level - 1
        chooser = levels.mover[above]
        if chooser != mover and levels.best[level, mover] > settings.most - levels.best[above, chooser]:
            levels.cursor[level] = levels.choices[level]


def _search(
    rules: AnyRules,
    root: Any,
    settings: Settings,
    levels: Levels,
    returns: Returns,
    root_returns: Float64s,
    rng_state: RngState,
    most: int,
) -> int:
    """Fill `root_returns`, a row for each legal action of the root; returns how many positions were looked at.

    After `most` positions it comes back, to be called again unless `levels.level` says that it is through.
    """
    if levels.level[0] == FINISHED:
        copy_into(levels.state[ROOT], root, root.size)
        enter(rules, levels, ROOT, calls.player(rules, levels.state[ROOT]))
        levels.level[0] = ROOT
    level = levels.level[0]
    positions = 0
    while positions < most:
        if levels.cursor[level] == levels.choices[level]:
            if level == ROOT:
                levels.level[0] = FINISHED
                return positions
            level -= 1
            leave(levels, level, levels.best[level + 1], root_returns, settings, rng_state)
            continue
        below = levels.state[level + 1]
        copy_into(below, levels.state[level], below.size)
        calls.apply(rules, below, levels.legal[level, levels.cursor[level]])
        positions += 1
        mover = calls.player(rules, below)
        if mover == TERMINAL or level + 1 == settings.depth:
            calls.evaluate(rules, below, returns)
            levels.cut_off[0] |= mover != TERMINAL
            leave(levels, level, returns, root_returns, settings, rng_state)
        else:
            level += 1
            enter(rules, levels, level, mover)
    levels.level[0] = level
    return positions


@cache
def code() -> Unit:
    floats = types.float64
    signature = types.int64(SEARCH_RULES, STATE, SETTINGS, LEVELS, floats[::1], floats[:, ::1], RNG_STATE, types.int64)
    return Unit("search", {"maxn": (_search, signature)})


def kernel() -> Any:
    """`search(rules, root, settings, levels, returns, root_returns, rng_state, most)` over one fully known position."""
    return code().entry_points["maxn"]


class OutOfTime(Exception):
    """The time is up before the search is through."""


class Deadline(NamedTuple):
    """When to stop, by a clock."""

    clock: Clock
    at: float

    @classmethod
    def after(cls, seconds: float | None, clock: Clock) -> Deadline:
        return cls(clock, math.inf if seconds is None else CLOCKS[clock]() + seconds)

    def passed(self) -> bool:
        return CLOCKS[self.clock]() >= self.at


def search(
    rules: AnyRules,
    root: Any,
    settings: Settings,
    levels: Levels,
    root_returns: Float64s,
    rng_state: RngState,
    deadline: Deadline | None = None,
) -> int:
    """The whole search, in slices; returns how many positions were looked at. OutOfTime if the deadline passes."""
    run, leaf, positions, most = kernel(), np.zeros(MAX_SEATS), 0, _FIRST_SLICE
    levels.level[0] = FINISHED
    while True:
        before = time.perf_counter()
        positions += run(rules, root, settings, levels, leaf, root_returns, rng_state, most)
        if levels.level[0] == FINISHED:
            return positions
        if deadline is not None and deadline.passed():
            raise OutOfTime
        pace = most / max(time.perf_counter() - before, 1e-9)
        most = max(_FIRST_SLICE, min(int(pace * SLICE), 4 * most))


class MaxN(StreamAgent):
    """MaxN: every seat maximises its own return a few plies ahead; determinizations vote if information is hidden."""

    depth: int | None = param(
        None,
        f"plies to look ahead; default: {DEFAULT_DEPTH}, or as many as a million positions are enough for; with"
        " `seconds` as many as there is time for",
        ge=1, le=DEEPEST,
    )  # fmt: skip
    seconds: float | None = param(None, "time to spend on a decision: one ply after the other", gt=0, le=MOST_SECONDS)
    clock: Clock = param("wall", "with `seconds`: time on the wall, or processor time")
    determinizations: int = param(10, "determinizations, where information is hidden", ge=1, le=MOST_DETERMINIZATIONS)
    evaluation: str = param("", "how positions at full depth are judged: one the game brings; default: its first")
    ties: Literal["random", "first"] = param(
        "random", "of equally good actions: one drawn at random, or the one of the lowest number"
    )
    root: Literal["own", "lexicographic"] = param(
        "own", "what the choice at the root maximises: the own return, or the first seat's, then the second's and so on"
    )

    def prepare(self) -> None:
        super().prepare()
        self.estimate = self.evaluation or next(iter(self.game.search.evaluations), "returns")
        self._code = self.game.entries.search_code(SearchParts(evaluation=self.estimate))

    def needs(self) -> list[Code]:
        return [*self._code, code]

    @cached_property
    def rules(self) -> Any:
        return self.game.entries.search_rules(SearchParts(evaluation=self.estimate))

    def decide(self, observation: Observation) -> Decision:
        deadline = Deadline.after(self.seconds, self.clock)
        rng_state = self.rng_state(observation)
        hidden = observation.has_hidden_information
        samples = [
            observation.determinize(seed=rng.draw(rng_state)).memory
            for _ in range(self.determinizations if hidden else 1)
        ]
        deepest = self.depth or (DEFAULT_DEPTH if self.seconds is None else DEEPEST)
        verdict = Verdict(observation, deepest)
        if self.depth is None and self.seconds is None:
            deepest = self._affordable(samples, observation, rng_state)
        if self.seconds is None:
            verdict = self._look(deepest, samples, observation, rng_state, deadline, verdict)
        else:
            for depth in range(1, deepest + 1):
                try:
                    verdict = self._look(depth, samples, observation, rng_state, deadline, verdict)
                except OutOfTime:
                    break
                if not verdict.cut_off or deadline.passed():
                    break
        return verdict.decision(rng_state if self.ties == "random" else None)

    def _affordable(self, samples: list[Any], observation: Observation, rng_state: RngState) -> int:
        """The default depth, or the last one that does not need too many positions, as far as that can be foreseen
        from how their number grows."""
        no_limit, before = Deadline.after(None, self.clock), 1
        for depth in range(1, DEFAULT_DEPTH):
            looked = self._look(depth, samples, observation, rng_state.copy(), no_limit, Verdict(observation, depth))
            if looked.positions * looked.positions / before > MOST_POSITIONS:
                return depth
            before = looked.positions
        return DEFAULT_DEPTH

    def _look(
        self,
        depth: int,
        samples: list[Any],
        observation: Observation,
        rng_state: RngState,
        deadline: Deadline,
        before: Verdict,
    ) -> Verdict:
        """All determinizations at one depth. The first of the first ply is finished in any case."""
        verdict = Verdict(observation, depth)
        verdict.positions = before.positions
        levels = Levels.for_game(self.game, depth)
        settings = Settings(depth, self.ties == "random", self._prune_above(observation.seats))
        returns = np.zeros((len(verdict.legal), MAX_SEATS))
        for sample in samples:
            limit = deadline if before.voters or verdict.voters else None
            try:
                verdict.positions += search(self.rules, sample, settings, levels, returns, rng_state, limit)
            except OutOfTime:
                if before.voters:
                    raise
                break  # better the votes of some determinizations than none
            verdict.add(returns, self._best(returns, observation, rng_state))
        verdict.cut_off = bool(levels.cut_off[0])
        return verdict

    def _prune_above(self, seats: int) -> float:
        """Of the returns of two seats, the sum that leaves room for the lowest returns of the others."""
        most, is_ranking = self.game.max_utility_sum, self.estimate in self.game.search.rankings
        return math.inf if most is None or is_ranking else most - (seats - 2) * self.game.min_utility

    def _best(self, returns: Returns, observation: Observation, rng_state: RngState) -> int:
        if self.root == "lexicographic":
            rows = [tuple(row[: observation.seats]) for row in returns]
        else:
            rows = [(row[observation.seat],) for row in returns]
        best = [place for place, row in enumerate(rows) if row == max(rows)]
        return best[rng.draw(rng_state) % len(best)] if self.ties == "random" else best[0]


class Verdict:
    """What the determinizations say: votes and mean returns of each action."""

    def __init__(self, observation: Observation, depth: int) -> None:
        self.legal, self.seat, self.depth = observation.legal_actions(), observation.seat, depth
        self.votes, self.own = np.zeros(len(self.legal), np.int64), np.zeros(len(self.legal))
        self.voters = self.positions = 0
        self.cut_off = True

    def add(self, returns: Returns, choice: int) -> None:
        self.votes[choice] += 1
        self.own += returns[:, self.seat]
        self.voters += 1

    def decision(self, rng_state: RngState | None) -> Decision:
        """The most votes; of equals one at random, or the first if there are no random numbers."""
        chance = [0 if rng_state is None else rng.draw(rng_state) for _ in self.legal]
        order = sorted(range(len(self.legal)), key=lambda place: (-self.votes[place], chance[place], place))
        reasons = tuple(
            Reason(
                self.legal[i],
                float(self.own[i] / self.voters),
                float(self.votes[i] / self.voters),
                int(self.votes[i]),
            )
            for i in order
        )
        summary = f"{self.voters} determinizations, {self.depth} plies, {self.positions:,} positions"
        return Decision(self.legal[order[0]], reasons, summary)
