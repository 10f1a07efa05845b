"""Reinforcement: one card from the deck or from the board back into the hand (docs/rules/lords.md, section 5)."""

from __future__ import annotations

from boardwright.games.lords.elimination import engaged_units
from boardwright.games.lords.piles import add_to_hand, draw_card, take_off_board
from boardwright.games.lords.state import DRAW, HAND, NO_REINFORCEMENT, RECALL
from boardwright.kernel import Actions, Record, RngState, rng, rule
from boardwright.kernel.bits import count_bits, lowest_bit, nth_bit


@rule
def recallable(s: Record) -> int:
    """The units that may be recalled: not engaged by an enemy arrow, not deployed this turn, and without a part in a
    kill of this turn."""
    seat = s.active
    return s.occupied[seat] & ~s.held & ~engaged_units(s, seat)


@rule
def reinforcements(s: Record, out: Actions) -> int:
    n = 0
    if s.deck_size[s.active] > 0:
        out[0] = DRAW
        n = 1
    units = recallable(s)
    while units:
        out[n] = RECALL + lowest_bit(units)
        n += 1
        units &= units - 1
    if not s.must_reinforce:
        out[n] = NO_REINFORCEMENT
        n += 1
    return n


@rule
def random_reinforcement(s: Record, rng_state: RngState) -> int:
    units, draws = recallable(s), s.deck_size[s.active] > 0
    n = draws + count_bits(units)
    drawn = rng.below(rng_state, n if s.must_reinforce else n + 1)
    if drawn == n:
        return NO_REINFORCEMENT
    return DRAW if drawn < draws else RECALL + nth_bit(units, drawn - draws)


@rule
def must_be_asked(s: Record) -> bool:
    """Whether there is a choice. If there is only the deck to draw from, the card is drawn here."""
    seat = s.active
    if s.hand_size[seat] == HAND:
        return False
    if recallable(s):
        return True
    if s.deck_size[seat] == 0:
        return False
    if s.must_reinforce:
        draw_card(s, seat)
        return False
    return True


@rule
def reinforce(s: Record, action: int) -> None:
    """A recalled card was seen by everybody, and stays known in the hand."""
    if action == DRAW:
        draw_card(s, s.active)
    elif action != NO_REINFORCEMENT:
        kind = take_off_board(s, s.active, action - RECALL)
        add_to_hand(s, s.active, kind)
        s.known[s.active, kind] += 1
