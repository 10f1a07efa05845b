"""Bounds: how promising a child of a tree looks, to the seat that chooses there.

A bound is the value of a child plus a margin that is the wider the less is known of it. Each margin is one function
below, and `margin` picks the one that the settings name: for another, write its function, give it a number, and name it
in `BOUNDS` (docs/search.md has an example). All of them count in units of the game's returns.

UCT and ISMCTS share these functions: `tree` is a tree of either, with the arrays of toolbox.py.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from boardwright.kernel import rule

UCB1, UCB1_TUNED = range(2)
BOUNDS = {"ucb1": UCB1, "ucb1_tuned": UCB1_TUNED}
"""The margins by the name that specs use."""
Bound = Literal["ucb1", "ucb1_tuned"]


_KNOWN = 4096
_COUNTS = np.maximum(np.arange(_KNOWN), 1).astype(np.float64)
_INVERSE, _INVERSE_ROOT = 1.0 / _COUNTS, 1.0 / np.sqrt(_COUNTS)
_ROUNDING = 1e-9


@rule
def falls_short(total: float, visits: int, root: float, bound: float) -> bool:
    """Whether the bound of UCB1 for a child is certainly below another, by more than rounding could make of it, so that
    two divisions and a root are spared. `root` is the exploration times the root of the logarithm."""
    if visits >= _KNOWN:
        return False
    return total * _INVERSE[visits] + root * _INVERSE_ROOT[visits] < bound - _ROUNDING * (1.0 + abs(bound))


@rule
def ucb1(visits: int, log_parent: float, settings: Any) -> float:
    """Auer, Cesa-Bianchi and Fischer (2002); `log_parent` is the logarithm of the visits of the parent."""
    return settings.exploration * math.sqrt(log_parent / visits)


@rule
def ucb1_tuned(variance: float, visits: int, log_parent: float, settings: Any) -> float:
    """UCB1-Tuned, of the same paper: the margin of UCB1, narrower where the returns vary less than they could.

    With an exploration of half of max_utility - min_utility it is the paper's formula.
    """
    spread = settings.tools.spread
    varies = variance / (spread * spread) + math.sqrt(2.0 * log_parent / visits)
    return settings.exploration * math.sqrt(log_parent / visits * min(1.0, 4.0 * varies))


@rule
def margin(tree: Any, child: int, visits: int, mean: float, log_parent: float, settings: Any) -> float:
    """The margin of a child with visits."""
    if settings.tools.bound == UCB1_TUNED:
        variance = max(tree.squares[child] / visits - mean * mean, 0.0)
        return ucb1_tuned(variance, visits, log_parent, settings)
    return ucb1(visits, log_parent, settings)


@rule
def progressive_bias(tree: Any, child: int, visits: int, settings: Any) -> float:
    """Chaslot et al. (2008): the evaluations that rank actions count less and less as visits come in."""
    return settings.tools.bias * tree.score[child] / (visits + 1)


@rule
def child_value(tree: Any, child: int, visits: int, mean: float, settings: Any) -> float:
    """What is known of a child: the mean of its returns, mixed with what other tools know."""
    tools = settings.tools
    value = mean
    if tools.rave > 0.0 and tree.amaf_visits[child] > 0:
        weight = math.sqrt(tools.rave / (3.0 * visits + tools.rave))
        value += weight * (tree.amaf_total[child] / tree.amaf_visits[child] - value)
    if tools.minimax > 0.0:
        value += tools.minimax * (tree.minimax[child, tree.mover[child]] - value)
    return value


@rule
def upper_bound(tree: Any, child: int, visits: int, total: float, log_parent: float, settings: Any) -> float:
    """The bound of a child; visits and total may contain virtual losses. One without visits has its first-play urgency
    (Gelly and Wang, 2006). What is proven needs no margin."""
    if settings.tools.solver and tree.proven[child]:
        return tree.proof[child, tree.mover[child]]
    if visits == 0:
        return settings.tools.urgency + progressive_bias(tree, child, 0, settings)
    mean = total / visits
    value = child_value(tree, child, visits, mean, settings)
    margin_width = margin(tree, child, visits, mean, log_parent, settings)
    return value + margin_width + progressive_bias(tree, child, visits, settings)
