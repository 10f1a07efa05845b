"""Tree search with a network: Gumbel at the root, completed values, information sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.executors import InProcess, Threads
from boardwright.kernel import rng
from boardwright.kernel.automatic_features import learning_rules
from boardwright.learn import tree_search
from boardwright.learn.config import TrainingConfig
from boardwright.learn.network import Network
from boardwright.learn.training import Training
from boardwright.learn.tree import Tree, TreeSettings
from boardwright.learn.tree_agent import NetTree
from boardwright.learn.tree_search import has_constant_sum
from boardwright.learn.workspace import Workspace
from tests.connect_four_solver import Solver, open_positions

GAMES = Path(__file__).parent / "games"


def untrained(game: bw.Game, seats: int = 2, seed: int = 0) -> Network:
    """A network that finds every position even and every action equally likely."""
    config = TrainingConfig(game.name, seats, 1, search="tree", seed=seed)
    return Training.begin(config, game).network()


def seated(game: bw.Game, network: Network, seat: int, **settings: Any) -> NetTree:
    agent = NetTree(game, seat, seed=1, **settings)
    agent.networks[network.seats] = network
    return agent


def test_the_solver_agrees_with_plain_search() -> None:
    def plain(state: bw.State) -> int:
        best = -1
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            best = max(best, int(after.returns[state.player]) if after.is_terminal else -plain(after))
        return best

    solver = Solver()
    for state in open_positions(12, seed=3, fewest=33, most=37):
        assert solver.value(state) == plain(state)


def test_wins_are_found_and_losses_averted_without_knowing_anything() -> None:
    """Positions in which some moves keep the value and others do not, with few discs to come."""
    game, solver = bw.game("connect_four"), Solver()
    network, kept, asked = untrained(bw.game("connect_four")), 0, 0
    for state in open_positions(60, seed=4, fewest=31, most=36):
        values = {action: solver.value_after(state, action) for action in state.legal_actions()}
        if len(set(values.values())) == 1:
            continue
        agent = seated(game, network, state.player, simulations=2000)
        asked += 1
        kept += values[agent.decide(state.observation(state.player)).action] == max(values.values())
    assert asked > 15
    assert kept == asked


def test_a_proven_win_is_played_and_its_value_is_exact() -> None:
    """Every position is even to the network, 0 as a drawn one is; wins and losses are found, not estimated."""
    game, solver = bw.game("connect_four"), Solver()
    network, proven = untrained(game), 0
    for state in open_positions(20, seed=6, fewest=32, most=36):
        decision = seated(game, network, state.player, simulations=3000).decide(state.observation(state.player))
        for reason in decision.reasons:
            if reason.value in (-1.0, 1.0):
                assert solver.value_after(state, reason.action) == reason.value
                proven += 1
    assert proven > 30


def search(game: bw.Game, network: Network, state: bw.State, simulations: int, noise: float, seed: int) -> Any:
    features = network.features(game)
    workspace = Workspace.for_game(game, features, network.seats)
    tree = Tree.with_room_for(1 + (simulations + 1) * game.max_legal, game.max_legal)
    settings = TreeSettings(simulations, 16, 50.0, 1.0, noise, has_constant_sum(game, network.seats))
    workspace.observation[:] = state.observation(state.player).memory
    work = tree_search.Search(learning_rules(game, features), network.weights, settings, tree, workspace)
    rng_state = rng.generator(seed)
    n = tree_search.kernel("tree_begin")(work, state.player, rng_state)
    tree_search.kernel("tree_go_on")(work, state.player, n, rng_state)
    return n, workspace


def test_the_improved_policy_is_a_policy_and_every_simulation_counts() -> None:
    game = bw.game("connect_four")
    n, workspace = search(game, untrained(game), game.new(seed=0), 100, 1.0, seed=3)
    assert n == 7
    assert workspace.policy[:n].sum() == pytest.approx(1.0)
    assert (workspace.policy[:n] > 0).all()
    assert workspace.visits[:n].sum() == 100
    assert workspace.visits[workspace.ranking[0]] == workspace.visits[:n].max()


def test_noise_draws_candidates_by_the_policy() -> None:
    """Without values to tell actions apart, the best of the drawn is a draw from the policy."""
    game = bw.game("connect_four")
    network = untrained(game)
    bias = np.log(np.array([1, 1, 1, 4, 1, 1, 1], np.float32) / 10)
    network = network._replace(weights=network.weights._replace(policy_bias=bias))
    draws = 150
    chosen = [search(game, network, game.new(seed=0), 1, 1.0, seed)[1].ranking[0] for seed in range(draws)]
    share = np.bincount(chosen, minlength=7) / draws
    assert share[3] == pytest.approx(0.4, abs=4 * np.sqrt(0.4 * 0.6 / draws))
    assert share[0] == pytest.approx(0.1, abs=4 * np.sqrt(0.1 * 0.9 / draws))


@pytest.mark.parametrize("name", ["kuhn_poker", "wonders", "lords"])
def test_a_decision_depends_on_the_observation_and_the_seed_alone(name: str) -> None:
    """Whatever is hidden is shuffled; the choice and its reasons stay."""
    game, random = bw.game(name), np.random.default_rng(5)
    seats = game.seats[0]
    network, asked = untrained(game, seats), 0
    state = game.new(seed=8, seats=seats)
    while asked < 6:
        if state.is_terminal:
            state = game.new(seed=9 + asked, seats=seats)
        seat, legal = state.player, state.legal_actions()
        if len(legal) > 1:
            asked += 1
            other = state.copy()
            assert game.information.scramble is not None
            game.information.scramble(other.record, seat, random)
            decisions = [
                seated(game, network, seat, simulations=40).decide(s.observation(seat)) for s in (state, other)
            ]
            assert decisions[0].reasons == decisions[1].reasons
        state.apply(legal[int(random.integers(len(legal)))])


def test_only_two_seats_whose_returns_add_up_have_a_constant_sum() -> None:
    assert has_constant_sum(bw.game("connect_four"), 2)
    assert not has_constant_sum(bw.game(str(GAMES / "dice_race.py")), 2), "a tie is a win for both"
    assert not has_constant_sum(bw.game("wonders"), 3)


def test_training_with_tree_search_finds_the_right_move_in_a_heap() -> None:
    """Automatic features, no turns: who leaves a multiple of four wins."""
    game = bw.game(str(GAMES / "take_three.py"))
    config = TrainingConfig(
        game.name, 2, 3000, seed=2, generation_size=100, search="tree", simulations=16, features="automatic",
        learning_rate=0.01, hidden_units=32,
    )  # fmt: skip
    training = Training.begin(config, game)
    while not training.finished:
        training.advance(InProcess())
    for seed in range(8):
        state = game.new(seed=seed)
        if state.record.heap % 4:
            decision = seated(game, training.network(), 0, simulations=1).decide(state.observation(0))
            assert (state.record.heap - decision.action - 1) % 4 == 0, state.record.heap


def test_the_same_seed_gives_the_same_weights_on_threads() -> None:
    game = bw.game(str(GAMES / "dice_race.py"))
    config = TrainingConfig(game.name, 3, 32, seed=2, generation_size=16, search="tree", simulations=8)

    def weights(executor: Any) -> Any:
        training = Training.begin(config, game)
        while not training.finished:
            training.advance(executor)
        return training.optimizer.weights

    pairs = zip(weights(InProcess()), weights(Threads(2)), strict=True)
    assert all(np.array_equal(a, b) for a, b in pairs)


def test_a_tree_without_room_still_decides() -> None:
    game = bw.game("connect_four")
    network, state = untrained(game), bw.game("connect_four").new(seed=0)
    features = network.features(game)
    workspace, tree = Workspace.for_game(game, features, 2), Tree.with_room_for(20, game.max_legal)
    workspace.observation[:] = state.memory
    settings, rng_state = TreeSettings(200, 16, 50.0, 1.0, 0.0, True), rng.generator(1)
    work = tree_search.Search(learning_rules(game, features), network.weights, settings, tree, workspace)
    n = tree_search.kernel("tree_begin")(work, 0, rng_state)
    tree_search.kernel("tree_go_on")(work, 0, n, rng_state)
    assert workspace.visits[:n].sum() == 200


def test_a_budget_of_time_is_spent_on_one_tree() -> None:
    """A few simulations show how long one takes; what comes next fits into what is left."""
    game = bw.game("connect_four")
    agent = seated(game, untrained(game), 0, seconds=0.05, clock="cpu")
    assert agent._part(0, 0.0, 0.0) == 64
    assert agent._part(64, 0.0, 0.01) == 256
    assert agent._part(320, 0.0, 0.049) == 0, "too little time is left to be worth a part"
    decision = agent.decide(game.new(seed=0).observation(0))
    assert int(decision.summary.split()[0].replace(",", "")) >= 64
