"""What a seat of Race for the Galaxy knows (docs/rules/race.md, section 14), and whole states that fit it.

Public: tableaux, which worlds carry goods, chips, and the sizes of hands, deck and discard pile. Hidden: the other
hands, the deck, the cards that lie face down as goods or discards, and choices that are not revealed yet. A seat
remembers what it discarded itself until the discard pile becomes the deck, and, with everybody else, cards that were
turned up or left a tableau.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import FULL, WIDTH, WORDS, add, bits_of, members, nth, remove, size
from boardwright.games.race.cards import CARDS, DESIGN, IS_SECOND, START_WORLDS
from boardwright.games.race.picks import card_for, legal_picks
from boardwright.games.race.piles import LCG_MASK
from boardwright.games.race.rules import legal
from boardwright.games.race.state import (
    CHOOSE_ACTION,
    CONSUME,
    DEVELOP_PLACE,
    DISCARD,
    DONE,
    EXPLORE_KEEP,
    FOR_VP,
    HIDDEN,
    NOTHING,
    NUM_ACTIONS,
    OPEN_SECOND,
    PAY,
    PLACE,
    ROUND_ACTIONS,
    ROUND_CHOOSE,
    ROUND_DISCARD,
    SETTLE_PLACE,
    SETUP_DISCARD,
    UNSEEN_CARD,
    UNSEEN_CHOICE,
)
from boardwright.games.race.tableau import ALPHA_CENTAURI, seat_at
from boardwright.kernel import Actions, Record, rng, rule
from boardwright.kernel.bits import mix


@rule
def picks_from_hand(s: Record) -> bool:
    """Whether the question under way is about cards of a hand, one after the other."""
    return s.question == DISCARD or s.question == PAY or s.question == FOR_VP


@rule
def observe(s: Record, seat: int) -> None:
    for i in range(4):
        s.rng[i] = 0
    s.lcg = 0
    for w in range(WORDS):
        s.deck[w] = 0
        s.discard[w] &= s.knows[seat, w]
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.good[other, place]:
                s.good[other, place] = HIDDEN
        if other != seat:
            hide_seat(s, seat, other)


@rule
def hide_seat(s: Record, seat: int, other: int) -> None:
    for w in range(WORDS):
        s.hand[other, w] &= s.knows[seat, w]
        s.knows[other, w] = 0
        s.fresh[other, w] = 0
        if s.question != CONSUME or s.asked != other:  # goods lie open
            s.picked[other, w] = 0
    if s.asked == other and picks_from_hand(s):
        s.floor = 0
    if s.stage == ROUND_CHOOSE and s.chosen[other]:
        s.chosen[other] = HIDDEN
    if (s.stage == DEVELOP_PLACE or s.stage == SETTLE_PLACE) and has_answered(s, other):
        s.placing[other] = HIDDEN


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    """Cards of a hand go face down, and the answers of those who are asked first stay secret until all are in. Whoever
    lays a card open does not show whether it has the other copy, too."""
    if seat == s.asked:
        return action
    if picks_from_hand(s):
        return action if action == DONE else UNSEEN_CARD
    if (s.question == CHOOSE_ACTION or s.question == PLACE) and s.turn < s.seats:
        return UNSEEN_CHOICE
    if s.question == PLACE and action != DONE:
        card = card_for(s, action)
        return OPEN_SECOND + DESIGN[card] if IS_SECOND[card] else action
    return action


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """Cards it drew, cards that were turned up, and choices of others once all are in."""
    told = 0
    for w in range(WORDS):
        drawn = s.hand[seat, w] & ~before.hand[seat, w]
        turned_up = s.knows[seat, w] & ~before.knows[seat, w] & ~before.hand[seat, w]
        if drawn | turned_up:
            told = mix(mix(mix(told, w), drawn), turned_up)
    chose = before.stage == ROUND_CHOOSE and s.stage != ROUND_CHOOSE
    placed = (before.stage == DEVELOP_PLACE or before.stage == SETTLE_PLACE) and s.stage != before.stage
    if chose or placed:
        for other in range(s.seats):
            if other != seat and chose:
                told = mix(told, s.chosen[other])
            elif other != seat and s.stage != DEVELOP_PLACE and s.stage != SETTLE_PLACE:
                told = mix(told, s.placing[other])
    return told


def announced(s: Record, action: int) -> bool:
    """Goods, powers and guesses are used in the open, and so lie the actions of a round once all have chosen; whether a
    position shows it afterwards or not (two powers may consume the same goods, a round may leave nothing to do)."""
    if s.question == CHOOSE_ACTION:
        return bool(s.turn == s.seats)
    return s.question not in (DISCARD, PAY, FOR_VP, PLACE)


@rule
def has_answered(s: Record, seat: int) -> bool:
    """Whether a seat has had its say in the stage under way, where all are asked in turn order."""
    for turn in range(s.turn):
        if seat_at(s, turn) == seat:
            return s.asked != seat or s.question == NOTHING
    return False


@rule
def take_random(s: Record, unseen: Actions) -> int:
    """One of the unseen cards; all are equally likely."""
    card = nth(unseen, rng.below(s.rng, size(unseen)))
    remove(unseen, card)
    return card


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    if s.original:
        s.lcg = np.int64(rng.next64(s.rng) & np.uint64(LCG_MASK))
    unseen = np.zeros(WORDS, np.int64)
    find_unseen(s, unseen)
    if s.first_good:
        deal_first_good(s, unseen)
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.good[other, place] == HIDDEN:
                s.good[other, place] = 1 + take_random(s, unseen)
        if other != seat:
            for _ in range(s.hand_size[other] - size(s.hand[other])):
                add(s.hand[other], take_random(s, unseen))
    if 2 * (s.discard_size - size(s.discard)) <= size(unseen):
        for _ in range(s.discard_size - size(s.discard)):
            add(s.discard, take_random(s, unseen))
        for w in range(WORDS):
            s.deck[w] = unseen[w]
    else:
        for _ in range(s.deck_size):
            add(s.deck, take_random(s, unseen))
        for w in range(WORDS):
            s.discard[w] |= unseen[w]
    for other in range(s.seats):
        if other != seat:
            fill_choices(s, other)


@rule
def find_unseen(s: Record, unseen: Actions) -> None:
    for w in range(WORDS):
        unseen[w] = FULL & ~s.discard[w]
        for other in range(s.seats):
            unseen[w] &= ~s.hand[other, w]
    for other in range(s.seats):
        for place in range(s.size[other]):
            remove(unseen, s.tableau[other, place])


@rule
def deal_first_good(s: Record, unseen: Actions) -> None:
    """The good that Alpha Centauri got in the setup was drawn while all start worlds were set aside."""
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.tableau[other, place] == ALPHA_CENTAURI and s.good[other, place] == HIDDEN:
                aside = unseen[0] & ((1 << START_WORLDS) - 1)
                unseen[0] ^= aside
                s.good[other, place] = 1 + take_random(s, unseen)
                unseen[0] |= aside


@rule
def fill_choices(s: Record, other: int) -> None:
    """Choices of another seat that are not revealed yet: any it could have made."""
    if s.chosen[other] == HIDDEN:
        s.chosen[other] = ROUND_ACTIONS[rng.below(s.rng, len(ROUND_ACTIONS))]
    if s.stage == EXPLORE_KEEP:
        deal_from_hand(s, other, s.fresh[other], s.drawn[other])
    if s.placing[other] == HIDDEN:
        fill_placement(s, other)
    if s.asked == other and picks_from_hand(s):
        fill_picks(s, other)
    elif s.picks[other] and (s.stage == SETUP_DISCARD or s.stage == EXPLORE_KEEP or s.stage == ROUND_DISCARD):
        deal_from_hand(s, other, s.picked[other], s.picks[other])


@rule
def deal_from_hand(s: Record, seat: int, cards: Actions, n: int) -> None:
    """Put n random cards of a hand into a set; of those drawn in this phase where explorers discard."""
    left = np.zeros(WORDS, np.int64)
    for w in range(WORDS):
        left[w] = s.fresh[seat, w] if s.drawn[seat] and size(s.fresh[seat]) else s.hand[seat, w]
    for _ in range(n):
        add(cards, take_random(s, left))


@rule
def ask_again(s: Record, seat: int, question: int, out: Actions) -> int:
    """The actions a seat would have in a question that is put to it for a moment."""
    asked, before = s.asked, s.question
    s.asked, s.question = seat, question
    n = legal(s, out)
    s.asked, s.question = asked, before
    return n


@rule
def fill_placement(s: Record, other: int) -> None:
    out = np.zeros(NUM_ACTIONS, np.int64)
    floor = s.floor
    s.floor = 0
    action = out[rng.below(s.rng, ask_again(s, other, PLACE, out))]
    asked = s.asked
    s.asked = other
    s.placing[other] = 0 if action == DONE else 1 + card_for(s, action)
    s.asked, s.floor = asked, floor


@rule
def fill_picks(s: Record, other: int) -> None:
    """Picks of the question under way, made at random among the legal ones; as many as are known to be made."""
    made = s.picks[other] - s.left
    s.left = s.picks[other]
    out = np.zeros(NUM_ACTIONS, np.int64)
    for _ in range(made):
        n = legal_picks(s, out)
        action = out[rng.below(s.rng, n)]
        if action == DONE:
            action = out[1 + rng.below(s.rng, n - 1)]
        card = card_for(s, action)
        add(s.picked[other], card)
        s.floor = card + 1
        s.left -= 1


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from the rules above."""
    known = {*members(s.hand[seat]), *members(s.knows[seat])}
    piles = [s.deck, s.discard, *(s.hand[other] for other in range(s.seats) if other != seat)]
    contents = [members(pile) for pile in piles]
    places = [(other, place) for other in range(s.seats) for place in range(s.size[other]) if s.good[other, place]]
    hidden = [card for cards in contents for card in cards if card not in known]
    hidden += [s.good[other, place] - 1 for other, place in places]
    order = iter(random.permutation(hidden).tolist())
    for pile, cards in zip(piles, contents, strict=True):
        pile[:] = bits_of([card if card in known else next(order) for card in cards])
    for other, place in places:
        s.good[other, place] = 1 + next(order)
    for other in range(s.seats):
        if other != seat:
            _scramble_seat(s, other, random)
    s.rng[:] = random.integers(0, 2**63, 4)
    if s.original:
        s.lcg = int(random.integers(0, 2**32))


def _scramble_seat(s: Record, other: int, random: np.random.Generator) -> None:
    s.knows[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.stage == EXPLORE_KEEP:
        s.fresh[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.stage == ROUND_CHOOSE and s.chosen[other]:
        s.chosen[other] = int(random.choice(ROUND_ACTIONS))
    if s.stage in (DEVELOP_PLACE, SETTLE_PLACE) and s.placing[other]:
        s.placing[other] = int(random.integers(1, CARDS + 1))
    open_goods = s.question == CONSUME and s.asked == other
    if not open_goods:
        s.picked[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.asked == other and s.question in (DISCARD, PAY, FOR_VP):
        s.floor = int(random.integers(0, CARDS))
