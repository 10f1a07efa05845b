"""What a choice does: paying, placing the card, and what comes in (docs/rules/wonders.md, sections 4, 6 and 7)."""

from __future__ import annotations

from boardwright.games.wonders.cards import (
    CHOICE,
    CITIES,
    COINS,
    COINS_EACH,
    COLOUR,
    COST_COINS,
    COUNTS,
    DEFEAT_BIT,
    DISCOUNT,
    FIXED,
    FREE_BUILD,
    FROM_DISCARDS,
    GREY,
    HAND,
    LEFT,
    NONE,
    NUM_COLOURS,
    POINTS,
    RIGHT,
    SELF,
    SHIELDS,
    STAGE_BIT,
    STAGE_CHOICE,
    STAGE_COINS,
    STAGE_DISCOUNT,
    STAGE_POWER,
    STAGE_SHIELDS,
    STAGE_SYMBOL,
    SYMBOL,
    goods_in,
)
from boardwright.games.wonders.choosing import is_chained, ways_on_credit, ways_to_build, ways_to_stage
from boardwright.games.wonders.costs import first_way, offered, right_for
from boardwright.games.wonders.slips import CARD_DATA, CHAINS_COST, OLYMPIA_ALWAYS
from boardwright.games.wonders.state import (
    BUILD,
    BUILT,
    DEAR,
    DISCARD,
    DISCARDED,
    EMPTY,
    FREE,
    READY,
    SPENT,
    STAGE,
    TUCKED,
    kind_in,
    left_of,
    packet_of,
    right_of,
    to_left,
    use_of,
)
from boardwright.kernel import Record, rule

COINS_FOR_A_DISCARD = 3


@rule
def commit(s: Record, seat: int, action: int) -> None:
    """Note a choice and how it is paid."""
    left = to_left(action)
    right = 0
    use = use_of(action)
    if use == BUILD:
        right = right_for(ways_to_build(s, seat, kind_in(action)), left)
    elif use == STAGE:
        right = right_for(ways_to_stage(s, seat), left)
    elif use == FREE and s.slips & CHAINS_COST:
        left, right = first_way(offered(ways_on_credit(s, seat, kind_in(action)), 0))
    s.chosen[seat] = action
    s.pay[seat, 0] = left
    s.pay[seat, 1] = right


@rule
def pay_out(s: Record, seat: int) -> None:
    """Take what the choice costs from the treasury."""
    action = s.chosen[seat]
    kind = kind_in(action)
    coins = s.pay[seat, 0] + s.pay[seat, 1]
    if use_of(action) == BUILD and COST_COINS[kind] > 0 and not is_chained(s, seat, kind):
        coins += COST_COINS[kind]
    if action >= DEAR:
        coins += 1
    s.city[seat].coins -= coins


@rule
def place(s: Record, seat: int, turn: int) -> None:
    """Move the card from the packet to where the choice puts it."""
    action = s.chosen[seat]
    kind = kind_in(action)
    use = use_of(action)
    packet = packet_of(s, seat)
    take_from_packet(s, packet, kind)
    s.left[s.age, packet, turn] = kind
    city = s.city[seat]
    if use == STAGE:
        s.fate[s.age, packet, turn] = TUCKED
        raise_stage(s, seat)
    elif use == DISCARD:
        s.fate[s.age, packet, turn] = DISCARDED
    else:
        s.fate[s.age, packet, turn] = BUILT
        raise_structure(s, seat, kind)
        if use == FREE and not s.slips & OLYMPIA_ALWAYS:
            city.free_build = SPENT


@rule
def take_from_packet(s: Record, packet: int, kind: int) -> None:
    i = 0
    while s.hand[packet, i] != kind:
        i += 1
    while i + 1 < HAND:
        s.hand[packet, i] = s.hand[packet, i + 1]
        i += 1
    s.hand[packet, HAND - 1] = EMPTY


@rule
def raise_structure(s: Record, seat: int, kind: int) -> None:
    """A structure stands: all but its coins."""
    stand(s, seat, kind)
    take_effect(s, seat, kind)


@rule
def stand(s: Record, seat: int, kind: int) -> None:
    """A structure is there, and counts."""
    city = s.city[seat]
    city.built[kind] = 1
    city.colours[COLOUR[kind]] += 1
    city.points += POINTS[kind]


@rule
def take_effect(s: Record, seat: int, kind: int) -> None:
    """What a structure does for its city: goods, shields, discounts, symbols."""
    city = s.city[seat]
    colour = COLOUR[kind]
    if colour <= GREY:  # brown or grey
        city.goods += FIXED[kind]
        city.sells |= goods_in(FIXED[kind]) | CHOICE[kind]
    if CHOICE[kind]:
        city.makes |= CHOICE[kind]
        if colour <= GREY:  # brown or grey
            city.choice[city.choices] = CHOICE[kind]
            city.choices += 1
        else:
            city.extra[city.extras] = CHOICE[kind]
            city.extras += 1
    city.shields += SHIELDS[kind]
    city.discounts |= DISCOUNT[kind]
    if SYMBOL[kind] != NONE:
        city.symbols[SYMBOL[kind]] += 1


@rule
def raise_stage(s: Record, seat: int) -> None:
    """The next wonder stage stands: all but its coins and points."""
    city = s.city[seat]
    board, side, stage = city.board, city.side, city.stages
    city.stages += 1
    if STAGE_CHOICE[board, side, stage]:
        city.makes |= STAGE_CHOICE[board, side, stage]
        city.extra[city.extras] = STAGE_CHOICE[board, side, stage]
        city.extras += 1
    city.shields += STAGE_SHIELDS[board, side, stage]
    city.discounts |= STAGE_DISCOUNT[board, side, stage]
    if STAGE_SYMBOL[board, side, stage] != NONE:
        city.symbols[STAGE_SYMBOL[board, side, stage]] += 1
    if STAGE_POWER[board, side, stage] == FREE_BUILD:
        city.free_build = READY
    elif STAGE_POWER[board, side, stage] == FROM_DISCARDS:
        s.digger = seat


@rule
def take_in(s: Record, seat: int) -> None:
    """What the choice brings: sales to the neighbours, three coins for a discard, coins of the new card or stage."""
    action = s.chosen[seat]
    use = use_of(action)
    city = s.city[seat]
    if s.pay[seat, 0]:
        s.city[left_of(s, seat)].coins += s.pay[seat, 0]
    if s.pay[seat, 1]:
        s.city[right_of(s, seat)].coins += s.pay[seat, 1]
    if use == DISCARD:
        city.coins += COINS_FOR_A_DISCARD
    elif use == STAGE:
        city.coins += STAGE_COINS[city.board, city.side, city.stages - 1]
    else:
        earn(s, seat, kind_in(action))


@rule
def earn(s: Record, seat: int, kind: int) -> None:
    """The coins of a structure that has just been built."""
    if COINS[kind]:
        s.city[seat].coins += COINS[kind]
    if COINS_EACH[kind]:
        s.city[seat].coins += COINS_EACH[kind] * counted(s, seat, kind)


@rule
def counted(s: Record, seat: int, kind: int) -> int:
    """How much a counting effect counts in the cities of a seat and its neighbours."""
    cities = CITIES[s.slips & CARD_DATA, kind]
    counts = COUNTS[kind]
    total = 0
    if cities & SELF:
        total += counted_in(s, seat, counts)
    if cities & LEFT:
        total += counted_in(s, left_of(s, seat), counts)
    if cities & RIGHT:
        total += counted_in(s, right_of(s, seat), counts)
    return total


@rule
def counted_in(s: Record, seat: int, counts: int) -> int:
    city = s.city[seat]
    total = 0
    for colour in range(NUM_COLOURS):
        if counts >> colour & 1:
            total += city.colours[colour]
    if counts & STAGE_BIT:
        total += city.stages
    if counts & DEFEAT_BIT:
        total += city.defeats
    return total
