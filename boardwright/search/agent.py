"""What the search agents share: budgets, threads, playouts; each search has its agent beside its kernel."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from boardwright.agents import Decision, param
from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel import Code, Observation, RngState, rng
from boardwright.kernel.entries import SearchParts
from boardwright.search.budget import (
    CLOCKS,
    MOST_ITERATIONS,
    MOST_SECONDS,
    Advance,
    Budget,
    Clock,
    Work,
    spend_together,
)
from boardwright.search.game_clock import GameClock
from boardwright.search.leaf import TO_THE_END
from boardwright.search.root_choice import RootChoice, Rule, draws_among_best, has_robust_max
from boardwright.search.statistics import Statistics
from boardwright.search.stream import StreamAgent
from boardwright.search.width import Width, complexities

DEFAULT_EXPLORATION = 0.7
"""Times max_utility - min_utility: √2, the constant of UCB1, for returns from -1 to 1."""


EXTENSIONS = 10
"""With select=robust_max: a search goes on for so many parts, which together are its budget once more."""


def _part(budget: Budget) -> Budget:
    seconds = None if budget.seconds is None else budget.seconds / EXTENSIONS
    return Budget(-(-budget.iterations // EXTENSIONS), seconds, budget.clock)


@dataclass
class Search:
    """One search under way: `advance(n)` adds n iterations, `root()` tells what it found so far."""

    advance: Advance
    root: Callable[[], Statistics]
    conflicts: Any = None
    """Where threads share a tree: how often they met at a node, as an array of one number."""
    helpers: Sequence[Advance] = ()
    """Where threads share a tree: how threads beside the first add iterations."""
    selections: Sequence[Any] = ()
    """Of each thread, where virtual losses are counted: selections, and how many of them those have changed."""

    @classmethod
    def on_shared_tree(
        cls, advances: Iterable[Advance], root: Callable[[], Statistics], conflicts: Any, selections: Sequence[Any] = ()
    ) -> Search:
        """`advances` has one for each thread."""
        first, *helpers = advances
        return cls(first, root, conflicts, helpers, selections)

    def work(self, budget: Budget) -> list[Work]:
        """What each thread has to do."""
        threads = [self.advance, *self.helpers]
        return list(zip(budget.share(len(threads)), threads, strict=True))


def spend_until_decided(search: Search, budget: Budget) -> int:
    """Spend a number of iterations, or as many of them as it takes until no other action can become the most visited:
    then more leads than there are iterations left (Huang, Coulom and Lin, 2010, and others before). It is looked at
    when that can be so at the soonest."""
    done = 0
    while done < budget.iterations:
        left = budget.iterations - done
        lead = search.root().lead if done else 0
        if lead > left:
            break
        done += spend_together([search.work(replace(budget, iterations=min(left, (left - lead) // 2 + 1)))], 1)
    return done


class SearchAgent(StreamAgent):
    """What all search agents share: budget, threads, playouts."""

    iterations: int = param(1000, "playouts to spend on a decision", ge=1, le=MOST_ITERATIONS)
    seconds: float | None = param(
        None, "time to spend on a decision instead of a number of iterations", gt=0, le=MOST_SECONDS
    )
    clock: Clock = param(
        "wall", "with a budget of time: time on the wall, or processor time of each thread", advanced=True
    )
    game_seconds: float | None = param(
        None, "time for all decisions of a game, shared among them as they come", gt=0, le=MOST_SECONDS
    )
    playout: str | None = param(
        None, "the rollout policy: random, or one of the game's; default: the game's default, or random"
    )
    plies: int | None = param(
        None,
        "moves of a playout before the position is evaluated, -1: to the end; default: the game's default, or -1",
        ge=TO_THE_END,
    )
    evaluation: str | None = param(None, "with `plies`, an estimate of the returns; default: the game's default")
    select: Rule = param("robust", "how the action is chosen at the root (root_choice.py)")
    top: int = param(0, "with a `select` that draws: draw among so many of the best; 0: among all", ge=0, advanced=True)
    complexity: str | None = param(
        None,
        "with `top`: draw among fewer where the position is simple, by this measure of the game (width.py)",
        advanced=True,
    )
    tune: bool = param(
        False,
        "with `top`: draw among one more after a decision that looks won, else one less, from 1 to 10",
        advanced=True,
    )
    power: float = param(1.0, "with roulette: the power of visits or means", ge=0, advanced=True)
    threads: int = param(1, "threads that search at the same time", ge=1, le=256)

    closed = False
    """Whether the kernel asks what seats learn."""
    judges: tuple[str, ...] = ()
    """Evaluations that rank actions."""
    traced = False
    """Whether playouts leave a trace."""
    wants_estimate = ""
    """The parameter for which positions are evaluated also if playouts go to the end."""

    def prepare(self) -> None:
        super().prepare()
        defaults = self.game.search.defaults
        self.playout = self.playout or defaults.get("playout", "random")
        self.playout_plies: int = defaults.get("plies", TO_THE_END) if self.plies is None else self.plies
        truncated = self.playout_plies != TO_THE_END
        evaluation = self.evaluation or defaults.get("evaluation", "returns")
        estimated = truncated or bool(self.wants_estimate)
        if estimated and evaluation == "returns":
            raise BadSpec(f"agent {self.label()!r}: {self._why_no_estimate()}")
        if estimated and evaluation in self.game.search.rankings:
            raise BadSpec(f"agent {self.label()!r}: {self._why_no_value(evaluation)}")
        self.estimate: str = evaluation if estimated else "returns"
        self.refuse_idle("evaluation", not estimated and self.evaluation not in (None, "returns"), "`plies`")
        timed = self.seconds is not None or self.game_seconds is not None
        self.refuse_idle("clock", self.clock != "wall" and not timed, "`seconds` or `game_seconds`")
        self.refuse_idle("power", self.power != 1.0 and not self.select.endswith("roulette"), "a `select` by roulette")
        self.width = self._make_width()
        self._game_clock = GameClock(self.game, self.game_seconds) if self.game_seconds else None
        self._parts = SearchParts(self.playout, self.estimate, truncated, self.traced, self.closed, self.judges)
        self._code = self.game.entries.search_code(self._parts)

    def refuse_idle(self, name: str, idle: bool, needed: str) -> None:
        """A parameter that would do nothing beside the others given is a mistake, and is named."""
        if idle:
            raise BadSpec(f"agent {self.label()!r}: {name} does nothing here; it needs {needed}")

    def needs(self) -> list[Code]:
        return [*self._code, self.kernel_code(), *(self._game_clock.code() if self._game_clock else [])]

    @cached_property
    def rules(self) -> Any:
        """The game as the kernel gets it."""
        return self.game.entries.search_rules(self._parts)

    def kernel_code(self) -> Code:
        """The unit of the search's own kernel."""
        raise NotImplementedError

    def _why_no_estimate(self) -> str:
        evaluations = ", ".join(self.game.search.evaluations) or "none"
        if self.evaluation:
            why = f"evaluation=returns needs finished games, but plies={self.playout_plies} cuts playouts short"
        else:
            who = f"plies={self.playout_plies}" if self.playout_plies != TO_THE_END else self.wants_estimate
            why = f"{who} needs an evaluation, and {self.game.name} has no default one"
        return f"{why}; evaluations of {self.game.name}: {evaluations}"

    def _why_no_value(self, evaluation: str) -> str:
        estimates = [name for name in self.game.search.evaluations if name not in self.game.search.rankings]
        return (
            f"evaluation={evaluation} ranks positions in units of its own, and cannot be added up with returns;"
            f" estimates of the returns in {self.game.name}: {', '.join(estimates) or 'none'}"
        )

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        raise NotImplementedError

    def searches(self, observation: Observation) -> int:
        return self.threads

    def searches_at_once(self, searches: int) -> int:
        return min(self.threads, searches)

    def start_game(self, observation: Observation) -> None:
        super().start_game(observation)
        self.width = self._make_width()
        if self._game_clock is not None:
            self._game_clock.start()

    def budget(self, observation: Observation, rng_state: RngState) -> Budget:
        """What to spend on the decision at hand."""
        if self._game_clock is None:
            return Budget(self.iterations, self.seconds, self.clock)
        return Budget(self.iterations, self._game_clock.share(observation, rng_state), self.clock)

    def decide(self, observation: Observation) -> Decision:
        began, began_on_clock = time.perf_counter(), CLOCKS[self.clock]()
        rng_state = self.rng_state(observation)
        searches = self.searches(observation)
        budget = self.budget(observation, rng_state)
        shares = budget.share(searches)
        shares = [share for share in shares if share.iterations > 0]
        started = [self.start(observation, rng.generator(rng.draw(rng_state)), share) for share in shares]
        if self._may_stop_early(budget, started):
            done = spend_until_decided(started[0], shares[0])
        else:
            work = [search.work(share) for share, search in zip(shares, started, strict=True)]
            done = spend_together(work, self.searches_at_once(searches))
        statistics = Statistics.merged(search.root() for search in started)
        more = [search.work(_part(share)) for share, search in zip(shares, started, strict=True)]
        for _ in range(EXTENSIONS if self.select == "robust_max" else 0):
            if has_robust_max(statistics.candidates(self.game.min_utility, self.game.max_utility)):
                break
            done += spend_together(more, self.searches_at_once(searches))
            statistics = Statistics.merged(search.root() for search in started)
        milliseconds = 1000 * (time.perf_counter() - began)
        if self._game_clock is not None:
            on_other_threads = self.clock == "cpu" and self.threads > 1
            elsewhere = budget.seconds or 0.0 if on_other_threads else 0.0
            self._game_clock.spend(CLOCKS[self.clock]() - began_on_clock + elsewhere)
        summary = f"{done:,} iterations in {milliseconds:.1f} ms"
        decision = self.conclude(statistics, observation, random.Random(rng.draw(rng_state)), summary)
        counts = [int(search.conflicts[0]) for search in started if search.conflicts is not None]
        decision.conflicts = sum(counts) if counts else None
        selected, changed = (sum(int(own[i]) for search in started for own in search.selections) for i in (0, 1))
        decision.changed_selections = changed / selected if selected else None
        return decision

    def _may_stop_early(self, budget: Budget, started: Sequence[Search]) -> bool:
        """Whether the action is all that is wanted, and the most visited one of one search on one thread is taken."""
        alone = len(started) == 1 and self.threads == 1 and budget.seconds is None
        return self.action_suffices and self.visits_decide and self.select == "robust" and alone

    @property
    def visits_decide(self) -> bool:
        """Whether an iteration is one visit at the root, and nothing else of a search counts later."""
        return False

    def _make_width(self) -> Width:
        """BadSpec if a width is to change that there is not."""
        changing = "tune" if self.tune else "complexity" if self.complexity else None
        if changing and (self.top < 1 or not draws_among_best(self.select)):
            raise BadSpec(
                f"agent {self.label()!r}: {changing} needs `top` and a `select` that draws, as robust_roulette"
            )
        idle = self.top > 0 and not draws_among_best(self.select)
        self.refuse_idle("top", idle, "a `select` that draws, as robust_roulette")
        measures = complexities(self.game)
        if self.complexity is not None and self.complexity not in measures:
            raise UnknownName("complexity", self.complexity, measures, f" for {self.game.name}")
        return Width(self.top, self.tune, measures[self.complexity] if self.complexity else None)

    def conclude(
        self, statistics: Statistics, observation: Observation, chance: random.Random, summary: str
    ) -> Decision:
        """Choose among the root's actions; the reasons are in the order of the choice's own measure."""
        choice = RootChoice(self.select, self.width.at(observation), self.power)
        candidates = statistics.candidates(self.game.min_utility, self.game.max_utility)
        ranked = choice.rank(candidates)
        chosen = choice.choose(candidates, chance)
        self.width.after(chosen.mean)
        decision = Decision(chosen.action, statistics.reasons(ranked), summary)
        decision.best = chosen == ranked[0]
        return decision


class TreeSearchAgent(SearchAgent):
    """What the searches that grow a tree share."""

    exploration: float | None = param(
        None,
        "weight of the confidence bound, in units of the returns; default: the game's default, or 0.7 times"
        " max_utility - min_utility",
        ge=0,
    )
    parallel: Literal["root", "tree", "leaf"] = param(
        "root",
        "what threads do: search trees of their own and add up the root statistics; share one tree; or play out the"
        " leaves that one of them comes to",
    )
    virtual_loss: float = param(
        0.0,
        "with parallel=tree or leaf: losses counted for a node while a thread is below it, to keep threads apart; also"
        " a part of one, as 0.5",
        ge=0,
        advanced=True,
    )
    nodes: int = param(
        4_000_000, "the most nodes a tree may have; then it stops growing", ge=2, le=2**31 - 1, advanced=True
    )

    def prepare(self) -> None:
        super().prepare()
        idle = self.virtual_loss > 0 and self.parallel == "root"
        self.refuse_idle("virtual_loss", idle, "threads that share a tree: parallel=tree or leaf")
        spread = self.game.max_utility - self.game.min_utility
        default = self.game.search.defaults.get("exploration", DEFAULT_EXPLORATION * spread)
        self.exploration_weight: float = default if self.exploration is None else self.exploration

    @property
    def shares_tree(self) -> bool:
        """Whether several threads search one tree."""
        return self.parallel != "root" and self.threads > 1

    @property
    def has_leaf_workers(self) -> bool:
        """Whether one thread searches it, and others play out its leaves."""
        return self.parallel == "leaf" and self.threads > 1

    def searches_at_once(self, searches: int) -> int:
        """Threads that share a tree are all in one: the trees of several determinizations come one after the other."""
        return 1 if self.shares_tree else super().searches_at_once(searches)

    def room(self, budget: Budget, nodes_per_iteration: int) -> int:
        if budget.seconds is not None:
            return max(1 + self.game.max_legal, self.nodes)
        iterations = budget.iterations
        if self.select == "robust_max":
            iterations = 2 * iterations + EXTENSIONS
        return max(1 + self.game.max_legal, min(self.nodes, iterations * nodes_per_iteration + 1))
