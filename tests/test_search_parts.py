"""The parts of tree search, each for itself and as plain Python: what a search is made of, on trees made by hand."""

from __future__ import annotations

import math
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from boardwright.kernel import MAX_SEATS, TERMINAL, rng
from boardwright.kernel.declare import UNCOMPILED
from boardwright.search import (
    backups,
    bounds,
    ismcts_plain,
    ismcts_tools,
    leaf_workers,
    pruning,
    reuse,
    sharing,
    transpositions,
    uct,
    uct_plain,
    uct_tools,
    uct_tree,
)
from boardwright.search.leaf_workers import DONE, FREE, READY, TAKEN, Jobs
from boardwright.search.reuse import KeptTree
from boardwright.search.toolbox import NO_SWITCH, NodeTools
from boardwright.search.transpositions import Positions
from boardwright.search.uct_tree import LEAF, ROOT, SharedTree, Tree
from boardwright.search.workspace import Workspace
from tests.uncompiled import INSTRUCTIONS, uncompiled

EVERYTHING = NO_SWITCH._replace(rave=8.0, minimax=0.5, solver=True)


def settings(exploration: float = 0.0, virtual_loss: float = 0.0, loss: float = -1.0, **tools: Any) -> uct.Settings:
    return uct.Settings(exploration, -1, virtual_loss, loss, NO_SWITCH._replace(**tools))


def family(children: int, kind: type[Tree] = Tree, seats: int = 2, spare: int = 0, **columns: Any) -> Any:
    """A root and its children, with arrays for all tools; seat 0 has chosen unless said otherwise."""
    nodes = 1 + children + spare
    plain = kind.with_room_for(nodes)
    joined: Any = uct.SharedToolTree if kind is SharedTree else uct.ToolTree
    tree = joined(*plain, *NodeTools.with_room_for(nodes, EVERYTHING._replace(transpositions=True), seats))
    tree.first[ROOT], tree.children[ROOT], tree.used[0] = 1, children, 1 + children
    tree.first[1:], tree.mover[:], tree.action[:] = LEAF, 0, np.arange(nodes) - 1
    for name in (
        "visits",
        "total",
        "score",
        "rank",
        "squares",
        "amaf_visits",
        "amaf_total",
        "minimax",
        "proof",
        "pending",
    ):
        if getattr(tree, name).size > 1:
            getattr(tree, name)[:] = 0
    for name, values in columns.items():
        getattr(tree, name)[1 : 1 + children] = values
    return tree


# Bounds


@pytest.mark.parametrize(
    ("above", "falls_short"), [(-0.1, False), (0.0, False), (1e-9, False), (4.9e-9, True), (0.1, True)]
)
def test_a_child_falls_short_of_a_bound_by_more_than_rounding(above: float, falls_short: bool) -> None:
    """8 in 4 visits and a margin of 3 / √4 are 3.5; a billionth of one more than the bound is rounding: 4.5e-9."""
    assert uncompiled(bounds.falls_short)(8.0, 4, 3.0, 3.5 + above) == falls_short


def test_a_bound_below_0_is_rounded_as_widely() -> None:
    """-14 in 4 visits and no margin are -3.5."""
    assert not uncompiled(bounds.falls_short)(-14.0, 4, 0.0, -3.5 + 4.1e-9)
    assert uncompiled(bounds.falls_short)(-14.0, 4, 0.0, -3.5 + 4.9e-9)


def test_what_falls_short_is_known_of_every_number_of_visits_up_to_4095() -> None:
    falls_short = uncompiled(bounds.falls_short)
    for visits in (1, 2, 4095):
        bound = 2.0 + 3.0 / math.sqrt(visits)
        assert falls_short(2.0 * visits, visits, 3.0, bound + 0.001)
        assert not falls_short(2.0 * visits, visits, 3.0, bound - 0.001)
    assert falls_short(0.0, 4096, 0.0, 99.0) is False, "and of more nothing is said"


def test_margins_are_those_of_the_papers() -> None:
    """With 10,000 visits; UCB1-Tuned has a narrower one the less the returns vary. Here the mean is 0.5, and the mean
    of the squares 0.29: a variance of 0.04 for returns from 0 to 2."""
    log, ucb1 = math.log(50_000), 0.8 * math.sqrt(math.log(50_000) / 10_000)
    tree = family(1, squares=2900.0)
    margin = uncompiled(bounds.margin)
    assert margin(tree, 1, 10_000, 0.5, log, settings(0.8)) == pytest.approx(ucb1, rel=1e-12)
    tuned = settings(0.8, bound=bounds.UCB1_TUNED, spread=2.0)
    varies = 0.04 / 4 + math.sqrt(2 * log / 10_000)
    assert margin(tree, 1, 10_000, 0.5, log, tuned) == pytest.approx(ucb1 * math.sqrt(4 * varies), rel=1e-12)
    assert 4 * varies < 1
    assert margin(family(1, squares=29.0), 1, 100, 0.5, log, tuned) == pytest.approx(10 * ucb1), "never a wider one"


def test_a_variance_is_never_below_0() -> None:
    """As rounding could make it: the mean of the squares is a little below the square of the mean."""
    log, tuned = math.log(50_000), settings(1.0, bound=bounds.UCB1_TUNED, spread=1.0)
    below, none = family(1, squares=2499.0), family(1, squares=2500.0)
    margin = uncompiled(bounds.margin)
    assert margin(below, 1, 10_000, 0.5, log, tuned) == margin(none, 1, 10_000, 0.5, log, tuned)
    expected = math.sqrt(log / 10_000 * 4 * math.sqrt(2 * log / 10_000))
    assert margin(none, 1, 10_000, 0.5, log, tuned) == pytest.approx(expected, rel=1e-12)


def test_a_child_is_worth_its_mean_unless_tools_know_more() -> None:
    """RAVE: 12 in 16 games, with the weight √(8 / (3·8 + 8)) of a half; implicit minimax: 0.25 for the seat that
    chose, which is the second, with the weight 0.2."""
    tree = family(2, amaf_visits=[16, 0], amaf_total=12.0, mover=1, minimax=[[0.75, 0.25]] * 2)
    value = uncompiled(bounds.child_value)
    assert value(tree, 1, 8, 0.5, settings()) == 0.5
    assert value(tree, 1, 8, 0.5, settings(rave=8.0)) == pytest.approx(0.5 + 0.5 * 0.25)
    assert value(tree, 2, 8, 0.5, settings(rave=8.0)) == 0.5, "its action was never played further on"
    assert value(tree, 1, 8, 0.5, settings(minimax=0.2)) == pytest.approx(0.5 - 0.2 * 0.25)
    assert value(tree, 1, 8, 0.5, settings(rave=8.0, minimax=0.2)) == pytest.approx(0.625 - 0.2 * 0.375)
    weight = math.sqrt(0.5 / 24.5)
    assert value(tree, 1, 8, 0.5, settings(rave=0.5)) == pytest.approx(0.5 + weight * 0.25), "half a visit is a weight"


def test_a_bound_is_value_margin_and_bias_or_what_is_known() -> None:
    tree = family(3, score=0.5, mover=1, proof=[[0.0, 7.0]] * 3)
    tree.proven[2] = 1
    bound = uncompiled(bounds.upper_bound)
    log = math.log(20)
    assert bound(tree, 1, 4, 2.0, log, settings(0.8)) == pytest.approx(0.5 + 0.8 * math.sqrt(log / 4))
    assert bound(tree, 1, 4, 2.0, log, settings(0.8, bias=0.6)) == pytest.approx(0.5 + 0.8 * math.sqrt(log / 4) + 0.06)
    assert bound(tree, 1, 0, 0.0, log, settings(0.8)) == math.inf
    assert bound(tree, 1, 0, 0.0, log, settings(0.8, urgency=0.4, bias=0.6)) == pytest.approx(0.4 + 0.3)
    assert bound(tree, 2, 4, 2.0, log, settings(0.8, solver=True)) == 7.0, "what is proven for the seat that chose"
    assert bound(tree, 1, 4, 2.0, log, settings(0.8, solver=True)) < 7.0
    assert bound(tree, 2, 4, 2.0, log, settings(0.8)) < 7.0, "without the solver nothing is"


@pytest.mark.parametrize("part", [ismcts_plain, ismcts_tools])
def test_the_bound_of_information_set_search_counts_how_often_an_action_was_available(part: Any) -> None:
    """A mean of 0.4 and a margin of 0.8·√(4 / 25), with the logarithm 4."""
    bound = uncompiled(part.upper_bound)
    assert bound(family(1, visits=25, total=10.0), 1, 4.0, settings(0.8)) == pytest.approx(0.4 + 0.8 * 0.4)
    shared = family(1, SharedTree, visits=25, total=10.0, pending=10)
    assert bound(shared, 1, 4.0, settings(0.8, 2.5)) == pytest.approx((10 - 25) / 50 + 0.8 * math.sqrt(4 / 50))
    assert bound(shared, 1, 4.0, settings(0.8)) == pytest.approx(0.4 + 0.8 * 0.4)
    if part is ismcts_tools:
        biased = family(1, visits=8, total=4.0, score=0.5)
        assert bound(biased, 1, 0.0, settings(bias=0.9)) == pytest.approx(0.5 + 0.9 * 0.5 / 9)
    assert bound(family(1, SharedTree), 1, 4.0, settings(0.8)) == -math.inf, "who has made it is still below it"


def test_only_where_ucb1_alone_counts_and_one_thread_searches_bounds_are_left_out() -> None:
    """A total of 0 falls short of a bound of 9, whatever is explored."""
    for kind, expected in ((Tree, True), (SharedTree, False)):
        assert bool(uncompiled(ismcts_plain.falls_short)(family(1, kind, visits=4), 1, 1.0, 9.0)) is expected
        assert uncompiled(ismcts_tools.falls_short)(family(1, kind, visits=4), 1, 1.0, 9.0) is False
    assert not uncompiled(ismcts_plain.falls_short)(family(1, visits=4, total=40.0), 1, 1.0, 9.0)
    is_plain = uncompiled(uct_tools.is_plain)
    assert is_plain(NO_SWITCH._replace(urgency=0.5, limit=3, widen=0.5, learns=True))
    for tool in ({"rave": 0.5}, {"minimax": 0.5}, {"bias": 0.5}, {"solver": True}, {"bound": bounds.UCB1_TUNED}):
        assert not is_plain(NO_SWITCH._replace(**tool)), tool


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_information_set_search_adds_to_all_nodes_of_the_path(kind: type[Tree]) -> None:
    tree, workspace = (
        family(3, kind, mover=[1, 0, 1], total=[1.0, 2.0, 3.0], visits=[4, 5, 6]),
        Workspace.sized(1, 3, 3),
    )
    workspace.path[:2], workspace.returns[:2] = [3, 2], [0.25, -1.0]
    if kind is SharedTree:
        tree.pending[1:4] = 2
    uncompiled(ismcts_plain.backup)(tree, workspace, 2, settings(virtual_loss=0.5))
    assert tree.visits.tolist() == [0, 4, 6, 7]
    assert tree.total[1:].tolist() == [1.0, 2.25, 2.0]
    assert tree.pending.tolist() == ([0, 2, 1, 1] if kind is SharedTree else [0])
    if kind is SharedTree:
        uncompiled(ismcts_plain.backup)(tree, workspace, 2, settings())
        assert tree.pending.tolist() == [0, 2, 1, 1]


# Selection


def highest(tree: Any, given: uct.Settings) -> list[int]:
    """What plain trees, shared trees and trees with tools select."""
    if isinstance(tree, sharing.Shared):
        return [
            uncompiled(uct_plain.highest_bound_apart)(tree, ROOT, given),
            uncompiled(uct_tools.highest_bound)(tree, ROOT, given),
        ]
    return [
        uncompiled(uct_plain.highest_bound)(tree, ROOT, given.exploration),
        uncompiled(uct_tools.highest_bound)(tree, ROOT, given),
    ]


@pytest.mark.parametrize("kind", [Tree, SharedTree])
@pytest.mark.parametrize(
    ("exploration", "visits", "total", "chosen"),
    [
        (0.0, [10, 10, 10], [4, 6, 5], 2),
        (0.0, [10, 10, 10], [6, 6, 5], 1),
        (0.0, [10, 10, 10], [-6, -4, -5], 2),
        (0.0, [10, 0, 0], [10, 0, 0], 2),
        (3.0, [60, 20, 20], [60, 20, 10], 2),
        (4.0, [80, 10, 10], [80, -5, -6], 2),
        (0.1, [80, 10, 10], [80, -5, -6], 1),
        (0.3, [80, 10, 10], [40, 4, 2], 2),
        (5.0, [98, 1, 1], [98, -1, -1], 2),
    ],
)
def test_the_highest_bound_is_selected(
    kind: type[Tree], exploration: float, visits: list[int], total: list[float], chosen: int
) -> None:
    """Of equal ones the first; one without visits before all others."""
    tree = family(3, kind, visits=visits, total=total)
    tree.visits[ROOT] = sum(visits)
    log = math.log(sum(visits))
    bounds_ = [t / v + exploration * math.sqrt(log / v) if v else math.inf for v, t in zip(visits, total, strict=True)]
    assert chosen == 1 + bounds_.index(max(bounds_))
    assert highest(tree, settings(exploration)) == [chosen] * 2


def test_a_first_visit_has_no_margin() -> None:
    """The logarithm of one visit is 0: one child with 0.5 in it, and one that is as urgent as 0.6."""
    tree = family(2, visits=[1, 0], total=[0.5, 0.0])
    tree.visits[ROOT] = 1
    assert uncompiled(uct_tools.highest_bound)(tree, ROOT, settings(1.4, urgency=0.6)) == 2
    tree.visits[ROOT] = 0
    assert uncompiled(uct_tools.highest_bound)(tree, ROOT, settings(1.4, urgency=0.6)) == 2
    for node_visits in (0, 1):
        both = family(2, visits=[1, 4], total=[0.5, 3.0])
        both.visits[ROOT] = node_visits
        assert highest(both, settings(1.4)) == [2, 2]


@pytest.mark.parametrize(
    ("virtual_loss", "loss", "pending", "chosen"),
    [
        (1.0, -1.0, [0, 0], 1),
        (1.0, -1.0, [1, 0], 2),
        (0.5, -1.0, [1, 0], 2),
        (0.1, -1.0, [1, 0], 1),
        (1.0, 0.0, [1, 0], 2),
        (1.0, 0.5, [1, 0], 1),
        (1.0, 0.0, [1, 1], 1),
    ],
)
def test_each_thread_below_a_child_counts_as_so_many_lost_games(
    virtual_loss: float, loss: float, pending: list[int], chosen: int
) -> None:
    """6 of 10 against 5.6 of 10. With exploration, where a lost game returns 0, one game more lets the first child fall
    behind; if it returned 0.5 it would not."""
    tree = family(2, SharedTree, visits=[10, 10], total=[6.0, 5.6], pending=pending)
    tree.visits[ROOT] = 20
    given = settings(0.0 if loss < 0 else 0.8, virtual_loss, loss)

    def bound(visits: float, total: float) -> float:
        return total / visits + given.exploration * math.sqrt(math.log(20) / visits)

    losses = [virtual_loss * threads for threads in pending]
    found = [bound(10 + n, total + n * loss) for n, total in zip(losses, (6.0, 5.6), strict=True)]
    assert chosen == (1 if found[0] >= found[1] else 2)
    assert highest(tree, given) == [chosen] * 2


def test_a_child_is_not_left_out_for_visits_that_count_as_lost() -> None:
    """-9 of 10 and half a lost game are -9.5 of 10.5, which is more than -9.3 of 10; of 10 it would be less."""
    tree = family(2, SharedTree, visits=[10, 10], total=[-9.3, -9.0], pending=[0, 1])
    tree.visits[ROOT] = 20
    assert highest(tree, settings(0.0, 0.5, -1.0)) == [2, 2]


def test_a_child_with_virtual_losses_alone_is_not_taken_for_one_without_visits() -> None:
    tree = family(2, SharedTree, visits=[0, 4], total=[0.0, -2.0], pending=[1, 0])
    tree.visits[ROOT] = 4
    assert highest(tree, settings(0.0, 1.0)) == [2, 2]
    tree.pending[1] = 0
    assert highest(tree, settings(0.0, 1.0)) == [1, 1]


def test_ranks_that_are_not_let_in_yet_are_not_selected() -> None:
    """Three at first, then as many as the root of the visits."""
    tree = family(5, visits=1, total=[0, 1, 2, 3, 4], rank=[0, 1, 2, 3, 4])
    select = uncompiled(uct_tools.highest_bound)
    widening = settings(widen=0.5, limit=3)
    for visits, chosen in ((5, 3), (15, 3), (16, 4), (25, 5)):
        tree.visits[ROOT] = visits
        assert select(tree, ROOT, widening) == chosen
    assert select(tree, ROOT, settings()) == 5


def test_with_transpositions_the_visits_of_children_count_for_their_parent() -> None:
    """They have visits through others. 0.5 + √(ln 40 / 20) is more than 0.9; with the root's own two visits less."""
    tree = family(2, visits=[20, 400], total=[10.0, 20 * 18.0])
    tree.visits[ROOT] = 2
    assert uncompiled(uct_tools.visits_below)(tree, ROOT) == 420
    select = uncompiled(uct_tools.highest_bound)
    assert 0.5 + math.sqrt(math.log(420) / 20) > 0.9 + math.sqrt(math.log(420) / 400)
    assert select(tree, ROOT, settings(1.0, transpositions=True)) == 1
    assert 0.5 + math.sqrt(math.log(2) / 20) < 0.9
    assert select(tree, ROOT, settings(1.0)) == 2


@pytest.mark.parametrize("part", [uct_plain, uct_tools])
def test_a_virtual_loss_is_on_the_child_that_is_selected(part: Any) -> None:
    for virtual_loss, expected in ((0.5, [0, 0, 1]), (0.0, [0, 0, 0])):
        tree = family(2, SharedTree, visits=[10, 10], total=[5.0, 6.0])
        tree.visits[ROOT] = 20
        assert uncompiled(part.select)(tree, ROOT, None, settings(0.0, virtual_loss)) == 2
        assert tree.pending.tolist() == expected
    alone = family(2, visits=[10, 10], total=[5.0, 6.0])
    alone.visits[ROOT] = 20
    assert uncompiled(part.select)(alone, ROOT, None, settings(0.0, 0.5)) == 2
    assert alone.pending.tolist() == [0], "a tree of one thread has no room for them"


# The tree


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_a_new_tree_is_a_leaf_without_visits(kind: type[Tree]) -> None:
    tree = kind.with_room_for(3)
    assert (tree.first[ROOT], tree.visits[ROOT], tree.used[0], tree.start[0], tree.conflicts[0]) == (LEAF, 0, 1, 0, 0)
    assert tree.action.size == tree.visits.size == tree.total.size == tree.first.size == 3
    found = uct_tree.root_statistics(tree)
    assert (found.visits, found.total) == ({}, {})


def test_one_thread_alone_claims_a_node() -> None:
    tree = SharedTree.with_room_for(3)
    claim = uncompiled(uct_tree.claim)
    assert claim(tree, ROOT) is True
    assert tree.first[ROOT] < 0, "nobody goes to its children yet"
    assert tree.conflicts[0] == 0
    assert claim(tree, ROOT) is False
    assert tree.conflicts[0] == 1
    uncompiled(uct_tree.publish)(tree, ROOT, 1)
    assert tree.first[ROOT] == 1
    assert claim(tree, ROOT) is False
    assert tree.conflicts[0] == 2


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_room_is_taken_to_the_last_node(kind: type[Tree]) -> None:
    tree, take = kind.with_room_for(6), uncompiled(uct_tree.take)
    assert take(tree, ROOT, 2) == 1
    tree.first[ROOT] = uct_tree.CLAIMED
    assert take(tree, ROOT, 4) == LEAF
    assert tree.first[ROOT] == LEAF, "it stays a leaf"
    assert tree.used[0] == 3, "and nothing is taken"
    assert take(tree, ROOT, 3) == 3
    assert tree.used[0] == 6


def test_children_are_all_legal_actions_in_random_order() -> None:
    tree, workspace = Tree.with_room_for(9), Workspace.sized(1, 5, 5)
    tree.total[:], tree.visits[3:] = 9.0, 9
    workspace.legal[:] = [10, 11, 12, 13, 14]
    add_children, rng_state = uncompiled(uct_tree.add_children), rng.generator(1)
    assert add_children(tree, ROOT, LEAF, workspace, 4, 1, rng_state) is False
    assert add_children(tree, ROOT, 2, workspace, 4, 1, rng_state) is True
    assert (tree.first[ROOT], tree.children[ROOT]) == (2, 4)
    assert sorted(tree.action[2:6].tolist()) == [10, 11, 12, 13]
    assert tree.action[2:6].tolist() != [10, 11, 12, 13]
    assert tree.mover[2:6].tolist() == [1] * 4
    assert tree.visits[2:7].tolist() == [0, 0, 0, 0, 9]
    assert tree.total[2:7].tolist() == [0, 0, 0, 0, 9]
    assert tree.first[2:6].tolist() == [LEAF] * 4


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_a_visit_and_the_return_of_who_chose_are_added_to_all_nodes_of_the_path(kind: type[Tree]) -> None:
    tree, workspace = (
        family(3, kind, mover=[1, 0, 1], total=[1.0, 2.0, 3.0], visits=[4, 5, 6]),
        Workspace.sized(1, 3, 3),
    )
    tree.visits[ROOT] = 15
    workspace.path[:2], workspace.returns[:2] = [3, 2], [0.25, -1.0]
    if kind is SharedTree:
        tree.pending[1:4] = 2
    uncompiled(uct_plain.backup)(tree, workspace, 2, TERMINAL, settings(virtual_loss=0.5))
    assert tree.visits.tolist() == [16, 4, 6, 7]
    assert tree.total[1:].tolist() == [1.0, 2.25, 2.0]
    assert tree.pending.tolist() == ([0, 2, 1, 1] if kind is SharedTree else [0])
    if kind is SharedTree:
        uncompiled(uct_plain.backup)(tree, workspace, 2, TERMINAL, settings())
        assert tree.pending.tolist() == [0, 2, 1, 1], "without virtual losses nobody waits there"


# Backups


def test_the_parent_of_the_first_node_is_where_the_search_starts() -> None:
    tree, workspace = family(3), Workspace.sized(1, 3, 3)
    tree.start[0], workspace.path[:2] = 2, [3, 1]
    assert [uncompiled(backups.parent_of)(tree, workspace, place) for place in (0, 1)] == [2, 3]


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_squares_are_those_of_the_returns_of_who_chose(kind: type[Tree]) -> None:
    tree, workspace = family(2, kind, mover=[1, 0], squares=[0.5, 1.0]), Workspace.sized(1, 3, 3)
    workspace.path[:2], workspace.returns[:2] = [1, 2], [3.0, -0.5]
    uncompiled(backups.add_squares)(tree, workspace, 2)
    assert tree.squares.tolist() == [0.0, 0.75, 10.0]


def traced(path: list[int], moves: list[tuple[int, int]], num_actions: int, returns: list[float]) -> Any:
    """A workspace after an iteration: the path in the tree, and movers and actions of the playout."""
    movers, actions = zip(*moves, strict=True) if moves else ((), ())
    space = Workspace.sized(1, num_actions, num_actions)
    space.path[: len(path)], space.returns[: len(returns)] = path, returns
    trace = SimpleNamespace(length=np.array([len(moves)]), mover=np.array(movers), action=np.array(actions))
    values = SimpleNamespace(
        visits=np.zeros(2 * num_actions, np.int32),
        total=np.zeros(2 * num_actions),
        settings=np.array([0.1, 0.0, -1, 1]),
    )
    return SimpleNamespace(
        **space._asdict(), trace=trace, played=np.zeros(2 * num_actions, np.int64), played_tick=np.zeros(1, np.int64),
        action_values=values,
    )  # fmt: skip


@pytest.mark.parametrize("kind", [Tree, SharedTree])
def test_all_moves_count_as_first_at_every_node_where_they_were_on_offer(kind: type[Tree]) -> None:
    """The root offers 0, 1 and 2 to seat 0; it plays 0, seat 1 answers 1, and later seat 0 plays 2 and seat 1 plays 0.
    So for seat 0 its actions 0 and 2 have been played. Below the first node, seat 1 is offered 1 and 0, and has played
    both."""
    tree = family(3, kind, spare=2)
    tree.first[1], tree.children[1] = 4, 2
    tree.action[1:6], tree.mover[1:6] = [0, 1, 2, 1, 0], [0, 0, 0, 1, 1]
    workspace = traced([1, 4], [(0, 2), (1, 0)], 3, [0.5, -0.25])
    add = uncompiled(backups.add_amaf)
    add(tree, workspace, 2, 3)
    assert tree.amaf_visits.tolist() == [0, 1, 0, 1, 1, 1]
    assert tree.amaf_total.tolist() == [0, 0.5, 0, 0.5, -0.25, -0.25]
    workspace.trace.length[0] = 0
    add(tree, workspace, 2, 3)
    assert tree.amaf_visits.tolist() == [0, 2, 0, 1, 2, 1], "what was played in another game does not count"


def test_playouts_learn_from_every_action_of_the_game() -> None:
    tree = family(2, action=[2, 0], mover=[0, 1])
    workspace = traced([1, 2], [(0, 2), (1, 1)], 3, [0.5, -0.25])
    uncompiled(backups.add_action_values)(tree, workspace, 2, 3)
    assert workspace.action_values.visits.tolist() == [0, 0, 2, 1, 1, 0]
    assert workspace.action_values.total.tolist() == [0, 0, 1.0, -0.25, -0.25, 0]


def test_minimax_backs_up_what_the_seat_would_choose_among_what_was_visited() -> None:
    """Seat 1 chooses at the root: the third child is better for it, but was not visited."""
    tree, workspace = (
        family(3, mover=1, visits=[1, 1, 0], minimax=[[5, 0.2], [1, 0.4], [0, 0.9]]),
        Workspace.sized(1, 3, 3),
    )
    workspace.path[0] = 1
    uncompiled(backups.back_up_minimax)(tree, workspace, 1)
    assert tree.minimax[ROOT].tolist() == [1, 0.4]


def test_of_equally_good_children_minimax_keeps_the_one_that_was_visited_last() -> None:
    tree, workspace = family(3, mover=1, visits=1, minimax=[[5, 0.4], [1, 0.4], [3, 0.1]]), Workspace.sized(1, 3, 3)
    for last, expected in ((1, 5), (2, 1)):
        workspace.path[0] = last
        uncompiled(backups.back_up_minimax)(tree, workspace, 1)
        assert tree.minimax[ROOT].tolist() == [expected, 0.4]


def proven(proofs: list[list[float] | None], last: int, highest: float = 1.0) -> Any:
    tree, workspace = family(len(proofs), mover=1), Workspace.sized(1, 3, 3)
    for child, proof in enumerate(proofs, 1):
        tree.proven[child] = proof is not None
        tree.proof[child] = proof or (0, 0)
    workspace.path[0] = last
    uncompiled(backups.back_up_proof)(tree, workspace, 1, highest)
    return tree.proof[ROOT].tolist() if tree.proven[ROOT] else None


def test_a_win_proves_the_node_before_it() -> None:
    assert proven([None, [-1, 1]], last=2) == [-1, 1]
    assert proven([None, [-1, 1]], last=2, highest=2.0) is None, "if there is more to win, one has to look on"


def test_all_children_prove_the_node_before_them_and_the_best_is_taken() -> None:
    assert proven([[1, -1], None], last=1) is None
    assert proven([[1, -1], [0, 0], [1, -1]], last=1) == [0, 0]
    assert proven([[3, 0.5], [0, 0.5]], last=2) == [0, 0.5], "of equals the one that was proven last"
    assert proven([[3, 0.5], [0, 0.5]], last=1) == [3, 0.5]
    assert proven([None, [0, 0]], last=1) is None, "nothing new is known"


def test_a_proof_goes_up_as_far_as_it_holds() -> None:
    """Seat 0 chooses at the root, seat 1 below: it loses whatever it does there."""
    tree, workspace = family(2, mover=0, spare=2), Workspace.sized(1, 3, 3)
    tree.first[1], tree.children[1] = 3, 2
    tree.mover[3:5], tree.proven[3:5], tree.proof[3:5] = 1, 1, [1.0, -1.0]
    workspace.path[:2] = [1, 3]
    uncompiled(backups.back_up_proof)(tree, workspace, 2, 1.0)
    assert tree.proven.tolist() == [1, 1, 0, 1, 1]
    assert tree.proof[[ROOT, 1]].tolist() == [[1, -1]] * 2


# Trees with tools


def test_a_new_node_has_nothing_that_its_place_had_before() -> None:
    tree = family(2)
    for name in ("score", "squares", "amaf_total"):
        getattr(tree, name)[:] = 7.0
    tree.rank[:], tree.amaf_visits[:], tree.proven[:] = 7, 7, 1
    uncompiled(uct_tools.clear)(tree, 1, 0.25, 3, settings(rave=0.5, solver=True))
    for name, value in {"score": 0.25, "rank": 3, "squares": 0, "amaf_visits": 0, "amaf_total": 0, "proven": 0}.items():
        assert getattr(tree, name)[1] == value, name
        assert getattr(tree, name)[2] != value, name
    uncompiled(uct_tools.clear)(tree, 2, 0.25, 3, settings())
    assert (tree.amaf_visits[2], tree.amaf_total[2], tree.proven[2]) == (7, 7.0, 1), "there may be no room for them"


def expansion(room: int, legal: int, **tools: Any) -> tuple[bool, Any]:
    """Expanding a root with so many legal actions where there is room for so many nodes more."""
    tree = family(0, spare=room)
    tree.first[ROOT] = LEAF
    space = Workspace.sized(4, legal, legal)
    space.legal[:] = np.arange(legal)
    workspace = SimpleNamespace(**space._asdict(), rank=np.zeros(legal, np.int64), bias=np.zeros(legal))
    found = uncompiled(uct_tools.expand)(None, tree, ROOT, workspace, legal, 1, settings(**tools), rng.generator(1))
    return found, tree


def test_a_node_gets_children_if_there_is_room_for_all_of_them() -> None:
    found, tree = expansion(3, 3)
    assert found is True
    assert (tree.first[ROOT], tree.children[ROOT], tree.used[0]) == (1, 3, 4)
    assert sorted(tree.action[1:4].tolist()) == [0, 1, 2]
    found, tree = expansion(3, 4)
    assert found is False
    assert (tree.first[ROOT], tree.used[0]) == (LEAF, 1)


def test_a_node_without_room_for_children_does_not_offer_any_to_its_transpositions() -> None:
    _, tree = expansion(3, 4, transpositions=True)
    assert tree.positions.known[0] == 0
    _, tree = expansion(4, 4, transpositions=True)
    assert tree.positions.known[0] == 1


def test_children_are_shared_by_nodes_of_one_position() -> None:
    tree = family(3, spare=2)
    tree.first[1], tree.children[1] = 4, 2
    share = uncompiled(uct_tools.share_children)
    assert share(tree, 1, 77) is False
    assert share(tree, 2, 99) is False
    assert share(tree, 3, 77) is True
    assert (tree.first[3], tree.children[3]) == (4, 2)
    assert tree.first[2] == LEAF


def test_what_is_proven_is_closed_except_the_root() -> None:
    tree = family(2)
    tree.proven[:2] = 1
    closed = uncompiled(uct_tools.is_closed)
    assert [bool(closed(tree, node, settings(solver=True))) for node in range(3)] == [False, True, False]
    assert not closed(tree, 1, settings())


# Transpositions


def test_a_table_begins_with_1024_places_and_has_room_for_twice_the_nodes() -> None:
    assert transpositions.SMALLEST == 1024
    for nodes, largest in ((1, 1024), (512, 1024), (513, 2048), (1024, 2048), (5000, 16384)):
        positions = Positions.with_room_for(nodes)
        assert positions.digest.size == positions.node.size == 2 * largest
        assert (positions.size[0], positions.known[0]) == (1024, 0)


def digest_at(place: int, size: int, number: int = 0) -> int:
    """A digest whose place in a table of that size is this one; others have other numbers."""
    return (place << 20) | (number << 20 + 12) | 1


def test_a_position_is_found_at_its_place_or_the_next_free_one() -> None:
    positions = Positions.with_room_for(600)
    place_of, enter = uncompiled(transpositions.place_of), uncompiled(transpositions.enter)
    digests = [digest_at(1023, 1024, number) for number in range(3)]
    for node, digest in enumerate(digests):
        enter(positions, place_of(positions, digest), digest, 10 + node)
    assert [place_of(positions, digest) for digest in digests] == [1024 + 1023, 1024 + 0, 1024 + 1]
    assert [positions.node[place_of(positions, digest)] for digest in digests] == [10, 11, 12]
    assert place_of(positions, digest_at(5, 1024)) == 1024 + 5


def test_a_table_doubles_when_more_than_half_of_it_is_full() -> None:
    positions = Positions.with_room_for(600)
    place_of, enter = uncompiled(transpositions.place_of), uncompiled(transpositions.enter)
    for number in range(512):
        digest = digest_at(number, 1024)
        enter(positions, place_of(positions, digest), digest, number)
    assert (positions.known[0], positions.size[0]) == (512, 1024)
    digest = digest_at(512, 1024)
    enter(positions, place_of(positions, digest), digest, 512)
    assert (positions.known[0], positions.size[0]) == (513, 2048)
    for number in range(513):
        place = place_of(positions, digest_at(number, 2048))
        assert 2048 <= place < 4096
        assert (positions.node[place], positions.digest[place]) == (number, digest_at(number, 2048))


def test_no_position_has_the_digest_of_a_free_place() -> None:
    digest_of = uncompiled(transpositions.digest_of)
    found = [digest_of(np.array([first, second], np.uint8)) for first in range(20) for second in range(20)]
    assert len(set(found)) == 400
    assert all(digest & 1 for digest in found)
    assert all(0 < digest < 1 << 62 for digest in found)


# Reuse


class Line:
    """A game on a line: an action is so many steps ahead."""

    def __init__(self) -> None:
        self.entries = self

    def apply(self, memory: Any, action: int) -> None:
        memory[0] += action


LINE: Any = Line()


def kept(spare: int = 4) -> tuple[KeptTree, Any]:
    """At 10, with steps of 1 and 2; after 1 steps of 3 and 4; the step of 4 was never visited."""
    tree = family(2, spare=2 + spare, visits=[3, 2])
    tree.first[1], tree.children[1], tree.used[0] = 3, 2, 5
    tree.action[1:5], tree.visits[3:5] = [1, 2, 3, 4], [1, 0]
    keeper, position = KeptTree(), np.array([10])
    assert keeper.reaching(position, LINE, 0) is None, "there is none yet"
    keeper.keep(tree, position)
    position[0] = 99
    return keeper, tree


def test_a_kept_tree_starts_where_the_game_is() -> None:
    for place, node in ((10, 0), (11, 1), (12, 2), (14, 3)):
        keeper, tree = kept()
        assert keeper.reaching(np.array([place]), LINE, 0) is tree
        assert tree.start[0] == node


def test_a_position_that_was_not_visited_is_not_reached() -> None:
    keeper, tree = kept()
    for place in (15, 13, 99):
        assert keeper.reaching(np.array([place]), LINE, 0) is None
    assert tree.start[0] == ROOT


def test_a_kept_tree_goes_on_from_where_it_was_reached() -> None:
    keeper, tree = kept()
    position = np.array([11])
    keeper.reaching(position, LINE, 0)
    position[0] = 99
    assert keeper.reaching(np.array([14]), LINE, 0) is tree
    assert tree.start[0] == 3
    assert keeper.reaching(np.array([11]), LINE, 0) is None, "there is no way back"


def test_a_kept_tree_needs_room_for_new_nodes() -> None:
    keeper, tree = kept(spare=4)
    assert keeper.reaching(np.array([11]), LINE, 5) is None
    assert keeper.reaching(np.array([11]), LINE, 4) is tree


def test_two_thousand_positions_are_looked_at() -> None:
    assert reuse.MOST_POSITIONS == 2000
    tree = family(1, spare=2100)
    nodes = np.arange(2001)
    tree.first[nodes], tree.children[nodes], tree.action[nodes + 1], tree.visits[nodes + 1] = nodes + 1, 1, 1, 1
    keeper = KeptTree()
    keeper.keep(tree, np.array([0]))
    assert keeper.reaching(np.array([2000]), LINE, 0) is None
    assert keeper.reaching(np.array([1999]), LINE, 0) is tree


# Leaf workers


def job(status: int = FREE) -> tuple[Jobs, Workspace]:
    jobs, workspace = Jobs.sized(3, 2), Workspace.sized(3, 2, 2)
    jobs.status[:] = status
    workspace.state[:], workspace.path[:3], workspace.returns[:2] = [1, 2, 3], [7, 8, 9], [0.5, -0.5]
    return jobs, workspace


def test_there_is_a_job_for_each_worker() -> None:
    jobs = Jobs.sized(3, 2)
    assert (jobs.status.tolist(), jobs.stop.tolist()) == ([FREE, FREE], [0])
    assert (jobs.state.shape, jobs.returns.shape) == ((2, 3), (2, MAX_SEATS))


def test_a_leaf_is_handed_to_a_worker_that_is_free() -> None:
    jobs, workspace = job()
    hand_over = uncompiled(leaf_workers.hand_over)
    jobs.status[0] = TAKEN
    assert hand_over(jobs, workspace, 2)
    assert jobs.status.tolist() == [TAKEN, READY]
    assert jobs.state[1].tolist() == [1, 2, 3]
    assert (jobs.length[1], jobs.path[1, :3].tolist()) == (2, [7, 8, 0])
    assert hand_over(jobs, workspace, 2) is False
    assert jobs.status.tolist() == [TAKEN, READY]


def test_what_a_worker_has_done_is_taken_back_and_it_is_free_again() -> None:
    jobs, workspace = job()
    jobs.status[:], jobs.length[1], jobs.path[1, :2], jobs.returns[1, :2] = [TAKEN, DONE], 2, [4, 5], [1.0, -1.0]
    is_done = uncompiled(leaf_workers.is_done)
    assert [bool(is_done(jobs, number)) for number in (0, 1)] == [False, True]
    assert uncompiled(leaf_workers.take_back)(jobs, workspace, 1) == 2
    assert workspace.path[:3].tolist() == [4, 5, 9]
    assert workspace.returns[:2].tolist() == [1.0, -1.0]
    assert jobs.status.tolist() == [TAKEN, FREE]


class Playing:
    """What a worker needs of a game: here a playout counts what it was asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, jobs: Jobs, stop_after: int = 0) -> None:
        self.states: list[list[int]] = []
        self.plies: list[int] = []
        self.waited, self.jobs, self.stop_after = 0, jobs, stop_after

        def evaluate(rules: Any, workspace: Any, mover: int, rng_state: Any, plies: int) -> None:
            self.states.append(workspace.state.tolist())
            self.plies.append(plies)
            workspace.returns[:2] = [0.25, mover]

        def waiting() -> None:
            self.waited += 1
            if self.waited >= stop_after:
                jobs.stop[0] = 1

        monkeypatch.setattr(leaf_workers, "evaluate_leaf", evaluate)
        monkeypatch.setattr(leaf_workers, "yield_processor", waiting)
        monkeypatch.setattr(leaf_workers, "calls", SimpleNamespace(player=lambda rules, state: 6))


def test_a_worker_plays_out_what_is_ready_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, workspace = job(READY)
    playing = Playing(monkeypatch, jobs, stop_after=1)
    jobs.state[:] = [[1, 1, 1], [2, 2, 2]]
    uncompiled(leaf_workers._work)(None, 5, jobs, workspace, None)
    assert playing.states == [[1, 1, 1], [2, 2, 2]]
    assert playing.plies == [5, 5]
    assert jobs.status.tolist() == [DONE, DONE]
    assert jobs.returns[:, :2].tolist() == [[0.25, 6.0]] * 2
    assert playing.waited == 1, "only where there was nothing to do"


@pytest.mark.parametrize(("status", "there_is"), [(FREE, False), (READY, True), (DONE, True)])
def test_at_the_end_the_walker_does_what_nobody_has_taken(
    status: int, there_is: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, workspace = job(status)
    playing = Playing(monkeypatch, jobs)
    assert uncompiled(leaf_workers.wait_for)(None, jobs, 1, workspace, 5, None) is there_is
    assert jobs.status.tolist() == [status, FREE if status == FREE else DONE]
    assert len(playing.states) == (status == READY)
    assert playing.waited == 0


def test_the_walker_waits_for_a_worker_unless_that_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, workspace = job(TAKEN)
    playing = Playing(monkeypatch, jobs, stop_after=3)
    assert uncompiled(leaf_workers.wait_for)(None, jobs, 1, workspace, 5, None) is False
    assert playing.waited == 3


class Workers:
    """Workers of a made-up kind, two of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, work: Any) -> None:
        self.jobs: list[Jobs] = []
        unit = SimpleNamespace(entry_points={"leaf_workers": work})
        monkeypatch.setattr(leaf_workers, "code", lambda: unit)
        monkeypatch.setattr(Workspace, "for_game", lambda game: Workspace.sized(1, 1, 1))
        self.game: Any = SimpleNamespace(state=np.dtype("u1"))

    def advance(self, walk: Any) -> Any:
        return leaf_workers.with_workers(walk, self.game, "rules", 5, [rng.generator(1), rng.generator(2)])  # type: ignore[arg-type]


def test_workers_work_while_the_walker_walks_and_go_home_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work, given = threading.Barrier(3), list[Any]()

    def work(rules: Any, plies: int, jobs: Jobs, workspace: Workspace, rng_state: Any) -> None:
        given.append((rules, plies, id(workspace), rng_state.tolist()))
        at_work.wait(20)
        deadline = time.monotonic() + 20
        while not jobs.stop[0]:
            assert time.monotonic() < deadline
            time.sleep(0.001)

    walked: list[int] = []

    def walk(jobs: Jobs, n: int) -> None:
        at_work.wait(20)
        assert jobs.stop[0] == 0
        assert jobs.status.tolist() == [FREE, FREE]
        walked.append(n)

    advance = Workers(monkeypatch, work).advance(walk)
    advance(7)
    advance(8)
    assert walked == [7, 8]
    assert {(rules, plies) for rules, plies, _, _ in given} == {("rules", 5)}
    assert len(given) == 4
    assert len({workspace for _, _, workspace, _ in given}) == len({tuple(own) for _, _, _, own in given}) == 2


def test_a_worker_that_fails_is_not_kept_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(rules: Any, plies: int, jobs: Jobs, workspace: Workspace, rng_state: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Workers(monkeypatch, work).advance(lambda jobs, n: None)(7)


def test_no_worker_is_left_in_a_tree_that_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[bool] = []

    def work(rules: Any, plies: int, jobs: Jobs, workspace: Workspace, rng_state: Any) -> None:
        deadline = time.monotonic() + 20
        while not jobs.stop[0] and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.02)
        left.append(bool(jobs.stop[0]))

    def walk(jobs: Jobs, n: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Workers(monkeypatch, work).advance(walk)(7)
    assert left == [True, True]


# Pruning


def ranks(n: int, **columns: Any) -> Any:
    """A workspace for ranking n actions: 10, 11 and so on."""
    space = SimpleNamespace(
        legal=np.arange(10, 10 + n), rank=np.full(n, n), bias=np.zeros(n), order=np.zeros(n, np.int64),
        trial=np.zeros(2, np.int64), trial_legal=np.zeros(9, np.int64), values=np.zeros(MAX_SEATS),
        score=np.zeros((2, n)),
    )  # fmt: skip
    for name, values in columns.items():
        getattr(space, name)[:] = values
    return space


@pytest.mark.parametrize(
    ("places", "expected"),
    [(6, [2, 0, 5, 1, 3, 4]), (3, [2, 0, 6, 1, 6, 6]), (1, [6, 0, 6, 6, 6, 6]), (2, [6, 0, 6, 1, 6, 6])],
)
def test_ranks_are_places_among_the_scores_and_of_equals_the_first_comes_first(
    places: int, expected: list[int]
) -> None:
    space = ranks(6)
    uncompiled(pruning.rank_by)(np.array([4.0, 9.0, 1.0, 5.0, 3.0, 3.0]), 6, places, space)
    assert space.rank.tolist() == expected


def test_the_better_rank_of_several_judges_counts() -> None:
    space = ranks(3, rank=[0, 3, 1])
    uncompiled(pruning.rank_by)(np.array([1.0, 2.0, 3.0]), 3, 3, space)
    assert space.rank.tolist() == [0, 1, 0]


def test_ranks_below_the_limit_are_kept_in_their_order_with_their_bias() -> None:
    space = ranks(4, rank=[2, 0, 1, 0], bias=[0.1, 0.2, 0.3, 0.4])
    assert uncompiled(pruning.keep_ranks)(4, 2, space) == 3
    assert space.legal[:3].tolist() == [11, 12, 13]
    assert space.rank[:3].tolist() == [0, 1, 0]
    assert space.bias[:3].tolist() == [0.2, 0.3, 0.4]
    uncompiled(pruning.sort_by_rank)(3, space)
    assert space.legal.tolist() == [11, 13, 12, 13], "of equal ranks the first comes first"
    assert space.rank[:3].tolist() == [0, 0, 1]
    assert space.bias[:3].tolist() == [0.2, 0.4, 0.3]


def test_actions_are_sorted_by_rank_from_any_order() -> None:
    space = ranks(5, rank=[4, 2, 3, 1, 0], bias=[4, 2, 3, 1, 0])
    uncompiled(pruning.sort_by_rank)(5, space)
    assert space.legal.tolist() == [14, 13, 11, 12, 10]
    assert space.rank.tolist() == space.bias.tolist() == [0, 1, 2, 3, 4]


class Judged:
    """A game of which pruning sees the scores of the position after each action: 0 and 1 are seats, the first moves
    on for three actions after 12, and 13 ends the game with a return of 1."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *scores: list[float]) -> None:
        self.scores = scores
        monkeypatch.setattr(pruning, "calls", self)

    def player(self, rules: Any, state: Any) -> int:
        if state[0] == 13:
            return TERMINAL
        return 0 if state[0] == 12 and state[1] < 3 else 1

    def legal(self, rules: Any, state: Any, out: Any) -> int:
        out[:2] = 20, 21
        return 2

    def apply(self, rules: Any, state: Any, action: int) -> None:
        if action < 20:
            state[0] = action
        else:
            state[1] += 1

    def returns(self, rules: Any, state: Any, out: Any) -> None:
        out[0] = 1.0

    def judge(self, rules: Any, judge: int, state: Any, out: Any) -> None:
        out[0] = self.scores[judge][state[0] - 10] + 10 * state[1]

    def kept(self, n: int, highest: float = 1.0, **tools: Any) -> tuple[list[int], list[float]]:
        space = ranks(n, bias=7.0)
        given = settings(judges=len(self.scores), highest=highest, **tools)
        kept = uncompiled(pruning.rank_actions)(None, np.zeros(2, np.int64), space, n, 0, given, rng.generator(1))
        return space.legal[:kept].tolist(), space.bias[:kept].tolist()


def test_a_node_keeps_the_best_of_each_judge_and_what_wins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch, [1.0, 4.0, 3.0, 0.0, 2.0], [5.0, 1.0, 2.0, 0.0, 3.0])
    assert judged.kept(5, limit=1)[0] == [10, 11, 13]
    assert judged.kept(5, highest=1.5, limit=1)[0] == [10, 11]
    assert judged.kept(5, limit=2)[0] == [10, 11, 13, 12, 14]
    assert judged.kept(5, limit=5)[0] == [10, 11, 12, 13, 14], "where all are kept nobody judges"
    assert judged.kept(5, limit=6)[0] == [10, 11, 12, 13, 14]
    one = Judged(monkeypatch, [1.0, 4.0, 3.0, 0.0, 2.0])
    assert one.kept(5, limit=3)[0] == [11, 13, 12, 14]
    assert one.kept(5, limit=1, extrapolate=True)[0] == [12, 13], "three choices further on it has 30 more"


def test_progressive_widening_keeps_all_in_the_order_of_their_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch, [1.0, 4.0, 3.0, 0.0, 2.0])
    assert judged.kept(5, limit=2, widen=0.5)[0] == [11, 13, 12, 14, 10]
    assert judged.kept(5, widen=0.5)[0] == [11, 13, 12, 14, 10]
    assert judged.kept(5, limit=9, widen=0.5)[0] == [11, 13, 12, 14, 10]


def test_a_bias_is_the_mean_of_the_scaled_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch, [1.0, 4.0, 3.0], [2.0, 0.0, 1.0])
    actions, bias = judged.kept(3, bias=0.5)
    assert actions == [10, 11, 12]
    assert bias == pytest.approx([0.5, 0.5, (2 / 3 + 0.5) / 2])
    assert judged.kept(3, bias=0.5, limit=3)[1] == pytest.approx([0.5, 0.5, (2 / 3 + 0.5) / 2]), (
        "also where all are kept"
    )
    assert judged.kept(3, limit=1)[1] == [0.0, 0.0], "without one there is none"
    assert Judged(monkeypatch, [-3.0, -1.0, -2.0]).kept(3, bias=2.0) == ([11, 12, 10], pytest.approx([1.0, 0.5, 0.0]))
    assert Judged(monkeypatch, [3.0, 3.0]).kept(2, bias=2.0)[1] == [0.5, 0.5]


def test_extrapolation_comes_to_an_end_where_the_turn_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    judged = Judged(monkeypatch)
    monkeypatch.setattr(judged, "player", lambda rules, state: 0)
    monkeypatch.setattr(judged, "apply", lambda rules, state, action: played.append(action))
    uncompiled(pruning.extrapolate)(None, np.zeros(2), 0, np.zeros(9, np.int64), rng.generator(1))
    assert len(played) == 100
    assert set(played) == {20, 21}
    uncompiled(pruning.extrapolate)(None, np.zeros(2), 1, np.zeros(9, np.int64), rng.generator(1))
    assert len(played) == 100, "it is another seat's turn"


@pytest.mark.parametrize(
    ("visits", "limit", "widen", "ranks_"),
    [
        (0, 0, 0.5, 1),
        (1, 0, 0.5, 1),
        (10, 0, 0.5, 3),
        (16, 3, 0.5, 4),
        (8, 3, 0.5, 3),
        (16, 0, 1.0, 16),
        (9, 3, 0.0, 2**31),
    ],
)
def test_as_many_ranks_are_open_as_the_visits_to_a_power(visits: int, limit: int, widen: float, ranks_: int) -> None:
    assert uncompiled(pruning.open_ranks)(visits, settings(limit=limit, widen=widen)) == ranks_


def test_the_order_of_equals_at_a_node_is_that_of_a_hash_of_both() -> None:
    """Multipliers of 32 bits, as in other hashes; so a node keeps the same of them at every visit."""
    key = uncompiled(ismcts_tools.shuffle_key)

    def by_hand(node: int, action: int) -> int:
        mixed = ((action + 1) * 2_654_435_761 ^ (node + 1) * 2_246_822_507) % 2**32
        return (mixed ^ mixed // 2**15) * 739_982_445 % 2**32

    assert [key(node, action) for node in (0, 7, 1000) for action in (0, 1, 300)] == [
        by_hand(node, action) for node in (0, 7, 1000) for action in (0, 1, 300)
    ]
    for node in range(20):
        actions = np.arange(7)
        uncompiled(ismcts_tools.shuffle_for)(node, actions, 6)
        assert actions.tolist() == [*sorted(range(6), key=lambda action: by_hand(node, action)), 6]


def test_visits_below_a_node_are_those_of_all_its_children() -> None:
    tree = SimpleNamespace(
        child=np.array([3, -1, -1, -1]), sibling=np.array([-1, -1, 1, 2]), visits=np.array([99, 4, 2, 1])
    )
    assert uncompiled(ismcts_tools.visits_below)(tree, 0) == 7
    assert uncompiled(ismcts_tools.visits_below)(tree, 1) == 0


@pytest.mark.skipif(UNCOMPILED, reason="what stands for instructions is compiled in")
@pytest.mark.parametrize(
    ("part", "arguments", "additions"),
    [
        (backups.add_squares, (2,), 2),
        (backups.add_amaf, (2, 3), 8),
        (uct_plain.backup, (2, TERMINAL, settings(virtual_loss=1.0)), 7),
        (ismcts_plain.backup, (2, settings(virtual_loss=1.0)), 6),
    ],
)
def test_threads_that_share_a_tree_add_in_one_step(
    part: Any, arguments: tuple[Any, ...], additions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that searches alone does not wait for the processor to do so."""
    added: list[int] = []
    at_once = INSTRUCTIONS["atomic_add"]
    monkeypatch.setitem(INSTRUCTIONS, "atomic_add", lambda *given: added.append(given[1]) or at_once(*given))
    for kind, expected in ((Tree, 0), (SharedTree, additions)):
        added.clear()
        tree = family(3, kind, spare=2)
        tree.first[1], tree.children[1] = 4, 2
        tree.action[1:6], tree.mover[1:6] = [0, 1, 2, 1, 0], [0, 0, 0, 1, 1]
        uncompiled(part)(tree, traced([1, 4], [(0, 2), (1, 0)], 3, [0.5, -0.25]), *arguments)
        assert len(added) == expected


@pytest.mark.skipif(UNCOMPILED, reason="what stands for instructions is compiled in")
def test_threads_that_share_a_tree_take_room_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[int] = []
    at_once = INSTRUCTIONS["atomic_add"]
    monkeypatch.setitem(INSTRUCTIONS, "atomic_add", lambda *given: added.append(given[2]) or at_once(*given))
    take = uncompiled(uct_tree.take)
    take(Tree.with_room_for(6), ROOT, 2)
    assert added == []
    tree = SharedTree.with_room_for(6)
    take(tree, ROOT, 2)
    take(tree, ROOT, 4)
    assert added == [2, 4, -4]


@pytest.mark.skipif(UNCOMPILED, reason="what stands for instructions is compiled in")
def test_counters_of_a_path_in_a_shared_tree_are_asked_for_before_they_are_added_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setitem(INSTRUCTIONS, "prepare_to_add", lambda counters, node: asked.append(node))
    for part, arguments in ((uct_plain.backup, (2, TERMINAL, settings())), (ismcts_plain.backup, (2, settings()))):
        for kind, expected in ((Tree, []), (SharedTree, [1, 3])):
            asked.clear()
            uncompiled(part)(family(3, kind), traced([1, 3], [], 3, [0.5, -0.25]), *arguments)
            assert asked == expected
