"""Produce: goods on production worlds, on windfall worlds by powers and for the bonus, cards for what was produced.

docs/rules/race.md, section 7.5.
"""

from __future__ import annotations

from boardwright.games.race import cards as tables
from boardwright.games.race import state
from boardwright.games.race.bits import count
from boardwright.games.race.picks import ask
from boardwright.games.race.piles import draw_to_hand
from boardwright.games.race.tableau import add_good, place_of, seat_at
from boardwright.kernel import Actions, Record, rule


@rule
def produce_start(s: Record) -> None:
    """A seat finishes the whole phase before the next seat begins."""
    if not s.phases & state.PRODUCE_PHASE:
        s.turn = 0
        s.stage = state.ROUND_DISCARD
        return
    for seat in range(s.seats):
        s.produced[seat] = 0
    s.turn = 0
    s.place = s.size[seat_at(s, 0)]
    s.stage = state.PRODUCE_SCAN


@rule
def produce_on(s: Record, seat: int, place: int) -> None:
    if add_good(s, seat, place):
        s.produced[seat] |= 1 << place
        draw_to_hand(s, seat, tables.DRAW_IF_PRODUCED_HERE[s.tableau[seat, place]])


@rule
def is_candidate(s: Record, seat: int, place: int, kind: int) -> bool:
    world = s.tableau[seat, place]
    return (
        tables.IS_WINDFALL[world] != 0
        and s.good[seat, place] == 0
        and (kind == tables.NO_KIND or tables.KIND[world] == kind)
    )


@rule
def windfall(s: Record, seat: int, kind: int) -> None:
    """Produce on an empty windfall world of that kind; ask only if there are several."""
    candidates, only = 0, 0
    for place in range(s.size[seat]):
        if is_candidate(s, seat, place, kind):
            candidates += 1
            only = place
    if candidates == 1:
        produce_on(s, seat, only)
    elif candidates > 1:
        s.wanted = kind
        ask(s, state.WINDFALL, seat)


@rule
def legal_windfalls(s: Record, out: Actions) -> int:
    n = 0
    for place in range(s.size[s.asked]):
        if is_candidate(s, s.asked, place, s.wanted):
            out[n] = tables.DESIGN[s.tableau[s.asked, place]]
            n += 1
    return n


@rule
def choose_windfall(s: Record, world: int) -> None:
    produce_on(s, s.asked, place_of(s, s.asked, world))
    s.wanted = 0
    s.question = state.NOTHING


@rule
def produce_scan(s: Record) -> None:
    """From the newest card to the oldest, one power at a time."""
    seat = seat_at(s, s.turn)
    while s.place > 0 and s.question == state.NOTHING:
        s.place -= 1
        card = s.tableau[seat, s.place]
        effect = tables.SCAN[card]
        if effect == tables.NOTHING_HAPPENS:
            continue
        if effect == tables.PRODUCE_HERE:
            if s.good[seat, s.place] == 0:
                produce_on(s, seat, s.place)
        elif effect == tables.PRODUCE_DRAW:
            draw_to_hand(s, seat, tables.SCAN_VALUE[card])
        elif effect == tables.DRAW_PER_GENES:
            draw_to_hand(s, seat, tables.SCAN_VALUE[card] * worlds_of(s, seat, tables.GENES))
        else:
            windfall(s, seat, tables.SCAN_KIND[card])
    if s.question == state.NOTHING:
        s.stage = state.PRODUCE_BONUS


@rule
def worlds_of(s: Record, seat: int, kind: int) -> int:
    n = 0
    for place in range(s.size[seat]):
        if tables.KIND[s.tableau[seat, place]] == kind:
            n += 1
    return n


@rule
def produce_bonus(s: Record) -> None:
    seat = seat_at(s, s.turn)
    s.stage = state.PRODUCE_ANY
    if s.chosen[seat] == state.PRODUCE_ACTION:
        windfall(s, seat, tables.NO_KIND)


@rule
def produce_any(s: Record) -> None:
    """Galactic Engineers: one more windfall world, of any kind."""
    seat = seat_at(s, s.turn)
    s.stage = state.PRODUCE_COUNT
    for place in range(s.size[seat]):
        if tables.WINDFALL_ANY[s.tableau[seat, place]]:
            windfall(s, seat, tables.NO_KIND)


@rule
def produced_of(s: Record, seat: int, kind: int) -> int:
    """Goods of a kind that the seat produced in this phase."""
    n = 0
    for place in range(s.size[seat]):
        if s.produced[seat] >> place & 1 and tables.KIND[s.tableau[seat, place]] == kind:
            n += 1
    return n


@rule
def produce_count(s: Record) -> None:
    """Cards for what was produced; when the last seat is done, for the most rare goods."""
    seat = seat_at(s, s.turn)
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if tables.PRODUCED_COUNT[card] == tables.COUNT_KIND:
            draw_to_hand(s, seat, produced_of(s, seat, tables.PRODUCED_KIND[card]))
        elif tables.PRODUCED_COUNT[card] == tables.COUNT_KINDS:
            kinds = 0
            for other in range(s.size[seat]):
                if s.produced[seat] >> other & 1:
                    kinds |= 1 << tables.KIND[s.tableau[seat, other]]
            draw_to_hand(s, seat, count(kinds))
    s.turn += 1
    if s.turn < s.seats:
        s.place = s.size[seat_at(s, s.turn)]
        s.stage = state.PRODUCE_SCAN
        return
    for turn in range(s.seats):
        most_rare(s, seat_at(s, turn))
    for other in range(s.seats):
        s.produced[other] = 0
    s.turn = 0
    s.stage = state.ROUND_DISCARD


@rule
def most_rare(s: Record, seat: int) -> None:
    """Mining Conglomerate: cards for having produced more rare goods than everybody else."""
    cards = 0
    for place in range(s.size[seat]):
        cards += tables.DRAW_IF_MOST_RARE[s.tableau[seat, place]]
    if cards == 0:
        return
    mine = produced_of(s, seat, tables.RARE)
    for other in range(s.seats):
        if other != seat and produced_of(s, other, tables.RARE) >= mine:
            return
    draw_to_hand(s, seat, cards)
