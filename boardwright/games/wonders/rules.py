"""The rules of 7 Wonders as the contract wants them. Start reading here; the rest is in modules of their own.

In the order of docs/rules/wonders.md:

    setup.py     sections 1 and 2        boards, coins, decks; dealing an Age
    choosing.py  sections 3, 5, 7 and 8  what a seat may choose
    costs.py     section 4               the ways to pay neighbours for goods
    building.py  sections 4, 6 and 7     what a choice does: paying, placing the card, what comes in
    turns.py     sections 2, 6, 8 and 9  resolving a turn, the sixth turn, conflicts, the next Age
    scoring.py   section 10              points, and who wins
    slips.py     section 12              departures of Madrid's program, as options

What a seat knows (section 11) is in information.py.
"""

from __future__ import annotations

from boardwright.games.wonders.building import commit
from boardwright.games.wonders.cards import AGES, COPIES, DECK_SIZE, FIRST_GUILD, HAND
from boardwright.games.wonders.choosing import legal
from boardwright.games.wonders.scoring import returns, scores
from boardwright.games.wonders.setup import setup
from boardwright.games.wonders.state import CHOOSE, EMPTY, SEVENTH
from boardwright.games.wonders.turns import build_from_pile, finish_turn, next_to_choose, play_seventh, resolve
from boardwright.kernel import Actions, Record, rule

__all__ = ["NUM_PIECE_KINDS", "apply", "legal", "piece_counts", "player", "returns", "scores", "setup"]


@rule
def player(s: Record) -> int:
    return s.mover


@rule
def apply(s: Record, action: int) -> None:
    """A choice waits until all have chosen. What Babylon B and Halikarnassos do afterwards happens at once."""
    seat = s.mover
    if s.phase == CHOOSE:
        commit(s, seat, action)
        s.mover = next_to_choose(s)
        if s.mover == EMPTY:
            resolve(s)
    elif s.phase == SEVENTH:
        play_seventh(s, seat, action)
    else:
        build_from_pile(s, seat, action)
        finish_turn(s)


NUM_PIECE_KINDS = FIRST_GUILD + 1
"""One for each ordinary kind, and one for all guilds together: before Age III it is open which are in the game."""


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """All cards of the game: in packets, in cities, under boards, in the pile, and in the decks to come."""
    out[:] = 0
    for age in range(AGES):
        if age > s.age:
            for kind in range(FIRST_GUILD):
                out[kind] += COPIES[s.seats, age, kind]
            out[FIRST_GUILD] += s.seats * HAND - DECK_SIZE[s.seats, age]
            continue
        for packet in range(s.seats):
            for turn in range(HAND):
                if s.fate[age, packet, turn]:
                    out[min(s.left[age, packet, turn], FIRST_GUILD)] += 1
                if age == s.age and s.hand[packet, turn] != EMPTY:
                    out[min(s.hand[packet, turn], FIRST_GUILD)] += 1
