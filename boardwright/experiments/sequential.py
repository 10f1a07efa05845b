"""Intervals that hold at every number of games at once, so that a match may be played on while it is undecided.

A 95 % interval of a fixed size is wrong in one of twenty matches if one looks once. Who looks after every few games,
and stops when the interval tells something, is wrong far more often. A confidence sequence is wrong at any time, of all
the times one looks, in at most one of twenty matches. It is wider: that is what looking costs.

For a share this is Robbins' mixture (1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021): the
interval of all shares p at which the wealth of somebody who bets against p, by a beta-binomial mixture, has never
reached 1/α. Ville's inequality gives the guarantee. It holds for draws too, which count half: the wealth is convex in
the result, so that a draw wins no more than the mean of a won and a lost game. For sums of many shares, as in the
claims about tuning, it is the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of
Statistics 52, 2024).
"""

from __future__ import annotations

import math
from functools import lru_cache

from scipy.optimize import brentq
from scipy.special import betaln

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

    share = min(max(points / games, _EDGE), 1 - _EDGE)
    low = 0.0 if points == 0 or wealth(_EDGE) < 0 else brentq(wealth, _EDGE, share)
    high = 1.0 if lost == 0 or wealth(1 - _EDGE) < 0 else brentq(wealth, share, 1 - _EDGE)
    return low, high


def sequential_z(games: int, alpha: float = ALPHA) -> float:
    """How many standard errors wide an interval for a sum of shares is to each side: 1.96 if one looked once."""
    rho = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / _TIGHTEST
    scaled = games * rho
    return math.sqrt(2 * (scaled + 1) / scaled * math.log(math.sqrt(scaled + 1) / alpha)) if games else math.inf
