"""A network for one seat count as the beginning of one for another."""

from __future__ import annotations

import numpy as np

from boardwright.errors import BadSpec
from boardwright.kernel import Game, SparseFeatures, rng
from boardwright.learn.network import Network, Weights

RANDOM_GAMES = 300
"""Games at random that show which features occur with how many seats."""


def weights_for_other_seats(network: Network, game: Game, seats: int) -> Weights:
    """The weights of a network for another seat count. Features that only games with these seats have (as those of a
    fourth seat) were never trained: their weights are what chance made them, and begin at 0 here."""
    if network.ranges is not None:
        raise BadSpec(f"its features are automatic, and others for {seats} seats than for {network.seats}; begin anew")
    untrained = occurring_features(game, seats) & ~occurring_features(game, network.seats)
    hidden = network.weights.hidden.copy()
    hidden[untrained] = 0.0
    return network.weights._replace(hidden=hidden)


def occurring_features(game: Game, seats: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For every feature, whether it is ever nonzero in some games at random."""
    features = len(game.learning.feature_names)
    seen, sparse = np.zeros(features, bool), SparseFeatures.with_capacity(features)
    for number in range(RANDOM_GAMES):
        state = game.new(seed=number, seats=seats)
        random = np.random.default_rng(rng.derive(number, seats))
        while not state.is_terminal:
            game.entries.features(state.memory, state.player, sparse)
            seen[sparse.index[: sparse.count[0]]] = True
            state.apply(int(random.choice(state.legal_actions())))
    return seen
