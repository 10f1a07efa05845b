"""A position as sparse features: the own hand, what is known of the other, and square by square who stands there, how
well it defends and what strikes it. Squares are those of the board, as in the numbers of actions."""

from __future__ import annotations

from boardwright.games.lords.board import SEATS, SQUARE_NAMES
from boardwright.games.lords.cards import DEFENCE, IS_COMMAND, IS_GENERAL, IS_SUPPORT, KINDS
from boardwright.games.lords.state import CARDS_TO_WIN, COMMANDS_TO_WIN, FINISHED, HAND, SHOOT
from boardwright.kernel import FeatureLayout, Record, SparseFeatures, add_feature, rule
from boardwright.kernel.bits import lowest_bit

# Set by hand, so that features stay around -1 to 1.
_HIGH_DEFENCE, _STRONG_ATTACK, _FULL_DECK, _LONG_GAME = 6.0, 8.0, 30.0, 100.0

_layout = FeatureLayout()
HAND_AT = _layout.block("in hand", range(KINDS))
KNOWN_AT = _layout.block("known in the other hand", range(KINDS))
PHASE_AT = _layout.block("phase", range(FINISHED + 1))
TO_MOVE = _layout.block("to move")
SECOND_SEAT = _layout.block("second seat")
TURN_AT = _layout.block("turn")
SHOOTER_AT = _layout.block("unit asked to shoot", SQUARE_NAMES)


def _side_block(title: str) -> int:
    """What is said about each of the two sides; the offsets below follow this order."""
    first = _layout.block(f"{title} card on", SQUARE_NAMES)
    for about in ("defence on", "command card on", "general on", "support unit on", "doomed card on", "attack on"):
        _layout.block(f"{title} {about}", SQUARE_NAMES)
    for single in ("losses", "command losses", "hand size", "deck size"):
        _layout.block(f"{title} {single}")
    return first


OWN_AT = _side_block("own")
OTHER_AT = _side_block("other's")
FEATURE_NAMES = _layout.names
_PER_SQUARE = len(SQUARE_NAMES)
DEFENCE_AT, COMMAND_AT, GENERAL_AT, SUPPORT_AT, DOOMED_AT, ATTACK_AT, SINGLES_AT = (
    _PER_SQUARE * n for n in range(1, 8)
)
assert OWN_AT + SINGLES_AT + 4 == OTHER_AT


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    for kind in range(KINDS):
        if s.hand[seat, kind]:
            add_feature(sparse, HAND_AT + kind, float(s.hand[seat, kind]))
        if s.known[1 - seat, kind]:
            add_feature(sparse, KNOWN_AT + kind, float(s.known[1 - seat, kind]))
    add_feature(sparse, PHASE_AT + s.phase, 1.0)
    if s.mover == seat:
        add_feature(sparse, TO_MOVE, 1.0)
    if seat == 1:
        add_feature(sparse, SECOND_SEAT, 1.0)
    add_feature(sparse, TURN_AT, s.turn / _LONG_GAME)
    if s.phase == SHOOT:
        add_feature(sparse, SHOOTER_AT + s.shooter, 1.0)
    for side in range(SEATS):
        add_side(s, side, sparse, OWN_AT if side == seat else OTHER_AT)


@rule
def add_side(s: Record, side: int, sparse: SparseFeatures, at: int) -> None:
    cards = s.occupied[side]
    while cards:
        square = lowest_bit(cards)
        cards &= cards - 1
        row = s.row[side] + s.card[square]
        add_feature(sparse, at + square, 1.0)
        add_feature(sparse, at + DEFENCE_AT + square, DEFENCE[row] / _HIGH_DEFENCE)
        if IS_COMMAND[row]:
            add_feature(sparse, at + COMMAND_AT + square, 1.0)
        if IS_GENERAL[row]:
            add_feature(sparse, at + GENERAL_AT + square, 1.0)
        if IS_SUPPORT[row]:
            add_feature(sparse, at + SUPPORT_AT + square, 1.0)
        if s.attack[1 - side, square] > DEFENCE[row]:
            add_feature(sparse, at + DOOMED_AT + square, 1.0)
    for square in range(_PER_SQUARE):
        if s.attack[side, square]:
            add_feature(sparse, at + ATTACK_AT + square, s.attack[side, square] / _STRONG_ATTACK)
    add_feature(sparse, at + SINGLES_AT, s.losses[side] / CARDS_TO_WIN)
    add_feature(sparse, at + SINGLES_AT + 1, s.command_losses[side] / COMMANDS_TO_WIN)
    add_feature(sparse, at + SINGLES_AT + 2, s.hand_size[side] / HAND)
    add_feature(sparse, at + SINGLES_AT + 3, s.deck_size[side] / _FULL_DECK)


@rule
def turn(s: Record) -> int:
    return s.turn
