"""Action selection at the root: which action to play when the search is done.

The plain choices take one action: the most visited (*robust child*), the one of the best mean (*max child*), the one
that is both (*robust-max child*), or the one of the highest lower confidence bound (*secure child*); see Chaslot et al.
(2008). While no action is both, the search goes on, until it has spent its budget twice (agent.py); then the most
visited one is taken.

The others draw among the best (Sephton 2016, section 5.3.5): uniformly among the `n` best (*rand*), or in proportion to
visits or means to a power (*roulette*). They leave the search as it is and make its play more varied.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Rule = Literal["robust", "max", "robust_max", "secure", "robust_rand", "max_rand", "robust_roulette", "max_roulette"]


class Candidate(NamedTuple):
    """A root action: how often it was visited, and the mean of its returns, scaled to 0 to 1."""

    action: int
    visits: int
    mean: float


@dataclass(frozen=True)
class RootChoice:
    """How the action is chosen."""

    rule: Rule = "robust"
    n: int = 0
    """Draw among so many of the best; 0: among all."""
    power: float = 1.0
    """Of visits or means, for roulette."""

    def rank(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The best first, by the measure that the rule goes by."""
        key = _KEYS[self.rule]
        return sorted(candidates, key=lambda candidate: (*(-x for x in key(candidate)), candidate.action))

    def choose(self, candidates: Sequence[Candidate], rng: random.Random) -> Candidate:
        ranked = self.rank(candidates)
        if self.rule == "robust_max":
            best_mean = max(candidate.mean for candidate in ranked)
            return next((c for c in ranked if c.visits == ranked[0].visits and c.mean == best_mean), ranked[0])
        if not draws_among_best(self.rule):
            return ranked[0]
        kept = ranked[: self.n] if self.n else ranked
        if self.rule in ("robust_rand", "max_rand"):
            return rng.choice(kept)
        weights = [(c.visits if self.rule == "robust_roulette" else max(c.mean, 0.0)) ** self.power for c in kept]
        return rng.choices(kept, weights)[0] if sum(weights) > 0 else rng.choice(kept)


def has_robust_max(candidates: Sequence[Candidate]) -> bool:
    """Whether one action has both the most visits and the best mean."""
    most, best = max(c.visits for c in candidates), max(c.mean for c in candidates)
    return any(c.visits == most and c.mean == best for c in candidates)


def draws_among_best(rule: Rule) -> bool:
    """Whether a rule draws at random, so that it matters among how many."""
    return rule in ("robust_rand", "max_rand", "robust_roulette", "max_roulette")


def _by_visits(candidate: Candidate) -> tuple[float, ...]:
    return (candidate.visits, candidate.mean)


def _by_mean(candidate: Candidate) -> tuple[float, ...]:
    return (candidate.mean if candidate.visits else -math.inf, candidate.visits)


def _by_lower_bound(candidate: Candidate) -> tuple[float, ...]:
    """The mean less one over the root of the visits."""
    bound = candidate.mean - 1 / math.sqrt(candidate.visits) if candidate.visits else -math.inf
    return (bound, candidate.visits)


_KEYS: dict[str, Callable[[Candidate], tuple[float, ...]]] = {
    "robust": _by_visits,
    "robust_max": _by_visits,
    "robust_rand": _by_visits,
    "robust_roulette": _by_visits,
    "max": _by_mean,
    "max_rand": _by_mean,
    "max_roulette": _by_mean,
    "secure": _by_lower_bound,
}
