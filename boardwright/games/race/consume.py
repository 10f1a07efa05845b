"""Consume: trade a good for the bonus, then use every consume power (docs/rules/race.md, section 7.4)."""

from __future__ import annotations

from boardwright.games.race import cards, state
from boardwright.games.race.bits import has
from boardwright.games.race.picks import ask, ask_cards, ask_up_to, clear_picks, finish_picks, kinds_with_goods
from boardwright.games.race.piles import discard_openly, discard_picked, draw_to_hand, take_openly, turn_up
from boardwright.games.race.tableau import place_of, remove_good, seat_at
from boardwright.kernel import Actions, Record, rule

NO_POWER = 127
"""In `power`: the trade under way is the bonus of the action."""


@rule
def consume_start(s: Record) -> None:
    s.turn = 0
    s.used = 0
    s.stage = state.CONSUME_TRADE if s.phases & state.CONSUME_PHASE else state.PRODUCE_START


@rule
def consume_trade(s: Record) -> None:
    """The bonus of Consume-Trade comes first. A seat finishes the whole phase before the next seat begins."""
    if s.turn == s.seats:
        s.stage = state.PRODUCE_START
        return
    seat = seat_at(s, s.turn)
    s.used = 0
    s.stage = state.CONSUME_NEXT
    if s.chosen[seat] == state.CONSUME_TRADE_ACTION and s.goods[seat, cards.NO_KIND]:
        ask_trade(s, seat, NO_POWER)


@rule
def ask_trade(s: Record, seat: int, power: int) -> None:
    s.power = power
    s.stage = state.CONSUME_TRADED
    s.place = NO_POWER
    if s.original or s.goods[seat, cards.NO_KIND] > 1:
        ask(s, state.TRADE_GOOD, seat)
        return
    for place in range(s.size[seat]):
        if s.good[seat, place]:
            s.place = place


@rule
def legal_goods(s: Record, out: Actions) -> int:
    n = 0
    for place in range(s.size[s.asked]):
        if s.good[s.asked, place]:
            out[n] = cards.DESIGN[s.tableau[s.asked, place]]
            n += 1
    return n


@rule
def choose_world(s: Record, action: int) -> None:
    """A world of the tableau is named: the one whose good is traded, or that gets a windfall good."""
    s.place = place_of(s, s.asked, cards.FIRST_CARD[action])
    s.question = state.NOTHING


@rule
def trade_value(s: Record, seat: int, world: int) -> int:
    kind = cards.KIND[world]
    return (
        cards.GOOD_VALUE[kind]
        + s.standing[seat, cards.TRADE]
        + s.standing[seat, cards.TRADE + kind]
        + cards.OWN_TRADE[world]
    )


@rule
def consume_traded(s: Record) -> None:
    """The good is discarded, then the cards for it are drawn."""
    seat = seat_at(s, s.turn)
    world = s.tableau[seat, s.place]
    remove_good(s, seat, s.place)
    if s.power != NO_POWER and cards.POWER_PLAIN[s.power]:
        draw_to_hand(s, seat, cards.GOOD_VALUE[cards.KIND[world]])
    else:
        draw_to_hand(s, seat, trade_value(s, seat, world))
    s.stage = state.CONSUME_NEXT


@rule
def usable(s: Record, seat: int, power: int) -> bool:
    effect = cards.POWER_EFFECT[power]
    if effect == cards.CONSUME_GOODS:
        return s.goods[seat, cards.POWER_KIND[power]] >= 1
    if effect == cards.CONSUME_TWO:
        return s.goods[seat, cards.POWER_KIND[power]] >= 2
    if effect == cards.CONSUME_THREE_KINDS:
        return kinds_with_goods(s, seat) >= 3
    if effect == cards.FROM_HAND:
        return s.hand_size[seat] >= 1
    if effect in (cards.CONSUME_ALL, cards.EXTRA_TRADE):
        return s.goods[seat, cards.NO_KIND] >= 1
    return True  # drawing and gambling


@rule
def list_powers(s: Record, seat: int, out: Actions) -> int:
    """The powers that can be used now, as actions, from the newest card to the oldest."""
    n = 0
    for back in range(s.size[seat]):
        place = s.size[seat] - 1 - back
        card = s.tableau[seat, place]
        for i in range(cards.POWERS[card]):
            power = cards.FIRST_POWER[card] + i
            if not s.used >> (cards.POWERS_PER_CARD * place + i) & 1 and usable(s, seat, power):
                out[n] = state.POWER + power
                n += 1
    return n


@rule
def consume_powers(s: Record) -> None:
    """Powers must be used while any can be; only discarding from the hand is optional."""
    seat = seat_at(s, s.turn)
    listed = 0
    optional = 0
    only = 0
    for back in range(s.size[seat]):
        place = s.size[seat] - 1 - back
        card = s.tableau[seat, place]
        for i in range(cards.POWERS[card]):
            power = cards.FIRST_POWER[card] + i
            if not s.used >> (cards.POWERS_PER_CARD * place + i) & 1 and usable(s, seat, power):
                listed += 1
                only = power
                if cards.POWER_EFFECT[power] == cards.FROM_HAND:
                    optional += 1
    if listed == 0:
        s.turn += 1
        s.stage = state.CONSUME_TRADE
    elif listed == 1 and optional == 0:
        s.power = only
        s.stage = state.CONSUME_USE
    else:
        s.stage = state.CONSUME_USE
        ask(s, state.USE_POWER, seat)


@rule
def legal_powers(s: Record, out: Actions) -> int:
    n = list_powers(s, s.asked, out)
    for i in range(n):
        if cards.POWER_EFFECT[out[i] - state.POWER] != cards.FROM_HAND:
            return n
    out[n] = state.DONE
    return n + 1


@rule
def choose_power(s: Record, action: int) -> None:
    s.question = state.NOTHING
    if action == state.DONE:
        s.turn += 1
        s.stage = state.CONSUME_TRADE
    else:
        s.power = action - state.POWER


@rule
def consume_use(s: Record) -> None:
    """The chosen power is used up, whatever comes of it."""
    seat = seat_at(s, s.turn)
    power = s.power
    card = cards.FIRST_CARD[cards.POWER_DESIGN[power]]
    place = place_of(s, seat, card)
    if place < 0:
        card += 1
        place = place_of(s, seat, card)
    s.used |= 1 << (cards.POWERS_PER_CARD * place + power - cards.FIRST_POWER[card])
    effect = cards.POWER_EFFECT[power]
    if effect == cards.EXTRA_TRADE:
        ask_trade(s, seat, power)
        return
    if effect == cards.JUST_DRAW:
        draw_to_hand(s, seat, cards.POWER_CARDS[power])
        s.stage = state.CONSUME_NEXT
        return
    s.stage = state.CONSUME_CHOSEN
    if effect == cards.GAMBLE:
        ask(s, state.GUESS, seat)
    elif effect == cards.FROM_HAND:
        ask_up_to(s, state.FOR_VP, seat, cards.POWER_TIMES[power])
    else:
        ask_goods(s, seat, power)


@rule
def ask_goods(s: Record, seat: int, power: int) -> None:
    effect = cards.POWER_EFFECT[power]
    matching = s.goods[seat, cards.POWER_KIND[power]]
    if effect == cards.CONSUME_THREE_KINDS:
        clear_picks(s, seat)
        s.keeps[seat] = 0
        s.picks[seat] = s.left = 3
        s.floor = 0
        ask(s, state.CONSUME, seat)
        if matching == 3 and not s.original:
            s.keeps[seat] = 1  # none of them
            finish_picks(s, seat)
        return
    wanted = matching
    if effect == cards.CONSUME_TWO:
        wanted = 2
    elif effect == cards.CONSUME_GOODS:
        wanted = min(cards.POWER_TIMES[power], matching)
    ask_cards(s, state.CONSUME, seat, matching, wanted, 1)


@rule
def legal_guesses(s: Record, out: Actions) -> int:
    for i in range(state.HIGHEST_GUESS):
        out[i] = state.GUESSES + 1 + i
    return state.HIGHEST_GUESS


@rule
def guess(s: Record, number: int) -> None:
    s.guess = number
    s.question = state.NOTHING


@rule
def consume_chosen(s: Record) -> None:
    """The chosen goods or cards are given away, and the seat gets the reward."""
    seat = seat_at(s, s.turn)
    power = s.power
    effect = cards.POWER_EFFECT[power]
    s.stage = state.CONSUME_NEXT
    if effect == cards.GAMBLE:
        gamble(s, seat)
    elif effect == cards.FROM_HAND:
        gain(s, seat, s.picks[seat])
        discard_picked(s, seat)
    else:
        times = consume_picked(s, seat)
        if effect == cards.CONSUME_ALL:
            times -= 1
        elif effect != cards.CONSUME_GOODS:
            times = 1
        doubled = 2 if s.chosen[seat] == state.CONSUME_TWICE else 1
        gain(s, seat, times * cards.POWER_VP[power] * doubled)
        draw_to_hand(s, seat, times * cards.POWER_CARDS[power])
    clear_picks(s, seat)


@rule
def consume_picked(s: Record, seat: int) -> int:
    n = 0
    for place in range(s.size[seat]):
        if s.good[seat, place] and has(s.picked[seat], s.tableau[seat, place]):
            remove_good(s, seat, place)
            n += 1
    return n


@rule
def gain(s: Record, seat: int, vp: int) -> None:
    """Victory points are never short: the pool may go below zero."""
    s.chips[seat] += vp
    s.pool -= vp


@rule
def gamble(s: Record, seat: int) -> None:
    card = turn_up(s)
    if card != state.NO_CARD:
        if cards.COST[card] == s.guess:
            take_openly(s, seat, card)
        else:
            discard_openly(s, card)
    s.guess = 0
