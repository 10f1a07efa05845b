"""A duel with constructed decks: the smallest game in which it pays to guess what the other deck contains.

Nine kinds of cards: three suits, each of which beats the next, in three ranks. A deck has 12 cards, at most three of a
kind; two players in three build theirs around one suit. Both hold four cards; each round both choose one in secret,
then both are shown. The suit that beats the other scores 3; of equal suits the higher rank scores 1. After eight rounds
the higher score wins. A seat knows its own deck and what the other has played.

The agent `predicted` learns from 600 decks of other games which decks there are, and searches with decks that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.decks import Card, CardPool, Deck, DeckGame, DeckTable, Problem, Requirements
from boardwright.decks.construction import NO_BUDGET
from boardwright.decks.determinization import PredictedDecks
from boardwright.decks.mixture import MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings
from boardwright.decks.network import NetworkSettings
from boardwright.decks.prediction import Observation as DeckObservation
from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Information,
    Observation,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)

SUITS, RANKS = 3, 3
KINDS = SUITS * RANKS
DECK, HAND, ROUNDS, LIMIT = 12, 4, 8, 3
CANDIDATES = 64
NONE = -1
UNSEEN = KINDS  # what the other sees of the first choice of a round

STATE = record(
    pile=("i1", (2, KINDS)),  # what is left to draw
    hand=("i1", (2, KINDS)),
    played=("i1", (2, KINDS)),  # open to all
    choice="i1",  # of seat 0 in this round, or NONE
    round="i1",
    score=("i1", 2),
    believed=("i1", (CANDIDATES, KINDS)),  # candidates for the other deck, in observations that are searched
    num_believed="i2",
    rng=RNG,
)


@rule
def build(rng_state: Any, deck: Any) -> None:
    """A deck as players build them."""
    favourite = rng.below(rng_state, SUITS) if rng.below(rng_state, 3) < 2 else NONE
    cards = 0
    while cards < DECK:
        suit = favourite if favourite != NONE and rng.below(rng_state, 4) < 3 else rng.below(rng_state, SUITS)
        kind = RANKS * suit + rng.below(rng_state, RANKS)
        if deck[kind] < LIMIT:
            deck[kind] += 1
            cards += 1


@rule
def draw(rng_state: Any, pile: Any, left: int) -> int:
    """Take a card of a pile at random."""
    place = rng.below(rng_state, left)
    kind = 0
    while place >= pile[kind]:
        place -= pile[kind]
        kind += 1
    pile[kind] -= 1
    return kind


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.choice = NONE
    for seat in range(2):
        build(s.rng, s.pile[seat])
        for place in range(HAND):
            s.hand[seat, draw(s.rng, s.pile[seat], DECK - place)] += 1


@rule
def player(s: Record) -> int:
    if s.round == ROUNDS:
        return TERMINAL
    return 0 if s.choice == NONE else 1


@rule
def legal(s: Record, out: Actions) -> int:
    n = 0
    for kind in range(KINDS):
        if s.hand[player(s), kind] > 0:
            out[n] = kind
            n += 1
    return n


@rule
def apply(s: Record, action: int) -> None:
    if s.choice == NONE:
        s.choice = action
        s.hand[0, action] -= 1
        return
    s.hand[1, action] -= 1
    first = np.int64(s.choice)
    lead = (action // RANKS - first // RANKS) % SUITS
    if lead == 0 and first != action:
        s.score[0 if first > action else 1] += 1
    elif lead != 0:
        s.score[0 if lead == 1 else 1] += 3
    s.played[0, first] += 1
    s.played[1, action] += 1
    s.choice = NONE
    s.round += 1
    for seat in range(2):
        left = s.pile[seat].sum()
        if left > 0:
            s.hand[seat, draw(s.rng, s.pile[seat], left)] += 1


@rule
def returns(s: Record, out: Returns) -> None:
    out[0] = 1.0 if s.score[0] > s.score[1] else -1.0 if s.score[0] < s.score[1] else 0.0
    out[1] = -out[0]


@rule
def scores(s: Record, out: Returns) -> None:
    out[0], out[1] = s.score[0], s.score[1]


@rule
def observe(s: Record, seat: int) -> None:
    other = 1 - seat
    s.pile[other] = 0
    s.hand[other] = 0
    s.rng[:] = 0
    if other == 0 and s.choice != NONE:
        s.choice = UNSEEN


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    """The other deck: one of the candidates, or any cards beside those played; then its choice and its hand."""
    rng.seed(s.rng, seed)
    other = 1 - seat
    left = DECK - s.round
    if s.num_believed > 0:
        candidate = rng.below(s.rng, s.num_believed)
        for kind in range(KINDS):
            s.pile[other, kind] = s.believed[candidate, kind] - s.played[other, kind]
    else:
        cards = 0
        while cards < left:
            kind = rng.below(s.rng, KINDS)
            if s.pile[other, kind] + s.played[other, kind] < LIMIT:
                s.pile[other, kind] += 1
                cards += 1
    held = HAND
    if s.choice == UNSEEN:
        s.choice = draw(s.rng, s.pile[other], left)
        left -= 1
        held -= 1
    for place in range(min(held, left)):
        s.hand[other, draw(s.rng, s.pile[other], left - place)] += 1


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    return UNSEEN if s.choice == NONE else action


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Exchange what the other seat holds, has chosen and is to draw."""
    other = 1 - seat
    hidden = s.choice != NONE and other == 0
    held = int(s.hand[other].sum())
    cards = np.repeat(np.arange(KINDS), s.pile[other] + s.hand[other]).tolist() + ([int(s.choice)] if hidden else [])
    random.shuffle(cards)
    if hidden:
        s.choice = cards.pop()
    s.hand[other] = np.bincount(cards[:held], minlength=KINDS)
    s.pile[other] = np.bincount(cards[held:], minlength=KINDS)


def name_of(kind: int) -> str:
    return f"{('rock', 'scissors', 'paper')[kind // RANKS]} {kind % RANKS + 1}"


class DuelConstruction:
    """Twelve cards, at most three of a kind; there is nothing else to it."""

    def problems(self, deck: Deck) -> list[Problem]:
        many = [
            Problem(f"{n} copies; at most {LIMIT} are allowed", code) for code, n in deck.cards.items() if n > LIMIT
        ]
        return many if deck.size == DECK else [*many, Problem(f"{deck.size} cards; a deck has {DECK}")]

    def requirements(self, identity: str, size: int, cards: Sequence[str]) -> Requirements:
        nothing, free = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.bool_)
        return Requirements(np.full(len(cards), LIMIT), nothing, free, NO_BUDGET, nothing, 0, 0)

    def minimum_size(self, identity: str) -> int:
        return DECK

    def group(self, identity: str) -> str:
        return DUELIST

    def side(self, code: str) -> str:
        return DUELIST

    def released(self, code: str) -> str:
        return ""


CARDS = tuple(str(kind) for kind in range(KINDS))
DUELIST = "duelist"
POOL = CardPool(
    [Card(DUELIST, "Duelist", "identity", 1), *(Card(code, name_of(int(code)), "card", LIMIT) for code in CARDS)]
)
DUEL_DECKS = DeckGame("deck_duel", "Deck duel", POOL, DuelConstruction())


def decks_of_games(number: int, seed: int) -> list[Deck]:
    """Decks as they are met in games: what a player learns from."""
    decks = []
    for place in range(number):
        s = game.new(seed=seed + place).record
        copies = np.asarray(s.pile[0]) + np.asarray(s.hand[0])
        decks.append(Deck(DUELIST, {code: int(n) for code, n in zip(CARDS, copies, strict=True) if n}))
    return decks


@cache
def learned(number: int = 600, seed: int = 1_000_000) -> DeckModel:
    settings = ModelSettings(network=NetworkSettings(hidden=16, epochs=15), mixture=MixtureSettings(archetypes=8))
    return DeckModel.learn(DUEL_DECKS, DeckTable.of(decks_of_games(number, seed), CARDS, (DUELIST,)), settings)


class DuelBeliefs:
    def seen(self, observation: Observation) -> Iterator[tuple[int, DeckObservation]]:
        other = 1 - observation.seat
        yield other, DeckObservation(0, np.asarray(observation.record.played[other]).astype(np.int64), DECK)

    def believe(self, s: Record, seat: int, decks: Sequence[NDArray[np.int64]]) -> None:
        for place, copies in enumerate(decks[:CANDIDATES]):
            s.believed[place] = copies
        s.num_believed = min(len(decks), CANDIDATES)


class Predicted(PredictedDecks):
    """Information set MCTS that expects the decks that are usual."""

    def beliefs(self) -> DuelBeliefs:
        return DuelBeliefs()

    def model(self) -> DeckModel:
        return learned()


game = Game(
    name="deck_duel",
    title="Deck duel",
    state=STATE,
    seats=(2,),
    num_actions=KINDS,
    chance="play",
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns, scores=scores),
    information=Information(
        observe=observe,
        determinize=determinize,
        action_observation=action_observation,
        num_action_observations=KINDS + 1,
        scramble=scramble,
    ),
    text=Text(describe_action=lambda s, action: name_of(action)),
    agents={"predicted": Predicted},
)
