"""What is learned from a collection of decks: the best predictor there is here, with probabilities and reasons.

Three models of different kinds are averaged: a network, a posterior over the known decks, and the nearest of them.
Without the decks (a model that is passed on) archetypes take the place of the latter two. The chances are calibrated on
decks that the network has not seen. How many copies a deck plays is a model of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, logit
from threadpoolctl import threadpool_limits

from boardwright.decks.construction import DeckGame
from boardwright.decks.copies import CopyModel, at_least
from boardwright.decks.deck import Deck
from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import fill_by_probability
from boardwright.decks.mixture import Archetypes, MixtureSettings
from boardwright.decks.nearest import NearestDecks, NearestSettings
from boardwright.decks.network import DeckNetwork, NetworkSettings, train_network
from boardwright.decks.posterior import DeckPosterior, PosteriorSettings
from boardwright.decks.prediction import Observation, Prediction, Rulebook
from boardwright.decks.sizes import SizeModel
from boardwright.decks.table import COPIES, DeckTable
from boardwright.executors import Threads

_NEVER, _ALWAYS = 1e-4, 1 - 1e-4
UNCALIBRATED = (1.0, 0.0)


@dataclass(frozen=True)
class ModelSettings:
    network: NetworkSettings = field(default_factory=NetworkSettings)
    posterior: PosteriorSettings = field(default_factory=PosteriorSettings)
    nearest: NearestSettings = field(default_factory=NearestSettings)
    mixture: MixtureSettings = field(default_factory=MixtureSettings)
    network_share: float = 0.35
    """Its share of the average. What this and the next leave is the share of the posterior over known decks."""
    nearest_share: float = 0.1
    network_share_later: float = 0.45
    """Its share for a deck that is later than all known ones: what is played has changed since."""
    nearest_share_later: float = 0.2
    network_share_without_decks: float = 0.7
    """Its share beside the archetypes, where the decks are left out."""
    calibration_decks: int = 150
    """Per side: decks that the network does not learn from, for calibration; at most a tenth of all."""
    calibration_seen: int = 5
    seed: int = 1


@dataclass
class SideModel:
    """The models of one side, whose cards are some columns of the whole."""

    columns: NDArray[np.int64]
    network: DeckNetwork
    archetypes: Archetypes
    copies: CopyModel
    posterior: DeckPosterior | None
    nearest: NearestDecks | None
    """None, as the posterior is: without the decks."""
    calibration: tuple[float, float] = UNCALIBRATED
    """Slope and intercept of the calibration."""
    calibration_without_decks: tuple[float, float] = UNCALIBRATED
    """Slope and intercept of the calibration if the decks are left out."""


@dataclass
class Members:
    """What the models of an average say, for one observation."""

    network: NDArray[np.float64]
    other: NDArray[np.float64]
    """The posterior, or the archetypes."""
    copies: NDArray[np.float64]
    weights: NDArray[Any]
    """Of known decks, or of archetypes."""
    nearest: NDArray[np.float64] | None = None
    later: bool = False
    """Whether the deck is later than all known ones."""


@dataclass
class DeckModel:
    game: DeckGame
    cards: tuple[str, ...]
    """Codes of the cards that the known decks have."""
    identities: tuple[str, ...]
    """Codes of the identities that the known decks have."""
    sides: list[SideModel]
    sizes: SizeModel
    pairs: NDArray[np.uint16]
    """How many decks have both of two items; items are the identities, then the cards."""
    settings: ModelSettings = field(default_factory=ModelSettings)
    decks: int = 0
    """How many it was learned from."""

    def __post_init__(self) -> None:
        self.book = Rulebook(self.game, self.cards, self.identities)
        side = self.game.construction.side
        names = sorted({side(code) for code in self.identities})
        self.side_of = [names.index(name) if (name := side(code)) in names else None for code in self.book.identities]
        """Of each identity of the rulebook; None: no known deck is of that side."""

    @classmethod
    def learn(cls, game: DeckGame, table: DeckTable, settings: ModelSettings | None = None) -> DeckModel:
        settings = settings or ModelSettings()
        if len(table) < 2:
            raise BadDeck(f"{len(table)} decks are too few to learn from")
        rules, group = game.construction, Rulebook.of(game, table).group
        side_of = np.array([rules.side(code) for code in table.identities])
        parts = []
        for name in sorted(set(side_of.tolist())):
            columns = np.array([c for c, code in enumerate(table.cards) if rules.side(code) == name], np.int64)
            parts.append((columns, table.rows(side_of[table.identity] == name).of_cards(columns)))

        def side(number: int) -> tuple[int, SideModel]:
            return number, _learn_side(*parts[number], group, settings)

        with threadpool_limits(1):  # a pool of Python's would keep Ctrl-C waiting until all are done
            found = dict(Threads(len(parts)).run(side, range(len(parts))))
        learned = [found[number] for number in range(len(parts))]
        sizes = SizeModel.learn(table, np.array([rules.minimum_size(code) for code in table.identities]))
        return cls(game, table.cards, table.identities, learned, sizes, _pairs(table), settings, len(table))

    def without_decks(self) -> DeckModel:
        """The same without the known decks, so that it can be passed on."""
        sides = [
            replace(side, posterior=None, nearest=None, calibration=side.calibration_without_decks)
            for side in self.sides
        ]
        return replace(self, sides=sides)

    def observation(
        self, identity: str, seen: Mapping[str, int], size: int | None = None, day: int | None = None
    ) -> Observation:
        """What was seen of a deck, in codes, checked: what is impossible is a BadDeck. Cards and identities that no
        known deck has are kept as seen. Without a size, several are reckoned with."""
        place, title = self.book.place(identity), self.game.pool[identity].title
        if self.side_of[place] is None:
            raise BadDeck(f"the model knows no decks of the side of {title}")
        if size is not None:
            return self.book.observation(identity, seen, size, day)
        found: dict[int, Observation] = {}
        chances = self.sizes.given(place, self.game.construction.minimum_size(identity))
        for likely in chances:
            with suppress(BadDeck):  # more cards, or agenda points, than a deck of that size has
                found[likely] = self.book.observation(identity, seen, likely, day)
        if not found:
            return self.book.observation(identity, seen, max(chances), day)
        total = sum(chances[likely] for likely in found)
        sizes = {likely: chances[likely] / total for likely in found}
        return replace(next(iter(found.values())), sizes=sizes)

    def side(self, seen: Observation) -> SideModel:
        side = self.side_of[seen.identity]
        assert side is not None, "observation() refuses it"
        return self.sides[side]

    def here(self, seen: Observation) -> Observation:
        """An observation as the models of its side see it: in their columns."""
        identity = self.book.nameless(seen.identity) if seen.nameless else seen.identity
        return replace(seen, identity=identity, copies=seen.copies[self.side(seen).columns])

    def probabilities(self, seen: Observation) -> NDArray[np.float64]:
        """For each card and k: the chance of at least k copies. What was seen is certain."""
        if seen.sizes:
            each = (
                chance * self.probabilities(replace(seen, size=size, sizes={})) for size, chance in seen.sizes.items()
            )
            average: NDArray[np.float64] = np.sum(list(each), axis=0)
            return average
        side = self.side(seen)
        return self._probabilities(seen, side, members(side, self.here(seen)))

    def _probabilities(self, seen: Observation, side: SideModel, predicted: Members) -> NDArray[np.float64]:
        presence = _calibrated(side, _average(predicted, self.settings))
        here = seen.copies[side.columns]
        presence[here > 0] = 1.0
        found = np.zeros((len(self.cards), COPIES))
        found[side.columns] = at_least(presence, predicted.copies)
        limits = self.book.limits_left(seen).limit
        found[np.arange(COPIES) >= limits[:, None]] = 0.0
        found[np.arange(COPIES) < seen.copies[:, None]] = 1.0
        return found

    def predict(self, seen: Observation) -> NDArray[np.int64]:
        """The legal deck that is expected to have the most cards in common with the hidden one."""
        return self._filled(seen, self.probabilities(seen))

    def _filled(self, seen: Observation, chances: NDArray[np.float64]) -> NDArray[np.int64]:
        return fill_by_probability(seen.copies, seen.size_of_known, chances, self.book.limits_left(seen))

    def prediction(self, seen: Observation) -> Prediction:
        chances = self.probabilities(seen)
        return Prediction(seen, chances, self._filled(seen, chances))

    def sample(self, seen: Observation, random: np.random.Generator, number: int = 1) -> list[NDArray[np.int64]]:
        """Whole legal decks, drawn in proportion to the prediction.

        Each begins with a known deck (or an archetype) drawn from the posterior, so that cards that go together are
        drawn together.
        """
        side = self.side(seen)
        predicted = members(side, self.here(seen))
        chances = self._probabilities(seen, side, predicted)
        copies = at_least(np.ones(len(side.columns)), predicted.copies)
        drawn = []
        for source in random.choice(len(predicted.weights), number, p=predicted.weights / predicted.weights.sum()):
            if side.posterior is not None:
                like = (side.posterior.table.copies[source][:, None] > np.arange(COPIES)).astype(np.float64)
            else:
                like = side.archetypes.cards[source][:, None] * copies
            mixed = chances.copy()
            mixed[side.columns] = (chances[side.columns] + like) / 2
            noise = random.logistic(size=(len(self.cards), 1))
            wish = expit(logit(np.clip(mixed, _NEVER, _ALWAYS)) + noise)
            wish[np.arange(COPIES) < seen.copies[:, None]] = 1.0
            drawn.append(self._filled(seen, wish))
        return drawn

    def deck(self, seen: Observation, copies: NDArray[Any]) -> Deck:
        """A deck around what was seen."""
        held = {self.cards[card]: int(copies[card]) for card in np.flatnonzero(copies)}
        return Deck(self.book.identities[seen.identity], {**held, **seen.others})


def _pairs(table: DeckTable) -> NDArray[np.uint16]:
    deck, card = np.nonzero(table.copies)
    decks = np.concatenate([np.arange(len(table)), deck])
    items = np.concatenate([table.identity, len(table.identities) + card])
    shape = (len(table), len(table.identities) + len(table.cards))
    has = csr_array((np.ones(len(items), np.int32), (decks, items)), shape=shape)
    return np.minimum((has.T @ has).toarray(), np.iinfo(np.uint16).max).astype(np.uint16)


def members(side: SideModel, seen: Observation, without: int | None = None) -> Members:
    """What each model says of an observation in its columns; `without` leaves a known deck out."""
    network = side.network.presence(seen.identity, seen.size, seen.day, seen.copies)
    usual = side.copies.given(seen)
    if side.posterior is None or side.nearest is None:
        weights = side.archetypes.weights(seen)
        return Members(network, side.archetypes.presence(weights), usual, weights)
    decks = side.posterior.weights(seen, without)
    expected = side.posterior.expected(decks, usual)
    nearest = side.nearest.presence(side.nearest.votes(seen, without))
    later = seen.day is not None and seen.day > side.posterior.last_day
    return Members(network, expected.presence, expected.copies, decks, nearest, later)


def _average(predicted: Members, settings: ModelSettings) -> NDArray[np.float64]:
    if predicted.nearest is None:
        share = settings.network_share_without_decks
        return share * predicted.network + (1 - share) * predicted.other
    network, nearest = settings.network_share, settings.nearest_share
    if predicted.later:
        network, nearest = settings.network_share_later, settings.nearest_share_later
    return network * predicted.network + nearest * predicted.nearest + (1 - network - nearest) * predicted.other


def _calibrated(side: SideModel, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    slope, intercept = side.calibration
    calibrated: NDArray[np.float64] = expit(slope * logit(np.clip(chance, _NEVER, _ALWAYS)) + intercept)
    return calibrated


def _learn_side(
    columns: NDArray[np.int64], table: DeckTable, group: NDArray[np.int64], settings: ModelSettings
) -> SideModel:
    random = np.random.default_rng(settings.seed)
    order = random.permutation(len(table))
    held_out = order[: min(settings.calibration_decks, len(table) // 10)]
    learned = table.rows(order[len(held_out) :])
    side = SideModel(
        columns,
        train_network(learned, learned.days, group, settings.network),
        Archetypes.learn(learned, settings.mixture),
        CopyModel.learn(table, group),
        DeckPosterior(table, table.days, group, settings.posterior),
        NearestDecks(table, table.days, group, settings.nearest),
    )
    side.calibration = _calibration(side, table, held_out, settings, random)
    without = replace(side, posterior=None, nearest=None)
    side.calibration_without_decks = _calibration(without, table, held_out, settings, random)
    return side


def _calibration(
    side: SideModel, table: DeckTable, rows: NDArray[np.int64], settings: ModelSettings, random: np.random.Generator
) -> tuple[float, float]:
    """Platt's scaling on decks that the network has not seen and that the posterior leaves out."""
    if len(rows) == 0:
        return UNCALIBRATED
    chances, truths = [], []
    for number, row in enumerate(rows):
        seen = observe(table, int(row), settings.calibration_seen, random, dated=number % 2 == 0)
        unseen = seen.copies == 0
        chances.append(_average(members(side, seen, without=int(row)), settings)[unseen])
        truths.append(table.copies[row][unseen] > 0)
    x = logit(np.clip(np.concatenate(chances), _NEVER, _ALWAYS))
    y = np.concatenate(truths)

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = parameters[0] * x + parameters[1]
        error = expit(z) - y
        return float(np.mean(np.logaddexp(0, z) - y * z)), np.array([np.mean(error * x), np.mean(error)])

    slope, intercept = minimize(loss, np.array(UNCALIBRATED), jac=True, method="BFGS").x
    return float(slope), float(intercept)


def observe(table: DeckTable, row: int, cards: int, random: np.random.Generator, *, dated: bool = False) -> Observation:
    """Some cards of a deck drawn at random, as the thesis does: at least two different ones, if there are two."""
    pool = np.repeat(np.arange(len(table.cards)), table.copies[row])
    while True:
        drawn = random.choice(pool, min(cards, len(pool)), replace=False)
        if cards < 2 or len(set(drawn.tolist())) > 1 or len(set(pool.tolist())) == 1:
            break
    copies = np.bincount(drawn, minlength=len(table.cards)).astype(np.int64)
    day = int(table.days[row]) if dated and table.days[row] >= 0 else None
    return Observation(int(table.identity[row]), copies, int(table.sizes[row]), day)
