"""A network that completes decks: from the identity, the size, the date and a few cards it gives the probability of
every other card.

It learns from decks of which all but a few random cards are masked. The sparse inputs feed a hidden layer and, past
it, the outputs (wide and deep): pairs of cards are learned quickly, combinations by the hidden layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit, logit

from boardwright.decks.table import COPIES, DeckTable
from boardwright.kernel import compiled, rng, types
from boardwright.learn.adam import Adam, SparseGradient
from boardwright.learn.perceptron import Floats, Rows, Schedule, Task, rectified, sigmoid, train

BETA2, EPSILON = 0.99, 1e-7
"""Of Adam: inputs are rare, so their moments should not remember more than their last hundred."""
SIZES = (40, 44, 45, 48, 49, 54)
"""Upper bounds of the classes of deck sizes; larger decks are one class more."""
DAYS_PER_PERIOD = 30


@dataclass(frozen=True)
class NetworkSettings:
    hidden: int = 128
    epochs: int = 40
    batch: int = 256
    learning_rate: float = 5e-3
    wide_rate: float = 0.3
    """The learning rate of the wide part, as a share of the other."""
    weight_decay: float = 0.01
    dropout: float = 0.3
    fewest_seen: int = 1
    most_seen: int = 9
    undated: float = 0.3
    """The share of training decks whose date is masked too."""
    nameless: float = 0.1
    """The share of those whose identity is masked: what is left says what to expect of an identity that is new."""
    seed: int = 1


class Weights(NamedTuple):
    """Each row of `deep` and `wide` belongs to an input feature."""

    deep: Floats
    hidden_bias: Floats
    output: Floats
    wide: Floats
    bias: Floats


@dataclass(frozen=True)
class Inputs:
    """How input features are numbered: identities, groups (factions), classes of sizes, periods that have begun,
    then COPIES for each card. Identities and groups that no training deck has are no features."""

    group: NDArray[np.int64]
    """Of each identity, those of the training decks first."""
    num_identities: int
    """Of the training decks."""
    num_cards: int
    first_day: int
    periods: int

    @property
    def first_group(self) -> int:
        return self.num_identities

    @property
    def first_size(self) -> int:
        return self.first_group + int(self.group[: self.num_identities].max(initial=0)) + 1

    @property
    def first_period(self) -> int:
        return self.first_size + len(SIZES) + 1

    @property
    def first_card(self) -> int:
        return self.first_period + self.periods

    @property
    def number(self) -> int:
        return self.first_card + COPIES * self.num_cards

    def known(self, identity: int, size: int, day: int | None) -> list[int]:
        """The features of a deck besides its cards, the identity first."""
        group = self.first_group + int(self.group[identity])
        found = [identity] if identity < self.num_identities else []
        found += [group] if group < self.first_size else []
        found.append(self.first_size + int(np.searchsorted(SIZES, size)))
        if day is not None:
            begun = min(max((day - self.first_day) // DAYS_PER_PERIOD, 0), self.periods)
            found += range(self.first_period, self.first_period + begun)
        return found

    def features(self, identity: int, size: int, day: int | None, seen: NDArray[Any]) -> NDArray[np.int64]:
        cards = [
            self.first_card + COPIES * int(card) + copy
            for card in np.flatnonzero(seen)
            for copy in range(min(int(seen[card]), COPIES))
        ]
        return np.array(self.known(identity, size, day) + cards, np.int64)


class DeckNetwork:
    def __init__(self, inputs: Inputs, weights: Weights) -> None:
        self.inputs, self.weights = inputs, weights

    def presence(self, identity: int, size: int, day: int | None, seen: NDArray[Any]) -> NDArray[np.float64]:
        """For each card the chance that the deck has it."""
        w = self.weights
        features = self.inputs.features(identity, size, day, seen)
        hidden = np.maximum(w.deep[features].sum(0) + w.hidden_bias, 0)
        chance: NDArray[np.float64] = expit((hidden @ w.output + w.wide[features].sum(0) + w.bias).astype(np.float64))
        return chance


def train_network(
    table: DeckTable, days: NDArray[np.int64], group: NDArray[np.int64], settings: NetworkSettings
) -> DeckNetwork:
    """Learn from the decks of one side. `days` are their dates as day numbers, negative where unknown."""
    random = np.random.default_rng(settings.seed)
    dated = days[days >= 0]
    first_day = int(dated.min()) if len(dated) else 0
    periods = int(dated.max() - first_day) // DAYS_PER_PERIOD if len(dated) else 0
    inputs = Inputs(group, len(table.identities), len(table.cards), first_day, periods)
    present = (table.copies > 0).astype(np.float32)
    masking = _Masking(table, days, inputs, settings)
    weights = _first_weights(inputs, present, settings, random)
    weights.deep[~masking.possible()] = 0.0  # an identity or a card that no deck has says nothing
    optimizer = deck_optimizer(weights, settings)

    def gradient(decks: Rows) -> Weights:
        return loss_gradient(weights, masking.inputs_of(decks), present[decks], settings.dropout, random)

    schedule = Schedule(settings.epochs, settings.learning_rate, settings.batch, settings.dropout)
    for _ in train([Task(optimizer, len(table), gradient)], schedule, random):
        masking.draw()
    return DeckNetwork(inputs, weights)


def deck_optimizer(weights: Weights, settings: NetworkSettings) -> Adam[Weights]:
    decay = dict.fromkeys(("deep", "output", "wide"), settings.weight_decay)
    return Adam(weights, beta2=BETA2, epsilon=EPSILON, rates={"wide": settings.wide_rate}, decay=decay)


def loss_gradient(
    w: Weights, inputs: csr_array, present: Floats, dropout: float, random: np.random.Generator
) -> Weights:
    """The gradient of the mean cross entropy of some decks, summed over the cards."""
    hidden, slope = rectified(inputs @ w.deep + w.hidden_bias, dropout, random)
    error = sigmoid(hidden @ w.output + inputs @ w.wide + w.bias)
    error -= present
    error *= np.float32(1 / len(present))
    back = (error @ w.output.T) * slope
    return Weights(
        deep=SparseGradient(inputs, back),  # type: ignore[arg-type]
        hidden_bias=back.sum(0),
        output=hidden.T @ error,
        wide=SparseGradient(inputs, error),  # type: ignore[arg-type]
        bias=error.sum(0),
    )


def _first_weights(inputs: Inputs, present: Floats, settings: NetworkSettings, random: np.random.Generator) -> Weights:
    share = np.clip(present.mean(0), 2e-4, 1 - 2e-4)
    hidden, outputs = settings.hidden, present.shape[1]
    return Weights(
        (0.2 * random.standard_normal((inputs.number, hidden))).astype(np.float32),
        np.zeros(hidden, np.float32),
        (0.2 / np.sqrt(hidden) * random.standard_normal((hidden, outputs))).astype(np.float32),
        np.zeros((inputs.number, outputs), np.float32),
        logit(share).astype(np.float32),
    )


class _Masking:
    """Draws, of each deck, a few cards as if seen, with the identity, the size and perhaps the date."""

    def __init__(self, table: DeckTable, days: NDArray[np.int64], inputs: Inputs, settings: NetworkSettings) -> None:
        decks, self.settings, self.inputs = len(table), settings, inputs
        self.sizes, self.most_copies = table.sizes, table.copies.max(0, initial=0)
        self.pools = np.zeros((decks, int(self.sizes.max(initial=1))), np.int32)
        for deck in range(decks):
            self.pools[deck, : self.sizes[deck]] = np.repeat(np.arange(len(table.cards)), table.copies[deck])
        self.fixed = np.array(
            [
                inputs.known(int(identity), int(size), None)
                for identity, size in zip(table.identity, self.sizes, strict=True)
            ],
            np.int32,
        )
        self.begun = np.where(days < 0, 0, np.clip((days - inputs.first_day) // DAYS_PER_PERIOD, 0, inputs.periods))
        self.rng_state = rng.generator(settings.seed)
        room = self.fixed.shape[1] + inputs.periods + settings.most_seen
        self.features, self.used = np.zeros((decks, room), np.int32), np.zeros(decks, np.int64)
        """What is left of each deck: deck d has the features[d, : used[d]]."""

    def possible(self) -> NDArray[np.bool_]:
        """The features that can occur."""
        found = np.zeros(self.inputs.number, np.bool_)
        found[self.fixed] = True
        found[self.inputs.first_period : self.inputs.first_period + self.begun.max(initial=0)] = True
        found[self.inputs.first_card :] = (self.most_copies[:, None] > np.arange(COPIES)).ravel()
        return found

    def inputs_of(self, decks: Rows) -> csr_array:
        """What is left of some decks, one row each."""
        used = self.used[decks]
        columns = self.features[decks][np.arange(self.features.shape[1]) < used[:, None]]
        starts = np.concatenate([[0], np.cumsum(used)])
        return csr_array((np.ones(len(columns), np.float32), columns, starts), (len(decks), self.inputs.number))

    def draw(self) -> None:
        """Mask all decks anew."""
        s = self.settings
        _mask_kernel()(
            self.pools, self.sizes, self.fixed, self.begun, self.inputs.first_period, self.inputs.first_card,
            s.fewest_seen, s.most_seen, s.undated, s.nameless, self.rng_state, self.features, self.used,
        )  # fmt: skip


def _mask(pools: Any, sizes: Any, fixed: Any, begun: Any, first_period: int, first_card: int, fewest: int, most: int,
          undated: float, nameless: float, rng_state: Any, features: Any, count: Any) -> None:  # fmt: skip
    for deck in range(sizes.size):
        first = 1 if rng.uniform(rng_state) < nameless else 0
        used = fixed.shape[1] - first
        features[deck, :used] = fixed[deck, first:]
        if rng.uniform(rng_state) >= undated:
            for period in range(begun[deck]):
                features[deck, used] = first_period + period
                used += 1
        pool = pools[deck]
        for place in range(min(fewest + rng.below(rng_state, most - fewest + 1), sizes[deck])):
            other = place + rng.below(rng_state, sizes[deck] - place)
            pool[place], pool[other] = pool[other], pool[place]
            copy = 0
            for earlier in range(place):
                if pool[earlier] == pool[place]:
                    copy += 1
            if copy < COPIES:
                features[deck, used] = first_card + COPIES * pool[place] + copy
                used += 1
        count[deck] = used


@cache
def _mask_kernel() -> Any:
    whole, small = types.int64, types.int32[:, ::1]
    signature = types.void(
        small, types.int64[::1], small, types.int64[::1], whole, whole, whole, whole, types.float64, types.float64,
        types.uint64[::1], small, types.int64[::1],
    )  # fmt: skip
    return compiled(_mask, signature, "decks.mask")
