"""The rules of Connect Four, claim by claim."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright import conformance
from boardwright.games.connect_four import COLUMNS, DIRECTIONS, IN_A_ROW, ROWS
from boardwright.kernel.features import SparseFeatures
from boardwright.kernel.replay import replay
from boardwright.playthroughs import playthrough


def after(game: bw.Game, columns: str) -> bw.State:
    """The position after discs were dropped into these columns, counted from 1."""
    state = game.new(seed=0)
    for column in columns:
        state.apply(int(column) - 1)
    return state


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ("1122334", "a row"),
        ("1212121", "a column"),
        ("12233434464", "a rising diagonal"),
        ("76655454424", "a falling diagonal"),
        ("1122443", "a row closed in its middle"),
    ],
)
def test_four_in_a_line_wins(connect_four: bw.Game, columns: str, line: str) -> None:
    state = after(connect_four, columns)
    assert state.is_terminal, f"{line} should end the game"
    assert state.returns == (1, -1)


def test_second_seat_can_win(connect_four: bw.Game) -> None:
    assert after(connect_four, "71213141").returns == (-1, 1)


def test_three_are_not_enough(connect_four: bw.Game) -> None:
    assert not after(connect_four, "112233").is_terminal


def test_lines_do_not_wrap_round_the_edge(connect_four: bw.Game) -> None:
    assert not after(connect_four, "6677112").is_terminal
    assert not after(connect_four, "6172132").is_terminal


def test_full_column_takes_no_disc(connect_four: bw.Game) -> None:
    state = after(connect_four, "111111")
    assert 0 not in state.legal_actions()
    with pytest.raises(bw.errors.IllegalAction, match="action 0 is not legal now; legal: 1 "):
        state.apply(0)


def test_full_board_without_a_line_is_a_draw(connect_four: bw.Game) -> None:
    state = after(connect_four, "121212212121343434434343565656656565777777")
    assert state.is_terminal
    assert state.returns == (0, 0)


def test_seats_take_turns(connect_four: bw.Game) -> None:
    assert [after(connect_four, "1234567"[:n]).player for n in range(4)] == [0, 1, 0, 1]


def test_position_shows_as_a_board(connect_four: bw.Game) -> None:
    assert str(after(connect_four, "443")).splitlines()[-3:] == [
        ". . . O . . .",
        ". . X X . . .",
        "1 2 3 4 5 6 7",
    ]


def test_the_code_of_the_tutorial_is_the_game(connect_four: bw.Game, tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "write-a-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    with_learning = "import dataclasses\n\ngame = dataclasses.replace(game, learning=learning)\n"
    file = tmp_path / "tutorial.py"
    file.write_text("\n\n".join([*blocks, with_learning]), encoding="utf-8")
    tutorial = bw.game(str(file))
    assert playthrough(tutorial) == playthrough(connect_four)
    conformance.knowledge.features_are_the_seats_own(tutorial, games=3, seed=1)


def test_its_network_comes_with_it_and_sees_a_win_and_a_threat() -> None:
    game = bw.game("connect_four")
    for moves, column in (([3, 0, 3, 0, 3, 1], 3), ([3, 0, 6, 0, 3, 0], 0)):
        state = game.new(seed=0)
        for move in moves:
            state.apply(move)
        assert (
            bw.agent("nettree:simulations=1000", game, state.player).decide(state.observation(state.player)).action
            == column
        ), moves


def test_threats_are_the_empty_cells_in_which_a_disc_would_win(connect_four: bw.Game) -> None:
    """Compared with what dropping a disc there, in the air if need be, does by the rules."""
    random, found = np.random.default_rng(1), 0
    for seed in range(12):
        state = connect_four.new(seed=seed)
        while not state.is_terminal:
            sparse = SparseFeatures.with_capacity(len(connect_four.learning.feature_names))
            connect_four.entries.features(state.memory, 0, sparse)
            planes = sparse.dense(len(connect_four.learning.feature_names)).reshape(-1, ROWS, COLUMNS)
            for seat, (row, column) in itertools.product((0, 1), np.ndindex(ROWS, COLUMNS)):
                wins = False
                if row >= state.record.height[column]:
                    after = state.copy()
                    after.record.height[column], after.record.discs = row, seat
                    after.apply(column)
                    wins = bool(after.record.winner)
                assert planes[2 + seat, row, column] == wins
                found += wins
            state.apply(int(random.choice(state.legal_actions())))
    assert found > 100


def test_pairs_are_lines_with_two_discs_of_one_seat_and_none_of_the_other(connect_four: bw.Game) -> None:
    """Compared with a count cell by cell; a seat that moves second has its threats in other planes."""
    random, count, found = np.random.default_rng(2), len(connect_four.learning.feature_names), 0
    for seed in range(6):
        state = connect_four.new(seed=seed)
        while not state.is_terminal:
            planes = []
            for seat in range(2):
                sparse = SparseFeatures.with_capacity(count)
                connect_four.entries.features(state.memory, seat, sparse)
                planes.append(sparse.dense(count).reshape(-1, ROWS, COLUMNS))
            first, second = planes
            assert (first[2:4] == second[5:3:-1]).all(), "the same threats, with the seats exchanged"
            assert not first[4:6].any()
            assert not second[2:4].any()
            assert (first[6].sum(), second[6].sum()) == (1, 0)
            assert (first[7:11] == second[11:]).all()
            board = np.asarray(state.record.board)
            for direction, (down, right) in enumerate(DIRECTIONS):
                for row, column in np.ndindex(ROWS, COLUMNS):
                    cells = [(row + i * down, column + i * right) for i in range(IN_A_ROW)]
                    inside = all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in cells)
                    discs = sorted(int(board[cell]) for cell in cells) if inside else []
                    assert first[7 + direction, row, column] == (discs == [0, 0, 1, 1])
                    assert first[11 + direction, row, column] == (discs == [0, 0, 2, 2])
                    found += discs == [0, 0, 1, 1]
            state.apply(int(random.choice(state.legal_actions())))
    assert found > 100


def test_a_mirrored_position_has_the_mirrored_features(connect_four: bw.Game) -> None:
    """By the symmetry that the game declares for training, in games at random."""
    ((features, actions),) = connect_four.learning.symmetries
    count, random = len(connect_four.learning.feature_names), np.random.default_rng(5)
    assert sorted(features) == list(range(count))
    for _ in range(20):
        states = [connect_four.new(seed=0), connect_four.new(seed=0)]
        while not states[0].is_terminal:
            for seat in range(2):
                dense = []
                for state in states:
                    sparse = SparseFeatures.with_capacity(count)
                    connect_four.entries.features(state.memory, seat, sparse)
                    dense.append(sparse.dense(count))
                assert np.array_equal(dense[1][list(features)], dense[0])
            column = int(random.choice(states[0].legal_actions()))
            states[0].apply(column)
            states[1].apply(actions[column])


def test_actions_are_replayed_until_one_is_not_legal(connect_four: bw.Game) -> None:
    for actions, played in (([3, 3, 9, 3], 2), ([3, 3], 2), ([], 0), ([0] * 7, 6), ([0, 1, 0, 1, 0, 1, 0, 1], 7)):
        state = connect_four.new(seed=0)
        assert replay(state, actions) == played
        assert state == after(connect_four, "".join(str(column + 1) for column in actions[:played]))
