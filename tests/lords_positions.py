"""Small positions of Lords of War for tests. Cards are named by army and printed number, squares as c3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import boardwright as bw
from boardwright.games.lords import information, piles, rules
from boardwright.games.lords.board import SEATS, SQUARE_NAMES, SQUARES
from boardwright.games.lords.cards import ARMIES, CARDS, DECKS, KINDS, VERSIONS, Card, deck_at_row
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.state import DEPLOY, DEPLOY_CARD, DRAW, NO_SHOT, NONE, RECALL, REINFORCE, SHOOT_AT, START
from boardwright.kernel import State
from boardwright.kernel.bits import members

GAME = bw.game("lords")
Board = Mapping[str, int]


def square(name: str) -> int:
    return SQUARE_NAMES.index(name)


def names(squares: int) -> set[str]:
    return {SQUARE_NAMES[place] for place in members(squares)}


def deck_cards(s: Any, seat: int) -> tuple[Card, ...]:
    """All 36 cards of a seat, by printed number."""
    version, army = divmod(deck_at_row(s.row[seat]), len(ARMIES))
    return list(VERSIONS.values())[version][ARMIES[army]]


def kind(s: Any, seat: int, number: int) -> int:
    return DECKS[deck_at_row(s.row[seat])].index(deck_cards(s, seat)[number - 1])


def position(
    first: Board | None = None,
    second: Board | None = None,
    *,
    hands: tuple[Sequence[int], Sequence[int]] = ((1,), (1,)),
    dead: tuple[Sequence[int], Sequence[int]] = ((), ()),
    decks: tuple[Sequence[int] | None, Sequence[int] | None] = (None, None),
    active: int = 0,
    starts_turn: bool = False,
    **options: Any,
) -> State:
    """Orcs against Dwarves by default. The active seat is about to deploy, or with `starts_turn`, its turn begins:
    without a card in hand it goes on to the fight. A deck is given from the top down; without it, all cards that are
    nowhere else are in it. Cards that a given deck leaves out are out of the game."""
    state = GAME.new(seed=1, **{"armies": "orc,dwarf", **options})
    s = state.record
    s.hand[:], s.known[:], s.hand_kinds[:], s.hand_size[:] = 0, 0, 0, 0
    s.deck[:] = NONE
    for seat, (board, hand, fallen, deck) in enumerate(
        zip((first or {}, second or {}), hands, dead, decks, strict=True)
    ):
        used = [*board.values(), *hand, *fallen, *(deck or ())]
        assert len(set(used)) == len(used), "a card is in two places"
        for place, number in board.items():
            assert s.card[square(place)] == NONE, f"two cards on {place}"
            piles.put_on_board(s, seat, kind(s, seat, number), square(place))
        for number in hand:
            piles.add_to_hand(s, seat, kind(s, seat, number))
        for number in fallen:
            s.dead[seat, kind(s, seat, number)] += 1
            s.losses[seat] += 1
            s.command_losses[seat] += deck_cards(s, seat)[number - 1].is_command
        rest = [number for number in range(1, CARDS + 1) if number not in used] if deck is None else deck
        s.deck_size[seat] = len(rest)
        for place, number in enumerate(reversed(rest)):
            s.deck[seat, place] = kind(s, seat, number)
    s.active = s.mover = active
    s.phase = START if starts_turn else DEPLOY
    if starts_turn:
        rules.go_on(s)
    return state


def deploy(state: State, number: int, where: str) -> State:
    state.apply(DEPLOY_CARD + kind(state.record, state.player, number) * SQUARES + square(where))
    return state


def shoot(state: State, where: str) -> State:
    state.apply(SHOOT_AT + square(where))
    return state


def hold_fire(state: State) -> State:
    state.apply(NO_SHOT)
    return state


def draw(state: State) -> State:
    state.apply(DRAW)
    return state


def refill(state: State) -> State:
    """Draw if there is a question; otherwise it has been done."""
    return draw(state) if state.record.phase == REINFORCE else state


def recall(state: State, where: str) -> State:
    state.apply(RECALL + square(where))
    return state


def squares_for(state: State, number: int) -> set[str]:
    """Where the player may deploy a card."""
    first = DEPLOY_CARD + kind(state.record, state.player, number) * SQUARES
    return {SQUARE_NAMES[action - first] for action in state.legal_actions() if first <= action < first + SQUARES}


def targets(state: State) -> set[str]:
    return {SQUARE_NAMES[action - SHOOT_AT] for action in state.legal_actions() if SHOOT_AT <= action < NO_SHOT}


def recalls(state: State) -> set[str]:
    """The units that may be recalled."""
    return {SQUARE_NAMES[a - RECALL] for a in state.legal_actions() if RECALL <= a < RECALL + SQUARES}


def on_board(state: State) -> set[str]:
    s = state.record
    return names(s.occupied[0] | s.occupied[1])


def hand(state: State, seat: int) -> list[int]:
    """The kinds in a hand."""
    return information.hand_of(state.record, seat)


def piece_counts(state: State) -> list[int]:
    s = state.record
    found = [0] * (SEATS * KINDS)
    for seat in range(SEATS):
        for one in [*information.hand_of(s, seat), *information.deck_of(s, seat)]:
            found[seat * KINDS + one] += 1
        for number, copies in enumerate(s.dead[seat].tolist()):
            found[seat * KINDS + number] += copies
    for place in members(s.occupied[0] | s.occupied[1]):
        found[side_of(s, place) * KINDS + s.card[place]] += 1
    return found
