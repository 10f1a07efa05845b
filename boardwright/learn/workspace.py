"""The workspace of turn search: scratch buffers that one search after another uses, and where a search leaves what it
found. One per thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardwright.kernel import MAX_SEATS, Game, SparseFeatures, rule, typeof
from boardwright.kernel.arrays import Float32s, Float64s, Int64s, UInt8s, UInt64s
from boardwright.kernel.automatic_features import FeatureMap
from boardwright.kernel.features import KEPT_PARTS
from boardwright.learn.evaluations import Evaluations
from boardwright.learn.first_layer import FirstLayer
from boardwright.learn.network import MAX_HIDDEN

MAX_BREADTH = 16
"""The most actions that `top_actions` has room for. With three already nothing was gained (docs/learning.md)."""


class Workspace(NamedTuple):
    """First the observation to search, then scratch buffers, then what the search found."""

    observation: UInt8s
    """The caller puts it here; a search does not change it."""

    determinization: UInt8s
    state: UInt8s
    """The position that a rollout has come to."""
    branch: UInt8s
    """A copy of that position, where several actions are tried from there."""
    legal: Int64s
    """Legal actions."""
    policy: Float64s
    """A probability for each of the legal actions."""
    top_actions: Int64s
    observed: UInt8s
    """Room for what a seat may know, where automatic features are read from it."""
    seats: Int64s
    """How many there are, in an array of one; the caller puts it here."""
    sparse: SparseFeatures
    first_layer: FirstLayer
    """The sums of the hidden layer, kept for each seat, or by parts of the features."""
    evaluations: Evaluations
    value: Float64s
    """Room for the value of an evaluation, in an array of one."""
    hidden: Float32s
    returns: Float64s
    utility_bounds: Float64s
    """`min_utility` and `max_utility` of the game, and whether first places alone count (1, else 0)."""
    rollout_rng: UInt64s
    """The RNG state of rollouts."""
    determinization_rng: UInt64s
    """The RNG state that every rollout in the current determinization begins with (common random numbers)."""

    actions: Int64s
    """The legal actions of the observation."""
    prior: Float64s
    """The policy prior of each of them."""
    value_sum: Float64s
    """The sum of the values of each of them."""
    visits: Int64s
    """In how many determinizations each of them has a value."""
    ranking: Int64s
    """Indices into `actions`, the candidates first, the best of them at the front."""

    @classmethod
    def for_game(
        cls, game: Game, features: FeatureMap | None = None, seats: int | None = None, first_places: bool = False
    ) -> Workspace:
        """For the game's own features, unless others are given."""
        names = game.learning.feature_names if features is None else features.names
        bounds = game.min_utility, game.max_utility, float(first_places)
        return cls.sized(game.state.itemsize, game.max_legal, len(names), bounds, game.check_seats(seats))

    @classmethod
    def sized(
        cls, state: int, legal: int, features: int, utility_bounds: tuple[float, float, float], seats: int = 2
    ) -> Workspace:
        return cls(
            observation=np.zeros(state, np.uint8),
            determinization=np.zeros(state, np.uint8),
            state=np.zeros(state, np.uint8),
            branch=np.zeros(state, np.uint8),
            legal=np.zeros(legal, np.int64),
            policy=np.zeros(legal),
            top_actions=np.zeros(MAX_BREADTH, np.int64),
            observed=np.zeros(state, np.uint8),
            seats=np.array([seats], np.int64),
            sparse=SparseFeatures.with_capacity(features, KEPT_PARTS),
            first_layer=FirstLayer.sized(features, MAX_HIDDEN, KEPT_PARTS),
            evaluations=Evaluations.none(),
            value=np.zeros(1),
            hidden=np.zeros(MAX_HIDDEN, np.float32),
            returns=np.zeros(MAX_SEATS),
            utility_bounds=np.array(utility_bounds, np.float64),
            rollout_rng=np.zeros(4, np.uint64),
            determinization_rng=np.zeros(4, np.uint64),
            actions=np.zeros(legal, np.int64),
            prior=np.zeros(legal),
            value_sum=np.zeros(legal),
            visits=np.zeros(legal, np.int64),
            ranking=np.zeros(legal, np.int64),
        )


WORKSPACE = typeof(Workspace.sized(1, 1, 1, (0.0, 1.0, 0.0)))


@rule
def scale_returns(workspace: Workspace) -> None:
    """The returns of a finished game as values from 0 to 1: each in its bounds, or the seat's share of the first
    place."""
    low, high, first_places = workspace.utility_bounds[0], workspace.utility_bounds[1], workspace.utility_bounds[2]
    returns, seats, best, winners = workspace.returns, workspace.seats[0], low, 0
    for seat in range(seats):
        if returns[seat] > best:
            best, winners = returns[seat], 0
        winners += returns[seat] == best
    for seat in range(seats):
        if first_places != 0.0:
            returns[seat] = 1.0 / winners if returns[seat] == best else 0.0
        else:
            returns[seat] = (returns[seat] - low) / (high - low)
