"""What search agents take by default and refuse, which kernel each needs, and how MaxN spends its time."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, TERMINAL, rng
from boardwright.kernel.entries import SearchParts
from boardwright.search import flat, ismcts, leaf_workers, maxn, uct
from boardwright.search.agent import SearchAgent
from boardwright.search.budget import Budget
from boardwright.search.maxn import Deadline, Levels, MaxN, OutOfTime, Verdict
from boardwright.search.sharing import Shared
from boardwright.search.toolbox import NO_TOOLS

DEFAULTS: dict[str, dict[str, tuple[Any, dict[str, float]]]] = {
    "flat": {
        "iterations": (1000, {"ge": 1, "le": 1_000_000_000}),
        "seconds": (None, {"gt": 0, "le": 1_000_000}),
        "select": ("max", {}),
        "threads": (1, {"ge": 1, "le": 256}),
    },
    "uct": {
        "determinizations": (10, {"ge": 1, "le": 10_000}),
        "rave": (0.0, {"ge": 0}),
        "minimax": (0.0, {"ge": 0, "le": 1}),
        "solver": (False, {}),
        "transpositions": (False, {}),
        "reuse": (False, {}),
        "select": ("robust", {}),
    },
    "ismcts": {"variant": ("so", {}), "loop": (None, {})},
    "maxn": {
        "depth": (None, {"ge": 1, "le": 64}),
        "seconds": (None, {"gt": 0, "le": 1_000_000}),
        "clock": ("wall", {}),
        "determinizations": (10, {"ge": 1, "le": 10_000}),
        "evaluation": ("", {}),
        "ties": ("random", {}),
        "root": ("own", {}),
    },
}
AGENTS = {"flat": flat.Flat, "uct": uct.UCT, "ismcts": ismcts.ISMCTS, "maxn": MaxN}


@pytest.mark.parametrize("name", DEFAULTS)
def test_parameters_have_the_defaults_and_bounds_that_are_documented(name: str) -> None:
    fields = AGENTS[name].parameters()
    for parameter, (default, bounds) in DEFAULTS[name].items():
        found = {kind: getattr(bound, kind) for bound in fields[parameter].metadata for kind in ("ge", "gt", "le", "lt")
                 if hasattr(bound, kind)}  # fmt: skip
        assert (fields[parameter].default, found) == (default, bounds), parameter


def test_advanced_parameters_are_those_that_few_people_need() -> None:
    advanced = {
        name: sorted(p for p in fields if agent.parameters()[p].json_schema_extra["advanced"])  # type: ignore[index, call-overload]
        for (name, fields), agent in zip(DEFAULTS.items(), AGENTS.values(), strict=True)
    }
    assert advanced == {"flat": [], "uct": ["minimax", "transpositions"], "ismcts": [], "maxn": []}


KERNELS: list[tuple[str, Any]] = [
    ("flat", flat.code),
    ("maxn", maxn.code),
    ("uct", uct.kernel_code()),
    ("uct:threads=2", uct.kernel_code()),
    ("uct:parallel=tree", uct.kernel_code()),
    ("uct:parallel=tree,threads=2", uct.kernel_code(uct.SharedTree)),
    ("uct:parallel=leaf,threads=2", uct.leaf_code),
    ("uct:rave=10", uct.kernel_code(tools=True)),
    ("uct:rave=10,parallel=tree,threads=2", uct.kernel_code(uct.SharedTree, tools=True)),
    ("ismcts", ismcts.kernel_code()),
    ("ismcts:parallel=tree,threads=2", ismcts.kernel_code(ismcts.SharedTree)),
    ("ismcts:parallel=leaf,threads=2", ismcts.leaf_code),
    ("ismcts:fpu=1", ismcts.kernel_code(tools=True)),
    ("ismcts:fpu=1,parallel=tree,threads=2", ismcts.kernel_code(ismcts.SharedTree, tools=True)),
]


@pytest.mark.parametrize(("spec", "code"), KERNELS, ids=[spec for spec, _ in KERNELS])
def test_an_agent_names_its_kernel_among_what_is_compiled_before_the_game(
    connect_four: bw.Game, spec: str, code: Any
) -> None:
    agent = bw.agent(spec, connect_four, 0)
    unit, needed = code(), [code() for code in agent.needs()]
    assert unit in needed
    assert [other for _, other in KERNELS if other() is not unit and other() in needed] == []
    assert (leaf_workers.code in agent.needs()) == ("parallel=leaf" in spec)
    assert unit is code(), "it is made once"
    assert unit.label.startswith("search.")


def test_each_kind_of_tree_has_a_kernel_of_its_own_with_and_without_tools() -> None:
    for module in (uct, ismcts):
        kinds = [(tree, tools) for tree in (module.Tree, module.SharedTree) for tools in (False, True)]
        assert len({module.kernel_code(tree, tools=tools)().label for tree, tools in kinds}) == len(kinds)
        assert module.kernel_code()() is module.kernel_code(module.Tree, tools=False)()
        assert issubclass(module.SharedToolTree, Shared)


def made(spec: str, game: bw.Game) -> Any:
    agent = bw.agent(spec, game, 0)
    assert isinstance(agent, SearchAgent)
    return agent


@pytest.mark.parametrize(
    ("spec", "decide"),
    [
        ("uct", True),
        ("uct:reuse=true", False),
        ("uct:solver=true", False),
        ("uct:transpositions=true", False),
        ("uct:rave=10", True),
        ("ismcts", True),
        ("ismcts:fpu=1", True),
        ("flat", False),
    ],
)
def test_a_search_may_stop_early_if_visits_decide(connect_four: bw.Game, spec: str, decide: bool) -> None:
    """And one search on one thread has a number of iterations, of which only the action is wanted."""
    agent = made(spec, connect_four)
    assert agent.visits_decide is decide
    agent.action_suffices = True
    alone: Any = [None]
    assert agent._may_stop_early(Budget(5), alone) is (decide and agent.select == "robust")
    assert not agent._may_stop_early(Budget(5, 1.0), alone)
    assert not agent._may_stop_early(Budget(5), alone * 2)
    agent.action_suffices = False
    assert not agent._may_stop_early(Budget(5), alone)


@pytest.mark.parametrize(
    ("spec", "hidden", "searches"),
    [
        ("uct", False, 1),
        ("uct:threads=3", False, 3),
        ("uct:threads=3,parallel=tree", False, 1),
        ("uct", True, 10),
        ("uct:determinizations=4", True, 4),
        ("uct:determinizations=4,threads=6", True, 6),
        ("uct:determinizations=4,threads=3", True, 4),
        ("uct:determinizations=4,threads=6,parallel=tree", True, 4),
        ("ismcts", True, 1),
        ("ismcts:threads=3", True, 3),
        ("ismcts:threads=3,parallel=tree", True, 1),
        ("flat:threads=3", True, 3),
    ],
)
def test_how_many_searches_there_are(
    connect_four: bw.Game, kuhn: bw.Game, spec: str, hidden: bool, searches: int
) -> None:
    game = kuhn if hidden else connect_four
    assert made(spec, game).searches(game.new(seed=1).observation(0)) == searches


def test_information_set_search_has_room_for_what_an_iteration_can_add(coin: bw.Game, connect_four: bw.Game) -> None:
    assert made("ismcts", connect_four).nodes_per_iteration(2) == 1
    assert made("ismcts", coin).nodes_per_iteration(1) == 2
    assert made("ismcts:loop=open", coin).nodes_per_iteration(1) == 1
    assert made("ismcts:variant=mo", connect_four).nodes_per_iteration(3) == 48


def test_uct_has_room_for_all_children_of_every_leaf(connect_four: bw.Game) -> None:
    """Seven at most, and the root; a tree that is kept has room for several decisions."""
    observation = connect_four.new(seed=1).observation(0)
    for spec, nodes in (("uct", 281), ("uct:nodes=50", 50), ("uct:nodes=2", 8), ("uct:reuse=true,nodes=900", 900),
                        ("uct:reuse=true,nodes=100", 100)):  # fmt: skip
        tree = made(spec, connect_four)._tree(observation.memory, observation, Budget(40))
        assert tree.first.size == nodes, spec


def test_what_is_learned_splits_the_tree_where_the_game_says_what(coin: bw.Game, connect_four: bw.Game) -> None:
    assert made("ismcts", coin).closed is True
    assert made("ismcts:loop=closed", coin).closed is True
    assert made("ismcts:loop=open", coin).closed is False
    assert made("ismcts", connect_four).closed is False


def test_variants_and_what_is_learned_have_numbers_of_their_own() -> None:
    """A seat is never taken for something learned."""
    assert len({ismcts.SO, ismcts.POM, ismcts.MO}) == 3
    assert ismcts.OUTCOME not in (TERMINAL, *range(MAX_SEATS))


def test_what_kernels_see_of_the_parameters(connect_four: bw.Game, coin: bw.Game) -> None:
    plain = made("uct:exploration=0.25,plies=-1", connect_four).kernel_settings()
    assert plain == (0.25, -1, 0.0, -1.0, NO_TOOLS)
    assert made("uct", connect_four).kernel_settings().exploration == pytest.approx(1.4)
    agent = made("uct:rave=7,solver=true,virtual_loss=2,parallel=tree,threads=2", connect_four)
    assert agent.kernel_settings()[2:4] == (2.0, -1.0)
    tools = agent.kernel_settings().tools
    assert (tools.rave, tools.solver, tools.minimax, tools.transpositions, tools.learns) == (
        7.0,
        True,
        0.0,
        False,
        False,
    )
    assert tools.traces is True, "RAVE looks at what playouts played"
    assert made("uct:solver=true", connect_four).tools.traces is False
    assert made("uct:learn=mast", connect_four).tools.traces is True
    assert made("uct:transpositions=true", connect_four).tools.transpositions is True
    for variant, number in (("so", ismcts.SO), ("pom", ismcts.POM), ("mo", ismcts.MO)):
        found = made(f"ismcts:variant={variant},exploration=0.5", coin).kernel_settings()
        assert found == (number, True, 0.5, -1, 0.0, 0.0, NO_TOOLS)


def test_proofs_are_told_where_nothing_is_hidden(connect_four: bw.Game, dice_race: bw.Game) -> None:
    agent = made("uct:solver=true", connect_four)
    observation = connect_four.new(seed=1).observation(1)
    tree = agent._tree(observation.memory, observation, Budget(40))
    assert agent._statistics(tree, observation).proven == {}, "nothing has been searched yet"
    tree.first[0], tree.children[0] = 1, 3
    tree.action[1:4], tree.visits[1:4], tree.total[1:4] = [4, 5, 6], 1, 0.0
    tree.proven[1:4], tree.proof[1:4] = [0, 1, 1], [[0, 0], [1, -1], [-1, 1]]
    assert agent._statistics(tree, observation).proven == {5: -1.0, 6: 1.0}
    without = made("uct:rave=1", connect_four)
    assert without._statistics(tree, observation).proven == {}
    hidden = made("uct:solver=true", dice_race)
    assert hidden._statistics(tree, dice_race.new(seed=1).observation(0)).proven == {}


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("uct:solver=true,prune=scores,limit=3", "solver does not go with limit: what is pruned is not proven"),
        ("uct:transpositions=true,parallel=tree,threads=2", "transpositions does not go with parallel=tree"),
        ("uct:minimax=0.5", "minimax=0.5 needs an evaluation, and connect_four has no default one"),
        ("ismcts:loop=closed", "connect_four does not declare what loop=closed needs: `learned`"),
    ],
)
def test_what_does_not_fit_together_is_refused(connect_four: bw.Game, spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        bw.agent(spec, connect_four, 0)


@pytest.mark.parametrize(
    "spec",
    [
        "uct:solver=true,prune=scores,limit=3,widen=0.5",
        "uct:solver=true",
        "uct:prune=scores,limit=3",
        "uct:transpositions=true,parallel=tree",
        "uct:parallel=tree,threads=2",
        "uct:minimax=0",
    ],
)
def test_what_fits_together_is_not(connect_four: bw.Game, spec: str) -> None:
    assert bw.agent(spec, connect_four, 0)


@pytest.mark.parametrize(
    ("spec", "hidden", "kept"),
    [
        ("uct:reuse=true", False, True),
        ("uct:reuse=true,rave=10", False, True),
        ("uct:reuse=true,threads=2,parallel=tree", False, True),
        ("uct:reuse=true,threads=2", False, False),
        ("uct:reuse=true,determinizations=1", True, False),
        ("uct", False, False),
    ],
)
def test_a_tree_is_kept_where_one_search_sees_everything(
    connect_four: bw.Game, dice_race: bw.Game, spec: str, hidden: bool, kept: bool
) -> None:
    game = dice_race if hidden else connect_four
    agent, observation = made(spec, game), game.new(seed=1).observation(0)
    first = agent._tree(observation.memory, observation, Budget(40))
    assert (agent._tree(observation.memory, observation, Budget(40)) is first) is kept
    elsewhere = game.new(seed=1)
    elsewhere.apply(1)
    assert agent._tree(elsewhere.memory, observation, Budget(40)) is not first


# MaxN


def looked(agent: MaxN, monkeypatch: pytest.MonkeyPatch, *positions: int) -> list[int]:
    """The depths that are looked at if each needs so many positions."""
    depths: list[int] = []

    def look(depth: int, *_: Any) -> Any:
        depths.append(depth)
        return SimpleNamespace(positions=positions[len(depths) - 1])

    monkeypatch.setattr(agent, "_look", look)
    return depths


@pytest.mark.parametrize(
    ("positions", "depth"),
    [
        ((7, 49, 343, 2401, 16807, 117649), 7),
        ((10, 100, 1000, 10_000, 100_000, 1_000_000), 6),
        ((20, 400, 8000, 160_000), 4),
        ((1000, 1_000_000), 2),
        ((1001,), 1),
        ((1000, 1000, 1000, 1000, 1000, 1000), 7),
    ],
)
def test_without_a_limit_maxn_goes_as_deep_as_a_million_positions_allow(
    connect_four: bw.Game, positions: tuple[int, ...], depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next ply is taken to grow as much as the last one, the first from one position; seven plies are enough."""
    agent = bw.agent("maxn", connect_four, 0)
    assert isinstance(agent, MaxN)
    depths = looked(agent, monkeypatch, *positions)
    assert agent._affordable([], connect_four.new(seed=0).observation(0), rng.generator(1)) == depth
    assert depths == list(range(1, len(positions) + 1))


@pytest.mark.parametrize(
    ("seats", "utilities", "above"),
    [
        (2, (-1.0, 1.0, 0.0), 0.0),
        (3, (0.0, 1.0, 1.0), 1.0),
        (4, (-2.0, 5.0, 3.0), 7.0),
        (2, (-1.0, 1.0, None), math.inf),
    ],
)
def test_what_all_returns_add_up_to_leaves_so_much_for_two(
    connect_four: bw.Game, seats: int, utilities: tuple[float, float, float | None], above: float
) -> None:
    """If the others have the least that there is."""
    agent: Any = bw.agent("maxn", connect_four, 0)
    low, high, total = utilities
    agent.game = SimpleNamespace(
        max_utility_sum=total, min_utility=low, max_utility=high, search=SimpleNamespace(rankings=("points",))
    )
    assert agent._prune_above(seats) == above
    agent.estimate = "points"
    assert agent._prune_above(seats) == math.inf, "a ranking adds up to nothing in particular"


class Kernel:
    """A search of so many positions, a tick of a clock each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, positions: int, seconds: float) -> None:
        self.asked: list[int] = []
        self.now, self.left, self.seconds = 0.0, positions, seconds
        monkeypatch.setattr(maxn, "kernel", lambda: self.run)
        monkeypatch.setattr(maxn, "time", SimpleNamespace(perf_counter=lambda: self.now))
        monkeypatch.setitem(maxn.CLOCKS, "wall", lambda: self.now)

    def run(
        self, rules: Any, root: Any, settings: Any, levels: Levels, leaf: Any, found: Any, _: Any, most: int
    ) -> int:
        assert leaf.size == MAX_SEATS
        assert self.asked or levels.level[0] == maxn.FINISHED, "a new search begins"
        self.asked.append(most)
        done = min(most, self.left)
        self.left -= done
        self.now += done * self.seconds
        levels.level[0] = maxn.FINISHED if self.left == 0 else 1
        return done

    def search(self, deadline: Deadline | None = None) -> int:
        levels = Levels.sized(2, 1, 1)
        levels.level[0] = 1
        return maxn.search(None, None, None, levels, None, None, deadline)  # type: ignore[arg-type]


def test_maxn_looks_at_the_clock_every_20_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 2^16th of a second for a position: 1,310 of them in 20 ms, four times as many as before at most."""
    kernel = Kernel(monkeypatch, 5000, 2.0**-16)
    assert kernel.search() == 5000
    assert kernel.asked == [64, 256, 1024, 1310, 1310, 1310]


def test_slow_positions_are_looked_at_64_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, 150, 1.0)
    assert kernel.search() == 150
    assert kernel.asked == [64, 64, 64]


def test_a_clock_that_stands_still_does_not_stop_maxn(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, 400, 0.0)
    assert kernel.search() == 400
    assert kernel.asked == [64, 256, 1024]


def test_maxn_stops_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, 1000, 1.0)
    with pytest.raises(OutOfTime):
        kernel.search(Deadline.after(128.0, "wall"))
    assert kernel.asked == [64, 64]
    finished = Kernel(monkeypatch, 64, 1.0)
    assert finished.search(Deadline.after(1.0, "wall")) == 64, "what is through is not thrown away"


def test_a_deadline_is_passed_when_its_time_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, 0, 0.0)
    deadline = Deadline.after(2.0, "wall")
    for now, passed in ((0.0, False), (1.9, False), (2.0, True), (3.0, True)):
        kernel.now = now
        assert deadline.passed() is passed
    assert not Deadline.after(None, "wall").passed()


class Looks:
    """Searches of an agent that take turns to succeed and to run out of time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *in_time: bool) -> None:
        self.in_time, self.limited = list(in_time), list[bool]()
        monkeypatch.setattr(maxn, "search", self.search)

    def search(self, rules: Any, sample: Any, settings: Any, levels: Levels, returns: Any, _: Any, limit: Any) -> int:
        self.limited.append(limit is not None)
        if not self.in_time.pop(0):
            raise OutOfTime
        returns[:, 0] = np.arange(len(returns))
        levels.cut_off[0] = True
        return 5

    def look(self, game: bw.Game, before_voters: int, samples: int) -> Verdict:
        agent: Any = bw.agent("maxn:seconds=1,ties=first", game, 0)
        observation = game.new(seed=0).observation(0)
        before = Verdict(observation, 1)
        before.voters, before.positions = before_voters, 100
        return agent._look(2, [None] * samples, observation, rng.generator(1), Deadline("wall", math.inf), before)


def test_the_first_determinization_of_the_first_ply_is_finished_in_any_case(
    connect_four: bw.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Looks(monkeypatch, True, True, True)
    verdict = looks.look(connect_four, before_voters=0, samples=3)
    assert looks.limited == [False, True, True]
    assert (verdict.voters, verdict.positions, verdict.depth, verdict.cut_off) == (3, 115, 2, True)
    assert verdict.votes.tolist() == [0, 0, 0, 0, 0, 0, 3]
    assert verdict.own.tolist() == [0, 3, 6, 9, 12, 15, 18]
    looks = Looks(monkeypatch, True, False, True)
    assert looks.look(connect_four, before_voters=0, samples=3).voters == 1, "better one vote than none"
    looks = Looks(monkeypatch, True, False)
    with pytest.raises(OutOfTime):
        looks.look(connect_four, before_voters=3, samples=2)
    assert looks.limited == [True, True]


def test_maxn_deepens_until_nothing_is_cut_off_or_the_time_is_up(
    connect_four: bw.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    observation = connect_four.new(seed=0).observation(0)

    def plies(spec: str, cut_off: list[bool], passed: bool = False, out_of_time_at: int = 99) -> tuple[list[int], str]:
        agent: Any = bw.agent(f"maxn:{spec}", connect_four, 0)
        depths: list[int] = []

        def look(depth: int, samples: Any, observation: Any, rng_state: Any, deadline: Any, before: Any) -> Verdict:
            depths.append(depth)
            if len(depths) == out_of_time_at:
                raise OutOfTime
            verdict = Verdict(observation, depth)
            verdict.add(np.zeros((7, 2)), 3)
            verdict.cut_off = cut_off[len(depths) - 1]
            return verdict

        monkeypatch.setattr(agent, "_look", look)
        monkeypatch.setattr(Deadline, "passed", lambda self: passed)
        return depths, agent.decide(observation).summary

    assert plies("seconds=9", [True, True, False]) == ([1, 2, 3], "1 determinizations, 3 plies, 0 positions")
    assert plies("seconds=9,depth=2", [True, True])[0] == [1, 2]
    assert plies("seconds=9", [True], passed=True)[0] == [1]
    assert plies("seconds=9", [True] * 64)[0] == list(range(1, 65))
    assert plies("seconds=9", [True] * 9, out_of_time_at=3) == (
        [1, 2, 3], "1 determinizations, 2 plies, 0 positions",
    )  # fmt: skip
    assert plies("depth=3", [True])[0] == [3]


def test_maxn_comes_back_after_as_many_positions_as_asked_for_and_goes_on(connect_four: bw.Game) -> None:
    """56 in all: seven after one ply, and seven after each of them."""
    assert maxn.MOST_POSITIONS == 1_000_000
    state, levels, returns = connect_four.new(seed=0), Levels.for_game(connect_four, 2), np.zeros((7, MAX_SEATS))
    rules = connect_four.entries.search_rules(SearchParts(evaluation="returns"))
    settings, leaf, found = maxn.Settings(2, False, math.inf), np.zeros(MAX_SEATS), []
    while not found or levels.level[0] != maxn.FINISHED:
        found.append(maxn.kernel()(rules, state.memory, settings, levels, leaf, returns, rng.generator(1), 20))
    assert found == [20, 20, 16]
    assert bool(levels.cut_off[0])


def test_votes_decide_and_of_equals_chance_or_the_first(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=0).observation(0)
    verdict = Verdict(observation, 4)
    assert verdict.cut_off is True
    for choice, value in ((2, 0.5), (5, -1.0), (5, 1.0), (2, 0.0)):
        returns = np.zeros((7, 2))
        returns[:, 0] = value
        verdict.add(returns, choice)
    verdict.positions = 12345
    decision = verdict.decision(None)
    assert decision.action == 2
    assert decision.summary == "4 determinizations, 4 plies, 12,345 positions"
    assert [(r.action, r.value, r.weight, r.visits) for r in decision.reasons[:3]] == [
        (2, 0.125, 0.5, 2), (5, 0.125, 0.5, 2), (0, 0.125, 0.0, 0),
    ]  # fmt: skip
    assert {verdict.decision(rng.generator(seed)).action for seed in range(20)} == {2, 5}


def test_the_choice_at_the_root_maximises_what_is_asked_for(connect_four: bw.Game) -> None:
    returns = np.array([[1.0, 0.0, 9.0], [0.0, 5.0, 9.0], [1.0, 5.0, 0.0], [1.0, 5.0, 9.0]])
    observation: Any = SimpleNamespace(seat=1, seats=2)
    for spec, best in (("ties=first", {1}), ("ties=first,root=lexicographic", {2}), ("root=own", {1, 2, 3}),
                       ("root=lexicographic", {2, 3})):  # fmt: skip
        agent: Any = bw.agent(f"maxn:{spec}", connect_four, 0)
        assert {agent._best(returns, observation, rng.generator(seed)) for seed in range(30)} == best
