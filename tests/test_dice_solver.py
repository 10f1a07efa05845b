"""The exact solver of dice games, with which docs/learning.md shows that nothing can be gained in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.commands.new import filled
from tests.dice_solver import FACES, ROLL, STAY, DiceGame, Outcome, position

TURNS = {"skeleton": 5, "dice_race": 4}


@pytest.fixture(params=sorted(TURNS))
def dice(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[bw.Game, DiceGame]:
    file = Path(__file__).parent / "games" / "dice_race.py"
    if request.param == "skeleton":
        file = tmp_path / "skeleton.py"
        file.write_text(filled("game", name="skeleton", title="Skeleton", turns=5))
    return bw.game(str(file)), DiceGame(TURNS[request.param])


def test_the_solver_knows_the_rules(dice: tuple[bw.Game, DiceGame]) -> None:
    game, rules = dice
    last, totals = 2 * rules.turns - 1, (9, 7)
    marked = np.arange(rules.size**2, dtype=float).reshape(rules.size, rules.size)
    for seat in range(2):
        state = position(game, seat, totals)
        assert state.player == seat
        state.apply(STAY)
        assert tuple(state.record.points[:2]) == totals
        reached = set()
        for seed in range(100):
            state = position(game, seat, totals, seed)
            state.apply(ROLL)
            reached.add(tuple(state.record.points[:2].tolist()))
        assert len(reached) == FACES
        assert np.isclose(rules.after(marked, seat, ROLL)[totals], np.mean([marked[one] for one in reached]))
        assert rules.after(marked, seat, STAY)[totals] == marked[totals]
    for totals, best in (((9, 7), {0}), ((7, 9), {1}), ((8, 8), {0, 1})):
        state = position(game, last, totals)
        state.apply(STAY)
        assert state.is_terminal
        assert {seat for seat in range(2) if state.returns[seat] == max(state.returns)} == best


def test_no_table_does_better_than_the_best_reply(dice: tuple[bw.Game, DiceGame]) -> None:
    _, rules = dice
    random = np.random.default_rng(3)

    def some_table() -> list[np.ndarray]:
        return [random.random((rules.size, rules.size)).round() for _ in range(2 * rules.turns)]

    other, best = some_table(), rules.best_play()
    replies = rules.best_reply(other, 0, 0.0), rules.best_reply(other, 1, 0.0)
    most = rules.both_seats(replies, other)
    assert np.isclose(sum(most), 1.0)
    for table in (best, other, *(some_table() for _ in range(20))):
        assert rules.both_seats((table, table), other).won <= most.won + 1e-12


def test_the_best_play_cannot_be_beaten(dice: tuple[bw.Game, DiceGame]) -> None:
    _, rules = dice
    best = rules.best_play()

    def half_of_draws(outcome: Outcome) -> float:
        return outcome.won + outcome.drawn / 2

    replies = rules.best_reply(best, 0, 0.5), rules.best_reply(best, 1, 0.5)
    assert np.isclose(half_of_draws(rules.both_seats(replies, best)), 0.5)
