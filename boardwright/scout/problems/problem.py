"""A problem: one whole decision, with all that the deciding seat knows. Card ids, question types, phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardwright.errors import BadRecord
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.state import USE_COLONY_SHIP, USE_CONTACT, USE_TACTICS

Option = int | tuple[int, int]
Choice = tuple[Option, ...]

(
    TYPE_ACTION,
    TYPE_DISCARD,
    TYPE_DEVELOP,
    TYPE_SETTLE,
    TYPE_PAYMENT,
    TYPE_TRADE,
    TYPE_POWER,
    TYPE_HAND,
    TYPE_GOODS,
    TYPE_GAMBLE,
    TYPE_WINDFALL,
) = TYPES = (0, 2, 3, 5, 6, 12, 13, 14, 15, 16, 19)
SEATS = (2, 3, 4)
"""How many players a game can have."""
NO_SUBJECT = -1

PHASES = (1, 3, 5, 7, 9)
"""Explore, develop, settle, consume and produce, each named by the first of its actions, in the rules' order."""

ID_OF_DESIGN = tuple(design.id for design in DESIGNS)
DESIGN_OF_ID = {design.id: number for number, design in enumerate(DESIGNS)}


def _power_with(*kinds: str) -> tuple[int, int]:
    return next(
        (design.id, position)
        for design in DESIGNS
        for position, power in enumerate(design.powers)
        if power.kinds.issuperset(kinds)
    )


SPECIAL_POWERS = {
    USE_COLONY_SHIP: _power_with("discard_this_card", "pay_zero"),
    USE_TACTICS: _power_with("discard_this_card", "military"),
    USE_CONTACT: _power_with("pay_for_military_world"),
}
"""The powers that help to settle a world, as card and power."""


class BadDocument(BadRecord):
    """A problem from outside that cannot be read or answered; the message names what is wrong."""


@dataclass(frozen=True)
class Side:
    """One player as a problem shows it."""

    seat: int
    action: int
    """This round's action code, 0 while unknown."""
    chips: int
    score: int
    """Total score as counted now."""
    military: int
    tableau: tuple[int, ...]
    """Design ids in order of placement."""
    goods: tuple[int, ...]
    """Design ids of the worlds that carry a good."""
    hand: tuple[int, ...]
    """Design ids, ascending, with duplicates; empty for the other players."""
    hand_size: int


@dataclass(frozen=True)
class Problem:
    """Everything the deciding seat knows about one whole decision."""

    type: int
    options: tuple[Option, ...]
    """Design ids; action codes for an action; (card, power) pairs for powers; numbers for a gamble."""
    minimum: int
    """How many to choose, at least."""
    maximum: int
    """How many to choose, at most."""
    subject: int
    """The card being placed, or whose power is used; NO_SUBJECT for none."""
    round: int
    phases: tuple[int, ...]
    """The phases of this round, as far as known."""
    phase: int
    """The one under way; 0 while actions are chosen, in the setup and at the end of a round."""
    deck: int
    discard: int
    pool: int
    me: Side
    opponent: Side
    """The one whom cases compare: of several the one who leads (`leader_first`)."""
    game_id: str = ""
    others: tuple[Side, ...] = ()
    """The other opponents, where there are more than two players."""

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.me, self.opponent, *self.others)

    @property
    def opponents(self) -> tuple[Side, ...]:
        return (self.opponent, *self.others)


def leader_first(opponents: Sequence[Side], seat: int) -> tuple[Side, ...]:
    """The opponent of a seat with most points first, of equals who comes next in turn; then the others in turn."""
    seats = len(opponents) + 1
    in_turn = sorted(opponents, key=lambda side: (side.seat - seat) % seats)
    leader = max(in_turn, key=lambda side: side.score)
    return (leader, *(side for side in in_turn if side is not leader))
