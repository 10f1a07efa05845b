"""What a seat may choose (docs/rules/wonders.md, sections 3, 5, 7 and 8)."""

from __future__ import annotations

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.costs import NO_PURCHASE, NO_WAY, UNLIMITED, WAY_BITS, WAY_MASK, offered, ways
from boardwright.games.wonders.slips import CARD_DATA, CHAINS_COST, DOUBLE_COINS
from boardwright.kernel import Actions, Record, rule


@rule
def is_chained(s: Record, seat: int, kind: int) -> bool:
    """Whether a structure in the city makes it free."""
    for place in range(2):
        parent = cards.PARENTS[kind, place]
        if parent != cards.NONE and s.city[seat].built[parent]:
            return True
    return False


@rule
def ways_to_build(s: Record, seat: int, kind: int) -> int:
    """The frontier of payments to neighbours for building a card; its coins for the bank come on top."""
    if cards.PARENTS[kind, 0] != cards.NONE and is_chained(s, seat, kind):
        return ways_on_credit(s, seat, kind) if s.slips & CHAINS_COST else NO_PURCHASE
    budget = s.city[seat].coins - cards.COST_COINS[kind]
    if budget < 0:
        return NO_WAY
    need = cards.NEED[s.slips & CARD_DATA, kind]
    return ways(s, seat, need, budget) if need else NO_PURCHASE


@rule
def ways_on_credit(s: Record, seat: int, kind: int) -> int:
    """What a chained or free build pays neighbours that could supply it (slips.py: chains cost)."""
    need = cards.NEED[s.slips & CARD_DATA, kind]
    frontier = ways(s, seat, need, UNLIMITED) if need else NO_PURCHASE
    return NO_PURCHASE if frontier == NO_WAY else frontier


@rule
def ways_to_stage(s: Record, seat: int) -> int:
    """The frontier of payments for the next wonder stage."""
    city = s.city[seat]
    if city.stages >= cards.STAGES[city.board, city.side]:
        return NO_WAY
    return ways(s, seat, cards.STAGE_NEED[s.slips & CARD_DATA, city.board, city.side, city.stages], city.coins)


@rule
def costs_nothing(s: Record, seat: int, kind: int, frontier: int) -> bool:
    return frontier == NO_PURCHASE and (cards.COST_COINS[kind] == 0 or is_chained(s, seat, kind))


@rule
def add(out: Actions, n: int, base: int, frontier: int) -> int:
    """One action for each way of a frontier."""
    while frontier:
        if frontier & WAY_MASK:
            out[n] = base
            n += 1
        base += 1
        frontier >>= WAY_BITS
    return n


@rule
def shown(s: Record, frontier: int) -> int:
    return frontier if frontier <= NO_PURCHASE else offered(frontier, s.undominated)


@rule
def legal(s: Record, out: Actions) -> int:
    if s.phase == state.DIG:
        return legal_from_pile(s, out)
    seat = s.mover
    city = s.city[seat]
    packet = state.packet_of(s, seat)
    stage = shown(s, ways_to_stage(s, seat))
    n = 0
    before = cards.NONE
    for place in range(cards.HAND):
        kind = s.hand[packet, place]
        if kind < 0:
            break
        if kind == before:
            continue
        before = kind
        if not city.built[kind]:
            frontier = shown(s, ways_to_build(s, seat, kind))
            n = add(out, n, state.BUILD + kind * state.MOST_TO_LEFT, frontier)
            if city.free_build == state.READY and not costs_nothing(s, seat, kind, frontier):
                out[n] = state.FREE + kind
                n += 1
        n = add(out, n, state.STAGE + kind * state.MOST_TO_LEFT, stage)
        out[n] = state.DISCARD + kind
        n += 1
    return add_dear(out, n) if s.slips & DOUBLE_COINS else n


@rule
def add_dear(out: Actions, n: int) -> int:
    """Every build once more, losing a coin, if some card on offer costs one (slips.py: double coins)."""
    more = n
    costs_a_coin = False
    for i in range(n):
        use = state.use_of(out[i])
        if use in (state.BUILD, state.FREE):
            costs_a_coin |= cards.COST_COINS[state.kind_in(out[i])] == 1
            out[more] = out[i] + state.DEAR
            more += 1
    return more if costs_a_coin else n


@rule
def legal_from_pile(s: Record, out: Actions) -> int:
    """Halikarnassos: any kind in the discard pile that does not stand in the city yet, or nothing."""
    city = s.city[s.mover]
    n = 0
    for kind in range(cards.KINDS):
        if not city.built[kind] and in_pile(s, kind):
            out[n] = state.FROM_PILE + kind
            n += 1
    out[n] = state.NOTHING
    return n + 1


@rule
def in_pile(s: Record, kind: int) -> bool:
    left = s.left
    for age in range(cards.AGES):
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                if left[age, packet, turn] == kind:
                    fate = s.fate[age, packet, turn]
                    if state.DISCARDED <= fate <= state.LOOKED_AT:
                        return True
    return False
