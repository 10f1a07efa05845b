"""Settle: everybody may place a world, by paying for it or by military strength (docs/rules/race.md, section 7.3)."""

from __future__ import annotations

from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.cards import (
    ALIEN,
    COLONY_SHIP,
    CONTACT,
    COST,
    DESIGN,
    DISCOUNT,
    IS_MILITARY,
    IS_REBEL,
    IS_WORLD,
    KIND,
    MILITARY,
    NO_KIND,
    REBEL_MILITARY,
    SETTLED_DRAW,
    TACTICS,
    TACTICS_STRENGTH,
    card_named,
)
from boardwright.games.race.develop import ask_to_place, join_placed
from boardwright.games.race.picks import ask, ask_cards, clear_picks
from boardwright.games.race.piles import discard_picked, draw_to_hand, play_from_hand
from boardwright.games.race.state import (
    CONSUME_START,
    DONE,
    NOTHING,
    PAY,
    SETTLE_ACTION,
    SETTLE_CARDS,
    SETTLE_PAID,
    SETTLE_PAY,
    SETTLE_PHASE,
    SETTLE_PLACE,
    SPECIAL,
    SPECIALS,
    USE_COLONY_SHIP,
    USE_CONTACT,
    USE_TACTICS,
)
from boardwright.games.race.tableau import discard_from_tableau, place_of, seat_at, settle_down
from boardwright.kernel import Actions, Record, rule

COLONY_SHIP_CARD = card_named("Colony Ship")
TACTICS_CARD = card_named("New Military Tactics")
CONTACT_CARD = card_named("Contact Specialist")
CANNOT = -1


@rule
def settle(s: Record) -> None:
    if not s.phases & SETTLE_PHASE:
        s.stage = CONSUME_START
        return
    for seat in range(s.seats):
        s.placing[seat] = 0
    s.turn = 0
    s.stage = SETTLE_PLACE


@rule
def settle_place(s: Record) -> None:
    """All choose in secret; then the worlds are laid down, windfall worlds with their good."""
    if ask_to_place(s):
        return
    for turn in range(s.seats):
        seat = seat_at(s, turn)
        if s.placing[seat]:
            play_from_hand(s, seat, s.placing[seat] - 1)
            settle_down(s, seat, s.placing[seat] - 1)
    s.turn = 0
    s.stage = SETTLE_PAY


@rule
def strength(s: Record, seat: int, world: int) -> int:
    """Military strength against a world."""
    total = s.standing[seat, MILITARY]
    if KIND[world] != NO_KIND:
        total += s.standing[seat, MILITARY + KIND[world]]
    if IS_REBEL[world]:
        total += s.standing[seat, REBEL_MILITARY]
    return total


@rule
def settle_price(s: Record, seat: int, world: int) -> int:
    """What a world costs after discounts, before any special card; may be negative."""
    price = COST[world] - s.standing[seat, DISCOUNT]
    if KIND[world] != NO_KIND:
        price -= s.standing[seat, DISCOUNT + KIND[world]]
    return price


@rule
def usable_specials(s: Record, seat: int, world: int) -> int:
    """The cards of the tableau that can be used in settling this world, as a mask."""
    mask = USE_TACTICS if s.standing[seat, TACTICS] else 0
    if KIND[world] != ALIEN:
        if s.standing[seat, COLONY_SHIP]:
            mask |= USE_COLONY_SHIP
        if s.standing[seat, CONTACT] and IS_MILITARY[world]:
            mask |= USE_CONTACT
    return mask


@rule
def price_with(s: Record, seat: int, world: int, specials: int, hand: int) -> int:
    """How many cards the world costs if these special cards are used; CANNOT if that is not allowed."""
    if IS_MILITARY[world] and not specials & USE_CONTACT:
        if specials & USE_COLONY_SHIP:
            return CANNOT
        bonus = TACTICS_STRENGTH if specials & USE_TACTICS else 0
        return 0 if strength(s, seat, world) + bonus >= COST[world] else CANNOT
    if specials & USE_COLONY_SHIP:
        return 0
    price = max(0, settle_price(s, seat, world) - (1 if specials & USE_CONTACT else 0))
    return price if price <= hand else CANNOT


@rule
def can_settle(s: Record, seat: int, world: int) -> bool:
    """Whether any use of the special cards makes the world affordable with the rest of the hand."""
    hand = s.hand_size[seat] - 1
    mask = usable_specials(s, seat, world)
    if IS_MILITARY[world]:
        if price_with(s, seat, world, mask & USE_TACTICS, hand) != CANNOT:
            return True
        return mask & USE_CONTACT != 0 and price_with(s, seat, world, mask, hand) != CANNOT
    return price_with(s, seat, world, mask, hand) != CANNOT


@rule
def legal_worlds(s: Record, out: Actions) -> int:
    seat = s.asked
    out[0] = DONE
    n = 1
    for w in range(WORDS):
        word = s.hand[seat, w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            if IS_WORLD[card] and can_settle(s, seat, card):
                out[n] = DESIGN[card]
                n += 1
    return n


@rule
def settle_pay(s: Record) -> None:
    """One after the other pays for his world. A conquest without a usable special card asks nothing."""
    if s.turn == s.seats:
        join_placed(s)
        s.stage = CONSUME_START
        return
    seat = seat_at(s, s.turn)
    if not s.placing[seat]:
        s.turn += 1
        return
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    s.specials = 0
    if usable == 0 and IS_MILITARY[world]:
        s.stage = SETTLE_PAID
        return
    s.stage = SETTLE_CARDS
    if s.original:
        ask(s, SPECIAL, seat)
        return
    ways = 0
    for mask in range(8):
        if mask & ~usable == 0 and price_with(s, seat, world, mask, s.hand_size[seat]) != CANNOT:
            ways += 1
            s.specials = mask
    if ways > 1:
        s.specials = 0
        ask(s, SPECIAL, seat)


@rule
def legal_specials(s: Record, out: Actions) -> int:
    seat = s.asked
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    n = 0
    for mask in range(8):
        if mask & ~usable == 0 and price_with(s, seat, world, mask, s.hand_size[seat]) != CANNOT:
            out[n] = SPECIALS + mask
            n += 1
    return n


@rule
def use_specials(s: Record, mask: int) -> None:
    s.specials = mask
    s.question = NOTHING


@rule
def settle_cards(s: Record) -> None:
    seat = seat_at(s, s.turn)
    price = price_with(s, seat, s.placing[seat] - 1, s.specials, s.hand_size[seat])
    s.stage = SETTLE_PAID
    if price > 0:
        ask_cards(s, PAY, seat, s.hand_size[seat], price, 0)


@rule
def settle_paid(s: Record) -> None:
    seat = seat_at(s, s.turn)
    if s.specials & USE_COLONY_SHIP:
        discard_special(s, seat, COLONY_SHIP_CARD)
    if s.specials & USE_TACTICS:
        discard_special(s, seat, TACTICS_CARD)
    s.specials = 0
    discard_picked(s, seat)
    clear_picks(s, seat)
    bonus = 1 if s.chosen[seat] == SETTLE_ACTION else 0
    draw_to_hand(s, seat, bonus + s.standing[seat, SETTLED_DRAW])
    s.turn += 1
    s.stage = SETTLE_PAY


@rule
def discard_special(s: Record, seat: int, first_card: int) -> None:
    card = first_card if place_of(s, seat, first_card) >= 0 else first_card + 1
    discard_from_tableau(s, seat, card)
