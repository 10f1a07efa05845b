"""7 Wonders: nothing is lost or made in thousands of random games; `make wonders-invariants` plays 200,000."""

from __future__ import annotations

import pytest

from boardwright.games.wonders.invariants import FAULTS
from boardwright.games.wonders.slips import BABYLON_UNPAID, OLYMPIA_ALWAYS, ONE_NEIGHBOUR, SWAPPED
from tests.wonders_random_games import run


@pytest.mark.parametrize("slips", [0, ONE_NEIGHBOUR | SWAPPED | OLYMPIA_ALWAYS])
def test_random_games_break_no_invariant(slips: int) -> None:
    fault, seats, seed = run(3_000, seed=7, slips=slips)
    assert not fault, f"{FAULTS[fault]} ({seats} seats, seed {seed})"


def test_the_loop_notices_an_unpaid_card() -> None:
    fault, _, _ = run(3_000, seed=7, slips=BABYLON_UNPAID)
    assert FAULTS[fault] == "coins appear or vanish"
