"""Threads that share a tree: no update is lost, and one thread of any mode plays like the plain search."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.kernel import MAX_SEATS, rng
from boardwright.kernel.entries import SearchParts
from boardwright.kernel.padding import LINE
from boardwright.search import ismcts, leaf_workers, uct, uct_plain, uct_shared
from boardwright.search.uct_shared import thread_workspace
from boardwright.search.uct_tree import ROOT, SharedTree
from boardwright.search.workspace import Workspace
from tests.uncompiled import uncompiled

THREADS, ITERATIONS = 4, 3000


def on_threads(search: Any) -> None:
    """Run a search on all threads at the same time."""
    with ThreadPoolExecutor(THREADS) as pool:
        for future in [pool.submit(search, thread) for thread in range(THREADS)]:
            future.result()


@pytest.mark.parametrize("virtual_loss", [0.0, 0.5, 3.0])
def test_no_visit_of_a_shared_uct_tree_is_lost(connect_four: bw.Game, virtual_loss: float) -> None:
    tree = uct.SharedTree.with_room_for(1_000_000)
    settings = uct.Settings(1.4, -1, virtual_loss, -1.0)
    root, rules, kernel = (
        connect_four.new(seed=0).memory,
        connect_four.entries.search_rules(SearchParts("random")),
        uct.kernel(uct.SharedTree),
    )

    def search(thread: int) -> None:
        workspace = thread_workspace(Workspace.for_game(connect_four))
        kernel(rules, root, settings, tree, workspace, rng.generator(thread), ITERATIONS)

    on_threads(search)
    used = int(tree.used[0])
    assert tree.visits[ROOT] == THREADS * ITERATIONS
    assert not tree.pending[:used].any(), "every virtual loss is taken back"
    claimed: set[int] = set()
    ahead = [ROOT]
    while ahead:
        node = ahead.pop()
        first, n = int(tree.first[node]), int(tree.children[node])
        if first < 0:
            continue
        block = range(first, first + n)
        assert not claimed & set(block), "no two nodes have a child in common"
        claimed |= set(block)
        ahead += block
        below = int(tree.visits[first : first + n].sum())
        allowed = THREADS if node == ROOT else 1 + int(tree.conflicts[0]) + THREADS
        assert 0 <= tree.visits[node] - below <= allowed, "a visit either goes on to a child or ends here"
    totals = tree.total[sorted(claimed)]
    assert (np.abs(totals) <= tree.visits[sorted(claimed)]).all()
    assert (totals == np.round(totals)).all(), "returns of Connect Four are whole numbers: none is half added"


def test_a_thread_s_own_visits_count_at_once_and_are_told_later(connect_four: bw.Game) -> None:
    node, other, busy = 1, 1 + uct_shared.SLOTS, 10 * uct_shared.SHARE
    tree = uct.SharedTree.with_room_for(other + 1)
    workspace = thread_workspace(Workspace.for_game(connect_four))
    tree.visits[[node, other]], tree.total[[node, other]] = busy, 0.0
    seen, add = [], uncompiled(uct_shared.add)
    for _ in range(10):
        add(tree, workspace, node, 1.0)
        seen.append(int(tree.visits[node]) - busy)
    assert seen == [0] * 9 + [10], "a 32nd of the visits is told"
    add(tree, workspace, node, 1.0)
    add(tree, workspace, other, 1.0)
    assert tree.visits[node] == busy + 11, "another node in its slot"
    assert tree.visits[other] == busy
    uncompiled(uct_shared.flush_all)(tree, workspace)
    assert tree.visits[other] == busy + 1
    assert tree.total[[node, other]].tolist() == [11, 1]


def test_arrays_of_threads_share_no_line_of_memory() -> None:
    arrays = [rng.generator(seed) for seed in range(50)]
    lines = [set(range(a.ctypes.data // LINE, (a.ctypes.data + a.nbytes - 1) // LINE + 1)) for a in arrays]
    assert sum(map(len, lines)) == len(set().union(*lines))


@pytest.mark.parametrize("variant", [ismcts.SO, ismcts.POM, ismcts.MO])
@pytest.mark.parametrize("virtual_loss", [0.0, 1.0])
def test_no_visit_of_shared_ismcts_trees_is_lost(pennies: bw.Game, variant: int, virtual_loss: float) -> None:
    tree = ismcts.SharedTree.with_room_for(100_000)
    settings = ismcts.Settings(variant, False, 1.4, -1, virtual_loss, -1.0)
    observation = pennies.new(seed=0, rounds=3).observation(0)
    rules, kernel = pennies.entries.search_rules(SearchParts("random")), ismcts.kernel(ismcts.SharedTree)

    def search(thread: int) -> None:
        workspace, rng_state = Workspace.for_game(pennies), rng.generator(thread)
        kernel(rules, observation.memory, 0, 2, settings, tree, workspace, rng_state, ITERATIONS)

    on_threads(search)
    used = int(tree.used[0])
    assert sum(tree.root(0).visits.values()) == THREADS * ITERATIONS
    assert not tree.pending[:used].any()
    assert not tree.lock[:used].any()
    reached = set()
    for node in range(used):
        edges = []
        child = int(tree.child[node]) if node < MAX_SEATS or node in reached else ismcts.NONE
        while child != ismcts.NONE:
            reached.add(child)
            edges.append((int(tree.mover[child]), int(tree.edge[child])))
            child = int(tree.sibling[child])
        assert len(set(edges)) == len(edges), "no action has two children"


@pytest.mark.parametrize("mode", ["parallel=tree", "parallel=tree,virtual_loss=2", "parallel=root", "parallel=leaf"])
@pytest.mark.parametrize("spec", ["uct", "ismcts", "ismcts:variant=mo", "ismcts:variant=pom"])
def test_one_thread_of_any_mode_is_the_plain_search(kuhn: bw.Game, spec: str, mode: str) -> None:
    observation = kuhn.new(seed=3).observation(0)
    joint = "," if ":" in spec else ":"
    plain = bw.agent(f"{spec}{joint}iterations=500", kuhn, 0, seed=5).decide(observation)
    other = bw.agent(f"{spec}{joint}iterations=500,{mode}", kuhn, 0, seed=5).decide(observation)
    assert other.reasons == plain.reasons


@pytest.mark.parametrize("mode", ["tree", "leaf"])
@pytest.mark.parametrize("budget", ["seconds=0.002", "iterations=1", "iterations=9,select=robust_max"])
def test_the_smallest_shared_tree_has_room_for_the_root_s_actions(
    connect_four: bw.Game, mode: str, budget: str
) -> None:
    agent = bw.agent(f"uct:nodes=2,threads=2,parallel={mode},{budget}", connect_four, 0, seed=1)
    assert len(agent.decide(connect_four.new(seed=0).observation(0)).reasons) == 7


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("spec", ["uct", "uct:virtual_loss=1", "ismcts", "ismcts:variant=mo"])
def test_no_playout_of_leaf_workers_is_lost(kuhn: bw.Game, spec: str, threads: int) -> None:
    """Also if the time is cut into many slices, at whose end all workers stop."""
    observation = kuhn.new(seed=3).observation(0)
    joint = "," if ":" in spec else ":"
    agent = bw.agent(f"{spec}{joint}iterations=5000,parallel=leaf,threads={threads}", kuhn, 0)
    assert sum(reason.visits or 0 for reason in agent.decide(observation).reasons) == 5000


def test_workers_go_home_if_the_walker_fails(connect_four: bw.Game) -> None:

    def walk(jobs: leaf_workers.Jobs, n: int) -> None:
        raise ZeroDivisionError

    rules = connect_four.entries.search_rules(SearchParts("random"))
    advance = leaf_workers.with_workers(walk, connect_four, rules, -1, [rng.generator(1)])
    with pytest.raises(ZeroDivisionError):
        advance(10)


def test_the_walker_s_processor_time_is_the_caller_s(connect_four: bw.Game) -> None:
    walkers = []
    rules = connect_four.entries.search_rules(SearchParts("random"))
    advance = leaf_workers.with_workers(
        lambda jobs, n: walkers.append(threading.get_ident()), connect_four, rules, -1, [rng.generator(1)]
    )
    advance(10)
    assert walkers == [threading.get_ident()], "a budget with clock=cpu would never end"


@pytest.mark.parametrize(
    "spec",
    [
        "uct:parallel=tree",
        "uct:parallel=tree,virtual_loss=1",
        "uct:parallel=leaf,virtual_loss=1",
        "ismcts:parallel=tree",
    ],
)
def test_threads_on_one_tree_find_the_winning_move(connect_four: bw.Game, spec: str) -> None:
    state = connect_four.new(seed=0)
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)
    decision = bw.agent(f"{spec},threads=3,iterations=3000", connect_four, 0).decide(state.observation(0))
    assert decision.action == 3
    assert sum(reason.visits or 0 for reason in decision.reasons) == pytest.approx(3000, abs=3)


@pytest.mark.parametrize(("below", "chosen"), [(0, 2), (8, 1)])
def test_less_tried_children_are_more_promising_unless_threads_are_below_them(below: int, chosen: int) -> None:
    """0.6 + 0.5 √(ln 20 / 16) is less than 0.5 + 0.5 √(ln 20 / 4); each thread below counts as a lost game."""
    tree: Any = SharedTree.with_room_for(3)
    tree.first[ROOT], tree.children[ROOT] = 1, 2
    tree.visits[:], tree.total[:], tree.pending[:] = [20, 16, 4], [11.6, 9.6, 2.0], [0, 0, below]
    assert uncompiled(uct_plain.highest_bound_apart)(tree, ROOT, uct.Settings(0.5, -1, 1, -1.0)) == chosen


@pytest.mark.parametrize(("virtual_loss", "chosen"), [(0.1, 1), (0.5, 2)])
def test_selections_that_a_virtual_loss_changes_are_counted(
    connect_four: bw.Game, virtual_loss: float, chosen: int
) -> None:
    """A thread is below the better of two children: 6 of 10, and 6 of 10.5 less half a loss is below 5.5 of 10."""
    tree, workspace = uct.SharedTree.with_room_for(3), thread_workspace(Workspace.for_game(connect_four))
    tree.first[ROOT], tree.children[ROOT], tree.visits[ROOT] = 1, 2, 20
    tree.visits[1:3], tree.total[1:3], tree.pending[1] = 10, (6, 5.5), 1
    assert uncompiled(uct_shared.select)(tree, ROOT, workspace, uct.Settings(0.0, -1, virtual_loss, -1.0)) == chosen
    assert workspace.selections.tolist() == [1, chosen == 2]
    assert tree.pending[chosen] == 1 + (chosen == 1), "a virtual loss is on the child until the backup"


def test_any_virtual_loss_is_on_the_child_until_the_backup(connect_four: bw.Game) -> None:
    tree, workspace = uct.SharedTree.with_room_for(3), thread_workspace(Workspace.for_game(connect_four))
    tree.first[ROOT], tree.children[ROOT], tree.visits[ROOT] = 1, 2, 20
    tree.visits[1:3], tree.total[1:3] = 10, (6, 5.5)
    assert uncompiled(uct_plain.select)(tree, ROOT, workspace, uct.Settings(0.0, -1, 0.5, -1.0)) == 1
    assert tree.pending.tolist() == [0, 1, 0]
