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
from boardwright.kernel import compiled, rng, rule

Single = NDArray[np.float32]
_BETA_1, _BETA_2, _EPSILON = 0.9, 0.99, np.float32(1e-7)
_ONE_MINUS_1, _ONE_MINUS_2 = np.float32(1 - _BETA_1), np.float32(1 - _BETA_2)
_STEEPEST = np.float32(80)
"""Logits below its negative are taken as that, so that nothing overflows."""
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
    """The share of training decks whose date is masked too,"""
    nameless: float = 0.1
    """and of those whose identity is: what is left says what to expect of an identity that is new."""
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
    training = _Training(weights, settings, random)
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
        self.masked = Masked(np.zeros((decks, room), np.int32), np.zeros(decks, np.int64))

    def possible(self) -> NDArray[np.bool_]:
        """The features that can occur."""
        found = np.zeros(self.inputs.number, np.bool_)
        found[self.fixed] = True
        found[self.inputs.first_period : self.inputs.first_period + self.begun.max(initial=0)] = True
        found[self.inputs.first_card :] = (self.most_copies[:, None] > np.arange(COPIES)).ravel()
        return found

    def draw(self) -> Masked:
        s = self.settings
        _mask_kernel()(
            self.pools, self.sizes, self.fixed, self.begun, self.inputs.first_period, self.inputs.first_card,
            s.fewest_seen, s.most_seen, s.undated, s.nameless, self.rng_state, self.masked.features, self.masked.used,
        )  # fmt: skip
        return self.masked


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


class _Training:
    """The weights and Adam's moments, with room for what a step computes."""

    def __init__(self, weights: Weights, settings: NetworkSettings, random: np.random.Generator) -> None:
        self.weights, self.settings, self.random = weights, settings, random
        self.mean = Weights(*(np.zeros_like(array) for array in weights))
        self.square = Weights(*(np.zeros_like(array) for array in weights))
        self.deep_gradient, self.wide_gradient = np.zeros_like(weights.deep), np.zeros_like(weights.wide)
        self.steps = 0

    def step(self, masked: Masked, batch: NDArray[np.int64], present: Single, rate: float) -> None:
        w, s = self.weights, self.settings
        features, count = masked.features[batch], masked.used[batch]
        hidden, logits = _summed(w.deep, w.hidden_bias, features, count), _summed(w.wide, w.bias, features, count)
        scale = self.random.random(hidden.shape, np.float32) >= s.dropout
        kept = np.multiply(scale & (hidden > 0), np.float32(1 / (1 - s.dropout)), dtype=np.float32)
        hidden *= kept
        logits += hidden @ w.output
        error = _sigmoid(logits)
        error -= present
        error *= np.float32(1 / len(batch))
        back = error @ w.output.T
        back *= kept
        self.steps += 1
        self._dense("output", hidden.T @ error, rate, s.weight_decay)
        self._dense("hidden_bias", back.sum(0, keepdims=True), rate, 0.0)
        self._dense("bias", error.sum(0, keepdims=True), rate, 0.0)
        first, second = self._corrections()
        for rows, mean, square, gradient, errors, rate_here in (
            (w.deep, self.mean.deep, self.square.deep, self.deep_gradient, back, rate),
            (w.wide, self.mean.wide, self.square.wide, self.wide_gradient, error, rate * s.wide_rate),
        ):
            _update_kernel()(
                rows, mean, square, gradient, features, count, errors, np.float32(rate_here), first, second,
                np.float32(s.weight_decay),
            )  # fmt: skip

    def _corrections(self) -> tuple[np.float32, np.float32]:
        return np.float32(1 / (1 - _BETA_1**self.steps)), np.float32(1 / (1 - _BETA_2**self.steps))

    def _dense(self, name: str, gradient: Single, rate: float, decay: float) -> None:
        arrays = (np.atleast_2d(getattr(of, name)) for of in (self.weights, self.mean, self.square))
        _adam_kernel()(*arrays, gradient, np.float32(rate), *self._corrections(), np.float32(decay))


def _summed(weights: Single, bias: Single, features: NDArray[np.int32], count: NDArray[np.int64]) -> Single:
    """For each deck the bias and the weights of its features."""
    out = np.empty((len(count), len(bias)), np.float32)
    out[:] = bias
    _sum_kernel()(weights, features, count, out)
    return out


def _sigmoid(logits: Single) -> Single:
    """In place, and four times as fast as scipy's in single precision."""
    np.negative(logits, out=logits)
    np.minimum(logits, _STEEPEST, out=logits)
    np.exp(logits, out=logits)
    logits += np.float32(1)
    return np.reciprocal(logits, out=logits)


def _sum_rows(weights: Any, features: Any, count: Any, out: Any) -> None:
    """Add to each row of `out` the weights of its features."""
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            for column in range(out.shape[1]):
                out[row, column] += weights[feature, column]


@rule
def adam(weights: Any, mean: Any, square: Any, gradient: Any, rate: float, first: float, second: float,
         decay: float) -> None:  # fmt: skip
    """One step for a row of weights."""
    for column in range(weights.size):
        slope = gradient[column]
        m = mean[column] + _ONE_MINUS_1 * (slope - mean[column])
        v = square[column] + _ONE_MINUS_2 * (slope * slope - square[column])
        mean[column] = m
        square[column] = v
        step = m * first / (np.sqrt(v * second) + _EPSILON) + decay * weights[column]
        weights[column] -= rate * step


def _adam_rows(weights: Any, mean: Any, square: Any, gradient: Any, rate: float, first: float, second: float,
               decay: float) -> None:  # fmt: skip
    for row in range(weights.shape[0]):
        adam(weights[row], mean[row], square[row], gradient[row], rate, first, second, decay)


def _update_rows(weights: Any, mean: Any, square: Any, gradient: Any, features: Any, count: Any, errors: Any,
                 rate: float, first: float, second: float, decay: float) -> None:  # fmt: skip
    """Adam for the rows of the features that occur; `gradient` is all zeros before and after."""
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            for column in range(errors.shape[1]):
                gradient[feature, column] += errors[row, column]
    done = np.zeros(weights.shape[0], np.bool_)
    for row in range(count.size):
        for place in range(count[row]):
            feature = features[row, place]
            if not done[feature]:
                done[feature] = True
                adam(weights[feature], mean[feature], square[feature], gradient[feature], rate, first, second, decay)
                gradient[feature] = 0


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


@cache
def _adam_kernel() -> Any:
    rows, number = types.float32[:, ::1], types.float32
    return compiled(_adam_rows, types.void(rows, rows, rows, rows, number, number, number, number), "decks.adam_rows")
