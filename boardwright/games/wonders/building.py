"""What a choice does: paying, placing the card, and what comes in (docs/rules/wonders.md, sections 4, 6 and 7)."""

from __future__ import annotations

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.choosing import is_chained, ways_on_credit, ways_to_build, ways_to_stage
from boardwright.games.wonders.costs import first_way, offered, right_for
from boardwright.games.wonders.slips import CARD_DATA, CHAINS_COST, OLYMPIA_ALWAYS
from boardwright.kernel import Record, rule

COINS_FOR_A_DISCARD = 3


@rule
def commit(s: Record, seat: int, action: int) -> None:
    """Note a choice and how it is paid."""
    left = state.to_left(action)
    right = 0
    use = state.use_of(action)
    if use == state.BUILD:
        right = right_for(ways_to_build(s, seat, state.kind_in(action)), left)
    elif use == state.STAGE:
        right = right_for(ways_to_stage(s, seat), left)
    elif use == state.FREE and s.slips & CHAINS_COST:
        left, right = first_way(offered(ways_on_credit(s, seat, state.kind_in(action)), 0))
    s.chosen[seat] = action
    s.pay[seat, 0] = left
    s.pay[seat, 1] = right


@rule
def pay_out(s: Record, seat: int) -> None:
    """Take what the choice costs from the treasury."""
    action = s.chosen[seat]
    kind = state.kind_in(action)
    coins = s.pay[seat, 0] + s.pay[seat, 1]
    if state.use_of(action) == state.BUILD and cards.COST_COINS[kind] > 0 and not is_chained(s, seat, kind):
        coins += cards.COST_COINS[kind]
    if action >= state.DEAR:
        coins += 1
    s.city[seat].coins -= coins


@rule
def place(s: Record, seat: int, turn: int) -> None:
    """Move the card from the packet to where the choice puts it."""
    action = s.chosen[seat]
    kind = state.kind_in(action)
    use = state.use_of(action)
    packet = state.packet_of(s, seat)
    take_from_packet(s, packet, kind)
    s.left[s.age, packet, turn] = kind
    city = s.city[seat]
    if use == state.STAGE:
        s.fate[s.age, packet, turn] = state.TUCKED
        raise_stage(s, seat)
    elif use == state.DISCARD:
        s.fate[s.age, packet, turn] = state.DISCARDED
    else:
        s.fate[s.age, packet, turn] = state.BUILT
        raise_structure(s, seat, kind)
        if use == state.FREE and not s.slips & OLYMPIA_ALWAYS:
            city.free_build = state.SPENT


@rule
def take_from_packet(s: Record, packet: int, kind: int) -> None:
    i = 0
    while s.hand[packet, i] != kind:
        i += 1
    while i + 1 < cards.HAND:
        s.hand[packet, i] = s.hand[packet, i + 1]
        i += 1
    s.hand[packet, cards.HAND - 1] = state.EMPTY


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
    city.colours[cards.COLOUR[kind]] += 1
    city.points += cards.POINTS[kind]


@rule
def take_effect(s: Record, seat: int, kind: int) -> None:
    """What a structure does for its city: goods, shields, discounts, symbols."""
    city = s.city[seat]
    colour = cards.COLOUR[kind]
    if colour <= cards.GREY:  # brown or grey
        city.goods += cards.FIXED[kind]
        city.sells |= cards.goods_in(cards.FIXED[kind]) | cards.CHOICE[kind]
    if cards.CHOICE[kind]:
        city.makes |= cards.CHOICE[kind]
        if colour <= cards.GREY:  # brown or grey
            city.choice[city.choices] = cards.CHOICE[kind]
            city.choices += 1
        else:
            city.extra[city.extras] = cards.CHOICE[kind]
            city.extras += 1
    city.shields += cards.SHIELDS[kind]
    city.discounts |= cards.DISCOUNT[kind]
    if cards.SYMBOL[kind] != cards.NONE:
        city.symbols[cards.SYMBOL[kind]] += 1


@rule
def raise_stage(s: Record, seat: int) -> None:
    """The next wonder stage stands: all but its coins and points."""
    city = s.city[seat]
    board, side, stage = city.board, city.side, city.stages
    city.stages += 1
    if cards.STAGE_CHOICE[board, side, stage]:
        city.makes |= cards.STAGE_CHOICE[board, side, stage]
        city.extra[city.extras] = cards.STAGE_CHOICE[board, side, stage]
        city.extras += 1
    city.shields += cards.STAGE_SHIELDS[board, side, stage]
    city.discounts |= cards.STAGE_DISCOUNT[board, side, stage]
    if cards.STAGE_SYMBOL[board, side, stage] != cards.NONE:
        city.symbols[cards.STAGE_SYMBOL[board, side, stage]] += 1
    if cards.STAGE_POWER[board, side, stage] == cards.FREE_BUILD:
        city.free_build = state.READY
    elif cards.STAGE_POWER[board, side, stage] == cards.FROM_DISCARDS:
        s.digger = seat


@rule
def take_in(s: Record, seat: int) -> None:
    """What the choice brings: sales to the neighbours, three coins for a discard, coins of the new card or stage."""
    action = s.chosen[seat]
    use = state.use_of(action)
    city = s.city[seat]
    if s.pay[seat, 0]:
        s.city[state.left_of(s, seat)].coins += s.pay[seat, 0]
    if s.pay[seat, 1]:
        s.city[state.right_of(s, seat)].coins += s.pay[seat, 1]
    if use == state.DISCARD:
        city.coins += COINS_FOR_A_DISCARD
    elif use == state.STAGE:
        city.coins += cards.STAGE_COINS[city.board, city.side, city.stages - 1]
    else:
        earn(s, seat, state.kind_in(action))


@rule
def earn(s: Record, seat: int, kind: int) -> None:
    """The coins of a structure that has just been built."""
    if cards.COINS[kind]:
        s.city[seat].coins += cards.COINS[kind]
    if cards.COINS_EACH[kind]:
        s.city[seat].coins += cards.COINS_EACH[kind] * counted(s, seat, kind)


@rule
def counted(s: Record, seat: int, kind: int) -> int:
    """How much a counting effect counts in the cities of a seat and its neighbours."""
    cities = cards.CITIES[s.slips & CARD_DATA, kind]
    counts = cards.COUNTS[kind]
    total = 0
    if cities & cards.SELF:
        total += counted_in(s, seat, counts)
    if cities & cards.LEFT:
        total += counted_in(s, state.left_of(s, seat), counts)
    if cities & cards.RIGHT:
        total += counted_in(s, state.right_of(s, seat), counts)
    return total


@rule
def counted_in(s: Record, seat: int, counts: int) -> int:
    city = s.city[seat]
    total = 0
    for colour in range(cards.NUM_COLOURS):
        if counts >> colour & 1:
            total += city.colours[colour]
    if counts & cards.STAGE_BIT:
        total += city.stages
    if counts & cards.DEFEAT_BIT:
        total += city.defeats
    return total
