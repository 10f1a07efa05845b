"""Lords of War with armies that players build from a pool, each in secret.

The general and the five command cards are as printed. The other 30 cards are chosen from the kinds of the army, at most
three of a kind, for the 26 points that the printed army costs: 3 for a special, 2 for an elite, 1 for a veteran. Most
players like one class of units best and take these first. Everything else is as in Lords of War.

The agent `predicted` learns from 200 armies of each sort which armies there are, and searches with armies that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.decks import Card, CardPool, Deck, DeckGame, DeckTable, Problem, Requirements
from boardwright.decks.determinization import PredictedDecks
from boardwright.decks.mixture import MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings
from boardwright.decks.network import NetworkSettings
from boardwright.decks.prediction import Observation as DeckObservation
from boardwright.games.lords import evaluation, information, policies, rules, text
from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import (
    ARMIES,
    CLASS,
    CLASSES,
    COPIES,
    DECKS,
    GENERAL,
    IS_COMMAND,
    KINDS,
    deck_at_row,
    deck_number,
    table_row,
)
from boardwright.games.lords.piles import add_to_hand, draw_card
from boardwright.games.lords.state import (
    HAND,
    MAX_LEGAL,
    NONE,
    NUM_ACTIONS,
    OPTIONS,
    STATE,
)
from boardwright.kernel import Actions, Game, Information, Observation, Record, Rules, SearchKnowledge, Text, rng, rule
from boardwright.kernel.records import record

CHOSEN = 30
LIMIT = 3
BUDGET = 26
CANDIDATES = 64
ANY_CLASS = len(CLASSES)
NUM_ARMIES = len(ARMIES)
_POINTS = {"special": 3, "elite": 2, "veteran": 1}

POINTS = np.zeros((len(DECKS), KINDS), np.int64)
"""What a card of each kind costs."""
MOST = np.zeros((len(DECKS), KINDS), np.int64)
"""How many an army may have; 0 for command cards, which all armies have as printed."""
for _deck, _kinds in enumerate(DECKS):
    for _kind, _card in enumerate(_kinds):
        POINTS[_deck, _kind] = _POINTS.get(_card.rank, 0)
        MOST[_deck, _kind] = 0 if _card.is_command else LIMIT


def _pool_state() -> np.dtype[Any]:
    """The record of Lords of War, with room for more shots, and the armies."""
    fields = {name: (STATE[name].base, STATE[name].shape) for name in STATE.names or ()}
    fields |= {name: (np.dtype("i1"), (SQUARES,)) for name in ("shooters", "targets")}
    return record(
        **fields,
        army=("i1", (SEATS, KINDS)),  # how many cards of each kind a seat has, wherever they are
        believed=("i1", (CANDIDATES, KINDS)),  # candidates for the other army, in observations that are searched
        num_believed="i2",
    )


@rule
def deck_of_seat(s: Record, seat: int) -> int:
    return deck_at_row(s.row[seat])


@rule
def choose_cards(army: Any, deck: int, liked: int, rng_state: Any) -> None:
    """Add cards at random until the army is whole; a liked class is taken three times in four."""
    chosen, spent = 0, 0
    for kind in range(KINDS):
        if MOST[deck, kind]:
            chosen += army[kind]
            spent += army[kind] * POINTS[deck, kind]
    while chosen < CHOSEN:
        kind = rng.below(rng_state, KINDS)
        strange = liked != ANY_CLASS and CLASS[table_row(0, deck) + kind] != liked
        if strange and rng.below(rng_state, 8) > 0:
            continue
        if army[kind] < MOST[deck, kind] and spent + POINTS[deck, kind] <= BUDGET:
            army[kind] += 1
            chosen += 1
            spent += POINTS[deck, kind]


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rules.clear_board(s, options)
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, seed)
    build_and_deal(s, 0, deck_number(options[1], options[0] % NUM_ARMIES), rng_state)
    build_and_deal(s, 1, deck_number(options[1], options[0] // NUM_ARMIES % NUM_ARMIES), rng_state)


@rule
def build_and_deal(s: Record, seat: int, deck: int, rng_state: Any) -> None:
    s.row[seat] = table_row(seat, deck)
    commands(s, seat, deck)
    choose_cards(s.army[seat], deck, rng.below(rng_state, ANY_CLASS + 1), rng_state)
    general = GENERAL[deck]
    size = 0
    for kind in range(KINDS):
        for _ in range(s.army[seat, kind] - (kind == general)):
            s.deck[seat, size] = kind
            size += 1
    rng.shuffle(rng_state, s.deck[seat], size)
    s.deck_size[seat] = size
    add_to_hand(s, seat, general)
    s.known[seat, general] = 1
    for _ in range(HAND - 1):
        draw_card(s, seat)


@rule
def commands(s: Record, seat: int, deck: int) -> None:
    for kind in range(KINDS):
        s.army[seat, kind] = COPIES[deck, kind] if IS_COMMAND[table_row(0, deck) + kind] else 0


@rule
def observe(s: Record, seat: int) -> None:
    information.observe(s, seat)
    if not information.is_open(s):
        s.army[1 - seat] = 0


@rule
def seen_cards(s: Record, owner: int, kind: int) -> int:
    n = s.hand[owner, kind] + s.dead[owner, kind]
    for square in range(SQUARES):
        n += s.occupied[owner] >> square & 1 and s.card[square] == kind
    return n


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    """The other army: one of the candidates, or the seen cards and any others; then decks and the other hand."""
    if information.is_open(s):
        return
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, seed)
    other = 1 - seat
    if s.num_believed > 0:
        s.army[other] = s.believed[rng.below(rng_state, s.num_believed)]
    else:
        deck = deck_of_seat(s, other)
        commands(s, other, deck)
        for kind in range(KINDS):
            if MOST[deck, kind]:
                s.army[other, kind] = seen_cards(s, other, kind)
        choose_cards(s.army[other], deck, ANY_CLASS, rng_state)
    for owner in range(SEATS):
        deal_unseen(s, owner, rng_state)


@rule
def deal_unseen(s: Record, owner: int, rng_state: Any) -> None:
    """The deck, and where the hand is hidden, its unknown cards."""
    unseen = s.deck[owner]
    size = 0
    for kind in range(KINDS):
        for _ in range(s.army[owner, kind] - seen_cards(s, owner, kind)):
            unseen[size] = kind
            size += 1
    rng.shuffle(rng_state, unseen, size)
    while size > s.deck_size[owner]:
        size -= 1
        kind = unseen[size]
        s.hand[owner, kind] += 1
        s.hand_kinds[owner] |= 1 << kind
        unseen[size] = NONE


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Shuffle what is hidden, and exchange one hidden card for another that the army may have."""
    information.scramble(s, seat, random)
    other = 1 - seat
    if information.is_open(s) or s.deck_size[other] == 0:
        return
    deck, top = deck_of_seat(s, other), s.deck_size[other] - 1
    old = s.deck[other, top]
    for new in random.permutation(KINDS).tolist():
        if s.army[other, new] < MOST[deck, new] and MOST[deck, old] and POINTS[deck, new] == POINTS[deck, old]:
            s.deck[other, top] = new
            s.army[other, old] -= 1
            s.army[other, new] += 1
            return


# What armies there are


def code(army: str, kind: int) -> str:
    return f"{army}.{kind}"


KIND_OF = {code(army, kind): (number, kind) for number, army in enumerate(ARMIES) for kind in range(len(DECKS[number]))}
CHOICES = tuple(name for name, (deck, kind) in KIND_OF.items() if MOST[deck, kind])
"""The cards that players choose from, all armies one after the other."""
POOL = CardPool(
    [
        *(Card(army, DECKS[number][GENERAL[number]].name, "identity", 1) for number, army in enumerate(ARMIES)),
        *(Card(name, f"{DECKS[deck][kind].name} ({name})", DECKS[deck][kind].rank, LIMIT)
          for name, (deck, kind) in KIND_OF.items()),
    ]
)  # fmt: skip


class PoolConstruction:
    def problems(self, deck: Deck) -> list[Problem]:
        needed = self.requirements(deck.identity, deck.size, tuple(deck.cards))
        copies = np.array(list(deck.cards.values()))
        found = [Problem("too many", name) for name in np.array(list(deck.cards))[copies > needed.limit]]
        if deck.size != CHOSEN:
            found.append(Problem(f"{deck.size} cards; an army chooses {CHOSEN}"))
        if (spent := needed.spent(copies)) > BUDGET:
            found.append(Problem(f"{spent} points spent; there are {BUDGET}"))
        return found

    def requirements(self, identity: str, size: int, cards: Sequence[str]) -> Requirements:
        own = [name.startswith(f"{identity}.") for name in cards]
        nothing = np.zeros(len(cards), np.int64)
        cost = np.array([POINTS[KIND_OF[name]] for name in cards], np.int64)
        limit = np.array([MOST[KIND_OF[name]] for name in cards], np.int64) * own
        return Requirements(limit, cost, nothing.astype(np.bool_), BUDGET, nothing, 0, 0)

    def minimum_size(self, identity: str) -> int:
        return CHOSEN

    def group(self, identity: str) -> str:
        return identity

    def side(self, name: str) -> str:
        return name.partition(".")[0]

    def released(self, name: str) -> str:
        return ""


ARMY_DECKS = DeckGame("lords_pool", "Lords of War, armies from a pool", POOL, PoolConstruction())


def chosen_cards(army: str, copies: Any) -> dict[str, int]:
    """The chosen cards of an army that is given by kind."""
    found = {code(army, kind): int(number) for kind, number in enumerate(copies) if number}
    return {name: number for name, number in found.items() if name in CHOICES}


def armies_of_games(army: str, number: int, seed: int) -> list[Deck]:
    """Armies as they are met in games: what a player learns from."""
    positions = [game.new(seed=seed + place, armies=f"{army},{army}") for place in range(number)]
    return [Deck(army, chosen_cards(army, position.record.army[0])) for position in positions]


@cache
def learned(number: int = 200, seed: int = 1_000_000) -> DeckModel:
    settings = ModelSettings(network=NetworkSettings(hidden=16, epochs=15), mixture=MixtureSettings(archetypes=8))
    decks = [deck for army in ARMIES for deck in armies_of_games(army, number, seed)]
    return DeckModel.learn(ARMY_DECKS, DeckTable.of(decks, CHOICES, ARMIES), settings)


class ArmyBeliefs:
    """What a seat knows of the other army, and what it believes."""

    def seen(self, observation: Observation) -> Iterator[tuple[int, DeckObservation]]:
        s, other = observation.record, 1 - observation.seat
        if information.is_open(s):
            return
        army = ARMIES[deck_of_seat(s, other) % NUM_ARMIES]
        cards = chosen_cards(army, [seen_cards(s, other, kind) for kind in range(KINDS)])
        copies = np.array([cards.get(name, 0) for name in CHOICES], np.int64)
        yield other, DeckObservation(ARMIES.index(army), copies, CHOSEN)

    def believe(self, s: Record, seat: int, decks: Sequence[NDArray[np.int64]]) -> None:
        deck = deck_of_seat(s, seat)
        commands(s, seat, deck)
        army = np.asarray(s.army[seat]).copy()
        for place, copies in enumerate(decks[:CANDIDATES]):
            s.believed[place] = army
            for column in np.flatnonzero(copies):
                s.believed[place, KIND_OF[CHOICES[column]][1]] = copies[column]
        s.num_believed = min(len(decks), CANDIDATES)


class Predicted(PredictedDecks):
    """Information set MCTS that expects the armies that are usual."""

    def beliefs(self) -> ArmyBeliefs:
        return ArmyBeliefs()

    def model(self) -> DeckModel:
        return learned()


game = Game(
    name="lords_pool",
    title="Lords of War, armies from a pool",
    state=_pool_state(),
    seats=(SEATS,),
    num_actions=NUM_ACTIONS,
    chance="deal",
    max_legal=MAX_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    options=OPTIONS | {"armies": replace(OPTIONS["armies"], choices=ARMIES)},
    agents={"predicted": Predicted},
    rules=Rules(
        setup=setup,
        player=rules.player,
        legal=rules.legal,
        apply=rules.apply,
        returns=rules.returns,
        scores=rules.scores,
    ),
    information=Information(
        observe=observe,
        determinize=determinize,
        is_open=information.is_open,
        announced=information.announced,
        scramble=scramble,
    ),
    search=SearchKnowledge(
        policies={"greedy": policies.greedy},
        evaluations=evaluation.EVALUATIONS,
        rankings=tuple(evaluation.HEURISTICS),
        defaults={"plies": 4, "evaluation": "scaled_h4"},
    ),
    text=Text(describe_action=text.describe_action, show_state=text.show_state),
)
