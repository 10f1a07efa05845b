"""What a seat of Race for the Galaxy knows (docs/rules/race.md, section 14), and whole states that fit it.

Public: tableaux, which worlds carry goods, chips, and the sizes of hands, deck and discard pile. Hidden: the other
hands, the deck, the cards that lie face down as goods or discards, and choices that are not revealed yet. A seat
remembers what it discarded itself and, with everybody else, cards that were turned up or left a tableau; when the
discard pile becomes the deck it remembers that they were in it (recall.py).

Two cards with the same face are one to everybody, so an observation numbers them by where they lie, not by which of
them they are.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race import recall, state
from boardwright.games.race.bits import WIDTH, WORDS, add, bits_of, has, is_empty, lowest, members, nth, remove, size
from boardwright.games.race.cards import CARDS, DESIGN, SECOND_CARD, START_WORLDS
from boardwright.games.race.picks import card_for, legal_picks
from boardwright.games.race.piles import LCG_MASK
from boardwright.games.race.rules import legal
from boardwright.games.race.tableau import ALPHA_CENTAURI, seat_at
from boardwright.kernel import Actions, Record, rng, rule
from boardwright.kernel.bits import mix

_PAIRS = tuple(int(word) for word in bits_of(card - 1 for card in SECOND_CARD))
"""The first cards of those that there are two of; the second is the next one, and never in another word."""


@rule
def picks_from_hand(s: Record) -> bool:
    """Whether the question under way is about cards of a hand, one after the other."""
    return s.question == state.DISCARD or s.question == state.PAY or s.question == state.FOR_VP


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
                s.good[other, place] = state.HIDDEN
        if other != seat:
            hide_seat(s, seat, other)
    recall.forget_others(s, seat)
    number_equal_cards(s, seat)


@rule
def number_equal_cards(s: Record, seat: int) -> None:
    """Of two equal cards the first is the one in a tableau; else that in the seat's own hand; else that of which it
    knows in another way; else that which has been unseen for less time. Two in one place keep their numbers."""
    tableaux = np.zeros((s.seats, WORDS), np.int64)
    for other in range(s.seats):
        for place in range(s.size[other]):
            add(tableaux[other], s.tableau[other, place])
    swapped = np.zeros(WORDS, np.int64)
    for w in range(WORDS):
        pairs = _PAIRS[w]
        swap = 0
        for other in range(s.seats):
            swap, pairs = lower_number(tableaux[other, w], pairs, swap)
        swap, pairs = lower_number(s.hand[seat, w], pairs, swap)
        swap, pairs = lower_number(s.discard[w], pairs, swap)
        swap, pairs = lower_number(s.knows[seat, w], pairs, swap)
        swap, pairs = lower_number(s.shown[w], pairs, swap)
        swap, pairs = lower_number(s.kept[seat, w], pairs, swap)
        for bit in range(state.GENERATION_BITS - 1, -1, -1):
            plane = s.unseen_since[seat, bit, w]
            differ = (plane ^ plane >> 1) & pairs
            swap |= plane >> 1 & differ
            pairs &= ~differ
        swapped[w] = swap
    if not is_empty(swapped):
        swap_numbers(s, seat, swapped)


@rule
def lower_number(cards: int, pairs: int, swap: int) -> tuple[int, int]:
    """Of the pairs that are left, give the lower number to a card of this word of a set; what is swapped by now, and
    which pairs are left then."""
    first, second = cards & pairs, cards >> 1 & pairs
    return swap | second & ~first, pairs & ~(first | second)


@rule
def exchanged(word: int, first: int) -> int:
    """A word of a set in which some pairs of cards have each other's numbers."""
    differ = (word ^ word >> 1) & first
    return word ^ (differ | differ << 1)


@rule
def swap_numbers(s: Record, seat: int, swapped: Actions) -> None:
    for w in range(WORDS):
        first = swapped[w]
        s.discard[w] = exchanged(s.discard[w], first)
        s.shown[w] = exchanged(s.shown[w], first)
        s.knows[seat, w] = exchanged(s.knows[seat, w], first)
        s.kept[seat, w] = exchanged(s.kept[seat, w], first)
        s.fresh[seat, w] = exchanged(s.fresh[seat, w], first)
        for bit in range(state.GENERATION_BITS):
            s.unseen_since[seat, bit, w] = exchanged(s.unseen_since[seat, bit, w], first)
        for other in range(s.seats):
            s.hand[other, w] = exchanged(s.hand[other, w], first)
            s.picked[other, w] = exchanged(s.picked[other, w], first)
    if s.floor > 0:
        s.floor = 1 + other_number(s.floor - 1, swapped)
    for other in range(s.seats):
        for place in range(s.size[other]):
            s.tableau[other, place] = other_number(s.tableau[other, place], swapped)
        if s.placing[other] != 0 and s.placing[other] != state.HIDDEN:
            s.placing[other] = 1 + other_number(s.placing[other] - 1, swapped)


@rule
def other_number(card: int, swapped: Actions) -> int:
    if has(swapped, card):
        return card + 1
    return card - 1 if card > 0 and has(swapped, card - 1) else card


@rule
def hide_seat(s: Record, seat: int, other: int) -> None:
    for w in range(WORDS):
        s.hand[other, w] &= s.knows[seat, w]
        s.knows[other, w] = 0
        s.fresh[other, w] = 0
        if s.question != state.CONSUME or s.asked != other:  # goods lie open
            s.picked[other, w] = 0
    if s.asked == other and picks_from_hand(s):
        s.floor = 0
    if s.stage == state.ROUND_CHOOSE and s.chosen[other]:
        s.chosen[other] = state.HIDDEN
    if (s.stage == state.DEVELOP_PLACE or s.stage == state.SETTLE_PLACE) and has_answered(s, other):
        s.placing[other] = state.HIDDEN


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    """Cards of a hand go face down, and the answers of those who are asked first stay secret until all are in. Whoever
    lays a card open shows its face, not which of two equal cards it is."""
    if seat == s.asked:
        return action
    if picks_from_hand(s):
        return action if action == state.DONE else state.UNSEEN_CARD
    if (s.question == state.CHOOSE_ACTION or s.question == state.PLACE) and s.turn < s.seats:
        return state.UNSEEN_CHOICE
    if s.question == state.PLACE and action != state.DONE and s.original:
        return state.OPEN_FACE + DESIGN[card_for(s, action)]
    return action


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """Cards it drew, cards that were turned up, and choices of others once all are in. Cards count by their faces."""
    digest = 0
    for w in range(WORDS):
        drawn = faces(s.hand[seat, w], w) & ~faces(before.hand[seat, w], w)
        known = faces(before.knows[seat, w] | before.hand[seat, w], w)
        turned_up = faces(s.knows[seat, w], w) & ~known
        if drawn | turned_up:
            digest = mix(mix(mix(digest, w), drawn), turned_up)
    chose = before.stage == state.ROUND_CHOOSE and s.stage != state.ROUND_CHOOSE
    for other in range(s.seats):
        if other != seat:
            if chose:
                digest = mix(digest, s.chosen[other])
            for place in range(before.size[other], s.size[other]):
                digest = mix(mix(digest, 1 + other), DESIGN[s.tableau[other, place]])
    return digest


@rule
def faces(word: int, w: int) -> int:
    """A word of a set with the first of two equal cards in place of either; both, if it has both."""
    pairs = _PAIRS[w]
    return word & ~(pairs | pairs << 1) | (word | word >> 1) & pairs | (word & word >> 1 & pairs) << 1


def announced(s: Record, action: int) -> bool:
    """Goods, powers and guesses are used in the open, and so lie the actions of a round once all have chosen; whether a
    position shows it afterwards or not (two powers may consume the same goods, a round may leave nothing to do)."""
    if s.question == state.CHOOSE_ACTION:
        return bool(s.turn == s.seats)
    return s.question not in (state.DISCARD, state.PAY, state.FOR_VP, state.PLACE)


@rule
def has_answered(s: Record, seat: int) -> bool:
    """Whether a seat has had its say in the stage under way, where all are asked in turn order."""
    for turn in range(s.turn):
        if seat_at(s, turn) == seat:
            return s.asked != seat or s.question == state.NOTHING
    return False


@rule
def take_random(s: Record, unseen: Actions) -> int:
    """One of the unseen cards; all are equally likely."""
    card = nth(unseen, rng.below(s.rng, size(unseen)))
    remove(unseen, card)
    return card


@rule
def take_old(s: Record, seat: int, unseen: Actions, generation: int, others: Actions) -> int:
    """One of the cards that are unseen since a generation or before, or of some others."""
    there = np.zeros(WORDS, np.int64)
    for w in range(WORDS):
        there[w] = others[w]
        for earlier in range(generation + 1):
            there[w] |= recall.unseen_word(s, seat, earlier, w)
        there[w] &= unseen[w]
    card = take_random(s, unseen if is_empty(there) else there)
    remove(unseen, card)
    return card


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    if s.original:
        s.lcg = np.int64(rng.next64(s.rng) & np.uint64(LCG_MASK))
    unseen, settled = np.zeros(WORDS, np.int64), np.zeros(WORDS, np.int64)
    recall.find_unseen(s, seat, unseen)
    for w in range(WORDS):
        settled[w] = s.knows[seat, w]
    if s.first_good:
        deal_first_good(s, seat, unseen)
    if s.generation or not is_empty(s.shown):
        deal_old(s, seat, unseen, settled)
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.good[other, place] == state.HIDDEN:
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
            fill_choices(s, other, settled)


@rule
def deal_first_good(s: Record, seat: int, unseen: Actions) -> None:
    """The good that Alpha Centauri got in the setup was drawn while all start worlds were set aside."""
    none = np.zeros(WORDS, np.int64)
    aside = unseen[0] & ((1 << START_WORLDS) - 1)
    unseen[0] &= ~aside
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.tableau[other, place] == ALPHA_CENTAURI and s.good[other, place] == state.HIDDEN:
                s.good[other, place] = 1 + take_old(s, seat, unseen, 0, none)
    unseen[0] |= aside


@rule
def deal_old(s: Record, seat: int, unseen: Actions, settled: Actions) -> None:
    """Cards that were drawn in earlier generations of the deck: in hands, among the goods and the discards. The oldest
    go first, since there are the fewest that they can be. The latest in the hand of an explorer are those drawn in this
    phase."""
    hands = np.zeros((state.MAX_SEATS, state.LAST_GENERATION + 1), np.int64)
    before_phase = np.zeros(state.MAX_SEATS, np.int64)
    none = np.zeros(WORDS, np.int64)
    pile = np.zeros(state.LAST_GENERATION + 1, np.int64)
    for generation in range(s.generation):
        pile[generation] = s.old_pile[seat, generation]
    for other in range(s.seats):
        if other != seat:
            split_pool(s, seat, other, hands[other], pile, unseen, settled)
            before_phase[other] = -s.drawn_before[other]
            for generation in range(s.generation):
                before_phase[other] += hands[other, generation]
    for generation in range(s.generation):
        for other in range(s.seats):
            for place in range(s.size[other]):
                if s.good[other, place] == state.HIDDEN and s.good_since[other, place] == generation:
                    s.good[other, place] = 1 + take_old(s, seat, unseen, generation, none)
        for _ in range(min(pile[generation], s.discard_size - size(s.discard))):
            add(s.discard, take_old(s, seat, unseen, generation, none))
        for other in range(s.seats):
            for _ in range(min(hands[other, generation], s.hand_size[other] - size(s.hand[other]))):
                if other == s.gambler:
                    card = take_old(s, seat, unseen, generation, s.kept[seat])
                else:
                    card = take_old(s, seat, unseen, generation, none)
                add(s.hand[other], card)
                add(settled, card)
                before_phase[other] -= 1
                if s.stage == state.EXPLORE_KEEP and before_phase[other] < 0:
                    add(s.fresh[other], card)


@rule
def split_pool(
    s: Record, seat: int, owner: int, hand: Actions, pile: Actions, unseen: Actions, settled: Actions
) -> None:
    """Of a pool, how many cards of each generation are in the hand, and how many were given away. Those that all saw
    the owner take are dealt."""
    given, old, new = s.given[owner], recall.old_in_pool(s, seat, owner), recall.new_in_pool(s, seat, owner)
    given_new = 0
    for k in range(given):
        if rng.below(s.rng, old + new - k) < new - given_new:
            given_new += 1
    if s.generation:
        given_new = max(min(given_new, s.given_new[seat, owner]), given - old)
    away = np.zeros(state.LAST_GENERATION + 1, np.int64)
    away[s.generation] = given_new
    for generation in range(s.generation):
        hand[generation] = s.old_hand[seat, owner, generation]
    hand[s.generation] = new - given_new
    for k in range(given - given_new):
        place = rng.below(s.rng, old - k)
        generation = 0
        while place >= hand[generation]:
            place -= hand[generation]
            generation += 1
        hand[generation] -= 1
        away[generation] += 1
    if owner == s.gambler:
        deal_shown(s, seat, hand, away, unseen, settled)
    for generation in range(s.generation):
        pile[generation] += away[generation]


@rule
def deal_shown(s: Record, seat: int, hand: Actions, away: Actions, unseen: Actions, settled: Actions) -> None:
    """Cards that all saw the gambler take are in its hand, or it gave them away in this generation."""
    for w in range(WORDS):
        shown = s.shown[w] & unseen[w]
        while shown:
            card = lowest(shown, w)
            shown &= shown - 1
            generation = recall.generation_of(s, seat, card)
            while generation < s.generation and hand[generation] + away[generation] == 0:
                generation += 1
            held = hand[generation]
            if generation == s.generation:  # it was not drawn in the phase under way
                held = max(0, held - s.drawn[s.gambler])
            if held + away[generation] <= 0:
                return
            remove(unseen, card)
            if rng.below(s.rng, held + away[generation]) < held:
                hand[generation] -= 1
                add(s.hand[s.gambler], card)
                add(settled, card)
            else:
                away[generation] -= 1
                add(s.discard, card)


@rule
def fill_choices(s: Record, other: int, settled: Actions) -> None:
    """Choices of another seat that are not revealed yet: any it could have made. The cards that are `settled` were not
    drawn in this phase, or are already among those that were."""
    if s.chosen[other] == state.HIDDEN:
        s.chosen[other] = state.ROUND_ACTIONS[rng.below(s.rng, len(state.ROUND_ACTIONS))]
    if s.stage == state.EXPLORE_KEEP:
        deal_fresh(s, other, settled)
    if s.placing[other] == state.HIDDEN:
        fill_placement(s, other)
    if s.asked == other and picks_from_hand(s):
        fill_picks(s, other)
    elif s.picks[other] and (
        s.stage == state.SETUP_DISCARD or s.stage == state.EXPLORE_KEEP or s.stage == state.ROUND_DISCARD
    ):
        deal_from_hand(s, other, s.picked[other], s.picks[other])


@rule
def deal_fresh(s: Record, seat: int, settled: Actions) -> None:
    left = np.zeros(WORDS, np.int64)
    for w in range(WORDS):
        left[w] = s.hand[seat, w] & ~settled[w]
    for _ in range(s.drawn[seat] - size(s.fresh[seat])):
        add(s.fresh[seat], take_random(s, left))


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
    out = np.zeros(state.NUM_ACTIONS, np.int64)
    floor = s.floor
    s.floor = 0
    action = out[rng.below(s.rng, ask_again(s, other, state.PLACE, out))]
    asked = s.asked
    s.asked = other
    s.placing[other] = 0 if action == state.DONE else 1 + card_for(s, action)
    s.asked, s.floor = asked, floor


@rule
def fill_picks(s: Record, other: int) -> None:
    """Picks of the question under way, made at random among the legal ones; as many as are known to be made."""
    made = s.picks[other] - s.left
    s.left = s.picks[other]
    out = np.zeros(state.NUM_ACTIONS, np.int64)
    for _ in range(made):
        n = legal_picks(s, out)
        action = out[rng.below(s.rng, n)]
        if action == state.DONE:
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
    _exchange_equal_cards(s, seat, random)
    s.rng[:] = random.integers(0, 2**63, 4)
    if s.original:
        s.lcg = int(random.integers(0, 2**32))


def _exchange_equal_cards(s: Record, seat: int, random: np.random.Generator) -> None:
    """Give some cards each other's numbers, wherever they lie; not two of the seat's own hand: that has an order."""
    own, other = set(members(s.hand[seat])), list(range(CARDS))
    for second in SECOND_CARD.tolist():
        if not random.integers(2) and not {second - 1, second} <= own:
            other[second - 1], other[second] = second, second - 1
    sets = (s.deck, s.discard, s.shown, s.kept[seat], s.knows[seat], s.fresh[seat], s.picked[seat])
    for cards in (*sets, *s.hand, *s.unseen_since[seat]):
        cards[:] = bits_of([other[card] for card in members(cards)])
    numbered = [0, *(1 + card for card in other)]  # fields in which 0 is no card
    s.floor = numbered[s.floor]
    for owner in range(s.seats):
        for place in range(s.size[owner]):
            s.tableau[owner, place] = other[s.tableau[owner, place]]
            s.good[owner, place] = numbered[s.good[owner, place]]
        s.placing[owner] = numbered[s.placing[owner]]


def _scramble_seat(s: Record, other: int, random: np.random.Generator) -> None:
    s.knows[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.generation:
        s.unseen_since[other][:] = random.integers(0, 1 << WIDTH, (state.GENERATION_BITS, WORDS))
        s.kept[other][:] = random.integers(0, 1 << WIDTH, WORDS)
        s.old_hand[other][: s.seats] = random.integers(0, 5, (s.seats, state.LAST_GENERATION))
        s.old_pile[other][:] = random.integers(0, 5, state.LAST_GENERATION)
        s.given_new[other][: s.seats] = random.integers(0, 5, s.seats)
    if s.stage == state.EXPLORE_KEEP:
        s.fresh[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.stage == state.ROUND_CHOOSE and s.chosen[other]:
        s.chosen[other] = int(random.choice(state.ROUND_ACTIONS))
    if s.stage in (state.DEVELOP_PLACE, state.SETTLE_PLACE) and s.placing[other]:
        s.placing[other] = int(random.integers(1, CARDS + 1))
    open_goods = s.question == state.CONSUME and s.asked == other
    if not open_goods:
        s.picked[other][:] = random.integers(0, 1 << WIDTH, WORDS)
    if s.asked == other and s.question in (state.DISCARD, state.PAY, state.FOR_VP):
        s.floor = int(random.integers(0, CARDS))


def simultaneous(s: Record) -> list[int]:
    """The seats that have yet to answer a question that all answer in secret."""
    if s.stage == state.SETUP_DISCARD:
        return list(range(int(s.asked), int(s.seats)))
    if s.stage in (
        state.ROUND_CHOOSE,
        state.EXPLORE_KEEP,
        state.DEVELOP_PLACE,
        state.SETTLE_PLACE,
        state.ROUND_DISCARD,
    ):
        return [int(seat_at(s, turn)) for turn in range(int(s.turn) - 1, int(s.seats))]
    return []
