"""Pruning by evaluations: what is kept, in hard and in soft form, and what is refused."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel import rng
from boardwright.kernel.entries import SearchParts
from boardwright.search import pruning
from boardwright.search.ismcts_tools import shuffle_for
from tests.uncompiled import uncompiled


@pytest.fixture(scope="module")
def lords() -> bw.Game:
    return bw.game("lords")


@pytest.fixture(scope="module")
def deployment(lords: bw.Game) -> bw.State:
    """A position of the open game with many deployments, after a few random turns."""
    state = lords.new(seed=3, information="open")
    random = np.random.default_rng(1)
    while len(state.legal_actions()) < 30 or state.record.turn < 6:
        state.apply(int(random.choice(state.legal_actions())))
    return state


def scores(state: bw.State, evaluation: str) -> dict[int, float]:
    """What an evaluation thinks of the position after each action, for the seat that chooses."""
    found = {}
    for action in state.legal_actions():
        after, out = state.copy(), np.zeros(8)
        after.apply(action)
        state.game.entries.evaluation(evaluation)(after.memory, out)
        found[action] = float(out[state.player])
    return found


def best(scored: dict[int, float], limit: int) -> tuple[set[int], set[int]]:
    """The actions that must be among the best so many, and those that may be."""
    threshold = sorted(scored.values(), reverse=True)[limit - 1]
    return {a for a, s in scored.items() if s > threshold}, {a for a, s in scored.items() if s >= threshold}


def kept(state: bw.State, spec: str) -> set[int]:
    decision = bw.agent(f"uct:plies=-1,{spec}", state.game, state.player, seed=2).decide(
        state.observation(state.player)
    )
    return {reason.action for reason in decision.reasons}


@pytest.mark.parametrize("limit", [1, 5, 15])
def test_a_node_keeps_the_best_actions(deployment: bw.State, limit: int) -> None:
    found = kept(deployment, f"iterations=50,prune=h4,limit={limit}")
    must, may = best(scores(deployment, "h4"), limit)
    assert len(found) == limit
    assert must <= found <= may


def test_several_evaluations_keep_the_union_of_the_best_of_each(deployment: bw.State) -> None:
    found = kept(deployment, "iterations=50,prune=h4+h2,limit=5")
    must, may = zip(*(best(scores(deployment, name), 5) for name in ("h4", "h2")), strict=True)
    assert 5 <= len(found) <= 10
    assert set.union(*must) <= found <= set.union(*may)


def test_the_points_of_any_game_can_prune(connect_four: bw.Game) -> None:
    state = connect_four.new(seed=0)
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)
    assert kept(state, "iterations=10,prune=scores,limit=1") == {3}, "the winning action scores best"


def test_an_action_that_wins_at_once_is_never_pruned(connect_four: bw.Game) -> None:
    """X has three in a row with both ends free: two actions win, and only one of the best is kept besides."""
    state = connect_four.new(seed=0)
    for move in (2, 2, 3, 3, 4, 4):
        state.apply(move)
    assert {1, 5} <= kept(state, "iterations=20,prune=returns,limit=1")


def test_extrapolation_plays_on_to_the_next_decision_of_another_seat(deployment: bw.State) -> None:
    seat, rules = deployment.player, deployment.game.entries.search_rules(SearchParts())
    legal, rng_state = np.zeros(deployment.game.max_legal, np.int64), rng.generator(1)
    went_on = 0
    for action in deployment.legal_actions():
        after = deployment.copy()
        after.apply(action)
        went_on += after.player == seat
        pruning.extrapolate(rules, after.memory, seat, legal, rng_state)
        assert after.player != seat
    assert went_on, "a deployment is followed by further decisions of the same seat"


def test_widening_lets_in_further_actions_as_visits_come_in(deployment: bw.State) -> None:
    def visited(iterations: int) -> int:
        spec = f"uct:plies=-1,iterations={iterations},prune=h4,limit=3,widen=0.4"
        decision = bw.agent(spec, deployment.game, deployment.player).decide(deployment.observation(deployment.player))
        return sum(1 for reason in decision.reasons if reason.visits)

    assert visited(10) == 3
    assert visited(400) == int(400**0.4)


@pytest.mark.parametrize("search", ["uct", "ismcts"])
def test_a_strong_bias_sends_the_first_visits_to_the_best_scores(deployment: bw.State, search: str) -> None:
    legal = deployment.legal_actions()
    spec = f"{search}:plies=-1,iterations={2 * len(legal)},prune=h4,bias=1000"
    agent = bw.agent(spec, deployment.game, deployment.player)
    decision = agent.decide(deployment.observation(deployment.player))
    visits = {reason.action: reason.visits or 0 for reason in decision.reasons}
    favoured = best(scores(deployment, "h4"), 3)[1]
    others = set(legal) - favoured
    assert min(visits[action] for action in favoured) >= max(visits[action] for action in others)


class Biases(NamedTuple):
    """As much of a workspace as biases need."""

    bias: Any


def test_a_bias_scales_scores_from_0_to_1_and_equal_ones_to_a_half() -> None:
    space = Biases(np.zeros(3))
    uncompiled(pruning.add_bias)(np.array([2.0, 4.0, 3.0]), 3, 0.4, space)
    assert space.bias.tolist() == pytest.approx([0.0, 0.4, 0.2])
    equal = Biases(np.zeros(3))
    uncompiled(pruning.add_bias)(np.full(3, 7.0), 3, 0.4, equal)
    assert equal.bias.tolist() == pytest.approx([0.2, 0.2, 0.2])


def test_several_evaluations_share_the_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []
    for name in ("score_actions", "rank_by", "sort_by_rank"):
        monkeypatch.setattr(pruning, name, lambda *_: None)
    monkeypatch.setattr(pruning, "add_bias", lambda scores, n, weight, workspace: shares.append((*scores, weight)))
    space = SimpleNamespace(score=np.array([[1.0, 3.0], [0.0, 8.0]]), rank=np.zeros(2), bias=np.ones(2))
    settings = SimpleNamespace(tools=SimpleNamespace(limit=0, widen=0.0, judges=2, bias=1.0))
    assert pruning.rank_actions(0, None, space, 2, 0, settings, rng.generator(1)) == 2  # a number: not compiled
    assert shares == [(1.0, 3.0, 0.5), (0.0, 8.0, 0.5)]
    assert not space.bias.any(), "what a search has left there is forgotten"


def test_tools_that_change_nothing_leave_the_search_as_it_is(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=0).observation(0)
    for spec in ("uct", "ismcts", "ismcts:variant=mo"):
        joint = "," if ":" in spec else ":"
        plain, with_tools = (
            bw.agent(f"{spec}{joint}iterations=700{tool}", connect_four, 0, seed=5).decide(observation)
            for tool in ("", ",fpu=1000")
        )
        assert plain.reasons == with_tools.reasons


@pytest.mark.parametrize("variant", ["so", "pom", "mo"])
def test_ismcts_prunes_in_every_determinization(deployment: bw.State, variant: str) -> None:
    """In the open game all determinizations are the same, and so is what is kept."""
    spec = f"ismcts:plies=-1,iterations=100,variant={variant},prune=h4,limit=6"
    decision = bw.agent(spec, deployment.game, deployment.player).decide(deployment.observation(deployment.player))
    must, may = best(scores(deployment, "h4"), 6)
    found = {reason.action for reason in decision.reasons}
    assert len(found) == 6
    assert must <= found <= may


def test_pruned_search_repeats(deployment: bw.State) -> None:
    spec = "uct:plies=-1,iterations=200,prune=h4+h3,limit=6,extrapolate=true,widen=0.3,bias=0.2"
    first, again = (
        bw.agent(spec, deployment.game, deployment.player, seed=9).decide(deployment.observation(deployment.player))
        for _ in range(2)
    )
    assert first.reasons == again.reasons


@pytest.mark.slow
def test_threads_share_the_trees_of_determinizations_one_after_the_other(lords: bw.Game) -> None:
    """They hung once: each determinization waited for threads that the others held."""
    observation = lords.new(seed=1).observation(0)
    decision = bw.agent("uct:iterations=200,threads=2,parallel=tree,prune=h4,limit=5", lords, 0).decide(observation)
    assert sum(reason.visits or 0 for reason in decision.reasons) == 200


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("uct:limit=5", BadSpec, "limit needs prune, the evaluations that rank actions"),
        ("uct:extrapolate=true", BadSpec, "extrapolate needs prune"),
        ("uct:prune=h4", BadSpec, "prune=h4 needs limit (how many actions to keep), widen or bias"),
        ("uct:prune=h4+h99,limit=3", UnknownName, "h99"),
    ],
)
def test_pruning_that_cannot_be_is_refused(lords: bw.Game, spec: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        bw.agent(spec, lords, 0)


def test_equal_actions_are_ordered_by_chance_and_alike_at_every_visit() -> None:
    """Of actions that judges rank alike, it is not the lowest numbers that are kept everywhere."""

    shuffle = uncompiled(shuffle_for)

    def order(node: int) -> tuple[int, ...]:
        actions = np.arange(8)
        shuffle(node, actions, 8)
        return tuple(map(int, actions))

    orders = [order(node) for node in range(50)]
    assert all(sorted(found) == list(range(8)) for found in orders)
    assert orders == [order(node) for node in range(50)]
    assert len(set(orders)) > 40  # of 40,320
    assert {found[0] for found in orders} == set(range(8))
