"""Whole searches with fixed seeds, as numbers that can be compared: visits and returns at the root, a check sum over
every node, and the random number that comes next.

`python -m tests.search_trees` writes what test_search_trees.py compares with; only a change of a search may. Run it
uncompiled (NUMBA_DISABLE_JIT=1): some of these kernels no other test compiles. `--show` prints instead.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import boardwright as bw
from boardwright.kernel import MAX_SEATS, rng
from boardwright.search import ismcts, uct
from boardwright.search.budget import Budget
from boardwright.search.ismcts_tools import NodeTools as HiddenNodeTools
from boardwright.search.leaf_workers import Jobs
from boardwright.search.sharing import Shared
from boardwright.search.workspace import LONGEST_PATH

EXPECTED = Path(__file__).parent / "data" / "search_trees.json"
GAMES = Path(__file__).parent / "games"


def connect_four(*columns: int) -> bw.State:
    state = bw.game("connect_four").new(seed=0)
    for column in columns:
        state.apply(column - 1)
    return state


def middle() -> bw.State:
    """Twenty discs, two columns full."""
    return connect_four(1, 2, 1, 2, 1, 2, 2, 1, 2, 1, 2, 1, 3, 4, 3, 3, 4, 3, 5, 7)


def own(name: str, seats: int, *actions: int, seed: int = 3, **options: Any) -> bw.State:
    state = bw.game(str(GAMES / f"{name}.py")).new(seed=seed, seats=seats, **options)
    for action in actions:
        state.apply(action)
    return state


POSITIONS: dict[str, Callable[[], bw.State]] = {
    "connect_four": middle,
    "a win at once": lambda: connect_four(1, 1, 2, 2, 3, 3),
    "a lost position": lambda: connect_four(4, 4, 3, 3, 5),
    "three seats of dice": lambda: own("dice_race", 3, 1, 0, 1, rounds=3),
    "piles for two": lambda: own("piles", 2),
    "piles for three": lambda: own("piles", 3, 2, seed=4),
    "kuhn_poker": lambda: bw.game("kuhn_poker").new(seed=3),
    "kuhn_poker after a pass": lambda: after(bw.game("kuhn_poker").new(seed=4), 0),
    "pennies to hide": lambda: own("pennies", 2, rounds=2),
    "pennies to guess": lambda: own("pennies", 2, 1, rounds=2),
    "coin": lambda: own("coin", 1),
}


def after(state: bw.State, *actions: int) -> bw.State:
    for action in actions:
        state.apply(action)
    return state


SHORT = "paths of 4: "

SEARCHES: dict[str, tuple[tuple[str, ...], int]] = {
    "uct": (("connect_four", "three seats of dice", "piles for three", "a win at once", "a lost position"), 80),
    "uct:exploration=5": (("connect_four",), 80),
    "uct:exploration=0.3": (("connect_four",), 60),
    "uct:nodes=30": (("connect_four", "piles for two"), 40),
    "uct:plies=2,evaluation=share": (("piles for three",), 60),
    "uct:playout=smallest": (("piles for two",), 40),
    "uct:parallel=tree,threads=2": (("connect_four", "piles for three", "a win at once"), 150),
    "uct:parallel=tree,threads=2,virtual_loss=0.5": (("connect_four", "piles for three"), 60),
    "uct:parallel=tree,threads=2,nodes=40": (("piles for three",), 60),
    "uct:parallel=tree,threads=2,virtual_loss=1,rave=20": (("piles for three",), 40),
    "uct:parallel=leaf,threads=2": (("connect_four", "piles for three"), 40),
    "uct:parallel=leaf,threads=2,virtual_loss=0.5": (("connect_four", "piles for three"), 40),
    "uct:parallel=tree,threads=2,rave=20": (("piles for three",), 40),
    "uct:parallel=tree,threads=2,rave=20,nodes=20": (("piles for three",), 40),
    "uct:rave=0.5": (("piles for three",), 60),
    "uct:fpu=1000,exploration=5": (("connect_four",), 80),
    "uct:minimax=0.4,evaluation=guess": (("piles for three",), 60),
    "uct:bound=ucb1_tuned": (("connect_four", "piles for three"), 60),
    "uct:bound=ucb1_tuned,exploration=0.1": (("piles for three",), 60),
    "uct:fpu=0.4": (("connect_four", "piles for three"), 60),
    "uct:fpu=-1,exploration=0.2": (("connect_four",), 40),
    "uct:rave=30": (("connect_four", "piles for three"), 60),
    "uct:rave=30,fpu=0.2,exploration=0.1,nodes=20": (("piles for two",), 60),
    "uct:minimax=0.4,evaluation=share": (("piles for two", "piles for three"), 60),
    "uct:minimax=0.4,evaluation=share,plies=1,rave=10": (("piles for three",), 40),
    "uct:solver=true": (("a win at once", "a lost position", "connect_four", "piles for two", "piles for three"), 300),
    "uct:transpositions=true": (("connect_four", "piles for two"), 150),
    "uct:transpositions=true,solver=true": (("piles for three",), 200),
    "uct:transpositions=true,prune=lead,widen=0.5": (("piles for three",), 100),
    "uct:learn=mast": (("connect_four", "piles for three"), 60),
    "uct:learn=ngram,epsilon=0.05": (("connect_four", "piles for three"), 100),
    "uct:learn=mast,plies=3,evaluation=share": (("piles for three",), 30),
    "uct:prune=lead,limit=2": (("piles for two", "piles for three"), 60),
    "uct:prune=lead+share,limit=2,extrapolate=true": (("piles for two", "piles for three"), 60),
    "uct:prune=returns,limit=1": (("a win at once", "piles for three"), 40),
    "uct:prune=lead,widen=0.5,limit=2": (("piles for two",), 60),
    "uct:prune=lead+scores,bias=0.5": (("piles for three",), 60),
    "uct:prune=lead,bias=0.3,limit=3,widen=0.4": (("piles for three",), 60),
    "ismcts": (("connect_four", "three seats of dice", "kuhn_poker", "kuhn_poker after a pass", "coin"), 80),
    "ismcts:exploration=5": (("connect_four", "piles for two"), 80),
    "ismcts:variant=pom": (("pennies to hide", "pennies to guess", "kuhn_poker"), 120),
    "ismcts:variant=mo": (("pennies to hide", "pennies to guess", "three seats of dice", "piles for three"), 120),
    "ismcts:variant=mo,loop=closed": (("coin",), 60),
    "ismcts:variant=pom,loop=closed": (("coin",), 60),
    "ismcts:loop=open": (("coin",), 60),
    "ismcts:nodes=20": (("connect_four", "coin", "piles for two"), 60),
    "ismcts:nodes=10,variant=mo": (("pennies to hide", "three seats of dice"), 60),
    "ismcts:plies=1,evaluation=share": (("piles for three",), 40),
    "ismcts:parallel=tree,threads=2": (("three seats of dice", "kuhn_poker", "coin"), 60),
    "ismcts:parallel=tree,threads=2,virtual_loss=0.5,variant=mo": (("pennies to guess",), 60),
    "ismcts:parallel=tree,threads=2,nodes=10,bound=ucb1_tuned": (("three seats of dice",), 40),
    "ismcts:parallel=leaf,threads=2,virtual_loss=1": (("three seats of dice", "pennies to hide"), 40),
    "ismcts:bound=ucb1_tuned": (("three seats of dice", "connect_four"), 60),
    "ismcts:bound=ucb1_tuned,variant=mo,nodes=30": (("pennies to hide",), 60),
    "ismcts:fpu=0.3": (("three seats of dice", "piles for two"), 60),
    "ismcts:fpu=0.3,variant=mo,nodes=20": (("piles for two",), 60),
    "ismcts:learn=mast": (("three seats of dice", "piles for three"), 60),
    "ismcts:learn=ngram,variant=mo": (("piles for two",), 60),
    "ismcts:prune=lead,limit=2": (("piles for two", "piles for three"), 60),
    "ismcts:prune=lead,limit=2,widen=0.4": (("piles for three",), 60),
    "ismcts:prune=lead+scores,bias=0.6": (("piles for three",), 60),
    "ismcts:prune=lead,bias=0.6,variant=mo": (("piles for two",), 60),
    "ismcts:prune=lead,limit=3,variant=mo": (("piles for two",), 60),
    "ismcts:prune=lead,limit=2,extrapolate=true": (("piles for two",), 40),
    f"{SHORT}uct": (("piles for three",), 120),
    f"{SHORT}ismcts": (("piles for two",), 120),
    f"{SHORT}ismcts:variant=mo": (("pennies to hide", "piles for two", "three seats of dice"), 120),
}
"""Specs with the positions that they search, and how many iterations long; some with paths that may have four nodes."""

DECISIONS: dict[str, tuple[str, ...]] = {
    "flat:iterations=60": ("connect_four", "three seats of dice", "kuhn_poker", "piles for three"),
    "flat:iterations=40,playout=cautious": ("three seats of dice",),
    "flat:iterations=31,threads=2": ("piles for three",),
    "maxn:depth=3": ("connect_four", "piles for two", "piles for three", "three seats of dice", "kuhn_poker"),
    "maxn:depth=4,ties=first": ("connect_four", "a lost position", "piles for three"),
    "maxn:depth=2,determinizations=3": ("kuhn_poker", "three seats of dice"),
    "maxn:depth=3,root=lexicographic": ("piles for three", "connect_four"),
    "maxn:depth=2,evaluation=lead": ("piles for three",),
    "maxn:depth=12": ("piles for two",),
    "maxn:depth=9,evaluation=returns": ("piles for three",),
    "uct:iterations=60": ("three seats of dice", "kuhn_poker"),
    "uct:iterations=61,determinizations=3,threads=2": ("three seats of dice",),
    "uct:iterations=50,stream=4,select=robust_max": ("piles for three",),
    "uct:iterations=50,select=robust_rand,top=2": ("piles for three",),
    "uct:iterations=300,solver=true": ("a win at once", "a lost position"),
    "ismcts:iterations=61,threads=2": ("three seats of dice",),
    "ismcts:iterations=60,variant=mo": ("pennies to guess",),
}
"""Specs of whole agents with what they decide about."""

ALSO_COMPILED = ("uct", "ismcts", "flat:iterations=60", "maxn:depth=3", "uct:transpositions=true", "uct:rave=30")
"""Compared as compiled code, too, in games that other tests compile."""


def uct_search(agent: uct.UCT, state: bw.State, iterations: int, rng_state: Any) -> Any:
    tree = agent._tree(state.memory, state.observation(state.player), Budget(iterations))
    settings, workspace = agent.kernel_settings(), agent.workspace()
    if agent.has_leaf_workers:
        jobs = Jobs.for_game(agent.game, 2)
        walk = uct.leaf_code().entry_points["uct_leaf"]
        walk(agent.rules, state.memory, settings, tree, workspace, rng_state, jobs, iterations)
    else:
        if agent.shares_tree:
            workspace = agent.thread_workspace()
        kernel = uct.kernel(agent._kind, tools=agent.uses_tools)
        kernel(agent.rules, state.memory, settings, tree, workspace, rng_state, iterations)
    return tree, workspace


def ismcts_search(agent: ismcts.ISMCTS, state: bw.State, iterations: int, rng_state: Any) -> Any:
    observation = state.observation(state.player)
    found = agent._kind.with_room_for(agent.room(Budget(iterations), agent.nodes_per_iteration(observation.seats)))
    tree: Any = found
    if agent.uses_tools:
        kind = ismcts.SharedToolTree if issubclass(agent._kind, Shared) else ismcts.ToolTree
        tree = kind(*found, *HiddenNodeTools.with_room_for(found.edge.size))
    settings, workspace = agent.kernel_settings(), agent.workspace()
    given = agent.rules, observation.memory, observation.seat, observation.seats, settings, tree, workspace, rng_state
    if agent.has_leaf_workers:
        ismcts.leaf_code().entry_points["ismcts_leaf"](*given, Jobs.for_game(agent.game, 2), iterations)
    else:
        ismcts.kernel(agent._kind, tools=agent.uses_tools)(*given, iterations)
    return tree, workspace


def check_sum(tree: Any, workspace: Any) -> int:
    """Over every number of every node that means something."""
    used = int(tree.used[0])
    lines: list[Any] = [used, int(tree.conflicts[0])]
    plain = isinstance(tree, uct.Tree) or "first" in tree._fields
    reached = np.zeros(used, bool)
    waiting = [0] if plain else list(range(MAX_SEATS))
    while waiting:
        node = waiting.pop()
        if reached[node]:
            continue
        reached[node] = True
        if plain:
            first = int(tree.first[node])
            below = list(range(first, first + int(tree.children[node]))) if first >= 0 else []
        else:
            below, child = [], int(tree.child[node])
            while child != ismcts.NONE:
                below.append(child)
                child = int(tree.sibling[child])
        lines.append((node, below))
        for child in below:
            lines.append(
                [number(tree, name, child) for name in ("mover", "action" if plain else "edge", "visits", "total")]
            )
            names = ["squares", "score", "rank", "amaf_visits", "amaf_total", "available", "proven"]
            for name in [*names, "pending"] if isinstance(tree, Shared) else names:
                array = getattr(tree, name, None)
                if array is not None and array.size > 1:
                    lines.append(number(tree, name, child))
            if getattr(tree, "proven", np.zeros(1)).size > 1 and tree.proven[child]:
                lines.append(tree.proof[child].tolist())
            minimax = getattr(tree, "minimax", np.zeros((1, 1)))
            if len(minimax) > 1 and tree.visits[child]:
                lines.append([round(x, 9) for x in minimax[child].tolist()])
        waiting += below
    if plain:
        lines.append(int(tree.visits[0]))
    else:
        lines.append(tree.lock.nonzero()[0].tolist())
    values = getattr(workspace, "action_values", None)
    if values is not None:
        lines += [values.visits.nonzero()[0].tolist(), values.visits.tolist() if values.visits.size < 999 else 0]
        lines.append([round(x, 9) for x in values.total[values.visits > 0].tolist()])
    return zlib.crc32(repr(lines).encode())


def number(tree: Any, name: str, node: int) -> float:
    value = getattr(tree, name)[node].item()
    return round(value, 9) if isinstance(value, float) else value


def at_root(statistics: Any) -> list[str]:
    return [
        f"{action}: {visits} visits, {round(statistics.total[action], 6):g} in all"
        for action, visits in sorted(statistics.visits.items())
    ]


def searched(spec: str, position: str) -> dict[str, Any]:
    """What a search found: the root for people, the tree as a check sum."""
    state = POSITIONS[position]()
    plain = spec.removeprefix(SHORT)
    agent = bw.agent(plain, state.game, state.player, seed=1)
    iterations, rng_state = SEARCHES[spec][1], rng.generator(3)
    if isinstance(agent, uct.UCT):
        tree, workspace = uct_search(agent, state, iterations, rng_state)
        root = uct.root_statistics(tree)
    else:
        assert isinstance(agent, ismcts.ISMCTS)
        tree, workspace = ismcts_search(agent, state, iterations, rng_state)
        root = ismcts.Tree.root(tree, state.player)
    return {"root": at_root(root), "tree": check_sum(tree, workspace), "next": rng.draw(rng_state) % 1_000_000}


def decided(spec: str, position: str) -> dict[str, Any]:
    """What an agent decides, and why."""
    state = POSITIONS[position]()
    decision = bw.agent(spec, state.game, state.player, seed=1).decide(state.observation(state.player))
    reasons = [
        f"{reason.action}: {reason.visits} visits, {None if reason.value is None else round(reason.value, 6)} each"
        for reason in decision.reasons
    ]
    return {
        "action": decision.action,
        "best": decision.best,
        "reasons": reasons,
        "summary": decision.summary.partition(" in ")[0],
    }


CASES = [
    *((spec, position) for spec, (positions, _) in SEARCHES.items() for position in positions),
    *((spec, position) for spec, positions in DECISIONS.items() for position in positions),
]


def found(spec: str, position: str) -> dict[str, Any]:
    if spec in DECISIONS:
        return decided(spec, position)
    try:
        for module in (uct, ismcts):
            module.LONGEST_PATH = 4 if spec.startswith(SHORT) else LONGEST_PATH
        return searched(spec, position)
    finally:
        for module in (uct, ismcts):
            module.LONGEST_PATH = LONGEST_PATH


def main() -> None:
    everything = {f"{spec} | {position}": found(spec, position) for spec, position in CASES}
    text = json.dumps(everything, indent=1) + "\n"
    if "--show" in sys.argv:
        sys.stdout.write(text)
    else:
        EXPECTED.write_text(text)


if __name__ == "__main__":
    main()
