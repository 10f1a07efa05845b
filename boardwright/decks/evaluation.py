"""How well predictors do: folds, both readings of the thesis's protocol, near duplicates left out, later decks.

Match accuracy is the share of the true deck that the predicted one contains, copy by copy. Both have the same size,
and what was seen is in both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple
from typing import Protocol as Interface

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.apriori import ALGORITHMS, RulePredictor
from boardwright.decks.construction import DeckGame
from boardwright.decks.errors import BadDeck
from boardwright.decks.model import UNCALIBRATED, DeckModel, ModelSettings, observe
from boardwright.decks.popularity import Popularity
from boardwright.decks.prediction import Observation, Prediction, Rulebook
from boardwright.decks.rule_base import RuleBase, RuleSettings
from boardwright.decks.table import DeckTable, day_number
from boardwright.errors import UnknownName
from boardwright.executors import Executor, InProcess

LEARNED = ("popular", "archetypes", "nearest", "posterior", "network", "shared", "best")
"""What is learned besides rules: popularity given the identity, the members of the best predictor, the model that can
be passed on (network and archetypes), and the best."""
PREDICTORS = (*ALGORITHMS, *LEARNED)
BINS = 20


@dataclass(frozen=True)
class Protocol:
    observed: tuple[int, ...] = (5,)
    """How many cards are seen besides the identity; several numbers: each in turn."""
    folds: int = 30
    learn_from: Literal["rest", "fold"] = "rest"
    """All decks but one fold, or one fold alone: the thesis can be read both ways."""
    decks: int | None = None
    """How many decks take part, drawn at random; None: all."""
    per_fold: int | None = None
    """How many decks of a fold are predicted; None: all."""
    test_folds: int | None = None
    """How many of the folds are predicted; None: all. They are alike, and each has to be learned for."""
    similar: float | None = None
    """Training decks that share more than this part of their cards with a test deck are left out."""
    since: str | None = None
    """Predict decks from this date on, learning from earlier ones; no folds then."""
    every: int | None = None
    """With `since`: learn again after this many days; None: learn once."""
    dated: bool = False
    """Whether the date of the hidden deck is known."""
    sized: bool = True
    """Whether the size of the hidden deck is known; if not, predictors that give probabilities guess it."""
    seed: int = 1


class Split(NamedTuple):
    training: NDArray[np.int64]
    test: NDArray[np.int64]


@dataclass
class Score:
    """One predictor over all test decks, with one number of seen cards."""

    name: str
    observed: int
    """How many cards it had seen."""
    accuracies: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    """The accuracies that it expected, if it gives probabilities."""
    counted: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))
    """Unseen cards by their chance."""
    present: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))
    """How many of these cards the decks had."""
    chances: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """The sums of the chances of these cards."""
    unanswered: int = 0
    """Decks for which what was seen was refused. They count as 0 %."""

    @property
    def mean(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, as if decks were independent."""
        margin = 1.96 * float(np.std(self.accuracies)) / max(len(self.accuracies), 1) ** 0.5
        return self.mean - margin, self.mean + margin

    @property
    def calibration_error(self) -> float:
        """The mean distance between chances and frequencies over the bins, weighted by cards."""
        off = np.abs(self.present - self.chances).sum()
        return float(off / max(int(self.counted.sum()), 1))

    def merge(self, other: Score) -> None:
        self.accuracies += other.accuracies
        self.expected += other.expected
        self.counted += other.counted
        self.present += other.present
        self.chances += other.chances
        self.unanswered += other.unanswered


def splits(table: DeckTable, protocol: Protocol) -> Iterator[Split]:
    random = np.random.default_rng(protocol.seed)
    rows = random.permutation(len(table))
    if protocol.decks is not None:
        if protocol.decks > len(table):
            raise BadDeck(f"{protocol.decks} decks are wanted; there are {len(table)}")
        rows = rows[: protocol.decks]
    if protocol.since is not None:
        yield from _later(table, rows, protocol)
        return
    if not 2 <= protocol.folds <= len(rows):
        if len(rows) < 2:
            raise BadDeck(f"cross-validation divides decks into folds and needs at least 2; there is {len(rows)}")
        raise BadDeck(f"{protocol.folds} folds cannot be made of {len(rows)} decks; choose from 2 to {len(rows)}")
    folds = [rows[fold :: protocol.folds] for fold in range(protocol.folds)]
    for number, fold in enumerate(folds[: protocol.test_folds]):
        if protocol.learn_from == "fold":
            training = folds[(number + 1) % len(folds)]
        else:
            training = np.concatenate([fold for other, fold in enumerate(folds) if other != number])
        yield Split(np.sort(training), _drawn(fold, protocol))


def _drawn(rows: NDArray[np.int64], protocol: Protocol) -> NDArray[np.int64]:
    """The decks that are predicted, of rows in random order. Sorted last: files are in the order of their dates."""
    return np.sort(rows[: protocol.per_fold])


def _later(table: DeckTable, rows: NDArray[np.int64], protocol: Protocol) -> Iterator[Split]:
    first = day_number(protocol.since or "")
    rows = rows[table.days[rows] >= 0]
    days = table.days[rows]
    last = int(days.max(initial=0))
    if last < first or not (days < first).any():
        raise BadDeck(f"no decks both before and from {protocol.since} on; do the decks have dates?")
    for begin in range(first, last + 1, protocol.every or last + 1 - first):
        end = begin + protocol.every if protocol.every else last + 1
        test = rows[(days >= begin) & (days < end)]
        if len(test):
            yield Split(np.sort(rows[days < begin]), _drawn(test, protocol))


def without_similar(table: DeckTable, split: Split, share: float) -> Split:
    """Leave out training decks that share more than a part of their cards with any test deck."""
    training = table.rows(split.training)
    keep = np.ones(len(training), np.bool_)
    for row in split.test:
        keep &= training.shared(table.copies[row]) <= share * table.sizes[row]
    return Split(split.training[keep], split.test)


def evaluate_split(
    game: DeckGame,
    table: DeckTable,
    split: Split,
    number: int,
    predictors: Sequence[str],
    protocol: Protocol,
    rules: RuleSettings,
    settings: ModelSettings,
) -> list[Score]:
    """Learn from a split's training decks and predict its test decks."""
    if protocol.similar is not None:
        split = without_similar(table, split, protocol.similar)
    training = table.rows(split.training)
    models = learned_models(game, training.met(), predictors, settings)
    base = RuleBase(game, training, rules)
    by_rules = {name: RulePredictor(name, base) for name in predictors if name not in models}
    scores: list[Score] = []
    for observed in protocol.observed:
        random = np.random.default_rng((protocol.seed, number, observed))
        found = {name: Score(name, observed) for name in predictors}
        for row in split.test:
            seen = observe(table, int(row), observed, random, dated=protocol.dated)
            for name, model in models.items():
                _add_prediction(found[name], model, table, seen, table.copies[row], sized=protocol.sized)
            for name, predictor in by_rules.items():
                found[name].accuracies.append(_match(predictor.predict(seen), table.copies[row]))
        scores += found.values()
    return scores


def check_predictors(names: Sequence[str]) -> None:
    for name in names:
        if name not in PREDICTORS:
            raise UnknownName("predictor", name, PREDICTORS)


class Forecaster(Interface):
    """A predictor that gives probabilities."""

    @property
    def book(self) -> Rulebook: ...

    def observation(
        self, identity: str, seen: Mapping[str, int], size: int | None = None, day: int | None = None
    ) -> Observation: ...

    def prediction(self, seen: Observation) -> Prediction: ...


def learned_models(
    game: DeckGame, training: DeckTable, names: Sequence[str], settings: ModelSettings
) -> dict[str, Forecaster]:
    """The predictors that give probabilities; but for `popular` they are one model with different shares."""
    found: dict[str, Forecaster] = {}
    if "popular" in names:
        found["popular"] = Popularity(game, training)
    if set(names) & set(LEARNED) - {"popular"}:
        model = DeckModel.learn(game, training, settings)
        shared = model.without_decks()
        found |= {
            "archetypes": _with_shares(shared, network=0.0),
            "nearest": _with_shares(model, nearest=1.0),
            "posterior": _with_shares(model),
            "network": _with_shares(model, network=1.0),
            "shared": shared,
            "best": model,
        }
    return {name: model for name, model in found.items() if name in names}


def _with_shares(model: DeckModel, network: float = 0.0, nearest: float = 0.0) -> DeckModel:
    """A member alone, as it is without calibration."""
    shares = replace(
        model.settings,
        network_share=network,
        nearest_share=nearest,
        network_share_later=network,
        nearest_share_later=nearest,
        network_share_without_decks=network,
    )
    sides = [replace(side, calibration=UNCALIBRATED) for side in model.sides]
    return replace(model, settings=shares, sides=sides)


def _match(predicted: NDArray[np.int64], true: NDArray[np.uint8]) -> float:
    return float(np.minimum(predicted, true).sum() / true.sum())


def _add_prediction(
    score: Score, model: Forecaster, table: DeckTable, seen: Observation, true: NDArray[np.uint8], *, sized: bool
) -> None:
    """Ask as the command does, by codes: the model may never have met a card or the identity of the deck."""
    codes = {table.cards[card]: int(seen.copies[card]) for card in np.flatnonzero(seen.copies)}
    try:
        asked = model.observation(table.identities[seen.identity], codes, seen.size if sized else None, seen.day)
    except BadDeck:
        score.unanswered += 1
        score.accuracies.append(0.0)
        score.expected.append(0.0)
        return
    prediction = model.prediction(asked)
    columns = table.columns(model.book.cards)
    truth = true[columns]
    right = int(np.minimum(prediction.copies, truth).sum()) + asked.num_others
    score.accuracies.append(right / int(true.sum()))
    score.expected.append(prediction.expected_accuracy)
    unseen = (model.book.limits_left(asked).limit > 0) & (asked.copies == 0)
    chance = prediction.at_least[unseen, 0]
    place = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    score.counted += np.bincount(place, minlength=BINS)
    score.present += np.bincount(place, weights=truth[unseen] > 0, minlength=BINS).astype(np.int64)
    score.chances += np.bincount(place, weights=chance, minlength=BINS)


@dataclass(frozen=True)
class _Task:
    """What every split needs; travels to other processes."""

    game: DeckGame
    table: DeckTable
    predictors: tuple[str, ...]
    protocol: Protocol
    rules: RuleSettings
    settings: ModelSettings

    def __call__(self, numbered: tuple[int, Split]) -> tuple[int, list[Score]]:
        number, split = numbered
        return number, evaluate_split(
            self.game, self.table, split, number, self.predictors, self.protocol, self.rules, self.settings
        )


def evaluate_splits(
    game: DeckGame,
    table: DeckTable,
    predictors: Sequence[str],
    protocol: Protocol,
    *,
    rules: RuleSettings | None = None,
    settings: ModelSettings | None = None,
    executor: Executor | None = None,
    known: Collection[int] = (),
) -> Iterator[tuple[int, list[Score]]]:
    """The scores of each split as they come, with the split's number: for each number of seen cards, one per predictor.
    `known` splits are left out."""
    check_predictors(predictors)
    task = _Task(game, table, tuple(predictors), protocol, rules or RuleSettings(), settings or ModelSettings())
    wanted = [(number, split) for number, split in enumerate(splits(table, protocol)) if number not in known]
    yield from (executor or InProcess()).run(task, wanted)


def evaluate(
    game: DeckGame,
    table: DeckTable,
    predictors: Sequence[str],
    protocol: Protocol,
    *,
    rules: RuleSettings | None = None,
    settings: ModelSettings | None = None,
    executor: Executor | None = None,
    on_split: Callable[[int, int], None] = lambda done, of: None,
) -> list[Score]:
    """The scores of some predictors over all splits; `on_split` is called with how many are done."""
    totals = [Score(name, observed) for observed in protocol.observed for name in predictors]
    number = sum(1 for _ in splits(table, protocol))
    found = evaluate_splits(game, table, predictors, protocol, rules=rules, settings=settings, executor=executor)
    for done, (_, scores) in enumerate(found, 1):
        for total, score in zip(totals, scores, strict=True):
            total.merge(score)
        on_split(done, number)
    return totals
