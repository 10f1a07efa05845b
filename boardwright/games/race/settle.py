"""Settle: everybody may place a world, by paying for it or by military strength (docs/rules/race.md, section 7.3)."""

from __future__ import annotations

from boardwright.games.race import cards, state
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.develop import ask_to_place, join_placed
from boardwright.games.race.picks import ask, ask_cards, clear_picks
from boardwright.games.race.piles import discard_picked, draw_to_hand, play_from_hand
from boardwright.games.race.tableau import discard_from_tableau, place_of, seat_at, settle_down
from boardwright.kernel import Actions, Record, rule

COLONY_SHIP_CARD = cards.card_named("Colony Ship")
TACTICS_CARD = cards.card_named("New Military Tactics")
CONTACT_CARD = cards.card_named("Contact Specialist")
CANNOT = -1


@rule
def settle(s: Record) -> None:
    if not s.phases & state.SETTLE_PHASE:
        s.stage = state.CONSUME_START
        return
    for seat in range(s.seats):
        s.placing[seat] = 0
    s.turn = 0
    s.stage = state.SETTLE_PLACE


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
    s.stage = state.SETTLE_PAY


@rule
def strength(s: Record, seat: int, world: int) -> int:
    """Military strength against a world."""
    total = s.standing[seat, cards.MILITARY]
    if cards.KIND[world] != cards.NO_KIND:
        total += s.standing[seat, cards.MILITARY + cards.KIND[world]]
    if cards.IS_REBEL[world]:
        total += s.standing[seat, cards.REBEL_MILITARY]
    return total


@rule
def settle_price(s: Record, seat: int, world: int) -> int:
    """What a world costs after discounts, before any special card; may be negative."""
    price = cards.COST[world] - s.standing[seat, cards.DISCOUNT]
    if cards.KIND[world] != cards.NO_KIND:
        price -= s.standing[seat, cards.DISCOUNT + cards.KIND[world]]
    return price


@rule
def usable_specials(s: Record, seat: int, world: int) -> int:
    """The cards of the tableau that can be used in settling this world, as a mask."""
    mask = state.USE_TACTICS if s.standing[seat, cards.TACTICS] else 0
    if cards.KIND[world] != cards.ALIEN:
        if s.standing[seat, cards.COLONY_SHIP]:
            mask |= state.USE_COLONY_SHIP
        if s.standing[seat, cards.CONTACT] and cards.IS_MILITARY[world]:
            mask |= state.USE_CONTACT
    return mask


@rule
def price_with(s: Record, seat: int, world: int, specials: int, hand: int) -> int:
    """How many cards the world costs if these special cards are used; CANNOT if that is not allowed."""
    if cards.IS_MILITARY[world] and not specials & state.USE_CONTACT:
        if specials & state.USE_COLONY_SHIP:
            return CANNOT
        bonus = cards.TACTICS_STRENGTH if specials & state.USE_TACTICS else 0
        return 0 if strength(s, seat, world) + bonus >= cards.COST[world] else CANNOT
    if specials & state.USE_COLONY_SHIP:
        return 0
    price = max(0, settle_price(s, seat, world) - (1 if specials & state.USE_CONTACT else 0))
    return price if price <= hand else CANNOT


@rule
def can_settle(s: Record, seat: int, world: int) -> bool:
    """Whether any use of the special cards makes the world affordable with the rest of the hand."""
    hand = s.hand_size[seat] - 1
    mask = usable_specials(s, seat, world)
    if cards.IS_MILITARY[world]:
        if price_with(s, seat, world, mask & state.USE_TACTICS, hand) != CANNOT:
            return True
        return mask & state.USE_CONTACT != 0 and price_with(s, seat, world, mask, hand) != CANNOT
    return price_with(s, seat, world, mask, hand) != CANNOT


@rule
def legal_worlds(s: Record, out: Actions) -> int:
    seat = s.asked
    out[0] = state.DONE
    n = 1
    for w in range(WORDS):
        word = s.hand[seat, w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            if cards.IS_WORLD[card] and can_settle(s, seat, card):
                out[n] = cards.DESIGN[card]
                n += 1
    return n


@rule
def settle_pay(s: Record) -> None:
    """One after the other pays for his world. A conquest without a usable special card asks nothing."""
    if s.turn == s.seats:
        join_placed(s)
        s.stage = state.CONSUME_START
        return
    seat = seat_at(s, s.turn)
    if not s.placing[seat]:
        s.turn += 1
        return
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    s.specials = 0
    if usable == 0 and cards.IS_MILITARY[world]:
        s.stage = state.SETTLE_PAID
        return
    s.stage = state.SETTLE_CARDS
    if s.original:
        ask(s, state.SPECIAL, seat)
        return
    ways = 0
    for mask in range(8):
        if mask & ~usable == 0 and price_with(s, seat, world, mask, s.hand_size[seat]) != CANNOT:
            ways += 1
            s.specials = mask
    if ways > 1:
        s.specials = 0
        ask(s, state.SPECIAL, seat)


@rule
def legal_specials(s: Record, out: Actions) -> int:
    seat = s.asked
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    n = 0
    for mask in range(8):
        if mask & ~usable == 0 and price_with(s, seat, world, mask, s.hand_size[seat]) != CANNOT:
            out[n] = state.SPECIALS + mask
            n += 1
    return n


@rule
def use_specials(s: Record, mask: int) -> None:
    s.specials = mask
    s.question = state.NOTHING


@rule
def settle_cards(s: Record) -> None:
    seat = seat_at(s, s.turn)
    price = price_with(s, seat, s.placing[seat] - 1, s.specials, s.hand_size[seat])
    s.stage = state.SETTLE_PAID
    if price > 0:
        ask_cards(s, state.PAY, seat, s.hand_size[seat], price, 0)


@rule
def settle_paid(s: Record) -> None:
    seat = seat_at(s, s.turn)
    if s.specials & state.USE_COLONY_SHIP:
        discard_special(s, seat, COLONY_SHIP_CARD)
    if s.specials & state.USE_TACTICS:
        discard_special(s, seat, TACTICS_CARD)
    s.specials = 0
    discard_picked(s, seat)
    clear_picks(s, seat)
    bonus = 1 if s.chosen[seat] == state.SETTLE_ACTION else 0
    draw_to_hand(s, seat, bonus + s.standing[seat, cards.SETTLED_DRAW])
    s.turn += 1
    s.stage = state.SETTLE_PAY


@rule
def discard_special(s: Record, seat: int, first_card: int) -> None:
    card = first_card if place_of(s, seat, first_card) >= 0 else first_card + 1
    discard_from_tableau(s, seat, card)
