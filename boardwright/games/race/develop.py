"""Develop: everybody may place a development; the bonus is a discount of one card (docs/rules/race.md, section 7.2)."""

from __future__ import annotations

from boardwright.games.race import cards, state
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.picks import ask, ask_cards, card_for, clear_picks
from boardwright.games.race.piles import discard_picked, draw_to_hand, play_from_hand
from boardwright.games.race.tableau import join, owns_design, put_down, seat_at
from boardwright.kernel import Actions, Record, rule


@rule
def develop(s: Record) -> None:
    if not s.phases & state.DEVELOP_PHASE:
        s.stage = state.SETTLE
        return
    for turn in range(s.seats):
        seat = seat_at(s, turn)
        draw_to_hand(s, seat, s.standing[seat, cards.DEVELOP_DRAW])
        s.placing[seat] = 0
    s.turn = 0
    s.stage = state.DEVELOP_PLACE


@rule
def ask_to_place(s: Record) -> bool:
    """Ask the next seat what it places; whether there was one to ask."""
    if s.turn == s.seats:
        return False
    s.floor = 0
    ask(s, state.PLACE, seat_at(s, s.turn))
    s.turn += 1
    return True


@rule
def develop_place(s: Record) -> None:
    """All choose in secret; then the chosen cards are laid down."""
    if ask_to_place(s):
        return
    for turn in range(s.seats):
        seat = seat_at(s, turn)
        if s.placing[seat]:
            play_from_hand(s, seat, s.placing[seat] - 1)
            put_down(s, seat, s.placing[seat] - 1)
    s.turn = 0
    s.stage = state.DEVELOP_PAY


@rule
def place(s: Record, action: int) -> None:
    s.placing[s.asked] = 0 if action == state.DONE else 1 + card_for(s, action)
    s.question = state.NOTHING


@rule
def develop_discount(s: Record, seat: int) -> int:
    return s.standing[seat, cards.DEVELOP_DISCOUNT] + (1 if s.chosen[seat] == state.DEVELOP_ACTION else 0)


@rule
def can_develop(s: Record, seat: int, card: int) -> bool:
    affordable = cards.COST[card] <= s.hand_size[seat] - 1 + develop_discount(s, seat)
    return affordable and not owns_design(s, seat, cards.DESIGN[card])


@rule
def legal_developments(s: Record, out: Actions) -> int:
    seat = s.asked
    out[0] = state.DONE
    n = 1
    limit = s.hand_size[seat] - 1 + develop_discount(s, seat)
    previous = -1
    for w in range(WORDS):
        word = s.hand[seat, w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            if cards.IS_WORLD[card] or cards.COST[card] > limit:
                continue
            if cards.IS_SECOND[card] and card - 1 == previous:
                if s.original and not owns_design(s, seat, cards.DESIGN[card]):
                    out[n] = state.SECOND_COPY + cards.SECOND_INDEX[card]
                    n += 1
            elif not owns_design(s, seat, cards.DESIGN[card]):
                out[n] = cards.DESIGN[card]
                n += 1
            previous = card
    return n


@rule
def join_placed(s: Record) -> None:
    """What was placed and paid for counts from now on."""
    for seat in range(s.seats):
        if s.placing[seat]:
            join(s, seat, s.placing[seat] - 1)
            s.placing[seat] = 0


@rule
def develop_pay(s: Record) -> None:
    """One after the other pays for what he placed, and draws for it."""
    if s.turn == s.seats:
        join_placed(s)
        s.stage = state.SETTLE
        return
    seat = seat_at(s, s.turn)
    if not s.placing[seat]:
        s.turn += 1
        return
    price = max(0, cards.COST[s.placing[seat] - 1] - develop_discount(s, seat))
    s.stage = state.DEVELOP_PAID
    if price > 0:
        ask_cards(s, state.PAY, seat, s.hand_size[seat], price, 1)


@rule
def develop_paid(s: Record) -> None:
    seat = seat_at(s, s.turn)
    discard_picked(s, seat)
    clear_picks(s, seat)
    draw_to_hand(s, seat, s.standing[seat, cards.DEVELOPED_DRAW])
    s.turn += 1
    s.stage = state.DEVELOP_PAY
