"""A network that completes decks: from the identity, the size, the date and a few cards it gives the probability of
every other card.

It learns from decks of which all but a few random cards are masked. The sparse inputs feed a hidden layer and, past
it, the outputs (wide and deep): pairs of cards are learned quickly, combinations by the hidden layer. The optimizer
is Adam, which touches only the rows of inputs that occur in a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from scipy.special import expit, logit

from boardwright.decks.table import COPIES, DeckTable
from boardwright.kernel import compiled, rng

Single = NDArray[np.float32]
_BETA_1, _BETA_2, _EPSILON = 0.9, 0.99, 1e-7
SIZES = (40, 44, 45, 48, 49, 54)
"""Upper bounds of the classes of deck sizes; larger decks are one class more."""
DAYS_PER_PERIOD = 30


@dataclass(frozen=True)
class NetworkSettings:
    hidden: int = 256
    epochs: int = 60
    batch: int = 128
    learning_rate: float = 3e-3
    wide_rate: float = 0.3
    """The learning rate of the wide part, as a share of the other."""
    weight_decay: float = 0.01
    dropout: float = 0.5
    fewest_seen: int = 1
    most_seen: int = 9
    undated: float = 0.3
    """The share of training decks whose date is masked too."""
    seed: int = 1


class Weights(NamedTuple):
    """Each row of `deep` and `wide` belongs to an input feature."""

    deep: Single
    hidden_bias: Single
    output: Single
    wide: Single
    bias: Single


@dataclass(frozen=True)
class Inputs:
    """How input features are numbered: identities, groups (factions), classes of sizes, periods that have begun,
    then COPIES for each card."""

    group: NDArray[np.int64]
    """Of each identity."""
    num_cards: int
    first_day: int
    periods: int

    @property
    def first_group(self) -> int:
        return len(self.group)

    @property
    def first_size(self) -> int:
        return self.first_group + int(self.group.max(initial=0)) + 1

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
        """The features of a deck besides its cards."""
        found = [identity, self.first_group + int(self.group[identity])]
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
    inputs = Inputs(group, len(table.cards), first_day, periods)
    present = (table.copies > 0).astype(np.float32)
    masking = _Masking(table, days, inputs, settings)
    training = _Training(_first_weights(inputs, present, settings, random), settings, random)
    batches = max(len(table) // settings.batch, 1)
    for epoch in range(settings.epochs):
        masked = masking.draw()
        for number, batch in enumerate(np.array_split(random.permutation(len(table)), batches)):
            done = (epoch + number / batches) / settings.epochs
            training.step(masked, batch, present[batch], settings.learning_rate * (1 - done))
    return DeckNetwork(inputs, training.weights)


def _first_weights(inputs: Inputs, present: Single, settings: NetworkSettings, random: np.random.Generator) -> Weights:
    share = np.clip(present.mean(0), 2e-4, 1 - 2e-4)
    hidden, outputs = settings.hidden, present.shape[1]
    return Weights(
        (0.2 * random.standard_normal((inputs.number, hidden))).astype(np.float32),
        np.zeros(hidden, np.float32),
        (0.2 / np.sqrt(hidden) * random.standard_normal((hidden, outputs))).astype(np.float32),
        np.zeros((inputs.number, outputs), np.float32),
        logit(share).astype(np.float32),
    )


class Masked(NamedTuple):
    """What is left of each deck: deck d has the features[d, : used[d]]."""

    features: NDArray[np.int32]
    used: NDArray[np.int64]


class _Masking:
    """Draws, of each deck, a few cards as if seen, with the identity, the size and perhaps the date."""

    def __init__(self, table: DeckTable, days: NDArray[np.int64], inputs: Inputs, settings: NetworkSettings) -> None:
        decks, self.settings, self.inputs = len(table), settings, inputs
        self.sizes = table.sizes
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
        self.masked = Masked(np.zeros((decks, room), np.int32), np.zeros(decks, np.int64))

    def draw(self) -> Masked:
        s = self.settings
        _mask_kernel()(
            self.pools, self.sizes, self.fixed, self.begun, self.inputs.first_period, self.inputs.first_card,
            s.fewest_seen, s.most_seen, s.undated, self.rng_state, self.masked.features, self.masked.used,
        )  # fmt: skip
        return self.masked


def _mask(pools: Any, sizes: Any, fixed: Any, begun: Any, first_period: int, first_card: int, fewest: int, most: int,
          undated: float, rng_state: Any, features: Any, count: Any) -> None:  # fmt: skip
    for deck in range(sizes.size):
        used = fixed.shape[1]
        features[deck, :used] = fixed[deck]
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
        small, types.int64[::1], small, types.int64[::1], whole, whole, whole, whole, types.float64,
        types.uint64[::1], small, types.int64[::1],
    )  # fmt: skip
    return compiled(_mask, signature, "decks.mask")


class _Training:
    """The weights and Adam's moments."""

    def __init__(self, weights: Weights, settings: NetworkSettings, random: np.random.Generator) -> None:
        self.weights, self.settings, self.random = weights, settings, random
        self.mean = Weights(*(np.zeros_like(array) for array in weights))
        self.square = Weights(*(np.zeros_like(array) for array in weights))
        self.deep_gradient, self.wide_gradient = np.zeros_like(weights.deep), np.zeros_like(weights.wide)
        self.steps = 0

    def step(self, masked: Masked, batch: NDArray[np.int64], present: Single, rate: float) -> None:
        w, s = self.weights, self.settings
        features, count = masked.features[batch], masked.used[batch]
        hidden = np.tile(w.hidden_bias, (len(batch), 1))
        logits = np.tile(w.bias, (len(batch), 1))
        _sum_kernel()(w.deep, features, count, hidden)
        _sum_kernel()(w.wide, features, count, logits)
        kept = (self.random.random(hidden.shape, np.float32) >= s.dropout) & (hidden > 0)
        hidden = np.where(kept, hidden / np.float32(1 - s.dropout), np.float32(0))
        error = (expit(logits + hidden @ w.output) - present) / np.float32(len(batch))
        back = np.where(kept, error @ w.output.T / np.float32(1 - s.dropout), np.float32(0))
        self.steps += 1
        self._dense("output", hidden.T @ error, rate, s.weight_decay)
        self._dense("hidden_bias", back.sum(0), rate, 0.0)
        self._dense("bias", error.sum(0), rate, 0.0)
        first, second = self._corrections()
        for rows, mean, square, gradient, errors, rate_here in (
            (w.deep, self.mean.deep, self.square.deep, self.deep_gradient, back, rate),
            (w.wide, self.mean.wide, self.square.wide, self.wide_gradient, error, rate * s.wide_rate),
        ):
            _update_kernel()(
                rows, mean, square, gradient, features, count, errors, np.float32(rate_here), np.float32(first),
                np.float32(second), np.float32(s.weight_decay),
            )  # fmt: skip

    def _corrections(self) -> tuple[float, float]:
        return 1 / (1 - _BETA_1**self.steps), 1 / (1 - _BETA_2**self.steps)

    def _dense(self, name: str, gradient: Single, rate: float, decay: float) -> None:
        weights, mean, square = (getattr(of, name) for of in (self.weights, self.mean, self.square))
        first, second = self._corrections()
        mean += np.float32(1 - _BETA_1) * (gradient - mean)
        square += np.float32(1 - _BETA_2) * (gradient * gradient - square)
        step = mean * np.float32(first) / (np.sqrt(square * np.float32(second)) + np.float32(_EPSILON))
        weights -= np.float32(rate) * (step + np.float32(decay) * weights)


def _sum_rows(weights: Any, features: Any, count: Any, out: Any) -> None:
    """Add to each row of `out` the weights of its features."""
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            for column in range(out.shape[1]):
                out[row, column] += weights[feature, column]


def _update_rows(weights: Any, mean: Any, square: Any, gradient: Any, features: Any, count: Any, errors: Any,
                 rate: float, first: float, second: float, decay: float) -> None:  # fmt: skip
    """Adam for the rows of the features that occur; `gradient` is all zeros before and after."""
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            for column in range(errors.shape[1]):
                gradient[feature, column] += errors[row, column]
    done = np.zeros(weights.shape[0], np.bool_)
    one_minus_1, one_minus_2 = np.float32(1 - _BETA_1), np.float32(1 - _BETA_2)
    epsilon = np.float32(_EPSILON)
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            if done[feature]:
                continue
            done[feature] = True
            for column in range(errors.shape[1]):
                slope = gradient[feature, column]
                gradient[feature, column] = 0
                m = mean[feature, column] + one_minus_1 * (slope - mean[feature, column])
                v = square[feature, column] + one_minus_2 * (slope * slope - square[feature, column])
                mean[feature, column] = m
                square[feature, column] = v
                step = m * first / (np.sqrt(v * second) + epsilon) + decay * weights[feature, column]
                weights[feature, column] -= rate * step


@cache
def _sum_kernel() -> Any:
    rows = types.float32[:, ::1]
    return compiled(_sum_rows, types.void(rows, types.int32[:, ::1], types.int64[::1], rows), "decks.sum_rows")


@cache
def _update_kernel() -> Any:
    rows, number = types.float32[:, ::1], types.float32
    signature = types.void(
        rows, rows, rows, rows, types.int32[:, ::1], types.int64[::1], rows, number, number, number, number
    )
    return compiled(_update_rows, signature, "decks.update_rows")
