"""The search family as agents."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, Payoffs, View, rng
from boardwright.search import flat, ismcts, maxn, uct
from boardwright.search.bench import Bench
from boardwright.search.budget import Budget, spend_together
from boardwright.search.leaf import TO_THE_END
from boardwright.search.statistics import Statistics

DEFAULT_EXPLORATION = 0.7
"""Times the spread of the payoffs: √2 for payoffs from -1 to 1."""


@dataclass
class Search:
    """One search under way: `advance(n)` adds n iterations, `root()` tells what it found so far."""

    advance: Callable[[int], None]
    root: Callable[[], Statistics]


class SearchAgent(Agent):
    """What all search agents share: budget, threads, playouts."""

    iterations: int = param(1000, "playouts to spend on a decision", ge=1)
    seconds: float | None = param(None, "time to spend on a decision instead of a number of iterations", gt=0)
    playout: str | None = param(
        None,
        "the policy that plays on from a leaf: random, or one the game brings; default: what the game advises, or"
        " random",
    )
    plies: int | None = param(
        None,
        "moves to play on from a leaf before it is judged by the evaluation, -1: to the end; default: what the game"
        " advises, or -1",
        ge=TO_THE_END,
    )
    evaluation: str | None = param(None, "with `plies`, the game's estimate of the returns; default: what it advises")
    threads: int = param(1, "searches run side by side, their root statistics added up", ge=1, le=256)

    def prepare(self) -> None:
        self.playout = self.playout or self.game.advice.get("playout", "random")
        if self.plies is None:
            self.plies = self.game.advice.get("plies", TO_THE_END)
        breaks_off = self.plies != TO_THE_END
        evaluation = self.evaluation or self.game.advice.get("evaluation", "returns")
        if breaks_off and evaluation == "returns":
            raise BadSpec(f"agent {self.label()!r}: {self._why_no_estimate()}")
        self.rules: Any = self.game.entries.table(
            self.playout, evaluation if breaks_off else "returns", breaks_off=breaks_off
        )

    def _why_no_estimate(self) -> str:
        brought = f"{self.game.name} brings {', '.join(self.game.evaluations) or 'none'}"
        if self.evaluation:
            return f"evaluation=returns judges games that are over, plies={self.plies} breaks them off; {brought}"
        return f"{self.game.name} advises no evaluation for plies={self.plies}; {brought}"

    def start(self, view: View, words: rng.Words, budget: Budget) -> Search:
        raise NotImplementedError

    def searches(self) -> int:
        return self.threads

    def decide(self, view: View) -> Decision:
        legal = view.legal_actions()
        if len(legal) == 1:
            return Decision(legal[0], summary="the only legal action")
        began = time.perf_counter()
        words = self.chance(view)
        shares = Budget(self.iterations, self.seconds).share(self.searches(), self.threads)
        shares = [share for share in shares if share.iterations > 0]
        started = [self.start(view, rng.generator(rng.draw(words)), share) for share in shares]
        done = spend_together([(b, s.advance) for b, s in zip(shares, started, strict=True)], self.threads)
        statistics = Statistics.merged(search.root() for search in started)
        milliseconds = 1000 * (time.perf_counter() - began)
        return self.conclude(statistics, f"{done:,} iterations in {milliseconds:.1f} ms")

    def conclude(self, statistics: Statistics, summary: str) -> Decision:
        return statistics.decision(summary)


class TreeSearchAgent(SearchAgent):
    """What the searches that grow a tree share."""

    exploration: float | None = param(
        None,
        "weight of the confidence bound, in units of the payoff; default: what the game advises, or 0.7 times the"
        " payoffs' spread",
        ge=0,
    )
    nodes: int = param(4_000_000, "the most nodes a tree may have; then it stops growing", ge=2, le=2**31 - 1)

    def prepare(self) -> None:
        super().prepare()
        low, high = self.game.payoffs
        if self.exploration is None:
            self.exploration = self.game.advice.get("exploration", DEFAULT_EXPLORATION * (high - low))
        self.weight = self.exploration

    def room(self, budget: Budget, nodes_per_iteration: int) -> int:
        if budget.seconds is not None:
            return max(1 + self.game.max_legal, self.nodes)
        return max(1 + self.game.max_legal, min(self.nodes, budget.iterations * nodes_per_iteration + 1))


class UCT(TreeSearchAgent):
    """UCT. Where information is hidden it searches several sampled worlds, each as if it were fully known."""

    worlds: int = param(10, "sampled worlds to share the iterations among, where information is hidden", ge=1)

    def searches(self) -> int:
        return max(self.worlds, self.threads) if self.game.hidden else self.threads

    def start(self, view: View, words: rng.Words, budget: Budget) -> Search:
        root = view.sample(seed=rng.draw(words)).memory
        tree = uct.Tree.with_room_for(self.room(budget, self.game.max_legal))
        bench, kernel = Bench.for_game(self.game), uct.kernel()
        return Search(lambda n: kernel(self.rules, root, tree, bench, words, n, self.weight, self.plies), tree.root)


class ISMCTS(TreeSearchAgent):
    """Information set MCTS: trees over what seats can know, a new sample of the hidden part every iteration."""

    variant: Literal["so", "pom", "mo"] = param(
        "so", "one tree; one tree in which hidden actions of others look alike; or one tree for each seat"
    )

    def start(self, view: View, words: rng.Words, budget: Budget) -> Search:
        variant = {"so": ismcts.SO, "pom": ismcts.POM, "mo": ismcts.MO}[self.variant]
        tree = ismcts.Tree.with_room_for(self.room(budget, self._nodes_per_iteration(view.seats)))
        bench, kernel, seats = Bench.for_game(self.game), ismcts.kernel(), view.seats

        def advance(n: int) -> None:
            kernel(self.rules, view.memory, view.seat, seats, variant, tree, bench, words, n, self.weight, self.plies)

        return Search(advance, lambda: tree.root(view.seat))

    def _nodes_per_iteration(self, seats: int) -> int:
        """In the tree of a seat that has not chosen, an iteration can add a node at every step; few do."""
        return 16 * seats if self.variant == "mo" else 1


class Flat(SearchAgent):
    """Flat Monte Carlo: the action whose playouts end best, on average."""

    def start(self, view: View, words: rng.Words, budget: Budget) -> Search:
        actions = np.array(view.legal_actions(), np.int64)
        visits, total = np.zeros(len(actions), np.int64), np.zeros(len(actions))
        bench, kernel = Bench.for_game(self.game), flat.kernel()

        def advance(n: int) -> None:
            kernel(self.rules, view.memory, view.seat, actions, visits, total, bench, words, n, self.plies)

        return Search(advance, lambda: Statistics.of(actions, visits, total))

    def conclude(self, statistics: Statistics, summary: str) -> Decision:
        return statistics.decision(summary, by_value=True)


class MaxN(Agent):
    """MaxN: every seat maximises its own payoff a few plies ahead; sampled worlds vote where information is hidden."""

    depth: int = param(7, "plies to look ahead", ge=1, le=64)
    determinizations: int = param(10, "sampled worlds, where information is hidden", ge=1)
    evaluation: str = param("", "how positions at full depth are judged: one the game brings; default: its first")
    root: Literal["own", "lexicographic"] = param(
        "own", "what the choice at the root maximises: the own payoff, or the first seat's, then the second's and so on"
    )

    def prepare(self) -> None:
        evaluation = self.evaluation or next(iter(self.game.evaluations), "returns")
        self.rules: Any = self.game.entries.table(evaluation=evaluation)

    def decide(self, view: View) -> Decision:
        legal = view.legal_actions()
        if len(legal) == 1:
            return Decision(legal[0], summary="the only legal action")
        worlds = self.determinizations if self.game.hidden else 1
        words = self.chance(view)
        levels, leaf = maxn.Levels.for_game(self.game, self.depth), np.zeros(MAX_SEATS)
        payoffs = np.zeros((len(legal), MAX_SEATS))
        votes, own = np.zeros(len(legal), np.int64), np.zeros(len(legal))
        positions = 0
        for _ in range(worlds):
            world = view.sample(seed=rng.draw(words)).memory
            positions += maxn.search(self.rules, world, self.depth, levels, leaf, payoffs)
            votes[self._best(payoffs, view)] += 1
            own += payoffs[:, view.seat] / worlds
        order = sorted(range(len(legal)), key=lambda place: (-votes[place], place))
        reasons = tuple(Reason(legal[i], float(own[i]), float(votes[i] / worlds), int(votes[i])) for i in order)
        return Decision(legal[order[0]], reasons, f"{worlds} worlds, {positions:,} positions")

    def _best(self, payoffs: Payoffs, view: View) -> int:
        if self.root == "own":
            return int(np.argmax(payoffs[:, view.seat]))
        return max(range(len(payoffs)), key=lambda place: tuple(payoffs[place, : view.seats]))
