"""A rollout policy: deploy where the fight comes out best by h4, shoot only what falls, draw rather than recall.

It looks at the fight that a deployment leads to, without shots: enemies that the card brings down, and whether the card
itself falls. Of equals one is chosen at random. The thesis's advice for shots (section 5.3.5) is followed as printed.
"""

from __future__ import annotations

from boardwright.games.lords import state
from boardwright.games.lords.board import NEIGHBOUR, NUM_DIRECTIONS, OFF_BOARD, SQUARES
from boardwright.games.lords.cards import ARROW_VALUE, DEFENCE, IS_COMMAND, MISSILE
from boardwright.kernel import Actions, Record, RngState, rng, rule


@rule
def worth(row: int) -> int:
    """What h4 loses when the card of a table row falls: it leaves the board and is lost, a command card twice."""
    return 2 + IS_COMMAND[row]


@rule
def deployment_gain(s: Record, seat: int, kind: int, square: int) -> int:
    """What a deployment does to h4 in the fight that follows, without shots."""
    row, other = s.row[seat] + kind, s.row[1 - seat]
    gain = 0
    for direction in range(NUM_DIRECTIONS):
        value = ARROW_VALUE[row, direction]
        place = NEIGHBOUR[square, direction]
        if value and place != OFF_BOARD and s.occupied[1 - seat] >> place & 1:
            enemy = other + s.card[place]
            if s.attack[seat, place] + value > DEFENCE[enemy]:
                gain += worth(enemy)
    if s.attack[1 - seat, square] > DEFENCE[row]:
        gain -= worth(row)
    return gain


@rule
def shot_gain(s: Record, target: int) -> int:
    """What a shot does to h4: nothing unless the target falls, and falls by it."""
    seat = s.mover
    strikes = s.attack[seat, target]
    for shot in range(s.shots):
        if s.targets[shot] == target:
            strikes += MISSILE[s.row[seat] + s.card[s.shooters[shot]]]
    enemy = s.row[1 - seat] + s.card[target]
    if strikes > DEFENCE[enemy] or strikes + MISSILE[s.row[seat] + s.card[s.shooter]] <= DEFENCE[enemy]:
        return -1
    return worth(enemy)


@rule
def gain(s: Record, action: int) -> int:
    if s.phase == state.DEPLOY:
        return deployment_gain(
            s, s.mover, (action - state.DEPLOY_CARD) // SQUARES, (action - state.DEPLOY_CARD) % SQUARES
        )
    if s.phase == state.SHOOT:
        return 0 if action == state.NO_SHOT else shot_gain(s, action - state.SHOOT_AT)
    if s.phase == state.REINFORCE:
        return 0 if action == state.DRAW else (-2 if action == state.NO_REINFORCEMENT else -1)
    return 0


@rule
def greedy(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    best = actions[0]
    best_gain, equals = gain(s, best), 1
    for i in range(1, n):
        found = gain(s, actions[i])
        if found > best_gain:
            best, best_gain, equals = actions[i], found, 1
        elif found == best_gain:
            equals += 1
            if rng.below(rng_state, equals) == 0:
                best = actions[i]
    return best
