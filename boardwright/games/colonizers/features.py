"""A position as sparse features: the own hand, and of every seat its colony, Omnium, points and, if it is revealed, its
colonist. The observing seat comes first, the others follow in turn order."""

from __future__ import annotations

from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import COLONISTS, COST, KINDS, MODULES
from boardwright.games.colonizers.information import is_revealed
from boardwright.games.colonizers.rules import points
from boardwright.kernel import FeatureLayout, Record, SparseFeatures, add_feature, rule

_NAMES = [module.name for module in MODULES]
_OMNIUM_STEPS = 13

# Set by hand, so that features stay around -1 to 1.
_LONG_GAME = 25.0  # rounds
_HIGH_SCORE = 30.0
_MUCH_OMNIUM, _OMNIUM_SCALE = 20, 10.0  # more Omnium counts as 20

_layout = FeatureLayout()
HAND = _layout.block("in hand", _NAMES)
AFFORDABLE = _layout.block("in hand and affordable", _NAMES)
DRAWN = _layout.block("drawn", _NAMES)
OFFERED = _layout.block("on offer", [colonist.name for colonist in COLONISTS])
PLACE = _layout.block("place in turn order", range(state.SEATS))
TO_MOVE = _layout.block("to move", range(state.SEATS))
PHASE = _layout.block("phase", range(state.BUILD + 1))
ROUND = _layout.block("round")


def _seat_block(title: str) -> int:
    first = _layout.block(f"{title} colony", _NAMES)
    _layout.block(f"{title} colonist", [colonist.name for colonist in COLONISTS])
    _layout.block(f"{title} colony size", range(state.COLONY_TARGET + 2))
    _layout.block(f"{title} Omnium, in steps", range(_OMNIUM_STEPS))
    _layout.block(f"{title} hand size", range(state.HAND_CAPACITY + 1))
    for single in ("points", "Omnium", "completed first"):
        _layout.block(f"{title} {single}")
    return first


SEATS_AT = _layout.per_seat(_seat_block, state.SEATS)
FEATURE_NAMES = _layout.names
SEAT_FEATURES = (len(FEATURE_NAMES) - SEATS_AT) // state.SEATS
COLONIST = KINDS
SIZE = COLONIST + len(COLONISTS)
OMNIUM = SIZE + state.COLONY_TARGET + 2
HAND_SIZE = OMNIUM + _OMNIUM_STEPS
SINGLES = HAND_SIZE + state.HAND_CAPACITY + 1
assert SINGLES + 3 == SEAT_FEATURES


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    for kind in range(KINDS):
        add_feature(sparse, HAND + kind, float(s.hand[seat, kind]))
        if s.hand[seat, kind] and COST[kind] <= s.omnium[seat]:
            add_feature(sparse, AFFORDABLE + kind, 1.0)
    if s.turn == seat and s.phase == state.DISCARD:
        for i in range(state.CARDS_DRAWN):
            add_feature(sparse, DRAWN + s.drawn[i], 1.0)
    for colonist in range(len(COLONISTS)):
        add_feature(sparse, OFFERED + colonist, float(s.offered[seat] >> colonist & 1))
    add_feature(sparse, PLACE + seat, 1.0)
    add_feature(sparse, TO_MOVE + (s.turn - seat + state.SEATS) % state.SEATS, 1.0)
    add_feature(sparse, PHASE + min(s.phase, state.BUILD), 1.0)
    add_feature(sparse, ROUND, s.round / _LONG_GAME)
    for i in range(state.SEATS):
        other = (seat + i) % state.SEATS
        add_seat_features(s, other, i == 0 or is_revealed(s, other), sparse, SEATS_AT + i * SEAT_FEATURES)


@rule
def add_seat_features(s: Record, seat: int, colonist_open: bool, sparse: SparseFeatures, at: int) -> None:
    for kind in range(KINDS):
        add_feature(sparse, at + kind, float(s.colony[seat, kind]))
    if colonist_open and s.colonist[seat] != state.NONE:
        add_feature(sparse, at + COLONIST + s.colonist[seat], 1.0)
    add_feature(sparse, at + SIZE + min(s.colony_size[seat], state.COLONY_TARGET + 1), 1.0)
    add_feature(sparse, at + OMNIUM + min(s.omnium[seat], _OMNIUM_STEPS - 1), 1.0)
    add_feature(sparse, at + HAND_SIZE + s.hand_size[seat], 1.0)
    add_feature(sparse, at + SINGLES, points(s, seat) / _HIGH_SCORE)
    add_feature(sparse, at + SINGLES + 1, min(s.omnium[seat], _MUCH_OMNIUM) / _OMNIUM_SCALE)
    add_feature(sparse, at + SINGLES + 2, 1.0 if s.first_complete == seat else 0.0)


@rule
def turn(s: Record) -> int:
    """A turn is a round."""
    return s.round
