"""Elimination: shots, the fight of all cards at once, extra turns and victory (docs/rules/lords.md, section 4)."""

from __future__ import annotations

from boardwright.games.lords import state
from boardwright.games.lords.board import SEATS, neighbours, pointed_at
from boardwright.games.lords.cards import GRID, IS_COMMAND, IS_GENERAL, MISSILE, RING, TARGETS
from boardwright.games.lords.piles import count_arrows, kind_on, take_off_board
from boardwright.kernel import Actions, Record, RngState, rng, rule
from boardwright.kernel.bits import bytes_above, count_bits, lowest_bit, nth_bit, unsigned

# Shots


@rule
def targets_of(s: Record, seat: int, square: int) -> int:
    """The enemies that a unit may shoot at, if it may shoot."""
    return TARGETS[unsigned(GRID[s.row[seat] + kind_on(s, square)]), square] & s.occupied[seat ^ 1]


@rule
def next_shooter(s: Record) -> bool:
    """Go on to the next unit that may shoot, in board order; False if there is none left."""
    while True:
        seat = s.mover
        units = s.ranged[seat] >> (s.shooter + 1) << (s.shooter + 1)
        if not s.engaged_may_shoot:
            units &= ~engaged_units(s, seat)
        while units:
            square = lowest_bit(units)
            if targets_of(s, seat, square):
                s.shooter = square
                return True
            units &= units - 1
        if not s.inactive_may_shoot or seat != s.active:
            s.mover, s.shooter = s.active, state.NONE
            return False
        s.mover, s.shooter = seat ^ 1, state.NONE


@rule
def shots(s: Record, out: Actions) -> int:
    n = 0
    targets = targets_of(s, s.mover, s.shooter)
    while targets:
        out[n] = state.SHOOT_AT + lowest_bit(targets)
        n += 1
        targets &= targets - 1
    out[n] = state.NO_SHOT
    return n + 1


@rule
def random_shot(s: Record, rng_state: RngState) -> int:
    targets = targets_of(s, s.mover, s.shooter)
    n = count_bits(targets)
    drawn = rng.below(rng_state, n + 1)
    return state.NO_SHOT if drawn == n else state.SHOOT_AT + nth_bit(targets, drawn)


@rule
def shoot(s: Record, target: int) -> None:
    """The missile flies when all shots are chosen."""
    s.shooters[s.shots] = s.shooter
    s.targets[s.shots] = target
    s.shots += 1


@rule
def side_of(s: Record, square: int) -> int:
    return s.occupied[1] >> square & 1


@rule
def count_shots(s: Record, times: int) -> None:
    """Count all missiles in, and out the arrows of those who shot; or, with -1, the other way."""
    for shot in range(s.shots):
        unit = s.shooters[shot]
        seat, kind = side_of(s, unit), kind_on(s, unit)
        count_arrows(s, seat, kind, unit, -times)
        s.attack[seat, s.targets[shot]] += times * MISSILE[s.row[seat] + kind]


# The fight


@rule
def casualties(s: Record) -> int:
    """The cards of both sides at which more strikes than they can defend."""
    first, second = bytes_above(s.attack[1], s.defence[:]), bytes_above(s.attack[0], s.defence[:])
    return s.occupied[0] & first | s.occupied[1] & second


@rule
def engaged_units(s: Record, seat: int) -> int:
    """The cards of a seat at which an enemy arrow points."""
    return s.occupied[seat] & bytes_above(s.attack[seat ^ 1], 0)


@rule
def took_part(s: Record, seat: int, fallen: int) -> int:
    """The cards of a seat that took part in eliminating these enemies: with an arrow or a missile, and if so read,
    also those that the fallen were engaging."""
    units = 0
    for shot in range(s.shots):
        if fallen >> s.targets[shot] & 1:
            units |= 1 << s.shooters[shot]
    shooting = 0
    for shot in range(s.shots):
        shooting |= 1 << s.shooters[shot]
    beside = s.occupied[seat] & neighbours(fallen)
    fighting = beside & ~shooting
    while fighting:
        square = lowest_bit(fighting)
        fighting &= fighting - 1
        units |= (pointed_by(s, seat, square) & fallen != 0) << square
    if s.took_part == state.ENGAGED:
        while fallen:
            units |= pointed_by(s, seat ^ 1, lowest_bit(fallen)) & beside
            fallen &= fallen - 1
    return units


@rule
def pointed_by(s: Record, seat: int, square: int) -> int:
    """The squares that the arrows of a card on the board point at."""
    return pointed_at(RING[s.row[seat] + kind_on(s, square)], square)


@rule
def bury(s: Record, seat: int, fallen: int) -> bool:
    """Remove the casualties of a seat; whether its general is among them."""
    general = False
    while fallen:
        square = lowest_bit(fallen)
        fallen &= fallen - 1
        kind = take_off_board(s, seat, square)
        s.dead[seat, kind] += 1
        s.losses[seat] += 1
        s.command_losses[seat] += IS_COMMAND[s.row[seat] + kind]
        general = general or IS_GENERAL[s.row[seat] + kind] != 0
    return general


@rule
def eliminate(s: Record) -> None:
    """All cards fight at once; then casualties are removed together. It may end the game."""
    active, other = s.active, s.active ^ 1
    if s.shots:
        count_shots(s, 1)
    fallen = casualties(s)
    own_fallen, enemy_fallen = fallen & s.occupied[active], fallen & s.occupied[other]
    if s.shots:
        count_shots(s, -1)
    s.held = 1 << s.placed if s.placed != state.NONE else 0
    if enemy_fallen:
        s.held |= took_part(s, active, enemy_fallen)
    if s.recall_test == state.BEFORE_CASUALTIES:
        s.held |= engaged_units(s, active)
    for shot in range(s.shots):
        s.shooters[shot] = state.NONE
        s.targets[shot] = state.NONE
    s.shots = 0
    if fallen:
        own_general, enemy_general = bury(s, active, own_fallen), bury(s, other, enemy_fallen)
        s.held &= s.occupied[active]
        grant_extra_turn(s, own_general, enemy_general)
        decide_winner(s)


@rule
def grant_extra_turn(s: Record, own_general: bool, enemy_general: bool) -> None:
    if enemy_general and not own_general:
        s.owed[s.active] += 1
    elif own_general and not enemy_general and s.extra_turn == state.EITHER:
        s.owed[s.active ^ 1] += 1


@rule
def has_beaten(s: Record, seat: int) -> bool:
    """Whether a seat has eliminated enough cards of the other."""
    return s.losses[seat ^ 1] >= state.CARDS_TO_WIN or s.command_losses[seat ^ 1] >= state.COMMANDS_TO_WIN


@rule
def decide_winner(s: Record) -> None:
    for seat in range(SEATS):
        if has_beaten(s, seat):
            s.winner = (
                seat
                if s.winner == state.UNDECIDED
                else (s.active if s.both_win == state.ACTIVE_WINS else state.DRAW_GAME)
            )
    if s.winner != state.UNDECIDED:
        s.phase = state.FINISHED
