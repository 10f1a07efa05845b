"""Paying neighbours is exact: the fast solver against a plain search over every assignment of goods to units."""

from __future__ import annotations

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwright.games.wonders.cards import (
    BOARDS,
    CHOICE,
    COLOUR,
    DISCOUNT,
    FIXED,
    GREY,
    NAMES,
    NEED,
    STAGE_CHOICE,
    STAGE_DISCOUNT,
    STAGE_NEED,
    STAGES,
    START,
    kind_of,
)
from boardwright.games.wonders.costs import NO_PURCHASE, NO_WAY, least, offered, right_for, ways
from boardwright.games.wonders.slips import CHOICES_UNSOLD, ONE_NEIGHBOUR, SLIPS, SWAPPED
from boardwright.games.wonders.state import STATE
from boardwright.games.wonders.text import gives_text
from boardwright.kernel import UNCOMPILED
from boardwright.kernel.records import plain_record
from tests.wonders_table import Table

NEEDS = sorted({int(x) for x in [*NEED.ravel(), *STAGE_NEED.ravel()] if x})
ECONOMIC = [k for k in range(len(NAMES)) if FIXED[k] or CHOICE[k] or DISCOUNT[k]]

if UNCOMPILED:

    def solve(memory, seat, need, budget):  # type: ignore[no-untyped-def]
        return ways(plain_record(memory, STATE), seat, need, budget)
else:

    @numba.njit
    def solve(memory, seat, need, budget):  # type: ignore[no-untyped-def]
        return ways(memory.view(STATE)[0], seat, need, budget)


def unpacked(goods: int) -> list[int]:
    return [good for good in range(7) for _ in range(goods >> (8 * good) & 127)]


def members(mask: int) -> frozenset[int]:
    return frozenset(good for good in range(7) if mask >> good & 1)


class Brute:
    """Cities as lists of units; every good of a cost tries every unit."""

    def __init__(self, boards: list[tuple[int, int, int]], built: list[list[int]], slips: int) -> None:
        self.units: list[list[frozenset[int]]] = []
        self.own: list[list[frozenset[int]]] = []
        self.discount = []
        for (board, side, stages), kinds in zip(boards, built, strict=True):
            sold = [frozenset([g]) for g in unpacked(int(START[board]))]
            kept, discount = [], 0
            for kind in kinds:
                units = [frozenset([g]) for g in unpacked(int(FIXED[kind]))]
                choice = [members(int(CHOICE[kind]))] if CHOICE[kind] else []
                if COLOUR[kind] <= GREY:
                    sold += units + ([] if slips & CHOICES_UNSOLD else choice)
                    kept += choice if slips & CHOICES_UNSOLD else []
                else:
                    kept += choice
                discount |= int(DISCOUNT[kind])
            for stage in range(stages):
                if STAGE_CHOICE[board, side, stage]:
                    kept.append(members(int(STAGE_CHOICE[board, side, stage])))
                discount |= int(STAGE_DISCOUNT[board, side, stage])
            self.units.append(sold)
            self.own.append(sold + kept)
            self.discount.append(discount)
        self.slips = slips

    def payments(self, seat: int, need: list[int], budget: int) -> set[tuple[int, int]]:
        n = len(self.units)
        sellers = [(seat + 1) % n, (seat - 1) % n]
        if self.slips & SWAPPED:
            sellers.reverse()
        discount = self.discount[seat]
        price = [
            [1 if discount & 1 else 2, 1 if discount & 4 else 2],
            [1 if discount & 2 else 2, 1 if discount & 8 else 2],
        ]
        sources = [(self.own[seat], (0, 0), (0, 0))]
        for side in (0, 1):
            raw = (price[0][0], 0) if side == 0 else (0, price[1][0])
            made = (price[0][1], 0) if side == 0 else (0, price[1][1])
            sources.append((self.units[sellers[side]], raw, made))
        units = [(goods, raw, made) for stock, raw, made in sources for goods in stock]
        states = {(frozenset(), 0, 0)}
        for good in need:
            grown = set()
            for used, left, right in states:
                for i, (goods, raw, made) in enumerate(units):
                    if i in used or good not in goods:
                        continue
                    paid = raw if good < 4 else made
                    there = (used | {i}, left + paid[0], right + paid[1])
                    if there[1] + there[2] <= budget and not (self.slips & ONE_NEIGHBOUR and there[1] and there[2]):
                        grown.add(there)
            states = grown
        return {(left, right) for _, left, right in states}


def undominated(payments: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {p for p in payments if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in payments)}


def as_set(frontier: int) -> set[tuple[int, int]]:
    return {(left, right_for(frontier, left)) for left in range(15) if right_for(frontier, left) < 15}


@st.composite
def situations(draw):  # type: ignore[no-untyped-def]
    seats = draw(st.integers(3, 4))
    boards = draw(st.permutations(range(BOARDS)))[:seats]
    sides = [draw(st.integers(0, 1)) for _ in range(seats)]
    stages = [draw(st.integers(0, int(STAGES[b, side]))) for b, side in zip(boards, sides, strict=True)]
    built = [draw(st.lists(st.sampled_from(ECONOMIC), unique=True, max_size=6)) for _ in range(seats)]
    need = draw(st.sampled_from(NEEDS))
    budget = draw(st.integers(0, 14))
    slips = draw(st.sampled_from([0, 0, 0, ONE_NEIGHBOUR, CHOICES_UNSOLD, SWAPPED, ONE_NEIGHBOUR | SWAPPED]))
    return list(zip(boards, sides, stages, strict=True)), built, need, budget, slips


@settings(max_examples=600)
@given(situations())
def test_the_solver_finds_every_undominated_and_every_cheapest_payment(situation) -> None:  # type: ignore[no-untyped-def]
    boards, built, need, budget, slips = situation
    from boardwright.games.wonders.cards import BOARD_NAMES

    names = [f"{BOARD_NAMES[board]} {'AB'[side]}" for board, side, _ in boards]
    table = Table(*names, seats=len(boards), slips=SLIPS.decode(slips))
    for seat, ((_, _, stages), kinds) in enumerate(zip(boards, built, strict=True), 1):
        table.stages(seat, stages).build(seat, *(NAMES[k] for k in kinds))
    frontier = solve(table.state.memory, 0, need, budget)
    expected = undominated(Brute(boards, built, slips).payments(0, unpacked(need), budget))
    assert undominated(as_set(frontier)) == expected
    assert as_set(offered(frontier, 1)) == expected
    fewest = min((left + right for left, right in expected), default=99)
    assert least(frontier) == fewest
    assert as_set(offered(frontier, 0)) == {p for p in expected if sum(p) == fewest}


def test_what_is_needed_beyond_the_own_fixed_goods_is_six_goods_at_most() -> None:
    for need in NEEDS:
        for start in START:
            goods = unpacked(need)
            own = unpacked(int(start))[0]
            assert len(goods) - (own in goods) <= 6


@pytest.mark.parametrize("budget", [0, 5])
def test_own_goods_come_first(budget: int) -> None:
    table = Table("Gizah A").build(1, "Quarry", "Foundry", "Loom", "Brickyard")
    assert ways(table.s, 0, int(NEED[0, kind_of("Aqueduct")]), budget) == NO_PURCHASE
    assert ways(table.s, 0, int(NEED[0, kind_of("Palace")]), budget) == NO_WAY


def test_what_a_card_gives_is_said_in_words() -> None:
    assert gives_text("1 points per red in left right") == "1 point per red card of your neighbours"
    assert gives_text("1 points per brown grey purple in self") == "1 point per brown, grey or purple card of yours"
    assert gives_text("raw for 1 from left") == "raw goods for 1 coin from the left neighbour"
    assert gives_text("1 shields, 3 points") == "1 shield, 3 points"
