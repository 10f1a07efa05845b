"""The parts of information set MCTS with the toolbox; what is switched off in `settings.tools` changes nothing.

Actions are ranked anew at every visit, in the determinization at hand: what is best there is kept there. Of equals a
node keeps the same ones at every visit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardwright.kernel import Actions, rule
from boardwright.kernel.arrays import Float32s, Float64s
from boardwright.kernel.traces import learn, remember
from boardwright.search import bounds, ismcts_plain
from boardwright.search.backups import add_squares
from boardwright.search.leaf import evaluate_leaf_with_trace
from boardwright.search.pruning import open_ranks, rank_actions
from boardwright.search.sharing import with_virtual_losses

if TYPE_CHECKING:
    from boardwright.kernel import RngState
    from boardwright.kernel.calls import AnyRules
    from boardwright.search.ismcts import Settings

NONE = -1


class NodeTools(NamedTuple):
    """One array per property of a node."""

    squares: Float64s
    """The sum of the squares of the returns."""
    score: Float32s
    """What the evaluations that rank actions thought of its action when it was made, from 0 to 1."""

    @classmethod
    def with_room_for(cls, nodes: int) -> NodeTools:
        return cls(np.empty(nodes, np.float64), np.empty(nodes, np.float32))


@rule
def visits_below(tree: Any, node: int) -> int:
    visits = 0
    child = tree.child[node]
    while child != NONE:
        visits += tree.visits[child]
        child = tree.sibling[child]
    return visits


@rule
def shuffle_for(node: int, actions: Actions, n: int) -> None:
    """An order that looks random, and is the same whenever the node is visited."""
    for i in range(1, n):
        action = actions[i]
        place = i
        while place > 0 and shuffle_key(node, actions[place - 1]) > shuffle_key(node, action):
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@rule
def shuffle_key(node: int, action: int) -> int:
    mixed = ((int(action) + 1) * 0x9E3779B1 ^ (int(node) + 1) * 0x85EBCA6B) & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF


@rule
def prune(
    rules: AnyRules, tree: Any, node: int, workspace: Any, n: int, mover: int, settings: Settings, rng_state: RngState
) -> int:
    if settings.tools.judges == 0:
        return n
    shuffle_for(node, workspace.legal, n)
    kept = rank_actions(rules, workspace.state, workspace, n, mover, settings, rng_state)
    if settings.tools.widen > 0.0:
        ranks = open_ranks(visits_below(tree, node), settings)
        while workspace.rank[kept - 1] >= ranks:
            kept -= 1
    return kept


@rule
def falls_short(tree: Any, child: int, root: float, bound: float) -> bool:
    """Other bounds than UCB1 are computed each time."""
    return False


@rule
def upper_bound(tree: Any, child: int, log_available: float, settings: Settings) -> float:
    visits, total = with_virtual_losses(tree, child, settings)
    if visits == 0:  # another thread has made it and is still below it
        return -math.inf
    mean = total / visits
    margin = bounds.margin(tree, child, visits, mean, log_available, settings)
    return mean + margin + bounds.progressive_bias(tree, child, visits, settings)


@rule
def urgency(settings: Settings) -> float:
    return settings.tools.urgency


@rule
def clear(tree: Any, child: int, workspace: Any, place: int) -> None:
    tree.squares[child] = 0.0
    tree.score[child] = workspace.bias[place]


@rule
def note(workspace: Any, mover: int, action: int) -> None:
    remember(workspace.trace, mover, action)


@rule
def evaluate(rules: AnyRules, workspace: Any, mover: int, settings: Settings, rng_state: RngState) -> None:
    if settings.tools.traces:
        evaluate_leaf_with_trace(rules, workspace, mover, rng_state, settings.plies)
    else:
        ismcts_plain.evaluate(rules, workspace, mover, settings, rng_state)


@rule
def backup(tree: Any, workspace: Any, length: int, settings: Settings) -> None:
    tools = settings.tools
    ismcts_plain.backup(tree, workspace, length, settings)
    if tools.bound == bounds.UCB1_TUNED:
        add_squares(tree, workspace, length)
    trace, values = workspace.trace, workspace.action_values
    if tools.learns:
        previous = -1
        for i in range(trace.length[0]):
            mover, action = trace.mover[i], trace.action[i]
            learn(values, tools.num_actions, mover, previous, action, workspace.returns[mover])
            previous = action
    trace.length[0] = 0
