"""PUCT with a network's priors and values."""

from __future__ import annotations

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec
from boardwright.kernel import rng
from boardwright.learn import puct
from boardwright.search.uct_tree import ROOT


@pytest.fixture(scope="module")
def race() -> bw.Game:
    return bw.game("race")


def agent_for(race: bw.Game, spec: str) -> puct.PUCT:
    agent = bw.agent(spec, race, 0, seed=3)
    assert isinstance(agent, puct.PUCT)
    return agent


def first_choice(race: bw.Game) -> bw.State:
    state = race.new(seed=5)
    while state.player != 0 or len(state.legal_actions()) < 5:
        state.apply(state.legal_actions()[0])
    return state


def test_puct_s_visits_add_up_and_its_values_are_returns(race: bw.Game) -> None:
    observation = first_choice(race).observation(0)
    decision = agent_for(race, "puct:iterations=300").decide(observation)
    assert sum(reason.visits or 0 for reason in decision.reasons) == 300
    assert all(race.min_utility <= r.value <= race.max_utility for r in decision.reasons if r.value is not None)


def test_the_first_visits_follow_the_prior(race: bw.Game) -> None:
    """With a heavy prior, few visits go to the actions that the network likes best."""
    agent, state = agent_for(race, "puct:exploration=100"), first_choice(race)
    tree = puct.PuctTree(*puct.Tree.with_room_for(10_000), np.empty(10_000))
    workspace = puct.PuctWorkspace(
        *puct.Workspace.for_game(race), *puct.Buffers.sized(len(race.learning.feature_names), race.max_legal)
    )
    settings = puct.Settings(100.0, 2, 0.0, 1.0, agent.network(2).weights)
    puct.code().entry_points["puct"](
        race.entries.learning_rules, state.memory, settings, tree, workspace, rng.generator(1), 1
    )
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    prior, visits = tree.prior[first : first + n], tree.visits[first : first + n]
    assert prior.sum() == pytest.approx(1)
    assert visits.argmax() == prior.argmax()


def test_what_has_no_meaning_is_refused(race: bw.Game, kuhn: bw.Game) -> None:
    with pytest.raises(BadSpec, match="plies has no meaning"):
        bw.agent("puct:plies=4", race, 0)
    with pytest.raises(BadSpec, match="puct has no network for kuhn_poker with 2 seats"):
        bw.agent("puct", kuhn, 0).check_seats(2)
