"""A draft in one file: hands that are passed on, choices made at the same time, two ages with decks of their own.

Three players hold three cards each. All choose one in secret, lay it down together and pass the rest on: to the left in
the first age, to the right in the second. What a seat has passed on it still knows. Three of each age's twelve cards
stay in the deck. Whoever laid down most in value wins; two cards of one suit score one more.
"""

from __future__ import annotations

import numpy as np

from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Information,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)
from boardwright.kernel.bits import mix

SEATS, AGES, PER_AGE, HAND = 3, 2, 12, 3
CARDS = AGES * PER_AGE
SUITS = 4
NONE = -1
UNSEEN = CARDS  # what others see of a choice

STATE = record(
    deck=("i1", CARDS),
    hand=("i1", (SEATS, CARDS)),
    laid=("i1", (SEATS, CARDS)),  # open to all
    choice=("i1", SEATS),  # of this round, or NONE
    age="i1",
    round="i1",
    rng=RNG,
)


@rule
def deal(s: Record) -> None:
    """Three cards of the age's deck to everybody."""
    for seat in range(SEATS):
        for _ in range(HAND):
            card = PER_AGE * s.age + rng.below(s.rng, PER_AGE)
            while s.deck[card] == 0:
                card = PER_AGE * s.age + rng.below(s.rng, PER_AGE)
            s.deck[card] -= 1
            s.hand[seat, card] += 1


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.deck[:] = 1
    s.choice[:] = NONE
    deal(s)


@rule
def player(s: Record) -> int:
    if s.age == AGES:
        return TERMINAL
    for seat in range(SEATS):
        if s.choice[seat] == NONE:
            return seat
    return TERMINAL


@rule
def legal(s: Record, out: Actions) -> int:
    n = 0
    for card in range(CARDS):
        if s.hand[player(s), card] > 0:
            out[n] = card
            n += 1
    return n


@rule
def left_of(s: Record, seat: int) -> int:
    """Whom a seat passes its cards to."""
    return (seat + 1) % SEATS if s.age == 0 else (seat + 2) % SEATS


@rule
def pass_on(s: Record) -> None:
    before = s.hand.copy()
    for seat in range(SEATS):
        s.hand[left_of(s, seat)] = before[seat]


@rule
def apply(s: Record, action: int) -> None:
    seat = player(s)
    s.choice[seat] = action
    if seat < SEATS - 1:
        return
    for one in range(SEATS):
        s.hand[one, s.choice[one]] -= 1
        s.laid[one, s.choice[one]] += 1
    s.choice[:] = NONE
    pass_on(s)
    s.round += 1
    if s.round == HAND:
        s.round = 0
        s.age += 1
        if s.age < AGES:
            deal(s)


@rule
def points(s: Record, seat: int) -> int:
    total = 0
    for suit in range(SUITS):
        cards = 0
        for card in range(CARDS):
            if s.laid[seat, card] and card % SUITS == suit:
                cards += 1
                total += card % PER_AGE
        total += 1 if cards >= 2 else 0
    return total


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(SEATS):
        out[seat] = points(s, seat)


@rule
def returns(s: Record, out: Returns) -> None:
    best = max(points(s, 0), points(s, 1), points(s, 2))
    winners = 0
    for seat in range(SEATS):
        winners += 1 if points(s, seat) == best else 0
    for seat in range(SEATS):
        out[seat] = 1.0 / winners if points(s, seat) == best else 0.0


@rule
def has_seen(s: Record, seat: int, holder: int) -> bool:
    """Whether a seat knows the hand that another holds: it held it before."""
    at = holder
    for _ in range(s.round + 1):
        if at == seat:
            return True
        at = (at + 2) % SEATS if s.age == 0 else (at + 1) % SEATS
    return False


@rule
def observe(s: Record, seat: int) -> None:
    s.rng[:] = 0
    s.deck[PER_AGE * s.age : PER_AGE * (s.age + 1)] = 0
    for other in range(SEATS):
        if not has_seen(s, seat, other):
            s.hand[other] = 0
        if other != seat and s.choice[other] != NONE:
            s.choice[other] = UNSEEN


@rule
def in_sight(s: Record, card: int) -> int:
    """How often a card is laid down or in a hand that is known."""
    return s.laid[:, card].sum() + s.hand[:, card].sum()


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    if s.age == AGES:
        return
    for other in range(SEATS):
        if not has_seen(s, seat, other):
            for _ in range(HAND - s.round):
                card = PER_AGE * s.age + rng.below(s.rng, PER_AGE)
                while in_sight(s, card) > 0:
                    card = PER_AGE * s.age + rng.below(s.rng, PER_AGE)
                s.hand[other, card] = 1
    for card in range(PER_AGE * s.age, PER_AGE * (s.age + 1)):
        s.deck[card] = 1 - in_sight(s, card)
    for other in range(SEATS):
        if s.choice[other] == UNSEEN:
            place = rng.below(s.rng, HAND - s.round)
            for card in range(CARDS):
                if s.hand[other, card]:
                    if place == 0:
                        s.choice[other] = card
                    place -= 1


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    return action if player(s) == SEATS - 1 else UNSEEN  # the last choice is laid down at once


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """What was laid down, and the hand that came, when a round is over."""
    if player(before) < SEATS - 1:
        return 0
    found = 1
    for card in range(CARDS):
        found = mix(found, s.hand[seat, card])
        for other in range(SEATS):
            found = mix(found, s.laid[other, card])
    return found


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Exchange the cards that the seat has never held, and what others have chosen."""
    if s.age == AGES:
        return
    way = 1 if s.age == 0 else -1
    held = {(seat + way * passed) % SEATS for passed in range(s.round + 1)}
    strangers = [other for other in range(SEATS) if other not in held]
    ours = range(PER_AGE * s.age, PER_AGE * (s.age + 1))
    cards = [card for card in ours if s.deck[card] or any(s.hand[other][card] for other in strangers)]
    random.shuffle(cards)
    for other in strangers:
        s.hand[other] = 0
        for _ in range(HAND - s.round):
            s.hand[other][cards.pop()] = 1
    for card in ours:
        s.deck[card] = card in cards
    for other in range(SEATS):
        if other != seat and s.choice[other] != NONE:
            s.choice[other] = random.choice(np.flatnonzero(s.hand[other]))


@rule
def piece_counts(s: Record, out: Actions) -> None:
    for card in range(CARDS):
        out[card] = s.deck[card] + s.hand[:, card].sum() + s.laid[:, card].sum()


def name_of(card: int) -> str:
    return f"{'IV'[card // PER_AGE]}-{'abcd'[card % SUITS]}{card % PER_AGE}"


def show_state(s: Record, seat: int | None) -> str:
    lines = [f"age {s.age + 1}, round {s.round + 1}"]
    for one in range(SEATS):
        laid = " ".join(name_of(card) for card in range(CARDS) if s.laid[one, card])
        held = " ".join(name_of(card) for card in range(CARDS) if s.hand[one, card])
        lines.append(f"seat {one + 1}: laid {laid or 'nothing'}; holds {held or '?'}")
    return "\n".join(lines)


game = Game(
    name="pass_on",
    title="Pass on",
    state=STATE,
    seats=(SEATS,),
    num_actions=CARDS,
    chance="play",
    min_utility=0.0,
    max_utility=1.0,
    rules=Rules(
        setup=setup,
        player=player,
        legal=legal,
        apply=apply,
        returns=returns,
        scores=scores,
        piece_counts=piece_counts,
        num_piece_kinds=CARDS,
    ),
    information=Information(
        observe=observe,
        determinize=determinize,
        action_observation=action_observation,
        num_action_observations=CARDS + 1,
        learned=learned,
        scramble=scramble,
    ),
    text=Text(describe_action=lambda s, action: f"lay {name_of(action)}", show_state=show_state),
)
