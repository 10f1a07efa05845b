"""Small positions of Colonizers for tests, written in the words of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import boardwright as bw
from boardwright.games.colonizers import information
from boardwright.games.colonizers.cards import CARDS, COLONISTS, COPIES, KINDS, MODULES
from boardwright.games.colonizers.state import (
    ALL_COLONISTS,
    COLONIST_PICK,
    COLONY_TARGET,
    NONE,
    SEATS,
)
from boardwright.kernel import Observation, State, rng

GAME = bw.game("colonizers")

MODULE = {module.name: kind for kind, module in enumerate(MODULES)}
COLONIST = {colonist.name: number for number, colonist in enumerate(COLONISTS)}

HELD = ("Ecologist", "General", "Miner", "Opportunist")  # with the Spy out of the round and the Visionary left over


def position(
    phase: int,
    turn: int = 0,
    *,
    colonists: Sequence[str] = HELD,
    out: str = "",
    hands: Mapping[int, Sequence[str]] | None = None,
    colonies: Mapping[int, Sequence[str]] | None = None,
    omnium: Sequence[int] = (0, 0, 0, 0),
    deck: Sequence[str] = (),
    deck_size: int | None = None,
    drawn: Sequence[str] = (),
    **options: Any,
) -> State:
    """A position of which only what matters is said.

    In the pick phase the seats before `turn` have their `colonists`. The deck starts with the named cards, the
    others follow in the order of the table; with `deck_size`, what is beyond it lies out of the game.
    """
    state = GAME.new(seed=1, **options)
    s = state.record
    s.phase, s.turn = phase, turn
    _deal_colonists(s, [COLONIST[name] for name in colonists], COLONIST.get(out, NONE))
    left = COPIES.copy()
    for seat, names in (hands or {}).items():
        s.hand[seat] = _take(left, names)
        s.hand_size[seat] = len(names)
    for seat, names in (colonies or {}).items():
        s.colony[seat] = _take(left, names)
        s.colony_size[seat] = len(names)
        if len(names) == COLONY_TARGET and s.first_complete == NONE:
            s.first_complete = seat
    s.omnium[:] = omnium
    if drawn:
        _take(left, drawn)
        s.drawn[:] = [MODULE[name] for name in drawn]
    _take(left, deck)
    cards = [MODULE[name] for name in deck] + [kind for kind in range(KINDS) for _ in range(left[kind])]
    s.deck_size = len(cards) if deck_size is None else deck_size
    s.deck[:] = NONE
    s.deck[: s.deck_size] = cards[: s.deck_size]
    s.removed[:] = np.bincount(cards[s.deck_size :], minlength=KINDS)
    assert sum(piece_counts(state)) == CARDS + len(COLONISTS), "the position has other cards than the game"
    return state


def _deal_colonists(s: Any, held: Sequence[int], out: int) -> None:
    picks = held[: s.turn] if s.phase == COLONIST_PICK else held
    if out == NONE:
        spare = [number for number in (COLONIST["Spy"], *range(len(COLONISTS))) if number not in picks]
        out = spare[0]
    s.colonist[:] = [*picks, *[NONE] * (SEATS - len(picks))]
    on_offer = ALL_COLONISTS & ~(1 << out)
    s.offered[:] = 0
    for seat in range(min(len(picks) + 1, SEATS)):
        s.offered[seat] = on_offer
        on_offer &= ~(1 << int(s.colonist[seat])) if seat < len(picks) else on_offer


def _take(left: Any, names: Iterable[str]) -> list[int]:
    taken = np.bincount([MODULE[name] for name in names], minlength=KINDS)
    left -= taken
    assert (left >= 0).all(), "more cards of a kind than there are"
    return [int(n) for n in taken]


def piece_counts(state: State) -> list[int]:
    """How many of each module, then of each colonist."""
    found = np.zeros(GAME.rules.num_piece_kinds, np.int64)
    GAME.entries.piece_counts(state.memory, found)
    return [int(n) for n in found]


def words(state: State) -> list[str]:
    """What can be done, in words."""
    return [GAME.describe(state, action) for action in state.legal_actions()]


def do(state: State, *said: str) -> State:
    """Play actions by the beginning of their words."""
    for beginning in said:
        fitting = [action for action in state.legal_actions() if GAME.describe(state, action).startswith(beginning)]
        assert fitting, f"cannot {beginning!r}; can {words(state)}"
        state.apply(fitting[0])
    return state


def hand(state: State, seat: int) -> list[str]:
    return _names(state.record.hand[seat])


def colony(state: State, seat: int) -> list[str]:
    return _names(state.record.colony[seat])


def deck(state: State) -> list[str]:
    """The deck from top to bottom."""
    s = state.record
    return [MODULES[s.deck[(s.top + place) % CARDS]].name for place in range(s.deck_size)]


def _names(counts: Iterable[int]) -> list[str]:
    return [module.name for module, count in zip(MODULES, counts, strict=True) for _ in range(count)]


def colonist_names(mask: int) -> set[str]:
    return {name for name, number in COLONIST.items() if mask >> number & 1}


def candidates(observation: Observation, seat: int) -> set[str]:
    """The colonists a seat may have, as the viewer knows it."""
    return colonist_names(information.candidates(observation.record, observation.seat, seat))


def sampled(observation: Observation, samples: int) -> Iterable[State]:
    return (observation.determinize(seed=seed) for seed in range(samples))


def choices(state: State, policy: str, times: int = 200) -> Counter[str]:
    """What a policy chooses from the view of the seat to move, and how often, in words."""
    observation = state.observation(state.player)
    choose, scratch, chance = GAME.entries.choose(policy), np.zeros(GAME.max_legal, np.int64), rng.generator(7)
    return Counter(GAME.describe(state, choose(observation.memory, scratch, chance)) for _ in range(times))
