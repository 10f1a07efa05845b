"""The rules of Lords of War, in the order of docs/rules/lords.md: setup and challenge here, then a turn.

    deployment.py     which card may go where
    elimination.py    shots, the fight, extra turns, victory
    reinforcement.py  drawing or recalling
    piles.py          cards on the board and in the hand

A turn is a chain of small decisions. `go_on` leads from one to the next; where there is no choice, nobody is asked.
"""

from __future__ import annotations

from typing import Any

from boardwright.games.lords import deployment, state
from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import ARMY_NAMES, COPIES, GENERAL, KINDS, deck_number, table_row
from boardwright.games.lords.elimination import eliminate, next_shooter, random_shot, shoot, shots
from boardwright.games.lords.heat_maps import DEFAULT_MAPS
from boardwright.games.lords.piles import add_to_hand, draw_card, play_from_hand
from boardwright.games.lords.reinforcement import must_be_asked, random_reinforcement, reinforce, reinforcements
from boardwright.kernel import TERMINAL, Actions, Record, Returns, RngState, rng, rule
from boardwright.kernel.bits import unsigned

NUM_ARMIES = len(ARMY_NAMES)
NUM_MAPS = len(DEFAULT_MAPS)
NUM_PIECE_KINDS = SEATS * KINDS

# Setup and challenge


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    clear_board(s, options)
    rng_state = rng.on_stack()
    rng.seed(rng_state, seed)
    deal(s, 0, deck_number(options[1], options[0] % NUM_ARMIES), rng_state)
    deal(s, 1, deck_number(options[1], options[0] // NUM_ARMIES % NUM_ARMIES), rng_state)


@rule
def clear_board(s: Record, options: Actions) -> None:
    """Before the cards are dealt."""
    read_options(s, options)
    s.card[:] = state.NONE
    s.deck[:] = state.NONE
    s.shooters[:] = state.NONE
    s.targets[:] = state.NONE
    s.placed = state.NONE
    s.shooter = state.NONE
    s.winner = state.UNDECIDED
    s.phase = state.CHALLENGE


@rule
def read_options(s: Record, options: Actions) -> None:
    """In the order of OPTIONS; the first two, armies and card data, are read by `setup`."""
    s.information = options[2]
    s.challenge = options[3]
    s.challenge_fights = options[4]
    s.no_enemy = options[5]
    s.no_room = options[6]
    s.show_hand = options[7]
    s.inactive_may_shoot = options[8]
    s.engaged_may_shoot = options[9]
    s.extra_turn = options[10]
    s.must_reinforce = options[11]
    s.recall_test = options[12]
    s.took_part = options[13]
    s.empty_hand = options[14]
    s.both_win = options[15]
    s.turn_limit = options[16]
    for place in range(NUM_MAPS):
        s.heat_map[place] = options[state.FIRST_MAP_OPTION + place]


@rule
def deal(s: Record, seat: int, deck: int, rng_state: Any) -> None:
    """The general comes to the hand, which everybody knows; the other 35 are shuffled, and five drawn."""
    s.row[seat] = table_row(seat, deck)
    general = GENERAL[deck]
    size = 0
    for kind in range(KINDS):
        for _ in range(COPIES[deck, kind] - (kind == general)):
            s.deck[seat, size] = kind
            size += 1
    rng.shuffle(rng_state, s.deck[seat], size)
    s.deck_size[seat] = size
    add_to_hand(s, seat, general)
    s.known[seat, general] = 1
    for _ in range(state.HAND - 1):
        draw_card(s, seat)


@rule
def issue_challenge(s: Record, kind: int, square: int) -> None:
    """Any card goes on the own challenge square; the engagement rule does not hold yet."""
    play_from_hand(s, s.mover, kind, square)
    draw_card(s, s.mover)
    if s.mover == 0:
        s.mover = 1
        return
    s.active, s.mover = 0, 0
    s.phase = state.START
    if s.challenge_fights:
        eliminate(s)


# A turn


@rule
def player(s: Record) -> int:
    return TERMINAL if s.phase == state.FINISHED else s.mover


@rule
def legal(s: Record, out: Actions) -> int:
    if s.phase == state.DEPLOY:
        return deployment.deployments(s, s.mover, out)
    if s.phase == state.REINFORCE:
        return reinforcements(s, out)
    if s.phase == state.SHOOT:
        return shots(s, out)
    return deployment.challenges(s, s.mover, out)


@rule
def random_action(s: Record, scratch: Actions, rng_state: RngState) -> int:
    if s.phase == state.DEPLOY:
        return deployment.random_deployment(s, s.mover, scratch, rng_state)
    if s.phase == state.REINFORCE:
        return random_reinforcement(s, rng_state)
    if s.phase == state.SHOOT:
        return random_shot(s, rng_state)
    return deployment.random_challenge(s, s.mover, rng_state)


@rule
def apply(s: Record, action: int) -> None:
    if s.phase == state.DEPLOY:
        kind, square = unsigned(state.DEPLOYED_KIND[action]), unsigned(state.DEPLOYED_SQUARE[action])
        deployment.deploy(s, s.mover, kind, square)
        s.placed = square
        s.phase = state.SHOOT
    elif s.phase == state.SHOOT:
        if action != state.NO_SHOT:
            shoot(s, action - state.SHOOT_AT)
    elif s.phase == state.REINFORCE:
        reinforce(s, action)
        end_turn(s)
    else:
        issue_challenge(s, (action - state.DEPLOY_CARD) // SQUARES, (action - state.DEPLOY_CARD) % SQUARES)
    go_on(s)


@rule
def go_on(s: Record) -> None:
    """Until somebody has a choice, or the game is over."""
    while True:
        if s.phase == state.START:
            start_turn(s)
        if s.phase != state.SHOOT or next_shooter(s):
            return
        s.phase = state.REINFORCE
        eliminate(s)
        if s.phase != state.REINFORCE or must_be_asked(s):
            return
        end_turn(s)


@rule
def start_turn(s: Record) -> None:
    """A player who cannot deploy goes on to the fight. If neither can, and the turn before saw no deployment either,
    the game is over."""
    if deployment.can_deploy(s, s.active):
        s.phase, s.skipped = state.DEPLOY, 0
    elif s.hand_size[s.active] == 0 and s.empty_hand == state.LOSES:
        finish(s, s.active ^ 1)
    elif s.skipped and not deployment.can_deploy(s, s.active ^ 1):
        lead = s.losses[1] - s.losses[0]
        finish(s, state.DRAW_GAME if lead == 0 else (0 if lead > 0 else 1))
    else:
        s.phase, s.skipped = state.SHOOT, 1


@rule
def end_turn(s: Record) -> None:
    s.held = 0
    s.placed = state.NONE
    s.turn += 1
    if s.owed[s.active]:
        s.owed[s.active] -= 1
    else:
        s.active = s.active ^ 1
    s.mover = s.active
    s.phase = state.START
    if s.turn >= s.turn_limit:
        finish(s, state.DRAW_GAME)


@rule
def finish(s: Record, winner: int) -> None:
    s.winner = winner
    s.phase = state.FINISHED


# Results


@rule
def returns(s: Record, out: Returns) -> None:
    """1 for the winner, 0 for the loser, a half each for a draw or while nothing is decided."""
    for seat in range(SEATS):
        out[seat] = 1.0 if s.winner == seat else (0.0 if s.winner == 1 - seat else 0.5)


@rule
def scores(s: Record, out: Returns) -> None:
    """The enemy cards that each seat has eliminated."""
    for seat in range(SEATS):
        out[seat] = s.losses[1 - seat]


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """The cards of each seat by kind, wherever they are."""
    out[:] = 0
    for seat in range(SEATS):
        for kind in range(KINDS):
            out[seat * KINDS + kind] = s.hand[seat, kind] + s.dead[seat, kind]
        for place in range(s.deck_size[seat]):
            out[seat * KINDS + s.deck[seat, place]] += 1
        for square in range(SQUARES):
            if s.occupied[seat] >> square & 1:
                out[seat * KINDS + s.card[square]] += 1
