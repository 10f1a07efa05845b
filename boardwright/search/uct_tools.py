"""The parts of UCT with the toolbox; what is switched off in `settings.tools` changes nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boardwright.kernel import TERMINAL, calls, rng, rule
from boardwright.kernel.atomics import atomic_add
from boardwright.search import backups, uct_plain
from boardwright.search.bounds import UCB1, UCB1_TUNED, falls_short, upper_bound
from boardwright.search.leaf import evaluate_leaf_with_trace
from boardwright.search.pruning import open_ranks, rank_actions
from boardwright.search.sharing import is_shared, with_virtual_losses
from boardwright.search.transpositions import digest_of, enter, place_of
from boardwright.search.uct_tree import LEAF, fill, publish, root_of, take

if TYPE_CHECKING:
    from boardwright.kernel import RngState
    from boardwright.kernel.calls import AnyRules
    from boardwright.search.toolbox import Tools
    from boardwright.search.uct import Settings


@rule
def clear(tree: Any, node: int, bias: float, rank: int, settings: Settings) -> None:
    """The numbers of a new node; arrays that no tool needs have no room for it."""
    tools = settings.tools
    tree.score[node] = bias
    tree.rank[node] = rank
    tree.squares[node] = 0.0
    if tools.rave > 0.0:
        tree.amaf_visits[node] = 0
        tree.amaf_total[node] = 0.0
    if tools.solver:
        tree.proven[node] = 0


@rule
def share_children(tree: Any, node: int, digest: int) -> bool:
    """Take over the children of a node with the same position, or note that this one has them; whether there were."""
    positions = tree.positions
    place = place_of(positions, digest)
    if positions.digest[place] == digest:
        other = positions.node[place]
        tree.children[node] = tree.children[other]
        tree.first[node] = tree.first[other]
        return True
    enter(positions, place, digest, node)
    return False


@rule
def expand(
    rules: AnyRules, tree: Any, node: int, workspace: Any, n: int, mover: int, settings: Settings, rng_state: RngState
) -> bool:
    """Add a child for each of the actions that are kept, in order of rank; whether there was room."""
    if tree.used[0] + n > tree.first.size:
        tree.first[node] = LEAF
        return False
    if settings.tools.transpositions and share_children(tree, node, digest_of(workspace.state)):
        return True
    rng.shuffle(rng_state, workspace.legal, n)
    kept = rank_actions(rules, workspace.state, workspace, n, mover, settings, rng_state)
    first = take(tree, node, kept)
    if first == LEAF:
        return False
    fill(tree, node, first, workspace.legal, kept, mover)
    for i in range(kept):
        clear(tree, first + i, workspace.bias[i], workspace.rank[i], settings)
    publish(tree, node, first)
    return True


@rule
def visits_below(tree: Any, node: int) -> int:
    """Of children that have several parents: more than the visits of the node itself."""
    first = tree.first[node]
    visits = 0
    for child in range(first, first + tree.children[node]):
        visits += tree.visits[child]
    return visits


@rule
def is_plain(tools: Tools) -> bool:
    """Whether the bound of a child is that of plain UCT."""
    mixed = tools.rave > 0.0 or tools.minimax > 0.0 or tools.bias > 0.0 or tools.solver
    return tools.bound == UCB1 and not mixed


@rule
def select(tree: Any, node: int, workspace: Any, settings: Settings) -> int:
    """The child to go on with; a virtual loss is on it until the backup."""
    child = highest_bound(tree, node, settings)
    if is_shared(tree) and settings.virtual_loss > 0.0:
        atomic_add(tree.pending, child, np.int32(1))
    return child


@rule
def highest_bound(tree: Any, node: int, settings: Settings) -> int:
    """The child with the highest bound, among those let in."""
    first = tree.first[node]
    parent_visits = visits_below(tree, node) if settings.tools.transpositions else tree.visits[node]
    log_visits = math.log(max(parent_visits, 1))
    ranks = open_ranks(parent_visits, settings)
    plain = is_plain(settings.tools) and not (is_shared(tree) and settings.virtual_loss > 0.0)
    root = settings.exploration * math.sqrt(log_visits)
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        if tree.rank[child] >= ranks:
            break
        visits, total = with_virtual_losses(tree, child, settings)
        if plain and visits > 0 and falls_short(total, tree.visits[child], root, best_bound):
            continue
        bound = upper_bound(tree, child, visits, total, log_visits, settings)
        if bound == math.inf:
            return child
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def is_closed(tree: Any, node: int, settings: Settings) -> bool:
    """What is proven need not be looked into; the root is all the same, to find the way there."""
    return settings.tools.solver and node != root_of(tree) and tree.proven[node] != 0


@rule
def evaluate(
    rules: AnyRules, tree: Any, node: int, workspace: Any, mover: int, settings: Settings, rng_state: RngState
) -> None:
    """What the leaf is worth to each seat, into `workspace.returns`: its proof, or what a playout brings."""
    tools = settings.tools
    workspace.trace.length[0] = 0
    if is_closed(tree, node, settings):
        for seat in range(tree.proof.shape[1]):
            workspace.returns[seat] = tree.proof[node, seat]
        return
    if tools.minimax > 0.0 and node != root_of(tree) and tree.visits[node] == 0:
        if mover == TERMINAL:
            calls.returns(rules, workspace.state, workspace.returns)
        else:
            calls.evaluate(rules, workspace.state, workspace.returns)
        for seat in range(tree.minimax.shape[1]):
            tree.minimax[node, seat] = workspace.returns[seat]
    if not tools.traces:
        uct_plain.evaluate(rules, tree, node, workspace, mover, settings, rng_state)
        return
    evaluate_leaf_with_trace(rules, workspace, mover, rng_state, settings.plies)


@rule
def backup(tree: Any, workspace: Any, depth: int, mover: int, settings: Settings) -> None:
    tools = settings.tools
    uct_plain.backup(tree, workspace, depth, mover, settings)
    if tools.bound == UCB1_TUNED:
        backups.add_squares(tree, workspace, depth)
    if tools.rave > 0.0:
        backups.add_amaf(tree, workspace, depth, tools.num_actions)
    if tools.learns:
        backups.add_action_values(tree, workspace, depth, tools.num_actions)
    if tools.minimax > 0.0:
        backups.back_up_minimax(tree, workspace, depth)
    if tools.solver and depth > 0:
        node = workspace.path[depth - 1]
        if mover == TERMINAL and tree.proven[node] == 0:
            for seat in range(tree.proof.shape[1]):
                tree.proof[node, seat] = workspace.returns[seat]
            tree.proven[node] = 1
        backups.back_up_proof(tree, workspace, depth, tools.highest)
