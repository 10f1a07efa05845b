"""Intervals that hold at every number of games at once, so that a match may be played on while it is undecided.

A 95 % interval of a fixed size is wrong in one of twenty matches if one looks once. Who looks after every few games,
and stops when the interval tells something, is wrong far more often. A confidence sequence is wrong at any time, of all
the times one looks, in at most one of twenty matches. It is wider: that is what looking costs.

For a share this is Robbins' mixture (1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021): the
interval of all shares p at which the wealth of somebody who bets against p, by a beta-binomial mixture, has never
reached 1/α. Ville's inequality gives the guarantee. It holds for draws too, which count half: the wealth is convex in
the result, so that a draw wins no more than the mean of a won and a lost game.

Several matches on the same deals are not independent of each other. What is said of them together, or of the difference
of two, is a mean over rounds: one game of each match, all on the same deal. The same bets are made on the result of the
round as a whole (Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86, 2024), whatever it is that
makes the games of a round alike. For sums of many shares, as in the claims about tuning, it is the asymptotic sequence
of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 52, 2024).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaln, logsumexp

ALPHA = 0.05
"""How often a verdict may be wrong."""
_PRIOR = 0.5
"""Both parameters of the beta distribution that bets are drawn from."""
_TIGHTEST = 100
"""Games at which the asymptotic sequence is made to be narrowest."""
_EDGE = 1e-12


@lru_cache(maxsize=65536)
def confidence_sequence(points: float, games: int, alpha: float = ALPHA) -> tuple[float, float]:
    """What the true share lies between, with probability 1 - alpha for all numbers of games at once."""
    if games == 0:
        return 0.0, 1.0
    lost = games - points
    gained = betaln(_PRIOR + points, _PRIOR + lost) - betaln(_PRIOR, _PRIOR)

    def wealth(p: float) -> float:
        """The logarithm of what 1 has become by betting against p, less that of 1/alpha."""
        return float(gained - points * math.log(p) - lost * math.log1p(-p) + math.log(alpha))

    return _not_refuted(wealth, points / games)


def mean_sequence(results: Sequence[float], alpha: float = ALPHA) -> tuple[float, float]:
    """The same for the mean of results that lie anywhere from 0 to 1, one after the other."""
    return _mean_sequence(tuple(sorted(Counter(results).items())), alpha)


@lru_cache(maxsize=65536)
def _mean_sequence(counts: tuple[tuple[float, int], ...], alpha: float) -> tuple[float, float]:
    results, times = np.array(counts or [(0.5, 0)]).T
    if (number := int(times.sum())) == 0:
        return 0.0, 1.0
    # The wealth is a polynomial of what one bets, of degree `number`, and these points integrate it without an error.
    points = number // 2 + 1
    bets = (1 + np.cos((2 * np.arange(points) + 1) * np.pi / (2 * points))) / 2
    with_one, with_none = np.outer(bets, results), np.outer(1 - bets, 1 - results)

    def wealth(mean: float) -> float:
        grown = np.log(with_one / mean + with_none / (1 - mean)) @ times
        return float(logsumexp(grown) - math.log(points) + math.log(alpha))

    return _not_refuted(wealth, float(results @ times) / number)


def _not_refuted(wealth: Callable[[float], float], mean: float) -> tuple[float, float]:
    """The means at which nobody has become rich. The wealth is below 1 at the mean that was found, and its logarithm is
    convex, so that they are an interval."""
    found = min(max(mean, _EDGE), 1 - _EDGE)
    low = 0.0 if mean <= 0 or wealth(_EDGE) < 0 else brentq(wealth, _EDGE, found)
    high = 1.0 if mean >= 1 or wealth(1 - _EDGE) < 0 else brentq(wealth, found, 1 - _EDGE)
    return low, high


def sequential_z(games: int, alpha: float = ALPHA) -> float:
    """How many standard errors wide an interval for a sum of shares is to each side: 1.96 if one looked once."""
    rho = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / _TIGHTEST
    scaled = games * rho
    return math.sqrt(2 * (scaled + 1) / scaled * math.log(math.sqrt(scaled + 1) / alpha)) if games else math.inf
