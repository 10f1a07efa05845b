"""The toolbox of tree search: each tool does what it claims."""

from __future__ import annotations

import random
import re
import time
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec
from boardwright.kernel import rng
from boardwright.kernel.ready import make_ready
from boardwright.search import game_clock, ismcts_tools, transpositions, uct
from boardwright.search.budget import Budget
from boardwright.search.statistics import Statistics
from boardwright.search.uct_tree import ROOT
from tests.test_connect_four import after
from tests.uncompiled import uncompiled

TOOLS = ["rave=200", "learn=mast", "learn=ngram", "solver=true", "transpositions=true", "bound=ucb1_tuned", "fpu=0.5"]


def searched(game: bw.Game, spec: str, state: bw.State, iterations: int) -> Any:
    """The tree of a search."""
    agent = bw.agent(spec, game, state.player, seed=1)
    assert isinstance(agent, uct.UCT)
    budget = Budget(iterations)
    root, observation = state.memory, state.observation(state.player)
    tree = agent._tree(root, observation, budget)
    settings = agent.kernel_settings()
    kernel = uct.kernel(agent._kind, tools=agent.uses_tools)
    kernel(agent.rules, root, settings, tree, agent.workspace(), rng.generator(3), iterations)
    return tree


def decide(game: bw.Game, spec: str, state: bw.State, seed: int = 0) -> bw.Decision:
    return bw.agent(spec, game, state.player, seed=seed).decide(state.observation(state.player))


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_wins_at_once_and_stops_the_other(connect_four: bw.Game, tool: str) -> None:
    assert decide(connect_four, f"uct:iterations=3000,{tool}", after(connect_four, "112233")).action == 3
    assert decide(connect_four, f"uct:iterations=3000,{tool}", after(connect_four, "41424")).action == 3


@pytest.mark.parametrize("tool", TOOLS)
def test_root_visits_add_up_and_decisions_repeat(connect_four: bw.Game, tool: str) -> None:
    state = after(connect_four, "44")
    first, again = (decide(connect_four, f"uct:iterations=777,{tool}", state, seed=4) for _ in range(2))
    assert first.reasons == again.reasons
    if tool != "transpositions=true":  # whose children count visits through other parents, too
        assert sum(reason.visits or 0 for reason in first.reasons) == 777


def test_first_play_urgency_leaves_actions_untried(connect_four: bw.Game) -> None:
    decision = decide(connect_four, "uct:iterations=60,fpu=-0.9,exploration=0.1", after(connect_four, ""))
    assert any(not reason.visits for reason in decision.reasons)


def test_rave_counts_add_up(connect_four: bw.Game) -> None:
    """Every visit of a child counts as its action played; and every playout of Connect Four plays most columns."""
    tree = searched(connect_four, "uct:rave=100", after(connect_four, ""), 500)
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    visits, amaf = tree.visits[first : first + n], tree.amaf_visits[first : first + n]
    assert visits.sum() == 500
    assert (amaf >= visits).all()
    assert (amaf <= 500).all()
    assert amaf.sum() > 5 * 500
    assert (np.abs(tree.amaf_total[first : first + n]) <= amaf).all()


@pytest.mark.parametrize(("moves", "value"), [("112233", 1.0), ("44335", -1.0)])
def test_the_solver_proves_wins_and_losses(connect_four: bw.Game, moves: str, value: float) -> None:
    """Four in a row at once; and three in an open row of the other, whatever is done."""
    state = after(connect_four, moves)
    tree = searched(connect_four, "uct:solver=true", state, 2000)
    assert tree.proven[ROOT]
    assert tree.proof[ROOT, state.player] == value
    assert tree.proof[ROOT, 1 - state.player] == -value


def late_position(connect_four: bw.Game, seed: int) -> bw.State:
    """After 32 discs of a random game in which nobody wins; one that comes to nothing is begun again."""
    random = np.random.default_rng(seed)
    while True:
        state = connect_four.new(seed=0)
        while state.record.discs < 32:
            quiet = [action for action in state.legal_actions() if not ends(state, action)]
            if not quiet:
                break
            state.apply(int(random.choice(quiet)))
        if state.record.discs == 32 and len(state.legal_actions()) > 1:
            return state


def ends(state: bw.State, action: int) -> bool:
    after_it = state.copy()
    after_it.apply(action)
    return after_it.is_terminal


def test_the_solver_agrees_with_full_search(connect_four: bw.Game) -> None:
    """Late positions of random games, proven by the solver and searched to the end by MaxN."""
    proven = 0
    for seed in range(8):
        state = late_position(connect_four, seed)
        tree = searched(connect_four, "uct:solver=true", state, 20_000)
        if tree.proven[ROOT]:
            proven += 1
            exact = decide(connect_four, "maxn:depth=10", state)
            assert tree.proof[ROOT, state.player] == max(reason.value or 0.0 for reason in exact.reasons)
    assert proven >= 4


def test_a_proven_win_is_played_however_few_its_visits(connect_four: bw.Game) -> None:
    decision = decide(connect_four, "uct:iterations=12,solver=true", after(connect_four, "112233"))
    assert decision.action == 3
    assert decision.reasons[0].value == 1.0


def test_minimax_backups_take_the_evaluation_that_each_seat_would_choose() -> None:
    game = bw.game("lords")
    state = game.new(seed=3, information="open")
    tree = searched(game, "uct:minimax=0.4,evaluation=scaled_h4", state, 400)
    for node in range(int(tree.used[0])):
        first = int(tree.first[node])
        children = [c for c in range(first, first + int(tree.children[node])) if tree.visits[c]] if first >= 0 else []
        if children:
            mover = tree.mover[children[0]]
            best = max(tree.minimax[c, mover] for c in children)
            assert tree.minimax[node, mover] == best
    assert 0.0 <= tree.minimax[ROOT, 0] <= 1.0


def test_playouts_that_learn_prefer_what_has_won(connect_four: bw.Game) -> None:
    """Seat 0 wins with the fourth disc of a column, so its value of that column is the best one."""
    state = after(connect_four, "112131")
    agent = bw.agent("uct:learn=mast,epsilon=0.1", connect_four, state.player)
    assert isinstance(agent, uct.UCT)
    workspace = agent.workspace()
    tree = agent._tree(state.memory, state.observation(state.player), Budget(1000))
    kernel = uct.kernel(agent._kind, tools=True)
    kernel(agent.rules, state.memory, agent.kernel_settings(), tree, workspace, rng.generator(3), 1000)
    values = workspace.action_values
    columns = connect_four.num_actions
    assert values.visits[: 2 * columns].sum() >= 1000
    assert (np.abs(values.total[: 2 * columns]) <= values.visits[: 2 * columns]).all()


def test_what_playouts_learn_from_is_their_own_game(connect_four: bw.Game) -> None:
    """With one disc to drop there is nothing left to play out: of each game one action is learned from."""
    state = after(connect_four, "65617356615221567642233737747314144542532")
    agent = bw.agent("uct:learn=mast", connect_four, state.player)
    assert isinstance(agent, uct.UCT)
    workspace = agent.workspace()
    workspace.trace.action[0] = state.legal_actions()[0]
    tree = agent._tree(state.memory, state.observation(state.player), Budget(50))
    kernel = uct.kernel(agent._kind, tools=True)
    kernel(agent.rules, state.memory, agent.kernel_settings(), tree, workspace, rng.generator(3), 50)
    assert workspace.action_values.visits.sum() == 50


def test_transpositions_share_children(connect_four: bw.Game) -> None:
    """After 1-4-2 and after 2-4-1 the position is the same."""
    plain = searched(connect_four, "uct:fpu=1000", after(connect_four, ""), 20_000)
    shared = searched(connect_four, "uct:transpositions=true", after(connect_four, ""), 20_000)
    assert shared.used[0] < plain.used[0]
    expanded = shared.first[: int(shared.used[0])]
    expanded = expanded[expanded >= 0]
    assert len(set(expanded.tolist())) < len(expanded), "some nodes have the same children"


def test_the_table_of_positions_grows_and_forgets_none() -> None:
    positions = transpositions.Positions.with_room_for(5000)
    enter, place_of = uncompiled(transpositions.enter), uncompiled(transpositions.place_of)
    digests = [digest | 1 for digest in random.Random(1).sample(range(1 << 61), 5000)]
    for node, digest in enumerate(digests):
        enter(positions, place_of(positions, digest), digest, node)
    assert positions.size[0] == 16384, "twice as many places as positions, a power of two"
    assert [positions.node[place_of(positions, digest)] for digest in digests] == list(range(5000))


def test_a_reused_tree_goes_on_where_the_game_is(connect_four: bw.Game) -> None:
    state = after(connect_four, "")
    agent = bw.agent("uct:iterations=2000,reuse=true", connect_four, 0, seed=2)
    first = agent.decide(state.observation(0))
    state.apply(first.action)
    reply = 3
    state.apply(reply)
    second = agent.decide(state.observation(0))
    visits = sum(reason.visits or 0 for reason in second.reasons)
    assert visits > 2000, "visits of the last decision count"
    elsewhere = agent.decide(after(connect_four, "77").observation(0))
    assert sum(reason.visits or 0 for reason in elsewhere.reasons) >= 2000


def test_the_time_for_a_game_is_shared_among_its_decisions(connect_four: bw.Game) -> None:
    """A quarter of a second for some twenty decisions; even where there are more, little is spent beyond it. Measured
    in processor time, of which a busy machine gives no more and no less."""
    state = after(connect_four, "")
    agents = [bw.agent("uct:game_seconds=0.25,clock=cpu", connect_four, 0), bw.agent("random", connect_four, 1, seed=3)]
    make_ready(agents[0].needs())
    for agent in agents:
        agent.start_game(state.observation(agent.seat))
    decisions = []
    while not state.is_terminal:
        began = time.thread_time()
        action = agents[state.player].decide(state.observation(state.player)).action
        if state.player == 0:
            decisions.append(time.thread_time() - began)
        state.apply(action)
    assert len(decisions) > 3
    assert max(decisions) < 0.15
    assert sum(decisions) < 0.5


def test_time_for_a_game_can_be_processor_time(connect_four: bw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that waits for the processor does not lose time by it."""
    agent = bw.agent("uct:game_seconds=0.1,clock=cpu", connect_four, 0)
    assert isinstance(agent, uct.UCT)
    make_ready(agent.needs())
    search = agent.start
    monkeypatch.setattr(agent, "start", lambda *given: (time.sleep(0.2), search(*given))[1])
    observation = after(connect_four, "").observation(0)
    agent.start_game(observation)
    agent.decide(observation)
    assert agent._game_clock is not None
    assert 0 < agent._game_clock.left < 0.1


@pytest.mark.parametrize(
    ("game", "spec", "message"),
    [
        ("lords", "uct:solver=true,prune=h4,limit=3", "solver does not go with limit"),
        ("connect_four", "uct:transpositions=true,parallel=tree,threads=2", "transpositions does not go with parallel"),
        ("connect_four", "uct:minimax=0.5", "minimax=0.5 needs an evaluation"),
    ],
)
def test_tools_that_do_not_fit_are_refused(game: str, spec: str, message: str) -> None:
    with pytest.raises(BadSpec, match=re.escape(message)):
        bw.agent(spec, bw.game(game), 0)


def test_decisions_left_are_those_of_one_seat(pennies: bw.Game) -> None:
    """In both rounds both choose."""
    make_ready(game_clock.decisions_code(pennies))
    assert game_clock.decisions_left(pennies, pennies.new(seed=1).observation(0), rng.generator(1)) == 2.0


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("uct:top=3", "top does nothing here; it needs a `select` that draws, as robust_roulette"),
        ("flat:top=2", "top does nothing here"),
        ("uct:virtual_loss=1", "virtual_loss does nothing here; it needs threads that share a tree: parallel=tree"),
        ("uct:virtual_loss=1,threads=2", "virtual_loss does nothing here"),
        ("uct:power=2,select=robust_rand", "power does nothing here; it needs a `select` by roulette"),
        ("uct:clock=cpu", "clock does nothing here; it needs `seconds` or `game_seconds`"),
        ("uct:epsilon=0.5", "epsilon does nothing here; it needs `learn`"),
    ],
)
def test_a_parameter_that_does_nothing_is_refused_by_name(connect_four: bw.Game, spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=re.escape(complaint)):
        bw.agent(spec, connect_four, 0)


@pytest.mark.parametrize(
    "spec",
    [
        "uct:top=3,select=max_rand",
        "uct:virtual_loss=1,parallel=tree,threads=2",
        "uct:power=2,select=max_roulette",
        "uct:clock=cpu,seconds=1",
        "uct:epsilon=0.5,learn=mast",
    ],
)
def test_the_same_parameters_where_they_do_something(connect_four: bw.Game, spec: str) -> None:
    assert bw.agent(spec, connect_four, 0)


def test_positions_are_digested_by_fnv_1a_with_two_primes() -> None:
    """The first half is the published one of 32 bits (Fowler, Noll and Vo)."""
    for text, published in ((b"a", 0xE40C292C), (b"foobar", 0xBF9CF968)):
        second = 0x050C5D1F
        for byte in text:
            second = ((second ^ byte) * 0x00FFFFFD) & 0xFFFFFFFF
        assert uncompiled(transpositions.digest_of)(np.frombuffer(text, np.uint8)) == (published << 30 ^ second) | 1


def test_a_new_child_has_no_squares_and_begins_with_its_bias() -> None:
    tree = namedtuple("Tree", "squares score")(np.full(3, 7.0), np.full(3, 7.0))
    uncompiled(ismcts_tools.clear)(tree, 2, namedtuple("Workspace", "bias")(np.array([0.25, 0.5])), 1)
    assert (tree.squares.tolist(), tree.score.tolist()) == ([7, 7, 0], [7, 7, 0.5])


def test_an_action_that_is_proven_to_lose_is_no_candidate() -> None:
    found = Statistics.of([1, 2, 3], [5, 9, 4], [1.0, 2.0, 0.0])
    found.proven = {2: -1.0}
    assert [one.action for one in found.candidates(-1.0, 1.0)] == [1, 3]
    found.proven = {2: -1.0, 3: 1.0}
    assert [one.action for one in found.candidates(-1.0, 1.0)] == [3], "a proven win is all that counts"
    found.proven = dict.fromkeys((1, 2, 3), -1.0)
    assert len(found.candidates(-1.0, 1.0)) == 3, "if all lose, one of them is played"
