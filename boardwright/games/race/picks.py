"""Choosing several cards, or several goods, one step at a time (docs/rules/race.md, section 9).

A choice of many is split into steps that each name one card. The steps go in ascending card number, so every set can
be chosen in exactly one way. Where the cards to keep are fewer than those to give away, the steps name the kept ones.
Of two equal cards the first is offered, unless it matters which one goes (`s.original`).
"""

from __future__ import annotations

from boardwright.games.race import cards, state
from boardwright.games.race.bits import WIDTH, WORDS, add, clear, count, has, lowest, word_of
from boardwright.kernel import Actions, Record, rule


@rule
def ask(s: Record, question: int, seat: int) -> None:
    s.question = question
    s.asked = seat


@rule
def ask_cards(s: Record, question: int, seat: int, available: int, wanted: int, always: int) -> None:
    """Ask a seat to pick `wanted` of its `available` cards. If nothing is left to choose, the question is asked only
    where the original program asks it (`always`)."""
    wanted = min(wanted, available)
    clear(s.picked[seat])
    if wanted * 2 > available:
        s.keeps[seat], s.picks[seat] = 1, available - wanted
    else:
        s.keeps[seat], s.picks[seat] = 0, wanted
    s.left = s.picks[seat]
    s.floor = 0
    ask(s, question, seat)
    if s.left == 0 and not (s.original and always):
        finish_picks(s, seat)


@rule
def ask_up_to(s: Record, question: int, seat: int, most: int) -> None:
    """Ask a seat to pick as many cards of its hand as it likes, up to `most`."""
    clear(s.picked[seat])
    s.keeps[seat] = 0
    s.picks[seat] = s.left = min(most, s.hand_size[seat])
    s.floor = 0
    ask(s, question, seat)


@rule
def clear_picks(s: Record, seat: int) -> None:
    s.picks[seat] = 0
    clear(s.picked[seat])


@rule
def pickable_word(s: Record, w: int) -> int:
    """What can be picked in the question under way, whatever has been picked already: one word of the set."""
    seat = s.asked
    if s.question == state.CONSUME:
        kind, word = cards.POWER_KIND[s.power], 0
        for place in range(s.size[seat]):
            card = s.tableau[seat, place]
            if s.good[seat, place] and (kind == cards.NO_KIND or cards.KIND[card] == kind):
                low = card - WIDTH * w
                if 0 <= low < WIDTH:
                    word |= 1 << low
        return word
    if s.stage == state.EXPLORE_KEEP:
        return s.fresh[seat, w]
    return s.hand[seat, w]


@rule
def finish_picks(s: Record, seat: int) -> None:
    """All is picked; from now on `picked` holds what is given away."""
    if s.keeps[seat]:
        for w in range(WORDS):
            s.picked[seat, w] = pickable_word(s, w) & ~s.picked[seat, w]
        s.keeps[seat] = 0
    s.picks[seat] = 0
    for w in range(WORDS):
        s.picks[seat] += count(s.picked[seat, w])
    s.left = 0
    s.floor = 0
    s.question = state.NOTHING


@rule
def above(word: int, w: int, floor: int) -> int:
    """The cards of a word that are not below `floor`."""
    shift = floor - WIDTH * w
    if shift <= 0:
        return word
    if shift >= WIDTH:
        return 0
    return word >> shift << shift


@rule
def three_kinds(s: Record) -> bool:
    return s.question == state.CONSUME and cards.POWER_EFFECT[s.power] == cards.CONSUME_THREE_KINDS


@rule
def legal_picks(s: Record, out: Actions) -> int:
    if three_kinds(s):
        return legal_kinds(s, out)
    n = 0
    if s.left == 0 or s.question == state.FOR_VP:
        out[0] = state.DONE
        n = 1
        if s.left == 0:
            return n
    choices = cards.CARDS
    if s.left > 1 and s.question != state.FOR_VP:  # the others must come after this one
        choices = 1 - s.left
        for w in range(WORDS):
            choices += count(above(pickable_word(s, w), w, s.floor))
    previous = -1
    for w in range(WORDS):
        word = above(pickable_word(s, w), w, s.floor)
        while word and choices > 0:
            card = lowest(word, w)
            word &= word - 1
            choices -= 1
            if cards.IS_SECOND[card] and card - 1 == previous:
                if s.original:
                    out[n] = state.SECOND_COPY + cards.SECOND_INDEX[card]
                    n += 1
            else:
                out[n] = cards.DESIGN[card]
                n += 1
            previous = card
    return n


@rule
def legal_kinds(s: Record, out: Actions) -> int:
    """The worlds whose good can be the next of three goods of different kinds, in ascending order."""
    seat, n = s.asked, 0
    taken = 0
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if has(s.picked[seat], card):
            taken |= 1 << cards.KIND[card]
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if not s.good[seat, place] or card < s.floor or taken >> cards.KIND[card] & 1:
            continue
        later = 0
        for other in range(s.size[seat]):
            world = s.tableau[seat, other]
            if s.good[seat, other] and world > card and cards.KIND[world] != cards.KIND[card]:
                later |= 1 << cards.KIND[world]
        if count(later & ~taken) >= s.left - 1:
            out[n] = cards.DESIGN[card]
            n += 1
    return n


@rule
def pick(s: Record, action: int) -> None:
    seat = s.asked
    if action == state.DONE:
        finish_picks(s, seat)
        return
    card = card_for(s, action)
    add(s.picked[seat], card)
    s.floor = card + 1
    s.left -= 1
    if s.left == 0:
        finish_picks(s, seat)


@rule
def card_for(s: Record, action: int) -> int:
    """The card that an action of the question under way names."""
    if action >= state.SECOND_COPY:
        return cards.SECOND_CARD[action - state.SECOND_COPY]
    card = cards.FIRST_CARD[action]
    w = word_of(card)
    if card >= s.floor and pickable_word(s, w) >> (card - WIDTH * w) & 1:
        return card
    return card + 1


@rule
def action_naming(s: Record, card: int) -> int:
    """The action that names this very card in a question about cards of a hand."""
    if cards.IS_SECOND[card] and card - 1 >= s.floor:
        first = card - 1
        w = word_of(first)
        if pickable_word(s, w) >> (first - WIDTH * w) & 1:
            return state.SECOND_COPY + cards.SECOND_INDEX[card]
    return cards.DESIGN[card]


@rule
def kinds_with_goods(s: Record, seat: int) -> int:
    kinds = 0
    for kind in range(1, cards.KIND_COUNT):
        if s.goods[seat, kind]:
            kinds += 1
    return kinds
