"""Small built positions of race for the tests, and the recorded games."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boardwright as bw
from boardwright.games.race.bits import bits_of, members
from boardwright.games.race.cards import DESIGN, DESIGNS, KIND, STANDING, card_named
from boardwright.games.race.keldon.saves import Save, read_saves
from boardwright.games.race.state import ACTION
from boardwright.kernel import State

DATA = Path(__file__).parent / "data" / "race"


@cache
def recorded(name: str = "games.jsonl") -> list[Save]:
    """Games that were recorded with the original program: ten from the dissertation and 350 more, all for two; 90 games
    for three and 110 for four are in games_3_4_seats.jsonl."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(lzma.decompress((DATA / f"{name}.xz").read_bytes()))
        return list(read_saves(file))


def trace() -> list[dict[str, Any]]:
    """Every step of ten games."""
    return [json.loads(line) for line in lzma.decompress((DATA / "trace.jsonl.xz").read_bytes()).splitlines()]


def names(cards: Any) -> list[str]:
    return [DESIGNS[int(DESIGN[card])].name for card in members(cards)]


def position(tableaux: list[list[str]], hands: list[list[str]], goods: tuple[str, ...] = ()) -> State:
    """The first round of a game in which the seats have these cards; nobody has chosen an action yet."""
    seats = len(tableaux)
    state = bw.game("race").new(seed=5, seats=seats)
    while state.record.round == 0:
        state.apply(state.legal_actions()[0])
    s = state.record
    free = set(range(114))

    def take(name: str) -> int:
        card = card_named(name)
        card = card if card in free else card + 1
        assert card in free, f"no card left of {name}"
        free.remove(card)
        return card

    s.standing[:], s.goods[:], s.good[:], s.tableau[:], s.knows[:], s.first = 0, 0, 0, 0, 0, 0
    worlds = []
    for seat, tableau in enumerate(tableaux):
        for place, name in enumerate(tableau):
            card = take(name)
            s.tableau[seat, place] = card
            for i in range(STANDING.shape[1]):
                s.standing[seat, i] += int(STANDING[card, i])
            worlds.append((seat, place, card, name))
        s.size[seat] = len(tableau)
        hand = [take(name) for name in hands[seat]]
        s.hand[seat][:], s.hand_size[seat] = bits_of(hand), len(hand)
    for seat, place, card, name in worlds:
        if name in goods:
            s.good[seat, place] = 1 + free.pop()
            s.goods[seat, 0] += 1
            s.goods[seat, int(KIND[card])] += 1
    s.deck[:], s.deck_size = bits_of(free), len(free)
    s.discard[:], s.discard_size, s.given[:], s.first_good = 0, 0, 0, 0
    s.asked, s.first = 0, 0
    return state


def choose(state: State, *actions: int) -> State:
    """The seats choose these actions, numbered as in saved games."""
    for action in actions:
        state.apply(ACTION + action)
    return state


def say(state: State, words: str) -> State:
    """Play the legal action that is described so."""
    legal = {state.game.describe(state, action): action for action in state.legal_actions()}
    assert words in legal, f"{words!r} is not among {sorted(legal)}"
    state.apply(legal[words])
    return state


def options(state: State) -> list[str]:
    return [state.game.describe(state, action) for action in state.legal_actions()]
