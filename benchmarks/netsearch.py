"""Turn search with a network: games per CPU second against the original program, evaluations against NumPy.

The original, measured once: 19.7 games of its AI against itself per CPU second of one process. Ours are measured
here, one thread, with the default settings of `netsearch`; the network's answer for single positions is measured
beside the same three matrix products in NumPy.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import boardwright as bw
from boardwright.kernel import rng
from boardwright.kernel.features import SparseFeatures
from boardwright.learn import self_play
from boardwright.learn.agents import NetSearch
from boardwright.learn.network import Weights, hidden_layer, value_head
from boardwright.learn.network_files import shipped_network
from boardwright.learn.trajectory import Trajectory
from boardwright.learn.turn_search import Models, Settings
from boardwright.learn.workspace import Workspace

sys.path.insert(0, str(Path(__file__).parent))
from common import close, publish, side_by_side

ORIGINAL, TARGET = 19.7, 20.0
GAMES, RUNS, EVALUATIONS = 40, 3, 5_000


def games_per_second(weights: Weights, settings: Settings) -> float:
    game, play = bw.game("race"), self_play.kernel()
    rules = game.entries.learning_rules
    workspace, trajectory = Workspace.for_game(game), Trajectory.with_capacity()
    began = time.process_time()
    for seed in range(GAMES):
        state = game.new(seed=seed)
        models, chance = Models(weights, weights), rng.generator(seed)
        play(rules, models, state.memory, 2, 1.0, settings, chance, workspace, trajectory)
    return GAMES / (time.process_time() - began)


def evaluations(weights: Weights) -> tuple[float, float]:
    """Seconds for many answers: ours, called from Python one by one, and NumPy's."""
    game = bw.game("race")
    features = len(game.learning.feature_names)
    sparse, hidden = SparseFeatures.with_capacity(features), np.zeros(len(weights.hidden_bias), np.float32)
    game.entries.features(game.new(seed=1).memory, 0, sparse)
    dense = sparse.dense(features)

    def ours() -> None:
        for _ in range(EVALUATIONS):
            hidden_layer(weights, sparse, hidden)
            value_head(weights, hidden)

    def numpy() -> None:
        for _ in range(EVALUATIONS):
            layer = np.maximum(dense @ weights.hidden + weights.hidden_bias, 0)
            value_hidden = np.maximum(weights.value_hidden @ layer + weights.value_hidden_bias, 0)
            1 / (1 + np.exp(-(value_hidden @ weights.value + weights.value_bias[0])))

    return side_by_side(ours, numpy)


def main() -> None:
    agent = NetSearch(bw.game("race"), 0)
    weights = shipped_network(bw.game("race"), 2).weights
    games_per_second(weights, agent.settings)  # warm up
    played = max(games_per_second(weights, agent.settings) for _ in range(RUNS))
    ours, numpy = evaluations(weights)
    print(f"self-play:   {played:8.1f} games per CPU second, {played / ORIGINAL:.2f} × the original's {ORIGINAL}")
    print(
        f"evaluations: {EVALUATIONS / ours:8,.0f} a second called from Python, {numpy / ours:.2f} × NumPy's"
        f" {EVALUATIONS / numpy:,.0f}"
    )
    publish(
        "netsearch",
        {
            "self_play_games": played,
            "original_games": ORIGINAL,
            "evaluations": EVALUATIONS / ours,
            "numpy_evaluations": EVALUATIONS / numpy,
        },
    )
    close(played / ORIGINAL, f"at least {TARGET:.0f} games per second on one core")


if __name__ == "__main__":
    main()
