"""Lords of War: nothing is lost or made in thousands of random games; `make lords-million` plays a million."""

from __future__ import annotations

import numpy as np
import pytest

from boardwright.games.lords.invariants import FAULTS, SCRATCH
from boardwright.games.lords.invariants import fault_in as find_fault
from tests.lords_positions import position, square
from tests.lords_random_games import run


@pytest.mark.parametrize("games", [800, pytest.param(3_000, marks=pytest.mark.slow)])
def test_random_games_break_no_invariant(games: int) -> None:
    fault, pairing, seed = run(games, seed=7)
    assert not fault, f"{FAULTS[fault]} (pairing {pairing}, seed {seed})"


def test_a_sound_position_has_no_fault():
    assert find_fault(position({"c3": 3}, {"d4": 6}).record, np.zeros(SCRATCH, np.int64)) == 0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda s: s.hand.__setitem__((0, 3), 1), "36 cards"),
        (lambda s: s.occupied.__setitem__(1, s.occupied[1] | s.occupied[0]), "36 cards"),
        (lambda s: s.attack.__setitem__((0, square("a1")), 1), "sums of arrows"),
        (lambda s: s.losses.__setitem__(0, 1), "losses"),
        (lambda s: s.known.__setitem__((0, 5), 1), "known card"),
        (lambda s: s.ranged.__setitem__(0, 1), "sets"),
        (lambda s: setattr(s, "winner", 1), "winner"),
    ],
)
def test_the_loop_notices_a_fault(change, complaint):
    state = position({"c3": 3}, {"d4": 6})
    change(state.record)
    counts = np.zeros(SCRATCH, np.int64)
    assert complaint in FAULTS[find_fault(state.record, counts)]
