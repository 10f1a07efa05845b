"""`scramble` proves to other tests that nothing hidden shows through: it moves all that is hidden, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import boardwright as bw
from boardwright.kernel import rng
from tests.test_fixed_seed_samples import GAMES

MOST_MOVES = 200


@pytest.mark.parametrize("variant", GAMES)
def test_all_that_seats_cannot_see_is_rearranged_and_nothing_else(variant: str) -> None:
    """Each field of the record that a seat sees blanked changes at some time, and no piece comes or goes. Apart from
    payments, which follow from choices, and from what Race keeps to recall and to lay."""
    name, seats, given = GAMES[variant]
    game, random = bw.game(name), np.random.default_rng(1)
    hidden: set[str] = set()
    moved: set[str] = set()
    for seed in (11, 12):
        state, rng_state = game.new(seed=seed, seats=seats, **given), rng.generator(seed)
        for move in range(MOST_MOVES):
            if state.is_terminal:
                break
            for seat in range(seats) if move % 10 == 0 else ():
                other = state.copy()
                game.information.scramble(other.record, seat, random)
                seen = state.observation(seat)
                assert other.observation(seat) == seen
                true, shown, changed = (thing.memory.view(game.state)[0] for thing in (state, seen, other))
                hidden |= {field for field in game.state.names if np.any(true[field] != shown[field])}
                moved |= {field for field in game.state.names if np.any(true[field] != changed[field])}
                if game.rules.piece_counts is not None:
                    np.testing.assert_array_equal(pieces(game, other), pieces(game, state))
            legal = state.legal_actions()
            state.apply(legal[rng.draw(rng_state) % len(legal)])
    assert hidden - moved <= {"recalls", "pay"}
    assert moved - hidden <= {"kept"}


def pieces(game: bw.Game, state: bw.State) -> np.ndarray:
    counts = np.zeros(game.rules.num_piece_kinds, np.int64)
    game.entries.piece_counts(state.memory, counts)
    return counts
